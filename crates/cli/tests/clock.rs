//! Programs that take longer than they may: `--time` holds within a second. `scripts/tests` runs this with nothing beside.

mod support;

use std::sync::Mutex;
use std::time::{Duration, Instant};

use support::hound;

/// Work that takes longer than any test can wait.
const SLOW: &str = "crates/cli/tests/bounds/slow.erl";

/// Conditions that no solver can meet.
const CONDITIONS: [&str; 2] = ["crates/cli/tests/bounds/slow.cond", "crates/cli/tests/bounds/asked.cond"];

/// The bound of the tests, in seconds.
const TIME: &str = "2";

/// The most that a command may take after its start.
const MOST: Duration = Duration::from_secs(3);

/// What else the machine does may make a command late: it is late if it is so every time.
const TRIES: usize = 3;

/// One test at a time.
static ALONE: Mutex<()> = Mutex::new(());

/// The time that a command takes; it must say something.
fn timed(words: &[&str]) -> Duration {
    let began = Instant::now();
    let ran = hound(words);
    assert!(!ran.out.is_empty(), "{words:?}: {}{}", ran.out, ran.err);
    began.elapsed()
}

/// Two commands at a time; those that are late are tried again alone.
fn late<'a>(commands: &[Vec<&'a str>], start: Duration) -> Vec<(Vec<&'a str>, Duration)> {
    let (next, late) = (Mutex::new(commands.iter()), Mutex::new(Vec::new()));
    let work = || {
        while let Some(command) = { next.lock().expect("no panic").next() } {
            let time = timed(command);
            if time > start + MOST {
                late.lock().expect("no panic").push((command.clone(), time));
            }
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(work);
        scope.spawn(work);
    });
    let late = late.into_inner().expect("no panic");
    late.into_iter().filter(|(command, _)| (1..TRIES).all(|_| timed(command) > start + MOST)).collect()
}

#[test]
fn time_stays_within_its_bound() {
    let _alone = ALONE.lock();
    // Start and extraction are not the search's: a run of another function shows them.
    let start = ["reach", SLOW, "slow:options/1"];
    timed(&start);
    let start = timed(&start);
    let functions = [
        "collatz/1",
        "doubled/1",
        "size/1",
        "leaves/1",
        "equal/1",
        "hash/1",
        "reason/1",
        "large/1",
        "options/1",
        "ackermann/2",
        "cubes/2",
        "follow/2",
    ];
    let explore = |function| vec!["explore", "--time", TIME, "--steps", "1000000000", SLOW, function];
    let mut commands: Vec<Vec<&str>> = functions.into_iter().map(explore).collect();
    commands.extend(["slow:22", "slow:39"].map(|target| vec!["reach", "--time", TIME, SLOW, target]));
    commands.extend(CONDITIONS.map(|file| vec!["solve", "--time", TIME, "--evaluations", "100000000", file]));
    let late = late(&commands, start);
    assert!(late.is_empty(), "after {start:?}: {late:#?}");
}

#[test]
fn recorded_calls_stay_within_their_time() {
    let _alone = ALONE.lock();
    // Each command compiles the instrumented module anew.
    let instrument = |call| vec!["instrument", "--time", TIME, "--depth", "3", SLOW, call];
    let start = timed(&instrument("slow:grow(0, [])"));
    let calls = ["slow:hash(3)", "slow:options(<<3, 4, 5, 6, 7, 8, 9>>)"];
    let late = late(&calls.map(instrument), start);
    assert!(late.is_empty(), "after {start:?}: {late:#?}");
}
