//! The search on the real machine and the real solvers, over graphs written as text.

use std::rc::Rc;

use constraint::{Grammar, RuleId, Shape};
use exec::forward::{Code, CodeSource, Limits, Machine, Recorder, SampleStore, Stop, VmAnswer, VmCall};
use ir::Unit;
use search::{
    EntryFacts, EntryPoint, Exploration, ExplorationOptions, Go, MachineSubject, Signature, Verdict, explore,
};
use solve::Portfolio;
use term::{Atom, Mfa, Term};

use crate::fake::{Vm, calls, causes, mfa};

/// A world whose code is text.
struct Texts(Vec<Rc<Unit>>);

impl Texts {
    fn new(text: &str) -> Texts {
        let units = text.split("\n---\n").map(|text| {
            let text = format!("file \"m.erl\"\n\n{}\n", text.trim_start());
            Rc::new(Unit::read(&text).unwrap_or_else(|error| panic!("{error} in\n{text}")))
        });
        Texts(units.collect())
    }
}

impl CodeSource for Texts {
    fn code(&mut self, function: Mfa, _local: bool) -> Code {
        let unit = self.0.iter().find(|unit| unit.functions[0].name == function);
        unit.map_or(Code::Undefined, |unit| Code::Graph(Rc::clone(unit)))
    }
}

impl exec::forward::Vm for Texts {
    fn vm_call(&mut self, _kind: VmCall, _function: Mfa, _args: &[Term]) -> VmAnswer {
        VmAnswer::Failed("there is none".into())
    }

    fn allowed(&self, _function: Mfa) -> bool {
        false
    }
}

impl SampleStore for Texts {}

impl Stop for Texts {}

/// Explores `m:f` whose inputs all have one rule.
fn run(
    text: &str,
    arity: u8,
    pre: bool,
    rule: impl FnOnce(&mut Grammar) -> RuleId,
    options: &ExplorationOptions,
) -> Exploration {
    let mut grammar = Grammar::default();
    let rule = rule(&mut grammar);
    let signatures = vec![Signature { inputs: vec![rule; usize::from(arity)], result: None, no_return: false }];
    let entry_point = EntryPoint {
        function: mfa("m", "f", arity),
        signatures,
        specified: true,
        modules: vec![Atom::new("m")],
        facts: EntryFacts::default(),
    };
    let mut world = Texts::new(text);
    let machine = Machine::new(Limits::default(), exec::forward::Options::default());
    let precondition = pre.then(|| mfa("m", "valid", arity));
    let mut subject = MachineSubject::new(machine, Recorder::default(), &mut world, grammar, entry_point, precondition);
    explore(&mut subject, &mut Portfolio::new(None), &mut Vm::default(), options, &mut |_| Go::On)
}

fn integer(grammar: &mut Grammar) -> RuleId {
    grammar.intern(vec![Shape::Integer { low: None, high: None }])
}

fn boolean(grammar: &mut Grammar) -> RuleId {
    grammar.intern(["true", "false"].map(|name| Shape::Literal(Term::atom_named(name))).to_vec())
}

fn integers(grammar: &mut Grammar) -> RuleId {
    let integer = integer(grammar);
    let list = grammar.reserve();
    grammar.fill(list, vec![Shape::Literal(Term::nil()), Shape::Cons(integer, list)]);
    list
}

/// `f(X, Y) when X + Y =:= 100 -> if X > Y, X rem 7 =:= 3 -> error(bug); true -> ok end`, and another clause.
const TOY: &str = "function m:f/2 (%0, %1) captured 0 registers 6
b0:
  %2 = call remote erlang:'+'(%0, %1)
  branch predicate erlang:'=:='/2(%2, 100) yes b1 no b4
b1:
  branch predicate erlang:'>'/2(%0, %1) yes b2 no b4
b2:
  %3 = call remote erlang:'rem'(%0, 7)
  branch predicate erlang:'=:='/2(%3, 3) yes b3 no b4
b3:
  tailcall remote erlang:error(bug)
b4:
  return ok
