//! One VM and one machine side by side.

use std::cell::RefMut;
use std::path::PathBuf;
use std::process::Command;
use std::sync::OnceLock;

use exec::forward::{Coverage, Ending, Limits, Machine, Options as Recording, Recorder};
use host::{CallResult, Host, Options};
use ops::policy::{Policy, policy};
use session::Session;
use term::{Call, Outcome, Term};

use crate::compare::Answer;
use crate::prelude::Culprit;

/// What one call may take on the VM; the machine gets more, so that it never gives up first.
const VM_LIMITS: host::CallLimits = host::CallLimits { millis: 500, reductions: 1_000_000, heap_words: 4 << 20 };
const OUR_LIMITS: Limits = Limits { steps: 50_000_000, memory: 1 << 30 };

/// The VM that answers is also the VM the machine asks: the order of large maps differs from one VM to the next.
pub struct Rig {
    session: Session,
    machine: Machine,
}

impl Rig {
    pub fn new() -> Rig {
        Rig::recording(Recording::default())
    }

    pub fn recording(recording: Recording) -> Rig {
        let session = Session::from(start(VM_LIMITS));
        Rig { session, machine: Machine::new(OUR_LIMITS, recording) }
    }

    pub fn vm(&mut self) -> RefMut<'_, Host> {
        self.session.host()
    }

    /// What the VM says; nothing where it met a limit.
    pub fn theirs(&mut self, call: &Call) -> Option<Answer> {
        answer_of(self.vm().call(call))
    }

    /// What a call prints on the VM.
    pub fn their_output(&mut self, call: &Call) -> Vec<u8> {
        let session = self.vm().open_process();
        let _ = self.vm().process_call(session, call);
        let output = self.vm().process_output(session).expect("the VM answers");
        self.vm().close_process(session);
        output
    }

    pub fn our_output(&mut self, call: &Call) -> Vec<u8> {
        let _ = self.machine.run(&mut self.session, call);
        self.session.end_run().expect("the VM answers")
    }

    pub fn ours(&mut self, call: &Call) -> Answer {
        self.ours_covered(call).0
    }

    pub fn ours_covered(&mut self, call: &Call) -> (Answer, Option<Coverage>) {
        let run = self.machine.run(&mut self.session, call);
        // What a call printed has a test of its own.
        let _ = self.session.end_run();
        (answer_of_run(run.ending), run.coverage)
    }

    /// What our machine says, and the function that it blames for an exception.
    pub fn ours_traced(&mut self, call: &Call) -> (Answer, Culprit) {
        let ending = self.machine.run(&mut self.session, call).ending;
        let culprit = match &ending {
            Ending::Raised(raised) => {
                raised.stack.cells().next().and_then(Term::as_tuple).and_then(|entry| match entry {
                    [module, function, ..] => Some((module.as_atom()?, function.as_atom()?)),
                    _ => None,
                })
            }
            _ => None,
        };
        (answer_of_run(ending), culprit)
    }

    /// The same call run symbolically.
    pub fn ours_recorded(&mut self, call: &Call, recorder: &mut Recorder) -> Answer {
        let run = self.machine.run_symbolic(&mut self.session, call, recorder);
        let _ = self.session.end_run();
        answer_of_run(run.ending)
    }
}

fn answer_of_run(ending: Ending) -> Answer {
    match ending {
        Ending::Value(value) => Answer::Value(value),
        Ending::Raised(raised) => Answer::Raised(raised.class, raised.reason),
        Ending::Unsupported { function, .. } if policy(function, true) == Policy::Process => Answer::Processes,
        other => Answer::Other(format!("{other:?}")),
    }
}

pub fn answer_of(result: CallResult) -> Option<Answer> {
    match result {
        CallResult::Ended(Outcome::Value(value)) => Some(Answer::Value(value)),
        CallResult::Ended(Outcome::Raised(raised)) => Some(Answer::Raised(raised.class, raised.reason)),
        CallResult::NotSent(what) => panic!("a generated call could not be sent: {what}"),
        _ => None,
    }
}

/// A host that knows our own programs.
pub fn start(limits: host::CallLimits) -> Host {
    let options = Options { paths: vec![own_modules()], limits, ..Options::default() };
    Host::start(options).expect("Erlang is installed")
}

/// The folder with our own programs, compiled once per test run.
pub fn own_modules() -> PathBuf {
    static COMPILED: OnceLock<PathBuf> = OnceLock::new();
    COMPILED.get_or_init(compile).clone()
}

fn compile() -> PathBuf {
    let out = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("differential");
    std::fs::create_dir_all(&out).expect("a folder for compiled programs");
    let sources = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/differential");
    let mut erlc = Command::new("erlc");
    erlc.args(["+debug_info", "+nowarn_unused_vars", "-W0", "-o"]).arg(&out);
    for name in [
        "hound_funs",
        "hound_language",
        "hound_control",
        "hound_data",
        "hound_floats",
        "hound_inlined",
        "hound_scenes",
        "hound_tables",
    ] {
        erlc.arg(sources.join(name).with_extension("erl"));
    }
    let status = erlc.status().expect("erlc runs");
    assert!(status.success(), "our own programs do not compile");
    out
}
