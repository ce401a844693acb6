//! Match specifications: the patterns, guards and bodies by which `ets` selects rows.

mod compile;
mod expression;
mod pattern;

use term::{Atom, Term};

use crate::Environment;
use expression::{FAILED, MatchExpression};
use pattern::MatchPattern;

/// A compiled match specification.
pub struct Specification {
    clauses: Vec<MatchClause>,
}

struct MatchClause {
    head: MatchPattern,
    guards: Vec<MatchExpression>,
    /// Only the value of the last one counts.
    body: Vec<MatchExpression>,
}

/// The terms that variables stand for, by their number.
type Bindings = std::collections::BTreeMap<u32, Term>;

impl Specification {
    /// Returns the specification of a pattern alone, whose result is `$$` or `$_`.
    pub fn of_pattern(pattern: &Term, whole: bool) -> Option<Specification> {
        let result = Term::atom_named(if whole { "$_" } else { "$$" });
        let clause = Term::tuple([pattern.clone(), Term::nil(), Term::list(vec![result])]);
        Specification::compile(&Term::list(vec![clause]))
    }

    /// Returns the result of the first clause that matches a row.
    pub fn run(&self, run: &mut dyn Environment, row: &Term) -> Option<Term> {
        self.clauses.iter().find_map(|clause| clause.run(run, row))
    }

    /// Returns the keys that all rows have which match, for keys at this place; nothing if a row with any key may match.
    pub fn keys(&self, place: usize) -> Option<Vec<Term>> {
        let mut keys = Vec::new();
        for clause in &self.clauses {
            match clause.head.part(place) {
                Ok(Some(key)) => keys.push(key),
                // Such a row has no key.
                Ok(None) => {}
                Err(()) => return None,
            }
        }
        Some(keys)
    }

    /// Returns true if every row that matches is replaced by one with the key that it had.
    pub fn keeps_key(spec: &Term, place: usize) -> bool {
        let clauses = spec.proper_list().unwrap_or_default();
        clauses.iter().all(|clause| compile::keeps_key(clause, place))
    }
}

impl MatchClause {
    fn run(&self, run: &mut dyn Environment, row: &Term) -> Option<Term> {
        let mut bindings = Bindings::new();
        if !self.head.matches(row, &mut bindings) {
            return None;
        }
        let is_true = |guard: &MatchExpression, run: &mut dyn Environment| {
            guard.value(run, row, &bindings, false).is_some_and(|value| value.as_bool() == Some(true))
        };
        if !self.guards.iter().all(|guard| is_true(guard, run)) {
            return None;
        }
        let mut result = None;
        for expression in &self.body {
            result = Some(expression.value(run, row, &bindings, true).unwrap_or_else(|| Term::atom_named(FAILED)));
        }
        result
    }
}

/// The number of the variable that an atom is.
fn variable(atom: Atom) -> Option<u32> {
    let digits = atom.name().strip_prefix('$')?;
    let is_number = digits == "0" || !digits.starts_with('0') && digits.bytes().all(|byte| byte.is_ascii_digit());
    digits.parse().ok().filter(|_| is_number)
}
