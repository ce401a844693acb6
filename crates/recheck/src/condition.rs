//! The tests of conditions.

use constraint::{Expr, FloatOp, Node, Op, Test, Type};
use term::Term;

use crate::commands::{and, or};
use crate::encode::ClaimEncoder;

/// Sizes of tuples that are spelled out; beyond them the size is a number.
const SPELLED: u32 = 32;

/// Returns true if no term of a type has parts. A term that is asked about such a type most likely is of one.
fn is_plain(wanted: Type) -> bool {
    !matches!(wanted, Type::List | Type::ProperList | Type::Text | Type::LongText(_) | Type::Tuple)
}

impl ClaimEncoder<'_> {
    /// The fact that a test asks about. What must hold for it to have an answer is added.
    pub fn test(&mut self, test: &Test, needs: &mut Vec<String>) -> String {
        match *test {
            Test::Cons(x) => {
                let x = self.values(&[x], needs).remove(0);
                format!("(iscons {x})")
            }
            Test::Tuple(x, size) => {
                let x = self.values(&[x], needs).remove(0);
                self.has_size(&x, size)
            }
            Test::Type(x, wanted) => {
                let x = self.values(&[x], needs).remove(0);
                if is_plain(wanted) {
                    self.plain.insert(x.clone());
                }
                self.is_of(&x, wanted)
            }
            Test::Arity(x, arity) => {
                let x = self.values(&[x], needs).remove(0);
                and([format!("(isfun {x})"), format!("(= (arity {x}) {arity})")])
            }
            Test::HasKey(map, key) => {
                let parts = self.values(&[map, key], needs);
                needs.push(format!("(ismap {})", parts[0]));
                self.maps.add(&parts[0], Some(&parts[1]));
                format!("(has {} {})", parts[0], parts[1])
            }
            Test::Same(a, b) => {
                let parts = self.values(&[a, b], needs);
                self.bits.compare(&parts[0], &parts[1]);
                format!("(= {} {})", parts[0], parts[1])
            }
            Test::Equal(a, b) | Test::Less(a, b) => {
                let is_less = matches!(test, Test::Less(..));
                let parts = self.values(&[a, b], needs);
                if self.is_integer(a) && self.is_integer(b) {
                    let sign = if is_less { "<" } else { "=" };
                    return format!("({sign} (iv {}) (iv {}))", parts[0], parts[1]);
                }
                self.bits.compare(&parts[0], &parts[1]);
                self.pairs.push((parts[0].clone(), parts[1].clone()));
                format!("({} {} {})", if is_less { "less" } else { "equal" }, parts[0], parts[1])
            }
            Test::Defined(x) => {
                if let Node::Apply(_, args) = self.claim.arena.original(x) {
                    self.values(args, needs);
                }
                self.encode(x).defined
            }
        }
    }

    /// Returns true if an expression is an integer by its form.
    fn is_integer(&self, expr: Expr) -> bool {
        match self.claim.arena.original(expr) {
            Node::Literal(term) => term.is_integer(),
            Node::Apply(Op::Float(op), _) => matches!(op, FloatOp::Trunc | FloatOp::Round),
            Node::Apply(..) | Node::Bits { .. } => true,
            _ => false,
        }
    }

    /// The fact that a term is a tuple of a size.
    pub fn has_size(&mut self, x: &str, size: u32) -> String {
        let mut facts = vec![format!("(istup {x})")];
        if size > SPELLED {
            self.lists.push(format!("(tv {x})"));
            facts.push(format!("(= (len (tv {x})) {size})"));
        } else if size == 0 {
            facts.push(format!("(isnil (tv {x}))"));
        } else {
            let last = self.cell(x, size - 1, &mut facts);
            facts.push(format!("(isnil (tl {last}))"));
        }
        and(facts)
    }

    /// The fact that a term is of a type.
    fn is_of(&mut self, x: &str, wanted: Type) -> String {
        let tester = match wanted {
            Type::Atom => "isatm",
            Type::Boolean => return self.boolean(x),
            Type::Integer => "isint",
            Type::Float => "isflt",
            Type::Number => "isnum",
            Type::List => return or([format!("(isnil {x})"), format!("(iscons {x})")]),
            Type::ProperList | Type::Text => {
                self.lists.push(x.to_owned());
                self.texts |= wanted == Type::Text;
                if wanted == Type::Text { "text" } else { "proper" }
            }
            Type::LongText(_) => {
                // How it begins is left open.
                let long = self.script.declare("Bool");
                self.script.assert_if(&long, &format!("(iscons {x})"));
                return long;
            }
            Type::Tuple => "istup",
            Type::Map => "ismap",
            Type::Binary => return and([format!("(isbin {x})"), format!("(= (mod (bits {x}) 8) 0)")]),
            Type::Bitstring => "isbin",
            Type::Function => "isfun",
            Type::Pid => "(_ is mkpid)",
            Type::Port => "(_ is mkprt)",
            Type::Reference => "(_ is mkref)",
        };
        format!("({tester} {x})")
    }

    /// The constant that an expression is.
    pub fn constant(&self, expr: Expr) -> Option<&Term> {
        match self.claim.arena.original(expr) {
            Node::Literal(term) => Some(term),
            _ => None,
        }
    }
}
