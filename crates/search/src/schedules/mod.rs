//! The schedules of a program with processes: every order of events that can make a difference, each once.
//!
//! The events of a run form a partial order ([`execution`]). Two runs with the same events in the same partial order are
//! the same for every process, whatever the order in which they came to pass. From each run follow [`alternatives`]:
//! everything but what follows an event, and then another event in its place. Each of these that is not the beginning of
//! a run that was made already is the beginning of one to make. So every run has a partial order of its own, and when
//! nothing is left, all of them were run: of two maximal orders that differ, the first event in which they do is an
//! alternative.
//!
//! With inputs: a run that begins with an alternative is the root of a tree of its own. The conditions of the events that
//! it begins with are not flipped there: inputs for which they do not hold come to it by another way. All others are, so
//! that a beginning is made once for all inputs with which it can be. A run that was made stands for one if it has decided
//! nothing but the conditions of that beginning when it is over, and if the new event decides nothing or comes directly
//! after it: then all inputs for which these conditions hold begin so in its tree.

mod alternatives;
mod execution;
mod queue;

use std::rc::Rc;

use constraint::{Condition, Decision};
use exec::forward::{EventKind, ProcessEvent};
use rustc_hash::{FxHashMap, FxHashSet};
use term::Term;

use alternatives::{Alternatives, OtherOrder};
use execution::Execution;
use queue::{LONGEST, Queue};

pub use execution::Takes;

/// Conditions of a run.
pub type Conditions = Rc<FxHashSet<Condition>>;

/// A beginning of a run that is to be made.
pub struct Beginning {
    /// The processes that take the first turns.
    pub steps: Vec<u32>,
    /// Inputs with which they can.
    pub inputs: Vec<Term>,
    /// The clause of the spec.
    pub signature: usize,
    /// The number of changes of order since the first run.
    pub generation: u32,
    /// The conditions of the events that it begins with.
    pub inherited: Conditions,
    wanted: Rc<EventSet>,
}

/// A run whose alternatives are not known yet.
struct OpenRun {
    events: Rc<[ProcessEvent]>,
    path: Vec<Decision>,
    inputs: Vec<Term>,
    signature: usize,
    generation: u32,
}

/// The events of a beginning: what a run must have so that it need not be made.
#[derive(Clone, PartialEq, Eq, Hash)]
struct EventSet {
    /// By number of the process: how many of its events, and the last.
    processes: Vec<(u32, u32, u64)>,
    process: u32,
    /// See [`Execution::beginning`].
    beginning: u64,
    /// The clause of the spec.
    signature: usize,
    /// The event that sent the message which is taken, and the message's place there.
    takes: Option<(u64, u32)>,
}

/// A run that was made.
struct MadeRun {
    /// By number of the process: its events.
    processes: FxHashMap<u32, Vec<MadeEvent>>,
    /// By event as it came to pass: the number of decisions up to its end.
    decided: Vec<u32>,
    /// The number of first events whose conditions are not flipped in its tree.
    held: usize,
    signature: usize,
}

struct MadeEvent {
    id: u64,
    /// Its place among all events.
    at: usize,
    decisions: u32,
    /// The events directly before it: the number of the process, and how many of its events there are up to there.
    before: Box<[(u32, u32)]>,
    takes: Option<(u64, u32)>,
}

/// The schedules that were run, and those that wait.
#[derive(Default)]
pub struct Schedules {
    queue: Queue,
    seen: Vec<MadeRun>,
    /// Runs by the event of a process before its next.
    by_event: FxHashMap<(u32, u64), Vec<u32>>,
    /// Runs by each of their events.
    having: FxHashMap<u64, Vec<u32>>,
    /// The beginnings that have waited.
    asked: FxHashSet<Rc<EventSet>>,
    /// Alternatives without an order of messages.
    pub lost: u64,
}

impl Schedules {
    /// The number of beginnings that wait, or did not find room; runs that may have some count as one.
    pub fn waiting(&self) -> u64 {
        self.queue.waiting()
    }

