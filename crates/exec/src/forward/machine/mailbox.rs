//! The messages of a run that is replayed: those that it sent to itself, which are known with the expressions of their
//! parts, and the one that a `receive` selected, which the run recorded.

use term::Term;

/// The messages of the process, as far as the replayed run shows them.
#[derive(Default)]
pub struct Mailbox {
    /// The process itself, once the run has asked for it.
    own: Option<Term>,
    /// The messages that it sent to itself and has not received.
    queue: Vec<Term>,
    /// The number of these that the current `receive` has passed over.
    passed: usize,
    shown: Shown,
}

/// The message that the program looks at.
#[derive(Default, Clone, Copy, PartialEq, Eq)]
enum Shown {
    #[default]
    Nothing,
    /// One that was not selected.
    Other,
    /// The one that was selected, and whether the process had sent it to itself.
    Selected { own: bool },
}

impl Mailbox {
    /// The messages that the process sent to itself and has not received.
    pub fn messages(&self) -> &[Term] {
        &self.queue
    }

    /// The process has asked who it is.
    pub fn is_known_as(&mut self, own: &Term) {
        self.own = Some(own.clone());
    }

    /// Sends a message; true if the process sends it to itself.
    pub fn sent(&mut self, to: &Term, message: &Term) -> bool {
        let to_itself = self.own.as_ref() == Some(to);
        if to_itself {
            self.queue.push(message.clone());
        }
        to_itself
    }

    /// The next message to look at, if the `receive` came to select this one, or none.
    pub fn next(&mut self, selected: Option<&Term>) -> Option<Term> {
        let (shown, message) = match (self.queue.get(self.passed), selected) {
            (Some(own), Some(selected)) if own == selected => (Shown::Selected { own: true }, Some(own.clone())),
            (Some(own), _) => (Shown::Other, Some(own.clone())),
            (None, Some(selected)) => (Shown::Selected { own: false }, Some(selected.clone())),
            (None, None) => (Shown::Nothing, None),
        };
        self.shown = shown;
        message
    }

    /// The program passes over a message; whether the run did.
    pub fn pass(&mut self) -> bool {
        self.passed += 1;
        self.shown == Shown::Other
    }

    /// The program takes a message; whether the run did.
    pub fn take(&mut self) -> bool {
        if self.shown == (Shown::Selected { own: true }) && self.passed < self.queue.len() {
            self.queue.remove(self.passed);
        }
        self.passed = 0;
        matches!(self.shown, Shown::Selected { .. })
    }

    /// The program goes on without a message.
    pub fn leave(&mut self) {
        self.passed = 0;
    }
}
