//! The runs that were made, found by their events.

use exec::forward::EventKind;
use rustc_hash::FxHashMap;

use super::alternatives::Alternative;
use super::execution::Execution;

/// A configuration and an event after it: what a run must have so that it need not be made.
#[derive(PartialEq, Eq, Hash)]
pub struct Extension {
    /// By number of the process: how many of its events, and the last.
    processes: Vec<(u32, u32, u64)>,
    /// The number of decisions that belong to these events.
    decisions: u32,
    /// The process of the event after them.
    process: u32,
    /// See [`Execution::beginning`].
    beginning: u64,
    /// The clause of the spec.
    signature: usize,
    /// The event that sent the message which is taken, and the message's place there.
    takes: Option<(u64, u32)>,
}

impl Extension {
    /// The configuration and event of an alternative.
    pub fn new(execution: &Execution, alternative: &Alternative, signature: usize) -> Extension {
        let (mut processes, mut decisions) = (Vec::with_capacity(execution.numbers.len()), 0);
        for (process, count) in alternative.past.counts().iter().enumerate() {
            let own = &execution.of_process[process][..*count as usize];
            if let Some(last) = own.last() {
                processes.push((execution.numbers[process], *count, execution.placed[*last].id));
                decisions += own.iter().map(|event| execution.placed[*event].decisions).sum::<u32>();
            }
        }
        let takes = alternative.takes.map(|message| (execution.placed[message.event as usize].id, message.place));
        let (process, beginning) = (alternative.process, execution.beginning);
        Extension { processes, decisions, process, beginning, signature, takes }
    }

    /// The number of events of a process.
    fn count(&self, number: u32) -> u32 {
        self.processes.iter().find(|it| it.0 == number).map_or(0, |it| it.1)
    }
}

/// An event that runs have had.
struct MadeEvent {
    decisions: u32,
    /// The events directly before it: the number of the process, and how many of its events there are up to there.
    before: Box<[(u32, u32)]>,
    takes: Option<(u64, u32)>,
    runs: RunSet,
}

/// A run that was made.
struct MadeRun {
    /// By number of the process: its events, with their places among all.
    processes: FxHashMap<u32, Box<[(u32, u64)]>>,
    /// By event as it came to pass: the number of decisions up to its end; empty if there are none.
    decided: Box<[u32]>,
    /// The number of first events whose conditions are not flipped in its tree.
    held: usize,
    signature: usize,
}

/// Runs and their events. Events with the same identity have the same past.
#[derive(Default)]
pub struct MadeRuns {
    runs: Vec<MadeRun>,
    events: FxHashMap<u64, MadeEvent>,
    /// By number of a process and its last event: those that came next in some run.
    next: FxHashMap<(u32, u64), Vec<u64>>,
}

impl MadeRuns {
    /// Enters a run, whose first events were `held` to their conditions.
    pub fn add(&mut self, execution: &Execution, held: usize, signature: usize) {
        let run = self.runs.len() as u32;
        let mut processes = FxHashMap::default();
        for (process, own) in execution.of_process.iter().enumerate() {
            let number = execution.numbers[process];
            let mut last = execution.beginning;
            for event in own {
                let placed = &execution.placed[*event];
                let made = self.events.entry(placed.id).or_insert_with(|| {
                    self.next.entry((number, last)).or_default().push(placed.id);
                    MadeEvent::new(execution, *event)
                });
                made.runs.push(run);
                last = placed.id;
            }
            let places = own.iter().map(|event| (*event as u32, execution.placed[*event].id));
            processes.insert(number, places.collect());
        }
        let decided: Box<[u32]> = execution
            .placed
            .iter()
            .scan(0, |decided, placed| {
                *decided += placed.decisions;
                Some(*decided)
            })
            .collect();
        let decides = decided.last().is_some_and(|all| *all > 0);
        self.runs.push(MadeRun { processes, decided: if decides { decided } else { Box::default() }, held, signature });
    }

    /// True if a run has had these events, and decided nothing else before it had them.
    pub fn has(&self, wanted: &Extension) -> bool {
        let own = wanted.processes.iter().find(|(number, ..)| *number == wanted.process);
        let last = own.map_or(wanted.beginning, |(_, _, last)| *last);
        let Some(next) = self.next.get(&(wanted.process, last)) else { return false };
        let Some(mut sets) = self.runs_of(wanted) else { return false };
        // Through the events that could be the next, or through the runs that have all others, whichever are fewer.
        if sets.first().is_some_and(|fewest| fewest.0.len() < next.len()) {
            return common(&sets).map(|run| &self.runs[run as usize]).any(|run| {
                let next = run.next(wanted).and_then(|id| self.events.get(&id));
                next.is_some_and(|next| next.extends(wanted) && run.stands_for(wanted, next))
            });
        }
        next.iter().filter_map(|id| self.events.get(id)).filter(|next| next.extends(wanted)).any(|next| {
            sets.push(&next.runs);
            let found = common(&sets).any(|run| self.runs[run as usize].stands_for(wanted, next));
            sets.pop();
            found
        })
    }

