//! Phase one: from a goal backward to the entry points, with a question to the solver at every step.
//!
//! A first look is coarse: it leaps over regions between two blocks that every way passes, and takes what calls give
//! as unknown. Where a way to an entry point seems open, its inputs are tried; if they do not lead to the goal, what the
//! way left out is looked into, nearest to the goal first, and the chase begins anew. Ways that nothing meets are
//! closed for good, for what was left out can only close more. When no way is left, there is none.

use std::cell::RefCell;

use constraint::{Arena, Condition, Expr, Node, RuleId};
use exec::backward::{
    Caller, Edge, FunctionId, Origin, Piece, Program, Spot, Start, Traced, Values, Way, can_enter, trace,
};
use rustc_hash::{FxHashMap, FxHashSet};
use solve::structural::smallest;
use solve::{Answer, Budget, Executor, Query};
use term::Term;

use super::Statistics;
use super::entry::Entry;
use super::known::Known;
use crate::reason::{Causes, Reason};

/// How often one call is unrolled, inward or outward.
const UNROLLED: usize = 4;
/// Segments that are looked at for one goal.
const MOST_SEGMENTS: u64 = 4_000;
/// What a question on the way may use: it is enough to be told quickly that nobody can take a way.
const HASTY: Budget = Budget { choices: 200, rlimit: 20_000, walk: 0 };
/// How often the chase begins anew.
const MOST_LOOKS: usize = 80;

/// What came of a chase.
pub enum Caught {
    /// Somebody came to the goal; the way had so many segments.
    Goal(u64),
    /// Nobody can.
    Nothing,
    /// Ways are left.
    Open,
}

/// Whoever runs inputs of an entry point, and says whether that came to the goal.
pub type Try<'a> = dyn FnMut(usize, Vec<Term>) -> bool + 'a;

pub struct Chase<'a, 'g> {
    pub program: &'a mut Program<'g>,
    pub arena: &'a mut Arena,
    pub entries: &'a [Entry],
    pub values: &'a Values,
    /// The smallest values of rules, as far as they are known.
    pub smallest: &'a mut FxHashMap<RuleId, Term>,
    pub solver: &'a mut dyn Executor,
    pub budget: Budget,
    /// Functions that somebody may call whom nobody knows.
    pub open: &'a FxHashSet<FunctionId>,
    pub go_on: &'a RefCell<dyn FnMut() -> bool + 'a>,
    pub statistics: &'a mut Statistics,
    pub causes: &'a mut Causes,
}

/// What is looked into.
#[derive(Default)]
struct Looked {
    calls: FxHashSet<Spot>,
    joins: FxHashSet<(FunctionId, u32)>,
}

/// A way that is to be followed further back.
#[derive(Clone)]
struct Trail {
    at: At,
    way: Way,
    /// The calls that are to begin where their functions do, the innermost last.
    calls: Vec<Spot>,
}

#[derive(Clone, Copy)]
enum At {
    /// The block ran to there.
    Spot(Spot),
    /// A block begins.
    Block(FunctionId, u32),
}

/// How one look ended.
enum Look {
    Caught(u64),
    /// Something new is looked into.
    Again,
    /// Every way was followed; whether some are still open.
    Done {
        open: bool,
    },
    Stop,
}

impl Chase<'_, '_> {
    /// Chases a goal, which is any of these spots; `before` says what the end of the block there must answer.
    pub fn run(&mut self, goals: &[(Spot, Option<bool>)], attempt: &mut Try<'_>) -> Caught {
        let mut looked = Looked::default();
        let mut tried = Vec::new();
        let enough = self.statistics.explored + MOST_SEGMENTS;
        for _ in 0..MOST_LOOKS {
            match self.look(goals, &mut looked, &mut tried, enough, attempt) {
                Look::Again => {}
                Look::Caught(segments) => return Caught::Goal(segments),
                Look::Done { open: false } => return Caught::Nothing,
                Look::Done { open: true } => return Caught::Open,
                Look::Stop => return Caught::Open,
            }
        }
        self.causes.add(Reason::Depth, None);
        Caught::Open
    }

