//! The same programs on the BEAM with its JIT and on our machine, interleaved, in one run; and how long a start takes.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use exec::forward::{Ending, Limits, Machine, Options};
use host::{CallResult, Host};
use session::Session;
use term::{Atom, Call, Outcome, Term};

use crate::median;

/// How often each program runs on each machine; the fastest counts, which other work on the computer disturbs least.
const ROUNDS: usize = 15;
const TRIPS: usize = 2000;
const STARTS: usize = 5;

/// One line of the table.
struct Program {
    name: String,
    size: Term,
    what: String,
    beam: Vec<Duration>,
    ours: Vec<Duration>,
}

pub fn print() -> Result<(), String> {
    let source = super::repository().join("examples/bench.erl");
    let host = Host::start(host::Options::default()).map_err(|error| error.to_string())?;
    let mut session = Session::from(host);
    session.add_file(&source).map_err(|error| error.to_string())?;
    let mut machine = Machine::new(Limits::default(), Options::default());
    let mut programs = programs(&mut session)?;
    for _ in 0..=ROUNDS {
        programs.iter_mut().try_for_each(|program| round(&mut session, &mut machine, program))?;
    }
    print_table(&programs);
    println!("\nround trip to the VM: {:.0} µs", micros(round_trip(&mut session.host())));
    print_starts()
}

/// What `bench:programs/0` lists.
fn programs(session: &mut Session) -> Result<Vec<Program>, String> {
    let list = on_beam(&mut session.host(), &call("bench", "programs", Vec::new()))?;
    let rows = list.proper_list().ok_or("no list of programs")?;
    rows.iter().map(|row| program(row).ok_or_else(|| format!("not a program: {row}"))).collect()
}

fn program(row: &Term) -> Option<Program> {
    let [name, size, what] = row.as_tuple()? else { return None };
    let what = what.cells().map(|point| char::from_u32(u32::try_from(point.as_i64()?).ok()?)).collect::<Option<_>>()?;
    let name = name.as_atom()?.name().to_owned();
    Some(Program { name, size: size.clone(), what, beam: Vec::new(), ours: Vec::new() })
}

fn call(module: &str, function: &str, args: Vec<Term>) -> Call {
    Call { module: Atom::new(module), function: Atom::new(function), args }
}

fn on_beam(host: &mut Host, call: &Call) -> Result<Term, String> {
    match host.call(call) {
        CallResult::Ended(Outcome::Value(value)) => Ok(value),
        CallResult::Ended(Outcome::Raised(raised)) => Err(format!("{call} raised {raised:?} on the BEAM")),
        _ => Err(format!("{call} did not end on the BEAM")),
    }
}

/// Both machines once; the values must be the same.
fn round(session: &mut Session, machine: &mut Machine, program: &mut Program) -> Result<(), String> {
    let args = Term::list([program.size.clone()]);
    let timed = call("timer", "tc", vec![Term::atom_named("bench"), Term::atom_named(&program.name), args]);
    let answer = on_beam(&mut session.host(), &timed)?;
    let Some([spent, theirs]) = answer.as_tuple() else { return Err(format!("no time in {answer}")) };
    program.beam.push(Duration::from_micros(spent.as_i64().unwrap_or(0).unsigned_abs()));
    let start = Instant::now();
    let ours = machine.run(session, &call("bench", &program.name, vec![program.size.clone()]));
    program.ours.push(start.elapsed());
    session.end_run().map_err(|error| error.to_string())?;
    match ours.ending {
        Ending::Value(value) if value == *theirs => Ok(()),
        other => Err(format!("{}: {other:?}, but the BEAM gave {theirs}", program.name)),
    }
}

fn print_table(programs: &[Program]) {
    println!("{:<52} {:>10} {:>10} {:>8}", "program", "BEAM ms", "hound ms", "ratio");
    for program in programs {
        // The first round loads code on both sides.
        let (beam, ours) = (fastest(&program.beam[1..]), fastest(&program.ours[1..]));
        let ratio = ours.as_secs_f64() / beam.as_secs_f64().max(1e-6);
        println!("{:<52} {:>10.2} {:>10.2} {:>7.1}x", program.what, millis(beam), millis(ours), ratio);
    }
}

fn round_trip(host: &mut Host) -> Duration {
    let abs = call("erlang", "abs", vec![Term::int(-1)]);
    let times: Vec<Duration> = (0..TRIPS)
        .map(|_| {
            let start = Instant::now();
            let _ = host.call(&abs);
            start.elapsed()
        })
        .collect();
    median(&times)
}

/// The whole command, from nothing and with a warm cache.
fn print_starts() -> Result<(), String> {
    let command = std::env::current_exe().map_err(|error| error.to_string())?;
    let hound = command.parent().and_then(Path::parent).map(|folder| folder.join("hound")).unwrap_or_default();
    let cache = std::env::temp_dir().join(format!("hound-bench-{}", std::process::id()));
    let start = || {
        let begun = Instant::now();
        let ran = Command::new(&hound).args(["run", "lists:sort([3,1,2])"]).env("XDG_CACHE_HOME", &cache).output();
        let done = ran.map_err(|error| format!("{}: {error}", hound.display()))?;
        let fine = done.status.success();
        if fine { Ok(begun.elapsed()) } else { Err(String::from_utf8_lossy(&done.stderr).into_owned()) }
    };
    let cold = start()?;
    let warm = (0..STARTS).map(|_| start()).collect::<Result<Vec<_>, String>>()?;
    // It is only a cache.
    let _ = std::fs::remove_dir_all(&cache);
    println!("hound run 'lists:sort([3,1,2])': {:.2} s with nothing cached", cold.as_secs_f64());
    println!("hound run 'lists:sort([3,1,2])': {:.2} s with a warm cache", median(&warm).as_secs_f64());
    Ok(())
}

fn fastest(times: &[Duration]) -> Duration {
    times.iter().min().copied().unwrap_or_default()
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

fn micros(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}
