//! Backward search: partial paths from a goal to the entry points, with a query at every segment.
//!
//! The first pass is coarse: it skips regions between a block and its dominator, and takes the results of calls as
//! unknown. Where a path to an entry point is feasible, its inputs are run; if they do not lead to the goal, a region or
//! call that the path skipped is refined, nearest to the goal first, and the next pass begins. Infeasible paths are
//! closed for good, for what was skipped can only add conditions. When no path is left, the goal is unreachable.

use std::cell::RefCell;

use constraint::{Arena, Condition, Node, RuleId};
use exec::backward::{
    Caller, Edge, FunctionId, Origin, PartialPath, PathCondition, PathSegment, Program, ProgramPoint, Start, Values,
    can_enter, trace,
};
use rustc_hash::{FxHashMap, FxHashSet};
use solve::structural::smallest;
use solve::{Answer, Budget, Executor, Query};
use term::Term;

use super::ReachStatistics;
use super::entry::Entry;
use super::explain::{self, BackwardExplanation};
use super::oracle::ShapeOracle;
use crate::limits;
use crate::reason::{Causes, Reason};

/// The result of a backward search.
pub enum BackwardResult {
    /// A run came to the goal; the path had so many segments.
    Reached(u64),
    /// No input does: a proof.
    Unreachable,
    /// Paths are left.
    Open,
}

/// Runs inputs of an entry point; true if that came to the goal.
pub type Attempt<'a> = dyn FnMut(usize, Vec<Term>) -> bool + 'a;

/// The backward search of one goal.
pub struct BackwardSearch<'a, 'g> {
    /// The graphs.
    pub program: &'a mut Program<'g>,
    /// The expressions of path conditions.
    pub arena: &'a mut Arena,
    /// The entry points.
    pub entries: &'a [Entry],
    /// The values that registers can hold.
    pub values: &'a Values,
    /// The smallest values of rules, as far as they are known.
    pub smallest: &'a mut FxHashMap<RuleId, Term>,
    /// Answers queries.
    pub solver: &'a mut dyn Executor,
    /// The budget of a query for inputs.
    pub budget: Budget,
    /// Functions that unknown code may call.
    pub open: &'a FxHashSet<FunctionId>,
    /// Asked before every segment.
    pub go_on: &'a RefCell<dyn FnMut() -> bool + 'a>,
    /// Counts segments and queries.
    pub statistics: &'a mut ReachStatistics,
    /// Collects the bounds that were met.
    pub causes: &'a mut Causes,
    /// The last path whose inputs were run, if it is to be explained.
    pub explained: Option<&'a mut Option<BackwardExplanation>>,
}

/// The calls and regions that are followed instead of skipped.
#[derive(Default)]
struct Refinement {
    calls: FxHashSet<ProgramPoint>,
    joins: FxHashSet<(FunctionId, u32)>,
}

/// A path that is to be followed further back.
#[derive(Clone)]
struct WorkItem {
    at: Position,
    path: PartialPath,
    /// The calls that are to begin where their functions do, the innermost last.
    calls: Vec<ProgramPoint>,
}

/// The place that a path was followed back to.
#[derive(Clone, Copy)]
enum Position {
    /// The block ran to there.
    Point(ProgramPoint),
    /// A block begins.
    Block(FunctionId, u32),
}

/// The end of one pass.
enum Pass {
    /// A run came to the goal; the path had so many segments.
    Reached(u64),
    /// Something new was refined.
    Again,
    /// Every path was followed; some may still be open.
    Done { open: bool },
    /// The search is to stop.
    Stop,
}

