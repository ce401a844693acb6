//! Times that are inputs: which timer or timeout comes first is solved for, and found or proved as on all inputs.
//!
//! `HOUND_SEED` chooses the generated programs, `HOUND_PROGRAMS` their number.

use std::collections::BTreeSet;
use std::fmt::Write;

use fastrand::Rng;
use serde_json::Value;

use crate::rig::{Explorer, compile, session, sources};
use crate::support::{file, folder, hound, number};

/// A function, its verdict, and the beginning of a finding that it must have.
const ROWS: [(&str, &str, &str); 37] = [
    ("two_timers/1", "crash", "times:two_timers(1235) error:two_first"),
    ("two_timers_ok/1", "safe", ""),
    ("three_timers/2", "crash", "error:found"),
    ("three_timers_ok/2", "safe", ""),
    ("far_timer/1", "crash", "times:far_timer(9223372035000) error:badarg"),
    ("no_timer/1", "crash", "error:badarg"),
    ("no_timer_ok/1", "safe", ""),
    ("waits/1", "crash", "error:late"),
    ("waits_ok/1", "safe", ""),
    ("wait_value/1", "crash", "error:timeout_value"),
    ("wait_value_ok/1", "safe", ""),
    ("sleepers/2", "crash", "error:both"),
    ("sleepers_ok/2", "safe", ""),
    ("left/1", "crash", "times:left(4177) error:found"),
    ("left_ok/1", "safe", ""),
    ("read/1", "crash", "times:read(4923) error:found"),
    ("read_ok/1", "safe", ""),
    ("clock/1", "crash", "times:clock(2161) error:found"),
    ("clock_ok/1", "safe", ""),
    ("seconds/1", "crash", "times:seconds(4000) error:found"),
    ("seconds_ok/1", "safe", ""),
    ("absolute/1", "crash", "times:absolute(700) error:two_first"),
    ("absolute_ok/1", "safe", ""),
    ("server_timeout/1", "crash", "error:idle"),
    ("server_timeout_ok/1", "safe", ""),
    ("call_timeout/1", "crash", "exit:{timeout"),
    ("call_timeout_ok/1", "safe", ""),
    ("state_timeout/1", "crash", "error:over"),
    ("state_timeout_ok/1", "safe", ""),
    ("ticks/1", "incomplete", ""),
    ("ticks_ok/1", "safe", ""),
    ("timer_message/1", "crash", "times:timer_message(601) error:two_first"),
    ("timer_message_ok/1", "safe", ""),
    ("intervals/2", "crash", "error:found"),
    ("intervals_ok/2", "safe", ""),
    ("named_timer/1", "crash", "error:lost"),
    ("named_timer_ok/1", "safe", ""),
];

