//! Opaque types of other modules: their values are what their functions make, not whatever looks like one.
//!
//! A constructor is a function whose spec gives the type and takes none of it. Its parameters are built with the
//! type's own arguments in place of its variables, so that a `queue(integer())` is made of integers.

use constraint::{Grammar, RuleId, Shape};
use rustc_hash::FxHashMap;
use term::{Atom, Mfa, Term};

use super::build::{Builder, Scope};
use super::declarations::Declarations;
use super::producers::Producer;

/// An opaque type that values are to be made of.
#[derive(Clone, PartialEq, Debug)]
pub struct Opaque {
    /// The module of the type.
    pub module: Atom,
    /// The name of the type.
    pub name: Atom,
    /// The number of its parameters.
    pub arity: usize,
    /// The functions that return it and take none of it.
    pub constructors: Vec<Constructor>,
    /// The functions that return it, where the type is abstract.
    pub producers: Vec<Producer>,
    /// The rule to fill.
    pub rule: RuleId,
    /// The type of its declaration.
    pub representation: RuleId,
}

/// A function that returns a value of an opaque type.
#[derive(Clone, PartialEq, Debug)]
pub struct Constructor {
    /// The function.
    pub function: Mfa,
    /// The rules of its parameters.
    pub params: Vec<RuleId>,
}

impl Opaque {
    /// True for the rule that stands for the type.
    pub fn is(&self, rule: RuleId) -> bool {
        self.rule == rule
    }

    /// True for a record that only its module has.
    pub fn is_record(&self) -> bool {
        self.name.name().starts_with('#')
    }

    /// The type as specs name it: `queue:queue/1`, or `shop:#cart{}` for a record.
    pub fn written(&self) -> String {
        match self.name.name().strip_prefix('#') {
            Some(record) => format!("{}:#{}{{}}", self.module, Atom::new(record)),
            None => format!("{}:{}/{}", self.module, self.name, self.arity),
        }
    }

    /// Lets the type be these values; without any, whatever its declaration says.
    pub fn fill(&self, grammar: &mut Grammar, values: Vec<Term>) {
        let shapes = match values.is_empty() {
            true => vec![Shape::Rule(self.representation)],
            false => values.into_iter().map(Shape::Literal).collect(),
        };
        grammar.fill(self.rule, shapes);
    }
}

impl Builder<'_> {
    pub(super) fn opaque(&mut self, key: (Atom, Atom, Vec<RuleId>), declared: &Declarations, representation: RuleId) {
        let (module, name, args) = key;
        let rule = self.grammar.reserve_named(module, name);
        self.instances.insert((module, name, args.clone()), rule);
        // A type that is being made may be asked for by its own constructors: these are left out.
        self.opaques.push(Opaque {
            module,
            name,
            arity: args.len(),
            constructors: Vec::new(),
            producers: Vec::new(),
            rule,
            representation,
        });
        let at = self.opaques.len() - 1;
        let clauses = declared.specs().flat_map(|(function, clauses)| clauses.iter().map(move |it| (function, it)));
        let found: Vec<Constructor> = clauses
            .filter(|((function, arity), _)| self.source.exports(Mfa { module, function: *function, arity: *arity }))
            .collect::<Vec<_>>()
            .into_iter()
            .filter_map(|((function, arity), clause)| {
                let params = self.constructor((module, name, &args), declared, clause)?;
                Some(Constructor { function: Mfa { module, function, arity }, params })
            })
            .collect();
        self.opaques[at].constructors = found;
    }

    /// The parameters of a function whose spec gives exactly that type, and takes none of it.
    fn constructor(
        &mut self,
        (module, name, args): (Atom, Atom, &[RuleId]),
        declared: &Declarations,
        clause: &Term,
    ) -> Option<Vec<RuleId>> {
        let mut scope = Scope::of(module);
        let (params, result) = scope.clause(clause)?;
        if params.iter().any(|form| mentions(form, name, &scope.constraints, &mut Vec::new())) {
            return None;
        }
        scope.variables = variables(&result, &scope.constraints, declared, name, args)?;
        Some(self.rules(&mut scope, &params))
    }
}

/// The types of the variables of a result `name(V1, V2)` where the type has these arguments. The result may be a
/// variable that is bound to it, or another name for it.
fn variables(
    result: &Term,
    constraints: &FxHashMap<Atom, Term>,
    declared: &Declarations,
    name: Atom,
    args: &[RuleId],
) -> Option<FxHashMap<Atom, RuleId>> {
    let none = FxHashMap::default();
    let items = result.as_tuple()?;
    match (items.first()?.as_atom()?.name(), &items[1..]) {
        ("ann_type", [_, pair]) => variables(pair.cells().nth(1)?, constraints, declared, name, args),
        ("var", [_, variable]) => variables(constraints.get(&variable.as_atom()?)?, &none, declared, name, args),
        ("user_type", [_, found, given]) => {
            let (found, given) = (found.as_atom()?, given.proper_list()?);
            if (found, given.len()) == (name, args.len()) {
                let bound = given.iter().zip(args).filter_map(|(form, rule)| Some((variable(form)?, *rule)));
                return Some(bound.collect());
            }
            let other = declared.type_named(found, given.len()).filter(|other| !other.opaque && given.is_empty())?;
            variables(&other.body, &none, declared, name, args).map(|_| FxHashMap::default())
        }
        _ => None,
    }
}

pub(super) fn variable(form: &Term) -> Option<Atom> {
    match form.as_tuple()? {
        [tag, _, name] if tag.as_atom()?.name() == "var" => name.as_atom(),
        _ => None,
    }
}

/// True if a form, with what its variables are bound to, names that type of the same module somewhere.
fn mentions(form: &Term, name: Atom, constraints: &FxHashMap<Atom, Term>, seen: &mut Vec<Atom>) -> bool {
    if let Some(variable) = variable(form) {
        let Some(bound) = constraints.get(&variable).filter(|_| !seen.contains(&variable)) else { return false };
        seen.push(variable);
        return mentions(bound, name, constraints, seen);
    }
    match form {
        Term::Cons(..) => form.cells().any(|item| mentions(item, name, constraints, seen)),
        Term::Tuple(_, items) => {
            let named = |at: usize| items.get(at).and_then(Term::as_atom);
            named(0).is_some_and(|tag| tag.name() == "user_type") && named(2) == Some(name)
                || items.iter().any(|item| mentions(item, name, constraints, seen))
        }
        _ => false,
    }
}
