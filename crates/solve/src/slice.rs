//! The conditions that bear on the newest one; the others are met already and, with luck, stay so.
//!
//! A condition is about parts of inputs: `hd(tl(X1))`, `element(2, X2)`. What relates several parts ties them together.
//! What asks about one part bears on everything below that part, and on the part itself, but does not tie the
//! things below it to each other: that `X1` is a list cell is needed to speak of its head, and says nothing of its tail.

use std::rc::Rc;

use constraint::{Arena, Expr, Node, Test};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::query::Query;

/// Finds slices, and remembers what conditions are about.
#[derive(Default)]
pub struct Slicer {
    parts: FxHashMap<Test, Rc<[Expr]>>,
    /// The input that an expression is a part of, and whether a fun in it gave it.
    inputs: FxHashMap<Expr, (Option<u32>, bool)>,
}

impl Slicer {
    /// Places of the conditions that bear on the last one, in order.
    pub fn slice(&mut self, query: &Query<'_>) -> Vec<usize> {
        let Some(last) = query.conditions.len().checked_sub(1) else { return Vec::new() };
        let parts: Vec<Rc<[Expr]>> =
            query.conditions.iter().map(|condition| self.parts(query.arena, &condition.test)).collect();
        let mut tied = Tied::new(query.arena);
        parts[last].iter().for_each(|part| tied.add(*part));
        let mut taken = vec![false; parts.len()];
        taken[last] = true;
        let mut changed = true;
        while changed {
            changed = false;
            // Conditions mostly speak of what the ones before them spoke of.
            for at in (0..last).rev().filter(|at| parts[*at].len() > 1) {
                if !taken[at] && parts[at].iter().any(|part| tied.bears(*part)) {
                    taken[at] = true;
                    changed = true;
                    parts[at].iter().for_each(|part| tied.add(*part));
                }
            }
        }
        let mut related = |at: &usize| taken[*at] || parts[*at].is_empty() || parts[*at].iter().any(|p| tied.bears(*p));
        (0..=last).filter(&mut related).collect()
    }

    /// Which inputs the conditions speak of.
    pub fn mentioned(&mut self, query: &Query<'_>) -> Vec<bool> {
        let mut mentioned = vec![false; query.inputs.len().max(query.near.len())];
        for condition in query.conditions {
            for part in self.parts(query.arena, &condition.test).iter() {
                let (input, _) = self.input(query.arena, *part);
                if let Some(place) = input.and_then(|at| mentioned.get_mut(at as usize)) {
                    *place = true;
                }
            }
        }
        mentioned
    }

    /// The parts of inputs that a test is about.
    fn parts(&mut self, arena: &Arena, test: &Test) -> Rc<[Expr]> {
        if let Some(parts) = self.parts.get(test) {
            return Rc::clone(parts);
        }
        let parts: Rc<[Expr]> = self.find_parts(arena, test).into();
        self.parts.insert(*test, Rc::clone(&parts));
        parts
    }

    fn find_parts(&mut self, arena: &Arena, test: &Test) -> Vec<Expr> {
        let mut parts = Vec::new();
        let mut todo: Vec<Expr> = test.exprs().collect();
        let mut seen = FxHashSet::default();
        while let Some(expr) = todo.pop() {
            if !seen.insert(expr) {
                continue;
            }
            match arena.node(expr) {
                Node::Input(_) => parts.push(expr),
                Node::Literal(_) => {}
                Node::Head(_) | Node::Tail(_) | Node::Element(..) | Node::Result(..)
                    if self.input(arena, expr).0.is_some() =>
                {
                    parts.push(expr);
                    if self.input(arena, expr).1 {
                        arguments(arena, expr, &mut todo);
                    }
                }
                Node::Result(fun, args) => todo.extend(args.iter().copied().chain([*fun])),
                Node::Head(inner) | Node::Tail(inner) | Node::Element(inner, _) => todo.push(*inner),
                Node::Cons(head, tail) => todo.extend([*head, *tail]),
                Node::Tuple(items) => todo.extend(items.iter().copied()),
                Node::Apply(_, args) => todo.extend(args.iter().copied()),
            }
        }
        parts
    }

    /// The input that something is a part of, if it is, and whether a fun in it gave it.
    fn input(&mut self, arena: &Arena, part: Expr) -> (Option<u32>, bool) {
        let mut passed = Vec::new();
        let mut at = part;
        let (input, mut given) = loop {
            if let Some(known) = self.inputs.get(&at) {
                break *known;
            }
            match (arena.node(at), above(arena, at)) {
                (Node::Input(input), _) => break (Some(*input), false),
                (_, Some(next)) => {
                    passed.push(at);
                    at = next;
                }
                (_, None) => break (None, false),
            }
        };
        self.inputs.insert(at, (input, given));
        for expr in passed.into_iter().rev() {
            given |= matches!(arena.node(expr), Node::Result(..));
            self.inputs.insert(expr, (input, given));
        }
        (input, given)
    }
}

/// What the funs were called with that gave an expression.
fn arguments(arena: &Arena, expr: Expr, found: &mut Vec<Expr>) {
    let mut at = Some(expr);
    while let Some(expr) = at {
        if let Node::Result(_, args) = arena.node(expr) {
            found.extend(args.iter().copied());
        }
        at = above(arena, expr);
    }
}

/// The expression that a part is a part of.
fn above(arena: &Arena, part: Expr) -> Option<Expr> {
    match arena.node(part) {
        Node::Head(inner) | Node::Tail(inner) | Node::Element(inner, _) | Node::Result(inner, _) => Some(*inner),
        _ => None,
    }
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
