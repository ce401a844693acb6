//! Every function of the large libraries links, and none takes long.

use std::time::{Duration, Instant};

use exec::forward::{Limits, Machine, Options as Recording};
use host::{CallResult, Host, Options};
use session::Session;
use term::{Atom, Call, Mfa, Outcome, Term};

/// The names of the modules of an application.
fn modules(host: &mut Host, application: &str) -> Vec<Atom> {
    let text = format!("{application}.app");
    let path = value(host, "code", "where_is_file", vec![Term::string(&text)]);
    let Term::Tuple(_, consulted) = value(host, "file", "consult", vec![path]) else { panic!("no {text}") };
    let [_, description] = &*consulted else { panic!("no {text}") };
    let app = description.proper_list().expect("a list").remove(0);
    let properties = app.as_tuple().and_then(|app| app[2].proper_list()).expect("properties");
    let modules = properties.iter().filter_map(Term::as_tuple).find(|pair| pair[0] == Term::atom_named("modules"));
    let names = modules.and_then(|pair| pair[1].proper_list()).expect("modules");
    names.iter().map(|name| name.as_atom().expect("an atom")).collect()
}

fn value(host: &mut Host, module: &str, function: &str, args: Vec<Term>) -> Term {
    let call = Call { module: Atom::new(module), function: Atom::new(function), args };
    match host.call(&call) {
        CallResult::Ended(Outcome::Value(value)) => value,
        _ => panic!("{module}:{function} does not answer"),
    }
}

#[test]
fn every_function_of_the_libraries_links() {
    let host = Host::start(Options::default()).expect("Erlang is installed");
    let mut session = Session::from(host);
    let mut slowest = (Duration::ZERO, None);
    let (mut count, mut whole) = (0, Duration::ZERO);
    let libraries = ["stdlib", "kernel", "compiler"];
    let all: Vec<Atom> = libraries.iter().flat_map(|it| modules(&mut session.host(), it)).collect();
    for module in all {
        let library = session.module(module).expect("a module");
        let names: Vec<_> = library.names().collect();
        for coverage in [false, true] {
            let mut machine =
                Machine::new(Limits::default(), Recording { coverage, clauses: coverage, ..Recording::default() });
            for name in &names {
                let function = Mfa { module, function: name.function, arity: name.arity };
                session.unit(function, true).expect("a graph");
                let start = Instant::now();
                machine.link(&mut session, function).unwrap_or_else(|why| panic!("{function}: {why}"));
                count += 1;
                whole += start.elapsed();
                slowest = slowest.max((start.elapsed(), Some(function)));
            }
        }
    }
    println!("{count} functions in {whole:?}, the slowest {:?} in {:?}", slowest.1, slowest.0);
    assert!(count > 10_000);
}
