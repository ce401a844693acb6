//! Tabu search with restarts: the walk itself.
//!
//! In each step the variable with the largest share in the errors is looked at: the best of its neighbours becomes the
//! new point if it is better, else the variable rests for some steps. When all rest, everything moves.

use fastrand::Rng;

use super::assignment::{Assignment, Oracle};
use super::candidates::Candidates;
use super::error::Metric;
use super::levenberg::Residuals;
use super::linear;
use super::minimize::minimize;
use super::neighbourhood::Neighbourhood;
use super::polytope::Polytope;
use super::problem::NumberProblem;
use super::program::CompiledProblem;
use super::refine::refine;
use super::restarts::Restarts;
use super::settings::WalkSettings;
use super::value::Num;
use crate::executor::WalkStats;

/// The result of a walk, and its cost.
#[derive(Clone, PartialEq, Debug)]
pub struct Walked {
    /// The values found.
    pub values: Option<Vec<Num>>,
    /// Assignments that were evaluated.
    pub evaluations: u64,
    /// Steps of the search.
    pub steps: u64,
    /// Restarts, the first start included.
    pub starts: u64,
}

impl Walked {
    /// The work it took, for an answer that is its own or not.
    pub fn stats(&self, found: bool) -> WalkStats {
        WalkStats { found, evaluations: self.evaluations, steps: self.steps, starts: self.starts }
    }
}

/// Looks for values that meet a problem. It cannot find that there are none.
pub fn walk(problem: &NumberProblem, settings: &WalkSettings, seed: u64) -> Walked {
    walk_asking(problem, &|_, _| Num::Undefined, settings, seed)
}

/// The same for a problem with questions.
pub fn walk_asking(problem: &NumberProblem, oracle: Oracle<'_>, settings: &WalkSettings, seed: u64) -> Walked {
    let Some(program) = CompiledProblem::of(problem) else {
        return Walked { values: None, evaluations: 0, steps: 0, starts: 0 };
    };
    let neighbours = Candidates::new(problem, &program, settings.plain);
    let rows = linear::rows(&program);
    let starts = Restarts::new(problem, if settings.linear { &rows } else { &[] });
    let mut search = TabuSearch {
        point: Assignment::new(&program, oracle, &starts.first(), Metric::Damped),
        goals: Residuals::of(&program),
        linear: (0..program.tests.len()).map(|test| rows.iter().any(|row| row.equal && row.test == test)).collect(),
        polytope: Polytope::of(&program, &rows),
        neighbours,
        rng: Rng::with_seed(seed),
        settings: *settings,
        tabu: vec![0; program.variables()],
        steps: 0,
        relations: relations(&program, &rows, settings),
    };
    let mut count = 0;
    while !search.is_over() {
        let start = starts.at(count, &mut search);
        search.start(&start, count);
        count += 1;
        search.climb(if settings.restarts { patience(count) } else { 1 });
        if !settings.restarts {
            break;
        }
    }
    Walked {
        values: search.point.is_solution().then(|| search.point.values().to_vec()),
        evaluations: search.point.evaluations,
        steps: search.steps,
        starts: count,
    }
}

pub(super) struct TabuSearch<'p> {
    /// The current assignment.
    pub point: Assignment<'p>,
    /// The sums to be made 0.
    pub goals: Residuals,
    /// For each test, true if it is a linear equality.
    pub linear: Vec<bool>,
    /// The linear part of the problem.
    pub polytope: Polytope,
    /// Other values for single variables.
    pub neighbours: Candidates,
    /// The source of random numbers.
    pub rng: Rng,
    /// The parts of the search that are switched on.
    pub settings: WalkSettings,
    /// For how many better steps each variable rests.
    tabu: Vec<u32>,
    steps: u64,
    /// Relations that count for the number of steps.
    relations: u64,
}

