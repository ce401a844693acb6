//! Signals on their way: those between two processes keep their order, and each arrives at any time after it was sent.
//!
//! A message is in the mailbox when it is sent, as on one node, unless a signal of its sender has not arrived yet.

use term::Term;

use super::handles::RefKey;
use super::{Index, MessageId, Node, Object, Sent};

/// A signal on its way.
pub struct Flight {
    pub from: Index,
    pub to: Index,
    signal: Signal,
    /// The event that sent it.
    pub event: u32,
}

/// A signal from one process to another.
pub enum Signal {
    /// By `exit/2`.
    Exit {
        reason: Term,
    },
    /// The end of a linked process.
    LinkExit {
        reason: Term,
    },
    Link,
    Unlink,
    Monitor(RefKey),
    /// The end of a watched process.
    Down {
        key: RefKey,
        reason: Term,
    },
    /// A message to an alias.
    Alias {
        key: RefKey,
        message: Term,
    },
    /// A message behind other signals.
    Message {
        message: Term,
        id: MessageId,
    },
}

impl Node {
    /// Sends a message.
    pub fn send(&mut self, from: Index, to: Index, message: Term) {
        let pair = (from, to);
        let waits = self.has_flights(pair);
        let behind = self.delivered.get(&pair).copied().filter(|_| !waits);
        let id = self.note_sent(to, message.clone(), behind, waits);
        if waits {
            self.emit(from, to, Signal::Message { message, id });
        } else {
            self.put(to, message, id, behind);
        }
    }

    /// Puts a message that the event itself makes into a mailbox.
    pub fn deliver(&mut self, to: Index, message: Term) {
        let id = self.note_sent(to, message.clone(), None, false);
        self.put(to, message, id, None);
    }

    fn note_sent(&mut self, to: Index, message: Term, behind: Option<u32>, waits: bool) -> MessageId {
        let id = MessageId { event: self.event, place: self.sent.len() as u32 };
        if self.scheduled {
            self.sent.push(Sent { to: self.processes[to].number, message, behind, waits });
        }
        id
    }

    /// Sends a signal: one to the sender itself arrives at once, and so does each where no schedule says when.
    pub fn emit(&mut self, from: Index, to: Index, signal: Signal) {
        if from == to {
            return self.arrive(from, to, signal);
        }
        self.flights.push_back(Flight { from, to, signal, event: self.event });
        if self.scheduled || self.settles {
            return;
        }
        self.settles = true;
        while let Some(Flight { from, to, signal, .. }) = self.flights.pop_front() {
            self.arrive(from, to, signal);
        }
        self.settles = false;
    }

    /// True if signals between two processes are on their way.
    pub fn has_flights(&self, pair: (Index, Index)) -> bool {
        self.flights.iter().any(|flight| (flight.from, flight.to) == pair)
    }

    /// The last event in which a signal from one process to another arrived.
    pub fn last_arrival(&self, pair: (Index, Index)) -> Option<u32> {
        self.delivered.get(&pair).copied()
    }

    /// The first signal from one process to another arrives, and the messages behind it.
    pub fn next_arrives(&mut self, pair: (Index, Index)) {
        self.delivered.insert(pair, self.event);
        let mut is_first = true;
        while let Some(at) = self.flights.iter().position(|flight| (flight.from, flight.to) == pair) {
            let is_message = matches!(self.flights[at].signal, Signal::Message { .. });
            if !is_first && !is_message {
                return;
            }
            is_first = false;
            let Some(Flight { from, to, signal, .. }) = self.flights.remove(at) else { return };
            self.arrive(from, to, signal);
        }
    }

    fn arrive(&mut self, from: Index, to: Index, signal: Signal) {
        match signal {
            Signal::Exit { reason } => self.exit_signal(from, to, &reason, true),
            Signal::LinkExit { reason } => self.link_ends(from, to, &reason),
            Signal::Link => self.link_arrives(from, to),
            Signal::Unlink => {
                self.touch_link(to, from, true);
                self.touch(Object::Life(self.processes[to].number), false);
                self.processes[to].links.remove(&from);
                self.processes[to].late_links.remove(&from);
            }
            Signal::Monitor(key) => self.monitor_arrives(key, to),
            Signal::Down { key, reason } => self.down_arrives(key, &reason),
            Signal::Alias { key, message } => self.alias_arrives(key, message),
            Signal::Message { message, id } => {
                self.released.push(id);
                self.put(to, message, id, Some(self.event));
            }
        }
    }
}
