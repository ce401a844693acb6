//! Loops whose arguments change for ever: what a round asks of them stays true in the next one.
//!
//! The head of the loop runs on expressions for its arguments, for two rounds. The conditions of the first one, with every
//! `=/=` of numbers read as the `<` or `>` that it is, describe a set of arguments; if solvers find none in it for which
//! those of the second one do not hold, then a loop that has come into that set does not leave it. Where that is not so for
//! all arguments, it may be for those that have the values which the loop does not change.

use constraint::{Arena, Condition, Decision, Evaluator, Grammar, RuleId, Site, Test};
use exec::forward::{ArgumentChange, ChangeDirection, KnownLoop, LoopProgress, LoopVisit, RoundVisit};
use rustc_hash::{FxHashMap, FxHashSet};
use solve::{Answer, Executor, Portfolio, Query};
use term::{Mfa, Term};

use crate::TermSize;
use crate::limits::QUICK_BUDGET;
use crate::subject::LoopRounds;

/// Calls of the head that may make one round.
pub const LONGEST_ROUND: usize = 3;

/// Conditions of a round that are looked at.
const CONDITIONS: usize = 60;

/// Parts of arguments that are looked at.
const SIZE: u64 = 50_000;

/// Calls of one function that are looked at, where no loop is found and where one is: each may have arguments of its own.
const TRIES: u32 = 4;
const FOUND: u32 = 200;

/// The heads of loops that were looked at, and a solver of their own.
pub struct LoopLearner {
    /// How often no loop was found, and how often one.
    tries: FxHashMap<Mfa, (u32, u32)>,
    pub solver: Portfolio,
}

impl Default for LoopLearner {
    fn default() -> LoopLearner {
        LoopLearner { tries: FxHashMap::default(), solver: Portfolio::new(None) }
    }
}

impl LoopLearner {
    /// The functions that are not looked at again.
    pub fn known_heads(&self) -> FxHashSet<Mfa> {
        let is_done = |(_, (vain, found)): &(&Mfa, &(u32, u32))| *vain >= TRIES || *found >= FOUND;
        self.tries.iter().filter(is_done).map(|(function, _)| *function).collect()
    }

    /// Counts a look at a function, which has found a loop or not.
    pub fn note_try(&mut self, function: Mfa, has_found: bool) {
        let (vain, found) = self.tries.entry(function).or_default();
        *if has_found { found } else { vain } += 1;
    }

    /// True if the arguments of a call are small enough to be looked at.
    pub fn is_small(visit: &LoopVisit) -> bool {
        TermSize::of(&visit.args).nodes <= SIZE
    }
}

/// The check if the rounds of a loop go on for ever.
pub struct InductionCheck<'a> {
    pub arena: &'a Arena,
    pub grammar: &'a Grammar,
    /// The rule of all terms.
    pub any: RuleId,
    pub solver: &'a mut Portfolio,
}

impl InductionCheck<'_> {
    /// The loop that a call of its head is in, if solvers find no way out of it.
    pub fn known_loop(mut self, visit: &LoopVisit, rounds: LoopRounds, length: usize) -> Option<KnownLoop> {
        let conditions = self.closed_set(visit, &rounds, length)?;
        let progress = LoopProgress::Grows(changes(&visit.args, &rounds.visits.last()?.args));
        Some(KnownLoop { function: visit.function, conditions, called: rounds.called, progress })
    }

    /// The conditions of the first round, if they imply those of the second.
    fn closed_set(&mut self, visit: &LoopVisit, rounds: &LoopRounds, length: usize) -> Option<Vec<Condition>> {
        let [first, .., last] = &rounds.visits[..] else { return None };
        if last.is_touched || !is_under_way(&rounds.visits, 0, 2 * length) {
            return None;
        }
        let middle = rounds.visits[length].decisions;
        let (before, after) = (&rounds.path[first.decisions..middle], &rounds.path[middle..last.decisions]);
        if before.len() > CONDITIONS || before.iter().chain(after).any(|decision| decision.pinned) {
            return None;
        }
        // What the first round has found out, the second one does not ask again; it asks the rest in the same order.
        let mut order = before.iter().map(site);
        if !after.iter().map(site).all(|asked| order.any(|known| known == asked)) {
            return None;
        }
        let strengthen = |decision| strengthened(self.arena, visit, decision);
        let set: Vec<Condition> = before.iter().map(strengthen).collect();
        let wanted: Vec<Condition> = after.iter().map(strengthen).collect();
        let is_closed = wanted.iter().all(|wanted| set.contains(wanted) || self.is_implied(visit, &set, wanted));
        is_closed.then_some(set)
    }

    /// True if solvers find that all arguments of a set meet a condition.
    fn is_implied(&mut self, visit: &LoopVisit, set: &[Condition], wanted: &Condition) -> bool {
        let rules = vec![self.any; visit.args.len()];
        let conditions: Vec<Condition> = set.iter().cloned().chain([wanted.negated()]).collect();
        let (arena, grammar, near) = (self.arena, self.grammar, &visit.args[..]);
        let query = Query { arena, grammar, inputs: &rules, conditions: &conditions, near };
        self.solver.solve(&query, &QUICK_BUDGET) == Answer::Unsat
    }
}

fn site(decision: &Decision) -> (Site, bool) {
    (decision.site, decision.condition.holds)
}

/// True if a call is still under way when a later one is made.
pub fn is_under_way(visits: &[RoundVisit], earlier: usize, later: usize) -> bool {
    visits[earlier + 1..=later].iter().all(|visit| visit.least >= visits[earlier].frames)
}

/// Numbers that are not the same are less or more; for these arguments it is known which.
fn strengthened(arena: &Arena, visit: &LoopVisit, decision: &Decision) -> Condition {
    let condition = decision.condition.clone();
    let (Test::Same(a, b) | Test::Equal(a, b), false) = (condition.test, condition.holds) else { return condition };
    let mut evaluator = Evaluator::new(arena, &visit.args);
    match (evaluator.value(a), evaluator.value(b)) {
        (Ok(left), Ok(right)) if left.is_number() && right.is_number() => match left.compare(&right) {
            std::cmp::Ordering::Less => Condition { test: Test::Less(a, b), holds: true },
            std::cmp::Ordering::Greater => Condition { test: Test::Less(b, a), holds: true },
            std::cmp::Ordering::Equal => condition,
        },
        _ => condition,
    }
}

/// The arguments that change, and how.
fn changes(before: &[Term], after: &[Term]) -> Vec<ArgumentChange> {
    let changed = before.iter().zip(after).enumerate().filter(|(_, (before, after))| before != after);
    changed
        .map(|(at, (before, after))| ArgumentChange { number: at + 1, direction: direction(before, after) })
        .collect()
}

fn direction(before: &Term, after: &Term) -> ChangeDirection {
    let size = |term: &Term| {
        let bits = term.as_bits().map_or(0, |bits| bits.bit_len() as u64);
        TermSize::of(std::slice::from_ref(term)).nodes + bits
    };
    if before.is_number() && after.is_number() {
        return if before.compare(after).is_lt() { ChangeDirection::Rises } else { ChangeDirection::Falls };
    }
    if size(after) > size(before) { ChangeDirection::Grows } else { ChangeDirection::Changes }
}
