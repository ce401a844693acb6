//! The real VM as a confirm: it runs the call with the module's lines counted.
//!
//! A line is confirmed if the VM counted it, however the call ended. A clause is confirmed by the first line of its body
//! where no other code has that line. An outcome of a test has no line of its own, nor has a clause that shares its
//! lines: there the VM must end the call as our machine does, and run every line that our machine runs.

use std::collections::{BTreeMap, BTreeSet};

use exec::forward::{ClauseId, Coverage, Ending, Machine, Options as Recording};
use frontend::core::Name;
use host::{CallResult, Host, LineWatch, WatchedCall};
use ir::{BasicBlock, Function, Op};
use search::reach::{Goal, ReachConfirm, ReachConfirmation};
use term::{Atom, Call, Mfa, Term};

use super::Proof;
use crate::confirm::is_same_ending;
use crate::library::lines;
use crate::{SearchBounds, Session};

/// Confirms on the VM that calls get to goals.
pub struct LineWitness {
    session: Session,
    machine: Machine,
    /// The VM that counts; it is started with the first call.
    watch: Option<LineWatch>,
    /// The number of places of each line in a module's graphs.
    lines: BTreeMap<Atom, BTreeMap<u32, usize>>,
    /// The proof of each goal that was confirmed.
    confirmed: Vec<(Goal, Proof)>,
}

impl LineWitness {
    /// Returns a witness whose runs on our machine stay within these bounds.
    pub fn new(session: Session, bounds: &SearchBounds) -> LineWitness {
        let recording = Recording { coverage: true, ..Recording::default() };
        let machine = bounds.machine(recording);
        LineWitness { session, machine, watch: None, lines: BTreeMap::new(), confirmed: Vec::new() }
    }

    /// Returns the proof of a goal, if it was confirmed.
    pub fn proof(&self, goal: &Goal) -> Option<Proof> {
        self.confirmed.iter().find(|(confirmed, _)| confirmed == goal).map(|(_, proof)| *proof)
    }

    /// Makes the call on our machine, without symbols: only a call that ends here by itself is made there.
    fn run_here(&mut self, call: &Call) -> Result<(Ending, Coverage), ReachConfirmation> {
        let mut world = self.session.clone();
        let run = self.machine.run(&mut world, call);
        let _ = self.session.end_run();
        match run.ending {
            ending @ (Ending::Value(_) | Ending::Raised(_)) => Ok((ending, run.coverage.unwrap_or_default())),
            Ending::Refused { function, effect, .. } => {
                let what = format!("the call needs {function} ({effect}), which is not allowed");
                Err(ReachConfirmation::Missed { what })
            }
            Ending::OutOfSteps { .. } => Err(ReachConfirmation::Limit { what: "steps".to_owned() }),
            Ending::OutOfMemory { .. } => Err(ReachConfirmation::Limit { what: "memory".to_owned() }),
            Ending::Stopped { .. } => Err(ReachConfirmation::Limit { what: "time".to_owned() }),
            other => Err(ReachConfirmation::Missed { what: format!("the call cannot be repeated: {other:?}") }),
        }
    }

    fn watched(&mut self, call: &Call, module: Atom) -> Result<WatchedCall, ReachConfirmation> {
        let dead = |error: host::HostError| ReachConfirmation::Dead { what: error.to_string() };
        let host: &Host = &self.session.host();
        let watch = match &mut self.watch {
            Some(watch) => watch,
            none => none.insert(LineWatch::beside(host).map_err(dead)?),
        };
        let done = watch.call(host, call, module).map_err(dead)?;
        match done.result {
            // Another call may have ended the VM; a second try shows whether this one does.
            CallResult::HostDied(_) => watch.call(host, call, module).map_err(dead),
            _ => Ok(done),
        }
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

    fn judge(
        &mut self,
        goal: &Goal,
        ours: &(Ending, Coverage),
        theirs: &WatchedCall,
    ) -> Result<Proof, ReachConfirmation> {
        if let Some(line) = self.own_line(goal)
            && theirs.lines.contains(&line)
        {
            return Ok(Proof::Line { line, counter: theirs.counter.name() });
        }
        unfinished(theirs)?;
        if let Goal::Line { line, .. } = goal {
            return Err(ReachConfirmation::Missed { what: format!("line {line} was not run there") });
        }
        let (ending, coverage) = ours;
        if !is_same_ending(ending, &theirs.result) {
            return Err(ReachConfirmation::Missed { what: "the call ends otherwise there".to_owned() });
        }
        let run: BTreeSet<u32> = theirs.lines.iter().copied().collect();
        let none = BTreeSet::new();
        let wanted = coverage.modules.get(goal.module().name()).unwrap_or(&none);
        match wanted.difference(&run).next() {
            Some(line) => Err(ReachConfirmation::Missed { what: format!("line {line} was not run there") }),
            None => Ok(Proof::Outcome { line: self.nearby_line(goal).filter(|line| run.contains(line)) }),
        }
    }
}

impl ReachConfirm for LineWitness {
    fn confirm(&mut self, entry: Mfa, inputs: &[Term], goal: &Goal) -> ReachConfirmation {
        let call = Call { module: entry.module, function: entry.function, args: inputs.to_vec() };
        let done = self.run_here(&call).and_then(|ours| {
            let theirs = self.watched(&call, goal.module())?;
            self.judge(goal, &ours, &theirs)
        });
        match done {
            Ok(proof) => {
                self.confirmed.push((goal.clone(), proof));
                ReachConfirmation::Reached
            }
            Err(sighting) => sighting,
        }
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

/// Returns why the VM did not end the call, if it did not.
fn unfinished(theirs: &WatchedCall) -> Result<(), ReachConfirmation> {
    Err(match &theirs.result {
        CallResult::Ended(_) => return Ok(()),
        CallResult::Refused(function) => ReachConfirmation::Missed { what: format!("{function} was refused") },
        CallResult::Killed(reason) => ReachConfirmation::Missed { what: format!("an exit signal ended it: {reason}") },
        CallResult::HostDied(what) => ReachConfirmation::Dead { what: what.clone() },
        CallResult::NotSent(what) => ReachConfirmation::Missed { what: format!("it cannot be called: {what}") },
        limit => ReachConfirmation::Limit { what: limit.limit().unwrap_or_default().to_owned() },
    })
}
