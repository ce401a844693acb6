//! Abstract types: the exported functions of their module that make values of them, from whatever arguments.
//!
//! A producer is a function whose spec gives the type, as a member of a union or an element of a tuple, too. Its
//! parameters may be of the type itself: values come from sequences of calls.

use constraint::{RuleId, Shape};
use rustc_hash::FxHashMap;
use term::{Atom, Mfa, Term};

use super::build::{Builder, Scope};
use super::declarations::{Declarations, atom_literal};
use super::opaque::{Opaque, variable};

/// A function whose result has a value of an abstract type.
#[derive(Clone, PartialEq, Debug)]
pub struct Producer {
    /// The function.
    pub function: Mfa,
    /// The rules of its parameters.
    pub params: Vec<RuleId>,
    /// The part of the result that is the value.
    pub part: ResultPart,
    /// True if the spec says the arguments of the type: otherwise what is put in may be of other types.
    pub is_bound: bool,
}

/// The part of a result that is a value of an abstract type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ResultPart {
    /// The result itself, unless it is something else that the spec has.
    Whole { except: Vec<OtherResult> },
    /// An element of a tuple, counted from 1.
    Element { at: usize, size: usize, tag: Option<Atom> },
}

/// A result that is no value of the type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OtherResult {
    /// An atom.
    Atom(Atom),
    /// A tuple of that size with an atom first.
    Tuple { size: usize, tag: Atom },
}

/// The form that stands for an abstract type in specs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum AbstractForm {
    /// A type of that name.
    Type(Atom),
    /// A record of that name.
    Record(Atom),
}

/// The types of the variables of a form, and if these are all that the type depends on.
type Bindings = (FxHashMap<Atom, RuleId>, bool);

/// A search for an abstract type in the specs of its module.
struct Wanted<'a> {
    form: AbstractForm,
    args: &'a [RuleId],
    declared: &'a Declarations,
}

impl Builder<'_> {
    /// An instance of an abstract type, whose rule is to be filled with calls of its producers.
    pub(super) fn abstract_type(
        &mut self,
        (module, name, args): (Atom, Atom, Vec<RuleId>),
        form: AbstractForm,
        declared: &Declarations,
    ) -> Vec<Shape> {
        let key = (module, name, args.clone());
        if let Some(&rule) = self.instances.get(&key) {
            return vec![Shape::Rule(rule)];
        }
        // Producers of one instance that take another would have no end of instances: they have no arguments.
        if self.building.contains(&(module, name)) {
            return Vec::new();
        }
        let rule = self.grammar.reserve_named(module, name);
        self.instances.insert(key, rule);
        let shapes = self.plainly(|builder| match form {
            AbstractForm::Type(_) => builder.instance(module, name, args.clone()),
            AbstractForm::Record(record) => builder.record(&mut Scope::of(module), record, &[]).unwrap_or_default(),
        });
        let representation = self.grammar.intern(shapes);
        let arity = args.len();
        let (constructors, producers) = (Vec::new(), Vec::new());
        self.opaques.push(Opaque { module, name, arity, constructors, producers, rule, representation });
        let at = self.opaques.len() - 1;
        self.building.push((module, name));
        self.opaques[at].producers = self.producers(module, &Wanted { form, args: &args, declared });
        self.building.pop();
        vec![Shape::Rule(rule)]
    }

    fn producers(&mut self, module: Atom, wanted: &Wanted<'_>) -> Vec<Producer> {
        let clauses = wanted.declared.specs().flat_map(|(name, clauses)| clauses.iter().map(move |it| (name, it)));
        let mut found = Vec::new();
        for ((function, arity), clause) in clauses {
            let function = Mfa { module, function, arity };
            if self.source.exports(function) {
                found.extend(self.produced(function, clause, wanted));
            }
        }
        found
    }

    /// The ways in which one clause of a spec gives the type.
    fn produced(&mut self, function: Mfa, clause: &Term, wanted: &Wanted<'_>) -> Vec<Producer> {
        let mut scope = Scope::of(function.module);
        let Some((params, result)) = scope.clause(clause) else { return Vec::new() };
        // A fun that is an argument could not be written as the source of a witness.
        if params.iter().chain(scope.constraints.values()).any(has_fun) {
            return Vec::new();
        }
        let mut found = Vec::new();
        for (part, (variables, is_bound)) in wanted.parts(&result, &scope.constraints) {
            scope.variables = variables;
            let params = self.rules(&mut scope, &params);
            found.push(Producer { function, params, part, is_bound });
        }
        found
    }
}

