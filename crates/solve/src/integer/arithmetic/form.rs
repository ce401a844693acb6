//! Linear forms over integers: divisibility, values, intervals, and the narrowing of columns.

use super::super::int::Int;
use super::super::interval::{Empty, Interval};
use crate::linear;

/// A linear form with integer factors.
pub type Form = linear::Form<Int>;

impl linear::Form<Int> {
    /// The form that is one column.
    pub fn column(at: usize) -> Form {
        Form { constant: Int::ZERO, terms: vec![(at, Int::ONE)] }
    }

    /// `self + by`.
    pub fn plus_constant(mut self, by: &Int) -> Form {
        self.constant = self.constant.add(by);
        self
    }

    /// `self - other`.
    pub fn minus(&self, other: &Form) -> Form {
        self.plus(&Int::from(-1), other)
    }

    /// The greatest common divisor of the factors; 0 if there are none.
    pub fn divisor(&self) -> Int {
        self.terms.iter().fold(Int::ZERO, |divisor, (_, factor)| divisor.gcd(factor))
    }

    /// `by · multiple + rest`, with everything in the multiple that `by` divides.
    pub fn split(&self, by: &Int) -> (Form, Form) {
        let (whole, rest) = self.terms.iter().cloned().partition::<Vec<_>, _>(|(_, factor)| by.divides(factor));
        let whole = whole.into_iter().map(|(at, factor)| (at, factor.div(by))).collect();
        let multiple = Form { constant: self.constant.floor_div(by), terms: whole };
        (multiple, Form { constant: self.constant.floor_mod(by), terms: rest })
    }

    /// The number of lowest bits that are 0 in all values; none for the value 0.
    pub fn trailing_zeros(&self) -> u64 {
        let factors = self.terms.iter().map(|(_, factor)| factor).chain([&self.constant]);
        factors.filter_map(Int::trailing_zeros).min().unwrap_or(0)
    }

    /// The value of the form at a point.
    pub fn value(&self, columns: &[Int]) -> Int {
        self.terms.iter().fold(self.constant.clone(), |sum, (at, factor)| sum.add(&factor.mul(&columns[*at])))
    }

    /// The values that the form can have.
    pub fn interval(&self, columns: &[Interval]) -> Interval {
        let mut low = Some(self.constant.clone());
        let mut high = low.clone();
        for (at, factor) in &self.terms {
            let [least, most] = ends(&columns[*at], factor);
            low = low.zip(least).map(|(sum, end)| sum.add(&end.mul(factor)));
            high = high.zip(most).map(|(sum, end)| sum.add(&end.mul(factor)));
        }
        Interval { low, high }
    }

    /// Narrows the columns to what `self <= bound` leaves of them; calls `changed` for each that shrinks.
    pub fn hold_at_most(
        &self,
        bound: &Int,
        columns: &mut [Interval],
        changed: &mut impl FnMut(usize),
    ) -> Result<(), Empty> {
        let mut open = None;
        let mut least = self.constant.sub(bound);
        for (at, factor) in &self.terms {
            match ends(&columns[*at], factor) {
                [Some(end), _] => least = least.add(&end.mul(factor)),
                _ if open.is_some() => return Ok(()),
                _ => open = Some(*at),
            }
        }
        if open.is_none() && least.is_positive() {
            return Err(Empty);
        }
        for (at, factor) in &self.terms {
            if open.is_none_or(|open| open == *at) {
                narrow(*at, factor, &least, columns, changed)?;
            }
        }
        Ok(())
    }

    /// Narrows the columns to what `self` in `wanted` leaves of them.
    pub fn hold_in(
        &self,
        wanted: &Interval,
        columns: &mut [Interval],
        changed: &mut impl FnMut(usize),
    ) -> Result<(), Empty> {
        if let Some(high) = &wanted.high {
            self.hold_at_most(high, columns, changed)?;
        }
        if let Some(low) = &wanted.low {
            self.scaled(&Int::from(-1)).hold_at_most(&low.neg(), columns, changed)?;
        }
        Ok(())
    }
}

/// The ends of a column at which its product with a factor is least and greatest.
fn ends(column: &Interval, factor: &Int) -> [Option<Int>; 2] {
    if factor.is_negative() {
        [column.high.clone(), column.low.clone()]
    } else {
        [column.low.clone(), column.high.clone()]
    }
}

/// One column, given the least sum of all terms (or of the others, where this one has no end).
fn narrow(
    at: usize,
    factor: &Int,
    least: &Int,
    columns: &mut [Interval],
    changed: &mut impl FnMut(usize),
) -> Result<(), Empty> {
    let own = ends(&columns[at], factor)[0].as_ref().map_or(Int::ZERO, |end| end.mul(factor));
    // factor · column <= room
    let room = own.sub(least);
    let bound = if factor.is_negative() {
        Interval::from(room.ceil_div(factor))
    } else {
        Interval::up_to(room.floor_div(factor))
    };
    let met = columns[at].meet(&bound)?;
    if met != columns[at] {
        columns[at] = met;
        changed(at);
    }
    Ok(())
}
