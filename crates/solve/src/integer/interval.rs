//! Intervals of integers, open at either end where a bound is missing.

use num_bigint::BigInt;

use super::int::Int;

/// Bounds included; `None` is unbounded.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Interval<T = Int> {
    /// The least value, if there is one.
    pub low: Option<T>,
    /// The greatest value, if there is one.
    pub high: Option<T>,
}

/// An interval of integers as problems state it.
pub type Range = Interval<BigInt>;

/// Nothing is left of an interval: a contradiction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Empty;

impl<T: Ord + Clone> Interval<T> {
    /// All integers.
    pub const ALL: Interval<T> = Interval { low: None, high: None };

    /// The interval of one integer.
    pub fn point(value: T) -> Interval<T> {
        Interval { low: Some(value.clone()), high: Some(value) }
    }

    /// The interval between two integers, included.
    pub fn between(low: T, high: T) -> Interval<T> {
        Interval { low: Some(low), high: Some(high) }
    }

    /// The integers from one on.
    pub fn from(low: T) -> Interval<T> {
        Interval { low: Some(low), high: None }
    }

    /// The integers up to one.
    pub fn up_to(high: T) -> Interval<T> {
        Interval { low: None, high: Some(high) }
    }

    /// The single value, if there is one alone.
    pub fn value(&self) -> Option<&T> {
        self.low.as_ref().filter(|_| self.low == self.high)
    }

    /// Returns true if an integer is in it.
    pub fn contains(&self, value: &T) -> bool {
        self.low.as_ref().is_none_or(|low| low <= value) && self.high.as_ref().is_none_or(|high| value <= high)
    }

    /// The values of both.
    pub fn meet(&self, other: &Interval<T>) -> Result<Interval<T>, Empty> {
        let low = self.low.as_ref().max(other.low.as_ref()).cloned();
        let high = match (&self.high, &other.high) {
            (Some(a), Some(b)) => Some(a.min(b).clone()),
            (a, b) => a.as_ref().or(b.as_ref()).cloned(),
        };
        Interval { low, high }.checked()
    }

    fn checked(self) -> Result<Interval<T>, Empty> {
        match (&self.low, &self.high) {
            (Some(low), Some(high)) if low > high => Err(Empty),
            _ => Ok(self),
        }
    }

    /// The smallest interval around both.
    pub fn hull(&self, other: &Interval<T>) -> Interval<T> {
        Interval {
            low: self.low.as_ref().zip(other.low.as_ref()).map(|(a, b)| a.min(b).clone()),
            high: self.high.as_ref().zip(other.high.as_ref()).map(|(a, b)| a.max(b).clone()),
        }
    }

    /// The value closest to `wanted`.
    pub fn closest(&self, wanted: &T) -> T {
        match (&self.low, &self.high) {
            (Some(low), _) if wanted < low => low.clone(),
            (_, Some(high)) if wanted > high => high.clone(),
            _ => wanted.clone(),
        }
    }
}

impl Interval {
    /// The same interval.
    pub fn of(range: &Range) -> Interval {
        Interval { low: range.low.as_ref().map(Int::of), high: range.high.as_ref().map(Int::of) }
    }

    /// The number of values, less one; `None` if there is no end to them.
    pub fn width(&self) -> Option<Int> {
        Some(self.high.as_ref()?.sub(self.low.as_ref()?))
    }

    /// Returns true if no value is below this.
    pub fn is_at_least(&self, value: i64) -> bool {
        self.low.as_ref().is_some_and(|low| *low >= Int::from(value))
    }

    /// Returns true if no value is above this.
    pub fn is_at_most(&self, value: i64) -> bool {
        self.high.as_ref().is_some_and(|high| *high <= Int::from(value))
    }

    /// Without one value, where that is at an end.
    pub fn without(&self, value: &Int) -> Result<Interval, Empty> {
        let mut rest = self.clone();
        if rest.low.as_ref() == Some(value) {
            rest.low = Some(value.succ());
        }
        if rest.high.as_ref() == Some(value) {
            rest.high = Some(value.pred());
        }
        rest.checked()
    }