impl Wanted<'_> {
    /// The parts of a result that are values of the type.
    fn parts(&self, result: &Term, constraints: &FxHashMap<Atom, Term>) -> Vec<(ResultPart, Bindings)> {
        let members = members(result, constraints);
        let mut parts = Vec::new();
        for (at, member) in members.iter().enumerate() {
            if let Some(bindings) = self.bindings(member) {
                let others = members.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, form)| other(form));
                if let Some(except) = others.collect() {
                    parts.push((ResultPart::Whole { except }, bindings));
                }
            }
            let items = elements(member).unwrap_or_default();
            let tag = items.first().and_then(atom_literal);
            for (at, item) in items.iter().enumerate() {
                if let Some(bindings) = self.bindings(&resolved(item, constraints)) {
                    parts.push((ResultPart::Element { at: at + 1, size: items.len(), tag }, bindings));
                }
            }
        }
        parts
    }

    /// The types of variables that make a form the wanted type.
    fn bindings(&self, form: &Term) -> Option<Bindings> {
        let items = form.as_tuple()?;
        match (items.first()?.as_atom()?.name(), &items[1..]) {
            ("user_type", [_, name, given]) => {
                let (name, given) = (name.as_atom()?, given.proper_list()?);
                if self.form == AbstractForm::Type(name) && given.len() == self.args.len() {
                    let is_bound = given.iter().all(|form| variable(form).is_some() || is_none(form));
                    let bound = given.iter().zip(self.args).filter_map(|(form, rule)| Some((variable(form)?, *rule)));
                    return Some((bound.collect(), is_bound));
                }
                let alias = self.declared.type_named(name, given.len()).filter(|it| !it.opaque && given.is_empty())?;
                self.bindings(&alias.body).map(|_| (FxHashMap::default(), self.args.is_empty()))
            }
            ("type", [_, kind, args]) if kind.as_atom()?.name() == "record" => {
                let is_it = self.form == AbstractForm::Record(atom_literal(args.cells().next()?)?);
                is_it.then(|| (FxHashMap::default(), true))
            }
            _ => None,
        }
    }
}

/// A form without its name, and a variable as it is bound.
fn resolved(form: &Term, constraints: &FxHashMap<Atom, Term>) -> Term {
    let mut form = form;
    // A variable may be bound to itself in some way.
    for _ in 0..RESOLVED {
        let next = match form.as_tuple() {
            Some([tag, _, pair]) if is_tagged(tag, "ann_type") => pair.cells().nth(1),
            Some([tag, _, inner]) if is_tagged(tag, "paren_type") => inner.cells().next(),
            _ => variable(form).and_then(|name| constraints.get(&name)),
        };
        match next {
            Some(next) => form = next,
            None => break,
        }
    }
    form.clone()
}

/// The names and variables around a form that are looked through.
const RESOLVED: usize = 16;

fn is_tagged(tag: &Term, name: &str) -> bool {
    tag.as_atom().is_some_and(|tag| tag.name() == name)
}

/// The members of a union, or the one that there is.
fn members(form: &Term, constraints: &FxHashMap<Atom, Term>) -> Vec<Term> {
    let form = resolved(form, constraints);
    let members = match form.as_tuple() {
        Some([tag, _, kind, args]) if is_tagged(tag, "type") && is_tagged(kind, "union") => args.proper_list(),
        _ => None,
    };
    members.map_or_else(|| vec![form.clone()], |all| all.iter().map(|it| resolved(it, constraints)).collect())
}

/// The elements of a tuple type.
fn elements(form: &Term) -> Option<Vec<Term>> {
    match form.as_tuple()? {
        [tag, _, kind, args] if is_tagged(tag, "type") && is_tagged(kind, "tuple") => args.proper_list(),
        _ => None,
    }
}

/// A member of a union that its shape distinguishes from others.
fn other(form: &Term) -> Option<OtherResult> {
    if let Some(atom) = atom_literal(form) {
        return Some(OtherResult::Atom(atom));
    }
    let items = elements(form)?;
    Some(OtherResult::Tuple { size: items.len(), tag: items.first().and_then(atom_literal)? })
}

/// True if a form has the type of a fun in it.
fn has_fun(form: &Term) -> bool {
    match form {
        Term::Cons(..) => form.cells().any(has_fun),
        Term::Tuple(_, items) => match &items[..] {
            [tag, _, kind, ..] if is_tagged(tag, "type") && (is_tagged(kind, "fun") || is_tagged(kind, "function")) => {
                true
            }
            items => items.iter().any(has_fun),
        },
        _ => false,
    }
}

fn is_none(form: &Term) -> bool {
    matches!(form.as_tuple(), Some([tag, _, kind, _]) if is_tagged(tag, "type")
        && (is_tagged(kind, "none") || is_tagged(kind, "no_return")))
}
