//! The neighbourhood of an assignment: neighbours that differ in one variable, and in what linear equalities tie to it.

use fastrand::Rng;

use super::assignment::{Assignment, Change};
use super::bisect::{Probe, narrow, straight};
use super::invert::needed;
use super::polytope::Polytope;
use super::tabu::TabuSearch;
use super::value::{Kind, Num};
use crate::float::further;
use crate::problem::Constraint;

/// The neighbours of an assignment; each is tried on the assignment itself, which goes back afterwards.
pub struct Neighbourhood {
    total: f64,
    /// The values when the look began.
    from: Vec<Num>,
    best: f64,
    change: Change,
    /// The variables that are not where they were.
    moved: Vec<usize>,
}

/// A move of a variable: alone, or along a way of the polytope.
#[derive(Clone, Copy)]
struct Move {
    variable: usize,
    way: Option<usize>,
}

/// Attempts to set a variable to what makes a relation hold.
const INVERSIONS: u32 = 3;

impl Neighbourhood {
    /// The empty neighbourhood of an assignment.
    pub fn new(point: &Assignment<'_>) -> Neighbourhood {
        Neighbourhood {
            total: point.total,
            from: point.values().to_vec(),
            best: f64::INFINITY,
            change: Change::new(),
            moved: Vec::new(),
        }
    }

    /// Goes to the best neighbour if it is better than where the look began, else back there.
    pub fn take(&mut self, point: &mut Assignment<'_>) -> bool {
        self.back(point);
        let better = self.best < self.total;
        if better {
            point.set(&self.change);
        }
        better
    }

    fn back(&mut self, point: &mut Assignment<'_>) {
        let change: Change = self.moved.drain(..).map(|variable| (variable, self.from[variable].clone())).collect();
        point.set(&change);
    }

    fn see(&mut self, point: &Assignment<'_>) {
        if point.total < self.best {
            self.best = point.total;
            self.change = self.moved.iter().map(|variable| (*variable, point.registers[*variable].clone())).collect();
        }
    }

    fn try_value(&mut self, point: &mut Assignment<'_>, polytope: &Polytope, line: Move, value: &Num) {
        match line.way.and_then(|way| polytope.along(way, &self.from, line.variable, value)) {
            Some(change) => self.try_change(point, &change),
            None => self.try_change(point, &[(line.variable, value.clone())]),
        }
    }

    fn try_change(&mut self, point: &mut Assignment<'_>, change: &[(usize, Num)]) {
        if !self.moved.iter().eq(change.iter().map(|(variable, _)| variable)) {
            self.back(point);
            self.moved.extend(change.iter().map(|(variable, _)| *variable));
        }
        point.set(change);
        self.see(point);
    }

    /// Tries other values of a variable.
    pub fn around(&mut self, search: &mut TabuSearch<'_>, variable: usize) {
        let point = &search.point;
        let unmet: Vec<usize> =
            point.unmet().filter(|test| point.program.variables_of[*test].contains(&variable)).collect();
        let Some(test) = search.rng.choice(unmet) else { return };
        let now = Probe { value: point.registers[variable].clone(), difference: point.difference(test) };
        if search.settings.inversion {
            self.invert(search, test);
        }
        let line = search.line(variable);
        let mut narrowed = false;
        for _ in 0..search.settings.neighbours {
            if search.is_over() {
                return;
            }
            let value = search.neighbours.random(variable, &now.value, &mut search.rng);
            let value = match line.way {
                Some(way) => search.polytope.held(way, &self.from, variable, value, &mut search.rng),
                None => value,
            };
            self.try_value(&mut search.point, &search.polytope, line, &value);
            if search.settings.bisection && !search.point.is_solution() {
                let value = search.point.registers[variable].clone();
                let there = Probe { difference: search.point.difference(test), value };
                narrowed |= self.between(search, line, test, (&now, &there), narrowed);
            }
        }
        self.closest(search, variable, &now.value);
    }

