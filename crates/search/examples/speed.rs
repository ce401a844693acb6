//! Paths per second of machine, solvers and search together: `cargo run --release -p search --example speed`.
//!
//! The function walks a list of `a`, `b` and `c` and takes another clause for each, so that every list is a path.
#![allow(
    clippy::disallowed_macros,
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "an example measures and prints"
)]

use std::rc::Rc;
use std::time::Instant;

use constraint::{Grammar, Shape};
use exec::forward::{Code, Limits, Machine, Recorder, VmAnswer, VmCall, World};
use ir::Unit;
use search::{Confirm, Confirmation, Go, Options, Progress, Signature, Strategy, Target, Tested, explore};
use solve::Portfolio;
use term::{Atom, Exception, Mfa, Term};

const PROGRAM: &str = "file \"m.erl\"

function m:f/2 (%0, %1) captured 0 registers 6
b0:
  branch cons(%0) -> (%2, %3) yes b1 no b5
b1:
  branch literal a (%2) yes b2 no b3
b2:
  %4 = cons(x, %1)
  tailcall local m:f/2(%3, %4)
b3:
  branch literal b (%2) yes b4 no b6
b4:
  tailcall local m:f/2(%3, %1)
b5:
  return %1
b6:
  %5 = cons(z, %1)
  tailcall local m:f/2(%3, %5)
";

struct Text(Rc<Unit>);

impl World for Text {
    fn code(&mut self, function: Mfa, _local: bool) -> Code {
        if function == self.0.functions[0].name { Code::Graph(Rc::clone(&self.0)) } else { Code::Undefined }
    }

    fn vm_call(&mut self, _kind: VmCall, _function: Mfa, _args: &[Term]) -> VmAnswer {
        VmAnswer::Failed("there is none".into())
    }

    fn allowed(&self, _function: Mfa) -> bool {
        false
    }
}

struct Nobody;

impl Confirm for Nobody {
    fn confirm(&mut self, _: &[Term], _: &Exception) -> Confirmation {
        Confirmation::Different { got: String::new() }
    }
}

fn grammar() -> (Grammar, Target) {
    let mut grammar = Grammar::default();
    let nil = grammar.intern(vec![Shape::Literal(Term::nil())]);
    let letter = grammar.intern(["a", "b", "c"].map(|name| Shape::Literal(Term::atom_named(name))).to_vec());
    let list = grammar.reserve();
    grammar.fill(list, vec![Shape::Literal(Term::nil()), Shape::Cons(letter, list)]);
    let (module, function) = (Atom::new("m"), Atom::new("f"));
    let signatures = vec![Signature { inputs: vec![list, nil], no_return: false }];
    let entry = Mfa { module, function, arity: 2 };
    (grammar, Target { entry, signatures, specified: true, modules: vec![module] })
}

fn main() {
    println!("{:14} {:>8} {:>8} {:>14} {:>10}", "strategy", "paths", "queries", "us per path", "inside");
    for strategy in Strategy::ALL {
        let (grammar, target) = grammar();
        let unit = Unit::read(PROGRAM).unwrap_or_else(|error| panic!("{error}"));
        let mut world = Text(Rc::new(unit));
        let machine = Machine::new(Limits::default(), exec::forward::Options::default());
        let mut subject = Tested::new(machine, Recorder::default(), &mut world, grammar, target, None);
        let options = Options { strategy, max_runs: 30_100, max_depth: 60, ..Options::default() };
        let mut solver = Portfolio::new(None);
        let mut marks = vec![1_000, 10_000, 30_000].into_iter().peekable();
        let (mut since, mut before) = (Instant::now(), 0);
        let mut rows = Vec::new();
        let mut progress = |seen: &Progress| {
            let paths = seen.statistics.paths;
            if marks.next_if(|mark| paths >= *mark).is_some() {
                let micros = since.elapsed().as_secs_f64() * 1e6 / (paths - before) as f64;
                rows.push((paths, seen.statistics.queries, micros));
                (since, before) = (Instant::now(), paths);
            }
            Go::On
        };
        explore(&mut subject, &mut solver, &mut Nobody, &options, &mut progress);
        let inside = solver.stats().share_inside() * 100.0;
        for (paths, queries, micros) in rows {
            println!("{:14} {paths:>8} {queries:>8} {micros:>14.2} {inside:>9.1}%", strategy.name());
        }
    }
}
