//! Operations written in Rust on marked arguments.

use constraint::{Expr, Op, Type};
use ops::{Control, Rule, Sampling, Subject};
use term::{Class, Mfa, Term};

use super::ets::{Expected, reaches_tables};
use super::identities::{Shown, shown};
use super::pin::{is_marked, unmarked};
use super::watch::Watch;
use crate::forward::code::Slot;
use crate::forward::machine::{Cursor, Engine};
use crate::forward::program::{Callee, LinkedNative};
use crate::forward::world::VmCall;

const IS_TUPLE: u32 = 2;
const IS_BITS: u32 = 3;

impl Watch<'_> {
    /// Asks what the operation's outcome depends on. Arguments may be replaced by equal ones whose parts carry their
    /// marks. Gives the expression of the result, if it has one.
    pub fn native(&mut self, function: Mfa, rule: Rule, args: &mut [Term]) -> Option<Expr> {
        match (rule, &mut *args) {
            (Rule::Arith(op), [a, b]) => return self.arith(op, a, b),
            (Rule::Unary(op), [a]) => return self.arith_one(Some(op), op.on_floats().is_some(), a),
            (Rule::Plus, [a]) => return self.arith_one(None, true, a),
            (Rule::Divide, [a, b]) => return self.divide(a, b),
            (Rule::Float, [a]) => return self.converted(a),
            (Rule::Integer(op), [a]) => return self.whole(op, a),
            (Rule::Math(math), args) => return self.math(math, args),
            (Rule::Decimal, [mantissa, exponent]) => return self.decimal(mantissa, exponent),
            (Rule::Scaled, [value, power]) => return self.scaled(function, value, power),
            (Rule::Shortest(op), [value]) => {
                return self.expr_of(value).map(|expr| self.recorder.arena.float(op, &[expr]));
            }
            (Rule::Relation(relation), [a, b]) => self.relation(relation, a, b),
            (Rule::Type(kind), [a]) => self.of_type(kind, a),
            (Rule::Boolean(_), args) => args.iter().enumerate().for_each(|(at, arg)| self.boolean(at as u32, arg)),
            (Rule::IsFunction, [fun, arity]) => self.is_function(fun, arity),
            (Rule::FunInfo, [fun, item]) => self.fun_info(function, fun, item),
            (Rule::FunInfo, [fun]) => self.fun_name(function, fun),
            (Rule::Sized, [size, _]) => self.size_wanted(size),
            (Rule::IsRecord, [record, tag, rest @ ..]) => self.is_record(function, record, tag, rest),
            (Rule::Head, [list]) => return self.part_of_list(list, true),
            (Rule::Tail, [list]) => return self.part_of_list(list, false),
            (Rule::Element, [place, tuple]) => return self.element_at(place, tuple),
            (Rule::Size(op, _), [value]) => return self.size(op, value),
            (Rule::SizeOfEither, [value]) => return self.size_of_either(value),
            (Rule::OpenList, [list, ..]) => *list = self.open_list(list),
            (Rule::OpenTuple(at, behind), args) => {
                let at = usize::from(at);
                args[at] = self.open_tuple(&args[at]);
                if let (Some(size), [place]) = (args[at].as_tuple().map(<[Term]>::len), &args[..at]) {
                    self.position(place, size + usize::from(behind));
                }
            }
            (Rule::Map(operation), args) => return self.map_operation(function, operation, args),
            (Rule::Name, [atom]) => return self.name_of(atom),
            (Rule::Named, [text]) => return self.atom_of(text),
            (Rule::IsText, [list]) => self.is_text(list, None),
            (Rule::IsText, [list, longest]) => {
                let longest = longest.as_i64().and_then(|longest| u8::try_from(longest).ok());
                self.is_text(list, longest);
            }
            (Rule::Hold, [named, value]) => self.hold(named, value),
            (Rule::Foreign, [named, value]) => self.foreign(named, value),
            (Rule::Compiled, [needles]) => return self.compiled(needles),
            (Rule::Needles, [pattern]) => return self.needles(pattern),
            (Rule::OpenMap(at), args) => {
                let map = &mut args[usize::from(at)];
                *map = self.open_map(function, map);
            }
            (_, args) => self.pin_all(function, &*args),
        }
        None
    }

    fn boolean(&mut self, at: u32, value: &Term) {
        let Some(expr) = self.expr_of(value) else { return };
        if !self.is_one_of(2 * at, expr, value, std::iter::once(Term::bool(true))) {
            self.is_one_of(2 * at + 1, expr, value, std::iter::once(Term::bool(false)));
        }
    }

    /// Holds a value to what it is, for a function `{M, F, A}`; the value goes on without its marks.
    fn hold(&mut self, named: &Term, value: &mut Term) {
        self.pin_all(named_function(named), [&*value]);
        *value = unmarked(value);
    }

    /// The same, if something else than inputs decides what the function makes of the value.
    fn foreign(&mut self, named: &Term, value: &mut Term) {
        if self.pin(value) {
            self.varying(named_function(named));
        }
        *value = unmarked(value);
    }

    /// `is_record(Term, Tag)`, `is_record(Term, Tag, Size)`.
    fn is_record(&mut self, function: Mfa, record: &Term, tag: &Term, size: &[Term]) {
        self.pin_all(function, size.iter().chain([tag]));
        self.spread_tuple(record);
        if let Some(first) = record.as_tuple().and_then(<[Term]>::first) {
            let first = match self.expr_of(record) {
                Some(expr) => self.element(expr, 0, first.clone()),
                None => first.clone(),
            };
            self.same(&first, tag);
        }
    }

    /// The expression of the head or tail of a list.
    pub fn part_of_list(&mut self, list: &Term, head: bool) -> Option<Expr> {
        let expr = self.expr_of(list)?;
        self.is_cons(list);
        let Term::Cons(_, cell) = list else { return None };
        let own = if head { &cell.head } else { &cell.tail };
        if own.mark().is_some() {
            return None;
        }
        let arena = &mut self.recorder.arena;
        Some(if head { arena.head(expr) } else { arena.tail(expr) })
    }

    fn size(&mut self, op: Op, value: &Term) -> Option<Expr> {
        match op {
            Op::Length => self.length(value),
            Op::TupleSize => self.tuple_size(value),
            Op::MapSize => self.map_size(value),
            _ => self.size_of_bits(value, op == Op::ByteSize),
        }
    }

    fn size_of_either(&mut self, value: &Term) -> Option<Expr> {
        if value.as_tuple().is_some() {
            return self.tuple_size(value);
        }
        self.is(IS_TUPLE, value, Type::Tuple);
        self.whole_bytes(value)
    }
}

