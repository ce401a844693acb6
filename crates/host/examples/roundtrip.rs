//! Prints what a start, a trivial call and a warm extraction cost.

use std::time::Instant;

use host::{CallResult, Host, Options, Source};
use term::{Atom, Call, Outcome, Term};

const CALLS: u32 = 20_000;

fn main() {
    let start = Instant::now();
    let mut host = Host::start(Options::default()).unwrap_or_else(|error| panic!("{error}"));
    println!("start returns        {:>8.1} ms", millis(start));
    let call = Call { module: Atom::new("erlang"), function: Atom::new("+"), args: vec![Term::int(1), Term::int(2)] };
    let CallResult::Ended(Outcome::Value(value)) = host.call(&call) else { panic!("1 + 2 has a value") };
    println!("start to first value {:>8.1} ms: {value}", millis(start));
    let session = host.open_process();
    host.process_call(session, &call);
    let timed = Instant::now();
    (0..CALLS).for_each(|_| drop(host.call(&call)));
    println!("call round trip      {:>8.1} us", millis(timed) * 1000.0 / f64::from(CALLS));
    let timed = Instant::now();
    (0..CALLS).for_each(|_| drop(host.process_call(session, &call)));
    println!("session round trip   {:>8.1} us", millis(timed) * 1000.0 / f64::from(CALLS));
    for module in ["lists", "maps", "string", "unicode_util", "erl_parse"] {
        let timed = Instant::now();
        if let Err(error) = host.extract(Source::Module(module.to_string())) {
            println!("{error}");
        }
        println!("extract {module:<12} {:>8.1} ms", millis(timed));
    }
}

fn millis(since: Instant) -> f64 {
    since.elapsed().as_secs_f64() * 1000.0
}
