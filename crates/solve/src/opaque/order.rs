//! The order of applications: none comes first whose arguments wait for another one.

use constraint::{Arena, Condition, Evaluator, Expr, Node, Test, ValueCache};
use rustc_hash::{FxHashMap, FxHashSet};

/// The parts and applications that applications and conditions are about.
pub struct Parts {
    /// Parts of inputs in the arguments of an application, and the applications in them.
    arguments: FxHashMap<Expr, Mentioned>,
    /// Both sides of every equation that must hold.
    equations: Vec<[Mentioned; 2]>,
    /// Applications that one condition is about.
    together: Vec<Vec<Expr>>,
    /// For an application, the places of the conditions that are about it and perhaps other applications, but about no
    /// input, and those others.
    closed: FxHashMap<Expr, Vec<(usize, Vec<Expr>)>>,
}

#[derive(Default, Clone)]
struct Mentioned {
    parts: Vec<Expr>,
    calls: Vec<Expr>,
}

impl Parts {
    /// The parts of these applications and conditions.
    pub fn new(arena: &Arena, calls: &[Expr], conditions: &[Condition]) -> Parts {
        let of_call = |call: &Expr| {
            let mut mentioned = Mentioned::default();
            arena.node(*call).each_part(|part| mentioned.add(arena, part));
            (*call, mentioned)
        };
        let (mut equations, mut together) = (Vec::new(), Vec::new());
        let mut closed: FxHashMap<Expr, Vec<(usize, Vec<Expr>)>> = FxHashMap::default();
        for (at, condition) in conditions.iter().enumerate() {
            if let (Test::Same(a, b) | Test::Equal(a, b), true) = (condition.test, condition.holds) {
                equations.push([Mentioned::of(arena, [a]), Mentioned::of(arena, [b])]);
            }
            let all = Mentioned::of(arena, condition.test.exprs());
            for call in all.calls.iter().filter(|_| all.parts.is_empty()) {
                let others = all.calls.iter().filter(|other| *other != call).copied().collect();
                closed.entry(*call).or_default().push((at, others));
            }
            if all.calls.len() > 1 {
                together.push(all.calls);
            }
        }
        Parts { arguments: calls.iter().map(of_call).collect(), equations, together, closed }
    }

    /// The conditions on nothing but this application and others of which it is known how they end.
    pub fn closed(&self, call: Expr, known: impl Fn(&Expr) -> bool) -> Vec<usize> {
        let all = self.closed.get(&call).into_iter().flatten();
        all.filter(|(_, others)| others.iter().all(&known)).map(|(at, _)| *at).collect()
    }

    /// The other applications in conditions about this one.
    pub fn beside(&self, call: Expr) -> Vec<Expr> {
        let mut others: Vec<Expr> =
            self.together.iter().filter(|calls| calls.contains(&call)).flatten().copied().collect();
        others.sort_unstable();
        others.dedup();
        others
    }

    /// The one to settle first: a wrong one that waits for no free one, or a free one that wrong ones wait for.
    pub fn first(&self, arena: &Arena, wrong: &[Expr], free: &[Expr]) -> Option<Expr> {
        let first = *wrong.first()?;
        let waits = |call: Expr, other: Expr| call != other && self.waits(arena, call, other);
        let ready = |call: &&Expr| !free.iter().any(|other| waits(**call, *other));
        let found = wrong.iter().find(ready).or_else(|| free.iter().find(ready));
        Some(found.copied().unwrap_or(first))
    }

    /// Returns true if equations may hold the arguments of two applications together.
    pub fn linked(&self, arena: &Arena, call: Expr, other: Expr) -> bool {
        let (Some(own), Some(others)) = (self.arguments.get(&call), self.arguments.get(&other)) else { return false };
        let touches = |all: &[Expr], part: &Expr| {
            all.iter().any(|it| is_within(arena, *it, *part) || is_within(arena, *part, *it))
        };
        let mut known = own.parts.clone();
        let mut waiting: Vec<&[Mentioned; 2]> = self.equations.iter().collect();
        loop {
            let before = waiting.len();
            waiting.retain(|[left, right]| {
                let both = || left.parts.iter().chain(&right.parts);
                let linked = both().any(|part| touches(&known, part));
                known.extend(both().filter(|_| linked));
                !linked
            });
            if waiting.len() == before {
                return others.parts.iter().all(|part| touches(&known, part));
            }
        }
    }

