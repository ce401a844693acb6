//! Flattening cases: clauses and patterns.

use term::Term;

use super::flatten::{Flat, Flattener, Want};
use super::{Action, Case, Clause, LetStep, Pattern, SegmentPattern, Var};
use crate::core::node::{list, literal, name, record, unexpected};
use crate::core::{self, Annotation, CoreError, Variable, variable};

/// The variables that a clause's patterns have bound so far.
type Bound = Vec<(Variable, Var)>;

/// Patterns are trees of boxes, freed by recursion; no source nests them as deep as this.
const MAX_DEPTH: usize = 5_000;

impl Flattener<'_> {
    pub(super) fn case(&mut self, node: &Term, count: usize, steps: &mut Vec<LetStep>) -> Flat<Action> {
        let [_, arg, clauses] = record(node, "c_case")?;
        let clauses = list(clauses, "clauses")?;
        let Some(first) = clauses.first() else {
            return Err(CoreError::new("a `c_case` node has no clauses"));
        };
        let [_, patterns, _, _] = record(first, "c_clause")?;
        let width = list(patterns, "patterns")?.len();
        let args = self.expr(arg, Want::Values(width), steps)?;
        let clauses = clauses.into_iter().map(|clause| self.clause(clause, width, count)).collect::<Flat<_>>()?;
        Ok(Action::Case(Case { args, clauses }))
    }

    fn clause(&mut self, node: &Term, width: usize, count: usize) -> Flat<Clause> {
        let annotation = self.annotation(node);
        let line = annotation.location.line;
        let mark = self.scope.mark();
        let flat = self.open_clause(node, annotation, width, count);
        self.scope.reset(mark);
        flat.map_err(|error| error.at(line))
    }

    fn open_clause(&mut self, node: &Term, annotation: Annotation, width: usize, count: usize) -> Flat<Clause> {
        let [_, patterns, guard, body] = record(node, "c_clause")?;
        let patterns = list(patterns, "patterns")?;
        if patterns.len() != width {
            return Err(CoreError::new("the clauses of a case have different numbers of patterns"));
        }
        let mut bound = Bound::new();
        let patterns = patterns.into_iter().map(|item| self.pattern(item, &mut bound, 0)).collect::<Flat<_>>()?;
        bound.into_iter().for_each(|(variable, var)| self.scope.bind(variable, var));
        let (guard, body) = (self.body(guard, 1)?, self.body(body, count)?);
        let Annotation { location, generated, .. } = annotation;
        Ok(Clause { patterns, guard, body, location, generated })
    }

    fn pattern(&mut self, node: &Term, bound: &mut Bound, depth: usize) -> Flat<Pattern> {
        if depth > MAX_DEPTH {
            return Err(CoreError::new(format!("a pattern is nested more than {MAX_DEPTH} deep")));
        }
        let depth = depth + 1;
        term::deeper(|| match name(node) {
            "c_var" => self.pattern_variable(variable(node)?, bound).map(Pattern::Var),
            "c_literal" => literal(node).cloned().map(Pattern::Literal),
            "c_cons" => {
                let [_, head, tail] = record(node, "c_cons")?;
                let parts = (self.pattern(head, bound, depth)?, self.pattern(tail, bound, depth)?);
                Ok(Pattern::Cons(Box::new(parts)))
            }
            "c_tuple" => {
                let [_, items] = record(node, "c_tuple")?;
                let items = list(items, "patterns")?.into_iter().map(|item| self.pattern(item, bound, depth));
                items.collect::<Flat<_>>().map(Pattern::Tuple)
            }
            "c_map" => self.map_pattern(node, bound, depth),
            "c_binary" => self.bits_pattern(node, bound, depth),
            "c_alias" => {
                let [_, alias, pattern] = record(node, "c_alias")?;
                let var = self.pattern_variable(variable(alias)?, bound)?;
                Ok(Pattern::Alias(var, Box::new(self.pattern(pattern, bound, depth)?)))
            }
            _ => Err(unexpected("a pattern", node)),
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
    fn map_pattern(&mut self, node: &Term, bound: &mut Bound, depth: usize) -> Flat<Pattern> {
        let [_, _, pairs, _] = record(node, "c_map")?;
        let pair = |pair: &Term| {
            let [_, _, key, value] = record(pair, "c_map_pair")?;
            Ok((self.known(key, &[])?, self.pattern(value, bound, depth)?))
        };
        list(pairs, "map pairs")?.into_iter().map(pair).collect::<Flat<_>>().map(Pattern::Map)
    }

    /// A size sees what earlier segments of the same bitstring have bound.
    fn bits_pattern(&mut self, node: &Term, bound: &mut Bound, depth: usize) -> Flat<Pattern> {
        let [_, segments] = record(node, "c_binary")?;
        let start = bound.len();
        let segment = |segment: &Term| {
            let [_, value, size, unit, kind, flags] = record(segment, "c_bitstr")?;
            let format = core::format(unit, kind, flags)?;
            let size = self.known(size, &bound[start..])?;
            Ok(SegmentPattern { pattern: self.pattern(value, bound, depth)?, size, format })
        };
        list(segments, "segments")?.into_iter().map(segment).collect::<Flat<_>>().map(Pattern::Bits)
    }
}
