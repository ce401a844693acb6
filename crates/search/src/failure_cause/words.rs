//! A cause as text: the inputs as patterns, and conditions on what has a name in them.

use constraint::{Arena, Condition, Evaluator, Expr, ExprNames, Node, Op, Test, Type};
use rustc_hash::{FxHashMap, FxHashSet};
use solve::opaque::{above, all_parts_of, is_part};
use term::{Bits, Language, Notation, Term};

use super::FailureCause;

/// Describes the inputs that meet some conditions of a path, in a language.
pub fn describe(
    arena: &Arena,
    witness: &[Term],
    (needed, path): (&[&Condition], &[Condition]),
    language: Language,
) -> FailureCause {
    let mut patterns = Patterns::new(arena, witness, Notation { language, ..Notation::ERLANG });
    path.iter().for_each(|condition| patterns.size(condition));
    let (shown, others): (Vec<&Condition>, Vec<&Condition>) =
        needed.iter().copied().partition(|condition| patterns.is_structure(condition));
    shown.iter().for_each(|condition| patterns.mention_structure(condition));
    others.iter().filter(|condition| !goes_without_saying(arena, condition)).for_each(|it| patterns.mention(it));
    let inputs = (0..witness.len() as u32).map(|at| patterns.show_child(&Node::Input(at))).collect();
    let words = Words { arena, names: &patterns.names, notation: patterns.notation };
    FailureCause { inputs, conditions: words.phrases(&others), elixir: None }
}

/// The class of the exception that an application raises, if conditions say so.
fn raised(arena: &Arena, conditions: &[&Condition], call: Expr) -> Option<Expr> {
    conditions.iter().find_map(|it| match it.test {
        Test::Same(side, class) if it.holds && *arena.node(side) == Node::Element(call, 0) => Some(class),
        _ => None,
    })
}

/// True if an expression is the class of an exception that an application raises.
fn is_class(arena: &Arena, conditions: &[&Condition], side: Expr) -> bool {
    let Node::Element(call, 0) = *arena.node(side) else { return false };
    conditions.iter().any(|it| !it.holds && it.test == Test::Tuple(call, 1))
}

/// True if a condition says that a function which no solver can see has a value.
fn goes_without_saying(arena: &Arena, condition: &Condition) -> bool {
    let is_call = |x: Expr| matches!(arena.node(x), Node::Opaque(..));
    condition.holds && matches!(condition.test, Test::Tuple(x, 1) if is_call(x))
}

/// Conditions in words.
struct Words<'a> {
    arena: &'a Arena,
    names: &'a ExprNames,
    notation: Notation<'a>,
}

