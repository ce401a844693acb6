//! Flattening cases: clauses and patterns.

use super::flatten::{Flat, Flattener, Want};
use super::{Action, Case, Clause, LetStep, Pattern, SegmentPattern, Var};
use crate::core::{self, CoreError, Id, Variable};

/// The variables that a clause's patterns have bound so far.
type Bound = Vec<(Variable, Var)>;

impl Flattener<'_> {
    pub(super) fn case(
        &mut self,
        arg: Id,
        clauses: &[core::Clause],
        count: usize,
        steps: &mut Vec<LetStep>,
    ) -> Flat<Action> {
        let width = clauses.first().map_or(1, |clause| clause.patterns.len());
        let args = self.expr(arg, Want::Values(width), steps)?;
        let clauses = clauses.iter().map(|clause| self.clause(clause, width, count)).collect::<Flat<_>>()?;
        Ok(Action::Case(Case { args, clauses }))
    }

    fn clause(&mut self, clause: &core::Clause, width: usize, count: usize) -> Flat<Clause> {
        if clause.patterns.len() != width {
            return Err(CoreError::new("the clauses of a case have different numbers of patterns"));
        }
        let mark = self.scope.mark();
        let flat = self.open_clause(clause, count);
        self.scope.reset(mark);
        flat.map_err(|error| error.at(clause.location.line))
    }

    fn open_clause(&mut self, clause: &core::Clause, count: usize) -> Flat<Clause> {
        let mut bound = Bound::new();
        let patterns = clause.patterns.iter().map(|item| self.pattern(item, &mut bound)).collect::<Flat<_>>()?;
        bound.into_iter().for_each(|(variable, var)| self.scope.bind(variable, var));
        let (guard, body) = (self.body(clause.guard, 1)?, self.body(clause.body, count)?);
        Ok(Clause { patterns, guard, body, location: clause.location, generated: clause.generated })
    }

    fn pattern(&mut self, pattern: &core::Pattern, bound: &mut Bound) -> Flat<Pattern> {
        term::deeper(|| match pattern {
            core::Pattern::Variable(variable) => self.pattern_variable(*variable, bound).map(Pattern::Var),
            core::Pattern::Literal(term) => Ok(Pattern::Literal(term.clone())),
            core::Pattern::Cons(parts) => {
                let parts = (self.pattern(&parts.0, bound)?, self.pattern(&parts.1, bound)?);
                Ok(Pattern::Cons(Box::new(parts)))
            }
            core::Pattern::Tuple(items) => {
                items.iter().map(|item| self.pattern(item, bound)).collect::<Flat<_>>().map(Pattern::Tuple)
            }
            core::Pattern::Map(pairs) => self.map_pattern(pairs, bound),
            core::Pattern::Binary(segments) => self.bits_pattern(segments, bound),
            core::Pattern::Alias(variable, pattern) => {
                let var = self.pattern_variable(*variable, bound)?;
                Ok(Pattern::Alias(var, Box::new(self.pattern(pattern, bound)?)))
            }
        })
    }

    /// A variable in a pattern is always a new one, whatever the name meant before.
    fn pattern_variable(&mut self, variable: Variable, bound: &mut Bound) -> Flat<Var> {
        if bound.iter().any(|(other, _)| *other == variable) {
            return Err(CoreError::new("a variable is bound twice in one clause"));
        }
        let var = self.scope.fresh(variable);
        bound.push((variable, var));
        Ok(var)
    }

    /// Keys see only what was bound before the whole pattern.
    fn map_pattern(&mut self, pairs: &[(Id, core::Pattern)], bound: &mut Bound) -> Flat<Pattern> {
        let pair = |(key, value): &(Id, core::Pattern)| Ok((self.known(*key, &[])?, self.pattern(value, bound)?));
        pairs.iter().map(pair).collect::<Flat<_>>().map(Pattern::Map)
    }

    /// A size sees what earlier segments of the same bitstring have bound.
    fn bits_pattern(&mut self, segments: &[core::SegmentPattern], bound: &mut Bound) -> Flat<Pattern> {
        let start = bound.len();
        let segment = |segment: &core::SegmentPattern| {
            let size = self.known(segment.size, &bound[start..])?;
            let pattern = self.pattern(&segment.pattern, bound)?;
            Ok(SegmentPattern { pattern, size, format: segment.format })
        };
        segments.iter().map(segment).collect::<Flat<_>>().map(Pattern::Bits)
    }
}
