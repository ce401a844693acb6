//! The schedules of a program with processes: every order of events that can make a difference, each once.
//!
//! The events of a run form a partial order ([`execution`]). Two runs with the same events in the same partial order are
//! the same for every process, whatever the order in which they came to pass. From each run follow [`alternatives`]:
//! everything but what follows an event, and then another event in its place. Each of these that is not the beginning of
//! a run that was made already is the beginning of one to make. So every run has a partial order of its own, and when
//! nothing is left, all of them were run: of a run that was not made, take the first event that no run with all events
//! before it has; it is an alternative of each of these. What a `receive` takes is a choice, and so is that a look finds
//! nothing: events that were not taken are not ordered with it. So not every alternative has an order in which all others
//! make the choices that they made; then those are looked for that lack one of them ([`constraints`]).
//!
//! With inputs: a run that begins with an alternative is the root of a tree of its own. The conditions of the events that
//! it begins with are not flipped there: inputs for which they do not hold come to it by another way. All others are, so
//! that a beginning is made once for all inputs with which it can be. A run that was made stands for one if it has decided
//! nothing but the conditions of that beginning when it is over, and if the new event decides nothing or comes directly
//! after it: then all inputs for which these conditions hold begin so in its tree.

mod alternatives;
mod constraints;
mod delivery;
mod execution;
mod made;
mod numbers;
mod queue;
mod roots;

use std::collections::VecDeque;
use std::rc::Rc;

use constraint::{Condition, Decision};
use exec::forward::ProcessEvent;
use rustc_hash::FxHashSet;
use term::Term;

use crate::subject::PatternMatch;

use alternatives::alternatives;
use execution::{Execution, Matches};
use made::{Extension, MadeRuns};
use queue::{LONGEST, Queue};

pub use delivery::is_overtaken;
pub use execution::Takes;
pub use numbers::Renumbering;
pub use roots::{Consequence, FollowingCrash, roots};

/// The first events of a run that is too long, in which other orders are looked for.
const LONG_BEGINNING: usize = 500;

/// Alternatives of one run that cannot be ordered, for which narrower ones are looked for.
const MOST_REFUSED: usize = 1_000;

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
    wanted: Rc<Extension>,
}

/// A run whose alternatives are not known yet.
struct OpenRun {
    execution: Execution,
    path: Vec<Decision>,
    inputs: Vec<Term>,
    signature: usize,
    generation: u32,
}

/// The schedules that were run, and those that wait.
#[derive(Default)]
pub struct Schedules {
    queue: Queue,
    made: MadeRuns,
    /// The beginnings that have waited.
    asked: FxHashSet<Rc<Extension>>,
    /// Alternatives for which an order of messages may or may not be.
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
            if !self.made.has(&beginning.wanted) {
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
        let (events, path) = if events.len() > LONGEST {
            self.queue.forget_rest();
            (&beginning(events, LONG_BEGINNING), &path[..path.len().min(events[LONG_BEGINNING].decisions as usize)])
        } else {
            (events, path)
        };
        let execution = Execution::new(events, path, takes);
        self.made.add(&execution, held, signature);
        let (path, inputs) = (path.to_vec(), inputs.to_vec());
        self.queue.add_run(OpenRun { execution, path, inputs, signature, generation });
    }

    /// Finds the alternatives of a run.
    fn expand(&mut self, run: &OpenRun, takes: &mut Takes<'_>) {
        let OpenRun { execution, path, inputs, signature, generation } = run;
        let mut matches = Matches::new(takes);
        let mut open = VecDeque::from(alternatives(execution, &mut matches));
        let mut refused = FxHashSet::default();
        while let Some(alternative) = open.pop_front() {
            let wanted = Extension::new(execution, &alternative, *signature);
            if self.asked.contains(&wanted) || refused.contains(&wanted) || self.made.has(&wanted) {
                continue;
            }
            let first = match alternative.order(execution, &mut matches) {
                Ok(first) => first,
                Err(contradiction) => {
                    self.lost += u64::from(contradiction.depends_on_inputs || refused.len() >= MOST_REFUSED);
                    if refused.len() < MOST_REFUSED {
                        open.extend(alternative.narrower(execution, &contradiction));
                    }
                    refused.insert(wanted);
                    continue;
                }
            };
            let wanted = Rc::new(wanted);
            self.asked.insert(Rc::clone(&wanted));
            let mut steps: Vec<u32> = first.iter().map(|event| execution.events[*event].process).collect();
            steps.push(alternative.process);
            self.queue.add(Beginning {
                steps,
                inputs: inputs.clone(),
                signature: *signature,
                generation: generation + 1,
                inherited: conditions(&execution.events, path, &first),
                wanted,
            });
        }
    }
}

/// The first events of a run. What later ones have done to their messages is left out.
fn beginning(events: &[ProcessEvent], count: usize) -> Rc<[ProcessEvent]> {
    let mut events = events[..count].to_vec();
    for sent in events.iter_mut().flat_map(|event| &mut event.sent) {
        if sent.behind.is_some_and(|behind| behind as usize >= count) {
            (sent.behind, sent.waits) = (None, true);
        }
    }
    events.into()
}

/// The conditions before the first event of a run, and those of some of its events.
fn conditions(events: &[ProcessEvent], path: &[Decision], of: &[usize]) -> Conditions {
    let begins = |at: usize| events.get(at).map_or(path.len(), |event| event.decisions as usize).min(path.len());
    let own = of.iter().map(|at| begins(*at)..begins(*at + 1).max(begins(*at)));
    let all = std::iter::once(0..begins(0)).chain(own).flat_map(|range| &path[range]);
    Rc::new(all.map(|decision| decision.condition.clone()).collect())
}

/// Which events of a run come before one for a reason, itself included.
pub fn causal_past(events: &[ProcessEvent], last: usize) -> Vec<bool> {
    let execution = Execution::new(&events.into(), &[], &mut |_, _| PatternMatch::UNKNOWN);
    (0..events.len()).map(|event| event <= last && execution.follows(last, event)).collect()
}
