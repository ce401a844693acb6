//! Expressions: every distinct one is kept once, and simple ones are simplified as they are made.

use std::num::NonZeroU32;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use term::{Mark, Mfa, Term, number};

use crate::bits::Part;
use crate::floats::FloatOp;
use crate::samples::Samples;

/// How deep an operand is looked into before it is taken away from itself.
const NESTED: usize = 8;

/// A symbolic expression: a number in an [`Arena`], small enough to be the mark of a term.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Expr(NonZeroU32);

impl Expr {
    /// The expression that a term's mark names.
    pub fn of_mark(mark: Mark) -> Option<Expr> {
        NonZeroU32::new(mark.0).map(Expr)
    }

    pub fn mark(self) -> Mark {
        Mark(self.0.get())
    }

    /// The expression that comes after so many others.
    pub(crate) fn after(count: usize) -> Option<Expr> {
        u32::try_from(count + 1).ok().and_then(NonZeroU32::new).map(Expr)
    }
}

/// An operation, or a part of an input, and the expressions it is made of.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Node {
    /// An argument of the function under test, from 0.
    Input(u32),
    /// A constant.
    Literal(Term),
    /// The head of a list cell; defined only where the expression is one.
    Head(Expr),
    Tail(Expr),
    /// An element of a tuple, from 0; defined only where the tuple is large enough.
    Element(Expr, u32),
    Cons(Expr, Expr),
    Tuple(Box<[Expr]>),
    /// What a fun gives for these arguments; defined only where it is a table of that arity.
    Result(Expr, Box<[Expr]>),
    /// How a call of an opaque function ends: `{Value}` or `{Class, Reason}`; known only where it was observed.
    Opaque(Mfa, Box<[Expr]>),
    /// The value of a key in a map; defined only where the map has it.
    MapValue(Expr, Expr),
    /// The key at a place in the order of keys, from 0; defined only where the map is large enough.
    MapKey(Expr, u32),
    /// A map with a key and its value put in; defined only on maps, and so are the following.
    MapPut(Expr, Expr, Expr),
    MapRemove(Expr, Expr),
    /// Two maps in one; the second wins.
    MapMerge(Expr, Expr),
    /// The number that `size` bits from bit `at` on of a bitstring are, the first of them worth most; defined only where
    /// it has them.
    Bits {
        of: Expr,
        at: u32,
        size: u32,
    },
    /// `size` bits of a bitstring from bit `at` on, as a bitstring; defined only where it has them.
    Slice {
        of: Expr,
        at: Expr,
        size: Expr,
    },
    /// Bitstrings and numbers one after the other, and the number of all their bits.
    Build {
        parts: Box<[Part]>,
        size: Expr,
    },
    /// The characters of an atom; defined only on atoms.
    Name(Expr),
    /// The atom of these characters; defined only on lists that are the name of one.
    Atom(Expr),
    /// An operation on numbers (or a length or size, which is an integer); defined only where it does not fail.
    Apply(Op, Box<[Expr]>),
}

/// Operations with a meaning for solvers. All but those on floats give integers, and take integers unless they say
/// otherwise.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum Op {
    Add,
    Sub,
    Mul,
    /// Rounds towards zero; the divisor is not 0.
    Div,
    /// Has the sign of the dividend; the divisor is not 0.
    Rem,
    Neg,
    Abs,
    Band,
    Bor,
    Bxor,
    Bnot,
    Bsl,
    Bsr,
    /// Of a proper list.
    Length,
    /// Of a tuple.
    TupleSize,
    /// Of a map.
    MapSize,
    /// Of a bitstring.
    BitSize,
    /// Of a bitstring, a last byte that is not whole included.
    ByteSize,
    /// Floats are in it: what it takes or what it gives.
    Float(FloatOp),
}

/// All expressions of an exploration.
#[derive(Default)]
pub struct Arena {
    nodes: Vec<Node>,
    index: FxHashMap<Node, Expr>,
    /// What was observed of opaque functions.
    pub samples: Samples,
    pub(crate) has_opaque: bool,
}

