//! The driver of a function: a module that makes the inputs of abstract types by their calls and then calls the function.
//!
//! Its entry has the arity of the function. The machine and the VM run the same driver, so that a witness is replayed by
//! the calls that it names. If a call before the last one fails, the inputs are outside the domain.

use std::collections::BTreeMap;
use std::fmt::Write;

use constraint::{Grammar, RuleId, Shape, call_template};
use rustc_hash::FxHashSet;
use search::OUTSIDE;
use term::{Atom, Mfa, Term};

/// The code of the calls that terms of a grammar stand for, by their tags: Erlang with `#1`, … for the arguments.
pub type CallCode = BTreeMap<String, String>;

/// The last call of a driver.
pub struct LastCall {
    /// The function.
    pub function: Mfa,
    /// The rules of all values of each input.
    pub inputs: Vec<RuleId>,
    /// The expression, with `X1`, … for the inputs; nothing for a plain call.
    pub code: Option<String>,
}

/// The name of the driver of a function.
pub fn driver_name(function: Mfa) -> Mfa {
    let Mfa { module, function, arity } = function;
    let text = format!("hound_sequences {}:{}/{arity}", module.name(), function.name());
    Mfa { module: Atom::new(&text), function: Atom::new("enter"), arity }
}

/// The source of a driver; nothing if values of abstract types are where it cannot make them.
pub fn driver_source(grammar: &Grammar, code: &CallCode, last: &LastCall) -> Option<String> {
    let name = driver_name(last.function);
    let arity = last.inputs.len();
    let names = |letter: &str| (1..=arity).map(|at| format!("{letter}{at}")).collect::<Vec<_>>().join(", ");
    let mut writer = DriverWriter { grammar, code, out: String::new(), done: FxHashSet::default(), open: Vec::new() };
    let made: Vec<String> =
        last.inputs.iter().enumerate().map(|(at, rule)| writer.made(*rule, &format!("A{}", at + 1))).collect();
    while let Some(rule) = writer.open.pop() {
        writer.function(rule)?;
    }
    let function = last.function;
    let plain = || format!("{}:{}({})", function.module, function.function, names("X"));
    let call = last.code.clone().unwrap_or_else(plain);
    let (inputs, given, outside) = (names("A"), names("X"), Atom::new(OUTSIDE));
    Some(format!(
        "-module({}).\n-export([enter/{arity}, made/{arity}]).\n\n\
         enter({inputs}) ->\n    case made({inputs}) of\n        {{{given}}} -> {call};\n        {outside} -> {outside}\n    end.\n\n\
         made({inputs}) ->\n    try {{{}}}\n    catch _:_ -> {outside}\n    end.\n\n{}{HELPERS}",
        name.module,
        made.join(", "),
        writer.out,
    ))
}

/// Functions of every driver: a call that changes nothing adds nothing to a sequence, and after actions that make events of
/// their own a state machine is not ready for the next event.
const HELPERS: &str = "changed(Old, Made) ->
    case Made =:= Old of
        true -> throw('$hound_outside');
        false -> Made
    end.

acted([Action | Rest], Pair) ->
    case Action of
        {next_event, _, _} -> throw('$hound_outside');
        postpone -> throw('$hound_outside');
        {postpone, true} -> throw('$hound_outside');
        {change_callback_module, _} -> throw('$hound_outside');
        {push_callback_module, _} -> throw('$hound_outside');
        pop_callback_module -> throw('$hound_outside');
        _ -> acted(Rest, Pair)
    end;
acted([], Pair) -> Pair;
acted(Action, Pair) -> acted([Action], Pair).
";

struct DriverWriter<'a> {
    grammar: &'a Grammar,
    code: &'a CallCode,
    out: String,
    /// Rules whose function is written or waits to be.
    done: FxHashSet<RuleId>,
    open: Vec<RuleId>,
}

