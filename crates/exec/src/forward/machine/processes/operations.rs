//! Operations on processes, one by one.

use ir::ProcessOp;
use ops::{Environment, Rule};
use term::{Atom, Exception, HandleKind, Mfa, Term};

use super::flags::monitors_nodes;
use super::options::{DemonitorOptions, MonitorOptions, SpawnOptions, alias_mode};
use super::receivers::{Receiver, badarg};
use crate::forward::code::Slot;
use crate::forward::machine::cursor::Cursor;
use crate::forward::machine::engine::Engine;
use crate::forward::machine::fault::Fault;
use crate::forward::machine::node::{
    AliasMode, Index, ProcessState, Resume, Signal, Visible, down, exit_message, shown_name,
};
use crate::forward::world::VmCall;

/// The value of an operation.
pub type Done = Result<Term, Box<Fault>>;

impl Engine<'_> {
    /// Does an operation on processes with its arguments in a window, unless it is the turn of others.
    pub fn process_operation(&mut self, at: Cursor, op: ProcessOp, function: Mfa, window: Slot, tail: bool) -> Cursor {
        // Of one process alone these say the same every time.
        let is_steady = matches!(op, ProcessOp::Whereis | ProcessOp::IsAlive | ProcessOp::OwnLeader | ProcessOp::Yield);
        self.state.outside += u64::from(!is_steady);
        if !self.program.options.processes || self.apart {
            return match op {
                ProcessOp::Info => self.info_alone(at, function, window, tail),
                ProcessOp::Yield | ProcessOp::Clock => self.vm_call(at, VmCall::Stateful, function, window, tail),
                _ => self.unsupported(at, function, "processes need the VM"),
            };
        }
        self.need_node();
        // There are no other nodes: that they are monitored is nothing that another process could see.
        let is_visible = op != ProcessOp::Flag || !monitors_nodes(at.window(window, function.arity));
        if is_visible
            && let Some(elsewhere) =
                self.yields_before(self.before_operation(at, Visible::Process(op), function, window, tail))
        {
            return elsewhere;
        }
        self.observe_process_operation(at, op, function, window);
        let args: Vec<Term> = at.window(window, function.arity).to_vec();
        if op == ProcessOp::Hibernate {
            return self.hibernate(at, function, &args);
        }
        self.touch(op, &args);
        let done = self.do_operation(at, op, function, &args);
        let is_over = self.schedule.is_none() && self.node.is_root_gone();
        if is_over || self.node.is_stopped(self.node.current) {
            self.killed()
        } else {
            self.finish(at, window, function.arity, done, tail)
        }
    }

    fn do_operation(&mut self, at: Cursor, op: ProcessOp, function: Mfa, args: &[Term]) -> Done {
        match op {
            ProcessOp::Send => self.send(at, function, args),
            ProcessOp::Spawn => self.spawn(function, args, &SpawnOptions::default()),
            ProcessOp::SpawnLink => self.spawn(function, args, &SpawnOptions { link: true, ..SpawnOptions::default() }),
            ProcessOp::SpawnOpt => match SpawnOptions::without_reply(&args[3]) {
                Some(options) if options.is_beyond => Err(self.not_done(at, function, "an option of this call")),
                Some(options) => self.spawn(function, args, &options),
                None => Err(badarg(function, args)),
            },
            ProcessOp::SpawnRequest => self.spawn_request(at, function, args),
            ProcessOp::AbandonRequest => match &args[0] {
                Term::Handle(_, handle) if handle.kind == HandleKind::Reference => Ok(Term::bool(false)),
                _ => Err(badarg(function, args)),
            },
            ProcessOp::Link => self.link(at, function, args),
            ProcessOp::Unlink => self.of_process(at, function, args, |engine, other| {
                engine.node.unlink(other);
                Term::bool(true)
            }),
            ProcessOp::Monitor => self.monitor(at, function, args),
            ProcessOp::Demonitor => self.demonitor(function, args),
            ProcessOp::Alias => self.alias(function, args),
            ProcessOp::Unalias => match &args[0] {
                Term::Handle(_, handle) if handle.kind == HandleKind::Reference => {
                    Ok(Term::bool(self.node.unalias(&args[0])))
                }
                _ => Err(badarg(function, args)),
            },
            ProcessOp::Exit => self.of_process(at, function, args, |engine, other| {
                engine.node.emit(engine.node.current, other, Signal::Exit { reason: args[1].clone() });
                Term::bool(true)
            }),
            ProcessOp::Flag => self.flag(at, function, args),
            ProcessOp::Register => self.register(at, function, args),
            ProcessOp::Unregister => match args[0].as_atom().map(|name| (self.node.unregister(name), name)) {
                Some((true, _)) => Ok(Term::bool(true)),
                Some((_, name)) if self.state.is_system_name(name) => Err(self.foreign(at, function)),
                _ => Err(badarg(function, args)),
            },
            ProcessOp::Whereis => self.whereis(function, args),
            ProcessOp::Registered => {
                let own = self.node.names().map(Term::atom);
                let names: Vec<Term> = own.chain(self.state.system_names().iter().copied().map(Term::atom)).collect();
                Ok(Term::list(names))
            }
            ProcessOp::Processes => {
                let alive = (0..self.node.processes.len()).filter(|index| self.node.is_alive(*index));
                Ok(Term::list(alive.map(|index| self.node.processes[index].pid.clone()).collect::<Vec<_>>()))
            }
            ProcessOp::IsAlive => match self.process_of(&args[0]) {
                Receiver::Process(index) => Ok(Term::bool(self.node.is_alive(index))),
                Receiver::Foreign => self
                    .state
                    .vm_call(VmCall::Stateful, function, args)
                    .map_err(|raised| Fault::of_vm(function, args, *raised)),
                _ => Err(badarg(function, args)),
            },
            ProcessOp::Info => self.info(at, function, args),
            ProcessOp::OwnLeader => self.own_leader(),
            ProcessOp::GroupLeader => self.set_leader(at, function, args),
            ProcessOp::SendAfter => self.start_timer(at, function, args, false),
            ProcessOp::StartTimer => self.start_timer(at, function, args, true),
            ProcessOp::CancelTimer => self.timer(at, function, args, true),
            ProcessOp::ReadTimer => self.timer(at, function, args, false),
            ProcessOp::Clock => self.clock(at, function, args),
            ProcessOp::Yield => Ok(Term::bool(true)),
            ProcessOp::Hibernate => Err(badarg(function, args)),
        }
    }

    fn send(&mut self, at: Cursor, function: Mfa, args: &[Term]) -> Done {
        let sent = match args.get(2) {
            None => args[1].clone(),
            Some(options) if is_send_options(options) => Term::atom_named("ok"),
            Some(_) => return Err(badarg(function, args)),
        };
        match self.receiver(&args[0]) {
            Receiver::Process(index) => self.node.send(self.node.current, index, args[1].clone()),
            Receiver::Alias => self.node.send_to_alias(&args[0], args[1].clone()),
            Receiver::Nothing => {}
            Receiver::Foreign => return Err(self.foreign(at, function)),
            // The operator stands in the trace under the function's name.
            Receiver::Unknown | Receiver::Bad => {
                return Err(badarg(Rule::Process(ProcessOp::Send).function(args.len()), args));
            }
        }
        Ok(sent)
    }

    /// An operation on the process that the first argument is.
    fn of_process(
        &mut self,
        at: Cursor,
        function: Mfa,
        args: &[Term],
        done: impl FnOnce(&mut Self, Index) -> Term,
    ) -> Done {
        match self.process_of(&args[0]) {
            Receiver::Process(index) => Ok(done(self, index)),
            Receiver::Foreign => Err(self.foreign(at, function)),
            _ => Err(badarg(function, args)),
        }
    }

    fn link(&mut self, at: Cursor, function: Mfa, args: &[Term]) -> Done {
        let other = match self.process_of(&args[0]) {
            Receiver::Process(index) => index,
            Receiver::Foreign => return Err(self.foreign(at, function)),
            _ => return Err(badarg(function, args)),
        };
        let current = self.node.current;
        if self.node.is_alive(other) {
            self.node.link(other);
            return Ok(Term::bool(true));
        }
        let noproc = Term::atom_named("noproc");
        if self.node.current().traps_exits {
            self.node.deliver(current, exit_message(args[0].clone(), &noproc));
            return Ok(Term::bool(true));
        }
        Err(Fault::of_operation(function, args, Exception::error(noproc)))
    }

    fn monitor(&mut self, at: Cursor, function: Mfa, args: &[Term]) -> Done {
        let options = match args.get(2).map(MonitorOptions::of) {
            Some(None) => return Err(badarg(function, args)),
            found => found.flatten().unwrap_or_default(),
        };
        let kind = args[0].as_atom();
        let (of, shown) = match (kind.map(|kind| kind.name()), &args[1]) {
            (Some("process"), Term::Atom(_, name)) => (self.named(*name), shown_name(*name)),
            (Some("process"), Term::Tuple(..)) => (self.receiver(&args[1]), args[1].clone()),
            (Some("process"), pid) => (self.process_of(pid), pid.clone()),
            (Some("time_offset"), what) if what.as_atom().is_some_and(|it| it.name() == "clock_service") => {
                let reference = self.state.fresh_reference();
                self.node.monitor_nothing(&reference, args[1].clone(), down());
                return Ok(reference);
            }
            (Some("port"), _) => return Err(self.foreign(at, function)),
            _ => return Err(badarg(function, args)),
        };
        let of = match of {
            Receiver::Process(index) => Some(index),
            Receiver::Nothing | Receiver::Unknown => None,
            Receiver::Foreign => return Err(self.foreign(at, function)),
            Receiver::Bad | Receiver::Alias => return Err(badarg(function, args)),
        };
        let reference = self.state.fresh_reference();
        if of == Some(self.node.current) {
            // A process that watches itself gets no message, and no alias.
            return Ok(reference);
        }
        if let Some(mode) = options.alias {
            self.node.alias(&reference, mode);
        }
        self.node.monitor(&reference, of, shown, options.tag.unwrap_or_else(down));
        Ok(reference)
    }

    fn demonitor(&mut self, function: Mfa, args: &[Term]) -> Done {
        let options = match args.get(1).map(DemonitorOptions::of) {
            Some(None) => return Err(badarg(function, args)),
            found => found.flatten().unwrap_or_default(),
        };
        if !matches!(&args[0], Term::Handle(_, handle) if handle.kind == HandleKind::Reference) {
            return Err(badarg(function, args));
        }
        let found = self.node.demonitor(&args[0]);
        if options.flush && !found {
            let flushed = self.node.flush(&args[0]);
            self.current_event().into_iter().for_each(|event| event.flushed = flushed);
        }
        Ok(Term::bool(if options.info { found } else { true }))
    }

    fn alias(&mut self, function: Mfa, args: &[Term]) -> Done {
        let options = args[0].proper_list().and_then(|options| {
            let modes = options.iter().map(alias_mode).collect::<Option<Vec<_>>>()?;
            let known = |mode: &AliasMode| matches!(mode, AliasMode::Explicit | AliasMode::Reply);
            modes.iter().all(known).then(|| modes.last().copied().unwrap_or(AliasMode::Explicit))
        });
        let Some(mode) = options else { return Err(badarg(function, args)) };
        let reference = self.state.fresh_reference();
        self.node.alias(&reference, mode);
        Ok(reference)
    }

    fn register(&mut self, at: Cursor, function: Mfa, args: &[Term]) -> Done {
        let Some(name) = args[0].as_atom().filter(|name| name.name() != "undefined") else {
            return Err(badarg(function, args));
        };
        match self.process_of(&args[1]) {
            Receiver::Process(index) if !self.state.is_system_name(name) && self.node.register(name, index) => {
                Ok(Term::bool(true))
            }
            Receiver::Foreign => Err(self.foreign(at, function)),
            _ => Err(badarg(function, args)),
        }
    }

    fn whereis(&mut self, function: Mfa, args: &[Term]) -> Done {
        let Some(name) = args[0].as_atom() else { return Err(badarg(function, args)) };
        match self.named(name) {
            Receiver::Process(index) => Ok(self.node.processes[index].pid.clone()),
            Receiver::Foreign => {
                let answer = self.state.vm_call(VmCall::Stateful, function, args);
                answer.map_err(|raised| Fault::of_vm(function, args, *raised))
            }
            _ => Ok(Term::atom_named("undefined")),
        }
    }

    /// `hibernate/3`: the stack is gone; the call is made when there is a message.
    fn hibernate(&mut self, at: Cursor, function: Mfa, args: &[Term]) -> Cursor {
        let (Some(module), Some(name), Some(list)) = (args[0].as_atom(), args[1].as_atom(), args[2].proper_list())
        else {
            let fault = badarg(function, args);
            return self.fail(at, fault);
        };
        let Ok(arity) = u8::try_from(list.len()) else {
            let fault = badarg(function, args);
            return self.fail(at, fault);
        };
        self.process = super::super::engine::Registers::of(list.into_iter(), 64);
        let start = Resume::Start(Mfa { module, function: name, arity });
        let process = self.node.current();
        process.mailbox.leave();
        if process.mailbox.peek().is_some() {
            process.status = ProcessState::Running;
            return self.take_turns(start);
        }
        self.wait(start)
    }

    /// Observes a name that carries a mark: which of those that are registered it is. Returns true if nothing else counts.
    fn observe_name(&mut self, at: Cursor, op: ProcessOp, args: &[Term]) -> bool {
        let is_lookup = matches!(op, ProcessOp::Send | ProcessOp::Whereis | ProcessOp::Unregister);
        let name = args.first().filter(|_| is_lookup || op == ProcessOp::Register).filter(|name| name.mark().is_some());
        let Some(name) = name else { return false };
        let own: Vec<Term> = self.node.names().map(Term::atom).collect();
        let system: Vec<Atom> = self.state.system_names().to_vec();
        let foreign = system.into_iter().filter(|name| self.state.is_system_name(*name)).map(Term::atom);
        let names: Vec<Term> = own.into_iter().chain(foreign).collect();
        self.watch(at).into_iter().for_each(|mut watch| watch.registered_name(name, &names));
        // A name that is registered is kept, and others than names can be written to.
        is_lookup && (op != ProcessOp::Send || name.as_atom().is_some())
    }

    /// Observes an operation whose arguments carry marks: messages and reasons flow, the rest is held to its value.
    fn observe_process_operation(&mut self, at: Cursor, op: ProcessOp, function: Mfa, window: Slot) {
        let flows = match op {
            ProcessOp::Send | ProcessOp::Exit => Some(1),
            ProcessOp::Spawn | ProcessOp::SpawnLink | ProcessOp::SpawnOpt | ProcessOp::SpawnRequest => Some(2),
            ProcessOp::SendAfter | ProcessOp::StartTimer | ProcessOp::Hibernate => Some(2),
            _ => None,
        };
        let args = at.window(window, function.arity);
        let is_timer = matches!(op, ProcessOp::SendAfter | ProcessOp::StartTimer);
        // The time of a timer has conditions of its own.
        let has_time = is_timer && self.schedule.is_some();
        let is_asked = self.observe_name(at, op, args);
        let may_lose = matches!(op, ProcessOp::Unalias | ProcessOp::Demonitor) && self.node.may_lose(&args[0]);
        let Some(mut watch) = self.watch(at) else { return };
        let is_spine = |place: usize| place == 2 && !is_timer;
        let held = args
            .iter()
            .enumerate()
            .filter(|(place, _)| *place > 0 || !has_time && !is_asked)
            .filter(|(place, arg)| Some(*place) != flows || is_spine(*place) && arg.mark().is_some());
        watch.pin_all(function, held.map(|(_, arg)| arg));
        if op == ProcessOp::Exit {
            watch.exit_signal(&args[1]);
        }
        if may_lose || op == ProcessOp::Processes {
            watch.varying(function);
        }
    }
}

fn is_send_options(options: &Term) -> bool {
    let known = |option: &Term| option.as_atom().is_some_and(|it| matches!(it.name(), "nosuspend" | "noconnect"));
    options.proper_list().is_some_and(|options| options.iter().all(known))
}