impl Arena {
    pub fn new() -> Arena {
        Arena::default()
    }

    /// Expressions as they stood in another arena, in the order they had there.
    pub(crate) fn of_nodes(nodes: Vec<Node>) -> Arena {
        let numbered = nodes.iter().cloned().zip((1..).filter_map(NonZeroU32::new).map(Expr));
        Arena { index: numbered.collect(), nodes, ..Arena::default() }
    }

    pub fn node(&self, expr: Expr) -> &Node {
        &self.nodes[expr.0.get() as usize - 1]
    }

    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    pub fn input(&mut self, at: u32) -> Expr {
        self.intern(Node::Input(at))
    }

    /// A constant; marks inside it are not looked at, see [`Arena::of_term`].
    pub fn literal(&mut self, term: Term) -> Expr {
        if let Term::Float(_, value) = term
            && value == 0.0
            && value.is_sign_negative()
        {
            // It equals the other zero, whose expression it must not share: where signs count they differ.
            let zero = self.intern(Node::Literal(Term::float(0.0)));
            return self.intern(Node::Apply(Op::Float(FloatOp::Neg), [zero].into()));
        }
        self.intern(Node::Literal(term.with_mark(Mark::NONE)))
    }

    pub fn integer(&mut self, value: i64) -> Expr {
        self.literal(Term::int(value))
    }

    pub fn head(&mut self, list: Expr) -> Expr {
        match self.node(list) {
            Node::Cons(head, _) => *head,
            Node::Literal(Term::Cons(_, cell)) => {
                let head = cell.head.clone();
                self.literal(head)
            }
            _ => self.intern(Node::Head(list)),
        }
    }

    pub fn tail(&mut self, list: Expr) -> Expr {
        match self.node(list) {
            Node::Cons(_, tail) => *tail,
            Node::Literal(Term::Cons(_, cell)) => {
                let tail = cell.tail.clone();
                self.literal(tail)
            }
            _ => self.intern(Node::Tail(list)),
        }
    }

    /// Element `at`, from 0.
    pub fn element(&mut self, tuple: Expr, at: u32) -> Expr {
        let known = match self.node(tuple) {
            Node::Tuple(items) => return items.get(at as usize).copied().unwrap_or(tuple),
            Node::Literal(Term::Tuple(_, items)) => items.get(at as usize).cloned(),
            _ => None,
        };
        match known {
            Some(item) => self.literal(item),
            None => self.intern(Node::Element(tuple, at)),
        }
    }

    pub fn cons(&mut self, head: Expr, tail: Expr) -> Expr {
        if let (Node::Literal(head), Node::Literal(tail)) = (self.node(head), self.node(tail)) {
            let cell = Term::cons(head.clone(), tail.clone());
            return self.literal(cell);
        }
        self.intern(Node::Cons(head, tail))
    }

    pub fn tuple(&mut self, items: Vec<Expr>) -> Expr {
        let literals: Option<Vec<Term>> = items.iter().map(|item| self.as_literal(*item).cloned()).collect();
        match literals {
            Some(items) => self.literal(Term::tuple(items)),
            None => self.intern(Node::Tuple(items.into())),
        }
    }

    /// What a fun gives for arguments.
    pub fn result(&mut self, fun: Expr, args: Vec<Expr>) -> Expr {
        let literals: Option<Vec<Term>> = args.iter().map(|arg| self.as_literal(*arg).cloned()).collect();
        let table = self.as_literal(fun).and_then(Term::as_table).filter(|it| usize::from(it.arity()) == args.len());
        match (table, literals) {
            (Some(table), Some(args)) => {
                let result = table.result(&args).clone();
                self.literal(result)
            }
            _ => self.intern(Node::Result(fun, args.into())),
        }
    }

