//! Simplification of expressions as they are made: constants are computed, parts of what was built are found again.

use term::Term;

use crate::arena::{Arena, Expr, Node};
use crate::floats::{FloatOp, Width};
use crate::op::Op;

/// The depth to which an operand is looked into before it is taken away from itself.
const NESTED: usize = 8;

impl Arena {
    /// An expression that has the value of a form over simplified parts, if there is a simpler one.
    pub(crate) fn simplify(&mut self, node: &Node) -> Option<Expr> {
        match node {
            Node::Input(_) | Node::Literal(_) | Node::Opaque(..) => None,
            Node::Head(list) | Node::Tail(list) => self.simplify_cell(*list, matches!(node, Node::Head(_))),
            Node::Element(tuple, at) => self.simplify_element(*tuple, *at as usize),
            Node::Cons(head, tail) => {
                let cell = Term::cons(self.as_literal(*head)?.clone(), self.as_literal(*tail)?.clone());
                Some(self.literal(cell))
            }
            Node::Tuple(items) => {
                let items = self.literals(items)?;
                Some(self.literal(Term::tuple(items)))
            }
            Node::Result(fun, args) => {
                let table = self.as_literal(*fun).and_then(Term::as_table);
                let table = table.filter(|table| usize::from(table.arity()) == args.len())?;
                let result = table.result(&self.literals(args)?).clone();
                Some(self.literal(result))
            }
            Node::MapValue(..) | Node::MapKey(..) | Node::MapPut(..) | Node::MapRemove(..) | Node::MapMerge(..) => {
                self.simplify_map(node)
            }
            Node::Bits { of, at, size } => self.simplify_bits(*of, *at, *size),
            Node::Slice { of, at, size } => self.simplify_slice(*of, *at, *size),
            Node::Build { parts, .. } => self.simplify_build(parts),
            Node::Name(atom) => self.simplify_name(*atom),
            Node::Atom(text) => self.simplify_atom(*text),
            Node::Apply(op, args) => {
                if let Some(value) = self.literals(args).and_then(|args| op.compute(&args)) {
                    return Some(self.literal(value));
                }
                self.simplify_operation(*op, args)
            }
        }
    }

    /// The values of expressions that are all constants.
    fn literals(&self, exprs: &[Expr]) -> Option<Vec<Term>> {
        exprs.iter().map(|expr| self.as_literal(*expr).cloned()).collect()
    }

    fn simplify_cell(&mut self, list: Expr, is_head: bool) -> Option<Expr> {
        match self.node(list) {
            Node::Cons(head, tail) => Some(if is_head { *head } else { *tail }),
            Node::Literal(Term::Cons(_, cell)) => {
                let part = if is_head { &cell.head } else { &cell.tail }.clone();
                Some(self.literal(part))
            }
            _ => None,
        }
    }

    fn simplify_element(&mut self, tuple: Expr, at: usize) -> Option<Expr> {
        match self.node(tuple) {
            Node::Tuple(items) => items.get(at).copied(),
            Node::Literal(Term::Tuple(_, items)) => {
                let item = items.get(at)?.clone();
                Some(self.literal(item))
            }
            _ => None,
        }
    }

    /// `x + 0`, `x * 1`, `(x + 1) + 2` and the like.
    fn simplify_operation(&mut self, op: Op, args: &[Expr]) -> Option<Expr> {
        match (op, args) {
            (Op::BitSize, [bits]) => return self.known_size(*bits),
            (Op::Float(op), [arg]) => return self.unconverted(op, *arg),
            _ => {}
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

    /// Returns true if an expression has a value wherever its parts are defined, as far as its form shows.
    fn never_fails(&self, expr: Expr, nested: usize) -> bool {
        match self.node(expr) {
            Node::Apply(Op::Add | Op::Sub | Op::Mul | Op::Neg, args) => {
                nested > 0 && args.iter().all(|arg| self.never_fails(*arg, nested - 1))
            }
            Node::Apply(op, _) => {
                matches!(op, Op::Length | Op::TupleSize | Op::MapSize | Op::BitSize | Op::ByteSize)
            }
            // The outcome of a call may be an exception.
            Node::Element(outcome, _) => !matches!(self.node(*outcome), Node::Opaque(..)),
            _ => true,
        }
    }

    /// `x + a` as `x` and `a`; any other expression as itself and 0.
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

    /// The number whose bits were written and are read again, or the bits of a number that was read from bits.
    fn unconverted(&self, op: FloatOp, arg: Expr) -> Option<Expr> {
        let Node::Apply(Op::Float(inner), inside) = self.node(arg) else { return None };
        let undone = matches!(
            (op, inner),
            (FloatOp::Read(Width::Double), FloatOp::Write(Width::Double))
                | (FloatOp::Write(Width::Double), FloatOp::Read(Width::Double))
        );
        undone.then(|| inside[0])
    }
}
