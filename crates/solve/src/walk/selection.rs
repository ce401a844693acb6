//! The selection of conditions for the walk; other solvers decide the rest.

use constraint::{Arena, Condition, Expr, FloatOp, Node, Op};
use rustc_hash::FxHashMap;

use crate::query::Query;

/// Returns true if an operation on floats is asked about.
pub fn has_floats(query: &Query<'_>) -> bool {
    let mut seen = Seen { arena: query.arena, known: FxHashMap::default(), is: is_float };
    query.conditions.iter().any(|condition| seen.is_in(condition))
}

/// The conditions without arithmetic that is hard to solve.
pub fn easy(query: &Query<'_>) -> Vec<Condition> {
    let mut seen = Seen { arena: query.arena, known: FxHashMap::default(), is: is_hard };
    query.conditions.iter().filter(|condition| !seen.is_in(condition)).cloned().collect()
}

fn is_float(_: &Arena, op: Op, _: &[Expr]) -> bool {
    matches!(op, Op::Float(op) if op != FloatOp::Of)
}

/// Floats, and what is not linear in integers.
fn is_hard(arena: &Arena, op: Op, args: &[Expr]) -> bool {
    let unknown = args.iter().filter(|arg| arena.as_literal(**arg).is_none()).count();
    match op {
        Op::Float(_) => true,
        Op::Mul | Op::Div | Op::Rem | Op::Band | Op::Bor | Op::Bxor | Op::Bsl | Op::Bsr => unknown > 1,
        _ => false,
    }
}

/// Looks into expressions, into each once.
struct Seen<'a> {
    arena: &'a Arena,
    known: FxHashMap<Expr, bool>,
    is: fn(&Arena, Op, &[Expr]) -> bool,
}

impl Seen<'_> {
    fn is_in(&mut self, condition: &Condition) -> bool {
        condition.test.exprs().any(|expr| self.look(expr))
    }

    fn look(&mut self, expr: Expr) -> bool {
        if let Some(known) = self.known.get(&expr) {
            return *known;
        }
        let found = match self.arena.node(expr) {
            Node::Apply(op, args) => {
                (self.is)(self.arena, *op, args) || term::deeper(|| args.iter().any(|arg| self.look(*arg)))
            }
            _ => false,
        };
        self.known.insert(expr, found);
        found
    }
}