    pub fn as_literal(&self, expr: Expr) -> Option<&Term> {
        match self.node(expr) {
            Node::Literal(term) => Some(term),
            _ => None,
        }
    }

    /// An operation, computed at once where its arguments are constants.
    pub fn apply(&mut self, op: Op, args: &[Expr]) -> Expr {
        let literals: Option<Vec<Term>> = args.iter().map(|arg| self.as_literal(*arg).cloned()).collect();
        if let Some(value) = literals.and_then(|args| op.compute(&args)) {
            return self.literal(value);
        }
        self.simplified(op, args).unwrap_or_else(|| self.intern(Node::Apply(op, args.into())))
    }

    /// `x + 0`, `x * 1`, `(x + 1) + 2` and the like.
    fn simplified(&mut self, op: Op, args: &[Expr]) -> Option<Expr> {
        if let (Op::BitSize, [bits]) = (op, args) {
            return self.known_size(*bits);
        }
        let [left, right] = *args else { return None };
        let constant = |arena: &Arena, expr| arena.as_literal(expr).and_then(Term::as_i64);
        match (op, constant(self, left), constant(self, right)) {
            (Op::Add, Some(0), _) | (Op::Mul, Some(1), _) => Some(right),
            (Op::Add | Op::Sub | Op::Bsl | Op::Bsr | Op::Bor | Op::Bxor, _, Some(0)) => Some(left),
            (Op::Mul | Op::Div, _, Some(1)) => Some(left),
            (Op::Add, Some(_), None) => Some(self.apply(Op::Add, &[right, left])),
            (Op::Sub, None, Some(by)) if by != i64::MIN => {
                let by = self.integer(-by);
                Some(self.apply(Op::Add, &[left, by]))
            }
            (Op::Add, None, Some(_)) => self.regrouped(left, right),
            (Op::Sub, None, None) => self.difference(left, right),
            (Op::Add, None, None) => self.completed(left, right).or_else(|| self.completed(right, left)),
            _ => None,
        }
    }

    /// `(x + a) - (x + b)` as `a - b`, `x - (x - y)` and `(x + y) - x` as `y`. Where `x` may fail, so must the difference.
    fn difference(&mut self, left: Expr, right: Expr) -> Option<Expr> {
        let ((left, more), (right, less)) = (self.split(left), self.split(right));
        let gone = if matches!(self.node(right), Node::Apply(Op::Sub, _)) { left } else { right };
        let rest = match (self.node(left), self.node(right)) {
            _ if !self.never_fails(gone, NESTED) => return None,
            _ if left == right => self.integer(0),
            (_, Node::Apply(Op::Sub, args)) if args[0] == left => args[1],
            (Node::Apply(Op::Add, args), _) if args[0] == right => args[1],
            (Node::Apply(Op::Add, args), _) if args[1] == right => args[0],
            _ => return None,
        };
        let apart = self.apply(Op::Sub, &[more, less]);
        Some(self.apply(Op::Add, &[rest, apart]))
    }

    /// `(x - y) + y` as `x`, unless `y` may fail.
    fn completed(&mut self, part: Expr, other: Expr) -> Option<Expr> {
        let ((part, more), (other, further)) = (self.split(part), self.split(other));
        let whole = match self.node(part) {
            Node::Apply(Op::Sub, args) if args[1] == other && self.never_fails(other, NESTED) => args[0],
            _ => return None,
        };
        let constant = self.apply(Op::Add, &[more, further]);
        Some(self.apply(Op::Add, &[whole, constant]))
    }

    /// Whether an expression has a value wherever its parts are defined, as far as one sees.
    fn never_fails(&self, expr: Expr, nested: usize) -> bool {
        match self.node(expr) {
            Node::Apply(Op::Add | Op::Sub | Op::Mul | Op::Neg, args) => {
                nested > 0 && args.iter().all(|arg| self.never_fails(*arg, nested - 1))
            }
            Node::Apply(op, _) => {
                matches!(op, Op::Length | Op::TupleSize | Op::MapSize | Op::BitSize | Op::ByteSize)
            }
            // What a call gave, which may be an exception.
            Node::Element(outcome, _) => !matches!(self.node(*outcome), Node::Opaque(..)),
            _ => true,
        }
    }