impl DriverWriter<'_> {
    /// The expression for the value that a term of a rule stands for.
    fn made(&mut self, rule: RuleId, term: &str) -> String {
        if !has_calls(self.grammar, rule) {
            return term.to_owned();
        }
        if self.done.insert(rule) {
            self.open.push(rule);
        }
        format!("v{}({term})", rule.0)
    }

    /// The function that makes values of a rule.
    fn function(&mut self, rule: RuleId) -> Option<()> {
        let grammar = self.grammar;
        let shapes = &grammar.rule(rule).shapes;
        let mut clauses = Vec::new();
        for shape in shapes.iter().filter(|shape| needs_calls(grammar, shape)) {
            clauses.push(self.clause(rule, shape)?);
        }
        if shapes.iter().any(|shape| !needs_calls(grammar, shape)) {
            clauses.push(format!("v{}(Value) -> Value", rule.0));
        }
        // Writing to a string cannot fail.
        let _ = write!(self.out, "{}.\n\n", clauses.join(";\n"));
        Some(())
    }

    fn clause(&mut self, rule: RuleId, shape: &Shape) -> Option<String> {
        let name = format!("v{}", rule.0);
        match shape {
            Shape::Tuple(items) => {
                let vars: Vec<String> = (0..items.len()).map(|at| format!("B{at}")).collect();
                let heads: Vec<String> = items.iter().zip(&vars).map(|(item, var)| self.head(*item, var)).collect();
                let body = match tag(self.grammar, shape) {
                    Some(tag) => {
                        let code = self.code.get(tag.name())?.clone();
                        let args: Vec<String> =
                            items.iter().zip(&vars).skip(1).map(|(item, var)| self.made(*item, var)).collect();
                        constraint::fill_template(&code, &args)
                    }
                    None => {
                        let parts: Vec<String> =
                            items.iter().zip(&vars).map(|(item, var)| self.made(*item, var)).collect();
                        format!("{{{}}}", parts.join(", "))
                    }
                };
                Some(format!("{name}({{{}}}) ->\n    {body}", unused(&heads, &body)))
            }
            Shape::Cons(head, tail) => {
                let (head, tail) = (self.made(*head, "Head"), self.made(*tail, "Tail"));
                Some(format!("{name}([Head | Tail]) ->\n    [{head} | {tail}]"))
            }
            Shape::Map(fields) => {
                let mut needing = fields.iter().filter(|field| has_calls(self.grammar, field.value));
                let field = needing.next().filter(|_| fields.len() == 1)?;
                if has_calls(self.grammar, field.key) {
                    return None;
                }
                let value = self.made(field.value, "Value");
                Some(format!("{name}(Map) when is_map(Map) ->\n    maps:map(fun(_, Value) -> {value} end, Map)"))
            }
            _ => None,
        }
    }

    /// The pattern of an element: tuples of one size differ by constants.
    fn head(&self, rule: RuleId, var: &str) -> String {
        match &self.grammar.rule(rule).shapes[..] {
            [Shape::Literal(literal @ Term::Atom(..))] => format!("{literal} = {var}"),
            _ => var.to_owned(),
        }
    }
}

/// The patterns of a head, without names that the body does not use.
fn unused(heads: &[String], body: &str) -> String {
    let shown = |head: &String| match head.split_once(" = B") {
        Some((literal, var)) if !has_word(body, &format!("B{var}")) => literal.to_owned(),
        _ => head.clone(),
    };
    heads.iter().map(shown).collect::<Vec<_>>().join(", ")
}

fn has_word(text: &str, word: &str) -> bool {
    text.split(|c: char| !c.is_alphanumeric()).any(|part| part == word)
}

/// The tag of a shape that stands for a call.
pub fn tag(grammar: &Grammar, shape: &Shape) -> Option<Atom> {
    let Shape::Tuple(items) = shape else { return None };
    match &grammar.rule(*items.first()?).shapes[..] {
        [Shape::Literal(literal)] => literal.as_atom().filter(|atom| call_template(*atom).is_some()),
        _ => None,
    }
}

/// True if values of a rule can have calls in them.
pub fn has_calls(grammar: &Grammar, rule: RuleId) -> bool {
    grammar.reaches(rule, |rule| grammar.rule(rule).shapes.iter().any(|shape| tag(grammar, shape).is_some()))
}

fn needs_calls(grammar: &Grammar, shape: &Shape) -> bool {
    tag(grammar, shape).is_some() || shape.parts().into_iter().any(|part| has_calls(grammar, part))
}
