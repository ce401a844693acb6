//! `hound reach --uncovered` on programs of the corpus, and on generated ones: what is proved unreachable is met by no
//! run, random or searched.

mod draw;
#[path = "../exhaustive/finite/mod.rs"]
#[allow(dead_code, reason = "the inputs are not enumerated here")]
mod finite;

use std::path::{Path, PathBuf};

use clap::Parser;
use cli::options::{Command, CommandLine, ReachOptions};
use constraint::{RuleId, Stimulus};
use fastrand::Rng;
use search::reach::{Goal, GoalResult, GoalVerdict};
use search::{ConfirmAll, Go, MachineSubject, Strategy, TestSubject};
use session::Monitor;
use session::reach::{Results, reach};
use solve::Portfolio;
use solve::structural::accepts;
use term::Term;

/// Random runs of each entry point.
const RANDOM_RUNS: usize = 200;
/// Programs that take seconds; HOUND_ALL takes them all.
const QUICK: [&str; 8] = ["checks", "numbers", "safe", "elevator", "closures", "dead", "tcas", "turns"];
/// Searched runs of each entry point, other than those before the result.
const SEARCHED_RUNS: u64 = 100;

/// Generated functions; HOUND_FUNCTIONS says how many.
const FUNCTIONS: u64 = 5;

#[test]
fn nothing_that_is_proved_unreachable_is_ever_run() {
    assert!(judge(&programs()).reached > 0);
}

