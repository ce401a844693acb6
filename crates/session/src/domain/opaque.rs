//! Values of opaque types, made by the functions of their own modules on our machine.

use constraint::Grammar;
use exec::forward::{Ending, Limits, Machine, Options as Recording, Recorder};
use frontend::grammar::{Constructor, Opaque};
use search::{EntryFacts, EntryPoint, Go, Ignore, MachineSubject, Signature, TermSize};
use solve::Portfolio;
use solve::structural::accepts;
use term::{Term, etf};

use crate::Session;
use crate::confirm::Replay;

/// Runs of each constructor, and their limits.
const RUNS: u64 = 40;
const LIMITS: Limits = Limits { steps: 100_000, memory: 64 << 20 };
/// Values of each type, the smallest first.
const VALUES: usize = 16;

/// Fills the opaque types of a grammar with values and returns the names of those types.
pub fn fill(session: &Session, grammar: &mut Grammar, opaques: &[Opaque]) -> Vec<String> {
    let mut made = Vec::new();
    for opaque in opaques {
        let values = values(session, grammar, opaque);
        if !values.is_empty() {
            made.push(opaque.written());
        }
        opaque.fill(grammar, values);
    }
    made
}

fn values(session: &Session, grammar: &Grammar, opaque: &Opaque) -> Vec<Term> {
    let mut closed = grammar.clone();
    closed.close();
    let mut values: Vec<Term> = Vec::new();
    for value in opaque.constructors.iter().flat_map(|constructor| run(session, &closed, constructor)) {
        // A constructor may promise less than the type asks for: `new() -> queue()`.
        if !values.contains(&value) && accepts(&closed, opaque.representation, &value) {
            values.push(value);
        }
    }
    values.sort_by_cached_key(|value| TermSize::of(std::slice::from_ref(value)));
    values.truncate(VALUES);
    values
}

/// Returns the results of a constructor for inputs of its spec.
fn run(session: &Session, grammar: &Grammar, constructor: &Constructor) -> Vec<Term> {
    let Constructor { function, params } = constructor;
    let signature = Signature { inputs: params.clone(), result: None, no_return: false };
    let target = EntryPoint {
        function: *function,
        signatures: vec![signature],
        specified: true,
        modules: Vec::new(),
        facts: EntryFacts::default(),
    };
    let mut world = session.clone();
    let machine = Machine::new(LIMITS, Recording::default());
    let mut program = MachineSubject::new(machine, Recorder::default(), &mut world, grammar.clone(), target, None);
    let mut replay = Replay { session: session.clone(), function: *function };
    let options = search::ExplorationOptions {
        max_runs: RUNS,
        keep: RUNS as usize,
        // Calls that fail give no value.
        ignore: ["error", "exit", "throw"].iter().filter_map(|class| Ignore::parse(class).ok()).collect(),
        ..search::ExplorationOptions::default()
    };
    let found = search::explore(&mut program, &mut Portfolio::new(None), &mut replay, &options, &mut |_: &_| Go::On);
    found.cases.iter().filter_map(|case| plain(&case.ending)).collect()
}

/// A value without marks; closures cannot be written down.
fn plain(ending: &Ending) -> Option<Term> {
    let Ending::Value(value) = ending else { return None };
    etf::decode(&etf::encode(value).ok()?).ok()
}
