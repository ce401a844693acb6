//! The calls of an exploration that the real VM repeats: tests are written from them.

use search::Case;
use term::{Call, Mfa};

use super::Explored;
use crate::Session;
use crate::confirm::is_same_ending;

/// Returns the cases of an explored function that end on the VM as they did on our machine.
pub fn confirmed_cases<'a>(session: &'a Session, explored: &'a Explored) -> impl Iterator<Item = Case> + 'a {
    explored.tests().filter(|case| is_repeated(session, explored.function, case))
}

/// True if the VM gives what our machine gave. Inputs that need their process's state, for one, may not.
fn is_repeated(session: &Session, function: Mfa, case: &Case) -> bool {
    let call = Call { module: function.module, function: function.function, args: case.stimulus.inputs.clone() };
    is_same_ending(&case.ending, &session.host().confirm(&call))
}