    /// The smallest interval around those that are not empty.
    pub fn around(parts: [Result<Interval, Empty>; 2]) -> Result<Interval, Empty> {
        parts.into_iter().flatten().reduce(|a, b| a.hull(&b)).ok_or(Empty)
    }

    /// The largest absolute value.
    pub fn magnitude(&self) -> Option<Int> {
        Some(self.low.as_ref()?.abs().max(self.high.as_ref()?.abs()))
    }

    /// The smallest absolute value.
    pub fn least_magnitude(&self) -> Int {
        self.closest(&Int::ZERO).abs()
    }

    /// All values whose absolute value is at most `most`.
    pub fn around_zero(most: Int) -> Interval {
        Interval { low: Some(most.neg()), high: Some(most) }
    }

    /// The negated values.
    pub fn neg(&self) -> Interval {
        Interval { low: self.high.as_ref().map(Int::neg), high: self.low.as_ref().map(Int::neg) }
    }

    /// The sums of values.
    pub fn plus(&self, other: &Interval) -> Interval {
        Interval {
            low: self.low.as_ref().zip(other.low.as_ref()).map(|(a, b)| a.add(b)),
            high: self.high.as_ref().zip(other.high.as_ref()).map(|(a, b)| a.add(b)),
        }
    }

    /// Its positive values.
    pub fn positive_part(&self) -> Result<Interval, Empty> {
        self.meet(&Interval::from(Int::ONE))
    }

    /// Its negative values.
    pub fn negative_part(&self) -> Result<Interval, Empty> {
        self.meet(&Interval::up_to(Int::from(-1)))
    }

    /// All numbers that have the sign of its values and are no closer to 0, where they have one sign.
    pub fn beyond(self) -> Interval {
        Interval { low: self.low.filter(Int::is_positive), high: self.high.filter(Int::is_negative) }
    }
}

/// A bound in products: an integer or one of the infinities.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum End {
    Minus,
    At(Int),
    Plus,
}

impl End {
    /// The lower and the upper end.
    fn ends(interval: &Interval) -> [End; 2] {
        let low = interval.low.clone().map_or(End::Minus, End::At);
        let high = interval.high.clone().map_or(End::Plus, End::At);
        [low, high]
    }

    /// -1, 0 or 1.
    pub fn sign(&self) -> i64 {
        match self {
            End::Minus => -1,
            End::At(value) => value.sign(),
            End::Plus => 1,
        }
    }

    /// The infinity of a sign.
    pub fn infinite(sign: i64) -> End {
        match sign {
            0 => End::At(Int::ZERO),
            sign if sign < 0 => End::Minus,
            _ => End::Plus,
        }
    }

    fn key(&self) -> (i8, Option<&Int>) {
        match self {
            End::Minus => (-1, None),
            End::At(value) => (0, Some(value)),
            End::Plus => (1, None),
        }
    }

    /// The smallest interval around the results of a rule at the corners of two intervals, and some more.
    pub fn corners(a: &Interval, b: &Interval, rule: fn(&End, &End) -> End, more: Option<End>) -> Interval {
        let corners = End::ends(a).into_iter().flat_map(|a| End::ends(b).map(|b| rule(&a, &b)));
        End::around(corners.chain(more))
    }

    /// The smallest interval around all of them.
    fn around(ends: impl IntoIterator<Item = End>) -> Interval {
        let ends: Vec<End> = ends.into_iter().collect();
        let low = ends.iter().min_by(|a, b| a.key().cmp(&b.key()));
        let high = ends.iter().max_by(|a, b| a.key().cmp(&b.key()));
        Interval { low: low.and_then(End::finite), high: high.and_then(End::finite) }
    }

    fn finite(&self) -> Option<Int> {
        match self {
            End::At(value) => Some(value.clone()),
            _ => None,
        }
    }
}
