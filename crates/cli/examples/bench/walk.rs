//! The walk on conditions of our own, beside the text's parameters, and what each part of it is worth.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use constraint::Text;
use solve::structural::smallest;
use solve::walk::{self, WalkSettings};
use solve::{Answer, Query};
use term::Term;

/// Points looked at for one condition at most.
const EVALUATIONS: u64 = 200_000;
/// Runs with other random numbers; the middle one counts.
const RUNS: u64 = 3;

/// How a set went.
#[derive(Clone, Copy, Default)]
struct Score {
    all: usize,
    solved: usize,
    /// Of the solved ones.
    evaluations: u64,
    longest: Duration,
}

impl Score {
    fn share(&self) -> f64 {
        self.solved as f64 * 100.0 / self.all.max(1) as f64
    }
}

/// Those that the walk was developed on, those it is measured on, and random ones made so that they have a solution.
type Sets = [Vec<(String, Text)>; 3];
type Variation = (&'static str, fn(&mut WalkSettings));

/// What is changed of the text's algorithm, as the text does it.
const OF_BASELINE: [Variation; 11] = [
    ("tabu disabled", |it| it.tabu = 0),
    ("tabu extended", |it| it.tabu = 5),
    ("bisection disabled", |it| it.bisection = false),
    ("10 steps", |it| it.steps = 10),
    ("30 steps", |it| it.steps = 30),
    ("75 steps", |it| it.steps = 75),
    ("300 steps", |it| it.steps = 300),
    ("3 neighbours", |it| it.neighbours = 3),
    ("25 neighbours", |it| it.neighbours = 25),
    ("50 neighbours", |it| it.neighbours = 50),
    ("100 neighbours", |it| it.neighbours = 100),
];

/// What is changed of ours.
const OF_OURS: [Variation; 10] = [
    ("tabu disabled", |it| it.tabu = 0),
    ("bisection disabled", |it| it.bisection = false),
    ("inversion disabled", |it| it.inversion = false),
    ("slopes disabled", |it| it.gradient = false),
    ("polytope disabled", |it| it.linear = false),
    ("one start", |it| it.restarts = false),
    ("2 steps", |it| it.steps = 2),
    ("60 steps", |it| it.steps = 60),
    ("3 neighbours", |it| it.neighbours = 3),
    ("25 neighbours", |it| it.neighbours = 25),
];

pub fn print() -> Result<(), String> {
    let sets = [read("develop")?, read("measure")?, read("generated")?];
    println!(
        "walk: conditions solved by the walk alone, at most {EVALUATIONS} evaluations each; middle of {RUNS} runs"
    );
    let names = ["develop", "measure", "generated"];
    let heads: Vec<String> = names.iter().zip(&sets).map(|(name, set)| format!("{name} {}", set.len())).collect();
    let heads: String = heads.iter().map(|head| format!(" {head:>13}")).collect();
    println!("{:22}{heads} {:>12} {:>9} {:>8}", "", "evaluations", "longest", "of base");
    let baseline = row("the text's algorithm", &sets, &WalkSettings::baseline(EVALUATIONS), None);
    OF_BASELINE
        .iter()
        .for_each(|(name, change)| varied(name, &sets, WalkSettings::baseline(EVALUATIONS), *change, baseline));
    let ours = row("ours", &sets, &WalkSettings::new(EVALUATIONS), None);
    OF_OURS.iter().for_each(|(name, change)| varied(name, &sets, WalkSettings::new(EVALUATIONS), *change, ours));
    Ok(())
}

fn varied(name: &str, sets: &Sets, mut settings: WalkSettings, change: fn(&mut WalkSettings), base: f64) {
    change(&mut settings);
    row(&format!("  {name}"), sets, &settings, Some(base));
}

/// The share of all conditions that were solved.
fn row(name: &str, sets: &Sets, settings: &WalkSettings, base: Option<f64>) -> f64 {
    let scores = sets.each_ref().map(|set| middle(set, settings));
    let solved: usize = scores.iter().map(|score| score.solved).sum();
    let all: usize = scores.iter().map(|score| score.all).sum();
    let share = solved as f64 / all.max(1) as f64;
    let evaluations = scores.iter().map(|score| score.evaluations).sum::<u64>() / solved.max(1) as u64;
    let longest = scores.iter().map(|score| score.longest).max().unwrap_or_default();
    let of_base = base.map_or(String::new(), |base| format!("{:.2}", share / base));
    let shares: String = scores.iter().map(|score| format!(" {:>12.1}%", score.share())).collect();
    println!("{name:22}{shares} {evaluations:>12} {:>6} ms {of_base:>8}", longest.as_millis());
    share
}

fn middle(set: &[(String, Text)], settings: &WalkSettings) -> Score {
    let mut scores: Vec<Score> = (0..RUNS).map(|seed| score(set, &WalkSettings { seed, ..*settings })).collect();
    scores.sort_by_key(|score| (score.solved, std::cmp::Reverse(score.evaluations)));
    scores[scores.len() / 2]
}

fn score(set: &[(String, Text)], settings: &WalkSettings) -> Score {
    let mut score = Score { all: set.len(), ..Score::default() };
    for (_, text) in set {
        let start = Instant::now();
        let (found, evaluations) = solved(text, settings);
        if found {
            score.solved += 1;
            score.evaluations += evaluations;
            score.longest = score.longest.max(start.elapsed());
        }
    }
    score
}

fn solved(text: &Text, settings: &WalkSettings) -> (bool, u64) {
    let near: Vec<Term> =
        text.inputs.iter().map(|rule| smallest(&text.grammar, *rule).unwrap_or(Term::int(0))).collect();
    let mut spent = 0;
    for conditions in &text.alternatives {
        let Text { arena, grammar, inputs, .. } = text;
        let query = Query { arena, grammar, inputs, conditions, near: &near };
        let (answer, walked) = walk::solve(&query, &near, settings);
        spent += walked.map_or(0, |walked| walked.evaluations);
        if matches!(answer, Answer::Sat(_)) {
            return (true, spent);
        }
    }
    (false, spent)
}

fn read(set: &str) -> Result<Vec<(String, Text)>, String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/conditions").join(set);
    let listed = std::fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut files: Vec<PathBuf> = listed.filter_map(|entry| entry.ok().map(|entry| entry.path())).collect();
    files.sort();
    let one = |file: &PathBuf| {
        let content = std::fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))?;
        let text = Text::read(&content).map_err(|fault| format!("{}:{fault}", file.display()))?;
        Ok((file.display().to_string(), text))
    };
    files.iter().map(one).collect()
}
