//! Linear tests as rows with exact coefficients.

use std::collections::BTreeMap;

use constraint::{FloatOp, Op};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, ToPrimitive, Zero};

use super::program::CompiledProblem;
use super::value::{Kind, Num};
use crate::linear;
use crate::problem::Constraint;

/// A sum of variables, each so many times, and a constant. Sums of floats are taken as exact, which they almost are.
pub type Form = linear::Form<BigRational>;

/// A linear test: the form is 0, or at most 0.
#[derive(Clone, PartialEq, Debug)]
pub struct LinearTest {
    /// The left side.
    pub form: Form,
    /// The form is 0, not only at most 0.
    pub equal: bool,
    /// The place of the test in the problem.
    pub test: usize,
}

/// Rows of more tests than this are not looked at.
const MOST_ROWS: usize = 64;

/// The linear ones among the tests.
pub fn rows(program: &CompiledProblem) -> Vec<LinearTest> {
    let mut forms: Vec<Option<Form>> = program.registers.iter().map(constant).collect();
    for (variable, form) in forms.iter_mut().enumerate().take(program.variables()) {
        *form = Some(Form { terms: vec![(variable, BigRational::one())], constant: BigRational::zero() });
    }
    for instruction in &program.code {
        let (left, right) = (&forms[instruction.left as usize], &forms[instruction.right as usize]);
        forms[instruction.out as usize] =
            left.as_ref().zip(right.as_ref()).and_then(|(left, right)| combined(instruction.op, left, right));
    }
    let row = |(test, relation): (usize, &Constraint)| {
        let (left, right) = relation.sides();
        let equal = match relation {
            Constraint::Differ(..) => return None,
            relation => matches!(relation, Constraint::Equal(..)),
        };
        let form = forms[left].as_ref()?.plus(&-BigRational::one(), forms[right].as_ref()?);
        (!form.terms.is_empty()).then_some(LinearTest { form, equal, test })
    };
    program.tests.iter().enumerate().filter_map(row).take(MOST_ROWS).collect()
}

fn constant(value: &Num) -> Option<Form> {
    let constant = match value {
        Num::Int(value) => BigRational::from_integer(value.to_big()),
        Num::Float(value) => BigRational::from_float(*value)?,
        Num::Undefined => return None,
    };
    Some(Form::constant(constant))
}

fn combined(op: Op, left: &Form, right: &Form) -> Option<Form> {
    match op {
        Op::Add | Op::Float(FloatOp::Add) => Some(left.plus(&BigRational::one(), right)),
        Op::Sub | Op::Float(FloatOp::Sub) => Some(left.plus(&-BigRational::one(), right)),
        Op::Neg | Op::Float(FloatOp::Neg) => Some(left.scaled(&-BigRational::one())),
        Op::Float(FloatOp::Of) => Some(left.clone()),
        Op::Mul | Op::Float(FloatOp::Mul) if right.terms.is_empty() => Some(left.scaled(&right.constant)),
        Op::Mul | Op::Float(FloatOp::Mul) if left.terms.is_empty() => Some(right.scaled(&left.constant)),
        Op::Float(FloatOp::Div) if right.terms.is_empty() && !right.constant.is_zero() => {
            Some(left.scaled(&right.constant.recip()))
        }
        _ => None,
    }
}

impl linear::Form<BigRational> {
    /// The form with a variable replaced by what it equals.
    pub fn with(&self, variable: usize, value: &Form) -> Form {
        self.replaced(variable, value).unwrap_or_else(|| self.clone())
    }

    /// The value at a point, roughly.
    pub fn at(&self, values: &[Num]) -> f64 {
        let term = |(variable, by): &(usize, BigRational)| values[*variable].approx() * approx(by);
        self.terms.iter().map(term).sum::<f64>() + approx(&self.constant)
    }
}

/// The nearest double.
pub fn approx(value: &BigRational) -> f64 {
    value.to_f64().unwrap_or(f64::NAN)
}

/// The form, over the other variables, of each variable that an equality fixes.
pub fn eliminated(rows: &[LinearTest], kinds: &[Kind]) -> BTreeMap<usize, Form> {
    let mut known: BTreeMap<usize, Form> = BTreeMap::new();
    for row in rows.iter().filter(|row| row.equal) {
        let form = known.iter().fold(row.form.clone(), |form, (variable, value)| form.with(*variable, value));
        let Some((pivot, by)) = form.terms.iter().max_by_key(|(variable, by)| worth(kinds[*variable], by)) else {
            // Rounding makes small contradictions between floats: the walk finds out.
            continue;
        };
        let mut value = form.clone();
        value.terms.retain(|(variable, _)| variable != pivot);
        let value = value.scaled(&-by.recip());
        known.values_mut().for_each(|other| *other = other.with(*pivot, &value));
        known.insert(*pivot, value);
    }
    known
}

/// A float can take any value; of integers those are best that stand alone.
fn worth(kind: Kind, by: &BigRational) -> u32 {
    match kind {
        Kind::Float => 2,
        Kind::Integer => u32::from(by.numer().magnitude() == BigInt::one().magnitude()),
    }
}
