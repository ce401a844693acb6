//! The natives of the `string` module: numbers at the front of a list of characters.

use num_bigint::BigInt;
use term::{ListIter, Term, known};

use crate::erlang::text::word;
use crate::{Eval, Operation};

pub(crate) const OPERATIONS: &[Operation] = &[
    Operation::pure("list_to_float", 1, list_to_float).prelude("string", "list_to_float"),
    Operation::pure("list_to_integer", 1, list_to_integer).prelude("string", "list_to_integer"),
    Operation::code("to_float", 1).prelude("string", "to_float"),
    Operation::code("to_integer", 1).prelude("string", "to_integer"),
];

fn failed(reason: &str) -> Eval {
    Ok(Term::tuple([Term::atom(known::ERROR), Term::atom_named(reason)]))
}

fn list_to_integer(args: &mut [Term]) -> Eval {
    numeral(&args[0], "no_integer", |text| {
        text.sign();
        text.cut_digits()?;
        Some(Term::big(text.taken.parse::<BigInt>().ok()?))
    })
}

fn list_to_float(args: &mut [Term]) -> Eval {
    numeral(&args[0], "no_float", |text| {
        text.sign();
        text.digits()?;
        text.one_of(".,")?;
        text.taken.pop();
        text.taken.push('.');
        text.digits()?;
        text.exponent();
        let value: f64 = text.taken.parse().ok()?;
        value.is_finite().then(|| Term::float(value))
    })
}

/// `{Number, Rest}`, or why there is no number.
fn numeral<'a>(list: &'a Term, missing: &str, read: impl FnOnce(&mut Text<'a>) -> Option<Term>) -> Eval {
    if !matches!(list, Term::Nil(_) | Term::Cons(..)) {
        return failed("not_a_list");
    }
    let mut text = Text { rest: list, taken: String::new() };
    match read(&mut text) {
        Some(number) => Ok(Term::tuple([number, text.rest.clone()])),
        None => failed(missing),
    }
}

/// Characters at the front of a list, and what was taken of them.
struct Text<'a> {
    rest: &'a Term,
    taken: String,
}

impl<'a> Text<'a> {
    fn take(&mut self, wanted: impl Fn(char) -> bool) -> Option<()> {
        let mut cells: ListIter<'a> = self.rest.cells();
        let character = cells.next()?.as_i64().and_then(|point| char::from_u32(u32::try_from(point).ok()?))?;
        if !wanted(character) {
            return None;
        }
        self.taken.push(character);
        self.rest = cells.rest();
        Some(())
    }

    fn one_of(&mut self, these: &str) -> Option<()> {
        self.take(|character| these.contains(character))
    }

    fn sign(&mut self) {
        let _ = self.one_of("+-");
    }

    /// At least one digit.
    fn digits(&mut self) -> Option<()> {
        self.take(|character| character.is_ascii_digit())?;
        while self.take(|character| character.is_ascii_digit()).is_some() {}
        Some(())
    }

    /// As [`Text::digits`], but of each integer only the last byte counts: so does the VM, for small integers.
    fn cut_digits(&mut self) -> Option<()> {
        let start = self.taken.len();
        let mut cells = self.rest.cells();
        while let Some(point) = cells.next().and_then(word) {
            let digit = char::from(point as u8);
            if !digit.is_ascii_digit() {
                break;
            }
            self.taken.push(digit);
            self.rest = cells.rest();
        }
        (self.taken.len() > start).then_some(())
    }

    /// An exponent, or nothing at all if what looks like one has no digits.
    fn exponent(&mut self) {
        let (rest, len) = (self.rest, self.taken.len());
        let read = self.one_of("eE").and_then(|()| {
            self.sign();
            self.digits()
        });
        if read.is_none() {
            self.rest = rest;
            self.taken.truncate(len);
        }
    }
}