impl Words<'_> {
    fn show(&self, expr: Expr) -> String {
        self.arena.show_in(self.notation.language, expr, self.names)
    }

    fn phrases(&self, conditions: &[&Condition]) -> Vec<String> {
        let arena = self.arena;
        let is_not = |x: Expr, wanted: Type| conditions.iter().any(|it| !it.holds && it.test == Test::Type(x, wanted));
        let mut phrases = Vec::new();
        for condition in conditions {
            let phrase = match condition.test {
                // What is no number is neither.
                Test::Type(x, Type::Float) if !condition.holds && is_not(x, Type::Integer) => continue,
                Test::Type(x, Type::Integer) if !condition.holds && is_not(x, Type::Float) => {
                    self.phrase(&Condition { test: Test::Type(x, Type::Number), holds: false })
                }
                _ if goes_without_saying(arena, condition) => continue,
                // The class of the exception says as much.
                Test::Tuple(call, 1) if !condition.holds && raised(arena, conditions, call).is_some() => continue,
                Test::Tuple(call, 1) if !condition.holds && matches!(arena.node(call), Node::Opaque(..)) => {
                    format!("{} raises an exception", self.show(call))
                }
                Test::Same(side, class) if condition.holds && is_class(arena, conditions, side) => {
                    format!("{} raises {}", self.show(side), self.show(class))
                }
                _ => self.phrase(condition),
            };
            phrases.push(phrase);
        }
        phrases
    }

    fn phrase(&self, condition: &Condition) -> String {
        let (holds, is_elixir) = (condition.holds, self.notation.is_elixir());
        let compared = |(left, right): (String, String), [yes, no]: [&str; 2]| {
            format!("{left} {} {right}", if holds { yes } else { no })
        };
        if let (Test::Same(bits, value), true) = (condition.test, holds)
            && let Some((of, first)) = prefix(self.arena, bits, value)
        {
            return format!("{} starting with {}", self.show(of), self.notation.shown(&first));
        }
        match condition.test {
            Test::Cons(x) if !is_elixir => compared((self.show(x), "[_ | _]".to_owned()), ["=", "=/="]),
            Test::Tuple(x, size) if !is_elixir => {
                compared((self.show(x), format!("{{{}}}", vec!["_"; size as usize].join(", "))), ["=", "=/="])
            }
            Test::Same(left, right) if is_elixir && !self.is_struct_of(left) => {
                compared(self.moved(left, right), ["===", "!=="])
            }
            Test::Same(left, right) if !is_elixir => compared(self.moved(left, right), ["=:=", "=/="]),
            Test::Equal(left, right) => compared(self.moved(left, right), ["==", if is_elixir { "!=" } else { "/=" }]),
            Test::Less(left, right) => compared(self.moved(left, right), ["<", ">="]),
            test => {
                let test = Condition { test, holds: true };
                let text = self.arena.show_condition_in(self.notation.language, &test, self.names);
                if holds { text } else { format!("not {text}") }
            }
        }
    }

    /// True for the module that a map has as that of its struct.
    fn is_struct_of(&self, expr: Expr) -> bool {
        let Node::MapValue(_, key) = self.arena.node(expr) else { return false };
        let key = self.arena.as_literal(*key).and_then(Term::as_atom);
        key.is_some_and(|key| key.name() == "__struct__")
    }

    /// The two sides of a comparison; a constant that is added on one side and compared with one is taken to the other.
    fn moved(&self, left: Expr, right: Expr) -> (String, String) {
        let constant = |expr: Expr| self.arena.as_literal(expr).and_then(Term::as_bigint);
        let sum = |expr: Expr| match self.arena.node(expr) {
            Node::Apply(Op::Add, args) => match args[..] {
                [of, added] => Some((of, constant(added)?)),
                _ => None,
            },
            _ => None,
        };
        match (sum(left), constant(right), constant(left), sum(right)) {
            (Some((of, added)), Some(value), ..) => (self.show(of), (value - added).to_string()),
            (.., Some(value), Some((of, added))) => ((value - added).to_string(), self.show(of)),
            _ => (self.show(left), self.show(right)),
        }
    }
}

/// The bitstring whose first bytes are compared, and these bytes.
fn prefix(arena: &Arena, bits: Expr, value: Expr) -> Option<(Expr, Term)> {
    let Node::Bits { of, at: 0, size } = arena.node(bits) else { return None };
    let value = arena.as_literal(value)?.as_bigint()?;
    let (_, digits) = value.to_bytes_be();
    let missing = (*size as usize / 8).checked_sub(digits.len()).filter(|_| size % 8 == 0)?;
    let bytes = [vec![0; missing], digits].concat();
    Some((*of, Term::bits(Bits::from_bits(bytes, *size as usize))))
}

/// Patterns for inputs, grown from what conditions ask.
struct Patterns<'a> {
    arena: &'a Arena,
    notation: Notation<'a>,
    values: Evaluator<'a>,
    /// Parts of inputs that are constants, which are their names.
    literals: FxHashSet<Expr>,
    /// Parts of inputs that are tuples, with their sizes, on the whole path.
    sizes: FxHashMap<Expr, u32>,
    /// Parts whose parts are mentioned, or that must be list cells or tuples.
    opened: FxHashSet<Expr>,
    names: ExprNames,
    /// The parts that are mentioned, and those they are parts of.
    parts: Vec<Expr>,
}

