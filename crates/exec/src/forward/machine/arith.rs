//! Arithmetic and comparisons: machine integers at once, everything else by the rules for terms.

use constraint::Op;
use ops::{Relation, Rule};
use term::{Exception, Term, cut, heap, number};

use super::cursor::View;
use super::fault::Fault;
use crate::forward::code::{Slot, Src};

type Done = Result<(), Box<Fault>>;

impl View {
    /// Writes `a + b`.
    #[inline(always)]
    pub fn add(self, to: Slot, a: Src, b: Src) -> Done {
        self.number(Op::Add, i64::checked_add, |x, y| x + y, number::add, to, a, b)
    }

    /// Writes `a - b`.
    #[inline(always)]
    pub fn sub(self, to: Slot, a: Src, b: Src) -> Done {
        self.number(Op::Sub, i64::checked_sub, |x, y| x - y, number::sub, to, a, b)
    }

    /// Writes `a * b`.
    #[inline(always)]
    pub fn mul(self, to: Slot, a: Src, b: Src) -> Done {
        self.number(Op::Mul, i64::checked_mul, |x, y| x * y, number::mul, to, a, b)
    }

    /// Adds a constant.
    #[inline(always)]
    pub fn add_int(self, to: Slot, a: Src, b: i32) -> Done {
        self.number_int(Op::Add, i64::checked_add, number::add, to, a, b)
    }

    /// Subtracts a constant.
    #[inline(always)]
    pub fn sub_int(self, to: Slot, a: Src, b: i32) -> Done {
        self.number_int(Op::Sub, i64::checked_sub, number::sub, to, a, b)
    }

    /// Writes the result of an operation on numbers: of machine integers by `small`, of floats by `float`, of others by
    /// `rule`.
    #[inline(always)]
    #[expect(clippy::too_many_arguments, reason = "an operation in its three forms, and its operands")]
    fn number(
        self,
        op: Op,
        small: impl Fn(i64, i64) -> Option<i64>,
        float: impl Fn(f64, f64) -> f64,
        rule: fn(&Term, &Term) -> Option<Term>,
        to: Slot,
        a: Src,
        b: Src,
    ) -> Done {
        let result = match (self.look(a), self.look(b)) {
            (Term::Int(_, x), Term::Int(_, y)) => small(*x, *y).map(Term::int),
            (Term::Float(_, x), Term::Float(_, y)) => Some(float(*x, *y)).filter(|it| it.is_finite()).map(Term::float),
            _ => None,
        };
        match result {
            Some(result) => {
                self.put(to, result);
                Ok(())
            }
            None => self.slowly(op, rule, to, a, b),
        }
    }

    #[inline(always)]
    fn number_int(
        self,
        op: Op,
        small: impl Fn(i64, i64) -> Option<i64>,
        rule: fn(&Term, &Term) -> Option<Term>,
        to: Slot,
        a: Src,
        b: i32,
    ) -> Done {
        if let Term::Int(_, x) = self.look(a)
            && let Some(result) = small(*x, i64::from(b))
        {
            self.put(to, Term::int(result));
            return Ok(());
        }
        self.slowly_int(op, rule, to, a, b)
    }

    #[inline(never)]
    fn slowly(self, op: Op, rule: fn(&Term, &Term) -> Option<Term>, to: Slot, a: Src, b: Src) -> Done {
        let result = attempt(|| rule(self.look(a), self.look(b)))?;
        self.finish(op, result, to, a, b)
    }

    #[inline(never)]
    fn slowly_int(self, op: Op, rule: fn(&Term, &Term) -> Option<Term>, to: Slot, a: Src, b: i32) -> Done {
        let b = Term::int(i64::from(b));
        match attempt(|| rule(self.look(a), &b))? {
            Some(value) => {
                self.release(a);
                self.made(to, value)
            }
            None => Err(bad(Rule::Arith(op), &[self.look(a).clone(), b], Exception::badarith())),
        }
    }

    /// Puts a number that may be a large one.
    fn made(self, to: Slot, value: Term) -> Done {
        self.put(to, value);
        if heap::is_due() { Err(Box::new(Fault::Due)) } else { Ok(()) }
    }

