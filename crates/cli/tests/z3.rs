//! The solver process: its answers against ours, and what happens when it does not behave.

#[path = "../../solve/tests/random_problems/mod.rs"]
mod random_problems;

use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::Command;
use std::thread;
use std::time::Duration;

use constraint::Op;
use num_bigint::BigInt;
use random_problems::{BINARY, RandomProblems};
use session::z3::Z3;
use solve::integer::{Arithmetic, IntegerAnswer, IntegerProblem, IntegerSolver, Range, Variable, is_met_by};
use solve::problem::{Constraint, Expression};
use solve::{Answer, Budget, Smt, SmtError, SmtSolver, UnknownReason};

const BUDGET: Budget = Budget { choices: 1000, rlimit: 100_000, walk: 0 };

fn z3() -> Z3 {
    Z3::new("z3", Duration::from_secs(5))
}

/// How many of these problems each side decided.
fn compare(sample: RandomProblems, count: usize, seed: u64) -> (usize, usize) {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut solver = SmtSolver::new(Box::new(z3()));
    let (mut ours, mut theirs) = (0, 0);
    for _ in 0..count {
        let problem = sample.problem(&mut |below| random.u64(0..below));
        let (a, b) = (Arithmetic.solve(&problem, &BUDGET), solver.solve(&problem, &BUDGET));
        for answer in [&a, &b] {
            if let Answer::Sat(values) = answer {
                assert!(is_met_by(&problem, values), "{problem:?} {values:?}");
            }
        }
        let contradict = |a: &IntegerAnswer, b: &IntegerAnswer| matches!((a, b), (Answer::Unsat, Answer::Sat(_)));
        assert!(!contradict(&a, &b) && !contradict(&b, &a), "{problem:?}\nours: {a:?}\ntheirs: {b:?}");
        ours += usize::from(!matches!(a, Answer::Unknown(_)));
        theirs += usize::from(!matches!(b, Answer::Unknown(_)));
    }
    assert!(!matches!(solver.error, Some(SmtError::Missing(_))), "{:?}", solver.error);
    (ours, theirs)
}

#[test]
fn members_agree_on_bounded_problems() {
    let sample = RandomProblems { variables: 3, most: 100, operations: 6, relations: 4, bounded: true, all: true };
    let (ours, theirs) = compare(sample, 200, 1);
    assert!(ours > 190 && theirs > 180, "{ours} {theirs}");
}

#[test]
fn members_agree_on_problems_without_bounds() {
    let sample = RandomProblems { variables: 3, most: 40, operations: 5, relations: 4, bounded: false, all: true };
    let (ours, theirs) = compare(sample, 200, 2);
    assert!(ours > 180 && theirs > 160, "{ours} {theirs}");
}

#[test]
fn members_agree_on_linear_problems() {
    let sample = RandomProblems { variables: 4, most: 1000, operations: 8, relations: 6, bounded: false, all: false };
    let (ours, theirs) = compare(sample, 200, 3);
    assert!(ours == 200 && theirs == 200, "{ours} {theirs}");
}

/// `x op y` is `result`, for values of every sign: the process must find what the operation gives.
#[test]
fn operations_mean_what_they_mean_in_erlang() {
    let mut solver = SmtSolver::new(Box::new(z3()));
    for op in BINARY {
        for (a, b) in [(7, 2), (-7, 2), (7, -2), (-7, -2), (6, 3), (-1, 5), (0, -4), (12, 10), (-12, 10), (-8, -1)] {
            let problem = operation(op, a, b);
            let truth = op.compute(&[term::Term::int(a), term::Term::int(b)]).unwrap();
            match solver.solve(&problem, &BUDGET) {
                Answer::Sat(values) => assert_eq!(term::Term::big(values[2].clone()), truth, "{a} {op:?} {b}"),
                other => panic!("{a} {op:?} {b}: {other:?}"),
            }
        }
    }
}

fn operation(op: Op, a: i64, b: i64) -> IntegerProblem {
    let fixed = |value: i64| {
        let value = Some(BigInt::from(value));
        Variable { range: Range { low: value.clone(), high: value.clone() }, near: value }
    };
    IntegerProblem {
        variables: vec![fixed(a), fixed(b), Variable::default()],
        exprs: vec![
            Expression::Variable(0),
            Expression::Variable(1),
            Expression::Variable(2),
            Expression::Apply(op, vec![0, 1]),
        ],
        relations: vec![Constraint::Equal(2, 3)],
        ..IntegerProblem::default()
    }
}