    /// The number of schedules that are left, estimated by how many others the runs so far have led to.
    pub fn estimate(&self) -> u64 {
        self.queue.estimate()
    }

    /// The next beginning that no run has had.
    pub fn next(&mut self, takes: &mut Takes<'_>) -> Option<Beginning> {
        loop {
            if let Some(run) = self.queue.next_run() {
                self.expand(&run, takes);
                continue;
            }
            let beginning = self.queue.next()?;
            if !self.is_seen(&beginning.wanted) {
                return Some(beginning);
            }
        }
    }

    /// Puts a beginning back that was not tried.
    pub fn put_back(&mut self, beginning: Beginning) {
        self.queue.put_back(beginning);
    }

    /// Enters a run, whose first events were `held` to their conditions: what follows from it waits.
    pub fn add(
        &mut self,
        (events, held): (&Rc<[ProcessEvent]>, usize),
        path: &[Decision],
        (signature, inputs, generation): (usize, &[Term], u32),
        takes: &mut Takes<'_>,
    ) {
        if events.len() <= LONGEST {
            self.enter(&Execution::new(events, path, takes), held, signature);
        }
        let (path, inputs) = (path.to_vec(), inputs.to_vec());
        self.queue.add_run(OpenRun { events: Rc::clone(events), path, inputs, signature, generation });
    }

    /// Finds the alternatives of a run.
    fn expand(&mut self, run: &OpenRun, takes: &mut Takes<'_>) {
        let OpenRun { events, path, inputs, signature, generation } = run;
        let mut execution = Execution::new(events, path, takes);
        let alternatives = Alternatives::of(&mut execution, takes);
        self.lost += alternatives.lost;
        for alternative in alternatives.found {
            let wanted = Rc::new(wanted(&execution, &alternative, *signature));
            if self.is_seen(&wanted) || !self.asked.insert(Rc::clone(&wanted)) {
                continue;
            }
            let mut steps: Vec<u32> = alternative.first.iter().map(|event| events[*event].process).collect();
            steps.push(alternative.process);
            self.queue.add(Beginning {
                steps,
                inputs: inputs.clone(),
                signature: *signature,
                generation: generation + 1,
                inherited: conditions(events, path, &alternative.first),
                wanted,
            });
        }
    }

    fn enter(&mut self, execution: &Execution<'_>, held: usize, signature: usize) {
        let run = self.seen.len() as u32;
        let mut processes = FxHashMap::default();
        for (process, events) in execution.of_process.iter().enumerate() {
            let number = execution.numbers[process];
            let mut last = execution.beginning;
            let mut seen = Vec::with_capacity(events.len());
            for event in events {
                self.by_event.entry((number, last)).or_default().push(run);
                let placed = &execution.placed[*event];
                last = placed.id;
                self.having.entry(last).or_default().push(run);
                let before = placed.before.iter().map(|before| {
                    let earlier = &execution.placed[before.event];
                    (execution.numbers[earlier.process], earlier.index + 1)
                });
                seen.push(MadeEvent {
                    id: placed.id,
                    at: *event,
                    decisions: placed.decisions,
                    before: before.collect(),
                    takes: takes(execution, *event),
                });
            }
            processes.insert(number, seen);
        }
        let decided = execution.placed.iter().scan(0, |decided, placed| {
            *decided += placed.decisions;
            Some(*decided)
        });
        self.seen.push(MadeRun { processes, decided: decided.collect(), held, signature });
    }

    /// True if a run has had these events, and decided nothing else before it had them.
    fn is_seen(&self, wanted: &EventSet) -> bool {
        let own = wanted.processes.iter().find(|(number, ..)| *number == wanted.process);
        let last = own.map_or(wanted.beginning, |(_, _, last)| *last);
        let Some(runs) = self.by_event.get(&(wanted.process, last)) else { return false };
        // The rarest of the events is had by few runs.
        let mut fewest = runs;
        for (_, count, last) in &wanted.processes {
            match self.having.get(last) {
                Some(runs) if runs.len() < fewest.len() => fewest = runs,
                Some(_) => {}
                None if *count > 0 => return false,
                None => {}
            }
        }
        fewest.iter().rev().any(|run| self.seen[*run as usize].has(wanted))
    }
}

