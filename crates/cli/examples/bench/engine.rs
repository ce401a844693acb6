//! The two engines side by side, and what it costs a program on the BEAM to emit its events.

use std::time::Duration;

use host::{CallResult, Host};
use session::Session;
use term::{Atom, Call, Outcome, Term};

use crate::explored::{AT_END, run};
use crate::paths::PROGRAMS;

const RUNS: &str = "2000";
/// How often each program runs; the fastest counts.
const ROUNDS: usize = 5;
/// Bytes of events that a program may emit.
const MOST: u64 = 1 << 30;

pub fn print() -> Result<(), String> {
    engines()?;
    println!();
    overhead()
}

fn engines() -> Result<(), String> {
    let source = super::repository().join("examples/paths.erl");
    let file = source.to_str().ok_or("a path that is no text")?;
    println!("{:<52} {:>10} {:>10} {:>8}", "runs per second, one core", "machine", "beam", "ratio");
    for (function, what) in PROGRAMS {
        let rate = |engine: &str| -> Result<f64, String> {
            let measured = run(AT_END, &["--runs", RUNS, "--engine", engine, file, function])?;
            let one = &measured["functions"][0];
            Ok(one["paths"].as_f64().unwrap_or(0.0) / one["seconds"].as_f64().unwrap_or(0.0).max(1e-9))
        };
        let (machine, beam) = (rate("machine")?, rate("beam")?);
        println!("{what:<52} {machine:>10.0} {beam:>10.0} {:>7.2}x", beam / machine.max(1e-9));
    }
    Ok(())
}

/// What a program takes: as it is, instrumented without a listener, and emitting its events.
struct Row {
    name: String,
    size: Term,
    times: [Vec<Duration>; 3],
    events: Option<usize>,
}

fn overhead() -> Result<(), String> {
    let host = Host::start(host::Options::default()).map_err(|error| error.to_string())?;
    let session = Session::from(host);
    let module =
        session.add_file(&super::repository().join("examples/bench.erl")).map_err(|error| error.to_string())?;
    let list = value(session.host().call(&call("bench", "programs", Vec::new())))?;
    let mut rows: Vec<Row> = list.cells().filter_map(row).collect();
    for row in &mut rows {
        for _ in 0..ROUNDS {
            let spent = spent(&value(session.host().call(&row.timed()))?);
            row.times[0].push(spent);
        }
    }
    session.instrument(module).map_err(|failure| failure.to_string())?;
    for row in &mut rows {
        for _ in 0..ROUNDS {
            let silent = value(session.host().call(&row.timed())).map(|answer| spent(&answer));
            let (answer, events) = session.host().call_observed(&row.timed(), MOST);
            row.times[1].extend(silent);
            // A program that emits more than it may, or takes too long to emit it, has no third time.
            if let (Ok(answer), Ok(events)) = (value(answer), events) {
                row.times[2].push(spent(&answer));
                row.events = Some(events.len());
            }
        }
    }
    println!(
        "{:<14} {:>10} {:>12} {:>12} {:>10} {:>10}",
        "on the BEAM, ms", "as it is", "instrumented", "emitting", "factor", "events"
    );
    for row in &rows {
        let [plain, silent, emitting] = [0, 1, 2].map(|at| fastest(&row.times[at]));
        let shown = |time: Option<f64>| time.map_or("–".to_owned(), |time| format!("{time:.2}"));
        let factor = emitting.zip(plain).map(|(emitting, plain)| emitting / plain.max(1e-3));
        let factor = factor.map_or("–".to_owned(), |factor| format!("{factor:.1}x"));
        let [plain, silent, emitting] = [plain, silent, emitting].map(shown);
        let events = row.events.map_or("too many".to_owned(), |events| events.to_string());
        println!("{:<15} {plain:>10} {silent:>12} {emitting:>12} {factor:>10} {events:>10}", row.name);
    }
    Ok(())
}

impl Row {
    fn timed(&self) -> Call {
        let args = Term::list([self.size.clone()]);
        call("timer", "tc", vec![Term::atom_named("bench"), Term::atom_named(&self.name), args])
    }
}

fn row(term: &Term) -> Option<Row> {
    let [name, size, _] = term.as_tuple()? else { return None };
    Some(Row { name: name.as_atom()?.name().to_owned(), size: size.clone(), times: Default::default(), events: None })
}

fn call(module: &str, function: &str, args: Vec<Term>) -> Call {
    Call { module: Atom::new(module), function: Atom::new(function), args }
}

fn value(result: CallResult) -> Result<Term, String> {
    match result {
        CallResult::Ended(Outcome::Value(value)) => Ok(value),
        _ => Err("a program did not end with a value".to_owned()),
    }
}

/// The time in what `timer:tc/3` gives.
fn spent(answer: &Term) -> Duration {
    let micros = answer.as_tuple().and_then(|parts| parts.first()?.as_i64());
    Duration::from_micros(micros.unwrap_or(0).unsigned_abs())
}

fn fastest(times: &[Duration]) -> Option<f64> {
    times.iter().min().map(|time| time.as_secs_f64() * 1e3)
}
