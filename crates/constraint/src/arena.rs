//! Expressions: every distinct one is kept once, simplified as it is made, with the form it was asked for.

use std::cmp;
use std::hash::{Hash, Hasher};
use std::num::NonZeroU32;
use std::sync::atomic::{AtomicU64, Ordering};

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use term::{Mark, Mfa, Term, cut};

use crate::bits::Part;
use crate::floats::FloatOp;
use crate::op::Op;
use crate::samples::Samples;

/// Set in the number of an original form, which simplification made another expression of.
const ORIGINAL: u32 = 1 << 31;

/// A symbolic expression: a number in an [`Arena`], with the number of the form it was asked for. Two that are
/// simplified to the same are equal, whatever they were. As data it is the simplified form alone.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(from = "NonZeroU32", into = "NonZeroU32")]
pub struct Expr {
    simplified: NonZeroU32,
    original: NonZeroU32,
}

impl Expr {
    const fn numbered(number: NonZeroU32) -> Expr {
        Expr { simplified: number, original: number }
    }

    /// The mark of a term that has this value; see [`Arena::of_mark`].
    pub fn mark(self) -> Mark {
        Mark(self.original.get())
    }

    /// A small number that equal expressions share, from 1.
    pub fn number(self) -> usize {
        self.simplified.get() as usize
    }

    /// The expression that comes after so many others.
    pub(crate) fn after(count: usize) -> Option<Expr> {
        u32::try_from(count + 1).ok().and_then(NonZeroU32::new).map(Expr::numbered)
    }

    /// The simplified form alone.
    pub(crate) fn simplified(self) -> Expr {
        Expr::numbered(self.simplified)
    }

    /// The form it was asked for alone: distinct where the forms are, and looked up by [`Arena::original`].
    pub fn original(self) -> Expr {
        Expr::numbered(self.original)
    }
}

impl From<NonZeroU32> for Expr {
    fn from(number: NonZeroU32) -> Expr {
        Expr::numbered(number)
    }
}

impl From<Expr> for NonZeroU32 {
    fn from(expr: Expr) -> NonZeroU32 {
        expr.simplified
    }
}

impl PartialEq for Expr {
    fn eq(&self, other: &Expr) -> bool {
        self.simplified == other.simplified
    }
}

impl Eq for Expr {}

impl Hash for Expr {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.simplified.hash(state);
    }
}

impl PartialOrd for Expr {
    fn partial_cmp(&self, other: &Expr) -> Option<cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Expr {
    fn cmp(&self, other: &Expr) -> cmp::Ordering {
        self.simplified.cmp(&other.simplified)
    }
}

/// The outermost operation of an expression, or the part of an input it is, with the expressions it is made of.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Node {
    /// An argument of the function under test, from 0.
    Input(u32),
    /// A constant.
    Literal(Term),
    /// The head of a list cell; defined only where the expression is one.
    Head(Expr),
    /// The rest of a list cell.
    Tail(Expr),
    /// An element of a tuple, from 0; defined only where the tuple is large enough.
    Element(Expr, u32),
    /// A list cell.
    Cons(Expr, Expr),
    /// A tuple.
    Tuple(Box<[Expr]>),
    /// The result of a fun for these arguments; defined only where it is a table of that arity.
    Result(Expr, Box<[Expr]>),
    /// The outcome of a call of an opaque function: `{Value}` or `{Class, Reason}`; known only where it was observed.
    Opaque(Mfa, Box<[Expr]>),
    /// The value of a key in a map; defined only where the map has it.
    MapValue(Expr, Expr),
    /// The key at a place in the order of keys, from 0; defined only where the map is large enough.
    MapKey(Expr, u32),
    /// A map with a key and its value put in; defined only on maps, and so are the following.
    MapPut(Expr, Expr, Expr),
    /// A map without a key.
    MapRemove(Expr, Expr),
    /// Two maps in one; the second wins.
    MapMerge(Expr, Expr),
    /// The number that `size` bits from bit `at` on of a bitstring are, the first of them worth most; defined only
    /// where it has them.
    Bits { of: Expr, at: u32, size: u32 },
    /// `size` bits of a bitstring from bit `at` on, as a bitstring; defined only where it has them.
    Slice { of: Expr, at: Expr, size: Expr },
    /// Bitstrings and numbers one after the other, and the number of all their bits.
    Build { parts: Box<[Part]>, size: Expr },
    /// The characters of an atom; defined only on atoms.
    Name(Expr),
    /// The atom of these characters; defined only on lists that are the name of one.
    Atom(Expr),
    /// An operation on numbers (or a length or size, which is an integer); defined only where it does not fail.
    Apply(Op, Box<[Expr]>),
}

