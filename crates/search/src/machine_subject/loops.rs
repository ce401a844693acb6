//! Loops of the function: a run that comes to the head of one which was not looked at waits until that is done.

use constraint::{Condition, Evaluator, Test};
use exec::forward::{Code, Directions, KnownLoop, LoopVisit, RoundWatch, Schedule, is_marked};
use ir::{CallEdge, CallGraph};
use rustc_hash::{FxHashMap, FxHashSet};
use term::{Call, Mfa, Term};

use super::{MachineSubject, call};
use crate::TermSize;
use crate::endless::{InductionCheck, LONGEST_ROUND, LoopLearner};
use crate::subject::{Around, LoopRounds};

/// Rounds of a loop in which what is known of its arguments has to be true; with twice as many, arguments that grow may be as
/// large as a product of what they are.
const ROUNDS: [usize; 4] = [8, 16, 32, 100];

/// The size of arguments that are large after some rounds.
const LARGE: u64 = 1_000;

impl MachineSubject<'_> {
    /// Runs the function on the machine. A run that comes to the head of a loop which was not looked at begins anew when it
    /// is known if there is a way out of it.
    pub(super) fn go_on_machine(&mut self, entry: &Call, schedule: Schedule) -> (exec::forward::Run, Schedule) {
        let local = self.entry_point.facts.is_private;
        loop {
            let mut turns = schedule.anew();
            self.recorder.known_heads = Some(self.loops.known_heads());
            let directions = Directions { script: None, schedule: Some(&mut turns), local };
            let run = self.machine.go_on_symbolic(self.world, entry, &mut self.recorder, directions);
            let known = self.recorder.known_heads.take().unwrap_or_default();
            match run.turning.clone().filter(|visit| !known.contains(&visit.function)) {
                Some(visit) => self.learn_loop(&visit),
                None => return (run, turns),
            }
            self.begin_again(&entry.args);
        }
    }

    /// Finds out if the calls of a loop's head have no end.
    fn learn_loop(&mut self, visit: &LoopVisit) {
        let known = match LoopLearner::is_small(visit) {
            true => (1..=LONGEST_ROUND).find_map(|length| self.known_loop(visit, length)),
            false => None,
        };
        self.loops.note_try(visit.function, known.is_some());
        self.recorder.known_loops.extend(known);
    }

    /// The loop that a call is in, if so many calls make a round of it: for any arguments first, then for those that keep
    /// their values as they are.
    fn known_loop(&mut self, visit: &LoopVisit, length: usize) -> Option<KnownLoop> {
        let mut held = vec![false; visit.args.len()];
        loop {
            let (rounds, is_plain) = self.rounds(visit, 2 * length + 1, &held)?;
            let steady = steady(visit, &rounds, length, &held);
            let solver = &mut self.loops.solver;
            let check = InductionCheck { arena: &self.recorder.arena, grammar: &self.grammar, any: self.any, solver };
            let keeps = |(held, steady): (&bool, &bool)| !held || *steady;
            if is_plain
                && held.iter().zip(&steady).all(keeps)
                && let Some(mut known) = check.known_loop(visit, rounds, length)
            {
                known.conditions.extend(self.values(visit, &held));
                return self.stays(visit, length, &known.conditions).then_some(known);
            }
            let more: Vec<bool> = held.iter().zip(&steady).map(|(held, steady)| *held || *steady).collect();
            if more == held {
                return None;
            }
            held = more;
        }
    }

    /// So many calls of a loop's head in a symbolic run of it, and true if nothing in that was left out.
    fn rounds(&mut self, visit: &LoopVisit, count: usize, held: &[bool]) -> Option<(LoopRounds, bool)> {
        self.recorder.rounds = Some(RoundWatch::of_function(visit.function, count));
        self.recorder.held = held.to_vec();
        self.machine.run_local_symbolic(self.world, &call(visit.function, &visit.args), &mut self.recorder);
        self.world.end_run();
        self.recorder.held.clear();
        let RoundWatch { visits, called, .. } = self.recorder.rounds.take()?;
        let is_plain = self.recorder.gaps.is_empty() && !self.recorder.truncated && visits.len() == count;
        Some((LoopRounds { visits, called, path: std::mem::take(&mut self.recorder.path) }, is_plain))
    }

    /// True if the arguments meet the conditions in each of many rounds: where a round does less than the one before, what
    /// it asks says too little about the next one. Arguments that grow with every round bound their number.
    fn stays(&mut self, visit: &LoopVisit, length: usize, conditions: &[Condition]) -> bool {
        let held = vec![true; visit.args.len()];
        for count in ROUNDS {
            let Some((rounds, _)) = self.rounds(visit, count * length + 1, &held) else { return false };
            let arena = &self.recorder.arena;
            let stays = rounds.visits.iter().step_by(length).all(|visit| {
                let mut evaluator = Evaluator::new(arena, &visit.args);
                conditions.iter().all(|condition| evaluator.holds(condition) == Ok(true))
            });
            let is_large = rounds.visits.last().is_some_and(|last| size(&last.args) > LARGE);
            if !stays || is_large {
                return stays;
            }
        }
        true
    }

    /// The conditions that arguments have the values that they are held to.
    fn values(&mut self, visit: &LoopVisit, held: &[bool]) -> Vec<Condition> {
        let arena = &mut self.recorder.arena;
        let arguments = visit.args.iter().enumerate().zip(held).filter(|(_, held)| **held);
        let same = |((at, arg), _): ((usize, &Term), _)| {
            let (input, value) = (arena.input(at as u32), arena.literal(arg.clone()));
            Condition { test: Test::Same(input, value), holds: true }
        };
        arguments.map(same).collect()
    }

    /// The calls between functions of the tested modules that the entry point can reach.
    pub(super) fn calls(&mut self) -> FxHashMap<Mfa, Vec<Mfa>> {
        let mut calls: FxHashMap<Mfa, Vec<Mfa>> = FxHashMap::default();
        let mut open = vec![self.entry_point.function];
        while let Some(function) = open.pop() {
            if calls.contains_key(&function) || !self.is_tested(function) {
                continue;
            }
            self.add_calls(function, &mut calls, &mut open);
        }
        calls
    }

    /// Adds the calls of a function, and of those lifted out of it.
    fn add_calls(&mut self, function: Mfa, calls: &mut FxHashMap<Mfa, Vec<Mfa>>, open: &mut Vec<Mfa>) {
        calls.insert(function, Vec::new());
        let Code::Graph(unit) = self.world.code(function, true) else { return };
        let graph = CallGraph::new(&unit);
        for within in &unit.functions {
            let callees: Vec<Mfa> = graph.callees(within.name).filter_map(CallEdge::name).collect();
            open.extend(&callees);
            calls.insert(within.name, callees);
        }
    }

    /// The functions that loops are calls of, without the entry point: recursive ones of the tested modules, and those of
    /// others that these call and that walk a collection. Of the latter those are left out that are called where a closure
    /// is made of one of `kept`.
    pub fn loops(&mut self, kept: &FxHashSet<Mfa>) -> Vec<Mfa> {
        let calls = self.calls();
        let mut found: Vec<Mfa> = Vec::new();
        for (caller, callees) in &calls {
            if *caller != self.entry_point.function && reaches(&calls, *caller) {
                found.push(*caller);
            }
            if callees.iter().any(|callee| kept.contains(callee) && callee.function.name().starts_with('-')) {
                continue;
            }
            for callee in callees {
                if !self.is_tested(*callee) && self.walks(*callee) {
                    found.push(*callee);
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// True if a function of another module is recursive, or may be as far as is known.
    fn walks(&mut self, function: Mfa) -> bool {
        if matches!(function.module.name(), "erlang" | "math") {
            return false;
        }
        let mut calls: FxHashMap<Mfa, Vec<Mfa>> = FxHashMap::default();
        let mut open = vec![function];
        while let Some(next) = open.pop() {
            if calls.contains_key(&next) || next.module != function.module {
                continue;
            }
            if calls.len() > MOST_CALLEES {
                return true;
            }
            if ops::find(next).is_some() {
                // An operation of the machine's own: what it walks is a list or a map.
                return next != function || function.arity > 0;
            }
            self.add_calls(next, &mut calls, &mut open);
        }
        calls.keys().any(|function| reaches(&calls, *function))
    }

    /// Takes some calls as opaque from now on, or none but those that were before; returns false if there are none.
    pub(super) fn set_around(&mut self, calls: Option<Around>) -> bool {
        let Some(calls) = calls else {
            let before = std::mem::take(&mut self.opaque);
            self.machine = self.machine.renewed(before);
            return true;
        };
        let mut around = self.loops(&FxHashSet::default());
        if calls == Around::Undone {
            around.retain(|function| ops::opaque::inverse(*function).is_some());
        }
        if around.is_empty() {
            return false;
        }
        self.opaque = self.machine.opaque();
        let opaque: Vec<Mfa> = self.opaque.iter().copied().chain(around).collect();
        self.machine = self.machine.renewed(opaque);
        true
    }
}

/// The arguments that have their value in all rounds, those that were held to it without a mark; and funs, of which
/// nothing is known without a value.
fn steady(visit: &LoopVisit, rounds: &LoopRounds, length: usize, held: &[bool]) -> Vec<bool> {
    let is_whole = rounds.visits.len() == 2 * length + 1;
    let keeps = |at: usize, arg: &Term| {
        let mut later = rounds.visits.iter().step_by(length);
        is_whole && later.all(|later| later.args[at] == *arg && !(held[at] && is_marked(&later.args[at])))
    };
    let is_steady = |(at, arg): (usize, &Term)| keeps(at, arg) || !held[at] && matches!(arg, Term::Fun(..));
    visit.args.iter().enumerate().map(is_steady).collect()
}

/// Functions of a library that are looked at to find a loop.
const MOST_CALLEES: usize = 64;

/// True if calls lead from a function to itself.
pub(super) fn reaches(calls: &FxHashMap<Mfa, Vec<Mfa>>, function: Mfa) -> bool {
    let mut seen = FxHashSet::default();
    let mut open: Vec<Mfa> = calls.get(&function).cloned().unwrap_or_default();
    while let Some(next) = open.pop() {
        if next == function {
            return true;
        }
        if seen.insert(next) {
            open.extend(calls.get(&next).into_iter().flatten());
        }
    }
    false
}

/// The parts of terms, and the bits of their numbers and texts.
fn size(terms: &[Term]) -> u64 {
    let bits = |term: &Term| if term.is_integer() { term.as_bigint().map_or(0, |big| big.bits()) } else { 0 };
    terms.iter().map(bits).sum::<u64>().saturating_add(TermSize::of(terms).nodes)
}
