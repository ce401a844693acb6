//! Every unsat answer of some explorations asked again, and an exploration whose solver is wrong.

use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Parser;
use cli::options::{Command, CommandLine};
use search::reach::{Goal, GoalResult};
use search::{ConfirmAll, ExplorationOptions, Go, MachineSubject, Verdict};
use session::job::{Settings, run};
use session::reach::reach;
use session::{Job, Monitor, SearchBounds, SessionOptions, explore};
use solve::{Answer, Budget, Executor, Portfolio, Query, RecheckCounts, Rechecker, Response, Solvers};

use crate::finite;
use crate::{number, seed, z3};

/// Programs of the usual sample; HOUND_ALL takes them all, HOUND_FILES those that it names.
const SAMPLE: [&str; 3] = ["keyed", "numbers", "packets"];
/// Runs for each function; HOUND_RUNS says how many.
const RUNS: u64 = 20;
/// Generated functions; HOUND_PROGRAMS says how many.
const GENERATED: u64 = 12;

/// Counts of all answers that were asked again.
#[derive(Default)]
struct Tally {
    functions: usize,
    all: RecheckCounts,
}

impl Tally {
    /// Explores all functions of a file, every unsat answer asked again.
    fn add(&mut self, file: &Path) {
        let path = file.to_str().expect("UTF-8").to_owned();
        let (opened, functions) = explore::open(std::slice::from_ref(&path), &SessionOptions::default()).expect(&path);
        let session = opened.session;
        let modules = explore::modules(&functions);
        let bounds = SearchBounds {
            rechecked: number("HOUND_ONE_IN", 1),
            runs: number("HOUND_RUNS", RUNS),
            ..SearchBounds::EXPLORE
        };
        let settings = Settings {
            bounds: SearchBounds { time: 120, ..bounds },
            strategy: search::Strategy::default(),
            concretize: exec::forward::Concretize::default(),
            any_clock: false,
            keep: 0,
            executions: 0,
            decisions: 0,
            tested: session.tested(&modules),
            modules: modules.into_iter().map(|module| (module, session.content(module))).collect(),
            allowed: session.allowed(),
            opaque: Vec::new(),
            starts: Vec::new(),
            learn: Vec::new(),
            seed: 0,
            engine: explore::Engine::Machine,
            states: Vec::new(),
        };
        let (began, before) = (Instant::now(), self.count());
        for function in functions {
            let job = Job {
                function,
                ignore: Vec::new(),
                precondition: None,
                is_property: false,
                is_private: false,
                settings: settings.clone(),
            };
            let result = run(&job, &session, &mut |_| Go::On).expect(&path);
            let RecheckCounts { confirmed, undecided, refuted } = result.solver.rechecks;
            self.functions += 1;
            self.all.confirmed += confirmed;
            self.all.undecided += undecided;
            self.all.refuted.extend(refuted.into_iter().map(|what| format!("{function}: {what}")));
        }
        let (asked, took) = (self.count() - before, began.elapsed());
        println!("{}: {asked} asked again in {} ms", file.display(), took.as_millis());
    }

    fn count(&self) -> u64 {
        self.all.confirmed + self.all.undecided + self.all.refuted.len() as u64
    }

    /// Prints the counts; none may be refuted, and most must be confirmed.
    fn judge(&self) {
        let RecheckCounts { confirmed, undecided, refuted } = &self.all;
        let asked = self.count();
        println!(
            "{} functions, {asked} unsat answers asked again: {confirmed} confirmed, {undecided} undecided, {} refuted",
            self.functions,
            refuted.len()
        );
        assert!(refuted.is_empty(), "{}", refuted.join("\n"));
        assert!(confirmed * 10 >= asked * 4, "{confirmed} of {asked} confirmed");
    }
}

