//! The root that findings of one function share: one change of the program would end them all.

use std::fmt;

use constraint::{Condition, Expr, Grammar, Node, RuleId, Shape, Test};
use serde::{Deserialize, Serialize};
use term::{Class, Exception, Mfa, Term, known};

use super::blame;
use super::parts::{InputParts, PartType, around};
use super::untaken::{characters, untaken_kind};
use super::{DefectConditions, RankedDefect};
use crate::finding::{ReasonShape, StackEntry};

/// The root of a finding. Those of one function with equal roots are shown as one.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum FindingRoot {
    /// Texts of an argument that the program does not take: a parser ends with a match that fails.
    Text {
        /// From 1.
        argument: u32,
        /// True if the argument is the text.
        is_whole: bool,
    },
    /// A library function that fails inside.
    Library {
        /// The function that the program called, or only its module.
        name: String,
        /// The arguments that it depends on, from 1.
        arguments: Vec<u32>,
    },
    /// A library function that refuses what no spec speaks of.
    Refused {
        /// The function that the program called.
        name: String,
    },
    /// Values of a kind that a spec has and the program does not take.
    Kind {
        /// From 1.
        argument: u32,
        /// True if the argument is the value.
        is_whole: bool,
        kind: String,
        /// The types that the spec has for it.
        spec: String,
    },
    /// Maps without keys that a spec need not have and the program wants.
    Keys,
    /// Characters that are no bytes, where an operation wants bytes.
    Characters {
        /// From 1.
        argument: u32,
    },
    /// An error that a call gave and that nothing handles.
    Error {
        /// `{error,enoent}`, `{error,_}`.
        shape: String,
    },
}

impl FindingRoot {
    /// The part of it that other functions may have, too: no clause for some texts, a library function, an error, a type
    /// that is wider than what is taken. Nothing of texts inside an argument.
    pub fn family(&self) -> Option<&str> {
        match self {
            FindingRoot::Text { is_whole, .. } => Some("").filter(|_| *is_whole),
            FindingRoot::Library { name, .. } | FindingRoot::Refused { name } => Some(name),
            FindingRoot::Error { shape } => Some(shape),
            FindingRoot::Kind { spec, .. } => Some(spec),
            FindingRoot::Keys => Some("wanted keys"),
            FindingRoot::Characters { .. } => Some("characters"),
        }
    }
}

impl fmt::Display for FindingRoot {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FindingRoot::Text { argument, is_whole: true } => {
                write!(out, "no clause takes some texts of argument {argument}")
            }
            FindingRoot::Text { argument, .. } => write!(out, "no clause takes some texts in argument {argument}"),
            FindingRoot::Kind { argument, is_whole, kind, spec } => {
                let place = if *is_whole { "for" } else { "in" };
                write!(out, "{kind} {place} argument {argument} are not taken, where the spec has {spec}")
            }
            FindingRoot::Refused { name } => write!(out, "{name} refuses what no spec speaks of"),
            FindingRoot::Keys => write!(out, "keys that the spec leaves open are wanted"),
            FindingRoot::Characters { argument } => {
                write!(out, "characters above 255 in argument {argument} are no bytes")
            }
            FindingRoot::Error { shape } => write!(out, "the result {shape} of a call is not handled"),
            FindingRoot::Library { name, arguments } => {
                write!(out, "{name} fails inside")?;
                let numbers: Vec<String> = arguments.iter().map(u32::to_string).collect();
                match &numbers[..] {
                    [] => Ok(()),
                    [one] => write!(out, " on what argument {one} has"),
                    many => write!(out, " on what arguments {} have", many.join(" and ")),
                }
            }
        }
    }
}

/// The largest code of a character.
const LARGEST: u32 = 0x0010_FFFF;

/// The tags of results that say what went wrong; `incomplete` is one of texts in UTF-8.
const ERRORS: [&str; 2] = ["error", "incomplete"];

/// The tags of reasons that have the value which was not taken.
const UNTAKEN: [&str; 4] = ["badmatch", "case_clause", "try_clause", "badmap"];

/// The beginnings of the names of conversions of texts that the program leaves to the VM.
const CONVERSIONS: [&str; 2] = ["binary_to_", "list_to_"];

