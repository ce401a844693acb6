//! Values: variables and literals are operands, conses and tuples are built.

use std::rc::Rc;

use ir::{Op, Operand, Reg};

use super::condition::Condition;
use super::local::{Lifted, Local, Reach};
use super::place::nil;
use super::{Binding, Lowering};
use crate::flat::{Name, Value, Var};

impl<'a> Lowering<'_, 'a> {
    /// The operand of a value.
    pub fn operand(&mut self, value: &Value) -> Operand {
        match value {
            Value::Var(var) => self.variable(*var),
            Value::Literal(literal) => Operand::Literal(literal.clone()),
            Value::Cons(_) | Value::Tuple(_) | Value::Function(_) => {
                let to = self.builder.register();
                self.put(value, to);
                to.into()
            }
        }
    }

    /// The operands of values.
    pub fn operands<'v>(&mut self, values: impl IntoIterator<Item = &'v Value>) -> Vec<Operand> {
        values.into_iter().map(|value| self.operand(value)).collect()
    }

    /// The operand of a variable.
    pub fn variable(&mut self, var: Var) -> Operand {
        match self.bindings.get(&var) {
            Some(Binding::Operand(operand)) => operand.clone(),
            Some(Binding::Condition(condition)) => {
                let condition = Rc::clone(condition);
                let to = self.builder.register();
                self.compute(&condition, to);
                to.into()
            }
            Some(Binding::Function(function)) => {
                let function = function.clone();
                let to = self.builder.register();
                let op = self.closure(&function, to);
                self.builder.push(op, self.at);
                to.into()
            }
            None => {
                self.fail(format!("{} is not bound", self.name(var)));
                nil()
            }
        }
    }

    /// Computes a value into a register.
    pub fn put(&mut self, value: &Value, to: Reg) {
        if let Some(condition) = self.pending(value) {
            return self.compute(&condition, to);
        }
        let op = match value {
            Value::Var(_) | Value::Literal(_) => Op::Copy { to, from: self.operand(value) },
            Value::Cons(_) => return self.list(value, to),
            Value::Tuple(items) => Op::Tuple { to, items: term::deeper(|| self.operands(items)) },
            Value::Function(name) => self.function_value(*name, to),
        };
        self.builder.push(op, self.at);
    }

    fn pending(&self, value: &Value) -> Option<Rc<Condition<'a>>> {
        match value {
            Value::Var(var) => match self.bindings.get(var) {
                Some(Binding::Condition(condition)) => Some(Rc::clone(condition)),
                _ => None,
            },
            _ => None,
        }
    }

    /// Builds a list from its end, cell by cell: lists in sources are long.
    fn list(&mut self, value: &Value, to: Reg) {
        let (mut heads, mut rest) = (Vec::new(), value);
        while let Value::Cons(pair) = rest {
            heads.push(term::deeper(|| self.operand(&pair.0)));
            rest = &pair.1;
        }
        let mut tail = self.operand(rest);
        while let Some(head) = heads.pop() {
            let cell = if heads.is_empty() { to } else { self.builder.register() };
            self.builder.push(Op::Cons { to: cell, head, tail }, self.at);
            tail = cell.into();
        }
    }

    fn function_value(&mut self, name: Name, to: Reg) -> Op {
        match self.named_function(name) {
            Some(function) => self.closure(&function, to),
            None => Op::Copy { to, from: nil() },
        }
    }

    fn closure(&mut self, lifted: &Lifted, to: Reg) -> Op {
        let function = match lifted.kind {
            Reach::Unit => lifted.function,
            Reach::Module => self.lifting.stand_in(lifted.function),
        };
        let captured = lifted.captured.iter().map(|var| self.variable(*var)).collect();
        Op::Closure { to, function, captured }
    }

    /// A local function, or one of the module.
    fn named_function(&mut self, name: Name) -> Option<Lifted> {
        match self.scope.find(name) {
            None => {
                let function = self.mfa(name.function, usize::from(name.arity));
                Some(Lifted { function, captured: Rc::new([]), kind: Reach::Module })
            }
            Some(Local::Lifted(function)) => Some(function),
            Some(Local::Label(_)) => {
                self.fail(format!("the label {}/{} is used as a value", name.function, name.arity));
                None
            }
        }
    }

    /// Names a value. A value that must be built is built now, once.
    pub fn name_value(&mut self, var: Var, value: &'a Value) {
        let binding = match value {
            _ if self.lifting.uses(var) == 0 => return,
            Value::Function(name) => match self.named_function(*name) {
                Some(function) => Binding::Function(function),
                None => return,
            },
            Value::Var(old) => {
                if self.booleans.contains(old) {
                    self.booleans.insert(var);
                }
                match self.pending(value) {
                    Some(condition) if self.lifting.uses(var) == 1 => Binding::Condition(condition),
                    _ if matches!(self.bindings.get(old), Some(Binding::Function(_))) => self.bindings[old].clone(),
                    _ => Binding::Operand(self.operand(value)),
                }
            }
            _ => Binding::Operand(self.operand(value)),
        };
        self.bindings.insert(var, binding);
    }

    /// Names an operand that exists already.
    pub fn name_operand(&mut self, var: Var, operand: Operand) {
        self.bindings.insert(var, Binding::Operand(operand));
    }
}