impl MadeRun {
    fn has(&self, wanted: &EventSet) -> bool {
        if self.signature != wanted.signature {
            return false;
        }
        let (mut decisions, mut last_at) = (0, 0);
        for (number, count, last) in &wanted.processes {
            let Some(events) = self.processes.get(number) else { return false };
            if *count == 0 {
                continue;
            }
            match events.get(*count as usize - 1) {
                Some(event) if event.id == *last => last_at = last_at.max(event.at),
                _ => return false,
            }
            decisions += events[..*count as usize].iter().map(|event| event.decisions).sum::<u32>();
        }
        let counted = |number: u32| wanted.processes.iter().find(|it| it.0 == number).map_or(0, |it| it.1);
        let Some(events) = self.processes.get(&wanted.process) else { return false };
        let Some(next) = events.get(counted(wanted.process) as usize) else { return false };
        // Whatever comes before an event of the beginning is an event of it, too.
        let is_next = next.before.iter().all(|(number, count)| *count <= counted(*number));
        let takes = wanted.takes.is_none() || next.takes == wanted.takes;
        let decided = |at: usize| self.decided.get(at).copied().unwrap_or_default();
        let end = decided(last_at.max(next.at));
        let is_held = self.held > 0 && decided(self.held.min(self.decided.len()) - 1) > end;
        let is_first = next.decisions == 0 || self.is_all_before(next.at, wanted);
        is_next && takes && is_first && !is_held && end == decisions + next.decisions
    }

    /// True if nothing else has come before an event. What an event decides may be what it meets.
    fn is_all_before(&self, at: usize, wanted: &EventSet) -> bool {
        let earlier = |(number, count, _): &(u32, u32, u64)| {
            let events = self.processes.get(number).map_or(&[][..], |events| &events[..*count as usize]);
            events.iter().filter(|event| event.at < at).count()
        };
        wanted.processes.iter().map(earlier).sum::<usize>() == at
    }
}

/// The conditions before the first event of a run, and those of some of its events.
fn conditions(events: &[ProcessEvent], path: &[Decision], of: &[usize]) -> Conditions {
    let begins = |at: usize| events.get(at).map_or(path.len(), |event| event.decisions as usize).min(path.len());
    let own = of.iter().map(|at| begins(*at)..begins(*at + 1).max(begins(*at)));
    let all = std::iter::once(0..begins(0)).chain(own).flat_map(|range| &path[range]);
    Rc::new(all.map(|decision| decision.condition.clone()).collect())
}

fn wanted(execution: &Execution<'_>, alternative: &OtherOrder, signature: usize) -> EventSet {
    let mut processes: Vec<(u32, u32, u64)> = Vec::new();
    let mut kept = vec![false; execution.events.len()];
    alternative.first.iter().for_each(|event| kept[*event] = true);
    for (process, events) in execution.of_process.iter().enumerate() {
        let count = events.iter().take_while(|event| kept[**event]).count();
        if let Some(last) = count.checked_sub(1) {
            processes.push((execution.numbers[process], count as u32, execution.placed[events[last]].id));
        }
    }
    let takes = alternative.takes.map(|message| (execution.placed[message.event as usize].id, message.place));
    EventSet { processes, process: alternative.process, beginning: execution.beginning, signature, takes }
}

fn takes(execution: &Execution<'_>, event: usize) -> Option<(u64, u32)> {
    match execution.events[event].kind {
        EventKind::Receive { taken: Some(message), .. } => {
            Some((execution.placed[message.event as usize].id, message.place))
        }
        _ => None,
    }
}

/// Which events of a run come before one for a reason, itself included.
pub fn causal_past(events: &[ProcessEvent], last: usize) -> Vec<bool> {
    let execution = Execution::new(events, &[], &mut |_, _| None);
    (0..events.len()).map(|event| event <= last && execution.follows(last, event)).collect()
}