    /// Returns true if the arguments of one application depend on the outcome of another.
    fn waits(&self, arena: &Arena, call: Expr, other: Expr) -> bool {
        let Some(own) = self.arguments.get(&call) else { return false };
        if own.calls.contains(&other) {
            return true;
        }
        let shares = |side: &Mentioned| {
            side.parts
                .iter()
                .any(|part| own.parts.iter().any(|own| is_within(arena, *part, *own) || is_within(arena, *own, *part)))
        };
        self.equations.iter().any(|[left, right]| {
            left.calls.contains(&other) && shares(right) || right.calls.contains(&other) && shares(left)
        })
    }
}

impl Mentioned {
    fn of(arena: &Arena, exprs: impl IntoIterator<Item = Expr>) -> Mentioned {
        let mut mentioned = Mentioned::default();
        exprs.into_iter().for_each(|expr| mentioned.add(arena, expr));
        mentioned
    }

    /// Adds the parts and applications in an expression, but not those in the arguments of an application.
    fn add(&mut self, arena: &Arena, expr: Expr) {
        let mut others = FxHashSet::default();
        arena.visit([expr], |expr, node| {
            let (is_call, is_part) = (matches!(node, Node::Opaque(..)), is_new_part(arena, expr, &mut others));
            self.calls.extend(is_call.then_some(expr));
            self.parts.extend(is_part.then_some(expr));
            !is_call && !is_part
        });
    }
}

/// True for a part of an input. `others` has what is none, as far as it is known: of the end of a long list that is none,
/// nothing is that stands around it.
fn is_new_part(arena: &Arena, expr: Expr, others: &mut FxHashSet<Expr>) -> bool {
    let is_part = !others.contains(&expr) && is_part(arena, expr);
    others.extend(above(arena, expr).filter(|_| !is_part));
    is_part
}

/// Returns true if an equation is about one application alone, and a sample of its function meets it.
pub fn is_met_by_sample(arena: &Arena, condition: &Condition) -> bool {
    if !condition.holds || !matches!(condition.test, Test::Same(..) | Test::Equal(..)) {
        return false;
    }
    let Mentioned { parts, calls } = Mentioned::of(arena, condition.test.exprs());
    let ([call], true) = (&calls[..], parts.is_empty()) else { return false };
    let Node::Opaque(function, _) = arena.node(*call) else { return false };
    let mut known: Vec<Option<bool>> = Vec::new();
    arena.samples.numbered_points(*function).any(|(_, outcome, number)| {
        known.resize(known.len().max(number + 1), None);
        *known[number].get_or_insert_with(|| {
            let values = ValueCache::from_iter([(*call, Ok(outcome.clone()))]);
            Evaluator::resume(arena, &[], values).holds(condition) == Ok(true)
        })
    })
}

/// The parts of inputs in an expression, those in the arguments of applications included.
pub fn all_parts_of(arena: &Arena, expr: Expr) -> Vec<Expr> {
    let (mut parts, mut others) = (Vec::new(), FxHashSet::default());
    arena.visit([expr], |expr, _| {
        let is_part = is_new_part(arena, expr, &mut others);
        parts.extend(is_part.then_some(expr));
        !is_part
    });
    parts
}

/// The parts of inputs in an expression, but not those in the arguments of applications.
pub fn parts_of(arena: &Arena, expr: Expr) -> Vec<Expr> {
    Mentioned::of(arena, [expr]).parts
}

/// The expression that another is the head, the tail or an element of.
pub fn above(arena: &Arena, expr: Expr) -> Option<Expr> {
    match arena.node(expr) {
        Node::Head(inner) | Node::Tail(inner) | Node::Element(inner, _) => Some(*inner),
        _ => None,
    }
}

/// Returns true if it is a part of an input.
pub fn is_part(arena: &Arena, expr: Expr) -> bool {
    let top = std::iter::successors(Some(expr), |at| above(arena, *at)).last();
    top.is_some_and(|top| matches!(arena.node(top), Node::Input(_)))
}

/// Returns true if a part is another one or in it.
pub fn is_within(arena: &Arena, part: Expr, whole: Expr) -> bool {
    std::iter::successors(Some(part), |at| above(arena, *at)).any(|at| at == whole)
}