impl BackwardSearch<'_, '_> {
    /// Searches for a goal, which is any of these points, with the outcome that the test at the block's end must have.
    pub fn run(&mut self, goals: &[(ProgramPoint, Option<bool>)], attempt: &mut Attempt<'_>) -> BackwardResult {
        let mut refined = Refinement::default();
        let mut tried = Vec::new();
        let enough = self.statistics.explored + limits::SEGMENTS;
        for _ in 0..limits::PASSES {
            match self.pass(goals, &mut refined, &mut tried, enough, attempt) {
                Pass::Again => {}
                Pass::Reached(segments) => return BackwardResult::Reached(segments),
                Pass::Done { open: false } => return BackwardResult::Unreachable,
                Pass::Done { open: true } => return BackwardResult::Open,
                Pass::Stop => return BackwardResult::Open,
            }
        }
        self.causes.add(Reason::Depth, None);
        BackwardResult::Open
    }

    fn pass(
        &mut self,
        goals: &[(ProgramPoint, Option<bool>)],
        refined: &mut Refinement,
        tried: &mut Vec<(usize, Vec<Term>)>,
        enough: u64,
        attempt: &mut Attempt<'_>,
    ) -> Pass {
        let mut open = false;
        let mut worklist: Vec<WorkItem> =
            goals.iter().rev().map(|(point, holds)| WorkItem::to(*point, *holds)).collect();
        while let Some(item) = worklist.pop() {
            if !(self.go_on.borrow_mut())() {
                return Pass::Stop;
            }
            if self.statistics.explored >= enough {
                self.causes.add(Reason::Queries, None);
                return Pass::Done { open: true };
            }
            let (at, function) = match item.at {
                Position::Point(point) => {
                    self.through(&item, point, refined, &mut worklist);
                    continue;
                }
                Position::Block(function, 0) if item.calls.is_empty() => (worklist.len(), function),
                Position::Block(function, block) => {
                    self.before(&item, function, block, refined, &mut worklist);
                    continue;
                }
            };
            for entry in 0..self.entries.len() {
                if self.program.number(self.entries[entry].function) != Some(function) {
                    continue;
                }
                match self.arrive(entry, function, &item.path, refined, tried, attempt) {
                    Pass::Done { open: more } => open |= more,
                    other => return other,
                }
            }
            if self.open.contains(&function) && self.is_open(&item.path, Start::Function(function)) {
                self.causes.add(Reason::Pin, None);
                open = true;
            }
            open |= self.outward(&item, function, &mut worklist);
            worklist[at..].reverse();
        }
        Pass::Done { open }
    }

    /// Back through a block, into the calls that are refined.
    fn through(&mut self, item: &WorkItem, point: ProgramPoint, refined: &Refinement, worklist: &mut Vec<WorkItem>) {
        let here = |at: u32| ProgramPoint { at, ..point };
        let inner = (0..point.at).rev().map(here).find_map(|call| Some((call, self.inside(item, call, refined)?)));
        let Some((call, callee)) = inner else {
            let path = item.path.after(PathSegment::Run { from: here(0), to: point.at });
            self.statistics.explored += 1;
            if self.is_open(&path, Start::Block(point.function)) {
                worklist.push(WorkItem {
                    at: Position::Block(point.function, point.block),
                    path,
                    calls: item.calls.clone(),
                });
            }
            return;
        };
        let path = item.path.after(PathSegment::Run { from: here(call.at + 1), to: point.at });
        let mut calls = item.calls.clone();
        calls.push(call);
        let begin = worklist.len();
        self.ends(WorkItem { at: item.at, path, calls }, callee, call, refined, worklist);
        worklist[begin..].reverse();
    }

    /// The function that a call begins, if it is refined.
    fn inside(&mut self, item: &WorkItem, call: ProgramPoint, refined: &Refinement) -> Option<FunctionId> {
        if !refined.calls.contains(&call) || item.calls.iter().filter(|it| **it == call).count() >= limits::UNROLLINGS {
            return None;
        }
        let callee = self.program.callee(call)?;
        can_enter(self.program, callee).filter(|callee| self.values.knows(*callee))
    }

