//! The value of an expression and the truth of a condition, given inputs.

use rustc_hash::FxHashMap;
use term::{Mfa, Term, known};

use crate::{Arena, Condition, Expr, Kinds, Node, Part, Test, Type, is_character};

/// The expression has no value for these inputs: something in it is applied where it is not defined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Undefined;

/// Evaluates expressions for the same inputs; what is part of many is computed once.
pub struct Evaluator<'a> {
    pub(crate) arena: &'a Arena,
    inputs: &'a [Term],
    values: ValueCache,
    /// Expressions are evaluated in the form they were asked for, not as they were simplified.
    original: bool,
    pub(crate) missing: Option<(Mfa, Vec<Term>)>,
}

/// Values computed so far.
pub type ValueCache = FxHashMap<Expr, Result<Term, Undefined>>;

impl<'a> Evaluator<'a> {
    /// An evaluator of simplified expressions.
    pub fn new(arena: &'a Arena, inputs: &'a [Term]) -> Evaluator<'a> {
        Evaluator::resume(arena, inputs, ValueCache::default())
    }

    /// Evaluates expressions as they were before they were simplified: a wrong simplification shows.
    pub fn of_originals(self) -> Evaluator<'a> {
        Evaluator { original: true, ..self }
    }

    /// Goes on with values computed before for the same arena and inputs, of whichever form.
    pub fn resume(arena: &'a Arena, inputs: &'a [Term], values: ValueCache) -> Evaluator<'a> {
        Evaluator { arena, inputs, values, original: false, missing: None }
    }

    /// The values computed so far, for [`Evaluator::resume`].
    pub fn into_values(self) -> ValueCache {
        self.values
    }

    /// The value of an expression.
    pub fn value(&mut self, expr: Expr) -> Result<Term, Undefined> {
        let expr = self.chosen_form(expr);
        match self.arena.form(expr) {
            Node::Input(at) => self.inputs.get(*at as usize).cloned().ok_or(Undefined),
            Node::Literal(term) => Ok(term.clone()),
            node => {
                if let Some(value) = self.values.get(&expr) {
                    return value.clone();
                }
                let value = term::deeper(|| self.compute(node));
                self.values.insert(expr, value.clone());
                value
            }
        }
    }

    fn chosen_form(&self, expr: Expr) -> Expr {
        if self.original { expr.original() } else { expr.simplified() }
    }

    fn compute(&mut self, node: &Node) -> Result<Term, Undefined> {
        match node {
            Node::Input(_) | Node::Literal(_) => Err(Undefined),
            Node::Head(list) => match self.value(*list)? {
                Term::Cons(_, cell) => Ok(cell.head.clone()),
                _ => Err(Undefined),
            },
            Node::Tail(list) => match self.value(*list)? {
                Term::Cons(_, cell) => Ok(cell.tail.clone()),
                _ => Err(Undefined),
            },
            Node::Element(tuple, at) => {
                let tuple = self.value(*tuple)?;
                tuple.as_tuple().and_then(|items| items.get(*at as usize).cloned()).ok_or(Undefined)
            }
            Node::Cons(head, tail) => Ok(Term::cons(self.value(*head)?, self.value(*tail)?)),
            Node::Tuple(items) => Ok(Term::tuple(self.values_of(items)?)),
            Node::Result(fun, args) => {
                let (fun, args) = (self.value(*fun)?, self.values_of(args)?);
                let table = fun.as_table().filter(|table| usize::from(table.arity()) == args.len());
                table.map(|table| table.result(&args).clone()).ok_or(Undefined)
            }
            Node::MapValue(..) | Node::MapKey(..) | Node::MapPut(..) | Node::MapRemove(..) | Node::MapMerge(..) => {
                self.compute_map(node)
            }
            Node::Bits { of, at, size } => {
                let bits = self.value(*of)?;
                crate::bits::read(&bits, *at, *size).ok_or(Undefined)
            }
            Node::Slice { of, at, size } => {
                let args = [self.value(*of)?, self.value(*at)?, self.value(*size)?];
                crate::bits::slice(&args).ok_or(Undefined)
            }
            Node::Build { parts, .. } => self.built(parts),
            Node::Opaque(function, args) => self.sampled(*function, args),
            Node::Name(atom) => self.name_of(*atom),
            Node::Atom(text) => self.atom_of(*text),
            Node::Apply(op, args) => op.compute(&self.values_of(args)?).ok_or(Undefined),
        }
    }

    fn built(&mut self, parts: &[Part]) -> Result<Term, Undefined> {
        let mut builder = term::BitsBuilder::new();
        for part in parts {
            let value = self.value(part.expr())?;
            part.append(&value, &mut builder).ok_or(Undefined)?;
        }
        Ok(Term::bits(builder.finish()))
    }

    /// Returns true if an operation has a result; its arguments must have values.
    fn is_defined(&mut self, expr: Expr) -> Result<bool, Undefined> {
        if let Node::Apply(_, args) = self.arena.form(self.chosen_form(expr)) {
            self.values_of(args)?;
        }
        Ok(self.value(expr).is_ok())
    }

    pub(crate) fn values_of(&mut self, exprs: &[Expr]) -> Result<Vec<Term>, Undefined> {
        exprs.iter().map(|expr| self.value(*expr)).collect()
    }

    /// Returns true if a condition holds.
    pub fn holds(&mut self, condition: &Condition) -> Result<bool, Undefined> {
        let answer = match condition.test {
            Test::Cons(x) => matches!(self.value(x)?, Term::Cons(..)),
            Test::Tuple(x, size) => self.value(x)?.as_tuple().is_some_and(|items| items.len() == size as usize),
            Test::Type(x, wanted) => is_of(&self.value(x)?, wanted),
            Test::Arity(x, arity) => matches!(self.value(x)?, Term::Fun(_, fun) if fun.arity() == arity),
            Test::HasKey(map, key) => {
                let (map, key) = (self.map_of(map)?, self.value(key)?);
                map.as_map().is_some_and(|map| map.contains(&key))
            }
            Test::Same(a, b) => self.value(a)? == self.value(b)?,
            Test::Equal(a, b) => self.value(a)?.num_eq(&self.value(b)?),
            Test::Less(a, b) => self.value(a)?.compare(&self.value(b)?).is_lt(),
            Test::Defined(x) => self.is_defined(x)?,
        };
        Ok(answer == condition.holds)
    }
}

