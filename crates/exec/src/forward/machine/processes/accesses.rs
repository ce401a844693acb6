//! The shared things that operations look at or change: what orders two events.

use ir::ProcessOp;
use ops::Rule;
use ops::policy::{Policy, policy};
use term::{Mfa, Term};

use super::receivers::{NODE, Receiver};
use crate::forward::machine::cursor::Cursor;
use crate::forward::machine::engine::Engine;
use crate::forward::machine::node::{Object, RefKey};

impl Engine<'_> {
    /// True if other processes can see what a function of the VM does for the run.
    pub fn is_seen(&mut self, at: Cursor, function: Mfa) -> bool {
        let is_state =
            matches!(policy(function, true), Policy::State) && !matches!(function.module.name(), "io" | "logger");
        self.schedule.is_some() && !self.node.is_lone() && is_state && !self.in_prelude(at)
    }

    /// Notes what a function of the VM does for the run.
    pub fn touch_state(&mut self, function: Mfa, args: &[Term]) {
        match ops::rule(function) {
            Rule::Ets(op) => self.touch_table(op, args),
            Rule::Array(op, kind) => self.touch_array(op, kind, args),
            Rule::Persistent(op) => self.touch_persistent(op, args),
            _ => self.node.touch(Object::State, true),
        }
    }

    /// Notes what an operation on processes looks at, or changes, besides messages and ends of processes.
    pub fn touch(&mut self, op: ProcessOp, args: &[Term]) {
        if !self.node.scheduled {
            return;
        }
        // Of a name that inputs decide it is asked which of all it is.
        if args.first().is_some_and(|name| name.mark().is_some() && name.as_atom().is_some()) {
            self.node.touch(Object::Names, false);
        }
        match op {
            ProcessOp::Send | ProcessOp::Whereis => self.touch_process(&args[0], false),
            ProcessOp::SendAfter | ProcessOp::StartTimer | ProcessOp::Exit => {}
            ProcessOp::IsAlive => self.touch_end(&args[0]),
            ProcessOp::Link | ProcessOp::Unlink => self.touch_link(op, &args[0]),
            ProcessOp::Monitor => self.touch_process(&args[1], false),
            ProcessOp::Info => self.touch_all(&args[0]),
            ProcessOp::Demonitor | ProcessOp::Unalias => {
                if let Some(key) = RefKey::of(&args[0]) {
                    let writes = self.node.is_in_use(key);
                    self.node.touch(Object::Alias(key), writes);
                }
            }
            ProcessOp::CancelTimer => self.touch_reference(&args[0], Object::Timer, true),
            ProcessOp::ReadTimer => self.touch_reference(&args[0], Object::Timer, false),
            ProcessOp::Flag => {
                let number = self.node.current().number;
                let traps = args[0].as_atom().is_some_and(|flag| flag.name() == "trap_exit");
                if traps {
                    self.node.touch(Object::Trap(number), true);
                }
            }
            ProcessOp::Register | ProcessOp::Unregister => {
                if let Some(name) = args[0].as_atom() {
                    self.node.touch(Object::Name(name), true);
                    self.node.touch(Object::Names, true);
                    let named = args.get(1).map_or_else(|| self.node.named(name), |pid| self.node.find(pid));
                    let number = named.map(|index| self.node.processes[index].number);
                    number.into_iter().for_each(|number| self.node.touch(Object::NameOf(number), true));
                }
                if let Some(pid) = args.get(1) {
                    self.touch_process(pid, true);
                }
            }
            ProcessOp::Registered => self.node.touch(Object::Names, false),
            ProcessOp::Processes => {
                for index in 0..self.node.processes.len() {
                    let number = self.node.processes[index].number;
                    self.node.touch(Object::Life(number), false);
                }
            }
            ProcessOp::OwnLeader => {
                let number = self.node.current().number;
                self.node.touch(Object::Leader(number), false);
            }
            ProcessOp::GroupLeader => {
                self.touch_process(&args[1], true);
                if let Receiver::Process(index) = self.process_of(&args[1]) {
                    let number = self.node.processes[index].number;
                    self.node.touch(Object::Leader(number), true);
                }
            }
            ProcessOp::Spawn | ProcessOp::SpawnLink | ProcessOp::SpawnOpt | ProcessOp::SpawnRequest => {}
            ProcessOp::AbandonRequest | ProcessOp::Alias | ProcessOp::Clock | ProcessOp::Yield => {}
            ProcessOp::Hibernate => {}
        }
    }

    /// Notes a look at everything about a process.
    fn touch_all(&mut self, pid: &Term) {
        self.touch_end(pid);
        let Some(index) = self.node.find(pid).filter(|index| self.node.is_alive(*index)) else { return };
        let number = self.node.processes[index].number;
        self.node.touch(Object::Mailbox(number), true);
        self.node.touch(Object::Relations(number), true);
        if index != self.node.current {
            self.node.touch(Object::Steps(number), true);
        }
    }

    /// Notes a look at a process that waits until its end is over, if that has begun.
    fn touch_end(&mut self, pid: &Term) {
        if let Some(index) = self.node.find(pid) {
            let number = self.node.processes[index].number;
            self.node.touch(Object::End(number), false);
        }
    }

    /// Notes what a process does to its link with another; the other must live if there is to be one.
    fn touch_link(&mut self, op: ProcessOp, to: &Term) {
        let Some(other) = self.node.find(to) else { return };
        let is_link = op == ProcessOp::Link;
        if is_link {
            self.touch_process(to, true);
        }
        let current = self.node.current;
        let changes = self.node.processes[current].links.contains(&other) != is_link;
        self.node.touch_link(current, other, changes);
    }

    /// Notes a look at the process that a term names, and with `life` at its being alive.
    pub fn touch_process(&mut self, to: &Term, life: bool) {
        let name = match to {
            Term::Atom(_, name) => Some(*name),
            Term::Tuple(..) => match to.as_tuple() {
                Some([Term::Atom(_, name), Term::Atom(_, node)]) if node.name() == NODE => Some(*name),
                _ => None,
            },
            _ => None,
        };
        if let Some(name) = name {
            self.node.touch(Object::Name(name), false);
        }
        let index = name.map_or_else(|| self.node.find(to), |name| self.node.named(name));
        if let Some(index) = index.filter(|_| life) {
            let number = self.node.processes[index].number;
            self.node.touch(Object::Life(number), false);
        }
    }

    fn touch_reference(&mut self, reference: &Term, object: fn(RefKey) -> Object, writes: bool) {
        if let Some(key) = RefKey::of(reference) {
            self.node.touch(object(key), writes);
        }
    }
}
