//! Expressions and conditions as text, in the notation of Erlang or Elixir where that has one.

mod elixir;

use std::fmt::Write;

use rustc_hash::FxHashMap;
use term::{Language, Notation};

use crate::{Arena, Condition, Expr, FloatOp, Node, Op, Part, Test};

impl Arena {
    /// The expression as text: inputs are `X1`, `X2`, …
    pub fn show(&self, expr: Expr) -> String {
        self.show_named(expr, &ExprNames::default())
    }

    /// The condition as text.
    pub fn show_condition(&self, condition: &Condition) -> String {
        self.show_condition_named(condition, &ExprNames::default())
    }

    /// The expression as text, in which some have names.
    pub fn show_named(&self, expr: Expr, names: &ExprNames) -> String {
        self.show_in(Language::Erlang, expr, names)
    }

    /// The condition as text, in which some expressions have names.
    pub fn show_condition_named(&self, condition: &Condition, names: &ExprNames) -> String {
        self.show_condition_in(Language::Erlang, condition, names)
    }

    /// The same of an expression in a language.
    pub fn show_in(&self, language: Language, expr: Expr, names: &ExprNames) -> String {
        Printer::new(self, language, names).show(expr)
    }

    /// The same of a condition in a language.
    pub fn show_condition_in(&self, language: Language, condition: &Condition, names: &ExprNames) -> String {
        Printer::new(self, language, names).show_condition(condition)
    }
}

/// Where an expression has more text than this, dots stand for the rest: parts that are shared are written each time, so
/// that the text of a few hundred operations can be longer than any memory.
const MOST: usize = 4_000;

/// Names of expressions.
pub type ExprNames = FxHashMap<Expr, String>;

/// Writes expressions; those that have names by these.
struct Printer<'a> {
    arena: &'a Arena,
    names: &'a ExprNames,
    notation: Notation<'a>,
}

