//! Every member of the solvers can serve a search.

use constraint::{Grammar, RuleId};
use solve::structural::{accepts, smallest};
use solve::{Answer, Budget, Member, Query, Unknown};
use term::Term;

use crate::Solver;

impl<M: Member> Solver for M {
    fn solve(&mut self, query: &Query<'_>, budget: &Budget) -> Answer {
        Member::solve(self, query, budget)
    }

    fn solve_all(
        &mut self,
        queries: &[Query<'_>],
        budget: &Budget,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Vec<Option<Answer>> {
        Member::solve_all(self, queries, budget, go_on)
    }

    fn first(&mut self, grammar: &Grammar, inputs: &[RuleId]) -> Answer {
        let heights = grammar.heights();
        if inputs.iter().any(|rule| heights[rule.0 as usize].is_none()) {
            return Answer::Unsat;
        }
        let values: Option<Vec<Term>> = inputs.iter().map(|rule| smallest(grammar, *rule)).collect();
        values.map_or(Answer::Unknown(Unknown::Unsupported), Answer::Sat)
    }

    fn accepts(&self, grammar: &Grammar, rule: RuleId, value: &Term) -> bool {
        accepts(grammar, rule, value)
    }
}
