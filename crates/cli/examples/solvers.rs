//! Queries per second by member: `cargo run --release -p cli --example solvers`.

#[path = "../../solve/tests/random_problems/mod.rs"]
mod random_problems;

use std::time::{Duration, Instant};

use constraint::{Arena, Condition, Grammar, Op, RuleId, Shape, Test};
use random_problems::RandomProblems;
use session::z3::Z3;
use solve::integer::{Arithmetic, Components, IntegerProblem, IntegerSolver};
use solve::{Answer, Budget, Executor, Portfolio, Query, SmtSolver};
use term::Term;

const BUDGET: Budget = Budget { choices: 20_000, rlimit: 100_000, walk: 0 };

fn main() {
    println!("{:<34} {:>10} {:>14} {:>9}", "integer problems", "member", "problems/s", "decided");
    let linear = RandomProblems { variables: 4, most: 1000, operations: 8, relations: 6, bounded: false, all: false };
    let bounded = RandomProblems { variables: 3, most: 100, operations: 6, relations: 4, bounded: true, all: true };
    let unbounded = RandomProblems { variables: 3, most: 40, operations: 5, relations: 4, bounded: false, all: true };
    for (name, sample) in [("linear", linear), ("all operations, bounded", bounded), ("all operations", unbounded)] {
        let problems = problems(&sample, 2000);
        measure(name, "arithmetic", &problems, &mut Arithmetic);
        measure(name, "parts", &problems, &mut Components(Arithmetic));
        let mut smt = SmtSolver::new(Box::new(Z3::new("z3", Duration::from_secs(5))));
        measure(name, "z3", &problems[..100], &mut smt);
    }
    println!("\n{:<34} {:>14}", "flips on a path over a list", "µs per query");
    for cells in [10, 100, 1000] {
        flips(cells);
    }
}

fn problems(sample: &RandomProblems, count: usize) -> Vec<IntegerProblem> {
    let mut random = fastrand::Rng::with_seed(11);
    (0..count).map(|_| sample.problem(&mut |below| random.u64(0..below))).collect()
}

fn measure(sample: &str, member: &str, problems: &[IntegerProblem], solver: &mut dyn IntegerSolver) {
    let began = Instant::now();
    let decided = problems.iter().filter(|p| !matches!(solver.solve(p, &BUDGET), Answer::Unknown(_))).count();
    let rate = problems.len() as f64 / began.elapsed().as_secs_f64();
    println!("{sample:<34} {member:>10} {rate:>14.0} {:>8.1}%", 100.0 * decided as f64 / problems.len() as f64);
}

/// A run that went through a list, compared neighbours and looked at remainders; every one of its conditions flipped.
fn flips(cells: usize) {
    let (grammar, rules) = lists();
    let mut arena = Arena::new();
    let near = [Term::list((0..cells as i64).map(Term::int))];
    let path = path(&mut arena, cells);
    let mut portfolio = Portfolio::new(None);
    let step = (path.len() / 200).max(1);
    let (mut asked, mut found) = (0, 0);
    let began = Instant::now();
    for last in (0..path.len()).step_by(step) {
        let mut conditions = path[..=last].to_vec();
        conditions[last] = conditions[last].negated();
        let query = Query { arena: &arena, grammar: &grammar, inputs: &rules, conditions: &conditions, near: &near };
        asked += 1;
        found += usize::from(matches!(portfolio.solve(&query, &BUDGET), Answer::Sat(_)));
    }
    let each = began.elapsed().as_secs_f64() * 1e6 / asked as f64;
    println!("{:<34} {each:>14.0}   {found} of {asked} met", format!("{cells} cells, {} conditions", path.len()));
}

fn lists() -> (Grammar, Vec<RuleId>) {
    let mut grammar = Grammar::default();
    let integer = grammar.intern(vec![Shape::Integer { low: None, high: None }]);
    let list = grammar.reserve();
    grammar.fill(list, vec![Shape::Literal(Term::list([])), Shape::Cons(integer, list)]);
    grammar.close();
    (grammar, vec![list])
}

fn path(arena: &mut Arena, cells: usize) -> Vec<Condition> {
    let mut path = Vec::new();
    let mut rest = arena.input(0);
    let (seven, mut before) = (arena.integer(7), None);
    for at in 0..cells {
        path.push(Condition { test: Test::Cons(rest), holds: true });
        let head = arena.head(rest);
        if let Some(before) = before {
            path.push(Condition { test: Test::Less(before, head), holds: true });
        }
        let remainder = arena.apply(Op::Rem, &[head, seven]);
        let value = arena.integer(at as i64 % 7);
        path.push(Condition { test: Test::Same(remainder, value), holds: true });
        before = Some(head);
        rest = arena.tail(rest);
    }
    path
}