/// The text counts what is not linear.
fn relations(program: &CompiledProblem, rows: &[linear::LinearTest], settings: &WalkSettings) -> u64 {
    let linear = if settings.plain { rows.len() } else { 0 };
    program.tests.len().saturating_sub(linear).clamp(1, MOST_RELATIONS) as u64
}

/// More relations do not make a walk from one start any longer.
const MOST_RELATIONS: usize = 20;

/// The length for which the start of that number, from 1, is followed: mostly shortly, now and then longer, and each length takes
/// about the same share of all steps (1 1 2 1 1 2 4 1 1 2 …).
fn patience(number: u64) -> u64 {
    let above = (number + 1).next_power_of_two();
    if number + 1 == above { above / 2 } else { patience(number + 1 - above / 2) }
}

/// Instructions that an evaluation may cost on average.
const WORK: u64 = 256;

impl TabuSearch<'_> {
    /// Returns true if a solution is found or the budget is used up.
    pub fn is_over(&self) -> bool {
        term::cut::work(50);
        let point = &self.point;
        point.is_solution()
            || point.evaluations >= self.settings.evaluations
            || point.work >= self.settings.evaluations.saturating_mul(WORK)
    }

    fn start(&mut self, start: &[Num], count: u64) {
        let metric = match count % 3 {
            _ if self.settings.plain => Metric::Plain,
            0 | 1 => Metric::Damped,
            _ => Metric::Bits,
        };
        self.tabu.fill(0);
        self.point.jump(start, metric);
    }

    fn climb(&mut self, patience: u64) {
        self.together();
        let limit = self.steps + patience * self.settings.steps * self.relations;
        while !self.is_over() && self.steps < limit {
            self.steps += 1;
            match self.worst() {
                Some(variable) => self.improve(variable),
                None => self.kick(),
            }
        }
    }

    /// Moves all variables along the slopes, and looks around where that ends.
    fn together(&mut self) {
        if !self.settings.gradient || self.is_over() {
            return;
        }
        self.goals.descend(&mut self.point);
        minimize(&mut self.point);
        refine(self);
    }

    /// The variable with the largest share in the errors, of those that do not rest.
    fn worst(&mut self) -> Option<usize> {
        let mut shares = vec![0.0; self.tabu.len()];
        for test in self.point.unmet() {
            for variable in &self.point.program.variables_of[test] {
                shares[*variable] += self.point.errors[test];
            }
        }
        let free = |at: usize| shares[at] > 0.0 && (self.tabu[at] == 0 || self.settings.tabu == 0);
        let most = (0..shares.len()).filter(|at| free(*at)).map(|at| shares[at]).fold(0.0, f64::max);
        let best: Vec<usize> = (0..shares.len()).filter(|at| free(*at) && shares[*at] == most).collect();
        self.rng.choice(best)
    }

    /// To the best neighbour if it is better; else the variable rests.
    fn improve(&mut self, variable: usize) {
        let mut look = Neighbourhood::new(&self.point);
        look.around(self, variable);
        if look.take(&mut self.point) {
            self.tabu.iter_mut().for_each(|rest| *rest = rest.saturating_sub(1));
        } else {
            self.tabu[variable] = self.settings.rest(self.tabu.len());
        }
    }

    /// Everything moves; nothing rests.
    fn kick(&mut self) {
        self.tabu.fill(0);
        let mut values = self.point.values().to_vec();
        let all = self.settings.plain || self.rng.bool();
        let only = self.rng.usize(..values.len().max(1));
        for (at, value) in values.iter_mut().enumerate() {
            if all || at == only || self.rng.u8(..4) == 0 {
                *value = self.neighbours.random(at, value, &mut self.rng);
            }
        }
        let values = if self.settings.linear { self.polytope.restored(values) } else { values };
        self.point.jump(&values, self.point.metric);
        if self.rng.bool() {
            self.together();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn starts_are_followed_for_different_times() {
        let lengths: Vec<u64> = (1..=15).map(patience).collect();
        assert_eq!(lengths, [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]);
    }
}
