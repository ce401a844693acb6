//! The second opinion on unsat answers: its encoding against the evaluator, and the answers of the solvers against it.

mod answers;
mod audit;
#[path = "../exhaustive/finite/mod.rs"]
#[allow(dead_code, reason = "the inputs are not enumerated here")]
mod finite;
mod terms;

use std::time::Duration;

use constraint::{Condition, Evaluator, Grammar, Shape, Test, Type};
use fastrand::Rng;
use recheck::{Claim, Recheck, recheck};
use session::z3::Z3;
use solve::Smt;
use term::Term;
use terms::Expressions;

const RLIMIT: u64 = 300_000;

fn z3() -> Z3 {
    Z3::new("z3", Duration::from_secs(10))
}

const TYPES: [Type; 17] = [
    Type::Atom,
    Type::Boolean,
    Type::Integer,
    Type::Float,
    Type::Number,
    Type::List,
    Type::ProperList,
    Type::Text,
    Type::LongText(2),
    Type::Tuple,
    Type::Map,
    Type::Binary,
    Type::Bitstring,
    Type::Function,
    Type::Pid,
    Type::Port,
    Type::Reference,
];

fn test(random: &mut Rng, all: &mut Expressions) -> Test {
    let (x, y) = (all.any(random), all.any(random));
    match random.u32(..11) {
        0 => Test::Cons(x),
        1 => Test::Tuple(x, random.u32(..4)),
        2 | 3 => Test::Type(x, TYPES[random.usize(..TYPES.len())]),
        4 => Test::Arity(x, random.u8(..3)),
        5 => Test::HasKey(x, y),
        6 | 7 => Test::Same(x, y),
        8 => Test::Equal(x, y),
        9 => Test::Less(x, y),
        _ if all.undefined.is_empty() => Test::Defined(x),
        _ => Test::Defined(all.undefined[random.usize(..all.undefined.len())]),
    }
}

/// Conditions that the inputs meet, as the evaluator has it.
fn conditions(random: &mut Rng, all: &mut Expressions, count: usize) -> Vec<Condition> {
    let mut met = Vec::new();
    for _ in 0..20 * count {
        let condition = Condition { test: test(random, all), holds: true };
        match Evaluator::new(&all.arena, &all.inputs).of_originals().holds(&condition) {
            Ok(true) => met.push(condition),
            Ok(false) => met.push(condition.negated()),
            Err(_) => {}
        }
        if met.len() == count {
            break;
        }
    }
    met
}

/// The inputs are held to their values; then nothing that they meet is unsat, and most of what they do not meet is.
#[test]
fn the_encoding_agrees_with_the_evaluator() {
    let mut random = Rng::with_seed(seed());
    let mut z3 = z3();
    let mut grammar = Grammar::default();
    let any = grammar.intern(vec![Shape::Any]);
    let (mut met, mut unmet, mut refused) = (0, 0, 0);
    for round in 0..rounds(100) {
        let mut all = Expressions::new(&mut random, 3, 6);
        let mut path = conditions(&mut random, &mut all, 4);
        for (at, value) in all.inputs.clone().into_iter().enumerate() {
            let (input, value) = (all.arena.input(at as u32), all.arena.literal(value));
            path.insert(0, Condition { test: Test::Same(input, value), holds: true });
        }
        let negated = path.last().expect("conditions").negated();
        let mut ask = |conditions: &[Condition]| {
            let inputs = vec![any; all.inputs.len()];
            let claim = Claim { arena: &all.arena, grammar: &grammar, inputs: &inputs, conditions, near: &all.inputs };
            let mut print = None;
            let mut exchange = |script: &str| {
                print = z3.exchange(script).ok();
                print.clone()
            };
            let answer = recheck(claim, RLIMIT, &mut exchange, &|_: &[Term]| false);
            let print = print.unwrap_or_default();
            assert!(!print.contains("error"), "{print}\n{}", recheck::question(claim, RLIMIT));
            let shown: Vec<String> = conditions.iter().map(|it| all.arena.show_condition(it)).collect();
            (answer, shown.join("\n"), recheck::question(claim, RLIMIT))
        };
        let (answer, shown, script) = ask(&path);
        assert_ne!(answer, Recheck::Confirmed, "round {round}: the inputs meet\n{shown}\n{script}");
        met += 1;
        *path.last_mut().expect("conditions") = negated;
        let (answer, ..) = ask(&path);
        unmet += 1;
        refused += usize::from(answer == Recheck::Confirmed);
    }
    println!("{met} that are met, {unmet} that are not: {refused} of these are unsat");
    assert!(refused * 10 > unmet * 6, "{refused} of {unmet}");
}

fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

fn seed() -> u64 {
    number("HOUND_SEED", 1)
}

fn rounds(usual: u64) -> u64 {
    number("HOUND_ROUNDS", usual)
}