    /// `x + a` as `x` and `a`; what is no such sum has nothing added.
    fn split(&mut self, expr: Expr) -> (Expr, Expr) {
        if let Node::Apply(Op::Add, args) = self.node(expr)
            && let [base, more] = **args
            && self.as_literal(more).is_some()
        {
            return (base, more);
        }
        (expr, self.integer(0))
    }

    /// `(x + a) + b` as `x + (a + b)`.
    fn regrouped(&mut self, left: Expr, right: Expr) -> Option<Expr> {
        let Node::Apply(Op::Add, inner) = self.node(left) else { return None };
        let [base, inner] = **inner else { return None };
        self.as_literal(inner)?;
        let sum = self.apply(Op::Add, &[inner, right]);
        Some(self.apply(Op::Add, &[base, sum]))
    }

    /// The expression of a term some of whose parts may carry marks: a mark stands for its whole node.
    pub fn of_term(&mut self, term: &Term) -> Expr {
        stacker::maybe_grow(64 << 10, 4 << 20, || match (Expr::of_mark(term.mark()), term) {
            (Some(expr), _) => expr,
            (None, Term::Tuple(_, items)) => {
                let items = items.iter().map(|item| self.of_term(item)).collect();
                self.tuple(items)
            }
            (None, Term::Cons(..)) => self.of_list(term),
            (None, Term::Map(_, map)) => self.of_map(map),
            (None, term) => self.literal(term.clone()),
        })
    }

    fn of_list(&mut self, list: &Term) -> Expr {
        let mut heads = Vec::new();
        let mut rest = list;
        while let (Mark::NONE, Term::Cons(_, cell)) = (rest.mark(), rest) {
            heads.push(self.of_term(&cell.head));
            rest = &cell.tail;
        }
        let tail = self.of_term(rest);
        heads.into_iter().rev().fold(tail, |tail, head| self.cons(head, tail))
    }

    pub(crate) fn intern(&mut self, node: Node) -> Expr {
        if let Some(&expr) = self.index.get(&node) {
            return expr;
        }
        self.nodes.push(node.clone());
        let at = u32::try_from(self.nodes.len()).ok().and_then(NonZeroU32::new);
        let expr = Expr(at.expect("fewer than 2^32 expressions"));
        self.index.insert(node, expr);
        expr
    }
}

impl Op {
    /// The operation itself, on values; `None` where it fails.
    pub fn compute(self, args: &[Term]) -> Option<Term> {
        let integers = args.iter().all(Term::is_integer);
        match (self, args) {
            (Op::Length, [list]) => Some(Term::int(list.proper_list()?.len() as i64)),
            (Op::MapSize, [map]) => Some(Term::int(map.as_map()?.len() as i64)),
            (Op::TupleSize, [tuple]) => Some(Term::int(tuple.as_tuple()?.len() as i64)),
            (Op::BitSize, [bits]) => Some(Term::int(bits.as_bits()?.bit_len() as i64)),
            (Op::ByteSize, [bits]) => Some(Term::int(bits.as_bits()?.byte_len() as i64)),
            (Op::Float(op), args) => op.compute(args),
            _ if !integers => None,
            (Op::Neg, [a]) => number::neg(a),
            (Op::Abs, [a]) => number::abs(a),
            (Op::Bnot, [a]) => number::bnot(a),
            (_, [a, b]) => self.compute_two(a, b),
            _ => None,
        }
    }