impl RankedDefect<'_> {
    /// The root of a crash, given the conditions that it depends on; `entered` is the library function that the tested
    /// code called, if it is known to fail inside.
    pub fn root(&self, conditions: &DefectConditions<'_>, entered: Option<String>) -> Option<FindingRoot> {
        let exception = self.defect.exception().filter(|exception| exception.class == Class::Error)?;
        let top = StackEntry::read(exception.stack.cells().next()?)?;
        if let Some(shape) = self.unhandled(exception) {
            return Some(FindingRoot::Error { shape });
        }
        let mut parts = self.parts();
        let DefectConditions { needed, .. } = conditions;
        let blamed = blame::blamed(&parts, needed, self.operands).or(needed.last().copied());
        if let Some(name) = entered.or_else(|| self.unseen(conditions, exception)) {
            let asked = blamed.map_or(Vec::new(), |condition| asked(&parts, condition));
            let mut arguments: Vec<u32> = asked.iter().filter_map(|part| Some(parts.input(*part)? + 1)).collect();
            arguments.sort_unstable();
            arguments.dedup();
            return Some(FindingRoot::Library { name, arguments });
        }
        let is_refused = |condition: &&Condition| self.is_matter_of_library(condition, conditions.path);
        if let (false, Some(_)) = (self.entry_point.specified, blamed.filter(is_refused)) {
            return self.called(exception).map(|called| FindingRoot::Refused { name: called.to_string() });
        }
        let is_taken_apart = top.is_in(self.entry_point) && is_match(exception) || is_conversion(exception, &top);
        let of_text = blamed.filter(|_| is_taken_apart).and_then(|condition| text_asked(&mut parts, condition));
        let is_of_operation = blamed.is_some_and(|condition| self.is_question_of_kind(condition, conditions.path));
        let of_characters = blamed.filter(|_| is_of_operation).and_then(|condition| characters(&mut parts, condition));
        of_characters.or(of_text).or_else(|| untaken_kind(&mut parts, blamed?, is_of_operation))
    }

    /// The library function that the program called.
    fn called(&self, exception: &Exception) -> Option<Mfa> {
        let entries = exception.stack.cells().filter_map(StackEntry::read);
        entries.take_while(|entry| !entry.is_in(self.entry_point)).last().map(|entry| entry.function)
    }

    /// The text that a crash failed on.
    pub fn failed_text(&self, conditions: &DefectConditions<'_>) -> Option<FindingRoot> {
        let mut parts = self.parts();
        let blamed = blame::blamed(&parts, &conditions.needed, self.operands);
        // What it converts may be made of the text's characters.
        let is_converted = self.operands.are_own() && self.defect.exception().is_some_and(is_failed_conversion);
        let last = conditions.needed.last().copied().filter(|_| is_converted);
        text_asked(&mut parts, blamed.or(last)?)
    }

    /// The text that a crash depends on in the end, whatever it failed on.
    pub fn last_text(&self, conditions: &DefectConditions<'_>) -> Option<FindingRoot> {
        let last = conditions.needed.last().copied()?;
        self.failed_text(conditions).or_else(|| text_asked(&mut self.parts(), last))
    }

    /// The function that no solver sees into and that raised the exception, as far as it is not one of the VM itself.
    fn unseen(&self, conditions: &DefectConditions<'_>, exception: &Exception) -> Option<String> {
        let raised: Vec<Mfa> = exception.stack.cells().filter_map(StackEntry::read).map(|it| it.function).collect();
        conditions.needed.iter().rev().filter(|condition| !condition.holds).find_map(|condition| {
            let Test::Tuple(call, 1) = condition.test else { return None };
            let Node::Opaque(function, _) = self.subject.arena().node(call) else { return None };
            let is_raised = function.module.name() != "erlang" && raised.contains(function);
            is_raised.then(|| function.to_string())
        })
    }

    /// The shape of an error value of the program's own that a match, a clause of its functions, or an operation that they
    /// call does not take.
    fn unhandled(&self, exception: &Exception) -> Option<String> {
        let in_reason = exception.reason.as_tuple().and_then(|items| match items {
            [tag, value] if UNTAKEN.contains(&tag.as_atom()?.name()) => Some(value),
            _ => None,
        });
        let entries: Vec<&Term> = exception.stack.cells().take(2).collect();
        let is_own = entries.iter().filter_map(|entry| StackEntry::read(entry)).any(|it| it.is_in(self.entry_point));
        let args = entries.first().filter(|_| is_own).and_then(|top| top.as_tuple()?.get(2));
        in_reason.into_iter().chain(args.into_iter().flat_map(Term::cells)).find_map(|value| self.error_shape(value))
    }

    /// `{error,enoent}` of an error value that does not come from the inputs as it is.
    fn error_shape(&self, value: &Term) -> Option<String> {
        let items = value.as_tuple()?;
        let is_input = |term: &Term| self.subject.arena().of_mark(term.mark()).is_some();
        let [tag, reason, rest @ ..] = items else { return None };
        if !ERRORS.contains(&tag.as_atom()?.name()) || is_input(value) || is_input(tag) {
            return None;
        }
        let reason = reason.as_atom().filter(|_| !is_input(reason)).map_or("_".to_owned(), |atom| atom.to_string());
        Some(format!("{{{tag},{reason}{}}}", ",_".repeat(rest.len())))
    }
}