/// Distinguishes the arenas of this process: an expression means nothing in another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ArenaId(u64);

impl Default for ArenaId {
    fn default() -> ArenaId {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        ArenaId(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

/// All expressions of an exploration.
#[derive(Default)]
pub struct Arena {
    id: ArenaId,
    nodes: Vec<Node>,
    index: FxHashMap<Node, Expr>,
    /// Forms that were simplified to others, and to which; their parts are original forms too.
    originals: Vec<(Node, Expr)>,
    original_index: FxHashMap<Node, Expr>,
    /// A simplification is under way: its intermediate forms were not asked for.
    simplifying: bool,
    /// The observed calls of opaque functions.
    pub samples: Samples,
    pub(crate) has_opaque: bool,
}

impl Arena {
    /// An arena without expressions.
    pub fn new() -> Arena {
        Arena::default()
    }

    /// Returns what no other arena of this process has.
    pub fn id(&self) -> ArenaId {
        self.id
    }

    /// Expressions as they stood in another arena, in the order they had there.
    pub(crate) fn of_nodes(nodes: Vec<Node>) -> Arena {
        let numbered = nodes.iter().cloned().zip((1..).filter_map(NonZeroU32::new).map(Expr::numbered));
        Arena { index: numbered.collect(), nodes, ..Arena::default() }
    }

    /// The simplified form of an expression.
    pub fn node(&self, expr: Expr) -> &Node {
        &self.nodes[expr.simplified.get() as usize - 1]
    }

    /// A form by its number, simplified or original.
    pub(crate) fn form(&self, expr: Expr) -> &Node {
        match self.rewritten_at(expr.simplified) {
            Some((original, _)) => original,
            None => self.node(expr),
        }
    }

    /// The form that an expression was asked for, before it was simplified; its parts are such forms too.
    pub fn original(&self, expr: Expr) -> &Node {
        self.form(expr.original())
    }

    fn rewritten_at(&self, number: NonZeroU32) -> Option<&(Node, Expr)> {
        let at = number.get();
        (at & ORIGINAL != 0).then(|| &self.originals[(at & !ORIGINAL) as usize])
    }

    /// The expression that a term's mark names.
    #[inline]
    pub fn of_mark(&self, mark: Mark) -> Option<Expr> {
        let original = NonZeroU32::new(mark.0)?;
        let simplified = self.rewritten_at(original).map_or(original, |(_, expr)| expr.simplified);
        Some(Expr { simplified, original })
    }

    /// The number of simplified expressions.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Returns true if there are no expressions.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// An argument of the function under test, from 0.
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

    /// A constant integer.
    pub fn integer(&mut self, value: i64) -> Expr {
        self.literal(Term::int(value))
    }

    /// The value of a constant.
    pub fn as_literal(&self, expr: Expr) -> Option<&Term> {
        match self.node(expr) {
            Node::Literal(term) => Some(term),
            _ => None,
        }
    }

    /// The head of a list cell.
    pub fn head(&mut self, list: Expr) -> Expr {
        self.make(Node::Head(list))
    }

    /// The tail of a list cell.
    pub fn tail(&mut self, list: Expr) -> Expr {
        self.make(Node::Tail(list))
    }

    /// Element `at` of a tuple, from 0.
    pub fn element(&mut self, tuple: Expr, at: u32) -> Expr {
        self.make(Node::Element(tuple, at))
    }

    /// A list cell.
    pub fn cons(&mut self, head: Expr, tail: Expr) -> Expr {
        self.make(Node::Cons(head, tail))
    }

    /// A tuple of these elements.
    pub fn tuple(&mut self, items: Vec<Expr>) -> Expr {
        self.make(Node::Tuple(items.into()))
    }

    /// The result of a fun for these arguments.
    pub fn result(&mut self, fun: Expr, args: Vec<Expr>) -> Expr {
        self.make(Node::Result(fun, args.into()))
    }

    /// An operation on numbers, a length or a size.
    pub fn apply(&mut self, op: Op, args: &[Expr]) -> Expr {
        self.make(Node::Apply(op, args.into()))
    }

    /// An operation on floats.
    pub fn float(&mut self, op: FloatOp, args: &[Expr]) -> Expr {
        self.apply(Op::Float(op), args)
    }

    /// The expression with this outermost operation, simplified; the form it was asked for stays known.
    pub(crate) fn make(&mut self, asked: Node) -> Expr {
        let mut is_simplified = true;
        asked.each_part(|part| is_simplified &= part.simplified == part.original);
        let node = if is_simplified { None } else { asked.with_parts(Expr::simplified) };
        let nested = std::mem::replace(&mut self.simplifying, true);
        let simplified = self.simplify(node.as_ref().unwrap_or(&asked));
        self.simplifying = nested;
        debug_assert!(simplified.is_none_or(|expr| expr.simplified == expr.original), "made of simplified parts");
        match (simplified, node) {
            (None, None) => self.intern(asked),
            (None, Some(node)) => {
                let simplified = self.intern(node);
                self.rewritten(&asked, simplified)
            }
            (Some(simplified), None) if nested || self.is_build_of(&asked, simplified) => simplified,
            (Some(simplified), _) => self.rewritten(&asked, simplified),
        }
    }

    /// Forgets what was being made when work was cut.
    pub fn after_cut(&mut self) {
        self.simplifying = false;
    }

    /// Returns true if an expression is a bitstring put together of the parts that were asked for.
    fn is_build_of(&self, asked: &Node, expr: Expr) -> bool {
        matches!((asked, self.node(expr)), (Node::Build { parts: a, .. }, Node::Build { parts: b, .. }) if a == b)
    }

    /// An expression that was asked for in one form and is to be treated as another of the same value.
    pub fn rewritten(&mut self, asked: &Node, simplified: Expr) -> Expr {
        let mut is_constant = true;
        asked.each_part(|part| is_constant &= part.simplified == part.original && self.as_literal(part).is_some());
        if is_constant {
            // It was computed by the very rules that compute its value.
            return simplified;
        }
        let Some(asked) = asked.with_parts(Expr::original) else { return simplified };
        let original = match self.original_index.get(&asked) {
            Some(known) => known.original,
            None => {
                let number = u32::try_from(self.originals.len()).ok().filter(|at| at & ORIGINAL == 0);
                let number = number.and_then(|at| NonZeroU32::new(at | ORIGINAL)).expect("fewer than 2^31 forms");
                self.originals.push((asked.clone(), simplified));
                self.original_index.insert(asked, Expr::numbered(number));
                number
            }
        };
        Expr { simplified: simplified.simplified, original }
    }

    /// The expression of a term some of whose parts may carry marks: a mark stands for its whole node.
    pub fn of_term(&mut self, term: &Term) -> Expr {
        term::deeper(|| match (self.of_mark(term.mark()), term) {
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
        self.reserve();
        self.nodes.push(node.clone());
        let number = u32::try_from(self.nodes.len()).ok().filter(|at| at & ORIGINAL == 0).and_then(NonZeroU32::new);
        let expr = Expr::numbered(number.expect("fewer than 2^31 expressions"));
        self.index.insert(node, expr);
        expr
    }

    /// Makes sure that the tables may grow. It may be cut.
    fn reserve(&self) {
        if self.nodes.len() == self.nodes.capacity() {
            cut::reserve(self.nodes.len() * size_of::<Node>());
        }
        if self.index.len() == self.index.capacity() {
            cut::reserve(2 * self.index.len() * size_of::<(Node, Expr)>());
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
