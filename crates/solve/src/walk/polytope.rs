//! The linear part of a problem: directions in which all equalities stay met, and how far the inequalities let one go.

use std::collections::BTreeMap;

use fastrand::Rng;
use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Zero};

use super::assignment::Change;
use super::linear::{Form, LinearTest, approx, eliminated};
use super::program::CompiledProblem;
use super::value::{Kind, Num, integer};
use crate::integer::int::Int;

/// See the module.
pub struct Polytope {
    /// The forms of the variables that equalities fix.
    fixed: BTreeMap<usize, Form>,
    directions: Vec<Direction>,
    /// The directions that move a variable.
    moving: Vec<Vec<usize>>,
    kinds: Vec<Kind>,
    /// Inequalities as doubles: coefficients and constant.
    walls: Vec<(Vec<(usize, f64)>, f64)>,
}

/// A direction in which a variable goes together with others.
struct Direction {
    /// The distance that each variable moves; of an integer a whole number.
    moves: Vec<(usize, Pace)>,
    /// Only whole steps.
    whole: bool,
}

enum Pace {
    Whole(Int),
    Real(f64),
}

impl Pace {
    fn approx(&self) -> f64 {
        match self {
            Pace::Whole(pace) => super::value::approx(pace),
            Pace::Real(pace) => *pace,
        }
    }
}

impl Polytope {
    /// The polytope of linear tests.
    pub fn of(program: &CompiledProblem, rows: &[LinearTest]) -> Polytope {
        let kinds: Vec<Kind> = program.kinds[..program.variables()].to_vec();
        let fixed = eliminated(rows, &kinds);
        let free = (0..kinds.len()).filter(|variable| !fixed.contains_key(variable));
        let directions: Vec<Direction> = free.map(|variable| direction(variable, &fixed, &kinds)).collect();
        let mut moving = vec![Vec::new(); kinds.len()];
        for (at, direction) in directions.iter().enumerate() {
            direction.moves.iter().for_each(|(variable, _)| moving[*variable].push(at));
        }
        let walls = rows.iter().filter(|row| !row.equal).map(|row| wall(&row.form)).collect();
        Polytope { fixed, directions, moving, kinds, walls }
    }

    /// No equality ties a variable to others.
    pub fn is_loose(&self, variable: usize) -> bool {
        matches!(self.moving[variable][..], [only] if self.directions[only].moves.len() == 1)
    }

    /// Some inequality ties variables together.
    pub fn has_walls(&self) -> bool {
        self.walls.iter().any(|(terms, _)| terms.len() > 1)
    }

    /// The way to give a variable a value so that equalities stay met; one of the ways, where there are several.
    pub fn way(&self, variable: usize, rng: &mut Rng) -> Option<usize> {
        rng.choice(&self.moving[variable]).copied()
    }

    /// New values along a way such that a variable comes as close to a value as that allows.
    pub fn along(&self, way: usize, from: &[Num], variable: usize, to: &Num) -> Option<Change> {
        let direction = &self.directions[way];
        let (_, pace) = direction.moves.iter().find(|(moved, _)| *moved == variable)?;
        let steps = match (to, &from[variable], pace) {
            (Num::Int(to), Num::Int(from), Pace::Whole(pace)) => Pace::Whole(nearest(&to.sub(from), pace)),
            (to, from, pace) => {
                let steps = (to.approx() - from.approx()) / pace.approx();
                if direction.whole { Pace::Whole(integer(steps.round())?) } else { Pace::Real(steps) }
            }
        };
        self.stepped(direction, from, &steps)
    }

    fn stepped(&self, direction: &Direction, from: &[Num], steps: &Pace) -> Option<Change> {
        let mut change = Change::with_capacity(direction.moves.len());
        for (variable, pace) in &direction.moves {
            let value = match (&from[*variable], pace, steps) {
                (Num::Int(from), Pace::Whole(pace), Pace::Whole(steps)) => {
                    Num::Int(from.add(&pace.mul_bounded(steps)?))
                }
                (from, pace, steps) => {
                    Num::near(self.kinds[*variable], from.approx() + pace.approx() * steps.approx())?
                }
            };
            change.push((*variable, value));
        }
        self.restore(from, &mut change);
        Some(change)
    }

    /// Computes again the floats that equalities fix: steps add up rounding errors.
    fn restore(&self, from: &[Num], change: &mut Change) {
        let now = |variable: usize, change: &Change| {
            let changed = change.iter().find(|(changed, _)| *changed == variable);
            changed.map_or_else(|| from[variable].approx(), |(_, value)| value.approx())
        };
        for at in 0..change.len() {
            let variable = change[at].0;
            if self.kinds[variable] == Kind::Float
                && let Some(form) = self.fixed.get(&variable)
            {
                let sum: f64 = form.terms.iter().map(|(other, by)| now(*other, change) * approx(by)).sum();
                change[at].1 = Num::finite(sum + approx(&form.constant));
            }
        }
    }

