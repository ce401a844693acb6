//! Programs invented at random, run on our machine and on the real VM: every call must come to the same end.
//!
//! `HOUND_SEED` chooses the programs, `HOUND_PROGRAMS` how many there are. The sources and what the compiler made of
//! them stay in the target folder.

mod expressions;
mod guards;
mod kinds;
mod patterns;
mod program;

// The other suite uses more of it.
#[allow(dead_code)]
#[path = "../differential/compare.rs"]
mod compare;

use std::path::{Path, PathBuf};
use std::process::Command;

use compare::Answer;
use exec::forward::{Ending, Limits, Machine, Options as Recording};
use host::{CallResult, Host, Options};
use program::Program;
use session::Session;
use term::{Call, Outcome};

const VM_LIMITS: host::CallLimits = host::CallLimits { millis: 2000, reductions: 4_000_000, heap_words: 4 << 20 };
const OUR_LIMITS: Limits = Limits { steps: 50_000_000, memory: 1 << 30 };

#[test]
fn invented_programs_agree() {
    let (seed, count) = (number("HOUND_SEED", 1), number("HOUND_PROGRAMS", 6));
    let programs: Vec<Program> = (0..count).map(|at| Program::new(seed.wrapping_mul(1000) + at)).collect();
    let folder = compile(&programs);
    let mut tally = Tally::default();
    for program in programs.iter().filter(|program| folder.join(&program.name).with_extension("beam").exists()) {
        tally.compare(program, &folder);
    }
    println!("{} calls of {} programs, {} with a value", tally.calls, tally.programs, tally.values);
    assert!(tally.different.is_empty(), "{} differ:\n{}", tally.different.len(), tally.different.join("\n"));
    assert!(tally.programs * 10 >= programs.len() * 8, "{} of {} compile", tally.programs, programs.len());
    assert!(tally.calls >= programs.len() * 20, "{} calls are too few", tally.calls);
    assert!(tally.values * 8 >= tally.calls, "{} of {} calls have a value", tally.values, tally.calls);
}

fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().map_or(otherwise, |text| text.parse().expect("a number"))
}

/// The compiler itself fails on some programs: those are left out.
fn compile(programs: &[Program]) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("invented");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder for programs");
    for program in programs {
        std::fs::write(folder.join(&program.name).with_extension("erl"), &program.text).expect("a file");
    }
    let code = "[catch compile:file(File, [debug_info]) || File <- filelib:wildcard(\"*.erl\")], halt().";
    let mut erl = Command::new("erl");
    let done = erl.current_dir(&folder).args(["-noshell", "-eval", code]).output().expect("erl runs");
    assert!(done.status.success());
    folder
}

#[derive(Default)]
struct Tally {
    programs: usize,
    calls: usize,
    values: usize,
    different: Vec<String>,
}

impl Tally {
    fn compare(&mut self, program: &Program, folder: &Path) {
        self.programs += 1;
        let options = Options { paths: vec![folder.to_path_buf()], limits: VM_LIMITS, ..Options::default() };
        let host = Host::start(options).expect("Erlang is installed");
        let mut session = Session::from(host);
        let mut machine = Machine::new(OUR_LIMITS, Recording::default());
        for text in &program.calls {
            let call = Call::read(text).expect("a call");
            let Some(theirs) = theirs(&mut session.host(), &call) else { continue };
            let ours = ours(&mut machine, &mut session, &call);
            self.calls += 1;
            self.values += usize::from(matches!(theirs, Answer::Value(_)));
            if !ours.agrees(&theirs) {
                self.different.push(format!("{text}\n  VM:   {theirs}\n  ours: {ours}"));
            }
        }
    }
}

/// What the VM says; nothing where it met a limit.
fn theirs(host: &mut Host, call: &Call) -> Option<Answer> {
    match host.call(call) {
        CallResult::Ended(Outcome::Value(value)) => Some(Answer::Value(value)),
        CallResult::Ended(Outcome::Raised(raised)) => Some(Answer::Raised(raised.class, raised.reason)),
        _ => None,
    }
}

fn ours(machine: &mut Machine, session: &mut Session, call: &Call) -> Answer {
    let run = machine.run(session, call);
    match run.ending {
        Ending::Value(value) => Answer::Value(value),
        Ending::Raised(raised) => Answer::Raised(raised.class, raised.reason),
        other => Answer::Other(format!("{other:?}")),
    }
}
