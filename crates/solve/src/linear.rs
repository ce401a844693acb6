//! Linear forms, shared by the integer solver (exact integers) and the walk (exact rationals).

use num_rational::BigRational;
use num_traits::Signed;
use rustc_hash::FxHashMap;

use crate::integer::int::Int;

/// `constant + Σ factor · column`; columns ascend and no factor is 0, so that equal forms are equal values.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Form<T> {
    /// The value where all columns are 0.
    pub constant: T,
    /// Columns and their factors.
    pub terms: Vec<(usize, T)>,
}

/// A number that forms are made of; its default is 0.
pub trait Factor: Clone + PartialEq + Default {
    /// `self + by · other`.
    fn plus(&self, by: &Self, other: &Self) -> Self;

    /// Returns true if the number is above 0.
    fn is_positive(&self) -> bool;
}

impl Factor for Int {
    fn plus(&self, by: &Int, other: &Int) -> Int {
        self.add(&other.mul(by))
    }

    fn is_positive(&self) -> bool {
        Int::is_positive(self)
    }
}

impl Factor for BigRational {
    fn plus(&self, by: &BigRational, other: &BigRational) -> BigRational {
        self + by * other
    }

    fn is_positive(&self) -> bool {
        Signed::is_positive(self)
    }
}

impl<T: Factor> Form<T> {
    /// The form that is the same everywhere.
    pub fn constant(value: T) -> Form<T> {
        Form { constant: value, terms: Vec::new() }
    }

    /// The value of a form without columns.
    pub fn as_constant(&self) -> Option<&T> {
        self.terms.is_empty().then_some(&self.constant)
    }

    /// The factor of a column that occurs.
    pub fn factor(&self, column: usize) -> Option<&T> {
        let at = self.terms.binary_search_by_key(&column, |(at, _)| *at).ok()?;
        Some(&self.terms[at].1)
    }

    /// `by · self`.
    pub fn scaled(&self, by: &T) -> Form<T> {
        Form::constant(T::default()).plus(by, self)
    }

    /// `self + by · other`.
    pub fn plus(&self, by: &T, other: &Form<T>) -> Form<T> {
        let mut terms = Vec::with_capacity(self.terms.len() + other.terms.len());
        let (mut left, mut right) = (self.terms.iter().peekable(), other.terms.iter().peekable());
        loop {
            let (at, factor) = match (left.peek(), right.peek()) {
                (Some((a, factor)), Some((b, other))) if a == b => {
                    let sum = factor.plus(by, other);
                    left.next();
                    right.next();
                    (*b, sum)
                }
                (Some((a, factor)), other) if other.is_none_or(|(b, _)| a < b) => {
                    left.next();
                    (*a, factor.clone())
                }
                (_, Some((b, factor))) => {
                    right.next();
                    (*b, T::default().plus(by, factor))
                }
                (_, None) => break,
            };
            if factor != T::default() {
                terms.push((at, factor));
            }
        }
        debug_assert!(terms.is_sorted_by(|(a, _), (b, _)| a < b), "columns ascend");
        Form { constant: self.constant.plus(by, &other.constant), terms }
    }

    /// The form with another in the place of a column; `None` if the column does not occur.
    pub fn replaced(&self, column: usize, by: &Form<T>) -> Option<Form<T>> {
        let at = self.terms.binary_search_by_key(&column, |(at, _)| *at).ok()?;
        let mut rest = self.clone();
        let (_, factor) = rest.terms.remove(at);
        Some(rest.plus(&factor, by))
    }
}

/// The column whose elimination from inequalities makes the fewest of them.
pub fn cheapest<'a, T: Factor + 'a>(forms: impl Iterator<Item = &'a Form<T>>) -> Option<usize> {
    let mut counts: FxHashMap<usize, (usize, usize)> = FxHashMap::default();
    for (at, factor) in forms.flat_map(|form| &form.terms) {
        let count = counts.entry(*at).or_default();
        if factor.is_positive() {
            count.0 += 1;
        } else {
            count.1 += 1;
        }
    }
    counts.into_iter().map(|(at, (up, down))| (up * down, at)).min().map(|(_, at)| at)
}