    /// Variables that equalities fix follow the others, as well as integers can.
    pub fn restored(&self, mut values: Vec<Num>) -> Vec<Num> {
        for (variable, form) in &self.fixed {
            if let Some(value) = Num::near(self.kinds[*variable], form.at(&values)) {
                values[*variable] = value;
            }
        }
        values
    }

    /// A random point with the same equalities met: steps along all ways from one where they are.
    pub fn elsewhere(&self, values: &[Num], mut pick: impl FnMut(usize, &mut Rng) -> Num, rng: &mut Rng) -> Vec<Num> {
        let mut values = values.to_vec();
        for (way, direction) in self.directions.iter().enumerate() {
            let Some((variable, _)) = direction.moves.first() else { continue };
            let to = pick(*variable, rng);
            let to = self.held(way, &values, *variable, to, rng);
            for (at, value) in self.along(way, &values, *variable, &to).unwrap_or_default() {
                values[at] = value;
            }
        }
        values
    }

    /// Cuts a change short where it would leave the inequalities: then it ends somewhere inside.
    pub fn held(&self, way: usize, from: &[Num], variable: usize, to: Num, rng: &mut Rng) -> Num {
        let direction = &self.directions[way];
        let Some((_, pace)) = direction.moves.iter().find(|(moved, _)| *moved == variable) else { return to };
        let steps = (to.approx() - from[variable].approx()) / pace.approx();
        let (mut low, mut high) = (f64::NEG_INFINITY, f64::INFINITY);
        for (terms, constant) in &self.walls {
            let slope: f64 = terms.iter().map(|(at, by)| by * self.pace(direction, *at)).sum();
            if slope == 0.0 {
                continue;
            }
            let room = -(terms.iter().map(|(at, by)| by * from[*at].approx()).sum::<f64>() + constant);
            // What does not hold now must not hold back.
            if room >= 0.0 {
                if slope > 0.0 { high = high.min(room / slope) } else { low = low.max(room / slope) }
            }
        }
        if (low..=high).contains(&steps) || low >= high {
            return to;
        }
        let end = if steps > high { high } else { low };
        let steps = end * if rng.u8(..4) == 0 { 1.0 } else { rng.f64() };
        Num::near(self.kinds[variable], from[variable].approx() + steps * pace.approx()).unwrap_or(to)
    }

    fn pace(&self, direction: &Direction, variable: usize) -> f64 {
        direction.moves.iter().find(|(moved, _)| *moved == variable).map_or(0.0, |(_, pace)| pace.approx())
    }
}

fn nearest(distance: &Int, pace: &Int) -> Int {
    let down = distance.floor_div(pace);
    let rest = distance.sub(&down.mul(pace)).abs();
    if rest.add(&rest) > pace.abs() { down.succ() } else { down }
}

fn wall(form: &Form) -> (Vec<(usize, f64)>, f64) {
    (form.terms.iter().map(|(variable, by)| (*variable, approx(by))).collect(), approx(&form.constant))
}

/// A variable that nothing fixes moves by one, and those that depend on it by their share. With integers among them
/// everything is scaled so that whole steps keep them whole.
fn direction(variable: usize, fixed: &BTreeMap<usize, Form>, kinds: &[Kind]) -> Direction {
    let dependent = fixed.iter().filter_map(|(other, form)| form.factor(variable).map(|by| (*other, by.clone())));
    let moves: Vec<(usize, BigRational)> = std::iter::once((variable, BigRational::one())).chain(dependent).collect();
    let integers = moves.iter().filter(|(at, _)| kinds[*at] == Kind::Integer).map(|(_, by)| by);
    let (mut multiple, mut divisor) = (BigInt::one(), BigInt::zero());
    let mut whole = false;
    for by in integers {
        multiple = multiple.lcm(by.denom());
        divisor = divisor.gcd(by.numer());
        whole = true;
    }
    let scale = if whole { BigRational::new(multiple, divisor) } else { BigRational::one() };
    let pace = |(at, by): (usize, BigRational)| {
        let by = by * &scale;
        let pace = match kinds[at] {
            Kind::Integer => Pace::Whole(Int::of(&by.to_integer())),
            Kind::Float => Pace::Real(approx(&by)),
        };
        (at, pace)
    };
    Direction { moves: moves.into_iter().map(pace).collect(), whole }
}
