//! The real VM as a confirm: it runs the call with the module's lines counted, in whatever process.
//!
//! A call that starts processes, or for which time has to pass, is replayed under the schedule of the run. A line is
//! confirmed if the VM counted it, however the call ended, unless it left the schedule. A clause is confirmed by the first line of its body
//! where no other code has that line. An outcome of a test has no line of its own, nor has a clause that shares its
//! lines: there the VM must end the call as our machine does, and run every line that our machine runs.

use std::collections::{BTreeMap, BTreeSet};

use constraint::Stimulus;
use exec::forward::{ClauseId, Coverage, Ending, Machine, Options as Recording, ProcessEvent, Schedule};
use frontend::core::Name;
use host::{CallResult, Host, HostError, LineWatch, NotPerformed, Passage, Performed, WatchedCall};
use ir::{BasicBlock, Function, Op};
use search::reach::{Goal, ReachConfirm, ReachConfirmation};
use term::{Atom, Call, Mfa, Outcome};

use super::Proof;
use crate::confirm::{is_same_ending, passages, uncaught};
use crate::library::lines;
use crate::{SearchBounds, Session};

/// A run of a witness on our machine.
struct OwnRun {
    ending: Ending,
    coverage: Coverage,
    /// The turns of its processes, if it needs a schedule on the VM.
    turns: Option<Vec<Passage>>,
}

/// The ends that a call had on the VM: its outcome, and those of processes that crashed; none if it waits.
type Endings = Vec<CallResult>;

/// A call on the VM, with its ends or the reason why it has none.
type RunThere = WatchedCall<Result<Endings, ReachConfirmation>>;

/// Confirms on the VM that calls get to goals.
pub struct LineWitness {
    session: Session,
    machine: Machine,
    /// The VM that counts; it is started with the first call.
    watch: Option<LineWatch>,
    /// The VM that counts under schedules; it is started with the first of them.
    conducting: Option<LineWatch>,
    /// The number of places of each line in a module's graphs.
    lines: BTreeMap<Atom, BTreeMap<u32, usize>>,
    /// The proof of each goal that was confirmed.
    confirmed: Vec<(Goal, Proof)>,
}

impl LineWitness {
    /// Returns a witness whose runs on our machine stay within these bounds.
    pub fn new(session: Session, bounds: &SearchBounds, any_clock: bool) -> LineWitness {
        let recording = Recording { coverage: true, processes: true, any_clock, ..Recording::default() };
        let machine = bounds.machine(recording);
        let (lines, confirmed) = (BTreeMap::new(), Vec::new());
        LineWitness { session, machine, watch: None, conducting: None, lines, confirmed }
    }

    /// Returns the proof of a goal, if it was confirmed.
    pub fn proof(&self, goal: &Goal) -> Option<Proof> {
        self.confirmed.iter().find(|(confirmed, _)| confirmed == goal).map(|(_, proof)| *proof)
    }

    /// Makes the call on our machine, without symbols: only a call that ends here by itself is made there.
    fn run_here(&mut self, call: &Call, turns: &[u32]) -> Result<OwnRun, ReachConfirmation> {
        let mut world = self.session.clone();
        let mut schedule = Schedule::new(turns.to_vec());
        let run = self.machine.run_scheduled(&mut world, call, &mut schedule);
        let _ = self.session.end_run();
        let waits = match &run.ending {
            Ending::Value(_) | Ending::Raised(_) => false,
            Ending::Deadlock { .. } => true,
            other => return Err(not_repeated(other)),
        };
        let scheduled = waits || schedule.events.iter().any(ProcessEvent::needs_schedule);
        let turns = scheduled.then(|| passages(&schedule.events));
        Ok(OwnRun { ending: run.ending, coverage: run.coverage.unwrap_or_default(), turns })
    }

