//! The messages of a process, with the place up to which a `receive` has looked at them.

use std::collections::VecDeque;

use term::Term;

use super::events::MessageId;
use super::timers::Instant;

/// Messages in the order of their arrival.
#[derive(Default)]
pub struct Inbox {
    messages: VecDeque<Message>,
    /// The number of messages that patterns were tried on, where a schedule decides who goes on.
    pub tried: usize,
    /// The number of messages that the current `receive` has passed over.
    passed: usize,
    /// True if it looks at messages: one that only waits does not.
    looks: bool,
    wait: Option<Wait>,
}

/// A message in a mailbox.
struct Message {
    term: Term,
    id: MessageId,
    /// The event in which the last signal before it came.
    behind: Option<u32>,
}

/// The end of a wait.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wait {
    /// Only a message ends it.
    Forever,
    /// A time of the clock.
    Until(Instant),
    /// There is no time: messages are looked at once.
    Over,
    /// Time was up: messages that have come since are not looked at.
    Up,
    /// Its time has come, where a schedule says what happens first then: messages are looked at once.
    Due,
    /// Time can be up at any time; by the clock at this one, where the number orders equal ones. Messages are looked at once, whenever that is.
    Any(u64, u64),
}

impl Wait {
    /// True if messages are looked at once.
    pub fn is_over(self) -> bool {
        matches!(self, Wait::Over | Wait::Due | Wait::Any(..))
    }
}

impl Inbox {
    /// Adds a message.
    pub fn put(&mut self, term: Term, id: MessageId, behind: Option<u32>) {
        self.messages.push_back(Message { term, id, behind });
    }

    /// The message that the current `receive` is to look at, if it does.
    pub fn look(&mut self) -> Option<&Term> {
        self.looks = true;
        self.peek()
    }

    /// True if there are messages that it has not looked at, and would.
    pub fn has_unseen(&self) -> bool {
        self.looks && self.peek().is_some()
    }

    /// The message that was not passed over.
    pub fn peek(&self) -> Option<&Term> {
        self.messages.get(self.passed).map(|message| &message.term)
    }

    /// The message at a place.
    pub fn get(&self, place: usize) -> Option<&Term> {
        self.messages.get(place).map(|message| &message.term)
    }

    /// Passes over it.
    pub fn pass(&mut self) {
        self.passed += 1;
    }

    /// Takes it out, which ends the `receive`; gives the event in which the last signal before it came, too.
    pub fn take(&mut self) -> Option<(MessageId, Option<u32>)> {
        let taken = self.messages.remove(self.passed);
        self.leave();
        taken.map(|message| (message.id, message.behind))
    }

    /// Ends a `receive`.
    pub fn leave(&mut self) {
        self.passed = 0;
        self.tried = 0;
        self.looks = false;
        self.wait = None;
    }

    /// The wait of the current `receive`, if it has come to wait.
    pub fn wait(&mut self) -> &mut Option<Wait> {
        &mut self.wait
    }

    /// The time of the clock and the number of the current wait, if its time can be up at any time.
    pub fn free_wait(&self) -> Option<(u64, u64)> {
        match self.wait {
            Some(Wait::Any(when, count)) => Some((when, count)),
            _ => None,
        }
    }

    /// The time of the clock at which the current wait ends.
    pub fn until(&self) -> Option<Instant> {
        match self.wait {
            Some(Wait::Until(when)) => Some(when),
            _ => None,
        }
    }

    /// True if the time of the current wait has come, and a schedule says what happens first then.
    pub fn is_due(&self) -> bool {
        self.wait == Some(Wait::Due)
    }

    /// All messages, in order.
    pub fn messages(&self) -> impl ExactSizeIterator<Item = &Term> {
        self.messages.iter().map(|message| &message.term)
    }

    /// The identities of all messages, in order.
    pub fn ids(&self) -> impl Iterator<Item = MessageId> {
        self.messages.iter().map(|message| message.id)
    }

    /// Removes the first message that is wanted, wherever the `receive` is.
    pub fn remove_first(&mut self, wanted: impl Fn(&Term) -> bool) -> Option<MessageId> {
        let at = self.messages.iter().position(|message| wanted(&message.term))?;
        self.passed -= usize::from(at < self.passed);
        self.tried -= usize::from(at < self.tried);
        self.messages.remove(at).map(|message| message.id)
    }
}
