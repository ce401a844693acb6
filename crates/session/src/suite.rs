//! The calls of an exploration that the real VM repeats: what tests are written from.

use exec::forward::Ending;
use host::CallResult;
use search::Case;
use term::{Call, Mfa, Outcome};

use crate::Explored;
use crate::alike::{is_alike, is_same_exception};
use crate::session::Shared;

/// Returns the cases of an explored function that end on the VM as they did on our machine.
pub fn agreed<'a>(outside: &'a Shared, explored: &'a Explored) -> impl Iterator<Item = Case> + 'a {
    explored.tests().filter(|case| agrees(outside, explored.function, case))
}

/// True if the VM gives what our machine gave. Inputs that need their process's state, for one, may not.
fn agrees(outside: &Shared, function: Mfa, case: &Case) -> bool {
    let call = Call { module: function.module, function: function.function, args: case.stimulus.inputs.clone() };
    match (outside.borrow_mut().host.confirm(&call), &case.ending) {
        (CallResult::Ended(Outcome::Value(got)), Ending::Value(value)) => is_alike(&got, value),
        (CallResult::Ended(Outcome::Raised(got)), Ending::Raised(raised)) => is_same_exception(&got, raised),
        _ => false,
    }
}
