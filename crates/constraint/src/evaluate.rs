//! The value of an expression and the truth of a condition, given inputs.

use term::{Term, known};

use crate::{Arena, Condition, Expr, Node, Test, Type};

/// The expression has no value for these inputs: something in it is applied where it is not defined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Undefined;

/// The value of an expression.
pub fn evaluate(arena: &Arena, expr: Expr, inputs: &[Term]) -> Result<Term, Undefined> {
    stacker::maybe_grow(64 << 10, 4 << 20, || value(arena, expr, inputs))
}

fn value(arena: &Arena, expr: Expr, inputs: &[Term]) -> Result<Term, Undefined> {
    match arena.node(expr) {
        Node::Input(at) => inputs.get(*at as usize).cloned().ok_or(Undefined),
        Node::Literal(term) => Ok(term.clone()),
        Node::Head(list) => match evaluate(arena, *list, inputs)? {
            Term::Cons(_, cell) => Ok(cell.head.clone()),
            _ => Err(Undefined),
        },
        Node::Tail(list) => match evaluate(arena, *list, inputs)? {
            Term::Cons(_, cell) => Ok(cell.tail.clone()),
            _ => Err(Undefined),
        },
        Node::Element(tuple, at) => {
            let tuple = evaluate(arena, *tuple, inputs)?;
            tuple.as_tuple().and_then(|items| items.get(*at as usize).cloned()).ok_or(Undefined)
        }
        Node::Cons(head, tail) => Ok(Term::cons(evaluate(arena, *head, inputs)?, evaluate(arena, *tail, inputs)?)),
        Node::Tuple(items) => {
            let items = items.iter().map(|item| evaluate(arena, *item, inputs)).collect::<Result<Vec<_>, _>>()?;
            Ok(Term::tuple(items))
        }
        Node::Apply(op, args) => {
            let args = args.iter().map(|arg| evaluate(arena, *arg, inputs)).collect::<Result<Vec<_>, _>>()?;
            op.compute(&args).ok_or(Undefined)
        }
    }
}

/// Whether a condition is as it says, for these inputs.
pub fn holds(arena: &Arena, condition: &Condition, inputs: &[Term]) -> Result<bool, Undefined> {
    let value = |expr| evaluate(arena, expr, inputs);
    let answer = match condition.test {
        Test::Cons(x) => matches!(value(x)?, Term::Cons(..)),
        Test::Tuple(x, size) => value(x)?.as_tuple().is_some_and(|items| items.len() == size as usize),
        Test::Type(x, wanted) => is_of(&value(x)?, wanted),
        Test::Arity(x, arity) => matches!(value(x)?, Term::Fun(_, fun) if fun.arity() == arity),
        Test::Same(a, b) => value(a)? == value(b)?,
        Test::Equal(a, b) => value(a)?.num_eq(&value(b)?),
        Test::Less(a, b) => value(a)?.compare(&value(b)?).is_lt(),
    };
    Ok(answer == condition.holds)
}

/// Whether a value is of a type.
pub fn is_of(term: &Term, wanted: Type) -> bool {
    match wanted {
        Type::Atom => matches!(term, Term::Atom(..)),
        Type::Boolean => matches!(term.as_atom(), Some(known::TRUE | known::FALSE)),
        Type::Integer => term.is_integer(),
        Type::Float => matches!(term, Term::Float(..)),
        Type::Number => term.is_number(),
        Type::List => matches!(term, Term::Cons(..) | Term::Nil(_)),
        Type::ProperList => {
            let mut cells = term.cells();
            cells.by_ref().for_each(drop);
            matches!(cells.rest(), Term::Nil(_))
        }
        Type::Tuple => matches!(term, Term::Tuple(..)),
        Type::Map => matches!(term, Term::Map(..)),
        Type::Binary => term.as_bits().is_some_and(term::Bits::is_binary),
        Type::Bitstring => matches!(term, Term::Bits(..)),
        Type::Function => matches!(term, Term::Fun(..)),
        Type::Pid => is_handle(term, term::HandleKind::Pid),
        Type::Port => is_handle(term, term::HandleKind::Port),
        Type::Reference => is_handle(term, term::HandleKind::Reference),
    }
}

fn is_handle(term: &Term, kind: term::HandleKind) -> bool {
    matches!(term, Term::Handle(_, handle) if handle.kind == kind)
}
