//! Texts that are read, and those that are not.

use term::Term;

use super::{Fault, Text};
use crate::Evaluator;

fn is_met(text: &str, inputs: &[Term]) -> bool {
    let text = Text::read(text).unwrap();
    text.alternatives.iter().any(|conditions| {
        let mut evaluator = Evaluator::new(&text.arena, inputs);
        conditions.iter().all(|condition| evaluator.holds(condition) == Ok(true))
    })
}

fn fault(text: &str) -> (usize, usize, String) {
    let Fault { line, column, message } = Text::read(text).err().expect("a fault");
    (line, column, message)
}

#[test]
fn operators_bind_as_in_erlang() {
    let int = |value| [Term::int(value)];
    assert!(is_met("x: integer\nx == 1 + 2 * 3 bsl 1", &int(14)));
    assert!(is_met("x: integer\nx == 7 - 2 - 1 and x div 3 == 1", &int(4)));
    assert!(is_met("x: integer\nx band 12 bor 1 == 5", &int(6)));
    assert!(is_met("x: integer\n-x rem 3 == -1", &int(4)));
    assert!(is_met("x: integer in 0..16#ff\nnot (x > 3 or x < 2)", &int(3)));
    assert!(!is_met("x: integer\nx =:= 1.0", &int(1)));
    assert!(is_met("x: integer\nx == 1.0", &int(1)));
}

#[test]
fn floats_and_functions() {
    let float = |value| [Term::float(value)];
    assert!(is_met("x: float in -2..2\nsin(x) = 0.0 % at zero", &float(0.0)));
    assert!(!is_met("x: float in -2..2\nx == x", &float(3.0)));
    assert!(is_met("x: float\nmath:sqrt(x) + 1 =< 3; x > 2", &float(4.0)));
    assert!(is_met("x: float\nx^2 == 9 and floor(x) == -3 and math:floor(x) =:= -3.0", &float(-3.0)));
    assert!(is_met("x: float\nabs(x - pi) < 1.0e-3 and trunc(x) =:= 3", &float(3.1411)));
    // A condition that raises holds for no values, negated or not.
    assert!(!is_met("x: float\nlog(x) < 1", &float(-1.0)));
    assert!(!is_met("x: float\nnot log(x) < 1", &float(-1.0)));
}

#[test]
fn lines_go_on_inside_brackets() {
    assert!(is_met("x, y: integer\n(x == 1\n or y == 2)\n\n# nothing\nx < y", &[Term::int(1), Term::int(5)]));
}

#[test]
fn faults_have_a_place() {
    assert_eq!(fault("x: float\nx + y > 1").0, 2);
    assert_eq!(fault("x: float\nx + y > 1").1, 5);
    assert!(fault("x: float\nx + y > 1").2.contains("y is not declared"));
    assert_eq!(fault("x: integer\nx div 2.0 == 1"), (2, 3, "div takes integers, not floats".into()));
    assert_eq!(fault("x: string").1, 4);
    assert_eq!(fault("x: integer in 3..1").2, "the range is empty");
    assert_eq!(fault("x: integer\nx: float").0, 2);
    assert_eq!(fault("x: float\n(x + 1 < 2").2, "a bracket is not closed");
    assert_eq!(fault("x: float\nx + 1"), (2, 1, "this is a number; a constraint compares two".into()));
    assert_eq!(fault("x: float\nsin(x, x) > 1").2, "sin takes 1 arguments, not 2");
    assert_eq!(fault("x: float\nx < 1 2").1, 7);
    assert_eq!(fault("x: float\nx < ").1, 5);
    assert_eq!(fault("x: float\nx < 1e999").2, "1e999 is too large for a float");
    assert_eq!(fault("x: float\nx @ 1 < 2").1, 3);
    assert_eq!(
        fault(&format!("x: float\n{}x{} < 1", "(".repeat(5000), ")".repeat(5000))).2,
        "this is nested too deeply"
    );
    let many = "x: integer\n".to_owned() + &"(x == 1 or x == 2)\n".repeat(20);
    assert!(fault(&many).2.contains("more than"));
}