---
function m:valid/2 (%0, %1) captured 0 registers 6
b0:
  tailcall remote erlang:'>'(%0, 70)
";

#[test]
fn arithmetic_on_the_way_to_a_crash_is_solved() {
    let found = run(TOY, 2, false, integer, &ExplorationOptions::default());
    assert_eq!((found.verdict, found.complete, causes(&found)), (Verdict::Crash, true, vec![]));
    assert_eq!((found.statistics.paths, found.statistics.divergences), (4, 0));
    let [x, y] = [0, 1].map(|at| found.findings[0].stimulus.inputs[at].as_i64().unwrap_or(0));
    assert!(x + y == 100 && x > y && x % 7 == 3, "{x}, {y}");
}

#[test]
fn a_precondition_is_part_of_the_path() {
    let found = run(TOY, 2, true, integer, &ExplorationOptions::default());
    assert_eq!((found.verdict, found.complete), (Verdict::Crash, true));
    assert!(found.findings[0].stimulus.inputs[0].as_i64() > Some(70), "{:?}", calls(&found));
    // What the precondition does not allow is one path, and behind it the first is the larger one anyway.
    assert_eq!((found.statistics.outside, found.statistics.paths), (1, 4));
}

/// `f([H | T]) -> H + f(T); f([]) -> 0`.
const SUM: &str = "function m:f/1 (%0) captured 0 registers 6
b0:
  branch cons(%0) -> (%1, %2) yes b1 no b2
b1:
  %3 = call local m:f/1(%2)
  tailcall remote erlang:'+'(%1, %3)
b2:
  branch literal [] (%0) yes b3 no b4
b3:
  return 0
b4:
  raise function_clause(%0)
";

#[test]
fn a_loop_over_a_recursive_type_has_a_path_per_length() {
    let found = run(SUM, 1, false, integers, &ExplorationOptions { max_runs: 30, ..ExplorationOptions::default() });
    assert_eq!((found.verdict, found.findings.len()), (Verdict::Incomplete, 0));
    assert_eq!((found.statistics.paths, found.statistics.divergences), (30, 0));
    assert_eq!(causes(&found).iter().map(|cause| cause.0).collect::<Vec<_>>(), ["bound-runs"]);
}

/// `valid(X) -> X.` gives an input itself.
#[test]
fn a_precondition_that_gives_an_input_is_asked_about() {
    let text = "function m:f/1 (%0) captured 0 registers 2
b0:
  return ok
---
function m:valid/1 (%0) captured 0 registers 2
b0:
  return %0
";
    let found = run(text, 1, true, boolean, &ExplorationOptions::default());
    assert_eq!((found.verdict, found.statistics.paths, found.statistics.outside), (Verdict::Safe, 2, 1));
}

/// `valid(X, Y) -> X > 5, Y.` and `f(X, _) -> X rem 2.`: decisions after the precondition's own rank as any other.
#[test]
fn a_precondition_does_not_rank_what_comes_after_it() {
    let text = "function m:f/2 (%0, %1) captured 0 registers 3
b0:
  branch literal 7 (%0) yes b1 no b2
b1:
  return seven
b2:
  return other
---
function m:valid/2 (%0, %1) captured 0 registers 3
b0:
  branch predicate erlang:'<'/2(5, %0) yes b1 no b1
b1:
  return %1
";
    let mixed = |grammar: &mut Grammar| {
        let mut shapes: Vec<Shape> = vec![Shape::Integer { low: None, high: None }];
        shapes.extend(["true", "false"].map(|name| Shape::Literal(Term::atom_named(name))));
        grammar.intern(shapes)
    };
    let seeds = vec![vec![Term::int(9), Term::atom_named("true")]];
    let options = ExplorationOptions {
        strategy: search::Strategy::Depth,
        max_runs: 2,
        round: 1,
        keep: 9,
        seeds,
        ..ExplorationOptions::default()
    };
    let found = run(text, 2, true, mixed, &options);
    let endings: Vec<String> = found.cases.iter().map(|case| case.stimulus.inputs[0].to_string()).collect();
    assert_eq!(endings, ["9", "7"], "the deepest flip comes first");
}