    fn compute_two(self, a: &Term, b: &Term) -> Option<Term> {
        match self {
            Op::Add => number::add(a, b),
            Op::Sub => number::sub(a, b),
            Op::Mul => number::mul(a, b),
            Op::Div => number::div(a, b),
            Op::Rem => number::rem(a, b),
            Op::Band => number::band(a, b),
            Op::Bor => number::bor(a, b),
            Op::Bxor => number::bxor(a, b),
            Op::Bsl => number::bsl(a, b).ok(),
            Op::Bsr => number::bsr(a, b).ok(),
            Op::Neg | Op::Abs | Op::Bnot | Op::Length | Op::TupleSize | Op::MapSize | Op::BitSize | Op::ByteSize => {
                None
            }
            Op::Float(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_expressions_are_one() {
        let mut arena = Arena::new();
        let (x, y) = (arena.input(0), arena.input(0));
        assert_eq!(x, y);
        assert_eq!(arena.head(x), arena.head(y));
    }

    #[test]
    fn constants_meet() {
        let mut arena = Arena::new();
        let (x, one, two) = (arena.input(0), arena.integer(1), arena.integer(2));
        let inner = arena.apply(Op::Add, &[one, x]);
        let outer = arena.apply(Op::Sub, &[inner, two]);
        let minus_one = arena.integer(-1);
        assert_eq!(outer, arena.apply(Op::Add, &[x, minus_one]));
    }

    /// Sizes of what is left of a binary are such differences.
    #[test]
    fn what_is_taken_away_again_is_gone() {
        let mut arena = Arena::new();
        let (x, y, two, five) = (arena.input(0), arena.input(1), arena.integer(2), arena.integer(5));
        let (more, less) = (arena.apply(Op::Add, &[x, five]), arena.apply(Op::Sub, &[x, two]));
        let seven = arena.integer(7);
        assert_eq!(arena.apply(Op::Sub, &[more, less]), seven);
        let rest = arena.apply(Op::Sub, &[x, y]);
        assert_eq!(arena.apply(Op::Sub, &[x, rest]), y);
        assert_eq!(arena.apply(Op::Add, &[y, rest]), x);
        assert_eq!(arena.apply(Op::Add, &[rest, y]), x);
        let sum = arena.apply(Op::Add, &[x, y]);
        assert_eq!(arena.apply(Op::Sub, &[sum, y]), x);
        let longer = arena.apply(Op::Sub, &[more, y]);
        let again = arena.apply(Op::Sub, &[sum, x]);
        assert_eq!((arena.apply(Op::Add, &[longer, y]), again), (more, y));
        let big = arena.literal(Term::read("100000000000000000000").unwrap());
        let beyond = arena.apply(Op::Add, &[x, big]);
        assert_eq!(arena.apply(Op::Sub, &[beyond, x]), big);
    }

    #[test]
    fn what_may_fail_is_not_taken_away() {
        let mut arena = Arena::new();
        let (x, y) = (arena.input(0), arena.input(1));
        let quotient = arena.apply(Op::Div, &[x, y]);
        let (sum, rest) = (arena.apply(Op::Add, &[x, quotient]), arena.apply(Op::Sub, &[x, quotient]));
        for (op, args) in [(Op::Sub, [quotient, quotient]), (Op::Sub, [sum, quotient]), (Op::Add, [rest, quotient])] {
            let whole = arena.apply(op, &args);
            assert!(matches!(arena.node(whole), Node::Apply(kept, parts) if *kept == op && **parts == args), "{op:?}");
        }
    }

    #[test]
    fn parts_of_built_terms_are_what_they_were_built_of() {
        let mut arena = Arena::new();
        let x = arena.input(0);
        let marked = Term::tuple([Term::int(5).with_mark(x.mark()), Term::atom_named("a")]);
        let list = Term::list([marked, Term::int(1)]);
        let expr = arena.of_term(&list);
        let head = arena.head(expr);
        assert_eq!(arena.element(head, 0), x);
        let tail = arena.tail(expr);
        assert_eq!(arena.as_literal(tail), Some(&Term::list([Term::int(1)])));
    }
}
