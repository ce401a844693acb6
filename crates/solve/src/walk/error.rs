//! The distance of a relation from holding.

use crate::integer::int::Int;

use super::value::{Num, approx};
use crate::problem::Constraint;

/// The unit of errors. An error is 0 exactly where the relation holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Metric {
    /// The difference of both sides, as the text has it.
    Plain,
    /// The logarithm of one and the difference: large errors do not drown small ones.
    Damped,
    /// The number of bits in which both sides differ: what is almost exact counts as almost nothing.
    Bits,
}

/// The error where something is undefined: more than any other, and not so much that sums overflow.
const UNDEFINED: f64 = 4096.0;
const PLAIN_UNDEFINED: f64 = f64::MAX / 8.0;
/// Inequalities are never almost met.
const UNMET: f64 = 1.0 / 1024.0;
/// Values closer than this differ in less than one bit.
const FINEST: f64 = 1.208_925_819_614_629_2e24;

impl Metric {
    /// Not negative, and 0 exactly where the relation holds.
    #[inline]
    pub fn error(self, relation: &Constraint, left: &Num, right: &Num) -> f64 {
        let Some(order) = left.compare(right) else {
            return if self == Metric::Plain { PLAIN_UNDEFINED } else { UNDEFINED };
        };
        match relation {
            Constraint::Equal(..) if order.is_eq() => 0.0,
            Constraint::Equal(..) => self.measure(difference(left, right).abs(), 0.0),
            Constraint::Differ(..) => f64::from(u8::from(order.is_eq())),
            Constraint::Less(..) if order.is_lt() => 0.0,
            Constraint::AtMost(..) if order.is_le() => 0.0,
            Constraint::Less(..) | Constraint::AtMost(..) => self.measure(difference(left, right).abs(), 1.0),
        }
    }

    fn measure(self, distance: f64, more: f64) -> f64 {
        match self {
            Metric::Plain => (distance + more).max(f64::MIN_POSITIVE),
            Metric::Damped => (distance.ln_1p() * std::f64::consts::LOG2_E).max(1e-300) + more * UNMET,
            Metric::Bits => 1.0 + (distance * FINEST).min(f64::MAX).ln_1p() * std::f64::consts::LOG2_E,
        }
    }
}

/// The first less the second, as a finite double; not a number where one has no value.
#[inline]
pub fn difference(left: &Num, right: &Num) -> f64 {
    let difference = match (left, right) {
        (Num::Float(a), Num::Float(b)) => a - b,
        (Num::Int(Int::Small(a)), Num::Int(Int::Small(b))) => match a.checked_sub(*b) {
            Some(difference) => difference as f64,
            None => *a as f64 - *b as f64,
        },
        (Num::Int(a), Num::Int(b)) => approx(&a.sub(b)),
        (a, b) => a.approx() - b.approx(),
    };
    difference.clamp(f64::MIN, f64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    const METRICS: [Metric; 3] = [Metric::Plain, Metric::Damped, Metric::Bits];

    #[test]
    fn no_error_means_that_it_holds() {
        let numbers = [Num::Float(1.0), Num::Float(f64::MAX), Num::Float(5e-324), Num::Float(0.0), Num::ZERO];
        for metric in METRICS {
            for a in &numbers {
                for b in &numbers {
                    let error = |relation: Constraint| metric.error(&relation, a, b);
                    let order = a.compare(b).unwrap();
                    assert_eq!(error(Constraint::Equal(0, 1)) == 0.0, order.is_eq(), "{metric:?} {a:?} {b:?}");
                    assert_eq!(error(Constraint::Differ(0, 1)) == 0.0, order.is_ne());
                    assert_eq!(error(Constraint::Less(0, 1)) == 0.0, order.is_lt());
                    assert_eq!(error(Constraint::AtMost(0, 1)) == 0.0, order.is_le());
                    assert!(error(Constraint::Equal(0, 1)).is_finite());
                }
            }
        }
    }

    #[test]
    fn what_is_undefined_never_holds() {
        for metric in METRICS {
            for relation in [Constraint::Equal(0, 1), Constraint::Differ(0, 1), Constraint::Less(0, 1)] {
                assert!(metric.error(&relation, &Num::Undefined, &Num::ZERO) > 0.0);
                assert!(metric.error(&relation, &Num::Undefined, &Num::Undefined) > 0.0);
            }
        }
    }
}
