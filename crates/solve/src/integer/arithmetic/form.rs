//! Linear forms: a constant plus multiples of columns.

use super::super::int::Int;
use super::super::interval::{Empty, Interval};

/// `constant + Σ factor · column`; columns ascend and no factor is 0, so that equal forms are equal values.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Form {
    pub constant: Int,
    pub terms: Vec<(usize, Int)>,
}

impl Form {
    pub fn constant(value: Int) -> Form {
        Form { constant: value, terms: Vec::new() }
    }

    pub fn column(at: usize) -> Form {
        Form { constant: Int::ZERO, terms: vec![(at, Int::ONE)] }
    }

    pub fn as_constant(&self) -> Option<&Int> {
        self.terms.is_empty().then_some(&self.constant)
    }

    pub fn factor(&self, column: usize) -> Option<&Int> {
        let at = self.terms.binary_search_by_key(&column, |(at, _)| *at).ok()?;
        Some(&self.terms[at].1)
    }

    pub fn scaled(&self, by: &Int) -> Form {
        if by.is_zero() {
            return Form::constant(Int::ZERO);
        }
        let terms = self.terms.iter().map(|(at, factor)| (*at, factor.mul(by))).collect();
        Form { constant: self.constant.mul(by), terms }
    }

    pub fn plus_constant(mut self, by: &Int) -> Form {
        self.constant = self.constant.add(by);
        self
    }

    /// `self + by · other`.
    pub fn plus(&self, by: &Int, other: &Form) -> Form {
        let mut terms = Vec::with_capacity(self.terms.len() + other.terms.len());
        let (mut left, mut right) = (self.terms.iter().peekable(), other.terms.iter().peekable());
        loop {
            match (left.peek(), right.peek()) {
                (Some((a, factor)), Some((b, other))) if a == b => {
                    let sum = factor.add(&other.mul(by));
                    if !sum.is_zero() {
                        terms.push((*a, sum));
                    }
                    left.next();
                    right.next();
                }
                (Some((a, _)), Some((b, _))) if a < b => terms.extend(left.next().cloned()),
                (Some(_), None) => terms.extend(left.next().cloned()),
                (_, Some((b, factor))) => {
                    terms.push((*b, factor.mul(by)));
                    right.next();
                }
                (None, None) => break,
            }
        }
        Form { constant: self.constant.add(&other.constant.mul(by)), terms }
    }

    pub fn minus(&self, other: &Form) -> Form {
        self.plus(&Int::from(-1), other)
    }

    /// With a form in the place of a column.
    pub fn replaced(&self, column: usize, by: &Form) -> Option<Form> {
        let at = self.terms.binary_search_by_key(&column, |(at, _)| *at).ok()?;
        let mut rest = self.clone();
        let (_, factor) = rest.terms.remove(at);
        Some(rest.plus(&factor, by))
    }

    /// The greatest common divisor of the factors; 0 if there are none.
    pub fn divisor(&self) -> Int {
        self.terms.iter().fold(Int::ZERO, |divisor, (_, factor)| divisor.gcd(factor))
    }

    /// As `by · multiple + rest`, with everything in the multiple that `by` divides.
    pub fn split(&self, by: &Int) -> (Form, Form) {
        let (whole, rest) = self.terms.iter().cloned().partition::<Vec<_>, _>(|(_, factor)| by.divides(factor));
        let whole = whole.into_iter().map(|(at, factor)| (at, factor.div(by))).collect();
        let multiple = Form { constant: self.constant.floor_div(by), terms: whole };
        (multiple, Form { constant: self.constant.floor_mod(by), terms: rest })
    }

    /// How many of the lowest bits are 0 in all values; of the value 0, none for sure.
    pub fn trailing_zeros(&self) -> u64 {
        let factors = self.terms.iter().map(|(_, factor)| factor).chain([&self.constant]);
        factors.filter_map(Int::trailing_zeros).min().unwrap_or(0)
    }

    pub fn value(&self, columns: &[Int]) -> Int {
        self.terms.iter().fold(self.constant.clone(), |sum, (at, factor)| sum.add(&factor.mul(&columns[*at])))
    }

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