/// The value of an expression.
pub fn evaluate(arena: &Arena, expr: Expr, inputs: &[Term]) -> Result<Term, Undefined> {
    Evaluator::new(arena, inputs).value(expr)
}

/// Returns true if a condition holds for these inputs.
pub fn holds(arena: &Arena, condition: &Condition, inputs: &[Term]) -> Result<bool, Undefined> {
    Evaluator::new(arena, inputs).holds(condition)
}

/// Returns true if a value is of a type.
#[inline]
pub fn is_of(term: &Term, wanted: Type) -> bool {
    match wanted {
        Type::Boolean => matches!(term.as_atom(), Some(known::TRUE | known::FALSE)),
        Type::ProperList | Type::Text | Type::LongText(_) => is_list(term, wanted),
        Type::Binary => term.as_bits().is_some_and(term::Bits::is_binary),
        wanted => Kinds::possible(wanted).has(Kinds::of(term)),
    }
}

/// Returns true if a value is a list of the kind that a type says, which takes a walk along it.
fn is_list(term: &Term, wanted: Type) -> bool {
    let mut cells = term.cells();
    match wanted {
        Type::Text => cells.by_ref().all(is_character) && matches!(cells.rest(), Term::Nil(_)),
        Type::LongText(count) => {
            cells.by_ref().take(usize::from(count)).filter(|cell| is_character(cell)).count() == usize::from(count)
                && matches!(cells.rest(), Term::Cons(..))
        }
        _ => {
            cells.by_ref().for_each(drop);
            matches!(cells.rest(), Term::Nil(_))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Op;

    #[test]
    fn what_is_shared_is_computed_once() {
        let mut arena = Arena::new();
        let input = arena.input(0);
        // Without sharing this would take 2^200 additions.
        let sum = (0..200).fold(input, |sum, _| arena.apply(Op::Add, &[sum, sum]));
        assert_eq!(evaluate(&arena, sum, &[Term::int(0)]), Ok(Term::int(0)));
        assert_eq!(evaluate(&arena, sum, &[Term::nil()]), Err(Undefined));
    }
}
