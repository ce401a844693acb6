//! Endless loops in words.

use exec::forward::{ArgumentChange, ChangeDirection, EndlessLoop, LoopCall, LoopProgress, Place};
use term::{Call, Notation};

/// Characters of a call that are shown.
const SHOWN: usize = 120;

/// A loop in a phrase; `at` is its head.
pub(crate) fn loop_phrase(notation: Notation<'_>, endless: &EndlessLoop, at: Option<&Place>) -> String {
    let head = endless.calls.iter().find(|call| Some(&call.at) == at).or_else(|| endless.calls.first());
    let name = head.map_or_else(|| "a call".to_owned(), |call| shown(notation, call));
    match &endless.progress {
        LoopProgress::Recurs => format!("{name} leads to the same call in the same state"),
        LoopProgress::Nests => format!("{name} waits for the same call in the same state"),
        LoopProgress::Grows(changes) => format!("no end is in sight, {}", changed(changes)),
    }
}

/// The standing of a loop in a sentence.
pub(crate) fn loop_standing(endless: &EndlessLoop) -> String {
    match &endless.progress {
        LoopProgress::Recurs => "certain: the same state recurs".to_owned(),
        LoopProgress::Nests => "certain: the same state recurs, and the stack grows".to_owned(),
        LoopProgress::Grows(_) => {
            format!("not proved: solvers find no way out of the loop; {}", growth(&endless.progress))
        }
    }
}

/// The parts of a loop that grow; empty if the state recurs.
fn growth(progress: &LoopProgress) -> String {
    match progress {
        LoopProgress::Grows(changes) => {
            let numbers: Vec<String> = changes.iter().map(|change| format!("argument {}", change.number)).collect();
            match &numbers[..] {
                [] => "grows: the stack".to_owned(),
                numbers => format!("grows: {}", numbers.join(", ")),
            }
        }
        LoopProgress::Recurs | LoopProgress::Nests => String::new(),
    }
}

/// The call of a loop's head; only its name where the arguments are long or not known.
fn shown(notation: Notation<'_>, call: &LoopCall) -> String {
    let function = call.at.function;
    let text = notation.call(&Call { module: function.module, function: function.function, args: call.args.clone() });
    let is_known = call.args.len() == usize::from(function.arity);
    if is_known && text.chars().count() <= SHOWN { text } else { notation.function(function) }
}

fn changed(changes: &[ArgumentChange]) -> String {
    let word = |change: &ArgumentChange| {
        let verb = match change.direction {
            ChangeDirection::Rises => "rises",
            ChangeDirection::Falls => "falls",
            ChangeDirection::Grows => "grows",
            ChangeDirection::Changes => "changes",
        };
        format!("argument {} {verb}", change.number)
    };
    match changes {
        [] => "the stack grows".to_owned(),
        changes => changes.iter().map(word).collect::<Vec<_>>().join(", "),
    }
}
