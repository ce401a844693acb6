//! A choice between `true` and `false` made together with the step that computes the boolean.

use ir::Primitive;
use ops::{Gives, Relation, Rule};
use term::Term;

use super::condition::erlang_call;
use super::place::Place;
use super::{Lowering, is_tail};
use crate::flat::{Action, Body, Case, Clause, LetStep, Pattern, Try, Value};

/// The clauses that `true` and `false` lead to, where that is known without running a guard.
pub struct Outcomes {
    yes: usize,
    no: usize,
}

impl Outcomes {
    /// None if both lead to the same clause: there is nothing to branch to then.
    pub fn of(case: &Case) -> Option<Outcomes> {
        let [yes, no] = [true, false].map(|value| first_match(&case.clauses, value));
        let (yes, no) = (yes?, no?);
        (yes != no).then_some(Outcomes { yes, no })
    }
}

fn first_match(clauses: &[Clause], value: bool) -> Option<usize> {
    let (at, clause) = clauses.iter().enumerate().find(|(_, clause)| may_match(clause, value))?;
    clause.guard.is_bool(true).then_some(at)
}

fn may_match(clause: &Clause, value: bool) -> bool {
    match &clause.patterns[..] {
        [pattern] => match innermost(pattern) {
            Pattern::Var(_) => true,
            Pattern::Literal(literal) => literal.as_bool() == Some(value),
            _ => false,
        },
        _ => false,
    }
}

fn innermost(mut pattern: &Pattern) -> &Pattern {
    while let Pattern::Alias(_, inner) = pattern {
        pattern = inner;
    }
    pattern
}

impl<'a> Lowering<'_, 'a> {
    /// True if a step computes a boolean that only decides the next step.
    pub fn decides(&self, step: &LetStep, next: &LetStep) -> bool {
        let ([var], Action::Case(case)) = (&step.binds[..], &next.action) else { return false };
        let looked_at = matches!(&case.args[..], [Value::Var(arg)] if arg == var) && self.lifting.uses(*var) == 1;
        looked_at && branches(&step.action) && surely_boolean(&step.action, DEPTH) && Outcomes::of(case).is_some()
    }

    /// True if a step's value is only asked to be `true`, at the end of a guard.
    pub fn asks_truth(&self, step: &LetStep, next: &LetStep, place: &Place) -> bool {
        let (Place::Branch { .. }, [var]) = (place, &step.binds[..]) else { return false };
        let asked = match erlang_call(&next.action) {
            Some((operation, [Value::Var(arg), value]))
                if matches!(operation.rule, Rule::Relation(Relation::Same | Relation::Equal)) =>
            {
                arg == var && value.literal().and_then(Term::as_bool) == Some(true)
            }
            _ => false,
        };
        asked && self.lifting.uses(*var) == 1
    }

    /// Lowers a step that [`decides`](Self::decides) the next one, and that.
    pub fn fused_case(&mut self, step: &'a LetStep, next: &'a LetStep, place: &Place) {
        let Action::Case(case) = &next.action else { return };
        let Some(outcomes) = Outcomes::of(case) else { return };
        let [yes, no] = [(); 2].map(|()| self.builder.block(self.handler));
        self.action(&step.action, &Place::Branch { yes, no });
        self.stand_at(next.location);
        self.outcomes(case, &outcomes, yes, no, place);
    }

    /// The two clauses that a condition leads to.
    pub fn outcomes(&mut self, case: &'a Case, outcomes: &Outcomes, yes: ir::BlockId, no: ir::BlockId, place: &Place) {
        let announced = self.announce(case);
        let at = self.at;
        for (block, clause, value) in [(yes, outcomes.yes, true), (no, outcomes.no, false)] {
            self.builder.start(block);
            self.at = at;
            self.name_boolean(&case.clauses[clause].patterns, value);
            self.clause_body(case, clause, announced, place);
        }
    }

    fn name_boolean(&mut self, patterns: &[Pattern], value: bool) {
        let mut rest = patterns.first();
        while let Some(Pattern::Var(var) | Pattern::Alias(var, _)) = rest {
            self.name_operand(*var, ir::Operand::Literal(Term::bool(value)));
            rest = match rest {
                Some(Pattern::Alias(_, inner)) => Some(inner),
                _ => None,
            };
        }
    }

    /// Notes whether a step gives a boolean.
    pub fn note_boolean(&mut self, step: &LetStep) {
        if let [var] = step.binds[..]
            && surely_boolean(&step.action, DEPTH)
        {
            self.booleans.insert(var);
        }
    }
}

impl Try {
    /// True if its value is always a boolean.
    pub fn gives_boolean(&self) -> bool {
        let of = if self.passes_on() { &self.body } else { &self.ok };
        surely_boolean_body(of, DEPTH) && surely_boolean_body(&self.handler, DEPTH)
    }
}

/// The depth to which nested choices are searched for their values.
const DEPTH: u32 = 40;

/// True if an action has several blocks anyway, so that it can branch instead of giving a boolean.
fn branches(action: &Action) -> bool {
    matches!(action, Action::Case(_) | Action::Try(_))
}

/// True if the value, if there is one, is `true` or `false` for certain.
fn surely_boolean(action: &Action, depth: u32) -> bool {
    if depth == 0 {
        return false;
    }
    term::deeper(|| match action {
        Action::Call { .. } => {
            erlang_call(action).is_some_and(|(it, _)| matches!(it.gives, Gives::Boolean | Gives::Nothing))
        }
        Action::Primop { op, .. } => matches!(op, Primitive::MatchFail | Primitive::Raise),
        Action::Case(case) => case.clauses.iter().all(|clause| surely_boolean_body(&clause.body, depth - 1)),
        Action::Try(part) => {
            let of = if part.passes_on() { &part.body } else { &part.ok };
            surely_boolean_body(of, depth - 1) && surely_boolean_body(&part.handler, depth - 1)
        }
        _ => false,
    })
}

fn surely_boolean_body(body: &Body, depth: u32) -> bool {
    match (body.steps.last(), &body.result[..]) {
        (_, [Value::Literal(literal)]) => literal.as_bool().is_some(),
        (Some(last), _) if is_tail(last, body) => surely_boolean(&last.action, depth),
        _ => false,
    }
}
