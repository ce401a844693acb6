//! Starting processes.

use ops::Environment;
use term::{Atom, Mfa, Term};

use super::options::SpawnOptions;
use super::receivers::badarg;
use crate::forward::machine::cursor::Cursor;
use crate::forward::machine::engine::{Engine, Registers};
use crate::forward::machine::fault::Fault;
use crate::forward::machine::node::{EventKind, Index, MOST_PROCESSES, NodeProcess, ProcessState, Resume, down, pid};
use crate::forward::outcome::Ending;

/// Slots of a process that has just begun.
const FIRST_SLOTS: usize = 64;

impl Engine<'_> {
    /// `spawn/3`, `spawn_link/3` and `spawn_opt/4`, by their options.
    pub fn spawn(&mut self, function: Mfa, args: &[Term], options: &SpawnOptions) -> Result<Term, Box<Fault>> {
        let (pid, monitor) = self.start(function, args, options)?;
        Ok(match monitor {
            Some(reference) => Term::tuple([pid, reference]),
            None => pid,
        })
    }

    /// Starts a process; its pid, and the reference if it is watched.
    pub fn start(
        &mut self,
        function: Mfa,
        args: &[Term],
        options: &SpawnOptions,
    ) -> Result<(Term, Option<Term>), Box<Fault>> {
        let Some((module, name, list)) = first_call(args) else { return Err(badarg(function, args)) };
        let Ok(arity) = u8::try_from(list.len()) else {
            let what = "a process that begins with so many arguments".to_owned();
            return Err(Box::new(Fault::End(Ending::Unsupported { function, what, at: self.place_of(0) })));
        };
        if self.schedule.is_some() && self.node.processes.len() as u32 >= MOST_PROCESSES {
            let what = "so many processes".to_owned();
            return Err(Box::new(Fault::End(Ending::Unsupported { function, what, at: self.place_of(0) })));
        }
        let child = self.add_child(Mfa { module, function: name, arity }, list);
        if options.link {
            self.node.link_child(self.node.current, child);
        }
        let pid = self.node.processes[child].pid.clone();
        let monitor = options.monitor.as_ref().map(|monitor| {
            let reference = self.state.fresh_reference();
            if let Some(mode) = monitor.alias {
                self.node.alias(&reference, mode);
            }
            let tag = monitor.tag.clone().unwrap_or_else(down);
            self.node.monitor_child(&reference, child, tag);
            reference
        });
        Ok((pid, monitor))
    }

    fn add_child(&mut self, initial: Mfa, args: Vec<Term>) -> Index {
        let parent = self.node.current();
        parent.children += 1;
        let (number, leader, by) = (parent.number, parent.leader.clone(), parent.pid.clone());
        let number = self.program.pids.child(number, parent.children);
        let registers = Registers::of(args.into_iter(), FIRST_SLOTS);
        let pid = pid(number, &self.program.name_order);
        let mut child = NodeProcess::new(pid, number, initial, registers, ProcessState::Ready(Resume::Start(initial)));
        (child.leader, child.parent) = (leader, Some(by));
        let child = self.node.add(child);
        if let Some(event) = self.current_event() {
            event.kind = EventKind::Spawn { child: number };
        }
        self.node.ready.push_back(child);
        child
    }

    /// `erts_internal:spawn_request/4`: the answer is a message.
    pub fn spawn_request(&mut self, at: Cursor, function: Mfa, args: &[Term]) -> Result<Term, Box<Fault>> {
        let Some(options) = SpawnOptions::of(&args[3]) else { return Ok(Term::atom_named("badopt")) };
        if first_call(args).is_none() {
            return Ok(Term::atom_named("badarg"));
        }
        if options.is_beyond && !options.is_bad {
            return Err(self.not_done(at, function, "an option of this request"));
        }
        let request = self.state.fresh_reference();
        let (reference, result, is_wanted) = match options.is_bad {
            true => (request, ["error", "badopt"].map(Term::atom_named), options.reply.on_error),
            false => {
                let (pid, monitor) = self.start(function, args, &options)?;
                (monitor.unwrap_or(request), [Term::atom_named("ok"), pid], options.reply.on_success)
            }
        };
        if is_wanted {
            let [outcome, detail] = result;
            let reply = Term::tuple([options.reply.tag, reference.clone(), outcome, detail]);
            self.node.deliver(self.node.current, reply);
        }
        Ok(reference)
    }
}

/// The module, function and arguments that a process begins with.
fn first_call(args: &[Term]) -> Option<(Atom, Atom, Vec<Term>)> {
    Some((args[0].as_atom()?, args[1].as_atom()?, args[2].proper_list()?))
}
