//! The conditions that bear on the newest one; the others are met already and, with luck, stay so.
//!
//! A condition is about parts of inputs: `hd(tl(X1))`, `element(2, X2)`. A condition on several parts ties them together.
//! One on a single part bears on everything below that part, and on the part itself, but does not tie the parts below
//! it to each other: that `X1` is a list cell is needed for its head to exist, and leaves its tail as it is.

use constraint::{Arena, Expr, Node, Test};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::query::Query;

/// Finds slices, and remembers the parts that conditions are about.
#[derive(Default)]
pub struct Slicer {
    numbers: FxHashMap<Test, u32>,
    known: Vec<Known>,
    /// The input that an expression is a part of; true if it is the result of a fun in it.
    inputs: FxHashMap<Expr, (Option<u32>, bool)>,
    ties: Ties,
}

/// The parts and the inputs that a test is about.
struct Known {
    parts: Box<[Expr]>,
    inputs: Box<[u32]>,
}

impl Slicer {
    /// Places of the conditions that bear on the last one, in order.
    pub fn slice(&mut self, query: &Query<'_>) -> Vec<usize> {
        let Some(last) = query.conditions.len().checked_sub(1) else { return Vec::new() };
        let tests: Vec<u32> =
            query.conditions.iter().map(|condition| self.test(query.arena, &condition.test)).collect();
        let parts = |at: usize| &self.known[tests[at] as usize].parts;
        let ties = &mut self.ties;
        ties.clear();
        for at in 0..=last {
            for part in parts(at) {
                let place = ties.place(query.arena, *part);
                // A condition on one part ties nothing to anything.
                if parts(at).len() > 1 {
                    ties.watch(place, at);
                }
            }
        }
        let mut taken = vec![false; tests.len()];
        let mut todo = vec![last];
        while let Some(at) = todo.pop() {
            if !std::mem::replace(&mut taken[at], true) {
                parts(at).iter().for_each(|part| ties.tie(query.arena, *part, &mut todo));
            }
        }
        let related = |at: &usize| taken[*at] || parts(*at).is_empty() || parts(*at).iter().any(|it| ties.bears(*it));
        (0..=last).filter(related).collect()
    }

    /// For each input, true if a condition is about it.
    pub fn mentioned(&mut self, query: &Query<'_>) -> Vec<bool> {
        let mut mentioned = vec![false; query.inputs.len().max(query.near.len())];
        for condition in query.conditions {
            let test = self.test(query.arena, &condition.test);
            for input in &self.known[test as usize].inputs {
                if let Some(place) = mentioned.get_mut(*input as usize) {
                    *place = true;
                }
            }
        }
        mentioned
    }

    /// The number of a test, by which it is known.
    fn test(&mut self, arena: &Arena, test: &Test) -> u32 {
        if let Some(number) = self.numbers.get(test) {
            return *number;
        }
        let parts = self.find_parts(arena, test);
        let mut inputs: Vec<u32> = parts.iter().filter_map(|part| self.input(arena, *part).0).collect();
        inputs.sort_unstable();
        inputs.dedup();
        let number = self.known.len() as u32;
        self.known.push(Known { parts: parts.into(), inputs: inputs.into() });
        self.numbers.insert(*test, number);
        number
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
                // What is a part of an input is the input itself or a part of such a part.
                _ if self.input(arena, expr).0.is_some() => {
                    parts.push(expr);
                    if self.input(arena, expr).1 {
                        arguments(arena, expr, &mut todo);
                    }
                }
                node => node.each_part(|part| todo.push(part)),
            }
        }
        parts
    }

    /// The input that an expression is a part of, if it is; true if it is the result of a fun in it.
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

/// The arguments of the funs whose result an expression is.
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
        Node::Head(inner) | Node::Tail(inner) | Node::Element(inner, _) | Node::Name(inner) => Some(*inner),
        Node::Result(inner, _) | Node::MapKey(inner, _) | Node::Bits { of: inner, .. } => Some(*inner),
        // With an unknown key it may be any part of the map.
        Node::MapValue(map, key) if arena.as_literal(*key).is_some() => Some(*map),
        _ => None,
    }
}

