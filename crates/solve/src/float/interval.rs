//! Intervals of doubles.

use crate::integer::interval::Empty;

/// Bounds included. Of values both are finite; what stands for real numbers may reach to the infinities.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct FloatInterval {
    /// The least value.
    pub low: f64,
    /// The greatest value.
    pub high: f64,
}

/// The smallest float above zero.
pub const LEAST: f64 = f64::from_bits(1);

impl FloatInterval {
    /// All floats.
    pub const ALL: FloatInterval = FloatInterval { low: -f64::MAX, high: f64::MAX };

    /// The interval between two floats, included.
    pub fn new(low: f64, high: f64) -> FloatInterval {
        FloatInterval { low, high }
    }

    /// The interval of one float.
    pub fn point(value: f64) -> FloatInterval {
        FloatInterval { low: value, high: value }
    }

    /// Returns true if it holds one float.
    pub fn is_point(&self) -> bool {
        self.low == self.high
    }

    /// Returns true if a float is in it.
    pub fn contains(&self, value: f64) -> bool {
        self.low <= value && value <= self.high
    }

    /// Returns true if 0 is in it.
    pub fn has_zero(&self) -> bool {
        self.contains(0.0)
    }

    /// The intersection.
    pub fn meet(self, other: FloatInterval) -> Result<FloatInterval, Empty> {
        // Bounds that are no numbers say nothing.
        let low = if other.low > self.low { other.low } else { self.low };
        let high = if other.high < self.high { other.high } else { self.high };
        if low <= high { Ok(FloatInterval { low, high }) } else { Err(Empty) }
    }

    /// The least interval that holds both.
    pub fn hull(self, other: FloatInterval) -> FloatInterval {
        FloatInterval { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    /// The negated values.
    pub fn neg(self) -> FloatInterval {
        FloatInterval { low: -self.high, high: -self.low }
    }

    /// The part above zero.
    pub fn above(self) -> Option<FloatInterval> {
        (self.high > 0.0).then(|| FloatInterval { low: self.low.max(LEAST), high: self.high })
    }

    /// The part below zero.
    pub fn below(self) -> Option<FloatInterval> {
        (self.low < 0.0).then(|| FloatInterval { low: self.low, high: self.high.min(-LEAST) })
    }

    /// Its finite part: an infinity is no value.
    pub fn finite(self) -> Result<FloatInterval, Empty> {
        self.meet(FloatInterval::ALL)
    }

    /// The real numbers that may have been rounded to one of these.
    pub fn unrounded(self) -> FloatInterval {
        FloatInterval { low: self.low.next_down(), high: self.high.next_up() }
    }

    /// One step further at both ends.
    pub fn wider(self) -> FloatInterval {
        self.unrounded()
    }

    /// So many steps further at both ends, but not beyond the finite.
    pub fn loose(self, steps: u32) -> FloatInterval {
        let wide = (0..steps).fold(self, |span, _| span.wider());
        FloatInterval { low: wide.low.max(-f64::MAX), high: wide.high.min(f64::MAX) }
    }

    /// Around all of these; `None` if one is no number.
    pub fn around(ends: &[f64]) -> Option<FloatInterval> {
        if ends.iter().any(|end| end.is_nan()) {
            return None;
        }
        let low = ends.iter().copied().fold(f64::INFINITY, f64::min);
        let high = ends.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        Some(FloatInterval { low, high })
    }
}

/// The place of a float among all of them, in their order: neighbours differ by one, and both zeros have the same.
pub fn rank(value: f64) -> i64 {
    let bits = value.to_bits() as i64;
    if bits < 0 { i64::MIN.wrapping_sub(bits) } else { bits }
}

/// The float at a place, at most the largest there is.
pub fn unrank(rank: i64) -> f64 {
    let most = f64::MAX.to_bits() as i64;
    let rank = rank.clamp(-most, most);
    if rank < 0 { -f64::from_bits(rank.unsigned_abs()) } else { f64::from_bits(rank as u64) }
}

/// The float so many places further.
pub fn further(value: f64, places: i64) -> f64 {
    unrank(rank(value).saturating_add(places))
}
