//! Checking values and patterns.

use term::{Fun, Term};

use super::{Checker, State};
use frontend::flat::{Pattern, Value, Var};

impl Checker<'_> {
    /// Checks values.
    pub fn values<'v>(&mut self, values: impl IntoIterator<Item = &'v Value>) {
        values.into_iter().for_each(|value| self.value(value));
    }

    /// Checks a value.
    pub fn value(&mut self, value: &Value) {
        term::deeper(|| match value {
            Value::Var(var) => self.used(*var),
            Value::Literal(term) => self.literal(term),
            Value::Cons(parts) => self.values([&parts.0, &parts.1]),
            Value::Tuple(items) => self.values(items),
            Value::Function(name) => {
                if self.function(*name) {
                    self.flaw(format!("the label {} is used as a value", name.function.name()));
                }
            }
        });
    }

    fn used(&mut self, var: Var) {
        match self.variables.get(var.0 as usize) {
            Some(State::Bound) => {}
            Some(State::Unbound) => self.flaw(format!("variable {} is used before it is bound", var.0)),
            Some(State::Gone) => self.flaw(format!("variable {} is used out of its scope", var.0)),
            None => self.flaw(format!("variable {} has no name", var.0)),
        }
    }

    fn literal(&mut self, term: &Term) {
        let mut todo = vec![term];
        while let Some(term) = todo.pop() {
            match term {
                Term::Cons(_, cell) => todo.extend([&cell.head, &cell.tail]),
                Term::Tuple(_, items) => todo.extend(items.iter()),
                Term::Map(_, map) => map.iter().for_each(|(key, value)| todo.extend([key, value])),
                Term::Handle(..) => self.flaw("a literal holds a pid, port or reference"),
                Term::Fun(_, fun) if !matches!(**fun, Fun::External(_)) => self.flaw("a literal holds a closure"),
                _ => {}
            }
        }
    }

    /// Keys are looked at before the pattern binds anything; sizes as the pattern goes.
    pub fn pattern(&mut self, pattern: &Pattern, bound: &mut Vec<Var>) {
        term::deeper(|| match pattern {
            Pattern::Var(var) => self.pattern_variable(*var, bound),
            Pattern::Literal(term) => self.literal(term),
            Pattern::Cons(parts) => {
                self.pattern(&parts.0, bound);
                self.pattern(&parts.1, bound);
            }
            Pattern::Tuple(items) => items.iter().for_each(|item| self.pattern(item, bound)),
            Pattern::Map(pairs) => pairs.iter().for_each(|(key, pattern)| {
                self.key(key, bound);
                self.pattern(pattern, bound);
            }),
            Pattern::Bits(segments) => segments.iter().for_each(|segment| {
                self.value(&segment.size);
                self.pattern(&segment.pattern, bound);
            }),
            Pattern::Alias(var, pattern) => {
                self.pattern_variable(*var, bound);
                self.pattern(pattern, bound);
            }
        });
    }

    fn pattern_variable(&mut self, var: Var, bound: &mut Vec<Var>) {
        self.bind(&[var]);
        bound.push(var);
    }

    fn key(&mut self, key: &Value, bound: &[Var]) {
        self.value(key);
        if matches!(key, Value::Var(var) if bound.contains(var)) {
            self.flaw("a key is bound by the pattern that it stands in");
        }
    }
}