    fn look(
        &mut self,
        goals: &[(Spot, Option<bool>)],
        looked: &mut Looked,
        tried: &mut Vec<(usize, Vec<Term>)>,
        enough: u64,
        attempt: &mut Try<'_>,
    ) -> Look {
        let mut open = false;
        let mut trails: Vec<Trail> = goals.iter().rev().map(|(spot, holds)| Trail::to(*spot, *holds)).collect();
        while let Some(trail) = trails.pop() {
            if !(self.go_on.borrow_mut())() {
                return Look::Stop;
            }
            if self.statistics.explored >= enough {
                self.causes.add(Reason::Queries, None);
                return Look::Done { open: true };
            }
            let (at, function) = match trail.at {
                At::Spot(spot) => {
                    self.through(&trail, spot, looked, &mut trails);
                    continue;
                }
                At::Block(function, 0) if trail.calls.is_empty() => (trails.len(), function),
                At::Block(function, block) => {
                    self.before(&trail, function, block, looked, &mut trails);
                    continue;
                }
            };
            for entry in 0..self.entries.len() {
                if self.program.number(self.entries[entry].function) != Some(function) {
                    continue;
                }
                match self.arrive(entry, function, &trail.way, looked, tried, attempt) {
                    Look::Done { open: more } => open |= more,
                    other => return other,
                }
            }
            if self.open.contains(&function) && self.is_open(&trail.way, Start::Function(function)) {
                self.causes.add(Reason::Pin, None);
                open = true;
            }
            open |= self.outward(&trail, function, &mut trails);
            trails[at..].reverse();
        }
        Look::Done { open }
    }

    /// Back through a block, into the calls that are looked into.
    fn through(&mut self, trail: &Trail, spot: Spot, looked: &Looked, trails: &mut Vec<Trail>) {
        let here = |at: u32| Spot { at, ..spot };
        let inner = (0..spot.at).rev().map(here).find_map(|call| Some((call, self.inside(trail, call, looked)?)));
        let Some((call, callee)) = inner else {
            let way = trail.way.after(Piece::Run { from: here(0), to: spot.at });
            self.statistics.explored += 1;
            if self.is_open(&way, Start::Block(spot.function)) {
                trails.push(Trail { at: At::Block(spot.function, spot.block), way, calls: trail.calls.clone() });
            }
            return;
        };
        let way = trail.way.after(Piece::Run { from: here(call.at + 1), to: spot.at });
        let mut calls = trail.calls.clone();
        calls.push(call);
        let begin = trails.len();
        self.ends(Trail { at: trail.at, way, calls }, callee, call, looked, trails);
        trails[begin..].reverse();
    }

    /// The function that a call begins, if it is looked into.
    fn inside(&mut self, trail: &Trail, call: Spot, looked: &Looked) -> Option<FunctionId> {
        if !looked.calls.contains(&call) || trail.calls.iter().filter(|it| **it == call).count() >= UNROLLED {
            return None;
        }
        let callee = self.program.callee(call)?;
        can_enter(self.program, callee).filter(|callee| self.values.knows(*callee))
    }

    /// The ends of a function whose value a call had.
    fn ends(&mut self, trail: Trail, function: FunctionId, to: Spot, looked: &Looked, trails: &mut Vec<Trail>) {
        for block in self.program.returns(function) {
            let end = self.program.end(function, block);
            let tail = self.program.call(end).is_some();
            let inner = if tail { self.inside(&trail, end, looked) } else { None };
            match inner {
                Some(callee) => {
                    let mut calls = trail.calls.clone();
                    calls.push(end);
                    self.ends(Trail { calls, ..trail.clone() }, callee, to, looked, trails);
                }
                None => {
                    let piece =
                        if tail { Piece::Tail { function, block, to } } else { Piece::Return { function, block, to } };
                    let way = trail.way.after(piece);
                    trails.push(Trail { at: At::Spot(end), way, calls: trail.calls.clone() });
                }
            }
        }
    }

