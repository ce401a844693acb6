//! Systems: linear rows over columns, and definitions for what is not linear.

use super::super::int::Int;
use super::super::interval::{Empty, Interval};
use super::definition::Definition;
use super::form::Form;

/// All rows and definitions must hold.
#[derive(Clone, Debug, Default)]
pub struct System {
    /// The interval of each column. The first ones are the variables of the problem.
    pub columns: Vec<Interval>,
    /// The value each column would best have.
    pub near: Vec<Int>,
    /// The linear constraints.
    pub rows: Vec<LinearRow>,
    /// The constraints that are not linear.
    pub definitions: Vec<Definition>,
    /// Columns that were eliminated, each with a form over those that were left then.
    pub gone: Vec<(usize, Form)>,
}

/// A comparison of a form to 0.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct LinearRow {
    /// The left side.
    pub form: Form,
    /// Its comparison to 0.
    pub is: RowKind,
}

/// A comparison to 0.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum RowKind {
    Zero,
    NotZero,
    /// Or below.
    AtMostZero,
}

impl System {
    /// Adds a column; returns its number.
    pub fn column(&mut self, interval: Interval, near: Int) -> usize {
        self.columns.push(interval);
        self.near.push(near);
        self.columns.len() - 1
    }

    /// Adds a linear constraint.
    pub fn row(&mut self, form: Form, is: RowKind) {
        self.rows.push(LinearRow { form, is });
    }

    /// Values for all columns, given those of the ones that are left.
    pub fn restore(&self, columns: &mut [Int]) {
        for (at, form) in self.gone.iter().rev() {
            columns[*at] = form.value(columns);
        }
    }
}

impl LinearRow {
    /// The same with the smallest factors; `None` if it holds whatever the columns are.
    pub fn normal(mut self) -> Result<Option<LinearRow>, Empty> {
        let divisor = self.form.divisor();
        if divisor.is_zero() {
            let holds = match self.is {
                RowKind::Zero => self.form.constant.is_zero(),
                RowKind::NotZero => !self.form.constant.is_zero(),
                RowKind::AtMostZero => !self.form.constant.is_positive(),
            };
            return if holds { Ok(None) } else { Err(Empty) };
        }
        if divisor.is_one() {
            return Ok(Some(self));
        }
        match self.is {
            RowKind::Zero if !divisor.divides(&self.form.constant) => return Err(Empty),
            RowKind::NotZero if !divisor.divides(&self.form.constant) => return Ok(None),
            // Rounding up is right for an inequality: the sum of the others is an integer.
            _ => self.form.constant = self.form.constant.ceil_div(&divisor),
        }
        for (_, factor) in &mut self.form.terms {
            *factor = factor.div(&divisor);
        }
        Ok(Some(self))
    }

    /// Narrows the columns to what this row leaves of them.
    pub fn narrow(&self, columns: &mut [Interval], changed: &mut impl FnMut(usize)) -> Result<(), Empty> {
        match self.is {
            RowKind::AtMostZero => self.form.hold_at_most(&Int::ZERO, columns, changed),
            RowKind::Zero => self.form.hold_in(&Interval::point(Int::ZERO), columns, changed),
            RowKind::NotZero => self.narrow_apart(columns, changed),
        }
    }

    fn narrow_apart(&self, columns: &mut [Interval], changed: &mut impl FnMut(usize)) -> Result<(), Empty> {
        let mut rest = self.form.constant.clone();
        let mut open = None;
        for (at, factor) in &self.form.terms {
            match columns[*at].value() {
                Some(value) => rest = rest.add(&value.mul(factor)),
                None if open.is_some() => return Ok(()),
                None => open = Some((*at, factor)),
            }
        }
        let Some((at, factor)) = open else { return if rest.is_zero() { Err(Empty) } else { Ok(()) } };
        if !factor.divides(&rest) {
            return Ok(());
        }
        let left = columns[at].without(&rest.neg().div(factor))?;
        if left != columns[at] {
            columns[at] = left;
            changed(at);
        }
        Ok(())
    }
}