    /// The ends of a function whose value a call had.
    fn ends(
        &mut self,
        item: WorkItem,
        function: FunctionId,
        to: ProgramPoint,
        refined: &Refinement,
        worklist: &mut Vec<WorkItem>,
    ) {
        for block in self.program.returns(function) {
            let end = self.program.end(function, block);
            let tail = self.program.call(end).is_some();
            let inner = if tail { self.inside(&item, end, refined) } else { None };
            match inner {
                Some(callee) => {
                    let mut calls = item.calls.clone();
                    calls.push(end);
                    self.ends(WorkItem { calls, ..item.clone() }, callee, to, refined, worklist);
                }
                None => {
                    let piece = if tail {
                        PathSegment::Tail { function, block, to }
                    } else {
                        PathSegment::Return { function, block, to }
                    };
                    let path = item.path.after(piece);
                    worklist.push(WorkItem { at: Position::Point(end), path, calls: item.calls.clone() });
                }
            }
        }
    }

    /// From the beginning of a block to those before it, or to where a call on the path begins.
    fn before(
        &mut self,
        item: &WorkItem,
        function: FunctionId,
        block: u32,
        refined: &Refinement,
        worklist: &mut Vec<WorkItem>,
    ) {
        if block == 0 {
            let mut calls = item.calls.clone();
            let Some(at) = calls.pop() else { return };
            let path = item.path.after(PathSegment::Call { at, callee: function });
            return worklist.push(WorkItem { at: Position::Point(at), path, calls });
        }
        let flow = self.program.flow(function);
        let end = |block| Position::Point(self.program.end(function, block));
        let to = |at, path| WorkItem { at, path, calls: item.calls.clone() };
        if let Some(dominator) = flow.dominator(block).filter(|_| !refined.joins.contains(&(function, block))) {
            let path = item.path.after(PathSegment::Skip { function, block });
            return worklist.push(to(end(dominator.block), path));
        }
        for before in flow.before(block).iter().rev() {
            worklist.push(match before.edge {
                Edge::Jump => to(end(before.block), item.path.clone()),
                Edge::Test(holds) => {
                    let path = item.path.after(PathSegment::Test { function, block: before.block, holds });
                    to(end(before.block), path)
                }
                Edge::Raised => {
                    let path = item.path.after(PathSegment::Raised { function, block: before.block });
                    to(Position::Block(function, before.block), path)
                }
            });
        }
    }

    /// From the beginning of a function to its callers; true if some were left out.
    fn outward(&mut self, item: &WorkItem, function: FunctionId, worklist: &mut Vec<WorkItem>) -> bool {
        let mut left = false;
        for caller in self.program.callers(function) {
            let (at, piece) = match *caller {
                Caller::Call(at) => (at, PathSegment::Call { at, callee: function }),
                Caller::Fun(at) => (at, PathSegment::Fun { at, callee: function }),
            };
            if item.path.segments().filter(|it| *it == piece).count() >= limits::UNROLLINGS {
                self.causes.add(Reason::Depth, None);
                left = true;
                continue;
            }
            worklist.push(WorkItem { at: Position::Point(at), path: item.path.after(piece), calls: Vec::new() });
        }
        left
    }

