//! Inputs of functions without specs that their code asks for: they are tried first, and what fails on others in a function
//! whose spec excludes them is doubtful.

use constraint::{Grammar, RuleId};
use solve::structural::accepts;
use term::{Exception, Mfa, Term};

use crate::finding::StackEntry;
use crate::subject::{EntryPoint, Signature};

/// The inputs that the code of a function asks for.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// Their rules.
    pub inputs: Signature,
    /// Parts of inputs that are handed to functions with specs.
    pub needs: Vec<Need>,
}

/// A part of an input that is handed to a function whose spec narrows it.
#[derive(Clone, Debug)]
pub struct Need {
    /// The function that is called.
    pub callee: Mfa,
    /// The number of the input, from 0.
    pub input: u32,
    /// The way to the part.
    pub path: Vec<Selector>,
    /// The rule of the kinds that the spec has for it.
    pub rule: RuleId,
    /// That type as it is written.
    pub written: String,
}

/// A step from a value to its parts.
#[derive(Clone, PartialEq, Debug)]
pub enum Selector {
    /// To the elements of a list.
    Each,
    /// To the tail of a list.
    Rest,
    /// To an element of a tuple, from 0.
    Element(usize),
    /// To the value of a key.
    Key(Term),
}

impl Wanted {
    /// Says in words which function's spec excludes inputs, if an exception comes from within that function.
    pub fn excluded(
        &self,
        grammar: &Grammar,
        entry_point: &EntryPoint,
        inputs: &[Term],
        exception: &Exception,
    ) -> Option<String> {
        let need = self.needs.iter().find(|need| {
            need.is_entered(entry_point, exception) && need.values(inputs).any(|it| !accepts(grammar, need.rule, it))
        })?;
        let argument = need.input + 1;
        let part = if need.path.is_empty() { "" } else { "a part of " };
        Some(format!("{}'s spec wants {} for {part}argument {argument}", need.callee, need.written))
    }
}

impl Need {
    /// True if an exception was raised in the function that is called.
    fn is_entered(&self, entry_point: &EntryPoint, exception: &Exception) -> bool {
        let frames: Vec<StackEntry> = exception.stack.cells().filter_map(StackEntry::read).collect();
        let above = frames.iter().take_while(|frame| !frame.is_in(entry_point));
        let is_tested = entry_point.modules.contains(&self.callee.module);
        match is_tested {
            true => frames.iter().any(|frame| frame.function == self.callee),
            // The VM's own functions call no others.
            false if self.callee.module.name() == "erlang" => above.into_iter().any(|it| it.function == self.callee),
            false => above.into_iter().any(|frame| frame.function.module == self.callee.module),
        }
    }

    /// The values of the part.
    fn values<'t>(&self, inputs: &'t [Term]) -> impl Iterator<Item = &'t Term> {
        let mut values: Vec<&Term> = inputs.get(self.input as usize).into_iter().collect();
        for step in &self.path {
            values = values.into_iter().flat_map(|value| parts(step, value)).collect();
        }
        values.into_iter()
    }
}

fn parts<'t>(step: &Selector, value: &'t Term) -> Vec<&'t Term> {
    match (step, value) {
        (Selector::Each, value) => value.cells().collect(),
        (Selector::Rest, Term::Cons(_, cell)) => vec![&cell.tail],
        (Selector::Element(at), value) => value.as_tuple().and_then(|items| items.get(*at)).into_iter().collect(),
        (Selector::Key(key), value) => value.as_map().and_then(|map| map.get(key)).into_iter().collect(),
        _ => Vec::new(),
    }
}
