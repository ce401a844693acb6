//! Questions for inputs that loop: a call whose arguments are those of an earlier call that is still under way.

use constraint::{Arena, Condition, Decision, Evaluator, Site, Test};
use exec::forward::{RoundVisit, is_marked};
use term::{Mfa, Term};

use super::induction::is_under_way;
use crate::subject::LoopRounds;

/// Calls of a function before one that it is compared with.
const COMPARED: usize = 2;

/// The identity of a question: the function of a round, which question of the round it is, and its decisions.
pub type RoundKey = (Mfa, usize, Vec<(Site, bool)>);

/// The conditions of inputs with which a loop comes round to where it was.
pub struct LoopQuestion {
    pub key: RoundKey,
    pub conditions: Vec<Condition>,
}

/// The questions that the calls of a run are good for.
pub fn loop_questions(arena: &mut Arena, inputs: &[Term], rounds: &LoopRounds) -> Vec<LoopQuestion> {
    let LoopRounds { visits, path, .. } = rounds;
    let mut questions = Vec::new();
    for (later, visit) in visits.iter().enumerate().filter(|(_, visit)| !visit.is_touched) {
        let is_earlier =
            |earlier: &usize| visits[*earlier].function == visit.function && is_under_way(visits, *earlier, later);
        for earlier in (0..later).rev().filter(is_earlier).take(COMPARED) {
            let round = &path[visits[earlier].decisions..visit.decisions];
            let sites: Vec<(Site, bool)> = round.iter().map(|it| (it.site, it.condition.holds)).collect();
            let before = || path[..visit.decisions].iter().map(|decision| decision.condition.clone());
            if let Some(same) = equalities(arena, &visits[earlier], visit) {
                let key = (visit.function, 0, sites.clone());
                questions.push(LoopQuestion { key, conditions: before().chain(same).collect() });
            }
            for (at, opposite) in opposites(arena, inputs, round) {
                let key = (visit.function, at + 1, sites.clone());
                questions.push(LoopQuestion { key, conditions: before().chain([opposite]).collect() });
            }
        }
    }
    questions
}

/// For numbers that a round finds to be different: that they are so in the other order. A loop that counts towards a number
/// may start on its wrong side.
fn opposites(arena: &Arena, inputs: &[Term], round: &[Decision]) -> Vec<(usize, Condition)> {
    let mut evaluator = Evaluator::new(arena, inputs);
    let mut opposite = |(at, decision): (usize, &Decision)| {
        let (Test::Same(a, b) | Test::Equal(a, b)) = decision.condition.test else { return None };
        let (left, right) = (evaluator.value(a).ok()?, evaluator.value(b).ok()?);
        let is_open = !decision.condition.holds && left.is_number() && right.is_number();
        let (less, more) = if left.compare(&right).is_lt() { (b, a) } else { (a, b) };
        is_open.then_some((at, Condition { test: Test::Less(less, more), holds: true }))
    };
    round.iter().enumerate().filter_map(&mut opposite).take(OPPOSITES).collect()
}

/// Conditions of a round that are looked at in the other order.
const OPPOSITES: usize = 8;

/// The conditions under which two calls have the same arguments; nothing if they never have, or always.
fn equalities(arena: &mut Arena, earlier: &RoundVisit, later: &RoundVisit) -> Option<Vec<Condition>> {
    let mut same = Vec::new();
    for (before, after) in earlier.args.iter().zip(&later.args) {
        if !is_marked(before) && !is_marked(after) {
            if before != after {
                return None;
            }
            continue;
        }
        if has_fun(before) || has_fun(after) {
            return None;
        }
        let (before, after) = (arena.of_term(before), arena.of_term(after));
        if before != after {
            same.push(Condition { test: Test::Same(after, before), holds: true });
        }
    }
    Some(same).filter(|same| !same.is_empty())
}

/// Marks inside funs have no place in an expression.
fn has_fun(term: &Term) -> bool {
    term::deeper(|| match term {
        _ if term.mark().is_some() => false,
        Term::Fun(..) => true,
        Term::Tuple(_, items) => items.iter().any(has_fun),
        Term::Map(_, map) => map.iter().any(|(key, value)| has_fun(key) || has_fun(value)),
        Term::Cons(_, cell) => has_fun(&cell.head) || has_fun(&cell.tail),
        _ => false,
    })
}
