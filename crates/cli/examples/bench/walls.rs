//! The time until a VM answers its first call, behind all walls and behind those that are left when everything is allowed.

use std::time::{Duration, Instant};

use host::{CallResult, Host, Openings, Options};
use term::Call;

use crate::median;

/// Starts of each kind.
const STARTS: usize = 21;

pub fn print() -> Result<(), String> {
    let open = Openings { files: true, network: true, programs: true };
    let mut times = [Vec::new(), Vec::new()];
    // One after the other, so that both meet the same noise.
    for _ in 0..STARTS {
        for (kind, openings) in times.iter_mut().zip([Openings::default(), open]) {
            kind.push(first_answer(openings)?);
        }
    }
    let [walled, opened] = times.map(|times| median(&times));
    println!("the first answer of a VM, median of {STARTS}");
    println!("  behind every wall       {:>8.1} ms", millis(walled));
    println!("  with everything allowed {:>8.1} ms", millis(opened));
    println!("  the walls cost          {:>8.1} ms", millis(walled) - millis(opened));
    Ok(())
}

fn first_answer(openings: Openings) -> Result<Duration, String> {
    let call = Call::read("erlang:abs(-1)").map_err(|error| error.to_string())?;
    let began = Instant::now();
    let mut host = Host::start(Options { openings, ..Options::default() }).map_err(|error| error.to_string())?;
    match host.call(&call) {
        CallResult::Ended(_) => Ok(began.elapsed()),
        _ => Err("the VM gave no answer".to_owned()),
    }
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}