    fn finish(self, op: Op, result: Option<Term>, to: Slot, a: Src, b: Src) -> Done {
        match result {
            Some(value) => {
                self.release(a);
                self.release(b);
                self.made(to, value)
            }
            None => Err(bad(Rule::Arith(op), &[self.look(a).clone(), self.look(b).clone()], Exception::badarith())),
        }
    }

    /// Any other binary operation, of integers only.
    #[inline(always)]
    pub fn arith(self, op: Op, to: Slot, a: Src, b: Src) -> Done {
        if let (Term::Int(_, x), Term::Int(_, y)) = (self.look(a), self.look(b)) {
            let value = match op {
                Op::Div if *y > 0 => Some(x / y),
                Op::Rem if *y > 0 => Some(x % y),
                Op::Band => Some(x & y),
                Op::Bor => Some(x | y),
                Op::Bxor => Some(x ^ y),
                Op::Bsr if (0..64).contains(y) => Some(x >> y),
                Op::Bsl if (0..32).contains(y) && i32::try_from(*x).is_ok() => Some(x << y),
                _ => None,
            };
            if let Some(value) = value {
                self.put(to, Term::int(value));
                return Ok(());
            }
        }
        self.arith_slowly(op, to, a, b)
    }

    #[inline(never)]
    fn arith_slowly(self, op: Op, to: Slot, a: Src, b: Src) -> Done {
        let (x, y) = (self.look(a), self.look(b));
        let shift = |result: Result<Term, number::NumberError>| match result {
            Ok(value) => Ok(Some(value)),
            Err(number::NumberError::Arith) => Ok(None),
            Err(number::NumberError::Limit) => {
                Err(bad(Rule::Arith(op), &[x.clone(), y.clone()], Exception::system_limit()))
            }
        };
        let result = match op {
            Op::Div => attempt(|| number::div(x, y))?,
            Op::Rem => attempt(|| number::rem(x, y))?,
            Op::Band => number::band(x, y),
            Op::Bor => number::bor(x, y),
            Op::Bxor => number::bxor(x, y),
            Op::Bsl => shift(number::bsl(x, y))?,
            Op::Bsr => shift(number::bsr(x, y))?,
            _ => unreachable!("{op:?} has an instruction of its own"),
        };
        self.finish(op, result, to, a, b)
    }

    /// Writes the answer of a comparison as a boolean.
    #[inline(always)]
    pub fn relation(self, op: Relation, to: Slot, a: Src, b: Src) {
        let (x, y) = (self.look(a), self.look(b));
        let holds = match op {
            Relation::Less => less(x, y),
            Relation::LessOrEqual => !less(y, x),
            Relation::Greater => less(y, x),
            Relation::GreaterOrEqual => !less(x, y),
            Relation::Equal => x.num_eq(y),
            Relation::NotEqual => !x.num_eq(y),
            Relation::Same => same(x, y),
            Relation::NotSame => !same(x, y),
        };
        self.release(a);
        self.release(b);
        self.put(to, Term::bool(holds));
    }
}

/// Does an operation that may be cut.
pub fn attempt<T>(work: impl FnOnce() -> T) -> Result<T, Box<Fault>> {
    cut::attempt(work).map_err(|cut| Box::new(Fault::Cut(cut)))
}

/// Returns the fault of an operation with this rule.
#[cold]
pub fn bad(rule: Rule, args: &[Term], exception: Exception) -> Box<Fault> {
    Fault::of_operation(rule.function(args.len()), args, exception)
}

/// `a < b` in the order of terms.
#[inline(always)]
pub fn less(a: &Term, b: &Term) -> bool {
    match (a, b) {
        (Term::Int(_, a), Term::Int(_, b)) => a < b,
        _ => less_slowly(a, b),
    }
}

#[inline(never)]
fn less_slowly(a: &Term, b: &Term) -> bool {
    a.compare(b).is_lt()
}

/// Exact equality.
#[inline(always)]
pub fn same(a: &Term, b: &Term) -> bool {
    match (a, b) {
        (Term::Int(_, a), Term::Int(_, b)) => a == b,
        (Term::Atom(_, a), Term::Atom(_, b)) => a == b,
        _ => same_slowly(a, b),
    }
}

#[inline(never)]
fn same_slowly(a: &Term, b: &Term) -> bool {
    a == b
}
