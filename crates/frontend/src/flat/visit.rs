//! The parts of actions, values and patterns, for everything that walks through flat programs.

use term::{Atom, Mfa, Term};

use super::{Action, Body, Callee, LetStep, Pattern, Try, Value, Var};

/// True if these are just the variables.
pub fn are_vars(values: &[Value], vars: &[Var]) -> bool {
    let same = |(value, var): (&Value, &Var)| matches!(value, Value::Var(found) if found == var);
    values.len() == vars.len() && values.iter().zip(vars).all(same)
}

impl Value {
    /// The literal, if it is one.
    pub fn literal(&self) -> Option<&Term> {
        match self {
            Value::Literal(literal) => Some(literal),
            _ => None,
        }
    }

    /// The atom that a tuple begins with.
    pub fn tag(&self) -> Option<Atom> {
        match self {
            Value::Tuple(items) => items.first()?.literal()?.as_atom(),
            Value::Literal(Term::Tuple(_, items)) => items.first()?.as_atom(),
            _ => None,
        }
    }
}

impl Body {
    /// True if it is just this boolean.
    pub fn is_bool(&self, wanted: bool) -> bool {
        self.steps.is_empty() && self.gives_bool(wanted)
    }

    /// True if its only value is this boolean.
    pub fn gives_bool(&self, wanted: bool) -> bool {
        matches!(&self.result[..], [value] if value.literal().and_then(Term::as_bool) == Some(wanted))
    }
}

impl LetStep {
    /// True if the step's values are all the values of the body that it ends.
    pub fn is_result(&self, result: &[Value]) -> bool {
        !self.binds.is_empty() && are_vars(result, &self.binds)
    }
}

impl Try {
    /// True if a value of the body is the value of the whole.
    pub fn passes_on(&self) -> bool {
        self.ok.steps.is_empty() && are_vars(&self.ok.result, &self.vars)
    }
}

impl Pattern {
    /// The variable that the pattern itself binds.
    pub fn var(&self) -> Option<Var> {
        match self {
            Pattern::Var(var) | Pattern::Alias(var, _) => Some(*var),
            _ => None,
        }
    }

    /// Shows the pattern and all patterns in it, from left to right.
    pub fn each<'a>(&'a self, look: &mut dyn FnMut(&'a Pattern)) {
        look(self);
        term::deeper(|| match self {
            Pattern::Var(_) | Pattern::Literal(_) => {}
            Pattern::Cons(parts) => [&parts.0, &parts.1].into_iter().for_each(|part| part.each(look)),
            Pattern::Tuple(items) => items.iter().for_each(|item| item.each(look)),
            Pattern::Map(pairs) => pairs.iter().for_each(|(_, value)| value.each(look)),
            Pattern::Bits(segments) => segments.iter().for_each(|segment| segment.pattern.each(look)),
            Pattern::Alias(_, inner) => inner.each(look),
        });
    }
}

impl Action {
    /// True if it has no value at all: only then does a step without binds not throw a value away.
    pub fn has_no_value(&self) -> bool {
        match self {
            Action::Case(case) => case.clauses.first().is_some_and(|clause| clause.body.result.is_empty()),
            Action::Letrec(letrec) => letrec.body.result.is_empty(),
            Action::Try(attempt) => attempt.ok.result.is_empty(),
            Action::Values(values) => values.is_empty(),
            _ => false,
        }
    }

    /// The function that a call names.
    pub fn named(&self) -> Option<Mfa> {
        let Action::Call { module, function, args } = self else { return None };
        let (module, function) = (module.literal()?.as_atom()?, function.literal()?.as_atom()?);
        Some(Mfa { module, function, arity: u8::try_from(args.len()).ok()? })
    }

    /// The values that it uses itself, those of its bodies left out.
    pub fn values(&self) -> Vec<&Value> {
        match self {
            Action::Values(values) | Action::Primop { args: values, .. } => values.iter().collect(),
            Action::Apply { function: Callee::Value(value), args } => [value].into_iter().chain(args).collect(),
            Action::Apply { function: Callee::Local(_), args } => args.iter().collect(),
            Action::Call { module, function, args } => [module, function].into_iter().chain(args).collect(),
            Action::Case(case) => case.args.iter().collect(),
            Action::Map { base, pairs } => {
                [base].into_iter().chain(pairs.iter().flat_map(|(_, key, value)| [key, value])).collect()
            }
            Action::Bits(segments) => segments.iter().flat_map(|segment| [&segment.value, &segment.size]).collect(),
            Action::Fun(_) | Action::Letrec(_) | Action::Try(_) | Action::Catch(_) | Action::Line(_) => Vec::new(),
        }
    }

    /// The bodies in it: those of clauses with their guards, of what is protected with the handler, of functions.
    pub fn bodies(&self) -> Vec<&Body> {
        match self {
            Action::Case(case) => case.clauses.iter().flat_map(|clause| [&clause.guard, &clause.body]).collect(),
            Action::Fun(fun) => vec![&fun.lambda.body],
            Action::Letrec(letrec) => {
                let functions = letrec.functions.iter().map(|(_, lambda)| &lambda.body);
                functions.chain([&letrec.body]).collect()
            }
            Action::Try(part) => vec![&part.body, &part.ok, &part.handler],
            Action::Catch(body) => vec![body],
            _ => Vec::new(),
        }
    }
}
