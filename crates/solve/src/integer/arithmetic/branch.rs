//! Branch and prune: a dive along preferred values, then the subproblems left beside it, breadth first.

use std::collections::VecDeque;

use super::super::int::Int;
use super::super::interval::Interval;
use super::propagate::Propagator;
use super::system::System;
use crate::query::{Answer, UnknownReason};

/// Branch and prune: intervals are narrowed, then split.
pub struct IntegerBranching<'a> {
    system: &'a System,
    propagator: Propagator<'a>,
    /// Columns that something depends on, those that decide most first.
    order: Vec<usize>,
    open: VecDeque<Subproblem>,
    /// Values with more bits are not tried.
    most_bits: u64,
    /// Something was left out, or consistent values were not accepted: nothing can be proved any more.
    puzzled: bool,
}

/// Bits by which tried values may be longer than the numbers of the problem.
const MORE_BITS: u64 = 100;

struct Subproblem {
    columns: Vec<Interval>,
    /// The column that changed last.
    changed: Option<usize>,
    /// The number of cuts of its columns without a value being tried.
    cuts: u32,
}

impl<'a> IntegerBranching<'a> {
    /// The search of a system.
    pub fn new(system: &'a System) -> IntegerBranching<'a> {
        let root = Subproblem { columns: system.columns.clone(), changed: None, cuts: 0 };
        let propagator = Propagator::new(system, system.columns.len());
        let most_bits = MORE_BITS + longest(system);
        IntegerBranching {
            system,
            propagator,
            order: order(system),
            open: VecDeque::from([root]),
            most_bits,
            puzzled: false,
        }
    }

    /// Looks at this many nodes more.
    pub fn run(&mut self, nodes: u64, accept: &dyn Fn(&[Int]) -> bool) -> Answer<Vec<Int>> {
        for _ in 0..nodes {
            let Some(mut node) = self.open.pop_front() else { return self.end() };
            let narrowed = match node.changed {
                None => self.propagator.all(&mut node.columns),
                Some(column) => self.propagator.from(column, &mut node.columns),
            };
            if narrowed.is_err() {
                continue;
            }
            match self.next_column(&node) {
                Some(column) => self.branch(node, column),
                None => match self.completed(&node.columns).filter(|values| accept(values)) {
                    Some(values) => return Answer::Sat(values),
                    None => self.puzzled = true,
                },
            }
        }
        if self.open.is_empty() { self.end() } else { Answer::Unknown(UnknownReason::Budget) }
    }

    fn end(&self) -> Answer<Vec<Int>> {
        if self.puzzled { Answer::Unknown(UnknownReason::Budget) } else { Answer::Unsat }
    }

    fn next_column(&self, node: &Subproblem) -> Option<usize> {
        let open = self.order.iter().filter(|at| node.columns[**at].value().is_none());
        // Among the first that are left: one with two values is nearly decided.
        let small = open.clone().find(|at| node.columns[**at].width().is_some_and(|width| width.is_one()));
        small.or_else(|| open.clone().next()).copied()
    }

    fn completed(&self, columns: &[Interval]) -> Option<Vec<Int>> {
        let mut values: Vec<Int> =
            columns.iter().zip(&self.system.near).map(|(column, near)| column.closest(near)).collect();
        self.system.restore(&mut values);
        Some(values)
    }

    /// A value at once, what is beside it later; or, every other time, two parts.
    fn branch(&mut self, node: Subproblem, at: usize) {
        let column = node.columns[at].clone();
        let near = &self.system.near[at];
        let value = if column.contains(near) { near.clone() } else { column.closest(&Int::ZERO) };
        if value.bits() > self.most_bits {
            self.puzzled = true;
            return;
        }
        if node.cuts % 2 == 1
            && let Some(middle) = middle(&column, &value)
        {
            for part in parts(&column, &middle, &value) {
                self.open.push_back(node.part(at, part));
            }
            return;
        }
        let below = column.meet(&Interval::up_to(value.pred()));
        let above = column.meet(&Interval::from(value.succ()));
        for rest in [above, below].into_iter().flatten() {
            self.open.push_back(node.part(at, rest));
        }
        let mut chosen = node.part(at, Interval::point(value));
        chosen.cuts = node.cuts - node.cuts % 2;
        self.open.push_front(chosen);
    }
}

impl Subproblem {
    fn part(&self, at: usize, part: Interval) -> Subproblem {
        let mut columns = self.columns.clone();
        columns[at] = part;
        Subproblem { columns, changed: Some(at), cuts: self.cuts + 1 }
    }
}

/// The place to cut: in the middle, or far out where there is none.
fn middle(column: &Interval, value: &Int) -> Option<Int> {
    let eight = Int::from(8);
    match (&column.low, &column.high) {
        (Some(low), Some(high)) if high.sub(low) > eight => Some(low.add(high).floor_div(&Int::from(2))),
        (Some(_), Some(_)) => None,
        (Some(_), None) => Some(value.abs().mul(&eight).add(&eight)),
        _ => Some(value.abs().mul(&eight).add(&eight).neg()),
    }
}

/// The part with the preferred value first.
fn parts(column: &Interval, middle: &Int, value: &Int) -> Vec<Interval> {
    let below = column.meet(&Interval::up_to(middle.clone()));
    let above = column.meet(&Interval::from(middle.succ()));
    let mut parts: Vec<Interval> = [below, above].into_iter().flatten().collect();
    parts.sort_by_key(|part| !part.contains(value));
    parts
}

/// The bits of the longest number in a system.
fn longest(system: &System) -> u64 {
    let rows = system.rows.iter().map(|row| &row.form);
    let definitions = system.definitions.iter().flat_map(|d| std::iter::once(&d.result).chain(&d.args));
    let constants = rows.chain(definitions).map(|form| form.constant.bits());
    let bounds = system.columns.iter().flat_map(|column| [&column.low, &column.high]).flatten().map(Int::bits);
    let near = system.near.iter().map(Int::bits);
    constants.chain(bounds).chain(near).max().unwrap_or(0)
}

/// Arguments of definitions, then what only rows mention, then results, which follow from the arguments.
fn order(system: &System) -> Vec<usize> {
    let mut rank = vec![None; system.columns.len()];
    let mut give = |at: usize, to: u8| rank[at] = Some(rank[at].map_or(to, |old: u8| old.min(to)));
    for definition in &system.definitions {
        definition.result.terms.iter().for_each(|(at, _)| give(*at, 2));
    }
    for row in &system.rows {
        row.form.terms.iter().for_each(|(at, _)| give(*at, 1));
    }
    for definition in &system.definitions {
        definition.args.iter().flat_map(|arg| &arg.terms).for_each(|(at, _)| give(*at, 0));
    }
    let mut order: Vec<usize> = (0..system.columns.len()).filter(|at| rank[*at].is_some()).collect();
    order.sort_by_key(|at| (rank[*at], *at));
    order
}
