//! Operations that change where control goes, so that only the machine itself can do them.

use ir::{Primitive, Receive, Replay};
use ops::{Control, DictionaryOp, Environment, Native, Rule};
use term::{Atom, Class, Exception, Fun, Mfa, Term, known};

use super::arith::bad;
use super::cursor::Cursor;
use super::engine::Engine;
use super::exceptions::again;
use super::fault::{Fault, Trace};
use super::processes::Received;
use crate::forward::code::Slot;
use crate::forward::program::Callee;
use crate::forward::world::VmCall;

/// Arguments that `apply/2` takes; `apply/3` takes one more.
const MOST_ARGUMENTS: usize = 1022;

fn system_limit() -> Exception {
    Exception::error(Term::atom_named("system_limit"))
}

impl Engine<'_> {
    /// Does what a control operation asks for, with its arguments in the window.
    pub fn control(&mut self, at: Cursor, control: Control, function: Mfa, window: Slot, tail: bool) -> Cursor {
        let args = at.window(window, function.arity);
        let value = match (control, &*args) {
            (Control::ApplyFun, [_, _]) => return self.apply_fun(at, window, tail),
            (Control::ApplyNamed, [_, _, _]) => return self.apply_named(at, window, tail),
            (Control::Error, args) => Err(self.error(at, args)),
            (Control::Exit, [reason]) => Err(thrown(Class::Exit, reason)),
            (Control::Throw, [value]) => Err(thrown(Class::Throw, value)),
            (Control::Raise, [class, reason, stack]) => raise(class, reason, stack),
            (Control::NifError, [reason, ..]) => {
                Err(bad(Rule::Control(control), args, Exception::error(reason.clone())))
            }
            (Control::FunctionExported, [module, name, arity]) => self.function_exported(module, name, arity),
            (Control::MakeFun, [module, name, arity]) => {
                function_named(control, [module, name, arity]).map(|function| Term::fun(Fun::External(function)))
            }
            _ => Err(bad(Rule::Control(control), args, Exception::badarg())),
        };
        let address = self.address(at);
        let at = self.refreshed(address, at);
        self.finish(at, window, function.arity, value, tail)
    }

    /// `error(Reason)`, `error(Reason, Args)`, `error(Reason, Args, Options)`.
    fn error(&self, at: Cursor, args: &[Term]) -> Box<Fault> {
        let Some(reason) = args.first() else { return Fault::here(Exception::badarg()) };
        let mut exception = Exception::error(reason.clone());
        let options = args.get(2).and_then(Term::proper_list).unwrap_or_default();
        let info = options.into_iter().find(|option| matches!(option.as_tuple(), Some([tag, _]) if is_error_info(tag)));
        let shown = args.get(1).filter(|args| matches!(args, Term::Cons(..) | Term::Nil(_))).cloned();
        if shown.is_none() && info.is_none() {
            return Fault::here(exception);
        }
        exception.stack = self.own_entry(at, shown, info);
        Box::new(Fault::Raise { exception, trace: Trace::Callers })
    }

    fn function_exported(&mut self, module: &Term, name: &Term, arity: &Term) -> Result<Term, Box<Fault>> {
        let function = function_named(Control::FunctionExported, [module, name, arity])?;
        let callee = self.program.callee(function, false);
        let found = self.program.resolve(self.state.world, callee);
        if matches!(found, Callee::Vm(VmCall::Closed)) {
            let info = Mfa { function: Atom::new("module_info"), arity: 1, ..function };
            let exports = self.state.vm_call(VmCall::Closed, info, &[Term::atom_named("exports")]);
            let own = Term::tuple([Term::atom(function.function), Term::int(i64::from(function.arity))]);
            return Ok(Term::bool(exports.is_ok_and(|all| all.cells().any(|export| *export == own))));
        }
        Ok(Term::bool(!matches!(found, Callee::Undefined | Callee::Broken(_))))
    }

    /// The facts that only the machine knows about the program's own process; the VM knows the rest.
    pub fn own_info(&mut self, at: Cursor, pid: &Term, item: &Term) -> Option<Term> {
        if *pid != self.state.own_pid() {
            return None;
        }
        let value = match item.as_atom()?.name() {
            "current_stacktrace" => self.stack_trace(at, &Term::nil(), Trace::Here),
            "dictionary" => self.dictionary()?,
            _ => return None,
        };
        Some(Term::tuple([item.clone(), value]))
    }

    /// `erlang:get()`.
    pub fn dictionary(&mut self) -> Option<Term> {
        match ops::native(Rule::Dictionary(DictionaryOp::Get).function(0))? {
            Native::Running(rule) => rule(&mut self.state, &mut []).ok(),
            Native::Pure(_) => None,
        }
    }

    /// `apply(Fun, Args)`.
    fn apply_fun(&mut self, at: Cursor, window: Slot, tail: bool) -> Cursor {
        let args = at.window(window, 2);
        let Some(list) = args[1].proper_list() else {
            let fault = bad(Rule::Control(Control::ApplyFun), args, Exception::badarg());
            return self.fail(at, fault);
        };
        if list.len() > MOST_ARGUMENTS {
            let fault = bad(Rule::Control(Control::ApplyFun), args, system_limit());
            return self.fail(at, fault);
        }
        let fun = args[0].clone();
        if matches!(fun, Term::Tuple(..)) || list.len() > 255 && !matches!(fun, Term::Fun(..)) {
            self.observe_no_fun(at, &fun);
            let fault = Fault::here(Exception::tagged(known::BADFUN, fun));
            return self.fail(at, fault);
        }
        let Ok(arity) = u8::try_from(list.len()) else {
            // The VM compares the lowest byte with the arity.
            return self.unsupported(at, Rule::Control(Control::ApplyFun).function(2), "a fun with so many arguments");
        };
        match self.lay_out(at, window, 2, list, &[fun]) {
            Ok(at) => match self.observe_fun(at, window, arity, tail) {
                Some(next) => next,
                None => self.call_fun_slowly(at, window, arity, tail),
            },
            Err(at) => at,
        }
    }

    /// `apply(Module, Function, Args)`.
    fn apply_named(&mut self, at: Cursor, window: Slot, tail: bool) -> Cursor {
        let args = at.window(window, 3);
        let (module, name) = (args[0].clone(), args[1].clone());
        let parts = (args[2].proper_list(), module.as_atom(), name.as_atom());
        let (Some(list), Some(called_module), Some(function)) = parts else {
            let fault = bad(Rule::Control(Control::ApplyNamed), args, Exception::badarg());
            return self.fail(at, fault);
        };
        if list.len() > MOST_ARGUMENTS + 1 {
            let fault = bad(Rule::Control(Control::ApplyNamed), args, system_limit());
            return self.fail(at, fault);
        }
        let Ok(arity) = u8::try_from(list.len()) else {
            // No function has so many: the trace has the arguments themselves.
            let fault = Fault::undefined(Mfa { module: called_module, function, arity: u8::MAX }, &list, tail);
            return self.fail(at, fault);
        };
        match self.lay_out(at, window, 3, list, &[module, name]) {
            Ok(at) => self.call_named(at, window, arity, tail),
            Err(at) => at,
        }
    }

    /// Replaces the arguments in a window by those of the call to make.
    fn lay_out(
        &mut self,
        at: Cursor,
        window: Slot,
        old: u8,
        args: Vec<Term>,
        extra: &[Term],
    ) -> Result<Cursor, Cursor> {
        at.window(window, old).iter_mut().for_each(|arg| drop(std::mem::take(arg)));
        let at = self.room_for(at, u32::from(window) + (args.len() + extra.len()) as u32)?;
        for (slot, value) in (window..).zip(args.into_iter().chain(extra.iter().cloned())) {
            at.put(slot, value);
        }
        Ok(at)
    }

    /// Does a primitive of the language.
    pub fn primitive(&mut self, at: Cursor, op: Primitive, window: Slot, arity: u8) -> Cursor {
        let args = at.window(window, arity);
        let value = match (op, &*args) {
            (Primitive::BuildStacktrace, [raw]) => Ok(stack_of(raw)),
            (Primitive::Raise, [raw, reason]) => Err(again(reason, raw)),
            (Primitive::RawRaise, [class, reason, raw]) => raise(class, reason, &stack_of(raw)),
            (Primitive::InitWritable, _) => Ok(Term::binary(Vec::new())),
            (Primitive::StepBack, [rest, bits]) => Ok(step_back(rest, bits)),
            (Primitive::Event(event), args) => match self.emit(event, args) {
                true => Ok(Term::nil()),
                false => return self.diverged(at),
            },
            (Primitive::Replay(Replay::Result), args) => self.given(at, window, args),
            (Primitive::Replay(asked), [_, rest @ ..]) if self.has_processes() => {
                let part = if asked == Replay::Timeout { Receive::Wait } else { Receive::Peek };
                match self.receive_part(at, part, rest) {
                    Received::Value(value) => value,
                    Received::Elsewhere(next) => return next,
                }
            }
            (Primitive::Replay(asked), [number, ..]) => match self.receive(at, asked, number) {
                Some(value) => value,
                None => return self.no_receive(at),
            },
            (Primitive::Receive(part), args) if self.has_processes() => match self.receive_part(at, part, args) {
                Received::Value(value) => value,
                Received::Elsewhere(next) => return next,
            },
            (Primitive::Receive(part @ (Receive::Remove | Receive::Next)), []) => {
                match self.receives(part == Receive::Remove) {
                    Some(true) => Ok(Term::nil()),
                    Some(false) => return self.diverged(at),
                    None => return self.no_receive(at),
                }
            }
            (Primitive::Receive(_), _) => return self.no_receive(at),
            (Primitive::MatchFail, [reason]) => Err(self.match_fail(at, reason)),
            // Where native code would have taken over; it has not been loaded.
            (Primitive::NifStart, []) => Ok(Term::nil()),
            (op, _) => {
                let function = self.place(at).function;
                let name = op.name();
                return self.unsupported(at, function, &format!("the primitive {name}/{arity} is unknown"));
            }
        };
        self.finish(at, window, arity, value, false)
    }

    /// True if processes run on the machine, and no other run is replayed.
    fn has_processes(&self) -> bool {
        self.script.is_none() && self.program.options.processes && !self.apart
    }

    fn no_receive(&mut self, at: Cursor) -> Cursor {
        let function = self.place(at).function;
        self.unsupported(at, function, "receive needs the VM")
    }

    fn match_fail(&self, at: Cursor, reason: &Term) -> Box<Fault> {
        match reason.as_tuple() {
            Some([tag, args @ ..]) if tag.as_atom() == Some(known::FUNCTION_CLAUSE) => {
                self.function_clause(at, args.to_vec())
            }
            _ => Fault::error(reason.clone()),
        }
    }
}

