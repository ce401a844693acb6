//! Calls, and the operations of the language that have no blocks of their own.

use ir::{Op, Operand, PairKind, Primitive, Raise, Reg, SegmentValue, Terminator, Test};
use ops::{Control, Rule};
use term::{Fun, Mfa, Term, known};

use super::condition::{erlang_call, erlang_function};
use super::local::{Lifted, Local};
use super::place::Place;
use super::{Binding, Lowering};
use crate::flat::{Action, Callee, Name, Segment, Value};

impl<'a> Lowering<'_, 'a> {
    /// Lowers a call of a local function or fun.
    pub fn apply(&mut self, callee: &'a Callee, args: &'a [Value], place: &Place) {
        match callee {
            Callee::Local(name) => self.local(*name, args, place),
            Callee::Value(Value::Function(name)) if usize::from(name.arity) == args.len() => {
                self.local(*name, args, place);
            }
            Callee::Value(value) => {
                if let Some(function) = self.known_function(value, args.len()) {
                    return self.lifted(&function, args, place);
                }
                let callee = ir::Callee::Fun(self.operand(value));
                let args = self.operands(args);
                self.call(callee, args, place);
            }
        }
    }

    fn local(&mut self, name: Name, args: &'a [Value], place: &Place) {
        match self.scope.find(name) {
            Some(Local::Label(label)) => {
                let operands = self.operands(args);
                self.jump(&label, operands);
            }
            Some(Local::Lifted(function)) => self.lifted(&function, args, place),
            None => {
                let callee = ir::Callee::Local(self.mfa(name.function, args.len()));
                let operands = self.operands(args);
                self.call(callee, operands, place);
            }
        }
    }

    fn lifted(&mut self, lifted: &Lifted, args: &'a [Value], place: &Place) {
        let mut operands = self.operands(args);
        operands.extend(lifted.captured.iter().map(|var| self.variable(*var)));
        self.call(ir::Callee::Local(lifted.function), operands, place);
    }

    /// The function that a callee is known to be, if it takes so many arguments.
    fn known_function(&self, callee: &Value, args: usize) -> Option<Lifted> {
        let Value::Var(var) = callee else { return None };
        match self.bindings.get(var) {
            Some(Binding::Function(function)) if function.arity() == args => Some(function.clone()),
            _ => None,
        }
    }

    fn call(&mut self, callee: ir::Callee, args: Vec<Operand>, place: &Place) {
        if let (Place::Return, None) = (place, self.handler) {
            return self.builder.end(Terminator::TailCall { callee, args }, self.at);
        }
        self.operation(place, |to| Op::Call { to, callee, args });
    }

    /// Lowers a call of a named function.
    pub fn remote(&mut self, action: &'a Action, place: &Place) {
        if let Place::Branch { yes, no } = place
            && let Some(condition) = self.condition(action)
        {
            return self.branch(&condition, *yes, *no);
        }
        if let Some(fun) = external_fun(action) {
            return self.operation(place, |to| Op::Copy { to, from: Operand::Literal(fun) });
        }
        let Action::Call { module, function, args } = action else { return };
        let callee = ir::Callee::Remote { module: self.operand(module), function: self.operand(function) };
        let callee = match callee.named(args.len()).map(|function| (ops::rule(function), function)) {
            Some((Rule::Process(op), function)) => ir::Callee::Process { op, function },
            _ => callee,
        };
        let mut args = self.operands(args);
        if let Some((Rule::Plus, [Value::Var(_)])) = erlang_call(action).map(|(it, args)| (it.rule, args)) {
            // Compiled code adds zero, which makes 0.0 of -0.0; only the function itself, applied, does nothing.
            args.push(Operand::Literal(Term::int(0)));
        }
        if is_built_in(action) {
            return self.operation(place, |to| Op::Call { to, callee, args });
        }
        self.call(callee, args, place);
    }

    /// Lowers a primitive operation.
    pub fn primop(&mut self, op: Primitive, args: &'a [Value], place: &Place) {
        let raise = match (op, args) {
            (Primitive::MatchFail, [reason]) => self.match_fail(reason),
            (Primitive::Raise, [raw, reason]) => Raise::Again { reason: self.operand(reason), raw: self.operand(raw) },
            _ => return self.primitive(op, args, place),
        };
        self.builder.end(Terminator::Raise(raise), self.at);
    }

    fn match_fail(&mut self, reason: &'a Value) -> Raise {
        let function_clause = reason.tag() == Some(known::FUNCTION_CLAUSE);
        match reason {
            Value::Tuple(items) if function_clause => Raise::FunctionClause(self.operands(&items[1..])),
            Value::Literal(Term::Tuple(_, items)) if function_clause => {
                Raise::FunctionClause(items[1..].iter().cloned().map(Operand::Literal).collect())
            }
            _ => Raise::Error(self.operand(reason)),
        }
    }

    fn primitive(&mut self, op: Primitive, args: &'a [Value], place: &Place) {
        let args = self.operands(args);
        match place {
            Place::Values { to, next } if to.len() > 1 => {
                let all = self.builder.register();
                self.builder.push(Op::Primitive { to: all, op, args }, self.at);
                self.take_apart(all, to);
                self.go(*next);
            }
            _ => self.operation(place, |to| Op::Primitive { to, op, args }),
        }
    }

    /// Several values come as a tuple.
    pub fn take_apart(&mut self, all: Reg, to: &[Option<Reg>]) {
        let [yes, no] = [(); 2].map(|()| self.builder.block(self.handler));
        self.test(Test::Tuple(to.len() as u32), [all.into()], to.iter().copied(), yes, no);
        self.builder.start(no);
        let reason = self.tuple(vec![Operand::Literal(Term::atom(known::BADMATCH)), all.into()]);
        self.builder.end(Terminator::Raise(Raise::Error(reason)), self.at);
        self.builder.start(yes);
    }

    /// Lowers a map expression.
    pub fn map(&mut self, base: &'a Value, pairs: &'a [(PairKind, Value, Value)], place: &Place) {
        let base = self.operand(base);
        let pairs = pairs.iter().map(|(kind, key, value)| (*kind, self.operand(key), self.operand(value))).collect();
        self.operation(place, |to| Op::Map { to, base, pairs });
    }

    /// Lowers a bitstring expression.
    pub fn bits(&mut self, segments: &'a [Segment], place: &Place) {
        let segments = segments.iter().map(|segment| self.segment(segment)).collect();
        self.operation(place, |to| Op::Bits { to, segments });
    }

    fn segment(&mut self, segment: &'a Segment) -> SegmentValue {
        let (value, size) = (self.operand(&segment.value), self.operand(&segment.size));
        SegmentValue { format: segment.format, value, size }
    }
}

/// Built-in functions are no calls in the VM: the caller stays on the stack, and in the stack trace, while they run.
/// Those that call what they are given leave it.
fn is_built_in(action: &Action) -> bool {
    erlang_function(action).is_some_and(|function| !ops::rule(function).is_call())
}

/// `fun m:f/1` with all names known is a literal.
fn external_fun(action: &Action) -> Option<Term> {
    let (operation, [module, function, arity]) = erlang_call(action)? else { return None };
    (operation.rule == Rule::Control(Control::MakeFun)).then_some(())?;
    let (module, function) = (module.literal()?.as_atom()?, function.literal()?.as_atom()?);
    let arity = u8::try_from(arity.literal()?.as_i64()?).ok()?;
    Some(Term::fun(Fun::External(Mfa { module, function, arity })))
}
