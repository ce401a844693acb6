//! The calls of an exploration that the real VM repeats: tests are written from them.

use search::TestCase;
use term::{Call, Mfa};

use crate::Session;
use crate::confirm::is_same_ending;
use crate::job::JobResult;

/// Returns the cases of a job that end on the VM as they did on our machine.
pub fn confirmed_cases<'a>(session: &'a Session, result: &'a JobResult) -> impl Iterator<Item = TestCase> + 'a {
    result.tests().filter(|case| is_repeated(session, result.driver.unwrap_or(result.function), case))
}

/// True if the VM gives what our machine gave. Inputs that need their process's state, for one, may not.
fn is_repeated(session: &Session, function: Mfa, case: &TestCase) -> bool {
    let call = Call { module: function.module, function: function.function, args: case.stimulus.inputs.clone() };
    is_same_ending(&case.ending, &session.host().confirm(&call))
}
