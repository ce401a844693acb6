//! Explorations of what one leaves open that depends on the environment of a run: on the order of two processes or
//! references, or on the number of schedulers that are online.
//!
//! The opposite order of two is all that there is besides their order. Numbers of schedulers are one as long as they have the
//! same answers to all that was asked of them. What the VM does not confirm in an environment that is not its own stays open.

use std::ops::RangeInclusive;

use search::{Exploration, MachineSubject, Verdict};

/// The numbers of schedulers that a VM can have online.
const SCHEDULERS: RangeInclusive<i64> = 1..=1024;

/// The most numbers of schedulers that are tried.
const NUMBERS: usize = 6;

/// Explores a function in other environments, if nothing else is missing to a proof.
pub fn complete(
    first: Exploration,
    program: &mut MachineSubject<'_>,
    explore: &mut dyn FnMut(&mut MachineSubject<'_>) -> Exploration,
) -> Exploration {
    if !first.lacks_other_environments() {
        return first;
    }
    let mut left: Vec<i64> = SCHEDULERS.collect();
    let mut ignored = Vec::new();
    let mut depends_on_order = first.depends_on_order();
    for _ in 0..NUMBERS {
        if depends_on_order {
            program.turn_names(true);
            match explore(program) {
                crash if crash.verdict == Verdict::Crash => return crash,
                opposite if opposite.is_complete_here() => ignored.extend(opposite.ignored),
                _ => break,
            }
            program.turn_names(false);
        }
        left.retain(|schedulers| !program.answers_hold_for(*schedulers));
        let number = left.first().copied();
        if number.is_none() {
            break;
        }
        program.assume_schedulers(number);
        match explore(program) {
            crash if crash.verdict == Verdict::Crash => return crash,
            other if other.is_complete_here() => {
                depends_on_order = other.depends_on_order();
                ignored.extend(other.ignored);
            }
            _ => break,
        }
    }
    let is_complete = left.is_empty();
    program.turn_names(false);
    program.assume_schedulers(None);
    if is_complete { first.completed(ignored) } else { first }
}
