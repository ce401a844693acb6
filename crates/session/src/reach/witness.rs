//! The real VM as a witness: it runs the call with the module's lines counted, and says whether it came to the place.
//!
//! A line is seen if the VM counted it, however the call ended. A clause is seen by the first line of its body where no
//! other code has that line. An outcome of a test has no line of its own, nor has a clause that shares its lines: there
//! the VM must end the call as our machine does, and run every line that our machine runs.

use std::collections::{BTreeMap, BTreeSet};

use exec::forward::{Clause, Coverage, Ending, Machine, Options as Recording};
use frontend::core::Name;
use host::{CallResult, Host, LineWatch, WatchedCall};
use ir::{BasicBlock, Function, Op};
use search::reach::{Goal, Sighting, Witness};
use term::{Atom, Call, Mfa, Outcome, Term};

use crate::alike::{is_alike, is_same_exception};
use crate::session::{Outside, Shared};
use crate::{Bounds, Proof};

pub struct Observer {
    outside: Shared,
    machine: Machine,
    /// The VM that counts; it is started with the first call.
    watch: Option<LineWatch>,
    /// How often each line of a module stands in its graphs.
    lines: BTreeMap<Atom, BTreeMap<u32, usize>>,
    /// How each goal was seen.
    seen: Vec<(Goal, Proof)>,
}

impl Observer {
    pub fn new(outside: Shared, bounds: &Bounds) -> Observer {
        let recording = Recording { coverage: true, ..Recording::default() };
        let machine = bounds.machine(recording);
        Observer { outside, machine, watch: None, lines: BTreeMap::new(), seen: Vec::new() }
    }

    /// How a goal was seen, if it was.
    pub fn proof(&self, goal: &Goal) -> Option<Proof> {
        self.seen.iter().find(|(seen, _)| seen == goal).map(|(_, proof)| *proof)
    }

    /// The call on our machine, without a symbol: only what ends here by itself is called there.
    fn rehearse(&mut self, call: &Call) -> Result<(Ending, Coverage), Sighting> {
        let mut world = self.outside.clone();
        let run = self.machine.run(&mut world, call);
        exec::forward::World::end_run(&mut world);
        match run.ending {
            ending @ (Ending::Value(_) | Ending::Raised(_)) => Ok((ending, run.coverage.unwrap_or_default())),
            Ending::Refused { function, effect, .. } => {
                let what = format!("the call needs {function} ({effect}), which is not allowed");
                Err(Sighting::Unseen { what })
            }
            Ending::OutOfSteps { .. } => Err(Sighting::Limit { what: "steps".to_owned() }),
            Ending::OutOfMemory { .. } => Err(Sighting::Limit { what: "memory".to_owned() }),
            Ending::Stopped { .. } => Err(Sighting::Limit { what: "time".to_owned() }),
            other => Err(Sighting::Unseen { what: format!("the call cannot be repeated: {other:?}") }),
        }
    }

