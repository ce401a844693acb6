//! Tests of the questions that are asked and of the answers that are read, without a solver.

use constraint::{Arena, Condition, Grammar, Op, RuleId, Shape, Test, Type};
use term::Term;

use crate::{Claim, Recheck, nearby, question, recheck};

/// An integer, or a pair of anything.
fn grammar() -> (Grammar, Vec<RuleId>) {
    let mut grammar = Grammar::default();
    let any = grammar.intern(vec![Shape::Any]);
    let shapes = vec![Shape::Integer { low: Some((-5).into()), high: None }, Shape::Tuple(vec![any, any])];
    let rule = grammar.intern(shapes);
    (grammar, vec![rule])
}

fn ask(arena: &Arena, test: Test, near: &Term, answers: &[&str], wanted: &Term) -> (Recheck, Vec<String>) {
    let (grammar, inputs) = grammar();
    let conditions = [Condition { test, holds: true }];
    let near = std::slice::from_ref(near);
    let claim = Claim { arena, grammar: &grammar, inputs: &inputs, conditions: &conditions, near };
    let (mut heard, mut left) = (Vec::new(), answers.iter());
    let mut solver = |script: &str| {
        heard.push(script.to_owned());
        left.next().map(|answer| (*answer).to_owned())
    };
    let answer = recheck(claim, 7, &mut solver, &|inputs: &[Term]| inputs == std::slice::from_ref(wanted));
    (answer, heard)
}

#[test]
fn conditions_are_asked_about_as_they_were_posed() {
    let mut arena = Arena::new();
    let (x, zero, nine) = (arena.input(0), arena.integer(0), arena.integer(9));
    let sum = arena.apply(Op::Add, &[x, zero]);
    assert_eq!(sum, x, "it is simplified");
    let (answer, heard) = ask(&arena, Test::Same(sum, nine), &Term::int(1), &["unsat\n"], &Term::nil());
    assert_eq!(answer, Recheck::Confirmed);
    assert!(heard[0].contains("(mkint (+ (iv in0) (iv v1)))"), "{}", heard[0]);
    assert!(heard[0].contains("(and (isint in0) (<= (- 5) (iv in0)))"), "{}", heard[0]);
    assert!(heard[0].ends_with("(check-sat)\n") && heard[0].contains("(set-option :rlimit 7)"));
}

#[test]
fn a_model_refutes_only_if_it_meets_the_conditions() {
    let mut arena = Arena::new();
    let x = arena.input(0);
    let test = Test::Type(x, Type::Tuple);
    let other = Term::read("{-3,[0.25]}").expect("a term");
    let model =
        "((in0 (mktup (mkcons (mkint (- 3)) (mkcons (mkcons (mkflt (/ 1.0 2.0)) mknil) mknil))))\n (mknil mknil))";
    let proper = Term::read("{-3,[0.5]}").expect("a term");
    let answer = |wanted| ask(&arena, test, &Term::int(1), &["sat\n", model], wanted).0;
    assert_eq!(answer(&proper), Recheck::Refuted(vec![proper.clone()]));
    assert_eq!(answer(&other), Recheck::Undecided);
}

#[test]
fn what_is_no_answer_decides_nothing() {
    let mut arena = Arena::new();
    let x = arena.input(0);
    let test = Test::Type(x, Type::Tuple);
    let answers: [&[&str]; 6] =
        [&[], &["unknown"], &["timeout"], &["(error \"x\")\nunsat"], &["sat"], &["sat", "((in0 (mkint"]];
    for answers in answers {
        assert_eq!(ask(&arena, test, &Term::int(1), answers, &Term::int(1)).0, Recheck::Undecided, "{answers:?}");
    }
}

#[test]
fn inputs_nearby_need_no_solver() {
    let mut arena = Arena::new();
    let (x, wanted) = (arena.input(0), arena.literal(Term::int(70)));
    let (grammar, inputs) = grammar();
    let conditions = [Condition { test: Test::Less(wanted, x), holds: true }];
    let near = [Term::int(3)];
    let claim = Claim { arena: &arena, grammar: &grammar, inputs: &inputs, conditions: &conditions, near: &near };
    let is_met = |inputs: &[Term]| inputs[0].as_i64().is_some_and(|value| value > 70);
    assert_eq!(nearby(claim, 100, &is_met), Some(vec![Term::int(71)]));
    assert_eq!(nearby(claim, 0, &is_met), None);
    assert!(question(claim, 1).contains("(less v1 in0)"));
}
