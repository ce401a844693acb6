//! The flows of one function.

use constraint::Shape;
use ir::{Callee, Op, Operand, Primitive, ProcessOp, Raise, Receive, SegmentKind, Terminator, Test};
use ops::{Control, Gives, Rule};
use term::{Mfa, Term};

use super::cells::{Call, Cell, Flows, Form, INTEGERS, Loss, Pipe, booleans};
use crate::backward::program::{FunctionId, Program, can_enter};

/// Functions that are looked into; what others give is anything.
const MOST_FUNCTIONS: usize = 600;

/// Notes everything that flows in a function that is called.
pub fn transfer(flows: &mut Flows, program: &mut Program<'_>, function: FunctionId) {
    let unit = std::rc::Rc::clone(program.unit(function));
    let name = program.function(function).name;
    let Some(graph) = unit.functions.iter().find(|graph| graph.name == name) else { return };
    let reached: Vec<bool> =
        (0..graph.blocks.len() as u32).map(|block| program.flow(function).is_reached(block)).collect();
    let mut transfer = Transfer { flows, program, function };
    for (block, _) in graph.blocks.iter().zip(reached).filter(|(_, reached)| *reached) {
        if let Some(catch) = block.catch {
            transfer.catch(catch);
        }
        block.body.iter().for_each(|instruction| transfer.instruction(&instruction.op));
        transfer.end(&block.end);
    }
}

/// True if a function has another run in a process of its own, or in its own place, by name.
fn starts_by_name(function: Mfa) -> bool {
    use ProcessOp::{Hibernate, Spawn, SpawnLink, SpawnOpt, SpawnRequest};
    matches!(ops::rule(function), Rule::Process(Spawn | SpawnLink | SpawnOpt | SpawnRequest | Hibernate))
}

struct Transfer<'a, 'b, 'g> {
    flows: &'a mut Flows,
    program: &'b mut Program<'g>,
    function: FunctionId,
}