    /// Makes the call on the VM: the lines that it counted, and the ends of the call if the VM let it end.
    fn run_there(&mut self, call: &Call, module: Atom) -> Result<RunThere, ReachConfirmation> {
        let host: &Host = &self.session.host();
        let watch = started(&mut self.watch, || LineWatch::beside(host))?;
        let mut done = watch.call(host, call, module).map_err(dead)?;
        // Another call may have ended the VM; a second try shows whether this one does.
        if let CallResult::HostDied(_) = done.result {
            done = watch.call(host, call, module).map_err(dead)?;
        }
        Ok(WatchedCall { result: finished(done.result), lines: done.lines, counter: done.counter })
    }

    /// The same under a schedule.
    fn perform_there(&mut self, call: &Call, turns: &[Passage], module: Atom) -> Result<RunThere, ReachConfirmation> {
        let host: &Host = &self.session.host();
        let watch = started(&mut self.conducting, || LineWatch::conducting(host))?;
        let done = watch.perform(host, call, turns, module).map_err(dead)?;
        let result = match done.result {
            Ok(performed) => Ok(endings(performed)),
            // Where it went instead is chance.
            Err(NotPerformed::Strayed(why)) => {
                return Err(ReachConfirmation::Missed { what: format!("it took another schedule there: {why}") });
            }
            Err(NotPerformed::Ended(result)) => finished(*result),
        };
        Ok(WatchedCall { result, lines: done.lines, counter: done.counter })
    }

    /// The line that the VM counts exactly when the goal is met.
    fn own_line(&mut self, goal: &Goal) -> Option<u32> {
        match goal {
            Goal::Line { line, .. } => Some(*line),
            Goal::Clause(clause) => {
                let line = self.graph(clause.function, |graph| body_line(graph, *clause))?;
                (self.occurrences(clause.function.module).get(&line) == Some(&1)).then_some(line)
            }
            Goal::Branch { .. } => None,
        }
    }

    fn graph<T>(&mut self, function: Mfa, look: impl Fn(&Function) -> Option<T>) -> Option<T> {
        let (unit, at) = self.session.graph(function)?;
        look(&unit.functions[at])
    }

    fn occurrences(&mut self, module: Atom) -> &BTreeMap<u32, usize> {
        self.lines.entry(module).or_insert_with(|| occurrences(&self.session, module))
    }

    /// The line of a test or clause, if `cover` counts it.
    fn nearby_line(&mut self, goal: &Goal) -> Option<u32> {
        let line = match goal {
            Goal::Line { line, .. } => Some(*line),
            Goal::Clause(clause) => self.graph(clause.function, |graph| body_line(graph, *clause)),
            Goal::Branch { function, block, .. } => {
                self.graph(*function, |graph| Some(graph.blocks.get(*block as usize)?.end_location.line))
            }
        }?;
        self.occurrences(goal.module()).contains_key(&line).then_some(line)
    }

    fn judge(&mut self, goal: &Goal, ours: &OwnRun, theirs: RunThere) -> Result<Proof, ReachConfirmation> {
        if let Some(line) = self.own_line(goal)
            && theirs.lines.contains(&line)
        {
            return Ok(Proof::Line { line, counter: theirs.counter.name() });
        }
        let endings = theirs.result?;
        if let Goal::Line { line, .. } = goal {
            return Err(ReachConfirmation::Missed { what: format!("line {line} was not run there") });
        }
        let is_same = match &ours.ending {
            Ending::Deadlock { .. } => endings.is_empty(),
            ending => endings.iter().any(|it| is_same_ending(ending, it)),
        };
        if !is_same {
            return Err(ReachConfirmation::Missed { what: "the call ends otherwise there".to_owned() });
        }
        let run: BTreeSet<u32> = theirs.lines.iter().copied().collect();
        let none = BTreeSet::new();
        let wanted = ours.coverage.modules.get(goal.module().name()).unwrap_or(&none);
        match wanted.difference(&run).next() {
            Some(line) => Err(ReachConfirmation::Missed { what: format!("line {line} was not run there") }),
            None => Ok(Proof::Outcome { line: self.nearby_line(goal).filter(|line| run.contains(line)) }),
        }
    }
}