    fn watched(&mut self, call: &Call, module: Atom) -> Result<WatchedCall, Sighting> {
        let dead = |error: host::HostError| Sighting::Dead { what: error.to_string() };
        let outside = self.outside.borrow_mut();
        let host: &Host = &outside.host;
        let watch = match &mut self.watch {
            Some(watch) => watch,
            none => none.insert(LineWatch::beside(host).map_err(dead)?),
        };
        let done = watch.call(host, call, module).map_err(dead)?;
        match done.result {
            // Somebody may have ended it; whether the call itself does so the second time shows.
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
        let mut outside = self.outside.borrow_mut();
        let Outside { host, library, .. } = &mut *outside;
        let (unit, at) = library.graph(host, function)?;
        look(&unit.functions[at])
    }

    fn occurrences(&mut self, module: Atom) -> &BTreeMap<u32, usize> {
        let outside = &self.outside;
        self.lines.entry(module).or_insert_with(|| occurrences(&mut outside.borrow_mut(), module))
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

    fn judge(&mut self, goal: &Goal, ours: &(Ending, Coverage), theirs: &WatchedCall) -> Result<Proof, Sighting> {
        if let Some(line) = self.own_line(goal)
            && theirs.lines.contains(&line)
        {
            return Ok(Proof::Line { line, counter: theirs.counter.name() });
        }
        ended(theirs)?;
        if let Goal::Line { line, .. } = goal {
            return Err(Sighting::Unseen { what: format!("line {line} was not run there") });
        }
        let (ending, coverage) = ours;
        if !is_same_end(ending, &theirs.result) {
            return Err(Sighting::Unseen { what: "the call ends otherwise there".to_owned() });
        }
        let run: BTreeSet<u32> = theirs.lines.iter().copied().collect();
        let none = BTreeSet::new();
        let wanted = coverage.modules.get(goal.module().name()).unwrap_or(&none);
        match wanted.difference(&run).next() {
            Some(line) => Err(Sighting::Unseen { what: format!("line {line} was not run there") }),
            None => Ok(Proof::Outcome { line: self.nearby_line(goal).filter(|line| run.contains(line)) }),
        }
    }
}

impl Witness for Observer {
    fn confirm(&mut self, entry: Mfa, inputs: &[Term], goal: &Goal) -> Sighting {
        let call = Call { module: entry.module, function: entry.function, args: inputs.to_vec() };
        let done = self.rehearse(&call).and_then(|ours| {
            let theirs = self.watched(&call, goal.module())?;
            self.judge(goal, &ours, &theirs)
        });
        match done {
            Ok(proof) => {
                self.seen.push((goal.clone(), proof));
                Sighting::Seen
            }
            Err(sighting) => sighting,
        }
    }
}

/// The first line of a clause's body.
fn body_line(graph: &Function, wanted: Clause) -> Option<u32> {
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

fn occurrences(outside: &mut Outside, module: Atom) -> BTreeMap<u32, usize> {
    let Outside { host, library, .. } = outside;
    let names: Vec<Name> = library.module(host, module).map(|module| module.names().collect()).unwrap_or_default();
    let mut count = BTreeMap::new();
    for Name { function, arity } in names {
        let Ok(unit) = library.unit(host, Mfa { module, function, arity }, true) else { continue };
        for instruction in unit.functions.iter().flat_map(|graph| &graph.blocks).flat_map(|block| &block.body) {
            if let Op::Line(line) = instruction.op {
                *count.entry(line).or_default() += 1;
            }
        }
    }
    count
}

/// Whether the VM came to an end of the call at all.
fn ended(theirs: &WatchedCall) -> Result<(), Sighting> {
    match &theirs.result {
        CallResult::Ended(_) => Ok(()),
        CallResult::TimedOut => Err(Sighting::Limit { what: "time".to_owned() }),
        CallResult::OutOfReductions => Err(Sighting::Limit { what: "reductions".to_owned() }),
        CallResult::OutOfMemory => Err(Sighting::Limit { what: "memory".to_owned() }),
        CallResult::Waited => Err(Sighting::Limit { what: "patience".to_owned() }),
        CallResult::Refused(function) => Err(Sighting::Unseen { what: format!("{function} was refused") }),
        CallResult::Killed(reason) => Err(Sighting::Unseen { what: format!("an exit signal ended it: {reason}") }),
        CallResult::HostDied(what) => Err(Sighting::Dead { what: what.clone() }),
        CallResult::NotSent(what) => Err(Sighting::Unseen { what: format!("it cannot be called: {what}") }),
    }
}

fn is_same_end(ours: &Ending, theirs: &CallResult) -> bool {
    match (ours, theirs) {
        (Ending::Value(ours), CallResult::Ended(Outcome::Value(theirs))) => is_alike(ours, theirs),
        (Ending::Raised(ours), CallResult::Ended(Outcome::Raised(theirs))) => is_same_exception(theirs, ours),
        _ => false,
    }
}