/// Something that takes long: a product of two large primes.
const HARD: &str = "(reset)\n(declare-const a (_ BitVec 160))\n(declare-const b (_ BitVec 160))\n\
    (assert (= (bvmul a b) (_ bv170141183460469231731687303715884105727 160)))\n(assert (bvult a (_ bv9223372036854775808 160)))\n\
    (assert (bvult b (_ bv9223372036854775808 160)))\n(assert (bvugt a (_ bv1 160)))\n(check-sat)\n";

#[test]
fn a_killed_process_is_started_again() {
    let mut process = z3();
    assert_eq!(process.exchange("(echo \"here\")\n"), Ok(String::from("here\n")));
    let id = process.id().unwrap();
    let killer = thread::spawn(move || {
        thread::sleep(Duration::from_millis(300));
        Command::new("kill").args(["-9", &id.to_string()]).status().unwrap();
    });
    assert!(matches!(process.exchange(HARD), Err(SmtError::Ended(_))));
    killer.join().unwrap();
    assert_eq!(process.exchange("(echo \"again\")\n"), Ok(String::from("again\n")));
    assert_ne!(process.id(), Some(id));
}

#[test]
fn a_stalled_process_is_ended() {
    let mut process = Z3::new("z3", Duration::from_millis(300));
    assert!(matches!(process.exchange(HARD), Err(SmtError::Ended(_))));
    assert_eq!(process.exchange("(echo \"again\")\n"), Ok(String::from("again\n")));
}

/// More than a pipe holds, behind something that takes long.
#[test]
fn a_process_that_does_not_read_is_ended() {
    let mut process = Z3::new("z3", Duration::from_millis(300));
    let script = format!("{HARD}{}", "(echo \"later\")\n".repeat(20_000));
    assert!(matches!(process.exchange(&script), Err(SmtError::Ended(_))));
    assert_eq!(process.exchange("(echo \"again\")\n"), Ok(String::from("again\n")));
}

#[test]
fn queries_end_by_their_resources() {
    let mut process = z3();
    let text = process.exchange(&HARD.replacen("(reset)", "(reset)(set-option :rlimit 100000)", 1)).unwrap();
    assert!(text.starts_with("unknown"), "{text}");
}

#[test]
fn a_missing_program_is_reported_and_not_tried_again() {
    let mut solver = SmtSolver::new(Box::new(Z3::new("no-such-solver", Duration::from_secs(1))));
    for _ in 0..3 {
        let answer = solver.solve(&operation(Op::Mul, 2, 3), &BUDGET);
        assert_eq!(answer, Answer::Unknown(UnknownReason::Absent));
    }
    assert!(matches!(&solver.error, Some(SmtError::Missing(why)) if why.contains("no-such-solver")));
}

/// A program that is no solver, by its lines of shell.
fn pretender(name: &str, lines: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("hound-{}-{name}", std::process::id()));
    std::fs::write(&path, format!("#!/bin/sh\n{lines}\n")).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    path
}

#[test]
fn garbage_is_no_answer() {
    let marker = "echo '-- end of answer --'";
    let tales = [
        ("babble", format!("while read line; do echo '(((('; printf '\\377\\n'; {marker}; done")),
        (
            "liar",
            format!(
                "while read line; do case $line in *check-sat*) echo sat;; *get-value*) echo '((x0 1) (x1 1) (x2 1))';; *echo*) {marker};; esac; done"
            ),
        ),
        ("flood", String::from("yes abcdefghijklmnopqrstuvwxyz")),
        ("quitter", String::from("exit 3")),
    ];
    for (name, lines) in tales {
        let path = pretender(name, &lines);
        let process = Z3::new(&path, Duration::from_secs(5));
        let answer = SmtSolver::new(Box::new(process)).solve(&operation(Op::Mul, 2, 3), &BUDGET);
        assert!(matches!(answer, Answer::Unknown(_)), "{name}: {answer:?}");
        std::fs::remove_file(path).unwrap();
    }
}
