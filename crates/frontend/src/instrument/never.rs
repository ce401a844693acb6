//! Bodies that end in an exception: nothing is emitted at their end.

use crate::flat::{Action, Body};

/// True if a body's last step raises.
pub fn never_returns(body: &Body) -> bool {
    let last = body.steps.last().map(|step| &step.action);
    matches!(last, Some(Action::Primop { op, .. }) if op.raises())
}
