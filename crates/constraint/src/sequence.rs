//! Terms that stand for calls: an input of an abstract type is a sequence of calls that make its value.
//!
//! Such a term is `{'$call TEMPLATE', Arg…}`: the template is Erlang source with `#1`, `#2`, … for the arguments, which may
//! be such terms themselves. Where the value is not the result, but made from it, the template is `CALL => VALUE`, where
//! `R` is the result; where there are two values, as state and data of a state machine, it is `CALL => FIRST & SECOND`,
//! and `#1s`, `#1d` are the two values of an argument.

mod elixir;

use term::{Atom, Map, Mfa, Notation, Term};

/// The prefix of an atom that makes a tuple stand for a call.
const CALL: &str = "$call ";

/// An input that is the second value of the one before it.
pub const SECOND: &str = "$second";

/// Returns the atom of calls with a template.
pub fn call_tag(template: &str) -> Atom {
    Atom::new(&format!("{CALL}{template}"))
}

/// Returns the template of an atom that [`call_tag`] made.
pub fn call_template(tag: Atom) -> Option<&'static str> {
    tag.name().strip_prefix(CALL)
}

/// Returns the number of calls that terms stand for.
pub fn count_calls(terms: &[Term]) -> usize {
    let (mut found, mut open) = (0, terms.iter().collect::<Vec<&Term>>());
    while let Some(term) = open.pop() {
        found += usize::from(template(term).is_some());
        match term {
            Term::Tuple(_, items) => open.extend(items.iter()),
            Term::Cons(_, cell) => open.extend([&cell.head, &cell.tail]),
            Term::Map(_, map) => open.extend(map.iter().flat_map(|(key, value)| [key, value])),
            _ => {}
        }
    }
    found
}

/// A call whose arguments other calls make, as source to paste.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CallSequence {
    /// All in one expression, or one after the other with a comma between.
    pub call: String,
    /// The arguments of the last call.
    pub args: Vec<String>,
    /// A statement for each call, the last one last.
    pub statements: Vec<String>,
}

impl CallSequence {
    /// Returns the calls of a function whose inputs stand for calls; nothing if none does.
    pub fn of(function: Mfa, inputs: &[Term], notation: Notation<'_>) -> Option<CallSequence> {
        if count_calls(inputs) == 0 {
            return None;
        }
        let (mut stepwise, mut nested) = (Writer::new(true, notation), Writer::new(false, notation));
        let last = |args: &[String]| notation.applied(function.module, function.function, args);
        let step_args = stepwise.args(inputs);
        let args = nested.args(inputs);
        let mut statements = stepwise.statements;
        statements.push(last(&step_args));
        let mut parts = nested.statements;
        parts.push(last(&args));
        Some(CallSequence { call: parts.join(if notation.is_elixir() { "; " } else { ", " }), args, statements })
    }
}

/// Puts arguments into the call of a template.
pub fn fill_template(template: &str, args: &[String]) -> String {
    let args: Vec<Value> = args.iter().map(|arg| Value::One(arg.clone())).collect();
    fill(template.split_once(" => ").map_or(template, |(call, _)| call), &args, "")
}

fn template(term: &Term) -> Option<&'static str> {
    call_template(term.as_tuple()?.first()?.as_atom()?)
}

/// The source of what a term stands for.
enum Value {
    One(String),
    /// State and data.
    Two(String, String),
}

impl Value {
    /// The only value, or one of two.
    fn part(&self, is_first: bool) -> &str {
        match self {
            Value::One(text) => text,
            Value::Two(first, _) if is_first => first,
            Value::Two(_, second) => second,
        }
    }
}

/// Writes terms as source, and the statements that they need before.
struct Writer<'a> {
    notation: Notation<'a>,
    /// Every call gets a statement, as against those that give two values only.
    is_stepwise: bool,
    statements: Vec<String>,
    /// The number of names so far.
    names: usize,
}

