//! The messages that a run has sent to itself: what a `receive` takes is then the term that was sent, not only its value.

use ir::ProcessOp;
use ops::{Fresh, Rule};
use term::{Mfa, Term};

use crate::store::{Id, Store};

/// The messages of the process of the call to itself, in the order in which they were sent.
#[derive(Default)]
pub struct SentMessages {
    /// The process, once the run has asked for it.
    own: Option<Term>,
    /// What was sent and not received: the term, and its value.
    waiting: Vec<(Id, Term)>,
}

impl SentMessages {
    /// Notes a call outside that has given a value.
    pub fn note(&mut self, store: &Store, function: Mfa, args: &[Id], given: Option<&Term>) {
        match (ops::rule(function), args, given) {
            (Rule::Fresh(Fresh::Pid), [], Some(own)) => self.own = Some(own.clone()),
            // Sending gives the message.
            (Rule::Process(ProcessOp::Send), [to, message], Some(value)) => {
                let to = store.ground(*to);
                if to.is_some() && to == self.own {
                    self.waiting.push((*message, value.clone()));
                }
            }
            _ => {}
        }
    }

    /// Takes the first message with a value, if the process has sent one to itself.
    pub fn take(&mut self, message: &Term) -> Option<Id> {
        let at = self.waiting.iter().position(|(_, value)| value == message)?;
        Some(self.waiting.remove(at).0)
    }

    /// The terms that wait.
    pub fn ids(&self) -> impl Iterator<Item = &Id> {
        self.waiting.iter().map(|(id, _)| id)
    }
}