impl Engine<'_> {
    /// An operation written in Rust is about to run on the arguments in the window. Gives the place to go on where
    /// the operation is done already.
    pub fn observe_native(&mut self, at: Cursor, window: Slot, native: u32, tail: bool) -> Option<Cursor> {
        let LinkedNative { function, operation, sampling, .. } = self.program.natives[native as usize];
        let rule = operation.rule;
        let args = at.window(window, function.arity);
        if operation.constant.is_some_and(|is_constant| is_constant(args)) {
            return None;
        }
        let shown = operation.shows_handles.map_or(Shown::Nothing, |view| shown(view, args));
        if !matches!(shown, Shown::Nothing)
            && let Some(mut watch) = self.watch(at)
        {
            match shown {
                Shown::Order(handles) => watch.orders(function, handles),
                _ => watch.varying(function),
            }
        }
        let recorder = self.recorder.as_deref()?;
        let unknown_keys = recorder.unknown_keys && matches!(rule, Rule::Dictionary(_));
        if recorder.truncated || !unknown_keys && !args.iter().any(is_marked) {
            let sampled = sampling == Sampling::Always && self.samples(args);
            return sampled.then(|| self.call_opaque_native(at, window, native, tail));
        }
        if self.program.opaque.contains(&function) && !self.is_holding(at) && !self.in_prelude(at) {
            return Some(self.call_opaque_native(at, window, native, tail));
        }
        if let Rule::Dictionary(operation) = rule {
            let args = args.to_vec();
            self.observe_dictionary(at, function, operation, &args);
            return None;
        }
        if matches!(rule, Rule::None | Rule::Existing | Rule::Named) && !self.is_holding(at) {
            let in_prelude = self.in_prelude(at);
            if in_prelude && rule != Rule::Named {
                // The prelude has asked everything that the operation's outcome depends on.
                return None;
            }
            if !in_prelude && let Some(callee) = self.prelude_for(function) {
                return Some(self.call_by_number(at, callee, window, tail));
            }
        }
        if rule == Rule::Existing {
            let args = at.window(window, function.arity).to_vec();
            self.observe_existing(at, function, &args);
            return None;
        }
        if sampling != Sampling::Never {
            return Some(self.call_opaque_native(at, window, native, tail));
        }
        let address = self.address(at);
        let expr = {
            let recorder = self.recorder.as_deref_mut()?;
            Watch::new(recorder, self.program, &self.process.frames, address).native(function, rule, args)?
        };
        Some(match self.native(at, window, function.arity, native) {
            Ok(()) => {
                at.mark(window, expr.mark());
                self.go_on(at, window, tail)
            }
            Err(fault) => self.fail(at, fault),
        })
    }

    /// A call leaves the machine and may depend on more than its arguments: these are held to their values. What it is
    /// going to answer, where that is known.
    pub fn observe_vm_call(&mut self, at: Cursor, kind: VmCall, window: Slot, function: Mfa) -> Expected {
        match ops::rule(function) {
            Rule::Number(number) => {
                if let Some(expected) = self.observe_number(at, window, function, number) {
                    return expected;
                }
            }
            _ if self.recorder.is_none() => {}
            Rule::Array(op, kind) => return self.observe_array(at, window, function, op, kind),
            Rule::Persistent(op) => {
                self.observe_persistent(at, window, function, op);
                return Expected::Decided;
            }
            _ => {}
        }
        self.recorder.is_some().then(|| self.observe_table(at, window, function)).flatten().unwrap_or_else(|| {
            self.observe_unknown(at, kind, window, function);
            Expected::Decided
        })
    }

    fn observe_unknown(&mut self, at: Cursor, kind: VmCall, window: Slot, function: Mfa) {
        if kind == VmCall::Stateful && self.in_prelude(at) {
            // The prelude has asked everything that its outcome depends on.
            return;
        }
        if kind == VmCall::Stateful && reaches_tables(function) {
            self.release_tables(at, function);
        }
        let args = at.window(window, function.arity);
        let Some(mut watch) = self.watch(at) else { return };
        if kind == VmCall::Stateful && ops::policy::varies(function) {
            // Its answer is not decided by its arguments alone: that is all there is to say.
            args.iter().for_each(|arg| _ = watch.pin(arg));
            watch.varying(function);
        } else {
            watch.pin_all(function, &*args);
        }
    }

    /// A call was made elsewhere, and its value may depend on anything: the first arguments are held to their values.
    pub fn observe_given(&mut self, at: Cursor, window: Slot, held: u8, function: Mfa) {
        if reaches_tables(function) {
            self.forget_tables(at, function);
        }
        let args = at.window(window, held);
        let Some(mut watch) = self.watch(at) else { return };
        args.iter().for_each(|arg| _ = watch.pin(arg));
        watch.varying(function);
    }

    /// A call may be handed over to code. Whether everything was asked that decides this.
    pub fn observe_detour(&mut self, at: Cursor, window: Slot, arity: u8, decides: Subject) -> bool {
        let args = at.window(window, arity).to_vec();
        let [subject, others @ ..] = &args[..] else { return true };
        if others.iter().any(is_marked) {
            return false;
        }
        if decides == Subject::Bits
            && let Some(mut watch) = self.watch(at)
        {
            watch.is(IS_BITS, subject, Type::Bitstring);
        }
        true
    }

    /// The machine is about to do something that only it can do.
    pub fn observe_control(&mut self, at: Cursor, window: Slot, function: Mfa, control: Control) {
        let args = at.window(window, function.arity);
        let Some(mut watch) = self.watch(at) else { return };
        watch.control(function, control, args);
        if let (Control::ApplyNamed | Control::FunctionExported, [module, name, last]) = (control, &*args)
            && let Some(arity) = arity_of(control, last)
            && [module, name].into_iter().any(|name| name.mark().is_some())
        {
            let names = [module.clone(), name.clone()];
            self.ask_names(at, &names, arity);
        }
    }

    /// True if the running function belongs to the prelude.
    pub fn in_prelude(&self, at: Cursor) -> bool {
        let owner = self.program.owner(self.address(at));
        owner.is_some_and(|function| ops::prelude::is_prelude(function.name.module))
    }

    /// The prelude asked nothing about the arguments of the operation that it calls.
    fn is_holding(&self, at: Cursor) -> bool {
        let owner = self.program.owner(self.address(at));
        owner.is_some_and(|function| ops::prelude::holds_arguments(function.name))
    }

    /// The number of the prelude's version of an operation, if there is one to be called on these arguments.
    pub fn prelude_on(&mut self, at: Cursor, window: Slot, function: Mfa) -> Option<u32> {
        let recorder = self.recorder.as_deref()?;
        let args = at.window(window, function.arity);
        let marked = !recorder.truncated
            && match ops::rule(function) {
                Rule::Ets(_) => self.meets_marks(args),
                _ => args.iter().any(is_marked),
            };
        (marked && !self.in_prelude(at)).then(|| self.prelude_for(function)).flatten()
    }

    /// The number of the prelude's version of an operation, if the world has it.
    fn prelude_for(&mut self, function: Mfa) -> Option<u32> {
        let callee = self.program.callee(twin(function)?, false);
        let found = self.program.resolve(self.state.world, callee);
        matches!(found, Callee::Code(_)).then_some(callee)
    }
}

