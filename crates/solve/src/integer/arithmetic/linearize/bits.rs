//! Bit operations as sums, wherever it is known which bits can be set.

use super::super::super::int::{Int, MAX_BITS, runs};
use super::super::definition::DefinitionKind;
use super::super::form::Form;
use super::Linearizer;
use constraint::Op;

impl Linearizer {
    /// Returns true if no bit can be set in both, as where bytes are shifted together: one lies below the zeros that
    /// the other ends in.
    fn are_apart(&self, a: &Form, b: &Form) -> bool {
        self.is_below(a, b.trailing_zeros()) || self.is_below(b, a.trailing_zeros())
    }

    fn is_below(&self, form: &Form, bits: u64) -> bool {
        let interval = self.interval(form);
        interval.is_at_least(0) && interval.high.is_some_and(|high| high.bits() <= bits)
    }

    pub(super) fn band(&mut self, a: &Form, b: &Form) -> Form {
        if self.are_apart(a, b) {
            return Form::constant(Int::ZERO);
        }
        let mask = match (a.as_constant(), b.as_constant()) {
            (Some(mask), _) => self.masked(b, mask),
            (_, Some(mask)) => self.masked(a, mask),
            _ if a == b => Some(a.clone()),
            _ => None,
        };
        mask.unwrap_or_else(|| self.define(DefinitionKind::Op(Op::Band), vec![a.clone(), b.clone()]))
    }

    /// `a band mask`, as a sum of what divisions by powers of two leave.
    fn masked(&mut self, a: &Form, mask: &Int) -> Option<Form> {
        if mask.is_negative() {
            let rest = self.masked(a, &mask.bnot())?;
            return Some(a.minus(&rest));
        }
        let mut sum = Form::constant(Int::ZERO);
        for (low, high) in runs(&mask.to_big())? {
            let above = self.floor(a, &Int::power_of_two(high)).1;
            let below = self.floor(a, &Int::power_of_two(low)).1;
            sum = sum.plus(&Int::ONE, &above).minus(&below);
        }
        Some(sum)
    }

    pub(super) fn bor(&mut self, a: &Form, b: &Form) -> Form {
        if self.are_apart(a, b) {
            return a.plus(&Int::ONE, b);
        }
        if a.as_constant().is_none() && b.as_constant().is_none() && a != b {
            return self.define(DefinitionKind::Op(Op::Bor), vec![a.clone(), b.clone()]);
        }
        let both = self.band(a, b);
        a.plus(&Int::ONE, b).minus(&both)
    }

    pub(super) fn bxor(&mut self, a: &Form, b: &Form) -> Form {
        if self.are_apart(a, b) {
            return a.plus(&Int::ONE, b);
        }
        if a.as_constant().is_none() && b.as_constant().is_none() && a != b {
            return self.define(DefinitionKind::Op(Op::Bxor), vec![a.clone(), b.clone()]);
        }
        let both = self.band(a, b);
        a.plus(&Int::ONE, b).plus(&Int::from(-2), &both)
    }

    pub(super) fn shift(&mut self, a: &Form, by: &Form) -> Form {
        match by.as_constant().and_then(Int::to_i64) {
            Some(by) if by.unsigned_abs() <= MAX_BITS => {
                let power = Int::power_of_two(by.unsigned_abs());
                if by >= 0 { a.scaled(&power) } else { self.floor(a, &power).0 }
            }
            _ => self.define(DefinitionKind::Op(Op::Bsl), vec![a.clone(), by.clone()]),
        }
    }
}
