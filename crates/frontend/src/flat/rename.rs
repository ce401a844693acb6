//! A module under another name: its calls of itself by name go to the new one.

use ops::{Control, Rule};
use term::{Atom, Mfa, Term, known};

use super::{Action, Body, Callee, Lambda, Module, Value};

/// Gives a module another name, its calls of its own functions included. Returns true if its old name is left in its data,
/// through which calls could reach the module that has that name now.
pub fn rename(module: &mut Module, name: Atom) -> bool {
    let mut renaming = Renaming { from: std::mem::replace(&mut module.name, name), to: name, is_left: false };
    module.functions.iter_mut().for_each(|function| renaming.lambda(&mut function.lambda));
    renaming.is_left
}

struct Renaming {
    from: Atom,
    to: Atom,
    is_left: bool,
}

impl Renaming {
    fn lambda(&mut self, lambda: &mut Lambda) {
        self.body(&mut lambda.body);
    }

    fn body(&mut self, body: &mut Body) {
        term::deeper(|| {
            body.steps.iter_mut().for_each(|step| self.action(&mut step.action));
            body.result.iter().for_each(|value| self.look(value));
        });
    }

    fn action(&mut self, action: &mut Action) {
        match action {
            Action::Call { module, function, args } => self.call((module, function), args),
            Action::Values(values) => values.iter().for_each(|value| self.look(value)),
            Action::Apply { function, args } => {
                if let Callee::Value(function) = function {
                    self.look(function);
                }
                args.iter().for_each(|arg| self.look(arg));
            }
            Action::Primop { args, .. } => args.iter().for_each(|arg| self.look(arg)),
            Action::Case(case) => {
                case.args.iter().for_each(|arg| self.look(arg));
                for clause in &mut case.clauses {
                    self.body(&mut clause.guard);
                    self.body(&mut clause.body);
                }
            }
            Action::Fun(fun) => self.lambda(&mut fun.lambda),
            Action::Letrec(letrec) => {
                letrec.functions.iter_mut().for_each(|(_, lambda)| self.lambda(lambda));
                self.body(&mut letrec.body);
            }
            Action::Try(guarded) => {
                [&mut guarded.body, &mut guarded.ok, &mut guarded.handler].into_iter().for_each(|body| self.body(body));
            }
            Action::Catch(body) => self.body(body),
            Action::Map { base, pairs } => {
                self.look(base);
                pairs.iter().flat_map(|(_, key, value)| [key, value]).for_each(|value| self.look(value));
            }
            Action::Bits(segments) => segments.iter().for_each(|segment| self.look(&segment.value)),
            Action::Line(_) => {}
        }
    }

    /// Renames the module of a call, and that of a fun which is made by name or of a call that is made so.
    fn call(&mut self, (module, function): (&mut Value, &Value), args: &mut [Value]) {
        self.replace(module);
        let callee = match (module.literal().and_then(Term::as_atom), function.literal().and_then(Term::as_atom)) {
            (Some(module), Some(function)) => Some(Mfa { module, function, arity: args.len() as u8 }),
            _ => None,
        };
        let names_it = callee.is_some_and(|callee| {
            callee.module == known::ERLANG
                && matches!(ops::rule(callee), Rule::Control(Control::MakeFun | Control::ApplyNamed))
        });
        if let (true, Some(first)) = (names_it, args.first_mut()) {
            self.replace(first);
        }
        args.iter().for_each(|arg| self.look(arg));
    }

    fn replace(&mut self, value: &mut Value) {
        if value.literal().and_then(Term::as_atom) == Some(self.from) {
            *value = Value::Literal(Term::atom(self.to));
        }
    }

    /// Notes the old name in a value.
    fn look(&mut self, value: &Value) {
        self.is_left |= match value {
            Value::Literal(literal) => has_name(literal, self.from),
            Value::Var(_) | Value::Function(_) => false,
            Value::Cons(parts) => return [&parts.0, &parts.1].into_iter().for_each(|part| self.look(part)),
            Value::Tuple(items) => return items.iter().for_each(|item| self.look(item)),
        };
    }
}

/// True if an atom is in a term, or a fun of the module of that name.
fn has_name(term: &Term, name: Atom) -> bool {
    term::deeper(|| match term {
        Term::Atom(_, atom) => *atom == name,
        Term::Tuple(_, items) => items.iter().any(|item| has_name(item, name)),
        Term::Map(_, map) => map.iter().any(|(key, value)| has_name(key, name) || has_name(value, name)),
        Term::Cons(..) => {
            let mut cells = term.cells();
            cells.by_ref().any(|item| has_name(item, name)) || has_name(cells.rest(), name)
        }
        Term::Fun(..) => true,
        _ => false,
    })
}