    /// True if a path whose beginning is unknown may be feasible.
    fn is_open(&mut self, path: &PartialPath, start: Start) -> bool {
        let mut known = ShapeOracle::new(self.values, &[]);
        let traced = trace(self.program, self.arena, path, start, &mut known);
        let rules = known.rules(&traced);
        let near: Vec<Term> = rules.iter().map(|rule| self.smallest(*rule)).collect();
        !matches!(self.ask(&traced, &rules, &near, &limits::QUICK_BUDGET), Answer::Unsat)
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

    fn ask(&mut self, traced: &PathCondition, rules: &[RuleId], near: &[Term], budget: &Budget) -> Answer {
        if traced.infeasible || rules.iter().any(|rule| self.values.is_empty(*rule)) {
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

    /// Handles a path from an entry point: its inputs are run, or it is refined.
    fn arrive(
        &mut self,
        entry: usize,
        function: FunctionId,
        path: &PartialPath,
        refined: &mut Refinement,
        tried: &mut Vec<(usize, Vec<Term>)>,
        attempt: &mut Attempt<'_>,
    ) -> Pass {
        let mut open = false;
        for at in 0..self.entries[entry].signatures.len() {
            let (own, first) = &self.entries[entry].signatures[at];
            let mut known = ShapeOracle::new(self.values, own);
            let traced = trace(self.program, self.arena, path, Start::Function(function), &mut known);
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
                if let Some(explained) = &mut self.explained {
                    let from = (self.entries[entry].function, count);
                    **explained = Some(explain::backward(self.program, self.arena, from, (path, &traced), &inputs));
                }
                if attempt(entry, inputs) {
                    return Pass::Reached(path.length());
                }
            }
            if self.refine(path, &traced, refined) {
                return Pass::Again;
            }
        }
        Pass::Done { open }
    }

    /// Refines what a path skipped: first what its conditions mention, then what may make it infeasible.
    fn refine(&mut self, path: &PartialPath, traced: &PathCondition, refined: &mut Refinement) -> bool {
        let mentioned = mentioned(self.arena, &traced.conditions);
        let origins = traced.unknowns.iter().enumerate().filter(|(at, _)| mentioned.contains(&(*at as u32)));
        let mut found = false;
        for (_, origin) in origins {
            found |= match origin.origin {
                Origin::Skipped(function, block) => {
                    !self.program.looks_at_messages(function, block) && refined.joins.insert((function, block))
                }
                Origin::Call(point) => self.can_refine(point) && refined.calls.insert(point),
                Origin::Before | Origin::NoRule => false,
            };
        }
        if found {
            return true;
        }
        let pieces: Vec<PathSegment> = path.segments().collect();
        self.refine_region(&pieces, refined, false)
            || self.refine_call(&pieces, refined)
            || self.refine_region(&pieces, refined, true)
    }

    /// Refines the skipped region nearest to the goal, of those that control can leave, or of those that it cannot.
    fn refine_region(&mut self, pieces: &[PathSegment], refined: &mut Refinement, closed: bool) -> bool {
        let region = pieces.iter().rev().find_map(|piece| match *piece {
            PathSegment::Skip { function, block }
                if !refined.joins.contains(&(function, block)) && !self.program.looks_at_messages(function, block) =>
            {
                let dominator = self.program.flow(function).dominator(block)?;
                (dominator.closed == closed).then_some((function, block))
            }
            _ => None,
        });
        region.is_some_and(|region| refined.joins.insert(region))
    }

    /// Refines the skipped call nearest to the goal.
    fn refine_call(&mut self, pieces: &[PathSegment], refined: &mut Refinement) -> bool {
        for piece in pieces.iter().rev() {
            let (first, last) = match *piece {
                PathSegment::Run { from, to } => (from, to),
                PathSegment::Tail { function, block, .. } => {
                    let end = self.program.end(function, block);
                    (end, end.at + 1)
                }
                _ => continue,
            };
            for at in (first.at..last).rev() {
                let point = ProgramPoint { at, ..first };
                if self.program.call(point).is_some() && self.can_refine(point) && refined.calls.insert(point) {
                    return true;
                }
            }
        }
        false
    }

    fn can_refine(&mut self, point: ProgramPoint) -> bool {
        let callee = self.program.callee(point).and_then(|callee| can_enter(self.program, callee));
        callee.is_some_and(|callee| self.values.knows(callee))
    }
}

impl WorkItem {
    fn to(point: ProgramPoint, holds: Option<bool>) -> WorkItem {
        let path = PartialPath::default();
        let path = match holds {
            Some(holds) => path.after(PathSegment::Test { function: point.function, block: point.block, holds }),
            None => path,
        };
        WorkItem { at: Position::Point(point), path, calls: Vec::new() }
    }
}

/// The inputs that conditions speak of.
fn mentioned(arena: &Arena, conditions: &[Condition]) -> FxHashSet<u32> {
    let mut found = FxHashSet::default();
    arena.visit(conditions.iter().flat_map(|condition| condition.test.exprs()), |_, node| {
        if let Node::Input(at) = node {
            found.insert(*at);
        }
        true
    });
    found
}