/// Returns true if these are bits of one bitstring and have some in common.
fn overlap(arena: &Arena, a: Expr, b: Expr) -> bool {
    let (Node::Bits { of, at, size }, Node::Bits { of: other, at: begin, size: more }) = (arena.node(a), arena.node(b))
    else {
        return false;
    };
    of == other && *at < begin.saturating_add(*more) && *begin < at.saturating_add(*size)
}

/// The parts of a query, each below the part it belongs to, and which of them may have to change.
#[derive(Default)]
struct Ties {
    /// By the number of an expression, its place if the expression there is this one.
    places: Vec<u32>,
    nodes: Vec<Tie>,
    /// Conditions that wait for a part, and the next one that waits for the same.
    watches: Vec<(usize, u32)>,
}

struct Tie {
    expr: Expr,
    above: u32,
    first_below: u32,
    beside: u32,
    watch: u32,
    /// A part that may change is below this one, or this is one.
    is_above: bool,
    is_below: bool,
}

const NOTHING: u32 = u32::MAX;

impl Ties {
    fn clear(&mut self) {
        self.nodes.clear();
        self.watches.clear();
    }

    fn known(&self, expr: Expr) -> Option<u32> {
        let place = *self.places.get(expr.number())?;
        self.nodes.get(place as usize).filter(|node| node.expr == expr).map(|_| place)
    }

    /// The place of a part; it and all it is a part of are given one.
    fn place(&mut self, arena: &Arena, part: Expr) -> u32 {
        let mut missing = Vec::new();
        let mut at = Some(part);
        let mut place = NOTHING;
        while let Some(expr) = at {
            if let Some(known) = self.known(expr) {
                place = known;
                break;
            }
            missing.push(expr);
            at = above(arena, expr);
        }
        for expr in missing.into_iter().rev() {
            place = self.push(expr, place);
        }
        place
    }

    fn push(&mut self, expr: Expr, above: u32) -> u32 {
        let place = self.nodes.len() as u32;
        let beside = match self.nodes.get_mut(above as usize) {
            Some(node) => std::mem::replace(&mut node.first_below, place),
            None => NOTHING,
        };
        let nothing =
            Tie { expr, above, first_below: NOTHING, beside, watch: NOTHING, is_above: false, is_below: false };
        self.nodes.push(nothing);
        let number = expr.number();
        if self.places.len() <= number {
            self.places.resize(number + 1, NOTHING);
        }
        self.places[number] = place;
        place
    }

    /// Has a condition taken when a part at this place may change.
    fn watch(&mut self, place: u32, condition: usize) {
        let number = self.watches.len() as u32;
        let node = &mut self.nodes[place as usize];
        self.watches.push((condition, std::mem::replace(&mut node.watch, number)));
    }

    /// A part may change, and with it all below and above; `todo` gets the conditions that watch them.
    fn tie(&mut self, arena: &Arena, part: Expr, todo: &mut Vec<usize>) {
        let Some(place) = self.known(part) else { return };
        self.tie_overlapping(arena, place, todo);
        let mut at = place;
        while let Some(node) = self.nodes.get_mut(at as usize).filter(|node| !node.is_above) {
            node.is_above = true;
            let above = node.above;
            self.notify(at, todo);
            at = above;
        }
        let mut parts = vec![place];
        while let Some(at) = parts.pop() {
            let node = &mut self.nodes[at as usize];
            if std::mem::replace(&mut node.is_below, true) {
                continue;
            }
            let mut below = node.first_below;
            self.notify(at, todo);
            while let Some(node) = self.nodes.get(below as usize) {
                parts.push(below);
                below = node.beside;
            }
        }
    }

