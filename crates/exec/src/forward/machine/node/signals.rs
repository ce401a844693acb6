//! Links, exit signals and the ends of processes.

use term::{Atom, Term};

use super::flights::Signal;
use super::{Ended, Index, Node, Object, ProcessState, ROOT, Resume};

impl Node {
    /// Links a process to one that it has just started.
    pub fn link_child(&mut self, parent: Index, child: Index) {
        self.processes[parent].links.insert(child);
        self.processes[child].links.insert(parent);
    }

    /// Links the process that runs to another.
    pub fn link(&mut self, to: Index) {
        let current = self.current;
        if current != to && self.current().links.insert(to) {
            self.emit(current, to, Signal::Link);
        }
    }

    /// Ends the link between the process that runs and another: signals of the link that arrive later mean nothing.
    pub fn unlink(&mut self, other: Index) {
        let current = self.current;
        if self.current().links.remove(&other) {
            self.emit(current, other, Signal::Unlink);
        }
    }

    pub(super) fn link_arrives(&mut self, from: Index, to: Index) {
        self.touch_life(to);
        self.touch_link(to, from, true);
        if !self.is_alive(to) {
            self.emit(to, from, Signal::LinkExit { reason: Term::atom_named("noproc") });
        } else if self.is_stopped(to) {
            self.processes[to].late_links.insert(from);
        } else {
            self.processes[to].links.insert(from);
        }
    }

    /// Notes a look at whether a process lives, and whether its end has begun.
    pub(super) fn touch_life(&mut self, of: Index) {
        let number = self.processes[of].number;
        self.touch(Object::Life(number), false);
        self.touch(Object::End(number), false);
    }

    pub(super) fn link_ends(&mut self, from: Index, to: Index, reason: &Term) {
        let is_linked = self.processes[to].links.remove(&from);
        self.touch_link(to, from, is_linked);
        if is_linked {
            self.processes[to].ended_links.insert(from);
            self.exit_signal(from, to, reason, false);
        }
    }

    /// Notes a look at, or a change of, the link that a process has to another.
    pub fn touch_link(&mut self, of: Index, to: Index, writes: bool) {
        let (of, to) = (self.processes[of].number, self.processes[to].number);
        self.touch(Object::Link(of, to), writes);
        self.touch(Object::Relations(of), false);
    }

    /// An exit signal arrives; only one of `exit/2` can kill.
    pub(super) fn exit_signal(&mut self, from: Index, to: Index, reason: &Term, is_sent: bool) {
        let is = |name: &str| reason.as_atom().is_some_and(|atom| atom.name() == name);
        if is_sent && is("kill") {
            return self.stop(to, &Term::atom_named("killed"));
        }
        self.touch(Object::Trap(self.processes[to].number), false);
        if self.processes[to].traps_exits {
            let message = exit_message(self.processes[from].pid.clone(), reason);
            return self.deliver(to, message);
        }
        // A process that sends itself the reason of a good end means it.
        if !is("normal") || from == to {
            self.stop(to, reason);
        }
    }

    /// A signal stops a process, which has its end to come yet where a schedule says when.
    fn stop(&mut self, index: Index, reason: &Term) {
        let number = self.processes[index].number;
        if self.is_stopped(index) {
            return self.touch(Object::End(number), false);
        }
        self.touch(Object::End(number), true);
        self.touch(Object::Steps(number), true);
        if !self.scheduled {
            return self.end(index, reason);
        }
        let process = &mut self.processes[index];
        (process.exit, process.crash) = (Some(reason.clone()), None);
        process.stopped_by = Some(self.event);
        process.is_stopped = true;
        let before = std::mem::replace(&mut process.status, ProcessState::Ready(Resume::Exit));
        process.mailbox = super::Inbox::default();
        self.stopped.push((index, before));
        self.turns.becomes_ready(index);
    }

    /// True if the end of a process has begun and is not over.
    pub fn is_ending(&self, index: Index) -> bool {
        self.processes[index].is_stopped && self.is_alive(index)
    }

    /// True if a process makes no more steps but those of its end.
    pub fn is_stopped(&self, index: Index) -> bool {
        self.processes[index].is_stopped || !self.is_alive(index)
    }

    /// True if a process that comes to its end has a name.
    pub fn releases_name(&mut self, index: Index) -> bool {
        self.touch(Object::NameOf(self.processes[index].number), false);
        self.processes[index].name.is_some()
    }

    /// The name of a process that comes to its end is free again.
    pub fn release_name(&mut self, index: Index) {
        if let Some(name) = self.processes[index].name.take() {
            self.names.remove(&name);
            self.touch(Object::Name(name), true);
            self.touch(Object::Names, true);
        }
    }

    /// Ends a process; signals go to those that are linked to it or watch it.
    pub fn end(&mut self, index: Index, reason: &Term) {
        self.leave_tables(index);
        self.release_name(index);
        let process = &mut self.processes[index];
        process.status = ProcessState::Gone;
        process.ended_at = Some(self.event);
        process.mailbox = super::Inbox::default();
        // Links stay, and those to the dead get their signals: had they come before, they would have counted.
        let number = process.number;
        let links: Vec<Index> = process.links.union(&process.ended_links).copied().collect();
        if index != self.current {
            process.registers = crate::forward::machine::engine::Registers::default();
            process.dictionary = ops::Dictionary::default();
        }
        self.ended.push(Ended { index, reason: reason.clone() });
        self.touch(Object::Life(number), true);
        self.timers.forget(index).into_iter().for_each(|key| self.touch(Object::Timer(key), true));
        for peer in links {
            self.emit(index, peer, Signal::LinkExit { reason: reason.clone() });
        }
        self.end_monitors(index, reason);
        let noproc = Term::atom_named("noproc");
        for peer in std::mem::take(&mut self.processes[index].late_links) {
            self.emit(index, peer, Signal::LinkExit { reason: noproc.clone() });
        }
        for key in std::mem::take(&mut self.processes[index].late_monitors) {
            self.emit_down(index, key, &noproc);
        }
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
