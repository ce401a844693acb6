//! Times the machine on small graphs, and how much slower its symbolic runs are:
//! `cargo run --release -p exec --example speed`.
#![allow(
    clippy::disallowed_macros,
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "an example measures and prints"
)]

use std::rc::Rc;
use std::time::Instant;

use exec::forward::{
    Code, CodeSource, Ending, Limits, Machine, Options, Recorder, RecorderLimits, SampleStore, Stop, Vm, VmAnswer,
    VmCall,
};
use ir::Unit;
use term::{Atom, Call, Mfa, Term};

const PROGRAM: &[&str] = &[
    "function m:fib/1 (%0) captured 0 registers 6
b0:
  branch predicate erlang:'<'/2(%0, 2) yes b1 no b2
b1:
  return %0
b2:
  %1 = call remote erlang:'-'(%0, 1)
  %2 = call local m:fib/1(%1)
  %3 = call remote erlang:'-'(%0, 2)
  %4 = call local m:fib/1(%3)
  tailcall remote erlang:'+'(%2, %4)
",
    "function m:nrev/1 (%0) captured 0 registers 6
b0:
  branch cons(%0) -> (%1, %2) yes b1 no b2
b1:
  %3 = call local m:nrev/1(%2)
  %4 = cons(%1, [])
  tailcall local m:app/2(%3, %4)
b2:
  branch literal [] (%0) yes b3 no b4
b3:
  return []
b4:
  raise function_clause(%0)
",
    "function m:app/2 (%0, %1) captured 0 registers 6
b0:
  branch cons(%0) -> (%2, %3) yes b1 no b2
b1:
  %4 = call local m:app/2(%3, %1)
  %5 = cons(%2, %4)
  return %5
b2:
  branch literal [] (%0) yes b3 no b4
b3:
  return %1
b4:
  raise function_clause(%0, %1)
",
    "function m:repeat/2 (%0, %1) captured 0 registers 6
b0:
  branch literal 0 (%0) yes b1 no b2
b1:
  return ok
b2:
  %2 = call local m:nrev/1(%1)
  %3 = call remote erlang:'-'(%0, 1)
  tailcall local m:repeat/2(%3, %1)
",
    "function m:sum/2 (%0, %1) captured 0 registers 6
b0:
  branch literal 0 (%0) yes b1 no b2
b1:
  return %1
b2:
  %2 = call remote erlang:'-'(%0, 1)
  %3 = call remote erlang:'+'(%0, %1)
  tailcall local m:sum/2(%2, %3)
",
    "function m:deep/1 (%0) captured 0 registers 6
b0:
  branch literal 0 (%0) yes b1 no b2
b1:
  return 0
b2:
  %2 = call remote erlang:'-'(%0, 1)
  %3 = call local m:deep/1(%2)
  tailcall remote erlang:'+'(1, %3)
",
];

struct Texts;

impl CodeSource for Texts {
    fn code(&mut self, function: Mfa, _local: bool) -> Code {
        let units = PROGRAM.iter().map(|text| Unit::read(text).expect("the program is well formed"));
        match units.into_iter().find(|unit| unit.functions[0].name == function) {
            Some(unit) => Code::Graph(Rc::new(unit)),
            None => Code::Undefined,
        }
    }
}

impl Vm for Texts {
    fn vm_call(&mut self, _kind: VmCall, _function: Mfa, _args: &[Term]) -> VmAnswer {
        VmAnswer::Failed("there is no VM here".into())
    }

    fn allowed(&self, _function: Mfa) -> bool {
        false
    }
}

impl SampleStore for Texts {}

impl Stop for Texts {}

/// A symbolic run with unmarked work and one with marked work, against the concrete one.
fn compare(title: &str, name: &str, args: Vec<Term>) {
    let call = Call { module: Atom::new("m"), function: Atom::new(name), args };
    let mut machine = Machine::new(Limits::default(), Options::default());
    let limits = RecorderLimits { steps: 1_000_000, ..RecorderLimits::default() };
    let mut recorder = Recorder::default();
    recorder.limits = limits;
    machine.run_symbolic(&mut Texts, &call, &mut recorder);
    let times = 2_000;
    let start = Instant::now();
    (0..times).for_each(|_| drop(machine.run(&mut Texts, &call)));
    let concrete = start.elapsed() / times;
    let start = Instant::now();
    (0..times).for_each(|_| drop(machine.run_symbolic(&mut Texts, &call, &mut recorder)));
    let symbolic = start.elapsed() / times;
    let steps = recorder.path.len();
    println!("{title}: {concrete:?} concrete, {symbolic:?} symbolic, {steps} conditions");
}

fn main() {
    let list = Term::list((1..=30).map(Term::int).collect::<Vec<_>>());
    let runs = [
        ("fib(30)", "fib", vec![Term::int(30)]),
        ("nrev of 30, 20000 times", "repeat", vec![Term::int(20_000), list]),
        ("sum to 10^7", "sum", vec![Term::int(10_000_000), Term::int(0)]),
        ("10^6 nested calls", "deep", vec![Term::int(1_000_000)]),
    ];
    let only = std::env::args().nth(1);
    if only.as_deref().is_none_or(|only| only == "symbolic") {
        let list = |len| Term::list((1..=len).map(Term::int).collect::<Vec<_>>());
        compare("nrev of 10", "nrev", vec![list(10)]);
        compare("nrev of 30", "nrev", vec![list(30)]);
        compare("sum to 100", "sum", vec![Term::int(100), Term::int(0)]);
        compare("fib(10)", "fib", vec![Term::int(10)]);
    }
    for (title, name, args) in runs {
        if only.as_deref().is_some_and(|only| only != name) {
            continue;
        }
        let call = Call { module: Atom::new("m"), function: Atom::new(name), args };
        let mut machine = Machine::new(Limits::default(), Options::default());
        let start = Instant::now();
        let run = machine.run(&mut Texts, &call);
        let time = start.elapsed();
        let each = time.as_nanos() as f64 / run.steps as f64;
        match run.ending {
            Ending::Value(value) => println!("{title}: {value} in {time:?}, {} steps, {each:.1} ns each", run.steps),
            other => println!("{title}: {other:?}"),
        }
    }
}
