//! Places for the values of a body: a return, registers, a branch.

use std::rc::Rc;

use ir::{BlockId, Op, Operand, Raise, Reg, Terminator, Test};
use term::Term;

use super::Lowering;
use crate::flat::Value;

/// The place where the values of an action go.
#[derive(Clone)]
pub enum Place {
    /// The one value is the function's.
    Return,
    /// Each value goes to its register, if it has one; then control goes to `next`, or just on. No registers at all:
    /// the values are not used.
    Values { to: Rc<[Option<Reg>]>, next: Option<BlockId> },
    /// The one value decides: `true`, or anything else.
    Branch { yes: BlockId, no: BlockId },
}

impl Place {
    /// Registers for values, then a block.
    pub fn values(to: impl IntoIterator<Item = Option<Reg>>, next: Option<BlockId>) -> Place {
        Place::Values { to: to.into_iter().collect(), next }
    }

    /// The register that a single value should be put into.
    pub fn register(&self) -> Option<Reg> {
        match self {
            Place::Values { to, .. } if to.len() == 1 => to[0],
            _ => None,
        }
    }
}

impl<'a> Lowering<'_, 'a> {
    /// Brings values to their place.
    pub fn give(&mut self, values: &'a [Value], place: &Place) {
        match place {
            Place::Values { to, next } => {
                self.put_all(values, to);
                self.go(*next);
            }
            Place::Branch { yes, no } => match self.only(values) {
                Some(value) => self.decide(value, *yes, *no),
                None => self.builder.jump(*no, self.at),
            },
            Place::Return => {
                let value = self.only(values).map(|value| self.operand(value));
                self.builder.end(Terminator::Return(value.unwrap_or_else(nil)), self.at);
            }
        }
    }

    /// Brings the value of an operation, which is in a register, to its place.
    pub fn give_register(&mut self, reg: Reg, place: &Place) {
        match place {
            Place::Values { to, next } => {
                match **to {
                    [Some(to)] if to != reg => self.builder.push(Op::Copy { to, from: reg.into() }, self.at),
                    [] | [_] => {}
                    // Only what never returns stands for several values.
                    _ => return self.builder.end(Terminator::Raise(Raise::Error(reg.into())), self.at),
                }
                self.go(*next);
            }
            Place::Branch { yes, no } => self.test(Test::Literal(Term::bool(true)), [reg.into()], [], *yes, *no),
            Place::Return => self.builder.end(Terminator::Return(reg.into()), self.at),
        }
    }

    /// Jumps to a block.
    pub fn go(&mut self, next: Option<BlockId>) {
        if let Some(next) = next {
            self.builder.jump(next, self.at);
        }
    }

    fn put_all(&mut self, values: &'a [Value], to: &[Option<Reg>]) {
        if !to.is_empty() && to.len() != values.len() {
            self.fail(format!("{} values where {} are expected", values.len(), to.len()));
        }
        for (value, to) in values.iter().zip(to) {
            if let Some(to) = to {
                self.put(value, *to);
            }
        }
    }

    fn only(&mut self, values: &'a [Value]) -> Option<&'a Value> {
        match values {
            [value] => Some(value),
            _ => {
                self.fail(format!("{} values where one is expected", values.len()));
                None
            }
        }
    }

    /// Ends the block with a test.
    pub fn test(
        &mut self,
        test: Test,
        args: impl IntoIterator<Item = Operand>,
        outs: impl IntoIterator<Item = Option<Reg>>,
        yes: BlockId,
        no: BlockId,
    ) {
        let (args, outs) = (args.into_iter().collect(), outs.into_iter().collect());
        self.builder.end(Terminator::Branch { test, args, outs, yes, no }, self.at);
    }
}

/// The operand of the empty list.
pub fn nil() -> Operand {
    Operand::Literal(Term::nil())
}
