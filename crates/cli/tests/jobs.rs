//! Jobs and their results as data: a job that is read in another session gives the report of the first one.

mod support;

use report::{KnownFindings, TextView, explored_line, explored_text, summary};
use search::Go;
use session::job::{Settings, run};
use session::{Failure, Job, JobResult, SearchBounds, Session, SessionOptions, explore};
use support::{file, folder};
use term::Mfa;

/// Lists, bits, funs and closures, floats, opaque functions.
const MODULES: [&str; 5] = ["bank", "bits", "callbacks", "decimals", "digests"];

fn open(path: &str) -> (Session, Vec<Mfa>) {
    let code = SessionOptions { no_cache: true, ..SessionOptions::default() };
    let (opened, functions) = explore::open(&[path.to_owned()], &code).unwrap_or_else(|error| panic!("{error}"));
    (opened.session, functions)
}

fn job(session: &Session, functions: &[Mfa], function: Mfa) -> Job {
    let modules = explore::modules(functions);
    let settings = Settings {
        bounds: SearchBounds { runs: 150, time: 600, ..SearchBounds::EXPLORE },
        strategy: search::Strategy::default(),
        concretize: exec::forward::Concretize::default(),
        any_clock: false,
        seed: 0,
        keep: 20,
        executions: 0,
        decisions: 0,
        tested: session.tested(&modules),
        modules: modules.into_iter().map(|module| (module, session.content(module))).collect(),
        allowed: session.allowed(),
        opaque: Vec::new(),
        starts: Vec::new(),
        learn: Vec::new(),
        engine: explore::Engine::Machine,
        states: Vec::new(),
    };
    Job { function, ignore: Vec::new(), precondition: None, is_property: false, is_private: false, settings }
}

/// Everything that is printed, without times.
fn rendered(result: JobResult) -> String {
    let result = JobResult { millis: 0, preparation: 0, ..result };
    let cases: Vec<String> = result.path_tests().map(|case| format!("{:?}", case.stimulus)).collect();
    let view = TextView { all: true, ..TextView::default() };
    let mut known = KnownFindings::default();
    let first = known.add(&result);
    let (line, text) = (explored_line(&result, &first), explored_text(&result, &first, &view));
    format!("{line}{text}{}{cases:?}", summary(&[result], &known, &view))
}

fn result_of(job: &Job, session: &Session) -> Result<JobResult, Failure> {
    run(job, session, &mut |_| Go::On)
}

#[test]
fn a_job_read_elsewhere_gives_the_same_report() {
    let (mut checked, mut found) = (0, 0);
    for module in MODULES {
        let path = format!("{}/tests/corpus/{module}.erl", env!("CARGO_MANIFEST_DIR"));
        let ((here, functions), (elsewhere, _)) = (open(&path), open(&path));
        for function in functions.iter().take(4) {
            let job = job(&here, &functions, *function);
            let direct = result_of(&job, &here).unwrap_or_else(|error| panic!("{error}"));
            found += direct.exploration.findings.len();
            let job: Job = serde_json::from_str(&serde_json::to_string(&job).expect("a job")).expect("a job");
            let result = result_of(&job, &elsewhere).unwrap_or_else(|error| panic!("{error}"));
            let text = serde_json::to_string(&result).expect("a result");
            assert_eq!(rendered(serde_json::from_str(&text).expect("a result")), rendered(direct), "{function}");
            checked += 1;
        }
    }
    assert!(checked >= 12 && found > 5, "{checked} functions, {found} findings");
}

#[test]
fn a_job_about_other_code_is_refused() {
    let path =
        file(&folder("jobs-changed"), "changed.erl", "-module(changed).\n-export([f/1]).\nf(1) -> error(one).\n");
    let (session, functions) = open(&path);
    let job = job(&session, &functions, functions[0]);
    assert!(result_of(&job, &session).is_ok());
    std::fs::write(&path, "-module(changed).\n-export([f/1]).\nf(2) -> error(two).\n").expect("it is written");
    let refused = result_of(&job, &open(&path).0).err().map(|failure| failure.to_string());
    assert!(refused.is_some_and(|why| why.contains("changed is not the code that the job is about")));
}
