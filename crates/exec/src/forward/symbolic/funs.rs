//! Calls of funs that are inputs, or that inputs gave: what they give is a new unknown of the fun and its arguments.

use constraint::{Expr, Test, Type};
use ops::{Control, Rule};
use term::{Atom, Fun, Mark, Mfa, Table, Term};

use super::pin::{any_part, is_marked};
use super::recorder::GapKind;
use super::watch::Watch;
use crate::forward::code::Slot;
use crate::forward::machine::{Cursor, Engine};

const IS_FUN: u32 = 0;
const TAKES_AS_MANY: u32 = 1;
const IS_INTEGER: u32 = 2;
const IS_NEGATIVE: u32 = 3;
const IS_ARITY: u32 = 4;

impl Engine<'_> {
    /// The fun behind the arguments in the window is about to be called. Gives the place to go on where it has
    /// answered already.
    pub fn observe_fun(&mut self, at: Cursor, window: Slot, arity: u8, tail: bool) -> Option<Cursor> {
        let fun = at.slot(window + Slot::from(arity));
        if !fun.mark().is_some() && fun.as_table().is_none() {
            return None;
        }
        let fun = fun.clone();
        let mark = self.watch(at)?.called(&fun, at.window(window, arity))?;
        Some(self.call_table(at, fun.as_table()?, window, mark, tail))
    }

    /// Records that the callee cannot be called with any arguments.
    pub fn observe_no_fun(&mut self, at: Cursor, fun: &Term) {
        if let Some(mut watch) = self.watch(at) {
            watch.is(IS_FUN, fun, Type::Function);
        }
    }
}

impl Watch<'_> {
    /// Asks whether the fun can be called so. Gives what its result stands for, if it is a table that takes these
    /// arguments.
    fn called(&mut self, fun: &Term, args: &[Term]) -> Option<Mark> {
        let arity = args.len() as u8;
        if self.is(IS_FUN, fun, Type::Function) {
            self.ask_arity(fun, arity);
        }
        if !takes(fun, arity) {
            return None;
        }
        let Some(table) = fun.as_table() else {
            self.pin_all(Rule::Control(Control::ApplyFun).function(usize::from(arity) + 1), [fun]);
            return None;
        };
        Some(self.result(fun, table, args))
    }

    fn result(&mut self, fun: &Term, table: &Table, args: &[Term]) -> Mark {
        if !fun.mark().is_some() && (table.rows().is_empty() || !args.iter().any(is_marked)) {
            return Mark::NONE;
        }
        let fun = self.expr(fun);
        let args: Vec<Expr> = match args.iter().any(holds_known_fun) {
            // No row has such an argument: this is what the fun gives for all others. A fun that comes from a caller may
            // call the one that it gets, and give something else for each.
            true => {
                self.note(Rule::Control(Control::ApplyFun).function(args.len() + 1), GapKind::GivenFun);
                vec![self.other(); args.len()]
            }
            false => args.iter().map(|arg| self.expr(arg)).collect(),
        };
        self.recorder.arena.result(fun, args).mark()
    }

    /// An argument that stands in no table.
    fn other(&mut self) -> Expr {
        let function = Rule::Control(Control::ApplyFun).function(2);
        self.recorder.arena.literal(Term::fun(Fun::External(function)))
    }

    /// `is_function(F, N)`.
    pub fn is_function(&mut self, fun: &Term, arity: &Term) {
        if !self.is_natural(arity, IS_INTEGER, IS_NEGATIVE) {
            return;
        }
        self.is(IS_FUN, fun, Type::Function);
        let Term::Fun(_, known) = fun else { return };
        match (self.expr_of(arity), arity.as_i64().and_then(|arity| u8::try_from(arity).ok())) {
            (None, None) => {}
            (None, Some(wanted)) => self.ask_arity(fun, wanted),
            (Some(expr), _) => {
                self.which_arity(fun, known.arity());
                let own = self.recorder.integer(i64::from(known.arity()));
                self.ask(IS_ARITY, Test::Same(expr, own), arity.as_i64() == Some(i64::from(known.arity())));
            }
        }
    }

    /// `fun_info(F, Item)`: all but the arity depends on more than the calls of a fun give.
    pub fn fun_info(&mut self, function: Mfa, fun: &Term, item: &Term) {
        self.pin_all(function, [item]);
        let given = self.expr_of(fun).is_some() || fun.as_table().is_some();
        if !given || !self.is(IS_FUN, fun, Type::Function) {
            return;
        }
        let Term::Fun(_, known) = fun else { return };
        match item.as_atom().map(Atom::name) {
            Some("arity") => self.which_arity(fun, known.arity()),
            // A caller may give any fun, also one that has a name; those of the inputs are tables of calls.
            _ => self.loose(function),
        }
    }

    /// The module, the name and the arity of a fun: nothing that it has captured matters.
    pub fn fun_name(&mut self, function: Mfa, fun: &Term) {
        let given = self.expr_of(fun).is_some() || fun.as_table().is_some();
        if given && self.is(IS_FUN, fun, Type::Function) {
            self.loose(function);
        }
    }

    /// Asks how many arguments a fun takes, one number after the other, so that other funs are asked the same.
    fn which_arity(&mut self, fun: &Term, arity: u8) {
        (0..=arity).for_each(|arity| self.ask_arity(fun, arity));
    }

    fn ask_arity(&mut self, fun: &Term, arity: u8) {
        if let Some(expr) = self.expr_of(fun) {
            self.ask(TAKES_AS_MANY, Test::Arity(expr, arity), takes(fun, arity));
        }
    }
}

fn takes(fun: &Term, arity: u8) -> bool {
    matches!(fun, Term::Fun(_, fun) if fun.arity() == arity)
}

/// True if there is a fun in the term that does not come from the inputs.
fn holds_known_fun(term: &Term) -> bool {
    !term.mark().is_some() && (matches!(term, Term::Fun(..)) || any_part(term, &mut holds_known_fun))
}