/// The programs of the corpus, or a sample of them.
pub fn programs() -> Vec<PathBuf> {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let all = std::env::var_os("HOUND_ALL").is_some();
    let names = std::env::var("HOUND_FILES").unwrap_or_else(|_| SAMPLE.join(" "));
    let mut files = Vec::new();
    for folder in if all { &["corpus", "reach"][..] } else { &["corpus"] } {
        let entries = std::fs::read_dir(tests.join(folder)).expect("a folder");
        files.extend(entries.map(|entry| entry.expect("a file").path()));
    }
    files.retain(|file| file.extension().is_some_and(|ending| ending == "erl"));
    files.retain(|file| all || names.split(' ').any(|name| file.file_stem().is_some_and(|stem| stem == name)));
    files.sort();
    files
}

#[test]
fn unsat_answers_in_programs_hold() {
    let mut tally = Tally::default();
    programs().iter().for_each(|file| tally.add(file));
    tally.judge();
    assert!(tally.count() > 200, "{} are too few", tally.count());
}

#[test]
fn unsat_answers_in_functions_over_finite_domains_hold() {
    let folder = std::env::temp_dir().join(format!("hound-recheck-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    finite::write(&folder, seed(), number("HOUND_PROGRAMS", GENERATED) as usize, 2);
    let mut tally = Tally::default();
    tally.add(&folder.join("finite.erl"));
    std::fs::remove_dir_all(&folder).expect("the folder was there");
    tally.judge();
}

/// A solver that takes every branch for infeasible.
struct Wrong(Solvers);

impl Executor for Wrong {
    fn execute(
        &mut self,
        queries: &[Query<'_>],
        budget: &Budget,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Vec<Option<Response>> {
        let wrong = |response: Response| match response.answer {
            Answer::Sat(_) => Response { answer: Answer::Unsat, ..response },
            _ => response,
        };
        self.0.execute(queries, budget, go_on).into_iter().map(|response| response.map(wrong)).collect()
    }
}

/// Crashes that only a solver finds: long inputs have round numbers, and what is near them.
const HIDDEN: &str = "\
-module(hidden).
-export([far/1, near/2]).
-spec far(integer()) -> ok.
far(X) when X * 7 + 3 =:= 5010795212 -> error(hidden);
far(_) -> ok.
-spec near([a | b], integer()) -> ok.
near([b | _], N) when N * 3 + 4 =:= 2947354963 -> error(hidden);
near(_, _) -> ok.
";

/// The verdicts of each function, by a wrong solver: alone, and with its answers asked again.
#[derive(Default)]
struct Planted(Vec<[(Verdict, Vec<String>); 2]>);

impl Monitor for Planted {
    fn searched(&mut self, subjects: &mut [MachineSubject<'_>], _: &[Goal], _: &[GoalResult]) {
        for subject in subjects {
            let mut verdict = |rechecked: bool| {
                let wrong = Portfolio::with(Box::new(Wrong(Solvers::new(None))));
                let rechecker = Rechecker::new(Box::new(z3()), 1);
                let mut solver = if rechecked { wrong.rechecked_by(rechecker) } else { wrong };
                let options = ExplorationOptions::default();
                let found = search::explore(subject, &mut solver, &mut ConfirmAll, &options, &mut |_: &_| Go::On);
                (found.verdict, found.causes.iter().map(|cause| cause.reason.code().to_owned()).collect())
            };
            self.0.push([verdict(false), verdict(true)]);
        }
    }
}

#[test]
fn a_solver_that_is_wrong_makes_no_proof() {
    let folder = std::env::temp_dir().join(format!("hound-hidden-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join("hidden.erl");
    std::fs::write(&file, HIDDEN).expect("a program");
    let words = ["hound", "reach", file.to_str().expect("UTF-8"), "hidden:far/1", "hidden:near/2"];
    let request = match CommandLine::try_parse_from(words).expect("good words").command {
        Command::Reach(options) => options.request(),
        _ => unreachable!("the word says reach"),
    };
    let mut planted = Planted::default();
    reach(&request, &mut planted).unwrap_or_else(|failure| panic!("{failure}"));
    std::fs::remove_dir_all(&folder).expect("the folder was there");
    assert_eq!(planted.0.len(), 2);
    for [alone, rechecked] in planted.0 {
        assert_eq!(alone, (Verdict::Safe, Vec::new()));
        assert_eq!(rechecked, (Verdict::Incomplete, vec![String::from("solver-disputed")]));
    }
}