impl Transfer<'_, '_, '_> {
    fn operand(&mut self, operand: &Operand) -> Cell {
        match operand {
            Operand::Reg(register) => self.flows.register(self.function, *register),
            Operand::Literal(term) => self.flows.literal(term),
        }
    }

    fn operands(&mut self, operands: &[Operand]) -> Vec<Cell> {
        operands.iter().map(|operand| self.operand(operand)).collect()
    }

    fn lose(&mut self, operand: &Operand) {
        let cell = self.operand(operand);
        self.flows.pipe(cell, Pipe::Lost(Loss::Kept));
    }

    fn catch(&mut self, catch: ir::Catch) {
        for register in catch.registers() {
            let cell = self.flows.register(self.function, register);
            self.flows.add_shape(cell, Shape::Any);
        }
    }

    fn instruction(&mut self, op: &Op) {
        let Some(to) = op.written() else { return };
        let to = self.flows.register(self.function, to);
        match op {
            Op::Copy { from, .. } => {
                let from = self.operand(from);
                self.flows.pipe(from, Pipe::To(to));
            }
            Op::Cons { head, tail, .. } => {
                let (head, tail) = (self.operand(head), self.operand(tail));
                self.flows.add_shape(to, Shape::Cons(head, tail));
            }
            Op::Tuple { items, .. } => {
                let items = self.operands(items);
                self.flows.add_shape(to, Shape::Tuple(items));
            }
            Op::Map { base, pairs, .. } => {
                self.lose(base);
                for (_, key, value) in pairs {
                    self.lose(key);
                    self.lose(value);
                }
                let map = self.flows.some_map();
                self.flows.add_shape(to, map);
            }
            Op::Bits { .. } => self.flows.add_shape(to, Shape::Bits { base: 0, unit: 1 }),
            Op::Closure { function, captured, .. } => self.closure(*function, captured, to),
            Op::Call { callee, args, .. } => self.call(callee, args, to),
            Op::Primitive { op, args, .. } => {
                // Code that looks at a stack trace, or at the end of a process, gets hold of the arguments in it.
                if matches!(op, Primitive::BuildStacktrace | Primitive::Receive(Receive::Peek)) {
                    let traces = self.flows.traces;
                    self.flows.pipe(traces, Pipe::Lost(Loss::Kept));
                }
                args.iter().for_each(|arg| self.lose(arg));
                self.flows.add_shape(to, Shape::Any);
            }
            Op::Enter { .. } | Op::Line(_) => {}
        }
    }

    fn closure(&mut self, lifted: Mfa, captured: &[Operand], to: Cell) {
        let captured = self.operands(captured);
        let Some(id) = self.program.find(lifted) else { return self.flows.add_shape(to, Shape::Any) };
        let params = self.program.function(id).params.clone();
        let free = params.len() - captured.len().min(params.len());
        for (value, param) in captured.into_iter().zip(&params[free..]) {
            let cell = self.flows.register(id, *param);
            self.flows.pipe(value, Pipe::To(cell));
        }
        self.flows.add(to, Form::Closure(id));
    }

    fn call(&mut self, callee: &Callee, args: &[Operand], to: Cell) {
        let args = self.operands(args);
        if let Callee::Fun(fun) = callee {
            let fun = self.operand(fun);
            let number = self.flows.calls.len() as u32;
            self.flows.calls.push(Call { args, to });
            return self.flows.pipe(fun, Pipe::Called(number));
        }
        let Some(name) = callee.named(args.len()) else {
            self.call_value(callee, args.len());
            return self.unknown(&args, Loss::Named, to);
        };
        if self.native(name, &args, to) {
            return;
        }
        self.flows.runs_others |= starts_by_name(name);
        // A function under test runs by its graph, under any name.
        let id = match callee {
            Callee::Local(_) => self.program.find(name),
            _ => can_enter(self.program, name),
        };
        self.flows.capped |= id.is_some_and(|id| id.0 as usize >= MOST_FUNCTIONS);
        match id.filter(|id| (id.0 as usize) < MOST_FUNCTIONS) {
            Some(id) => self.flows.enter(self.program, id, &args, to),
            None => self.unknown(&args, self.loss(name), to),
        }
    }

    fn unknown(&mut self, args: &[Cell], loss: Loss, to: Cell) {
        args.iter().for_each(|arg| self.flows.pipe(*arg, Pipe::Lost(loss)));
        self.flows.add_shape(to, Shape::Any);
    }

    /// A call of a function whose name is a value: it matters if it may be one under test.
    fn call_value(&mut self, callee: &Callee, arity: usize) {
        let Callee::Remote { module, function } = callee else { return };
        let named = match function {
            Operand::Literal(name) => name.as_atom(),
            Operand::Reg(_) => None,
        };
        if named.is_none_or(|name| self.program.has_under_test(name, arity)) {
            let module = self.operand(module);
            self.flows.pipe(module, Pipe::Lost(Loss::Named));
        }
    }

    /// The loss of what a function that is not looked into is given. Names that libraries send to their processes may be
    /// called there.
    fn loss(&self, name: Mfa) -> Loss {
        let is_library = !self.program.is_under_test(self.function);
        match ops::rule(name) {
            Rule::Control(Control::ApplyFun | Control::ApplyNamed | Control::MakeFun) => Loss::Named,
            _ if starts_by_name(name) || ops::find(name).is_none() => Loss::Named,
            Rule::Process(_) if is_library => Loss::Named,
            _ => Loss::Kept,
        }
    }

    /// Operations whose values are known by kind; false for others.
    fn native(&mut self, name: Mfa, args: &[Cell], to: Cell) -> bool {
        let Some(operation) = ops::find(name) else { return false };
        let flows = &mut *self.flows;
        match (operation.gives, args) {
            (Gives::Integer | Gives::Between(..), _) => flows.add_shape(to, INTEGERS),
            (Gives::Float, _) => flows.add_shape(to, Shape::Float),
            (Gives::Number, args) => args.iter().for_each(|arg| flows.pipe(*arg, Pipe::Number(to))),
            (Gives::Boolean, _) => booleans().into_iter().for_each(|shape| flows.add_shape(to, shape)),
            (Gives::Head, [list, ..]) => flows.pipe(*list, Pipe::Head(to)),
            (Gives::Tail, [list, ..]) => flows.pipe(*list, Pipe::Tail(to)),
            (Gives::Elements, [list, rest @ ..]) => self.elements(*list, rest.first().copied(), to),
            (Gives::Nothing, args) => args.iter().for_each(|arg| flows.pipe(*arg, Pipe::Lost(Loss::Kept))),
            _ => return false,
        }
        // Another process may get hold of it.
        if matches!(operation.rule, Rule::Process(_)) {
            args.iter().for_each(|arg| self.flows.pipe(*arg, Pipe::Lost(Loss::Kept)));
        }
        true
    }

    /// A list with the elements of another, and what comes behind them.
    fn elements(&mut self, list: Cell, rest: Option<Cell>, to: Cell) {
        let each = self.flows.cell();
        self.flows.pipe(list, Pipe::Each(each));
        self.flows.add_shape(to, Shape::Cons(each, to));
        match rest {
            Some(rest) => self.flows.pipe(rest, Pipe::To(to)),
            None => self.flows.add_shape(to, Shape::Literal(Term::nil())),
        }
    }

    fn end(&mut self, end: &Terminator) {
        match end {
            Terminator::Jump(_) => {}
            Terminator::Branch { test, args, outs, .. } => self.branch(test, args, outs),
            Terminator::Return(value) => {
                let (value, result) = (self.operand(value), self.flows.result(self.function));
                self.flows.pipe(value, Pipe::To(result));
            }
            Terminator::TailCall { callee, args } => {
                let result = self.flows.result(self.function);
                self.call(callee, args, result);
            }
            Terminator::Raise(Raise::Error(reason)) => self.lose(reason),
            Terminator::Raise(Raise::FunctionClause(args)) => {
                let traces = self.flows.traces;
                for arg in self.operands(args) {
                    self.flows.pipe(arg, Pipe::To(traces));
                }
            }
            Terminator::Raise(Raise::Again { reason, .. }) => self.lose(reason),
        }
    }

    fn branch(&mut self, test: &Test, args: &[Operand], outs: &[Option<ir::Reg>]) {
        let Some(value) = args.first() else { return };
        let value = self.operand(value);
        for (at, out) in outs.iter().enumerate() {
            let Some(out) = out else { continue };
            let out = self.flows.register(self.function, *out);
            let pipe = match (test, at) {
                (Test::Cons, 0) => Pipe::Head(out),
                (Test::Cons, _) => Pipe::Tail(out),
                (Test::Tuple(size), at) => Pipe::Element(at as u32, Some(*size), out),
                (Test::MapKey, _) => Pipe::Value(out),
                (Test::Segment(segment), at) => {
                    let shape = match segment.kind {
                        SegmentKind::Float if at == 0 => Shape::Float,
                        kind if at == 0 && kind != SegmentKind::Bits => INTEGERS,
                        _ => Shape::Bits { base: 0, unit: 1 },
                    };
                    self.flows.add_shape(out, shape);
                    continue;
                }
                _ => {
                    self.flows.add_shape(out, Shape::Any);
                    continue;
                }
            };
            self.flows.pipe(value, pipe);
        }
    }
}