#[test]
fn times_that_are_inputs_are_solved_for() {
    let path = sources().join("times.erl").display().to_string();
    let functions = hound(&["explore", "--format", "json", &path]).functions();
    let mut wrong = Vec::new();
    for (function, verdict, finding) in ROWS {
        let Some(line) = functions.get(&format!("times:{function}")) else {
            wrong.push(format!("{function}: not explored"));
            continue;
        };
        let findings = line["findings"].as_array().cloned().unwrap_or_default();
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let shown: Vec<String> = findings
            .iter()
            .map(|it| format!("{} {}:{}", text(&it["call"]), text(&it["class"]), text(&it["reason"])))
            .collect();
        let is_found = finding.is_empty() && shown.is_empty() || shown.iter().any(|it| it.contains(finding));
        if line["verdict"] != verdict || !is_found {
            let (got, reasons, unconfirmed) = (&line["verdict"], &line["reasons"], &line["unconfirmed"]);
            wrong.push(format!("{function}: {got} {shown:?} {reasons} {unconfirmed}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The largest input of generated programs; there are two.
const MOST: u32 = 6;

/// A time: a small linear expression of the inputs that is not negative.
fn time(rng: &mut Rng) -> String {
    let constant = rng.u32(..=9);
    match rng.u8(..8) {
        0 => constant.to_string(),
        1 => "A".to_owned(),
        2 => "B".to_owned(),
        3 => format!("A + {}", constant / 3),
        4 => "A + B".to_owned(),
        5 => "2 * B".to_owned(),
        6 => format!("{} - A", MOST + constant / 3),
        _ => format!("A + {} - B", MOST),
    }
}

/// The body of a function of two inputs, whose value is what it came to see.
fn body(rng: &mut Rng) -> String {
    let mut text = String::from("S = self(), ");
    let mut seen = Vec::new();
    let mut timers = Vec::new();
    for at in 0..rng.usize(2..=3) {
        let time = time(rng);
        match rng.u8(..4) {
            0 => write!(text, "spawn(fun() -> timer:sleep({time}), S ! m{at} end), "),
            1 => write!(text, "R{at} = erlang:start_timer({time}, S, m{at}), "),
            _ => write!(text, "R{at} = erlang:send_after({time}, S, m{at}), "),
        }
        .expect("a text");
        if text.contains(&format!("R{at} =")) {
            timers.push(at);
        }
    }
    for at in 0..rng.usize(1..=3) {
        let time = time(rng);
        match (rng.u8(..6), timers.first()) {
            (0, _) => write!(text, "timer:sleep({time}), "),
            (1, Some(timer)) => {
                seen.push(format!("L{at}"));
                write!(text, "L{at} = case erlang:cancel_timer(R{timer}) of false -> gone; N{at} -> N{at} > 2 end, ")
            }
            (2, Some(timer)) => {
                seen.push(format!("L{at}"));
                write!(text, "L{at} = erlang:read_timer(R{timer}) =:= B, ")
            }
            (3, _) => {
                seen.push(format!("L{at}"));
                write!(text, "L{at} = receive m1 -> m1 after {time} -> none end, ")
            }
            _ => {
                seen.push(format!("L{at}"));
                write!(text, "L{at} = receive X{at} -> name(X{at}) after {time} -> none end, ")
            }
        }
        .expect("a text");
    }
    write!(text, "[{} | rest()]", if seen.is_empty() { "none".to_owned() } else { seen.join(", ") }).expect("a text");
    text
}

/// Functions that the generated ones call.
const HELPERS: &str = "
-module(timed).
-compile([export_all, nowarn_export_all]).
name({timeout, _, M}) -> M;
name(M) -> M.
rest() -> receive X -> [name(X) | rest()] after 100 -> [] end.
";

/// All inputs of generated programs.
fn inputs() -> impl Iterator<Item = (u32, u32)> {
    (0..=MOST).flat_map(|a| (0..=MOST).map(move |b| (a, b)))
}

/// Generated programs as functions of a module: `p0(A, B)`, and `p0_1_2()` for each pair of inputs.
fn generated(name: &str, programs: &[String]) -> Explorer {
    let folder = folder(name);
    let mut text = HELPERS.to_owned();
    for (at, program) in programs.iter().enumerate() {
        writeln!(text, "p{at}(A, B) -> _ = {{A, B}}, {program}.").expect("a text");
        inputs().for_each(|(a, b)| writeln!(text, "p{at}_{a}_{b}() -> p{at}({a}, {b}).").expect("a text"));
    }
    compile(&folder, &[file(&folder, "timed.erl", &text).into()]);
    Explorer::new(session(&folder))
}

/// The outcomes of a program that an exploration lacks, those that it has besides, and why it is no proof.
fn compared(explorer: &mut Explorer, at: usize) -> (Vec<String>, Vec<String>, Vec<&'static str>) {
    let concrete = inputs().flat_map(|(a, b)| explorer.explore("timed", &format!("p{at}_{a}_{b}"), RUNS).outcomes);
    let all: BTreeSet<String> = concrete.collect();
    let explored = explorer.explore_inputs("timed", &format!("p{at}"), &[MOST, MOST], RUNS);
    let causes = explored.exploration.causes.iter().map(|cause| cause.reason.code()).collect();
    let missing = all.difference(&explored.outcomes).cloned().collect();
    (missing, explored.outcomes.difference(&all).cloned().collect(), causes)
}

/// The most runs of an exploration.
const RUNS: u64 = 2_000;

#[test]
fn generated_programs_have_the_outcomes_of_all_inputs() {
    let mut rng = Rng::with_seed(number("HOUND_SEED", 1));
    let programs: Vec<String> = (0..number("HOUND_PROGRAMS", 60)).map(|_| body(&mut rng)).collect();
    let mut explorer = generated("processes_times", &programs);
    let mut wrong = Vec::new();
    for (at, program) in programs.iter().enumerate() {
        let (missing, invented, causes) = compared(&mut explorer, at);
        if !missing.is_empty() || !invented.is_empty() || !causes.is_empty() {
            wrong.push(format!("p{at}: {program}\n  missing {missing:?}\n  invented {invented:?}\n  {causes:?}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), programs.len(), wrong.join("\n"));
}

/// Where timeouts strike at any time, some explorations are no proofs; those that are have all outcomes.
#[test]
fn proofs_of_generated_programs_hold_at_any_time() {
    let mut rng = Rng::with_seed(number("HOUND_SEED", 1));
    let programs: Vec<String> = (0..number("HOUND_PROGRAMS", 60) / 4).map(|_| body(&mut rng)).collect();
    let mut explorer = generated("processes_any_times", &programs);
    explorer.any_clock = true;
    let (mut wrong, mut proved) = (Vec::new(), 0);
    for (at, program) in programs.iter().enumerate() {
        let (missing, invented, causes) = compared(&mut explorer, at);
        proved += usize::from(causes.is_empty());
        if !invented.is_empty() || !missing.is_empty() && causes.is_empty() {
            wrong.push(format!("p{at}: {program}\n  missing {missing:?}\n  invented {invented:?}"));
        }
    }
    println!("{proved} of {} proved", programs.len());
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), programs.len(), wrong.join("\n"));
    assert!(proved * 3 > programs.len(), "only {proved} of {} programs were proved", programs.len());
}
