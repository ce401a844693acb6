//! Signals that arrive, and the ends of processes step by step.

use ir::ProcessOp;

use crate::forward::machine::cursor::Cursor;
use crate::forward::machine::engine::Engine;
use crate::forward::machine::node::{
    EventKind, Index, Object, ProcessState, Resume, Stopped, Visible, channel, channel_ends,
};

impl Engine<'_> {
    /// True if a process is ready, no timer of its own has to strike first, and it does not ask about another that its
    /// signals have not reached, or that ends.
    pub fn can_go_on(&self, index: Index) -> bool {
        match self.node.processes.get(index).map(|process| &process.status) {
            Some(ProcessState::Ready(resume)) => {
                let asked = self.asked(index, *resume);
                asked.is_none_or(|of| !self.node.has_flights((index, of)) && !self.node.is_ending(of))
                    && (self.program.options.any_clock || !self.node.waits_for_strike(index))
            }
            _ => false,
        }
    }

    /// The process that another asks about itself next, if that is what it does.
    pub fn asked(&self, index: Index, resume: Resume) -> Option<Index> {
        let Resume::Operation { op: Visible::Process(op), window, base, .. } = resume else { return None };
        if !matches!(op, ProcessOp::IsAlive | ProcessOp::Info) {
            return None;
        }
        let own = index == self.node.current;
        let registers = if own { &self.process } else { &self.node.processes[index].registers };
        self.node.find(registers.stack.get(base + usize::from(window))?)
    }

    /// The processes between which signals take their turns under a number.
    pub fn on_channel(&self, number: u32) -> Option<(Index, Index)> {
        let (from, to) = channel_ends(number)?;
        let pair = (self.node.by_number(from)?, self.node.by_number(to)?);
        self.node.has_flights(pair).then_some(pair)
    }

    /// The first signal from one process to another arrives, which is an event.
    pub fn signal_arrives(&mut self, pair: (Index, Index)) {
        let [from, to] = [pair.0, pair.1].map(|index| self.node.processes[index].number);
        let sent = self.node.flights.iter().find(|flight| (flight.from, flight.to) == pair).map(|flight| flight.event);
        self.add_event(channel(from, to), EventKind::Signal { from, to }, 0, sent);
        self.node.next_arrives(pair);
    }

    /// A process that a signal has stopped in a state.
    pub fn stopped(&self, index: Index, state: &ProcessState) -> Stopped {
        let (mut waited, mut behind) = (None, None);
        match state {
            ProcessState::Waiting(Resume::At { ip, base }) => waited = Some(self.patterns(index, *ip, *base)),
            ProcessState::Ready(resume) => {
                if let Some(of) = self.asked(index, *resume) {
                    let count =
                        self.node.flights.iter().filter(|flight| (flight.from, flight.to) == (index, of)).count();
                    let [from, to] = [index, of].map(|it| self.node.processes[it].number);
                    behind = (count > 0).then(|| (channel(from, to), count as u32));
                }
            }
            _ => {}
        }
        let was_ready = matches!(state, ProcessState::Ready(_) | ProcessState::Running);
        Stopped { process: self.node.processes[index].number, was_ready, waited, behind }
    }

    /// A process takes the next step of its end: it gives up its tables, then its name, and is gone then.
    pub fn end_step(&mut self) -> Cursor {
        let index = self.node.current;
        if !std::mem::replace(&mut self.node.current().is_stopped, true) {
            let number = self.node.current().number;
            self.node.touch(Object::End(number), true);
        }
        if self.node.releases_tables(index) {
            self.node.leave_tables(index);
        } else if self.node.releases_name(index) {
            self.node.release_name(index);
        } else {
            self.note_crash();
            let reason = self.node.current().exit.take().unwrap_or_default();
            self.node.end(index, &reason);
            return self.pick();
        }
        self.node.current().status = ProcessState::Ready(Resume::Exit);
        self.pick()
    }

    /// True if a process that comes to its end has something to give up before.
    pub fn releases(&self, index: Index) -> bool {
        self.node.has_tables(index) || self.node.processes[index].name.is_some()
    }
}