    /// From the beginning of a block to those before it, or to where a call on the way begins.
    fn before(&mut self, trail: &Trail, function: FunctionId, block: u32, looked: &Looked, trails: &mut Vec<Trail>) {
        if block == 0 {
            let mut calls = trail.calls.clone();
            let Some(at) = calls.pop() else { return };
            let way = trail.way.after(Piece::Call { at, callee: function });
            return trails.push(Trail { at: At::Spot(at), way, calls });
        }
        let flow = self.program.flow(function);
        let end = |block| At::Spot(self.program.end(function, block));
        let to = |at, way| Trail { at, way, calls: trail.calls.clone() };
        if let Some(narrow) = flow.narrow(block).filter(|_| !looked.joins.contains(&(function, block))) {
            let way = trail.way.after(Piece::Leap { function, block });
            return trails.push(to(end(narrow.block), way));
        }
        for before in flow.before(block).iter().rev() {
            trails.push(match before.edge {
                Edge::Jump => to(end(before.block), trail.way.clone()),
                Edge::Test(holds) => {
                    let way = trail.way.after(Piece::Test { function, block: before.block, holds });
                    to(end(before.block), way)
                }
                Edge::Raised => {
                    let way = trail.way.after(Piece::Raised { function, block: before.block });
                    to(At::Block(function, before.block), way)
                }
            });
        }
    }

    /// From the beginning of a function to whoever calls it; whether some were left out.
    fn outward(&mut self, trail: &Trail, function: FunctionId, trails: &mut Vec<Trail>) -> bool {
        let mut left = false;
        for caller in self.program.callers(function) {
            let (at, piece) = match *caller {
                Caller::Call(at) => (at, Piece::Call { at, callee: function }),
                Caller::Fun(at) => (at, Piece::Fun { at, callee: function }),
            };
            if trail.way.pieces().filter(|it| *it == piece).count() >= UNROLLED {
                self.causes.add(Reason::Depth, None);
                left = true;
                continue;
            }
            trails.push(Trail { at: At::Spot(at), way: trail.way.after(piece), calls: Vec::new() });
        }
        left
    }

    /// Whether somebody may take a way whose beginning is unknown.
    fn is_open(&mut self, way: &Way, start: Start) -> bool {
        let mut known = Known::new(self.values, &[]);
        let traced = trace(self.program, self.arena, way, start, &mut known);
        let rules = known.rules(&traced);
        let near: Vec<Term> = rules.iter().map(|rule| self.smallest(*rule)).collect();
        !matches!(self.ask(&traced, &rules, &near, &HASTY), Answer::Unsat)
    }

    /// The smallest value of a rule.
    fn smallest(&mut self, rule: RuleId) -> Term {
        if let Some(known) = self.smallest.get(&rule) {
            return known.clone();
        }
        let value = smallest(self.values.grammar(), rule).unwrap_or_else(|| Term::int(0));
        self.smallest.insert(rule, value.clone());
        value
    }

    fn ask(&mut self, traced: &Traced, rules: &[RuleId], near: &[Term], budget: &Budget) -> Answer {
        if traced.dead || rules.iter().any(|rule| self.values.is_empty(*rule)) {
            return Answer::Unsat;
        }
        if traced.conditions.is_empty() {
            return Answer::Sat(near.to_vec());
        }
        self.statistics.queries += 1;
        let grammar = self.values.grammar();
        let query = Query { arena: self.arena, grammar, inputs: rules, conditions: &traced.conditions, near };
        self.solver.solve(&query, budget)
    }

    /// A way from an entry point: its inputs are tried, or it is looked into.
    fn arrive(
        &mut self,
        entry: usize,
        function: FunctionId,
        way: &Way,
        looked: &mut Looked,
        tried: &mut Vec<(usize, Vec<Term>)>,
        attempt: &mut Try<'_>,
    ) -> Look {
        let mut open = false;
        for at in 0..self.entries[entry].signatures.len() {
            let (own, first) = &self.entries[entry].signatures[at];
            let mut known = Known::new(self.values, own);
            let traced = trace(self.program, self.arena, way, Start::Function(function), &mut known);
            let (count, rules) = (own.len(), known.rules(&traced));
            let mut near = first.clone();
            near.extend(rules[count..].iter().map(|rule| self.smallest(*rule)));
            let inputs = match self.ask(&traced, &rules, &near, &self.budget.clone()) {
                Answer::Unsat => continue,
                Answer::Sat(inputs) => Some(inputs),
                Answer::Unknown(unknown) => {
                    self.causes.add(Reason::Solver(unknown), None);
                    None
                }
            };
            open = true;
            let inputs = inputs.unwrap_or(near)[..count].to_vec();
            if !tried.contains(&(entry, inputs.clone())) {
                tried.push((entry, inputs.clone()));
                if attempt(entry, inputs) {
                    return Look::Caught(way.segments());
                }
            }
            if self.refine(way, &traced, looked) {
                return Look::Again;
            }
        }
        Look::Done { open }
    }

