//! The inputs that the code of a function asks for: by its clauses and guards, by what it computes with them, and by the
//! specs of the functions that it hands them to.
//!
//! That is a guess at what its author had in mind, made from one look at the code. It says which inputs are worth trying
//! first; others are inputs all the same.

mod demand;
mod guard;
mod operator;

use std::rc::Rc;

use constraint::{Grammar, RuleId, Shape};
use rustc_hash::{FxHashMap, FxHashSet};
use term::{Mfa, Term};

use crate::flat::{Function, Lambda, Name};

/// The code and the specs of the functions that are called.
pub trait CalleeSource {
    /// Returns the flat form of a function whose code counts.
    fn flat(&mut self, function: Mfa) -> Option<Rc<Function>>;
    /// Returns the rules of a function's parameters, if it has a spec that is known in full.
    fn spec(&mut self, grammar: &mut Grammar, function: Mfa) -> Option<Vec<RuleId>>;
}

/// The inputs that a function's code asks for.
#[derive(Clone, Debug)]
pub struct WantedInputs {
    /// The rule of each input.
    pub rules: Vec<RuleId>,
    /// The parts of inputs that are handed to functions with specs.
    pub needs: Vec<CalleeNeed>,
}

/// A part of an input that is handed to a function whose spec narrows it.
#[derive(Clone, PartialEq, Debug)]
pub struct CalleeNeed {
    /// The function that is called.
    pub callee: Mfa,
    /// The number of the input, from 0.
    pub input: u32,
    /// The way to the part.
    pub path: Vec<PartSelector>,
    /// The rule that the spec has for it.
    pub rule: RuleId,
}

/// A step from a value to its parts.
#[derive(Clone, PartialEq, Debug)]
pub enum PartSelector {
    /// To the elements of a list.
    Each,
    /// To the tail of a list.
    Rest,
    /// To an element of a tuple, from 0.
    Element(u32),
    /// To the value of a key.
    Key(Term),
}

/// The functions and clauses that are looked at.
const LOOKS: u32 = 4_000;

/// Functions within functions that are looked at.
const DEPTH: usize = 24;

/// Returns the inputs that a function asks for; nothing if it asks for none in particular.
pub fn wanted(grammar: &mut Grammar, source: &mut dyn CalleeSource, function: Mfa) -> Option<WantedInputs> {
    let name = Name { function: function.function, arity: function.arity };
    let mut demands = Demands {
        grammar,
        source,
        entry: function,
        input: 0,
        path: Vec::new(),
        needs: Vec::new(),
        letrecs: FxHashMap::default(),
        params: FxHashMap::default(),
        labels: FxHashSet::default(),
        looks: LOOKS,
        depth: 0,
    };
    let any = demands.grammar.intern(vec![Shape::Any]);
    let mut rules = Vec::new();
    for at in 0..usize::from(function.arity) {
        demands.input = at as u32;
        rules.push(demands.param(name, at).unwrap_or(any));
    }
    let needs = std::mem::take(&mut demands.needs);
    // A rule without values is a mistake of this guess.
    let heights = grammar.heights();
    rules.iter_mut().filter(|rule| heights[rule.0 as usize].is_none()).for_each(|rule| *rule = any);
    let asks = !needs.is_empty() || rules.iter().any(|rule| *rule != any);
    asks.then_some(WantedInputs { rules, needs })
}

/// The demands of one function on its inputs.
struct Demands<'a> {
    grammar: &'a mut Grammar,
    source: &'a mut dyn CalleeSource,
    entry: Mfa,
    /// The input that is looked at, and the way to the part of it.
    input: u32,
    path: Vec<PartSelector>,
    needs: Vec<CalleeNeed>,
    /// Local functions that are in scope.
    letrecs: FxHashMap<Name, Rc<Lambda>>,
    /// The rules of parameters that are known, or under way.
    params: FxHashMap<(Name, usize), Option<RuleId>>,
    /// Local functions whose bodies are being looked at for a variable from outside.
    labels: FxHashSet<Name>,
    looks: u32,
    depth: usize,
}
