//! `try` and `catch`: the body's blocks have a handler, whose block receives the exception.

use ir::{BlockId, Catch, Op, Operand, Primitive, Reg, Test};
use term::{Term, known};

use super::Lowering;
use super::place::Place;
use crate::flat::{Body, Try, Var};

impl<'a> Lowering<'_, 'a> {
    /// Lowers a protected body; `first` is the first of its events, if they are emitted.
    pub fn protect(&mut self, part: &'a Try, first: Option<u32>, place: &Place) {
        let register = |var: &Var| match first {
            Some(_) => Some(self.new_register(*var)),
            None => self.wanted_register(*var),
        };
        let caught: Vec<Option<Reg>> = part.caught.iter().map(register).collect();
        let get = |at: usize| caught.get(at).copied().flatten();
        let handler = self.builder.catch_block(self.handler, Catch { class: get(0), reason: get(1), raw: get(2) });
        let at = self.at;
        if first.is_none() && part.passes_on() {
            self.under(handler, |this| this.body(&part.body, place));
        } else {
            let ok = self.builder.block(self.handler);
            let vars: Vec<Option<Reg>> = part.vars.iter().map(|var| self.wanted_register(*var)).collect();
            self.under(handler, |this| this.closed(&part.body, first, &Place::values(vars, Some(ok))));
            self.builder.start(ok);
            self.closed(&part.ok, first.map(|first| first + 1), place);
        }
        self.builder.start(handler);
        self.at = at;
        if let (Some(first), Some(class), Some(reason)) = (first, get(0), get(1)) {
            self.emit_caught(first + 2, class, reason);
        }
        self.closed(&part.handler, first.map(|first| first + 3), place);
    }

    /// Lowers something whose exceptions go to a handler.
    pub fn under(&mut self, handler: BlockId, lower: impl FnOnce(&mut Self)) {
        let start = self.builder.block(Some(handler));
        self.builder.jump(start, self.at);
        self.builder.start(start);
        let outside = self.handler.replace(handler);
        lower(self);
        self.handler = outside;
    }

    /// An exception becomes a value with its class; `first` is the first of its events, if they are emitted.
    pub fn catch(&mut self, body: &'a Body, first: Option<u32>, place: &Place) {
        let [class, reason, raw] = [(); 3].map(|()| self.builder.register());
        let catch = Catch { class: Some(class), reason: Some(reason), raw: Some(raw) };
        let handler = self.builder.catch_block(self.handler, catch);
        let at = self.at;
        self.under(handler, |this| this.closed(body, first, place));
        self.at = at;

        let [thrown, other, exit, error] = [(); 4].map(|()| self.builder.block(self.handler));
        self.builder.start(handler);
        first.into_iter().for_each(|first| self.emit_caught(first + 1, class, reason));
        self.test(Test::Literal(Term::atom(known::THROW)), [class.into()], [], thrown, other);
        self.builder.start(thrown);
        self.give_register(reason, place);
        self.builder.start(other);
        self.test(Test::Literal(Term::atom(known::EXIT)), [class.into()], [], exit, error);
        self.builder.start(exit);
        self.give_exit(reason.into(), place);
        self.builder.start(error);
        let stack = self.builder.register();
        let op = Primitive::BuildStacktrace;
        self.builder.push(Op::Primitive { to: stack, op, args: vec![raw.into()] }, self.at);
        let reason = self.tuple(vec![reason.into(), stack.into()]);
        self.give_exit(reason, place);
    }

    fn give_exit(&mut self, reason: Operand, place: &Place) {
        let items = vec![Operand::Literal(Term::atom(known::EXIT_UPPER)), reason];
        self.operation(place, |to| Op::Tuple { to, items });
    }
}
