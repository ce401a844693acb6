//! The order in which schedules are tried: short runs first, of these the ones with few changes between processes.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::{Beginning, OpenRun};

/// Beginnings that are kept; of more, the last are forgotten and counted.
const MOST: usize = 20_000;

/// Runs without alternatives yet that are kept.
const MOST_RUNS: usize = 2_000;

/// Events of the longest run that other orders are looked for in as a whole.
pub const LONGEST: usize = 2_000;

/// Events of runs that count as equally long.
const BUCKET: usize = 32;

/// The rank of a beginning: its length in buckets, its switches, its length, its age.
type Rank = (usize, u32, usize, u64);

/// Beginnings and runs that wait.
#[derive(Default)]
pub struct Queue {
    beginnings: BTreeMap<Rank, Beginning>,
    /// Runs whose alternatives are not known, by length and age.
    runs: BTreeMap<(usize, u64), OpenRun>,
    count: u64,
    /// Beginnings that found no room.
    forgotten: u64,
    /// By number of changes since the first run: runs, and the beginnings that they led to.
    generations: Vec<(u64, u64)>,
}

impl Queue {
    /// The number of those that wait or found no room.
    pub fn waiting(&self) -> u64 {
        self.beginnings.len() as u64 + self.runs.len() as u64 + self.forgotten
    }

    /// Adds a run.
    pub fn add_run(&mut self, run: OpenRun) {
        self.generation(run.generation).0 += 1;
        self.count += 1;
        self.runs.insert((run.execution.events.len(), self.count), run);
        if self.runs.len() > MOST_RUNS {
            self.runs.pop_last();
            self.forgotten += 1;
        }
    }

    /// Counts the alternatives that a run has after its first events, and that are not looked for.
    pub fn forget_rest(&mut self) {
        self.forgotten += 1;
    }

    /// Adds a beginning.
    pub fn add(&mut self, beginning: Beginning) {
        self.generation(beginning.generation - 1).1 += 1;
        self.put_back(beginning);
        if self.beginnings.len() > MOST {
            self.beginnings.pop_last();
            self.forgotten += 1;
        }
    }

    /// Puts a beginning back that was not tried.
    pub fn put_back(&mut self, beginning: Beginning) {
        self.count += 1;
        let length = beginning.steps.len();
        self.beginnings.insert((length / BUCKET, switches(&beginning.steps), length, self.count), beginning);
    }

    /// The next run whose alternatives are needed before any beginning that waits.
    pub fn next_run(&mut self) -> Option<OpenRun> {
        let (length, _) = *self.runs.first_key_value()?.0;
        let first = self.beginnings.first_key_value().map(|(rank, _)| rank.0);
        let comes_first = first.is_none_or(|bucket| length / BUCKET <= bucket);
        comes_first.then(|| self.runs.pop_first()).flatten().map(|(_, run)| run)
    }

    /// The next beginning.
    pub fn next(&mut self) -> Option<Beginning> {
        self.beginnings.pop_first().map(|(_, beginning)| beginning)
    }

    /// The number of runs that are left, if beginnings lead to as many others as those with as many changes did so far.
    pub fn estimate(&self) -> u64 {
        let mut waiting = vec![0.0; self.generations.len() + 1];
        for beginning in self.beginnings.values() {
            if let Some(count) = waiting.get_mut(beginning.generation as usize) {
                *count += 1.0;
            }
        }
        let mut sizes = vec![1.0; self.generations.len() + 1];
        for (at, (runs, found)) in self.generations.iter().enumerate().rev() {
            let children = if *runs == 0 { 0.0 } else { *found as f64 / *runs as f64 };
            sizes[at] = 1.0 + children * sizes[at + 1];
        }
        let left: f64 = waiting.iter().zip(&sizes).map(|(count, size)| count * size).sum();
        (left as u64).max(self.waiting())
    }

    fn generation(&mut self, generation: u32) -> &mut (u64, u64) {
        let at = generation as usize;
        if self.generations.len() <= at {
            self.generations.resize(at + 1, (0, 0));
        }
        &mut self.generations[at]
    }
}

/// The number of times that a process is left and comes back later.
fn switches(steps: &[u32]) -> u32 {
    let later: FxHashMap<u32, usize> = steps.iter().enumerate().map(|(at, process)| (*process, at)).collect();
    steps.windows(2).enumerate().filter(|(at, pair)| pair[0] != pair[1] && later[&pair[0]] > *at).count() as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_that_is_left_for_good_is_no_switch() {
        assert_eq!(switches(&[0, 0, 1, 1, 2]), 0);
        assert_eq!(switches(&[0, 1, 0]), 1);
        assert_eq!(switches(&[0, 1, 0, 1]), 2);
        assert_eq!(switches(&[]), 0);
    }
}