/// Returns the prelude's version of an operation.
fn twin(function: Mfa) -> Option<Mfa> {
    ops::find(function).filter(|operation| operation.policy.is_some())?.twin()
}

fn named_function(named: &Term) -> Mfa {
    match named.as_tuple() {
        Some([Term::Atom(_, module), Term::Atom(_, function), Term::Int(_, arity)]) => {
            Mfa { module: *module, function: *function, arity: *arity as u8 }
        }
        _ => Rule::Hold.function(2),
    }
}

/// With how many arguments a function is called or asked for.
fn arity_of(control: Control, last: &Term) -> Option<u8> {
    match control {
        Control::FunctionExported => u8::try_from(last.as_i64()?).ok(),
        _ => u8::try_from(last.proper_list()?.len()).ok(),
    }
}

impl Watch<'_> {
    fn control(&mut self, function: Mfa, control: Control, args: &mut [Term]) {
        match (control, args) {
            // The use of the fun is asked when it is called.
            (Control::ApplyFun, [_, list]) => *list = self.open_list(list),
            // The callee is asked when the number of arguments is known.
            (Control::ApplyNamed, [_, _, list]) => *list = self.open_list(list),
            (Control::FunctionExported, [_, _, arity])
                if !arity.mark().is_some() && arity_of(control, arity).is_some() => {}
            // They pass their arguments on without looking at them.
            (Control::Error | Control::Exit | Control::Throw | Control::NifError, _) => {}
            (Control::Raise, [class, _, stack]) => {
                self.class(class);
                self.pin_all(function, Some(&*stack).filter(|term| term.mark().is_some()));
            }
            (_, args) => self.pin_all(function, &*args),
        }
    }

    /// The class of exceptions that it names, if it does.
    fn class(&mut self, class: &Term) {
        let Some(expr) = self.expr_of(class) else { return };
        let mut classes = (0..).zip([Class::Error, Class::Exit, Class::Throw]);
        classes.any(|(at, name)| self.is_one_of(at, expr, class, std::iter::once(Term::atom(name.atom()))));
    }
}
