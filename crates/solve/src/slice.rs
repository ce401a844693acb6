//! The conditions that bear on the newest one; the others are met already and, with luck, stay so.
//!
//! A condition is about parts of inputs: `hd(tl(X1))`, `element(2, X2)`. What relates several parts ties them together.
//! What asks about one part bears on everything below that part, and on the part itself, but does not tie the
//! things below it to each other: that `X1` is a list cell is needed to speak of its head, and says nothing of its tail.

use constraint::{Arena, Condition, Expr, Node};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::query::Query;

/// Places of the conditions that bear on the last one, in order.
pub fn slice(query: &Query<'_>) -> Vec<usize> {
    let Some(last) = query.conditions.len().checked_sub(1) else { return Vec::new() };
    let parts: Vec<Vec<Expr>> = query.conditions.iter().map(|condition| parts(query.arena, condition)).collect();
    let mut tied = Tied::new(query.arena);
    parts[last].iter().for_each(|part| tied.add(*part));
    let mut taken = vec![false; parts.len()];
    taken[last] = true;
    let mut changed = true;
    while changed {
        changed = false;
        for at in (0..last).filter(|at| parts[*at].len() > 1) {
            if !taken[at] && parts[at].iter().any(|part| tied.bears(*part)) {
                taken[at] = true;
                changed = true;
                parts[at].iter().for_each(|part| tied.add(*part));
            }
        }
    }
    let related = |at: &usize| taken[*at] || parts[*at].is_empty() || parts[*at].iter().any(|part| tied.bears(*part));
    (0..=last).filter(related).collect()
}

/// Which inputs the conditions speak of.
pub fn mentioned(query: &Query<'_>) -> Vec<bool> {
    let mut mentioned = vec![false; query.inputs.len().max(query.near.len())];
    for part in query.conditions.iter().flat_map(|condition| parts(query.arena, condition)) {
        if let Node::Input(at) = query.arena.node(top(query.arena, part))
            && let Some(place) = mentioned.get_mut(*at as usize)
        {
            *place = true;
        }
    }
    mentioned
}

/// The parts of inputs that a condition is about.
fn parts(arena: &Arena, condition: &Condition) -> Vec<Expr> {
    let mut parts = Vec::new();
    let mut todo: Vec<Expr> = condition.test.exprs().collect();
    let mut seen = FxHashSet::default();
    while let Some(expr) = todo.pop() {
        if !seen.insert(expr) {
            continue;
        }
        match arena.node(expr) {
            Node::Input(_) => parts.push(expr),
            Node::Literal(_) => {}
            Node::Head(_) | Node::Tail(_) | Node::Element(..) if of_input(arena, expr) => parts.push(expr),
            Node::Head(inner) | Node::Tail(inner) | Node::Element(inner, _) => todo.push(*inner),
            Node::Cons(head, tail) => todo.extend([*head, *tail]),
            Node::Tuple(items) => todo.extend(items.iter().copied()),
            Node::Apply(_, args) => todo.extend(args.iter().copied()),
        }
    }
    parts
}

/// The expression that a part is a part of.
fn above(arena: &Arena, part: Expr) -> Option<Expr> {
    match arena.node(part) {
        Node::Head(inner) | Node::Tail(inner) | Node::Element(inner, _) => Some(*inner),
        _ => None,
    }
}

/// What a part is a part of in the end.
fn top(arena: &Arena, part: Expr) -> Expr {
    std::iter::successors(Some(part), |part| above(arena, *part)).last().unwrap_or(part)
}

fn of_input(arena: &Arena, part: Expr) -> bool {
    matches!(arena.node(top(arena, part)), Node::Input(_))
}

/// The parts that may have to change.
struct Tied<'a> {
    arena: &'a Arena,
    parts: FxHashSet<Expr>,
    /// These and all they are parts of.
    above: FxHashSet<Expr>,
    /// Whether something is one of these or below one; forgotten when there are more.
    below: FxHashMap<Expr, bool>,
}

impl<'a> Tied<'a> {
    fn new(arena: &'a Arena) -> Tied<'a> {
        Tied { arena, parts: FxHashSet::default(), above: FxHashSet::default(), below: FxHashMap::default() }
    }

    fn add(&mut self, part: Expr) {
        if self.parts.insert(part) {
            self.below.clear();
        }
        let mut at = Some(part);
        while let Some(expr) = at.filter(|expr| self.above.insert(*expr)) {
            at = above(self.arena, expr);
        }
    }

    fn bears(&mut self, part: Expr) -> bool {
        self.above.contains(&part) || self.is_below(part)
    }

    fn is_below(&mut self, part: Expr) -> bool {
        let mut passed = Vec::new();
        let mut at = Some(part);
        let mut answer = false;
        while let Some(expr) = at {
            if let Some(known) = self.below.get(&expr) {
                answer = *known;
                break;
            }
            passed.push(expr);
            if self.parts.contains(&expr) {
                answer = true;
                break;
            }
            at = above(self.arena, expr);
        }
        self.below.extend(passed.into_iter().map(|expr| (expr, answer)));
        answer
    }
}
