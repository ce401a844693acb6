//! Bodies that end in an exception: nothing is emitted at their end.

use crate::flat::{Action, Body};

/// True if a body's last step raises.
pub fn never_returns(body: &Body) -> bool {
    let Some(Action::Primop { name, .. }) = body.steps.last().map(|step| &step.action) else { return false };
    matches!(name.name(), "match_fail" | "raise" | "raw_raise")
}