/// The library function that the tested code called and that fails inside: in what it calls itself. A function that
/// refuses its own arguments does not. Where it is no longer on the stack, only its module is known.
pub fn entered(
    exception: &Exception,
    is_tested: impl Fn(&Mfa) -> bool,
    mut is_exported: impl FnMut(Mfa) -> bool,
) -> Option<String> {
    let entries = exception.stack.cells().filter_map(StackEntry::read).map(|entry| entry.function);
    let above: Vec<Mfa> = entries.take_while(|function| !is_tested(function)).collect();
    let (top, called) = (above.first()?, *above.last()?);
    let is_inside = above.len() > 1 || !is_exported(*top);
    if !is_inside || called.module.name() == "erlang" {
        return None;
    }
    Some(if is_exported(called) { called.to_string() } else { called.module.to_string() })
}

/// True if no pattern took a value.
fn is_match(exception: &Exception) -> bool {
    match ReasonShape::of(&exception.reason) {
        ReasonShape::Atom(atom) => matches!(atom.name(), "function_clause" | "if_clause"),
        ReasonShape::Tagged(tag, 2) => matches!(tag.name(), "badmatch" | "case_clause" | "try_clause"),
        _ => false,
    }
}

fn is_failed_conversion(exception: &Exception) -> bool {
    let top = exception.stack.cells().next().and_then(StackEntry::read);
    top.is_some_and(|top| is_conversion(exception, &top))
}

fn is_conversion(exception: &Exception, top: &StackEntry) -> bool {
    let Mfa { module, function, .. } = top.function;
    exception.reason.as_atom() == Some(known::BADARG)
        && module.name() == "erlang"
        && CONVERSIONS.iter().any(|beginning| function.name().starts_with(beginning))
}

fn asked(parts: &InputParts<'_>, condition: &Condition) -> Vec<Expr> {
    condition.test.exprs().flat_map(|expr| parts.of(expr)).collect()
}

/// The argument whose text a condition asks about, if it asks about nothing else.
fn text_asked(parts: &mut InputParts<'_>, condition: &Condition) -> Option<FindingRoot> {
    let asked = asked(parts, condition);
    let input = parts.input(*asked.first()?)?;
    let is_text = asked.iter().all(|part| parts.input(*part) == Some(input) && is_text(parts, *part));
    let is_along = |at: Expr| matches!(parts.arena.node(at), Node::Input(_) | Node::Head(_) | Node::Tail(_));
    let is_whole = asked.iter().all(|part| around(parts.arena, *part).all(is_along));
    is_text.then_some(FindingRoot::Text { argument: input + 1, is_whole })
}

/// True if a part is a binary, or stands in a list of characters.
fn is_text(parts: &mut InputParts<'_>, part: Expr) -> bool {
    let around: Vec<Expr> = around(parts.arena, part).collect();
    around.into_iter().any(|part| match parts.values.value(part) {
        Ok(Term::Bits(..)) => true,
        Ok(Term::Nil(_) | Term::Cons(..)) => match parts.type_of(part) {
            Some(PartType::Rules(rules)) => rules.iter().all(|rule| is_string(parts.grammar, *rule)),
            _ => false,
        },
        _ => false,
    })
}

/// True if a rule has texts only: binaries, and lists of characters, bytes and texts.
fn is_string(grammar: &Grammar, rule: RuleId) -> bool {
    let is_nil = |shape: &Shape| matches!(shape, Shape::Literal(Term::Nil(_)));
    are_texts(grammar, rule, false, &mut Vec::new()) && !grammar.rule(rule).shapes.iter().all(is_nil)
}

/// The same, with characters among them if these are elements of a list; `open` has the rules that are being looked at.
fn are_texts(grammar: &Grammar, rule: RuleId, in_list: bool, open: &mut Vec<RuleId>) -> bool {
    if open.contains(&rule) {
        return true;
    }
    open.push(rule);
    grammar.rule(rule).shapes.iter().all(|shape| match shape {
        Shape::Literal(Term::Nil(_)) => true,
        Shape::Bits { unit, .. } => *unit > 0,
        Shape::Integer { low: Some(low), high: Some(high) } => in_list && *low >= 0.into() && *high <= LARGEST.into(),
        Shape::Cons(head, tail) => are_texts(grammar, *head, true, open) && are_texts(grammar, *tail, false, open),
        Shape::Rule(inner) => are_texts(grammar, *inner, in_list, open),
        _ => false,
    })
}