impl<'a> Writer<'a> {
    fn new(is_stepwise: bool, notation: Notation<'a>) -> Writer<'a> {
        Writer { notation, is_stepwise, statements: Vec::new(), names: 0 }
    }

    fn args(&mut self, inputs: &[Term]) -> Vec<String> {
        let mut args = Vec::new();
        let has_second = |at: usize| inputs.get(at + 1).is_some_and(is_second);
        for (at, input) in inputs.iter().enumerate().filter(|(_, input)| !is_second(input)) {
            match self.made(input) {
                Value::One(text) => args.push(text),
                Value::Two(first, second) if has_second(at) => args.extend([first, second]),
                Value::Two(_, second) => args.push(second),
            }
        }
        args
    }

    fn made(&mut self, term: &Term) -> Value {
        term::deeper(|| match (template(term), term.as_tuple()) {
            (Some(template), Some(items)) => self.call(template, &items[1..]),
            _ => Value::One(self.value(term)),
        })
    }

    fn call(&mut self, template: &str, args: &[Term]) -> Value {
        let args: Vec<Value> = args.iter().map(|arg| self.made(arg)).collect();
        let Some((call, parts)) = template.split_once(" => ") else {
            return Value::One(self.step(self.filled(template, &args, "")));
        };
        let name = self.bind("R", self.filled(call, &args, ""));
        let part = |template| self.filled(template, &args, &name);
        match parts.split_once(" & ") {
            Some((first, second)) => Value::Two(part(first), part(second)),
            None => {
                let made = part(parts);
                Value::One(self.step(made))
            }
        }
    }

    /// A template with its arguments, in the language of the program.
    fn filled(&self, template: &str, args: &[Value], result: &str) -> String {
        let in_elixir = || elixir::fill(template, args, result, self.notation);
        let filled = self.notation.is_elixir().then(in_elixir).flatten();
        filled.unwrap_or_else(|| fill(template, args, result))
    }

    /// An expression, or the name that it gets.
    fn step(&mut self, made: String) -> String {
        if self.is_stepwise { self.bind("S", made) } else { made }
    }

    fn bind(&mut self, letter: &str, made: String) -> String {
        let name = self.notation.variable(&format!("{letter}{}", self.names));
        self.names += 1;
        self.statements.push(format!("{name} = {made}"));
        name
    }

    /// A term with the source of calls in their places.
    fn value(&mut self, term: &Term) -> String {
        let mut calls = Vec::new();
        let plain = self.without_calls(term, &mut calls);
        let mut text = self.notation.term(&plain);
        for (at, call) in calls.iter().enumerate() {
            text = text.replace(&self.notation.term(&hole(at)), call);
        }
        text
    }

    fn without_calls(&mut self, term: &Term, calls: &mut Vec<String>) -> Term {
        term::deeper(|| {
            if template(term).is_some() {
                let text = match self.made(term) {
                    Value::One(text) | Value::Two(_, text) => text,
                };
                calls.push(text);
                return hole(calls.len() - 1);
            }
            match term {
                Term::Tuple(_, items) => Term::tuple(items.iter().map(|item| self.without_calls(item, calls))),
                Term::Cons(..) => {
                    let mut cells = term.cells();
                    let items: Vec<Term> = cells.by_ref().map(|item| self.without_calls(item, calls)).collect();
                    Term::list_with_tail(items, cells.rest().clone())
                }
                Term::Map(_, map) => Term::map(Map::from_pairs(
                    map.iter().map(|(key, value)| (key.clone(), self.without_calls(value, calls))),
                )),
                term => term.clone(),
            }
        })
    }
}

/// An atom in the place of a call.
fn hole(at: usize) -> Term {
    Term::atom_named(&format!("{CALL}{at}"))
}

fn is_second(term: &Term) -> bool {
    term.as_atom().is_some_and(|atom| atom.name() == SECOND)
}

/// Replaces `#1`, `#1s`, `#1d` and `R` in a template.
fn fill(template: &str, args: &[Value], result: &str) -> String {
    let mut out = String::new();
    let mut rest = template;
    while let Some(found) = rest.find(['#', 'R']) {
        out.push_str(&rest[..found]);
        let is_result = rest[found..].starts_with('R');
        rest = &rest[found + 1..];
        if is_result {
            let is_name = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || matches!(c, '_' | '@' | '\''));
            let is_alone = !is_name(out.chars().last()) && !is_name(rest.chars().next());
            out.push_str(if is_alone && !result.is_empty() { result } else { "R" });
            continue;
        }
        let digits = rest.chars().take_while(char::is_ascii_digit).count();
        let at = rest[..digits].parse::<usize>().ok().and_then(|at| at.checked_sub(1));
        let Some(arg) = at.and_then(|at| args.get(at)) else {
            out.push('#');
            continue;
        };
        rest = &rest[digits..];
        let is_first = rest.starts_with('s');
        rest = rest.strip_prefix(['s', 'd']).unwrap_or(rest);
        out.push_str(arg.part(is_first));
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(template: &str, args: &[Term]) -> Term {
        Term::tuple([&[Term::atom(call_tag(template))][..], args].concat())
    }

    fn function() -> Mfa {
        Mfa { module: Atom::new("m"), function: Atom::new("f"), arity: 2 }
    }

    #[test]
    fn calls_are_written_inside_each_other_and_one_after_the_other() {
        let new = of("queue:new()", &[]);
        let one = of("queue:in(#1, #2)", &[Term::int(7), new]);
        let inputs = [Term::list([one.clone(), Term::int(1)]), Term::atom_named("a")];
        let sequence = CallSequence::of(function(), &inputs, Notation::ERLANG).expect("there are calls");
        assert_eq!(sequence.call, "m:f([queue:in(7, queue:new()),1], a)");
        assert_eq!(sequence.statements, ["S0 = queue:new()", "S1 = queue:in(7, S0)", "m:f([S1,1], a)"]);
        assert_eq!((count_calls(&inputs), count_calls(&[Term::int(1)])), (2, 0));
        assert!(CallSequence::of(function(), &[Term::int(1)], Notation::ERLANG).is_none());
    }

    #[test]
    fn a_call_may_give_two_values() {
        let init = of("m:init(#1) => element(2, R) & element(3, R)", &[Term::nil()]);
        let next = of("m:(#2s)(#1, #2d) => #2s & element(2, R)", &[Term::atom_named("Rx"), init]);
        let inputs = [next, Term::atom_named(SECOND)];
        let sequence = CallSequence::of(function(), &inputs, Notation::ERLANG).expect("there are calls");
        let expected = ["R0 = m:init([])", "R1 = m:(element(2, R0))('Rx', element(3, R0))"];
        assert_eq!(sequence.statements[..2], expected);
        assert_eq!(sequence.statements[2], "m:f(element(2, R0), element(2, R1))");
        assert_eq!(sequence.call, sequence.statements.join(", "));
    }
    #[test]
    fn calls_of_elixir_are_written_in_elixir() {
        let notation = Notation { language: term::Language::Elixir, ..Notation::ERLANG };
        let new = of("'Elixir.Stack':new()", &[]);
        let pushed = of("element(2, 'Elixir.Stack':push(#1, #2))", &[Term::atom_named("a"), new]);
        let sequence =
            CallSequence::of(function(), &[pushed.clone(), Term::int(1)], notation).expect("there are calls");
        assert_eq!(sequence.call, ":m.f(elem(Stack.push(:a, Stack.new()), 1), 1)");
        let expected = ["s0 = Stack.new()", "s1 = elem(Stack.push(:a, s0), 1)", ":m.f(s1, 1)"];
        assert_eq!(sequence.statements, expected);
        let init = of("'Elixir.R':init(#1) => element(2, R) & element(3, R)", &[Term::nil()]);
        let next = of("'Elixir.R':(#2s)(#1, #2d) => #2s & element(2, R)", &[Term::atom_named("x"), init]);
        let sequence = CallSequence::of(function(), &[next, Term::atom_named(SECOND)], notation).expect("calls");
        let expected = "r0 = R.init([]); r1 = apply(R, elem(r0, 1), [:x, elem(r0, 2)]); :m.f(elem(r0, 1), elem(r1, 1))";
        assert_eq!(sequence.call, expected);
    }
}