    /// The neighbouring doubles.
    fn closest(&mut self, search: &mut TabuSearch<'_>, variable: usize, now: &Num) {
        if let (Num::Float(value), false) = (now, search.settings.plain) {
            for places in [-1, 1, -2, 2] {
                self.try_change(&mut search.point, &[(variable, Num::Float(further(*value, places)))]);
            }
        }
    }

    /// The text's bisection step, and where the signs differ all the way to the zero in between.
    fn between(
        &mut self,
        search: &mut TabuSearch<'_>,
        line: Move,
        test: usize,
        ends: (&Probe, &Probe),
        narrowed: bool,
    ) -> bool {
        let (now, there) = ends;
        let polytope = &search.polytope;
        if now.difference * there.difference < 0.0 && !narrowed && !search.settings.plain {
            let ends = (now.clone(), there.clone());
            narrow(&mut search.point, test, ends, |point, value| self.try_value(point, polytope, line, value));
            return true;
        }
        let kind = search.point.program.kinds[line.variable];
        if let Some(value) = straight(now, there).and_then(|value| Num::near(kind, value)) {
            let value = search.neighbours.inside(line.variable, value);
            self.try_value(&mut search.point, polytope, line, &value);
        }
        false
    }

    /// Some variable of the test set to what would make it hold.
    fn invert(&mut self, search: &mut TabuSearch<'_>, test: usize) {
        for _ in 0..INVERSIONS {
            self.back(&mut search.point);
            let Some((register, wanted)) = target(&search.point, test, &mut search.rng) else { continue };
            let Some((variable, value)) = needed(&search.point, register, wanted, &mut search.rng) else { continue };
            let value = search.neighbours.inside(variable, value);
            // What mends a linear equality must not be undone by keeping it.
            let line = if search.linear[test] { Move { variable, way: None } } else { search.line(variable) };
            self.try_value(&mut search.point, &search.polytope, line, &value);
        }
    }
}

impl TabuSearch<'_> {
    fn line(&mut self, variable: usize) -> Move {
        let way = if self.polytope.is_loose(variable) && !self.polytope.has_walls() {
            None
        } else {
            self.polytope.way(variable, &mut self.rng)
        };
        Move { variable, way: way.filter(|_| self.settings.linear) }
    }
}

/// A side of a test, and what it would have to be.
fn target(point: &Assignment<'_>, test: usize, rng: &mut Rng) -> Option<(usize, Num)> {
    let program = point.program;
    let relation = program.tests[test];
    let (left, right) = relation.sides();
    let goes_left = match (program.varies[left], program.varies[right]) {
        (true, true) => rng.bool(),
        (left, _) => left,
    };
    let (side, other) = if goes_left { (left, right) } else { (right, left) };
    let other = &point.registers[other];
    let wanted = match (program.kinds[side], other) {
        (_, Num::Undefined) => return None,
        (Kind::Integer, Num::Int(_)) | (Kind::Float, Num::Float(_)) => other.clone(),
        (kind, other) => Num::near(kind, other.approx())?,
    };
    let spare = matches!(relation, Constraint::Less(..) | Constraint::Differ(..)) || rng.bool();
    let beyond = !matches!(relation, Constraint::Equal(..)) && spare;
    let wanted = if beyond { shifted(wanted, if goes_left { -1.0 } else { 1.0 }, rng) } else { wanted };
    Some((side, wanted))
}

/// Some way below or above.
fn shifted(value: Num, way: f64, rng: &mut Rng) -> Num {
    match value {
        Num::Int(value) => {
            let by = if rng.bool() { 1.0 } else { (rng.f64() * 12.0).exp2().floor() };
            super::value::integer(by * way).map_or(Num::Int(value.clone()), |by| Num::Int(value.add(&by)))
        }
        Num::Float(value) if rng.bool() => Num::Float(further(value, way as i64)),
        Num::Float(value) => Num::finite(value + way * value.abs().max(1.0) * (rng.f64() * 12.0 - 10.0).exp2()),
        Num::Undefined => Num::Undefined,
    }
}