fn step_back(rest: &Term, bits: &Term) -> Term {
    match (rest, bits) {
        (Term::Bits(_, rest), Term::Int(_, bits)) => Term::bits(rest.before(*bits as usize)),
        _ => rest.clone(),
    }
}

fn is_error_info(tag: &Term) -> bool {
    tag.as_atom().is_some_and(|tag| tag.name() == "error_info")
}

fn thrown(class: Class, reason: &Term) -> Box<Fault> {
    Fault::here(Exception { class, reason: reason.clone(), stack: Term::nil() })
}

/// The stack trace in what a handler caught.
fn stack_of(raw: &Term) -> Term {
    match raw.as_tuple() {
        Some([_, stack]) => stack.clone(),
        _ => raw.clone(),
    }
}

/// `erlang:raise/3`: gives `badarg` back, as a value, when it cannot be done.
fn raise(class: &Term, reason: &Term, stack: &Term) -> Result<Term, Box<Fault>> {
    let class = class.as_atom().and_then(Class::from_atom);
    let entries = stack.proper_list().filter(|entries| entries.iter().all(is_entry));
    match (class, entries) {
        (Some(class), Some(_)) => {
            let exception = Exception { class, reason: reason.clone(), stack: stack.clone() };
            Err(Box::new(Fault::Raise { exception, trace: Trace::Complete }))
        }
        _ => Ok(Term::atom(known::BADARG)),
    }
}

/// True if a term is what a stack trace is made of.
fn is_entry(entry: &Term) -> bool {
    let is_list = |term: &Term| matches!(term, Term::Nil(_) | Term::Cons(..));
    let are_names = |module: &Term, name: &Term| module.as_atom().is_some() && name.as_atom().is_some();
    match entry.as_tuple() {
        Some([Term::Fun(..), _]) => true,
        Some([Term::Fun(..), _, location]) => is_list(location),
        Some([module, name, _]) => are_names(module, name),
        Some([module, name, _, location]) => are_names(module, name) && is_list(location),
        _ => false,
    }
}

/// The function that three arguments name; `badarg` of the operation if they name none.
fn function_named(control: Control, args: [&Term; 3]) -> Result<Mfa, Box<Fault>> {
    let [module, function, arity] = args;
    let arity = arity.as_i64().and_then(|arity| u8::try_from(arity).ok());
    match (module.as_atom(), function.as_atom(), arity) {
        (Some(module), Some(function), Some(arity)) => Ok(Mfa { module, function, arity }),
        _ => Err(bad(Rule::Control(control), &args.map(Term::clone), Exception::badarg())),
    }
}
