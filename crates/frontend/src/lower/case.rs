//! Choices between clauses.

use ir::{CaseKind, Location, Op, Operand, Primitive, Raise, Terminator};
use term::{Term, known};

use super::Lowering;
use super::fused::Outcomes;
use super::place::Place;
use crate::flat::{Action, Body, Case, Clause, Value, are_vars};

impl<'a> Lowering<'_, 'a> {
    /// Lowers a case.
    pub fn case(&mut self, case: &'a Case, place: &Place) {
        if !self.is_observed()
            && let ([arg], Some(outcomes)) = (&case.args[..], Outcomes::of(case))
            && let Some(condition) = self.condition_of(arg)
        {
            let [yes, no] = [(); 2].map(|()| self.builder.block(self.handler));
            self.branch(&condition, yes, no);
            return self.outcomes(case, &outcomes, yes, no, place);
        }
        self.clauses(case, place);
    }

    /// Tries one clause after the other.
    fn clauses(&mut self, case: &'a Case, place: &Place) {
        let announced = self.announce(case);
        let at = self.at;
        let subjects = self.subjects(&case.args);
        for (number, clause) in case.clauses.iter().enumerate() {
            let next = self.builder.block(self.handler);
            self.stand_at(clause.location);
            let can_fail = self.match_all(&clause.patterns, &subjects, next) | self.guard(&clause.guard, next);
            self.clause_body(case, number, announced, place);
            if !can_fail {
                return;
            }
            self.builder.start(next);
            self.at = at;
        }
        self.no_clause(&case.args);
    }

    /// The code for when no clause fits: the compiler always adds one that does, other compilers may not.
    fn no_clause(&mut self, args: &'a [Value]) {
        let mut operands = self.operands(args);
        let value = match operands.len() {
            1 => operands.remove(0),
            _ => self.tuple(operands),
        };
        let reason = self.tuple(vec![Operand::Literal(Term::atom(known::CASE_CLAUSE)), value]);
        self.builder.end(Terminator::Raise(Raise::Error(reason)), self.at);
    }

    /// A tuple of operands in a register.
    pub fn tuple(&mut self, items: Vec<Operand>) -> Operand {
        let to = self.builder.register();
        self.builder.push(Op::Tuple { to, items }, self.at);
        to.into()
    }

    /// Lowers the body of a clause.
    pub fn clause_body(&mut self, case: &'a Case, number: usize, announced: Option<u32>, place: &Place) {
        if !self.builder.is_live() {
            return;
        }
        let clause = &case.clauses[number];
        self.stand_at(clause.location);
        if let Some(case) = announced {
            self.builder.push(Op::Enter { case, clause: number as u32 }, clause.place());
        }
        match self.is_observed() {
            true => self.observed_clause(case, number, place),
            false => self.body(&clause.body, place),
        }
    }

    /// Enters a choice into the table, unless the source shows none.
    pub fn announce(&mut self, case: &'a Case) -> Option<u32> {
        if self.in_guard || case.clauses.iter().all(|clause| clause.place() == Location::NONE) {
            return None;
        }
        let kind = if self.is_function_level(case) { CaseKind::Function } else { CaseKind::Case };
        let clauses = case.clauses.iter().map(Clause::place).collect();
        Some(self.builder.case(kind, self.at, clauses))
    }

    /// True if these are the clauses of the function itself: a case of all its parameters that comes first or ends
    /// with the failure of the whole function.
    fn is_function_level(&mut self, case: &Case) -> bool {
        let params = are_vars(&case.args, &self.params);
        let first = std::mem::replace(&mut self.at_start, false) && !self.params.is_empty();
        params && (first || case.clauses.last().is_some_and(|clause| fails_function(&clause.body)))
    }
}

impl Clause {
    /// The place of the clause in the source.
    fn place(&self) -> Location {
        if self.generated { Location::NONE } else { self.location }
    }
}

fn fails_function(body: &Body) -> bool {
    let last = body.steps.last().map(|step| &step.action);
    let Some(Action::Primop { op: Primitive::MatchFail, args }) = last else { return false };
    args.first().and_then(Value::tag) == Some(known::FUNCTION_CLAUSE)
}