    /// By process: the runs that have its last event, fewest first; nothing if none has one of them.
    fn runs_of(&self, wanted: &Extension) -> Option<Vec<&RunSet>> {
        let having = |(_, _, last): &(u32, u32, u64)| self.events.get(last).map(|event| &event.runs);
        let mut sets: Vec<&RunSet> = wanted.processes.iter().map(having).collect::<Option<_>>()?;
        sets.sort_by_key(|set| set.0.len());
        Some(sets)
    }
}

impl MadeEvent {
    fn new(execution: &Execution, event: usize) -> MadeEvent {
        let placed = &execution.placed[event];
        let before = placed.before.iter().map(|before| {
            let earlier = &execution.placed[before.event];
            (execution.numbers[earlier.process], earlier.index + 1)
        });
        let takes = match execution.events[event].kind {
            EventKind::Receive { taken: Some(message), .. } => {
                Some((execution.placed[message.event as usize].id, message.place))
            }
            _ => None,
        };
        MadeEvent { decisions: placed.decisions, before: before.collect(), takes, runs: RunSet::default() }
    }

    /// True if it can come after these events, and is what is wanted there.
    fn extends(&self, wanted: &Extension) -> bool {
        // Whatever comes before an event of the configuration is an event of it, too.
        let is_next = self.before.iter().all(|(number, count)| *count <= wanted.count(*number));
        is_next && (wanted.takes.is_none() || self.takes == wanted.takes)
    }
}

impl MadeRun {
    /// The event of the process after those of a configuration.
    fn next(&self, wanted: &Extension) -> Option<u64> {
        let own = self.processes.get(&wanted.process)?;
        own.get(wanted.count(wanted.process) as usize).map(|(_, id)| *id)
    }

    /// True if this run, which has the events of a configuration and the one after it, has decided nothing else up to
    /// there.
    fn stands_for(&self, wanted: &Extension, next: &MadeEvent) -> bool {
        if self.signature != wanted.signature {
            return false;
        }
        if self.decided.is_empty() {
            return true;
        }
        let place = |number: u32, index: u32| {
            self.processes.get(&number).and_then(|own| own.get(index as usize)).map_or(0, |(at, _)| *at as usize)
        };
        let next_at = place(wanted.process, wanted.count(wanted.process));
        let last_at = wanted.processes.iter().map(|(number, count, _)| place(*number, count - 1)).max();
        let decided = |at: usize| self.decided.get(at).copied().unwrap_or_default();
        let end = decided(last_at.unwrap_or_default().max(next_at));
        let is_held = self.held > 0 && decided(self.held.min(self.decided.len()) - 1) > end;
        let is_first = next.decisions == 0 || self.is_all_before(next_at, wanted);
        is_first && !is_held && end == wanted.decisions + next.decisions
    }

    /// True if nothing else has come before an event. What an event decides may be what it meets.
    fn is_all_before(&self, at: usize, wanted: &Extension) -> bool {
        let earlier = |(number, count, _): &(u32, u32, u64)| {
            let own = self.processes.get(number).map_or(&[][..], |own| &own[..*count as usize]);
            own.partition_point(|(event, _)| (*event as usize) < at)
        };
        wanted.processes.iter().map(earlier).sum::<usize>() == at
    }
}

/// A set of runs, as words of 64 runs each; words without any are left out.
#[derive(Default)]
struct RunSet(Vec<(u32, u64)>);

impl RunSet {
    /// Adds a run; runs are added in order.
    fn push(&mut self, run: u32) {
        let (word, bit) = (run / 64, 1 << (run % 64));
        match self.0.last_mut() {
            Some((last, bits)) if *last == word => *bits |= bit,
            _ => self.0.push((word, bit)),
        }
    }

    fn word(&self, word: u32) -> u64 {
        self.0.binary_search_by_key(&word, |entry| entry.0).map_or(0, |at| self.0[at].1)
    }
}

/// The runs that are in all of these sets, the last first.
fn common<'s>(sets: &'s [&RunSet]) -> impl Iterator<Item = u32> + use<'s> {
    let fewest = sets.iter().min_by_key(|set| set.0.len()).map_or(&[][..], |set| &set.0);
    fewest.iter().rev().flat_map(move |(word, bits)| {
        let mut left = sets.iter().try_fold(*bits, |left, set| Some(left & set.word(*word)).filter(|left| *left != 0));
        std::iter::from_fn(move || {
            let bit = left?.checked_ilog2()?;
            left = left.map(|left| left & !(1 << bit));
            Some(word * 64 + bit)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(runs: &[u32]) -> RunSet {
        let mut set = RunSet::default();
        runs.iter().for_each(|run| set.push(*run));
        set
    }

    #[test]
    fn runs_in_all_sets_are_found_last_first() {
        let (one, other) = (set(&[0, 3, 63, 64, 200, 1000]), set(&[3, 64, 65, 199, 1000, 1001]));
        assert_eq!(common(&[&one, &other]).collect::<Vec<_>>(), [1000, 64, 3]);
        assert_eq!(common(&[&one, &set(&[])]).count(), 0);
        assert_eq!(common(&[&one]).count(), 6);
    }
}
