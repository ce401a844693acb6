//! Times the search by itself, from a thousand to a hundred thousand paths:
//! `cargo run --release -p search --example growth`.
//!
//! The program asks about each of 17 elements of a tuple, so that every answer is possible and every path is run; the
//! solver only changes the element that is asked about. What grows here is the cost of the tree and the frontier.
#![allow(
    clippy::disallowed_macros,
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "an example measures and prints"
)]

use std::time::Instant;

use constraint::{Arena, Condition, Grammar, Node, RuleId, Shape, Site, Step, Test, holds};
use exec::forward::{Ending, Place};
use search::{
    Confirm, Confirmation, Go, Options, Progress, Run, Signature, Solver, Strategy, Subject, Target, explore,
};
use solve::{Answer, Budget, Query};
use term::{Atom, Exception, Mfa, Term};

const WIDTH: u32 = 17;

struct Bits {
    arena: Arena,
    grammar: Grammar,
    target: Target,
}

impl Bits {
    fn new() -> Bits {
        let mut grammar = Grammar::default();
        let bit = grammar.intern(vec![Shape::Literal(Term::int(0)), Shape::Literal(Term::int(1))]);
        let tuple = grammar.intern(vec![Shape::Tuple(vec![bit; WIDTH as usize])]);
        let (module, function) = (Atom::new("m"), Atom::new("f"));
        let target = Target {
            entry: Mfa { module, function, arity: 1 },
            signatures: vec![Signature { inputs: vec![tuple], no_return: false }],
            specified: true,
            modules: vec![module],
        };
        Bits { arena: Arena::new(), grammar, target }
    }
}

impl Subject for Bits {
    fn run(&mut self, inputs: &[Term]) -> Run {
        let mut path = Vec::with_capacity(WIDTH as usize);
        for at in 0..WIDTH {
            let input = self.arena.input(0);
            let (element, one) = (self.arena.element(input, at), self.arena.integer(1));
            let test = Test::Same(element, one);
            let yes = holds(&self.arena, &Condition { test, holds: true }, inputs) == Ok(true);
            path.push(Step { condition: Condition { test, holds: yes }, site: Site(u64::from(at)), pinned: false });
        }
        let ending = Ending::Value(Term::nil());
        Run { ending, path, gaps: Vec::new(), steps: 1, fresh: 0, truncated: false, in_domain: true, trace: Vec::new() }
    }

    fn arena(&self) -> &Arena {
        &self.arena
    }

    fn arena_mut(&mut self) -> &mut Arena {
        &mut self.arena
    }

    fn grammar(&self) -> &Grammar {
        &self.grammar
    }

    fn target(&self) -> &Target {
        &self.target
    }

    fn place(&self, _: Site) -> Option<Place> {
        None
    }
}

/// Changes the element that the last condition asks about.
struct Change;

impl Solver for Change {
    fn solve(&mut self, query: &Query<'_>, _: &Budget) -> Answer {
        let last = query.conditions.last().map(|last| (last.test, last.holds));
        let (Some((Test::Same(element, _), holds)), Some(near)) = (last, query.near[0].as_tuple()) else {
            return Answer::None;
        };
        let Node::Element(_, at) = query.arena.node(element) else { return Answer::None };
        let mut items = near.to_vec();
        items[*at as usize] = Term::int(i64::from(holds));
        Answer::Inputs(vec![Term::tuple(items)])
    }

    fn first(&mut self, _: &Grammar, _: &[RuleId]) -> Answer {
        Answer::Inputs(vec![Term::tuple(vec![Term::int(0); WIDTH as usize])])
    }

    fn accepts(&self, _: &Grammar, _: RuleId, _: &Term) -> bool {
        true
    }
}

struct Nobody;

impl Confirm for Nobody {
    fn confirm(&mut self, _: &[Term], _: &Exception) -> Confirmation {
        Confirmation::Different { got: String::new() }
    }
}

/// Microseconds per path for the paths up to each of these counts.
fn measure(strategy: Strategy) -> Vec<(u64, f64)> {
    let mut marks = vec![1_000, 3_000, 10_000, 30_000, 100_000].into_iter().peekable();
    let (mut since, mut before) = (Instant::now(), 0);
    let mut rows = Vec::new();
    let options = Options { strategy, max_runs: 100_100, ..Options::default() };
    let mut progress = |seen: &Progress| {
        let paths = seen.statistics.paths;
        if marks.next_if(|mark| paths >= *mark).is_some() {
            rows.push((paths, since.elapsed().as_secs_f64() * 1e6 / (paths - before) as f64));
            (since, before) = (Instant::now(), paths);
        }
        Go::On
    };
    explore(&mut Bits::new(), &mut Change, &mut Nobody, &options, &mut progress);
    rows
}

fn main() {
    println!("{:14} {:>8} {:>14}", "strategy", "paths", "us per path");
    for strategy in Strategy::ALL {
        for (paths, micros) in measure(strategy) {
            println!("{:14} {paths:>8} {micros:>14.2}", strategy.name());
        }
    }
}
