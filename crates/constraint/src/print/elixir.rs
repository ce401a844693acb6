//! Expressions that Elixir writes in other words than Erlang: operators that are functions, arguments in another order, counts from 0.

use super::{Printer, put};
use crate::{Expr, Node, Op, Part, Test};

impl Printer<'_> {
    /// Writes an expression that Elixir has another form for; returns false for one that both write alike.
    pub(super) fn write_elixir(&self, out: &mut String, expr: Expr) -> bool {
        match self.node(expr) {
            Node::Input(at) => put(out, format_args!("x{}", at + 1)),
            Node::Opaque(function, args) => {
                let name = self.notation.applied(function.module, function.function, &[]);
                self.write_call(out, name.trim_end_matches("()"), args);
            }
            Node::Element(call, 0) if matches!(self.node(*call), Node::Opaque(..)) => return false,
            Node::Element(tuple, at) => {
                out.push_str("elem(");
                self.write(out, *tuple);
                put(out, format_args!(", {at})"));
            }
            Node::Cons(head, tail) => self.write_between(out, "[", &[*head], " | ", Some(*tail), "]"),
            Node::Result(fun, args) => {
                self.write(out, *fun);
                self.write_between(out, ".(", args, "", None, ")");
            }
            Node::MapValue(map, key) => match self.field(*key) {
                Some(field) => {
                    self.write(out, *map);
                    put(out, format_args!(".{field}"));
                }
                None => self.write_call(out, "Map.fetch!", &[*map, *key]),
            },
            Node::MapKey(map, at) => {
                out.push_str("Enum.at(");
                self.write_call(out, "Map.keys", &[*map]);
                put(out, format_args!(", {at})"));
            }
            Node::MapPut(map, key, value) => self.write_call(out, "Map.put", &[*map, *key, *value]),
            Node::MapRemove(map, key) => self.write_call(out, "Map.delete", &[*map, *key]),
            Node::MapMerge(first, second) => self.write_call(out, "Map.merge", &[*first, *second]),
            Node::Build { parts, .. } => self.write_elixir_parts(out, parts),
            Node::Name(atom) => self.write_call(out, "Atom.to_charlist", &[*atom]),
            Node::Atom(text) => self.write_call(out, "List.to_atom", &[*text]),
            Node::Apply(op, args) => return self.write_elixir_operation(out, *op, args),
            Node::Literal(_)
            | Node::Head(_)
            | Node::Tail(_)
            | Node::Tuple(_)
            | Node::Bits { .. }
            | Node::Slice { .. } => {
                return false;
            }
        }
        true
    }

    /// A key that stands behind a dot: a lower-case name.
    fn field(&self, key: Expr) -> Option<String> {
        let key = self.notation.shown(self.arena.as_literal(key)?);
        let name = key.strip_prefix(':')?;
        let is_bare = name.starts_with(|c: char| c.is_ascii_lowercase() || c == '_');
        (is_bare && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')).then(|| name.to_owned())
    }

    fn write_elixir_operation(&self, out: &mut String, op: Op, args: &[Expr]) -> bool {
        let name = match op {
            Op::Div | Op::Rem => op.name().to_owned(),
            Op::Band | Op::Bor | Op::Bxor | Op::Bnot | Op::Bsl | Op::Bsr => format!("Bitwise.{}", op.name()),
            _ => match op.name().split_once(':') {
                Some((module, function)) => format!(":{module}.{function}"),
                None => return false,
            },
        };
        self.write_call(out, &name, args);
        true
    }

    fn write_elixir_parts(&self, out: &mut String, parts: &[Part]) {
        let part = |part: &Part| match *part {
            Part::Bits(bits) => format!("{}::bits", self.show(bits)),
            Part::Integer { value, from: 0, size } => format!("{}::{size}", self.show(value)),
            Part::Integer { value, from, size } => format!("Bitwise.bsr({}, {from})::{size}", self.show(value)),
        };
        put(out, format_args!("<<{}>>", parts.iter().map(part).collect::<Vec<_>>().join(", ")));
    }

    /// A test that holds.
    pub(super) fn show_elixir(&self, test: Test) -> String {
        let show = |expr| self.show(expr);
        match test {
            Test::Cons(x) => format!("match?([_ | _], {})", show(x)),
            Test::Tuple(x, 1) if matches!(self.node(x), Node::Opaque(..)) => format!("{} returns", show(x)),
            Test::Tuple(x, size) => {
                format!("match?({{{}}}, {})", vec!["_"; size as usize].join(", "), show(x))
            }
            Test::Type(x, wanted) => format!("is_{}({})", format!("{wanted:?}").to_lowercase(), show(x)),
            Test::Arity(x, arity) => format!("is_function({}, {arity})", show(x)),
            Test::HasKey(map, key) => format!("is_map_key({}, {})", show(map), show(key)),
            Test::Same(a, b) => match *self.node(a) {
                Node::MapValue(map, key) if self.field(key).as_deref() == Some("__struct__") => {
                    format!("is_struct({}, {})", show(map), show(b))
                }
                _ => format!("{} === {}", show(a), show(b)),
            },
            Test::Equal(a, b) => format!("{} == {}", show(a), show(b)),
            Test::Less(a, b) => format!("{} < {}", show(a), show(b)),
            Test::Defined(x) => format!("is_defined({})", show(x)),
        }
    }
}