    /// Looks into what a way left out: first what its conditions speak of, then what may keep anybody from taking it.
    fn refine(&mut self, way: &Way, traced: &Traced, looked: &mut Looked) -> bool {
        let mentioned = mentioned(self.arena, &traced.conditions);
        let origins = traced.unknowns.iter().enumerate().filter(|(at, _)| mentioned.contains(&(*at as u32)));
        let mut found = false;
        for (_, origin) in origins {
            found |= match origin.origin {
                Origin::Leap(function, block) => looked.joins.insert((function, block)),
                Origin::Call(spot) => self.can_look(spot) && looked.calls.insert(spot),
                Origin::Before | Origin::Nobody => false,
            };
        }
        if found {
            return true;
        }
        let pieces: Vec<Piece> = way.pieces().collect();
        self.look_into_leap(&pieces, looked, false)
            || self.look_into_call(&pieces, looked)
            || self.look_into_leap(&pieces, looked, true)
    }

    /// The leap nearest to the goal; over a region that control can leave by the way, or over one that it cannot.
    fn look_into_leap(&mut self, pieces: &[Piece], looked: &mut Looked, closed: bool) -> bool {
        let leap = pieces.iter().rev().find_map(|piece| match *piece {
            Piece::Leap { function, block } if !looked.joins.contains(&(function, block)) => {
                let narrow = self.program.flow(function).narrow(block)?;
                (narrow.closed == closed).then_some((function, block))
            }
            _ => None,
        });
        leap.is_some_and(|leap| looked.joins.insert(leap))
    }

    /// The call nearest to the goal that nobody has looked into.
    fn look_into_call(&mut self, pieces: &[Piece], looked: &mut Looked) -> bool {
        for piece in pieces.iter().rev() {
            let (first, last) = match *piece {
                Piece::Run { from, to } => (from, to),
                Piece::Tail { function, block, .. } => {
                    let end = self.program.end(function, block);
                    (end, end.at + 1)
                }
                _ => continue,
            };
            for at in (first.at..last).rev() {
                let spot = Spot { at, ..first };
                if self.program.call(spot).is_some() && self.can_look(spot) && looked.calls.insert(spot) {
                    return true;
                }
            }
        }
        false
    }

    fn can_look(&mut self, spot: Spot) -> bool {
        let callee = self.program.callee(spot).and_then(|callee| can_enter(self.program, callee));
        callee.is_some_and(|callee| self.values.knows(callee))
    }
}

impl Trail {
    fn to(spot: Spot, holds: Option<bool>) -> Trail {
        let way = Way::default();
        let way = match holds {
            Some(holds) => way.after(Piece::Test { function: spot.function, block: spot.block, holds }),
            None => way,
        };
        Trail { at: At::Spot(spot), way, calls: Vec::new() }
    }
}

/// The inputs that conditions speak of.
fn mentioned(arena: &Arena, conditions: &[Condition]) -> FxHashSet<u32> {
    let mut found = FxHashSet::default();
    let mut seen: FxHashSet<Expr> = FxHashSet::default();
    let mut todo: Vec<Expr> = conditions.iter().flat_map(|condition| condition.test.exprs()).collect();
    while let Some(expr) = todo.pop() {
        if seen.insert(expr) {
            match arena.node(expr) {
                Node::Input(at) => _ = found.insert(*at),
                node => node.each_part(|part| todo.push(part)),
            }
        }
    }
    found
}
