//! Flattening what cannot fail: variables, literals, conses and tuples.

use term::Term;

use super::flatten::{Flat, Flattener};
use super::{Action, LetStep, Value, Var};
use crate::core::node::{list, literal, name, record};
use crate::core::{CoreError, Named, Variable, variable, variable_or_function};

/// Values are trees of boxes; one that is deeper than this is built in several steps.
const MAX_DEPTH: u32 = 200;

impl Flattener<'_> {
    pub(super) fn value(&mut self, node: &Term, steps: &mut Vec<LetStep>) -> Flat<Value> {
        match name(node) {
            "c_literal" => literal(node).cloned().map(Value::Literal),
            "c_var" => match variable_or_function(node)? {
                Named::Variable(variable) => self.variable(variable).map(Value::Var),
                Named::Function(name) => Ok(Value::Function(self.scope.function(name))),
            },
            "c_tuple" => self.tuple(node, steps),
            _ => self.cons(node, steps),
        }
    }

    pub(super) fn variable(&self, variable: Variable) -> Flat<Var> {
        self.scope.variable(variable).ok_or_else(|| unbound(variable))
    }

    fn tuple(&mut self, node: &Term, steps: &mut Vec<LetStep>) -> Flat<Value> {
        let [_, items] = record(node, "c_tuple")?;
        let items = list(items, "expressions")?.into_iter().map(|item| self.part(item, steps));
        items.collect::<Flat<_>>().map(tuple)
    }

    /// A list is walked cell by cell: it can be long.
    fn cons(&mut self, mut node: &Term, steps: &mut Vec<LetStep>) -> Flat<Value> {
        let mut heads = Vec::new();
        while name(node) == "c_cons" {
            let [_, head, tail] = record(node, "c_cons")?;
            heads.push(self.part(head, steps)?);
            node = tail;
        }
        let mut list = self.part(node, steps)?;
        for (at, head) in heads.into_iter().rev().enumerate() {
            list = cons(head, list);
            if at as u32 % MAX_DEPTH == MAX_DEPTH - 1 {
                list = self.hoisted(list, steps);
            }
        }
        Ok(list)
    }

    /// An element of a tuple or list.
    fn part(&mut self, node: &Term, steps: &mut Vec<LetStep>) -> Flat<Value> {
        self.nesting += 1;
        let value = self.single(node, steps);
        self.nesting -= 1;
        match self.nesting % MAX_DEPTH == MAX_DEPTH - 1 {
            true => Ok(self.hoisted(value?, steps)),
            false => value,
        }
    }

    /// Gives a value that is not simple a name of its own.
    fn hoisted(&mut self, value: Value, steps: &mut Vec<LetStep>) -> Value {
        if !matches!(value, Value::Cons(_) | Value::Tuple(_)) {
            return value;
        }
        let var = self.scope.nameless();
        steps.push(LetStep { binds: vec![var], action: Action::Values(vec![value]), location: ir::Location::NONE });
        Value::Var(var)
    }

    /// A key or size in a pattern: it is not evaluated, and sees what the pattern has bound in `inner` first.
    pub(super) fn known(&self, node: &Term, inner: &[(Variable, Var)]) -> Flat<Value> {
        self.known_at(node, inner, 0)
    }

    fn known_at(&self, node: &Term, inner: &[(Variable, Var)], depth: u32) -> Flat<Value> {
        if depth > MAX_DEPTH {
            return Err(CoreError::new(format!("a key or size in a pattern is nested more than {MAX_DEPTH} deep")));
        }
        let known = |part: &Term| self.known_at(part, inner, depth + 1);
        match name(node) {
            "c_literal" => literal(node).cloned().map(Value::Literal),
            "c_var" => {
                let variable = variable(node)?;
                let bound = inner.iter().rev().find(|(bound, _)| *bound == variable);
                bound.map_or_else(|| self.variable(variable), |(_, var)| Ok(*var)).map(Value::Var)
            }
            "c_tuple" => {
                let [_, items] = record(node, "c_tuple")?;
                list(items, "expressions")?.into_iter().map(known).collect::<Flat<_>>().map(tuple)
            }
            "c_cons" => record(node, "c_cons").and_then(|[_, head, tail]| Ok(cons(known(head)?, known(tail)?))),
            _ => Err(CoreError::new("a key or size in a pattern is not a value")),
        }
    }
}

fn unbound(variable: Variable) -> CoreError {
    CoreError::new(match variable {
        Variable::Number(number) => format!("the variable {number} is not bound"),
        Variable::Named(name) => format!("the variable {} is not bound", name.name()),
    })
}

fn cons(head: Value, tail: Value) -> Value {
    match (head, tail) {
        (Value::Literal(head), Value::Literal(tail)) => Value::Literal(Term::cons(head, tail)),
        parts => Value::Cons(Box::new(parts)),
    }
}

fn tuple(items: Vec<Value>) -> Value {
    let literal = |item: &Value| match item {
        Value::Literal(term) => Some(term.clone()),
        _ => None,
    };
    match items.iter().map(literal).collect::<Option<Vec<Term>>>() {
        Some(terms) => Value::Literal(Term::tuple(terms)),
        None => Value::Tuple(items),
    }
}