impl<'a> Printer<'a> {
    fn new(arena: &'a Arena, language: Language, names: &'a ExprNames) -> Printer<'a> {
        Printer { arena, names, notation: Notation { language, ..Notation::ERLANG } }
    }

    fn show(&self, expr: Expr) -> String {
        let mut out = String::new();
        self.write(&mut out, expr);
        out
    }

    fn node(&self, expr: Expr) -> &Node {
        self.arena.node(expr)
    }

    fn write(&self, out: &mut String, expr: Expr) {
        if let Some(name) = self.names.get(&expr) {
            return out.push_str(name);
        }
        if out.len() > MOST {
            return out.push('…');
        }
        if self.notation.is_elixir() && term::deeper(|| self.write_elixir(out, expr)) {
            return;
        }
        term::deeper(|| match self.node(expr) {
            Node::Input(at) => put(out, format_args!("X{}", at + 1)),
            Node::Literal(term) => out.push_str(&self.notation.shown(term)),
            Node::Head(list) => self.write_call(out, "hd", &[*list]),
            Node::Tail(list) => self.write_call(out, "tl", &[*list]),
            Node::Opaque(function, args) => {
                self.write_call(out, &format!("{}:{}", function.module, function.function), args)
            }
            Node::Element(call, 0) if matches!(self.node(*call), Node::Opaque(..)) => self.write(out, *call),
            Node::Element(tuple, at) => {
                put(out, format_args!("element({}, ", at + 1));
                self.write(out, *tuple);
                out.push(')');
            }
            Node::Cons(head, tail) => self.write_between(out, "[", &[*head], "|", Some(*tail), "]"),
            Node::Tuple(items) => self.write_between(out, "{", items, "", None, "}"),
            Node::Result(fun, args) => {
                self.write(out, *fun);
                self.write_between(out, "(", args, "", None, ")");
            }
            Node::MapValue(map, key) => self.write_call(out, "map_get", &[*key, *map]),
            Node::MapKey(map, at) => {
                put(out, format_args!("lists:nth({}, ", at + 1));
                self.write_call(out, "maps:keys", &[*map]);
                out.push(')');
            }
            Node::MapPut(map, key, value) => self.write_call(out, "maps:put", &[*key, *value, *map]),
            Node::MapRemove(map, key) => self.write_call(out, "maps:remove", &[*key, *map]),
            Node::MapMerge(first, second) => self.write_call(out, "maps:merge", &[*first, *second]),
            Node::Bits { of, at, size } => {
                out.push_str("bits(");
                self.write(out, *of);
                put(out, format_args!(", {at}, {size})"));
            }
            Node::Slice { of, at, size } => self.write_call(out, "part", &[*of, *at, *size]),
            Node::Build { parts, .. } => self.write_parts(out, parts),
            Node::Name(atom) => self.write_call(out, "atom_to_list", &[*atom]),
            Node::Atom(text) => self.write_call(out, "list_to_atom", &[*text]),
            Node::Apply(op, args) => self.write_operation(out, *op, args),
        });
    }

    fn write_call(&self, out: &mut String, name: &str, args: &[Expr]) {
        out.push_str(name);
        self.write_between(out, "(", args, "", None, ")");
    }

    fn write_between(&self, out: &mut String, open: &str, items: &[Expr], bar: &str, tail: Option<Expr>, close: &str) {
        out.push_str(open);
        for (at, item) in items.iter().enumerate() {
            out.push_str(if at == 0 { "" } else { ", " });
            self.write(out, *item);
        }
        if let Some(tail) = tail {
            out.push_str(bar);
            self.write(out, tail);
        }
        out.push_str(close);
    }

    fn write_parts(&self, out: &mut String, parts: &[Part]) {
        out.push_str("<<");
        for (at, part) in parts.iter().enumerate() {
            out.push_str(if at == 0 { "" } else { ", " });
            match *part {
                Part::Bits(bits) => {
                    self.write(out, bits);
                    out.push_str("/bits");
                }
                Part::Integer { value, from, size } => {
                    out.push('(');
                    self.write(out, value);
                    match from {
                        0 => put(out, format_args!("):{size}")),
                        from => put(out, format_args!(" bsr {from}):{size}")),
                    }
                }
            }
        }
        out.push_str(">>");
    }

    fn write_operation(&self, out: &mut String, op: Op, args: &[Expr]) {
        match (op, args) {
            (_, [left, right]) if !op.is_called() => {
                out.push('(');
                self.write(out, *left);
                put(out, format_args!(" {} ", op.name()));
                self.write(out, *right);
                out.push(')');
            }
            (Op::Float(FloatOp::Scaled(power)), [value]) => {
                out.push_str("scaled(");
                self.write(out, *value);
                put(out, format_args!(", {power})"));
            }
            _ => self.write_call(out, op.name(), args),
        }
    }

    fn show_condition(&self, condition: &Condition) -> String {
        let show = |expr| self.show(expr);
        let text = match condition.test {
            test if self.notation.is_elixir() => self.show_elixir(test),
            Test::Cons(x) => format!("is_cons({})", show(x)),
            Test::Tuple(x, 1) if matches!(self.node(x), Node::Opaque(..)) => format!("{} returns", show(x)),
            Test::Tuple(x, size) => format!("tuple_size({}) =:= {size}", show(x)),
            Test::Type(x, wanted) => format!("is_{}({})", format!("{wanted:?}").to_lowercase(), show(x)),
            Test::Arity(x, arity) => format!("is_function({}, {arity})", show(x)),
            Test::HasKey(map, key) => format!("is_map_key({}, {})", show(key), show(map)),
            Test::Same(a, b) => format!("{} =:= {}", show(a), show(b)),
            Test::Equal(a, b) => format!("{} == {}", show(a), show(b)),
            Test::Less(a, b) => format!("{} < {}", show(a), show(b)),
            Test::Defined(x) => format!("is_defined({})", show(x)),
        };
        if condition.holds { text } else { format!("not ({text})") }
    }
}

fn put(out: &mut String, text: std::fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    let _ = out.write_fmt(text);
}

#[cfg(test)]
mod tests {
    use crate::{Arena, Op};

    #[test]
    fn what_is_shared_many_times_over_is_cut_off() {
        let mut arena = Arena::new();
        let mut sum = arena.input(0);
        assert_eq!(arena.show(sum), "X1");
        for _ in 0..200 {
            let twice = arena.apply(Op::Mul, &[sum, sum]);
            sum = arena.apply(Op::Add, &[twice, sum]);
        }
        let text = arena.show(sum);
        assert!(text.starts_with("(((") && text.contains('…'), "{text}");
        assert!(text.len() < 20_000, "{} characters", text.len());
    }
}
