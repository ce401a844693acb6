//! The parts of a `receive`.

use ir::Receive;
use term::{Exception, Term};

use super::schedule::TrialResult;
use crate::forward::machine::cursor::Cursor;
use crate::forward::machine::engine::Engine;
use crate::forward::machine::fault::Fault;
use crate::forward::machine::node::{EventKind, Instant, ProcessEvent, ProcessState, Wait};

/// The longest time that a `receive` can wait, in milliseconds.
pub const LONGEST: i64 = u32::MAX as i64;

/// A part of a `receive` that is done, or the place where another process goes on.
pub enum Received {
    Value(Result<Term, Box<Fault>>),
    Elsewhere(Cursor),
}

impl Engine<'_> {
    /// Does a part of a `receive`.
    pub fn receive_part(&mut self, at: Cursor, part: Receive, args: &[Term]) -> Received {
        if self.trial.is_some() {
            return self.trial_part(at, part, args);
        }
        self.state.outside += 1;
        self.need_node();
        if self.schedule.is_some() && part == Receive::Peek && !self.node.current().receives {
            if !self.take_grant() {
                return Received::Elsewhere(self.begin_receive(at));
            }
            self.node.current().receives = true;
        }
        let mailbox = &mut self.node.current().mailbox;
        let is_up = *mailbox.wait() == Some(Wait::Up);
        let value = match part {
            Receive::Peek => match mailbox.look().filter(|_| !is_up) {
                Some(message) => Term::tuple([Term::bool(true), message.clone()]),
                None => Term::tuple([Term::bool(false), Term::nil()]),
            },
            Receive::Next => {
                mailbox.pass();
                Term::nil()
            }
            Receive::Remove => {
                let message = mailbox.take();
                self.node.current().receives = false;
                if let Some(ProcessEvent { kind: EventKind::Receive { taken, .. }, after, .. }) = self.current_event() {
                    *taken = message.map(|(id, _)| id);
                    *after = message.and_then(|(_, behind)| behind);
                }
                Term::nil()
            }
            Receive::Timeout => {
                mailbox.leave();
                Term::nil()
            }
            Receive::Wait => return self.wait_for_message(at, &args[0]),
            Receive::Marker(_) => Term::nil(),
        };
        Received::Value(Ok(value))
    }

    /// Waits until there is a message that was not looked at, or until time is up.
    fn wait_for_message(&mut self, at: Cursor, time: &Term) -> Received {
        if self.node.current().mailbox.wait().is_none() {
            self.observe_wait(at, time);
        }
        // One that only waits has not taken its turn yet.
        self.take_grant();
        let is_infinite = time.as_atom().is_some_and(|atom| atom.name() == "infinity");
        let milliseconds = time.as_i64().filter(|time| (0..=LONGEST).contains(time));
        if !is_infinite && milliseconds.is_none() {
            self.node.current().mailbox.leave();
            let exception = Exception::error(Term::atom_named("timeout_value"));
            return Received::Value(Err(Fault::here(exception)));
        }
        let unseen = self.node.current().mailbox.has_unseen();
        let wait = *self.node.current().mailbox.wait();
        let over = match (unseen, wait, milliseconds) {
            (_, Some(Wait::Up), _) => Some(true),
            (true, ..) => Some(false),
            (_, Some(Wait::Over | Wait::Due | Wait::Any(..)), _) | (_, None, Some(0)) => Some(true),
            (_, None, Some(_)) => {
                let wait = self.timed_wait(at, time);
                *self.node.current().mailbox.wait() = Some(wait);
                if matches!(wait, Wait::Any(..)) {
                    self.node.current().status = ProcessState::Ready(self.here(at));
                    return Received::Elsewhere(self.pick());
                }
                None
            }
            (_, None, None) => {
                *self.node.current().mailbox.wait() = Some(Wait::Forever);
                None
            }
            (_, Some(_), _) => None,
        };
        match over {
            Some(over) => {
                if over {
                    if matches!(wait, Some(Wait::Any(..))) {
                        self.node.note_strike();
                    }
                    self.node.current().mailbox.leave();
                    self.node.current().receives = false;
                }
                Received::Value(Ok(Term::bool(over)))
            }
            None => {
                let here = self.here(at);
                Received::Elsewhere(self.wait(here))
            }
        }
    }

    /// A wait of so many milliseconds, by the clock or up at any time.
    pub fn timed_wait(&mut self, at: Cursor, time: &Term) -> Wait {
        let milliseconds = time.as_i64().unwrap_or_default().unsigned_abs();
        let mark = self.observe_time_ahead(at, time);
        let when = Instant { milliseconds: self.node.now().milliseconds.saturating_add(milliseconds), mark };
        if self.has_any_clock() {
            let (when, number) = self.node.stamp(when);
            return Wait::Any(when, number);
        }
        Wait::Until(when)
    }

    /// Does a part of a `receive` whose patterns are tried on one message.
    fn trial_part(&mut self, at: Cursor, part: Receive, args: &[Term]) -> Received {
        if part == Receive::Wait {
            self.observe_wait(at, &args[0]);
        }
        let Some(trial) = &mut self.trial else { return Received::Elsewhere(at) };
        trial.result = Some(match part {
            Receive::Peek => {
                return Received::Value(Ok(match trial.message.take() {
                    Some(message) => Term::tuple([Term::bool(true), message]),
                    None => Term::tuple([Term::bool(false), Term::nil()]),
                }));
            }
            Receive::Remove => TrialResult::Matches,
            Receive::Wait => TrialResult::Waits(args[0].clone()),
            Receive::Next | Receive::Timeout | Receive::Marker(_) => TrialResult::Passes,
        });
        Received::Elsewhere(self.cursor(0, 0))
    }
}
