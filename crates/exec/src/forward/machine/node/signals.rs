//! Links and exit signals.

use term::{Atom, Term};

use super::{Ended, Index, Node, Object, ProcessState, ROOT};

impl Node {
    /// Links two processes.
    pub fn link(&mut self, a: Index, b: Index) {
        if a != b {
            self.processes[a].links.insert(b);
            self.processes[b].links.insert(a);
        }
    }

    /// Ends the link between two processes.
    pub fn unlink(&mut self, a: Index, b: Index) {
        self.processes[a].links.remove(&b);
        self.processes[b].links.remove(&a);
    }

    /// Sends an exit signal from the process that runs, as `exit/2` does.
    pub fn send_exit(&mut self, to: Index, reason: &Term) {
        let from = self.current;
        if self.is_alive(to) {
            self.exit_signal(from, to, reason);
        }
    }

    fn exit_signal(&mut self, from: Index, to: Index, reason: &Term) {
        let is = |name: &str| reason.as_atom().is_some_and(|atom| atom.name() == name);
        if is("kill") {
            return self.end(to, &Term::atom_named("killed"));
        }
        if self.processes[to].traps_exits {
            let message = exit_message(self.processes[from].pid.clone(), reason);
            return self.deliver(to, message);
        }
        // A process that sends itself the reason of a good end means it.
        if !is("normal") || from == to {
            self.end(to, reason);
        }
    }

    /// Ends a process; signals go to those that are linked to it or watch it.
    pub fn end(&mut self, index: Index, reason: &Term) {
        let mut ending = vec![(index, reason.clone())];
        while let Some((index, reason)) = ending.pop() {
            if !self.is_alive(index) {
                continue;
            }
            self.end_one(index, &reason, &mut ending);
        }
    }

    fn end_one(&mut self, index: Index, reason: &Term, also: &mut Vec<(Index, Term)>) {
        let process = &mut self.processes[index];
        let was_ready = matches!(process.status, ProcessState::Ready(_) | ProcessState::Running);
        process.status = ProcessState::Gone;
        process.mailbox = super::Inbox::default();
        let (number, links, name) = (process.number, std::mem::take(&mut process.links), process.name.take());
        if index != self.current {
            process.registers = crate::forward::machine::engine::Registers::default();
            process.dictionary = ops::Dictionary::default();
        }
        if let Some(name) = name {
            self.names.remove(&name);
            self.touch(Object::Name(name), true);
            self.touch(Object::Names, true);
        }
        self.ended.push(Ended { index, reason: reason.clone(), was_ready });
        self.touch(Object::Life(number), true);
        self.touch(Object::Steps(number), true);
        self.timers.forget(index);
        self.leave_tables(index);
        for peer in links {
            self.processes[peer].links.remove(&index);
            if !self.is_alive(peer) {
                continue;
            }
            let peers_number = self.processes[peer].number;
            self.touch(Object::Trap(peers_number), false);
            if self.processes[peer].traps_exits {
                let message = exit_message(self.processes[index].pid.clone(), reason);
                self.deliver(peer, message);
            } else if reason.as_atom() != Some(Atom::new("normal")) {
                also.push((peer, reason.clone()));
            }
        }
        self.end_monitors(index, reason);
    }

    /// True if the run's own process has been ended by a signal.
    pub fn is_root_gone(&self) -> bool {
        self.processes.get(ROOT).is_some_and(|root| matches!(root.status, ProcessState::Gone))
    }
}

/// The message that a process gets which traps exits.
pub fn exit_message(from: Term, reason: &Term) -> Term {
    Term::tuple([Term::atom(Atom::new("EXIT")), from, reason.clone()])
}