impl<'a> Patterns<'a> {
    fn new(arena: &'a Arena, witness: &'a [Term], notation: Notation<'a>) -> Patterns<'a> {
        let values = Evaluator::new(arena, witness);
        let (literals, sizes, opened, names, parts) = Default::default();
        Patterns { arena, notation, values, literals, sizes, opened, names, parts }
    }

    fn size(&mut self, condition: &Condition) {
        if let (Test::Tuple(part, size), true) = (condition.test, condition.holds) {
            self.sizes.insert(part, size);
        }
    }

    /// True if a condition says what a part of the input looks like, so that the pattern shows it.
    fn is_structure(&self, condition: &Condition) -> bool {
        let is_part = |part| is_part(self.arena, part);
        match condition.test {
            _ if !condition.holds => false,
            Test::Cons(part) | Test::Tuple(part, _) => is_part(part),
            Test::Same(part, value) => is_part(part) && matches!(self.arena.node(value), Node::Literal(_)),
            _ => false,
        }
    }

    fn mention_structure(&mut self, condition: &Condition) {
        match condition.test {
            Test::Cons(part) | Test::Tuple(part, _) => {
                self.open(part);
                self.opened.insert(part);
            }
            Test::Same(part, value) => {
                self.open(part);
                if let Node::Literal(term) = self.arena.node(value) {
                    self.names.insert(part, self.notation.shown(term));
                    self.literals.insert(part);
                }
            }
            _ => {}
        }
    }

    /// Gives names to the parts of inputs that a condition is about.
    fn mention(&mut self, condition: &Condition) {
        let mut exprs = Vec::new();
        match condition.test {
            Test::Cons(x) | Test::Tuple(x, _) | Test::Type(x, _) | Test::Arity(x, _) | Test::Defined(x) => {
                exprs.push(x)
            }
            Test::HasKey(a, b) | Test::Same(a, b) | Test::Equal(a, b) | Test::Less(a, b) => exprs.extend([a, b]),
        }
        for expr in exprs {
            for part in all_parts_of(self.arena, expr) {
                let mut way = std::iter::successors(Some(part), |at| above(self.arena, *at));
                if let Some(part) = way.find(|part| self.has_sizes(*part)) {
                    self.open(part);
                    self.name(part);
                }
            }
        }
    }

    /// True if the sizes of all tuples around a part are known.
    fn has_sizes(&self, part: Expr) -> bool {
        std::iter::successors(Some(part), |at| above(self.arena, *at)).all(|at| match self.arena.node(at) {
            Node::Element(tuple, _) => self.sizes.contains_key(tuple),
            _ => true,
        })
    }

    /// The pattern shows the way to a part.
    fn open(&mut self, part: Expr) {
        let way: Vec<Expr> = std::iter::successors(above(self.arena, part), |at| above(self.arena, *at)).collect();
        self.parts.push(part);
        self.parts.extend(&way);
        self.opened.extend(way);
    }

    fn name(&mut self, part: Expr) {
        if self.names.contains_key(&part) {
            return;
        }
        let is_number =
            self.values.value(part).is_ok_and(|value| value.is_integer() || matches!(value, Term::Float(..)));
        let letters = if is_number { ["N", "M", "K"] } else { ["X", "Y", "Z"] };
        let is_free = |name: &String| self.names.values().all(|known| known != name);
        let letters = letters.map(|letter| self.notation.variable(letter));
        let letters = letters.each_ref().map(String::as_str);
        let numbered = (1..).flat_map(|round| letters.map(|letter| format!("{letter}{round}")));
        let name = letters.map(str::to_owned).into_iter().chain(numbered).find(is_free);
        self.names.extend(name.map(|name| (part, name)));
    }

    fn show(&self, part: Expr) -> String {
        term::deeper(|| {
            let named = self.names.get(&part);
            if self.literals.contains(&part) || !self.opened.contains(&part) {
                return named.cloned().unwrap_or_else(|| "_".to_owned());
            }
            let shown = match self.sizes.get(&part) {
                Some(size) => {
                    let items = (0..*size).map(|at| self.show_child(&Node::Element(part, at)));
                    format!("{{{}}}", items.collect::<Vec<_>>().join(", "))
                }
                None => {
                    let [head, tail] = [Node::Head(part), Node::Tail(part)].map(|node| self.show_child(&node));
                    match tail.strip_prefix('[') {
                        Some("]") => format!("[{head}]"),
                        Some(rest) => format!("[{head}, {rest}"),
                        None => format!("[{head} | {tail}]"),
                    }
                }
            };
            named.map_or(shown.clone(), |name| format!("{shown} = {name}"))
        })
    }

    /// A part that is mentioned, or `_`.
    fn show_child(&self, node: &Node) -> String {
        let part = self.parts.iter().find(|part| self.arena.node(**part) == node);
        part.map_or_else(|| "_".to_owned(), |part| self.show(*part))
    }
}
