//! Endless loops on the real VM: the call is made, and must take more reductions than any that ends in its place.

use exec::forward::{EndlessLoop, LoopProgress};
use host::CallResult;
use search::Confirmation;
use term::{Call, Mfa, Term};

use super::{Replay, unlike};

/// Reductions that the call must take: so many, and so many for each step of our machine.
const REDUCTIONS: u64 = 1_000_000;
const FACTOR: u64 = 1_000;

/// The time that it may take, in milliseconds.
const MILLIS: u64 = 4_000;

/// The text of a loop that the VM has shown.
const SHOWN: &str = "** the call does not end on the VM either";

impl Replay {
    /// Makes a call that has no end, and sees whether it is still in the loop after many reductions.
    pub(super) fn endless(&mut self, inputs: &[Term], endless: &EndlessLoop) -> Confirmation {
        let Mfa { module, function, .. } = self.function;
        let call = Call { module, function, args: inputs.to_vec() };
        let reductions = REDUCTIONS.max(endless.steps.saturating_mul(FACTOR));
        let answer = self.session.host().confirm_within(&call, MILLIS, reductions);
        let same = Confirmation::Same { text: SHOWN.to_owned() };
        match answer.signal_raised() {
            CallResult::OutOfReductions(stack) if stack.iter().any(|function| is_in(endless, *function)) => same,
            CallResult::OutOfReductions(stack) => {
                let got =
                    stack.first().map_or_else(|| "no stack".to_owned(), |function| format!("a loop in {function}"));
                Confirmation::Different { got }
            }
            // What waits for its value, and what grows, fills the memory.
            CallResult::OutOfMemory if endless.progress != LoopProgress::Recurs => same,
            other => unlike(other, inputs),
        }
    }
}

/// True if a function is part of a loop, or waits for it. The arity of a fun counts what it captures in one way or another;
/// operations that our machine has in Erlang have other names on the VM.
fn is_in(endless: &EndlessLoop, function: Mfa) -> bool {
    endless.calls.iter().any(|call| {
        let own = call.at.function;
        let is_same = own.module == function.module && own.function == function.function;
        is_same || ops::prelude::is_prelude(own.module)
    })
}
