//! Generated programs whose outcome no schedule changes: runs agree with the VM.
//!
//! `HOUND_SEED` chooses the programs, `HOUND_CALLS` their number.

use std::path::Path;
use std::process::Command;

use exec::forward::{Ending, Limits, Machine, Options as Recording};
use fastrand::Rng;
use term::Call;

use crate::rig::{compile, session, sources};
use crate::support::{file, folder, number};

/// A program as a term; those with real time are rare, for the VM has to wait.
fn spec(rng: &mut Rng, depth: u32) -> String {
    let list = |rng: &mut Rng, most: usize, of: &mut dyn FnMut(&mut Rng) -> String| {
        let items: Vec<String> = (0..rng.usize(..=most)).map(|_| of(rng)).collect();
        format!("[{}]", items.join(","))
    };
    let small = &mut |rng: &mut Rng| rng.u8(1..6).to_string();
    if depth > 0 && rng.u8(..4) == 0 {
        return match rng.bool() {
            true => format!("{{inside,{}}}", spec(rng, depth - 1)),
            false => format!("{{fan,{}}}", list(rng, 4, &mut |rng| spec(rng, depth - 1))),
        };
    }
    match rng.u8(..60) {
        0 => format!("{{timeouts,{}}}", list(rng, 2, small)),
        1 => format!("{{timers,{}}}", list(rng, 3, small)),
        2..=10 => format!("{{pipe,{},{}}}", list(rng, 4, small), list(rng, 5, small)),
        11..=17 => format!("{{select,{},{}}}", list(rng, 4, small), list(rng, 5, small)),
        18..=23 => {
            let how = ["normal", "exit", "error", "throw", "kill", "badarith"][rng.usize(..6)];
            format!("{{ended,{how},{}}}", small(rng))
        }
        24..=27 => format!("{{linked,{},{}}}", rng.bool(), small(rng)),
        28..=31 if depth == DEPTH => format!("{{names,{}}}", list(rng, 4, small)),
        28..=31 => format!("{{int,{}}}", small(rng)),
        32..=35 => format!("{{dictionary,{}}}", list(rng, 4, small)),
        36..=40 => {
            let kind = ["set", "ordered_set", "bag", "duplicate_bag"][rng.usize(..4)];
            format!("{{table,{kind},{}}}", list(rng, 5, small))
        }
        41..=47 => {
            let mut op = |rng: &mut Rng| {
                let name = match rng.u8(..40) {
                    0 => "timeout",
                    1..=12 => "add",
                    13..=22 => "put",
                    23..=31 => "info",
                    _ => "later",
                };
                format!("{{{name},{}}}", rng.u8(..9))
            };
            format!("{{server,{}}}", list(rng, 6, &mut op))
        }
        48..=52 => {
            let mut event = |rng: &mut Rng| {
                let event = rng.u8(..20);
                if event == 0 { "wait" } else { ["go", "stop", "other"][usize::from(event % 3)] }.to_owned()
            };
            format!("{{machine,{}}}", list(rng, 6, &mut event))
        }
        53..=55 => format!("{{supervised,{}}}", list(rng, 4, small)),
        _ => format!("{{started,{},{}}}", ["ok", "exit", "error"][rng.usize(..3)], small(rng)),
    }
}

/// Programs within programs, at most so deep.
const DEPTH: u32 = 2;

/// The outcomes on the VM, one after the other.
fn on_vm(folder: &Path, specs: &[&String]) -> Vec<String> {
    let text: String = specs.iter().map(|spec| format!("{spec}.\n")).collect();
    let path = file(folder, "specs", &text);
    let mut erl = Command::new("erl");
    let ran = erl.current_dir(folder).args(["-noinput", "-run", "schemes", "all", &path]).output().expect("erl runs");
    String::from_utf8_lossy(&ran.stdout).lines().map(str::to_owned).collect()
}

#[test]
fn generated_programs_give_what_the_vm_gives() {
    let mut rng = Rng::with_seed(number("HOUND_SEED", 1));
    let specs: Vec<String> = (0..number("HOUND_CALLS", 5_000)).map(|_| spec(&mut rng, DEPTH)).collect();
    let folder = folder("processes_generated");
    compile(&folder, &[sources().join("schemes.erl")]);
    let mut session = session(&folder);
    let mut machine = Machine::new(Limits::default(), Recording { processes: true, ..Recording::default() });
    let mut run = |spec: &String| {
        let call = Call::read(&format!("schemes:run({spec})")).expect("a call");
        let ending = machine.run(&mut session, &call).ending;
        let _ = session.end_run();
        match ending {
            Ending::Value(value) => value.to_string(),
            Ending::Raised(raised) => format!("{}:{}", raised.class, raised.reason),
            other => format!("{other:?}"),
        }
    };
    let mut open: Vec<(&String, String)> = specs.iter().map(|spec| (spec, run(spec))).collect();
    // On a busy machine the VM may be late for a timeout.
    let mut last = Vec::new();
    for _ in 0..3 {
        last = on_vm(&folder, &open.iter().map(|(spec, _)| *spec).collect::<Vec<_>>());
        assert_eq!(last.len(), open.len(), "the VM has ended early");
        let (differ, theirs) = open.into_iter().zip(last).filter(|((_, ours), theirs)| ours != theirs).unzip();
        (open, last) = (differ, theirs);
        if open.is_empty() {
            return;
        }
    }
    let wrong = open.iter().zip(&last).map(|((spec, ours), theirs)| format!("{spec}\n  VM   {theirs}\n  ours {ours}"));
    panic!("{} of {}:\n{}", open.len(), specs.len(), wrong.take(20).collect::<Vec<_>>().join("\n"));
}