#[test]
fn nothing_that_is_proved_unreachable_is_ever_run_in_functions_over_finite_domains() {
    let folder = std::env::temp_dir().join(format!("hound-uncovered-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    finite::write(&folder, number("HOUND_SEED", 1), number("HOUND_FUNCTIONS", FUNCTIONS) as usize, 2);
    judge(&[folder.join("finite.erl")]);
    std::fs::remove_dir_all(&folder).expect("the folder was there");
}

fn judge(files: &[PathBuf]) -> Sum {
    let mut sum = Sum::default();
    for file in files {
        let mut check = Check { file: file.clone(), problems: Vec::new(), proved: 0, checked: 0 };
        let done = reach(&options(file).request(), &mut check)
            .unwrap_or_else(|failure| panic!("{}: {failure}", file.display()));
        sum.add(&done, check);
    }
    let Sum { covered, total, reached, unreachable, incomplete, checked, .. } = sum;
    println!(
        "{total} clauses and outcomes: {covered} covered by a short exploration, {reached} reached, {unreachable} proved \
         unreachable, {incomplete} left; {checked} runs against the proofs"
    );
    assert!(sum.problems.is_empty(), "{}", sum.problems.join("\n"));
    assert!(unreachable > 20, "{unreachable} proved");
    assert!(checked > 1_000, "{checked} runs are too few");
    sum
}

#[derive(Default)]
struct Sum {
    covered: usize,
    total: usize,
    reached: usize,
    unreachable: usize,
    incomplete: usize,
    checked: usize,
    problems: Vec<String>,
}

impl Sum {
    fn add(&mut self, done: &Results, check: Check) {
        let tally = done.tally.expect("it explored first");
        self.covered += tally.covered;
        self.total += tally.total;
        for one in &done.reached {
            match one.result.verdict {
                GoalVerdict::Reached { .. } => self.reached += 1,
                GoalVerdict::Unreachable => self.unreachable += 1,
                GoalVerdict::Incomplete => self.incomplete += 1,
            }
        }
        self.checked += check.checked;
        self.problems.extend(check.problems);
    }
}

/// Programs of the corpus, and those whose places are known.
fn programs() -> Vec<PathBuf> {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let mut files = Vec::new();
    for folder in ["corpus", "reach"] {
        let entries = std::fs::read_dir(tests.join(folder)).expect("a folder");
        files.extend(entries.map(|entry| entry.expect("a file").path()));
    }
    files.retain(|file| file.extension().is_some_and(|ending| ending == "erl"));
    files.sort();
    if std::env::var_os("HOUND_ALL").is_none() {
        files.retain(|file| QUICK.iter().any(|quick| file.file_stem().is_some_and(|stem| stem == *quick)));
        assert_eq!(files.len(), QUICK.len(), "{files:?}");
    }
    files
}

fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

fn options(file: &Path) -> ReachOptions {
    let file = file.to_str().expect("UTF-8");
    let words = ["hound", "reach", "--uncovered", "--runs", "12", "--steps", "20000", "--workers", "1", file];
    match CommandLine::try_parse_from(words).expect("good words").command {
        Command::Reach(options) => *options,
        _ => unreachable!("the word says reach"),
    }
}

struct Check {
    file: PathBuf,
    problems: Vec<String>,
    proved: usize,
    checked: usize,
}

impl Monitor for Check {
    fn searched(&mut self, subjects: &mut [MachineSubject<'_>], goals: &[Goal], results: &[GoalResult]) {
        let proved: Vec<&Goal> = goals
            .iter()
            .zip(results)
            .filter(|(_, result)| matches!(result.verdict, GoalVerdict::Unreachable))
            .map(|(goal, _)| goal)
            .collect();
        self.proved += proved.len();
        if proved.is_empty() {
            return;
        }
        for subject in subjects {
            self.random_runs(subject, &proved);
            let mut watched = Watched { subject, proved: &proved, met: Vec::new(), runs: 0 };
            let options = search::ExplorationOptions {
                strategy: Strategy::Breadth,
                max_runs: SEARCHED_RUNS,
                max_shrink: 0,
                ..search::ExplorationOptions::default()
            };
            search::explore(&mut watched, &mut Portfolio::new(None), &mut ConfirmAll, &options, &mut |_: &_| Go::On);
            self.checked += watched.runs;
            let met = std::mem::take(&mut watched.met);
            met.into_iter().for_each(|(goal, inputs)| self.problem(&goal, &inputs));
        }
    }
}

impl Check {
    fn problem(&mut self, goal: &Goal, inputs: &[Term]) {
        let shown: Vec<String> = inputs.iter().map(Term::to_string).collect();
        let file = self.file.display();
        self.problems.push(format!("{file}: {goal:?} was proved unreachable and is met by ({})", shown.join(", ")));
    }

    fn random_runs(&mut self, subject: &mut MachineSubject<'_>, proved: &[&Goal]) {
        let mut random = Rng::with_seed(number("HOUND_SEED", 1));
        let signatures: Vec<Vec<RuleId>> =
            subject.entry_point().signatures.iter().map(|signature| signature.inputs.clone()).collect();
        let atoms = ["a", "ok", "error", "true", "false", "undefined"].map(Term::atom_named);
        for round in 0..RANDOM_RUNS {
            let rules = &signatures[round % signatures.len()];
            let drawn: Option<Vec<Term>> =
                rules.iter().map(|rule| draw::value(subject.grammar(), *rule, &mut random, &atoms)).collect();
            let Some(inputs) = drawn else { continue };
            let fits = rules.iter().zip(&inputs).all(|(rule, input)| accepts(subject.grammar(), *rule, input));
            if !fits {
                continue;
            }
            self.checked += 1;
            subject.run(&Stimulus::from(inputs.clone()));
            let met: Vec<&Goal> = proved.iter().copied().filter(|goal| subject.was_at(goal)).collect();
            met.into_iter().for_each(|goal| self.problem(goal, &inputs));
        }
    }
}

/// A subject whose runs are held against proofs.
struct Watched<'a, 'w> {
    subject: &'a mut MachineSubject<'w>,
    proved: &'a [&'a Goal],
    met: Vec<(Goal, Vec<Term>)>,
    runs: usize,
}

impl TestSubject for Watched<'_, '_> {
    fn run(&mut self, stimulus: &Stimulus) -> search::ConcolicRun {
        let run = self.subject.run(stimulus);
        self.runs += 1;
        if run.in_domain {
            let met = self.proved.iter().filter(|goal| self.subject.was_at(goal));
            self.met.extend(met.map(|goal| ((*goal).clone(), stimulus.inputs.clone())));
        }
        run
    }

    fn arena(&self) -> &constraint::Arena {
        self.subject.arena()
    }

    fn arena_mut(&mut self) -> &mut constraint::Arena {
        self.subject.arena_mut()
    }

    fn grammar(&self) -> &constraint::Grammar {
        self.subject.grammar()
    }

    fn entry_point(&self) -> &search::EntryPoint {
        self.subject.entry_point()
    }

    fn place(&self, site: constraint::Site) -> Option<exec::forward::Place> {
        self.subject.place(site)
    }
}