impl ReachConfirm for LineWitness {
    fn confirm(&mut self, entry: Mfa, stimulus: &Stimulus, goal: &Goal) -> ReachConfirmation {
        let call = Call { module: entry.module, function: entry.function, args: stimulus.inputs.clone() };
        let done = self.run_here(&call, &stimulus.schedule).and_then(|ours| {
            let theirs = match &ours.turns {
                Some(turns) => self.perform_there(&call, turns, goal.module()),
                None => self.run_there(&call, goal.module()),
            }?;
            self.judge(goal, &ours, theirs)
        });
        match done {
            Ok(proof) => {
                self.confirmed.retain(|(confirmed, _)| confirmed != goal);
                self.confirmed.push((goal.clone(), proof));
                ReachConfirmation::Reached
            }
            Err(sighting) => sighting,
        }
    }
}

/// The VM, which is started if it is not there.
fn started(
    watch: &mut Option<LineWatch>,
    start: impl FnOnce() -> Result<LineWatch, HostError>,
) -> Result<&mut LineWatch, ReachConfirmation> {
    match watch {
        Some(watch) => Ok(watch),
        none => Ok(none.insert(start().map_err(dead)?)),
    }
}

fn dead(error: HostError) -> ReachConfirmation {
    ReachConfirmation::Dead { what: error.to_string() }
}

/// The reason why a call that ended so on our machine is not made on the VM.
fn not_repeated(ending: &Ending) -> ReachConfirmation {
    let limit = |what: &str| ReachConfirmation::Limit { what: what.to_owned() };
    match ending {
        Ending::OutOfSteps { .. } | Ending::Endless(_) => limit("steps"),
        Ending::OutOfMemory { .. } => limit("memory"),
        Ending::Stopped { .. } => limit("time"),
        Ending::Refused { function, effect, .. } => {
            let what = format!("the call needs {function} ({effect}), which is not allowed");
            ReachConfirmation::Missed { what }
        }
        other => ReachConfirmation::Missed { what: format!("the call cannot be repeated: {other:?}") },
    }
}

/// The first line of a clause's body.
fn body_line(graph: &Function, wanted: ClauseId) -> Option<u32> {
    let enters = |op: &Op| matches!(op, Op::Enter { case, clause } if (*case, *clause) == (wanted.case, wanted.clause));
    let inside = |block: &BasicBlock| {
        let mut after = block.body.iter().skip_while(|it| !enters(&it.op));
        after.find_map(|it| match it.op {
            Op::Line(line) => Some(line),
            _ => None,
        })
    };
    graph.blocks.iter().find_map(inside)
}

fn occurrences(session: &Session, module: Atom) -> BTreeMap<u32, usize> {
    let names: Vec<Name> = session.module(module).map(|module| module.names().collect()).unwrap_or_default();
    let mut count = BTreeMap::new();
    for Name { function, arity } in names {
        let Ok(unit) = session.unit(Mfa { module, function, arity }, true) else { continue };
        lines(&unit).for_each(|line| *count.entry(line).or_default() += 1);
    }
    count
}

/// The end of a call that the VM let end, or why it did not.
fn finished(result: CallResult) -> Result<Endings, ReachConfirmation> {
    Err(match result {
        ended @ CallResult::Ended(_) => return Ok(vec![ended]),
        CallResult::Refused(function) => ReachConfirmation::Missed { what: format!("{function} was refused") },
        CallResult::Killed(reason) => ReachConfirmation::Missed { what: format!("an exit signal ended it: {reason}") },
        CallResult::HostDied(what) => ReachConfirmation::Dead { what },
        CallResult::NotSent(what) => ReachConfirmation::Missed { what: format!("it cannot be called: {what}") },
        limit => ReachConfirmation::Limit { what: limit.limit().unwrap_or_default().to_owned() },
    })
}

fn endings(performed: Performed) -> Endings {
    let raised = |exception| CallResult::Ended(Outcome::Raised(exception));
    let outcome = performed.outcome.map(|outcome| match outcome {
        Ok(value) => CallResult::Ended(Outcome::Value(value)),
        Err(exception) => raised(exception),
    });
    outcome.into_iter().chain(performed.crashes.iter().map(|reason| raised(uncaught(reason)))).collect()
}
