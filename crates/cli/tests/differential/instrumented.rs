//! The whole standard library, instrumented and loaded under other names, against the library itself.

use frontend::{core, flat, instrument};
use host::{Host, Source};
use term::{Atom, Call, Map, Term};

use crate::check::check;
use crate::compare::Answer;
use crate::flat::{LIMITS, answered_calls, stdlib};
use crate::rig::{answer_of, start};
use crate::subjects::LIBRARY;
use crate::suite::Plan;

/// Modules that must be there for the comparison to mean something, and calls, in each half of the library.
const MODULES: usize = 40;
const CALLS: usize = 1_200;

#[test]
fn one_half_of_the_library_answers_as_the_original() {
    compare(0);
}

/// Halves take half the time: a module calls others under their own names.
#[test]
fn the_other_half_of_the_library_answers_as_the_original() {
    compare(1);
}

fn compare(half: usize) {
    let plan = Plan::from_environment();
    let mut host = start(LIMITS);
    let library = stdlib(&mut host).into_iter().skip(half).step_by(2);
    let library: Vec<String> = library.filter(|module| plan.wants_module(module)).collect();
    let calls: Vec<(Call, Answer)> = library
        .iter()
        .filter(|module| LIBRARY.contains(&module.as_str()))
        .flat_map(|module| answered_calls(&plan, &mut host, module))
        .collect();
    // What the VM implements itself it does only under its own name.
    let calls: Vec<(Call, Answer)> = calls.into_iter().filter(|(call, _)| !is_built_in(&mut host, call)).collect();
    for module in &library {
        let beam = instrumented(&mut host, module);
        host.load(other_name(module), &beam).unwrap_or_else(|error| panic!("{module} does not load: {error}"));
    }
    let (mut problems, mut slow) = (Vec::new(), 0);
    for (call, expected) in &calls {
        match differs(&mut host, call, expected) {
            Some(problem) => problems.extend(problem),
            None => slow += 1,
        }
    }
    println!("{} modules instrumented, {} calls compared, {slow} met a limit", library.len(), calls.len());
    assert!(slow * 50 <= calls.len(), "{slow} of {} calls met a limit", calls.len());
    let shown: Vec<String> = problems.iter().take(20).map(|text| text.chars().take(800).collect()).collect();
    assert!(problems.is_empty(), "{} calls differ\n{}", problems.len(), shown.join("\n"));
    assert!(plan.only.is_some() || library.len() >= MODULES, "{} modules are too few", library.len());
    assert!(plan.only.is_some() || calls.len() >= CALLS, "{} calls are too few", calls.len());
}

fn is_built_in(host: &mut Host, call: &Call) -> bool {
    let arity = Term::int(call.args.len() as i64);
    let args = vec![Term::atom(call.module), Term::atom(call.function), arity];
    let asked = Call { module: Atom::new("erlang"), function: Atom::new("is_builtin"), args };
    matches!(answer_of(host.call(&asked)), Some(Answer::Value(yes)) if yes == Term::bool(true))
}

fn other_name(module: &str) -> Atom {
    Atom::new(&format!("instrumented_{module}"))
}

/// The instrumented module under its other name; its events have no listener.
fn instrumented(host: &mut Host, module: &str) -> Vec<u8> {
    let extracted = host.extract_unmarked(Source::Module(module.to_string()));
    let extracted = extracted.unwrap_or_else(|error| panic!("{module}: {error}"));
    let read = core::read(&extracted.core).unwrap_or_else(|error| panic!("{module}: {error}"));
    let (mut flat, errors) = flat::flatten_module(&read, extracted.file.as_deref().unwrap_or(module));
    assert!(errors.is_empty(), "{module}: {}", errors[0]);
    flat.name = other_name(module);
    let (module_with_events, _) = instrument::instrumented(&flat, 0, &|function| ops::native(function).is_some());
    let flaws = check(&module_with_events);
    assert!(flaws.is_empty(), "{module}, instrumented: {}", flaws[0]);
    session::instrument::compile(host, &module_with_events)
        .unwrap_or_else(|error| panic!("{module}, instrumented, does not compile: {error}"))
}

/// The difference, if there is one; nothing at all where the instrumented library meets a limit.
fn differs(host: &mut Host, call: &Call, expected: &Answer) -> Option<Option<String>> {
    let other = Call { module: other_name(call.module.name()), ..call.clone() };
    let found = answer_of(host.call(&other))?;
    let agrees = |answer: &Answer| without_funs(answer).agrees(&without_funs(expected));
    // What the original answers otherwise by now asks the clock.
    let is_steady = |host: &mut Host| answer_of(host.call(call)).is_some_and(|again| agrees(&again));
    let differs = !agrees(&found) && is_steady(host);
    Some(differs.then(|| format!("{call}\n  original {expected}\ninstrumented {found}")))
}

/// Funs know the module that they come from, which has another name here.
fn without_funs(answer: &Answer) -> Answer {
    match answer {
        Answer::Value(value) => Answer::Value(plain(value)),
        Answer::Raised(class, reason) => Answer::Raised(*class, plain(reason)),
        other => other.clone(),
    }
}

fn plain(term: &Term) -> Term {
    term::deeper(|| match term {
        Term::Fun(_, fun) => Term::tuple([Term::atom_named("fun"), Term::int(i64::from(fun.arity()))]),
        Term::Tuple(_, items) => Term::tuple(items.iter().map(plain).collect::<Vec<_>>()),
        Term::Map(_, map) => Term::map(Map::from_pairs(map.iter().map(|(key, value)| (plain(key), plain(value))))),
        Term::Cons(..) => {
            let mut cells = term.cells();
            let items: Vec<Term> = cells.by_ref().map(plain).collect();
            Term::list_with_tail(items, plain(cells.rest()))
        }
        other => other.clone(),
    })
}