    /// Bits that others have in common with these change with them.
    fn tie_overlapping(&mut self, arena: &Arena, place: u32, todo: &mut Vec<usize>) {
        let Tie { expr, above, .. } = self.nodes[place as usize];
        let mut at = match arena.node(expr) {
            Node::Bits { .. } => self.nodes.get(above as usize).map_or(NOTHING, |above| above.first_below),
            _ => NOTHING,
        };
        while let Some(node) = self.nodes.get_mut(at as usize) {
            let (place, beside) = (at, node.beside);
            if !node.is_below && overlap(arena, expr, node.expr) {
                node.is_below = true;
                self.notify(place, todo);
            }
            at = beside;
        }
    }

    fn notify(&mut self, place: u32, todo: &mut Vec<usize>) {
        let mut watch = std::mem::replace(&mut self.nodes[place as usize].watch, NOTHING);
        while let Some((condition, next)) = self.watches.get(watch as usize) {
            todo.push(*condition);
            watch = *next;
        }
    }

    fn bears(&self, part: Expr) -> bool {
        let node = self.known(part).map(|place| &self.nodes[place as usize]);
        node.is_some_and(|node| node.is_above || node.is_below)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use constraint::{Condition, Grammar};

    fn is_within(arena: &Arena, part: Expr, whole: Expr) -> bool {
        std::iter::successors(Some(part), |at| above(arena, *at)).any(|at| at == whole)
    }

    /// By the meaning of the words, however long it takes.
    fn plainly(arena: &Arena, parts: &[Vec<Expr>]) -> Vec<usize> {
        let last = parts.len() - 1;
        let mut tied: Vec<Expr> = parts[last].clone();
        let bears = |tied: &[Expr], parts: &[Expr]| {
            let near = |a, b| is_within(arena, a, b) || is_within(arena, b, a) || overlap(arena, a, b);
            parts.iter().any(|a| tied.iter().any(|b| near(*a, *b)))
        };
        loop {
            let more = parts.iter().filter(|parts| parts.len() > 1 && bears(&tied, parts)).flatten();
            let more: Vec<Expr> = more.filter(|part| !tied.contains(part)).copied().collect();
            if more.is_empty() {
                break;
            }
            tied.extend(more);
        }
        (0..=last).filter(|at| *at == last || parts[*at].is_empty() || bears(&tied, &parts[*at])).collect()
    }

    #[test]
    fn a_slice_is_what_bears_on_the_last_condition() {
        let mut random = fastrand::Rng::with_seed(5);
        let (grammar, mut slicer, mut arena) = (Grammar::default(), Slicer::default(), Arena::new());
        let mut smaller = 0;
        for _ in 0..2_000 {
            let mut part = |arena: &mut Arena| {
                let input = arena.input(random.u32(0..3));
                let part = (0..random.u32(0..4)).fold(input, |at, _| match random.u32(0..3) {
                    0 => arena.head(at),
                    1 => arena.tail(at),
                    _ => arena.element(at, 1),
                });
                match random.u32(0..3) {
                    0 => arena.bits(part, random.u32(0..12), random.u32(1..9)),
                    _ => part,
                }
            };
            let rows: Vec<(Expr, Expr)> = (0..8).map(|_| (part(&mut arena), part(&mut arena))).collect();
            let test = |(a, b): &(Expr, Expr)| if a.number() % 3 > 0 { Test::Cons(*a) } else { Test::Less(*a, *b) };
            let conditions: Vec<Condition> =
                rows.iter().map(|row| Condition { test: test(row), holds: true }).collect();
            let parts: Vec<Vec<Expr>> = conditions.iter().map(|one| slicer.find_parts(&arena, &one.test)).collect();
            let query = Query { arena: &arena, grammar: &grammar, inputs: &[], conditions: &conditions, near: &[] };
            let slice = slicer.slice(&query);
            smaller += usize::from(slice.len() < conditions.len());
            assert_eq!(slice, plainly(&arena, &parts), "{conditions:?}");
        }
        assert!(smaller > 500, "{smaller} slices leave something out");
    }
}
