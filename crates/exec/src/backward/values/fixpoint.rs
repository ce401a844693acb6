//! The flow of forms through pipes, until nothing changes.

use constraint::Shape;

use super::cells::{Call, Cell, Flows, Form, INTEGERS, Loss, Pipe};
use super::transfer;
use crate::backward::program::{FunctionId, Program};

impl Flows {
    /// Lets forms flow, and enters called functions, until nothing changes.
    pub fn settle(&mut self, program: &mut Program<'_>) {
        let mut looked = 0;
        while !self.lost {
            if let Some((cell, form)) = self.fresh.pop() {
                for pipe in self.pipes[cell.0 as usize].clone() {
                    self.flow_in(program, &form, pipe);
                }
            } else if looked < self.called.len() {
                let function = self.called[looked];
                looked += 1;
                transfer::transfer(self, program, function);
            } else {
                return;
            }
        }
    }

    /// Leads one form through a pipe.
    pub fn flow(&mut self, form: &Form, pipe: Pipe) {
        // A pipe that needs the program waits for its turn.
        let cell = match pipe {
            Pipe::To(cell) => return self.add(cell, form.clone()),
            Pipe::Head(cell)
            | Pipe::Tail(cell)
            | Pipe::Element(_, _, cell)
            | Pipe::Each(cell)
            | Pipe::Value(cell)
            | Pipe::Number(cell) => cell,
            Pipe::Called(_) | Pipe::Lost(_) => return self.later(form, pipe),
        };
        let Form::Shape(shape) = form else { return };
        match (pipe, shape) {
            (Pipe::Number(_), Shape::Integer { .. }) => self.add_shape(cell, INTEGERS),
            (Pipe::Number(_), Shape::Literal(term)) if term.is_integer() => self.add_shape(cell, INTEGERS),
            (Pipe::Number(_), Shape::Float) => self.add_shape(cell, Shape::Float),
            (Pipe::Number(_), Shape::Any) => {
                self.add_shape(cell, INTEGERS);
                self.add_shape(cell, Shape::Float);
            }
            (Pipe::Number(_), _) => {}
            (_, Shape::Any | Shape::Rule(_)) => self.add_shape(cell, Shape::Any),
            (Pipe::Head(_), Shape::Cons(head, _)) => self.pipe(*head, Pipe::To(cell)),
            (Pipe::Tail(_), Shape::Cons(_, tail)) => self.pipe(*tail, Pipe::To(cell)),
            (Pipe::Each(_), Shape::Cons(head, tail)) => {
                self.pipe(*head, Pipe::To(cell));
                self.pipe(*tail, pipe);
            }
            (Pipe::Element(at, size, _), Shape::Tuple(items))
                if size.is_none_or(|size| items.len() == size as usize) =>
            {
                if let Some(item) = items.get(at as usize) {
                    self.pipe(*item, Pipe::To(cell));
                }
            }
            (Pipe::Element(..), Shape::AnyTuple) => self.add_shape(cell, Shape::Any),
            (Pipe::Value(_), Shape::Map(fields)) => {
                fields.iter().for_each(|field| self.pipe(field.value, Pipe::To(cell)));
            }
            _ => {}
        }
    }

    fn later(&mut self, form: &Form, pipe: Pipe) {
        let cell = self.cell();
        self.pipes[cell.0 as usize].push(pipe);
        self.cells[cell.0 as usize].push(form.clone());
        self.fresh.push((cell, form.clone()));
    }

    fn flow_in(&mut self, program: &mut Program<'_>, form: &Form, pipe: Pipe) {
        match (pipe, form) {
            (Pipe::Called(number), Form::Closure(function)) => self.call_closure(program, number, *function),
            (Pipe::Called(number), Form::Shape(Shape::Any | Shape::Fun { .. })) => {
                let Call { args, to } = self.calls[number as usize].clone();
                args.into_iter().for_each(|arg| self.pipe(arg, Pipe::Lost(Loss::Kept)));
                self.add_shape(to, Shape::Any);
            }
            (Pipe::Called(_), _) => {}
            (Pipe::Lost(_), Form::Closure(function)) => self.call_with_anything(program, *function),
            (Pipe::Lost(loss), Form::Shape(shape)) => {
                self.lose_parts(shape, pipe);
                self.lose_name(shape, loss);
            }
            (pipe, form) => self.flow(form, pipe),
        }
    }

    /// Calls a closure, if it takes as many arguments.
    fn call_closure(&mut self, program: &Program<'_>, number: u32, function: FunctionId) {
        let callee = program.function(function);
        let Call { args, to } = self.calls[number as usize].clone();
        if args.len() == callee.params.len() - callee.captured as usize {
            self.enter(program, function, &args, to);
        }
    }

    /// Calls a function: arguments flow into the parameters, and the result back.
    pub fn enter(&mut self, program: &Program<'_>, function: FunctionId, args: &[Cell], to: Cell) {
        for (arg, param) in args.iter().zip(&program.function(function).params) {
            let cell = self.register(function, *param);
            self.pipe(*arg, Pipe::To(cell));
        }
        let result = self.result(function);
        self.pipe(result, Pipe::To(to));
        self.call(function);
    }
}
