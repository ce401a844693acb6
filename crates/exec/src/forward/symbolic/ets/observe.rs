//! Calls of `ets` in a symbolic run: the table that a call names, the conditions it records, and the VM's answer compared
//! with the expected one.

use constraint::{Test, Type};
use ops::{Control, EtsOp, Eval, Rule};
use term::{Mfa, Term};

use super::table::{Expected, SymbolicTable};
use crate::forward::code::Slot;
use crate::forward::machine::{Cursor, Engine};
use crate::forward::symbolic::pin::is_marked;
use crate::forward::symbolic::recorder::Recorder;
use crate::forward::symbolic::watch::Watch;

const IS_NAME: u32 = 0;
const FIRST_TABLE: u32 = 16;

/// The outcome of a function of `ets` without its table.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Without {
    /// `badarg`.
    Fails,
    /// `undefined`, if its other arguments are good.
    Undefined,
    /// `undefined` for a name that no table has, `badarg` for anything else.
    UndefinedForNames,
}

/// Takes a table first; not so continuations, whose table nothing names.
fn without(function: Mfa) -> Option<Without> {
    let Rule::Ets(operation) = ops::rule(function) else { return None };
    match operation {
        EtsOp::Info => Some(Without::Undefined),
        EtsOp::Whereis => Some(Without::UndefinedForNames),
        EtsOp::New | EtsOp::All | EtsOp::Compile | EtsOp::IsCompiled | EtsOp::RunCompiled => None,
        EtsOp::Continue | EtsOp::List | EtsOp::Raw => None,
        _ => Some(Without::Fails),
    }
}

/// Returns true if a function of the VM may read or change any table of the run.
pub fn reaches_tables(function: Mfa) -> bool {
    match ops::rule(function) {
        Rule::Ets(operation) => operation.reaches_tables(),
        Rule::Control(control) => matches!(control, Control::ApplyFun | Control::ApplyNamed),
        _ => function.module.name() == "ets",
    }
}

impl Recorder {
    /// The rows of all tables that are known.
    pub fn rows_of_tables(&self) -> impl Iterator<Item = &Term> {
        self.tables.iter().flat_map(|table| table.rows.all())
    }

    /// Forgets a table that is gone.
    pub fn forget_table(&mut self, table: &Term) {
        self.tables.retain(|ets| ets.id != *table);
    }

    /// True if an operation on a table of this reference involves marks.
    fn meets_marks(&self, table: &Term, args: &[Term]) -> bool {
        self.tables.iter().find(|ets| ets.id == *table).is_some_and(|ets| ets.meets(args))
    }
}

impl Engine<'_> {
    /// True if an operation on a table involves marks, in its arguments or in the table.
    pub fn meets_marks(&self, args: &[Term]) -> bool {
        let table = args.first().and_then(|table| self.node.tables.find(table));
        let recorder = self.recorder.as_deref();
        table.zip(recorder).is_some_and(|(table, recorder)| recorder.meets_marks(&table.tid, args))
    }

    /// Records which table an operation names and the conditions of its outcome, before it runs; none if its arguments are
    /// to be pinned to their values.
    pub fn observe_table(&mut self, at: Cursor, window: Slot, function: Mfa) -> Option<Expected> {
        let without = without(function)?;
        let args = at.window(window, function.arity).to_vec();
        let [name, others @ ..] = &args[..] else { return None };
        let own = self.node.tables.find(name).map(|table| table.tid.clone());
        let foreign = name.as_atom().is_some_and(|name| own.is_none() && self.state.has_foreign_table(name));
        if foreign {
            return None;
        }
        let (address, in_prelude) = (self.address(at), self.in_prelude(at));
        let is_open = name.mark().is_some();
        let names: Vec<Term> = self.node.tables.names().filter(|_| is_open).map(Term::atom).collect();
        let recorder = self.recorder.as_deref_mut().filter(|recorder| !recorder.truncated);
        let Some(recorder) = recorder else { return Some(Expected::Decided) };
        let known = recorder.tables.iter().position(|ets| Some(&ets.id) == own.as_ref());
        let ets = known.map(|known| recorder.tables.swap_remove(known));
        let mut watch = Watch::new(recorder, self.program, &self.process.frames, address);
        if self.node.scheduled {
            // Another process may give a table that name later.
            watch.pin_all(function, Some(name).filter(|_| is_open));
        }
        watch.which_table(name, &names, without);
        if is_open && own.is_none() {
            // The VM has tables of its own.
            watch.varying(function);
        }
        let Some(mut ets) = ets else {
            if own.is_some() || without == Without::Undefined {
                watch.pin_all(function, others);
            }
            return Some(Expected::Decided);
        };
        if ets.stale
            && others.iter().any(is_marked)
            && let Some(table) = self.node.tables.find(&ets.id)
        {
            ets.fill(&mut watch, table.rows.all().cloned().collect());
        }
        let opened = matches!(ops::rule(function), Rule::Ets(EtsOp::Insert | EtsOp::InsertNew))
            .then(|| others.iter().map(|objects| watch.open_list(objects)).collect::<Vec<_>>());
        let others = opened.as_deref().unwrap_or(others);
        let expected = match ets.stale {
            true => {
                watch.pin_all(function, others);
                Expected::Decided
            }
            false => ets.operation(&mut watch, function, others, in_prelude),
        };
        recorder.tables.push(ets);
        // The table keeps the rows with the marks of their own.
        for (slot, objects) in at.window(window, function.arity).iter_mut().skip(1).zip(opened.into_iter().flatten()) {
            *slot = objects;
        }
        Some(expected)
    }

    /// The value of an operation, with the marks of the expected one.
    pub fn answered(&mut self, at: Cursor, function: Mfa, args: &[Term], expected: Expected, answer: Eval) -> Eval {
        if let Ok(value) = &answer {
            self.note_tables(function, args, value);
        }
        let expected = match (expected, &answer) {
            (Expected::Decided | Expected::Sum(_), _) | (Expected::Exception, Err(_)) => return answer,
            (Expected::Known(value), _) => return Ok(value),
            (Expected::Number(mark), _) => return answer.map(|value| value.with_mark(mark)),
            (Expected::Value(value), Ok(given)) if value == *given => return Ok(value),
            (Expected::Value(value), _) => Some(value),
            (Expected::Exception, Ok(_)) => None,
        };
        debug_assert!(false, "{function:?} of {args:?} gives {answer:?} instead of {expected:?}");
        self.release_tables(at, function);
        let address = self.address(at);
        if let Some(recorder) = self.recorder.as_deref_mut() {
            let mut watch = Watch::new(recorder, self.program, &self.process.frames, address);
            watch.pin_all(function, args.iter().chain(&expected));
        }
        answer
    }

    /// Notes that a table was made or deleted.
    fn note_tables(&mut self, function: Mfa, args: &[Term], value: &Term) {
        let Rule::Ets(operation) = ops::rule(function) else { return };
        let Some(recorder) = self.recorder.as_deref_mut() else { return };
        match (operation, args) {
            (EtsOp::New, _) => recorder.tables.extend(self.node.tables.find(value).map(SymbolicTable::new)),
            (EtsOp::Delete, [_]) => recorder.tables.retain(|ets| self.node.tables.find(&ets.id).is_some()),
            _ => {}
        }
    }

    /// Forgets all tables, after something that may have changed any of them.
    pub fn forget_tables(&mut self, at: Cursor, function: Mfa) {
        self.release_tables(at, function);
        self.recorder.iter_mut().for_each(|recorder| recorder.tables.clear());
    }

    /// Pins everything in all tables, after something that may have read or changed any of them.
    pub fn release_tables(&mut self, at: Cursor, function: Mfa) {
        let address = self.address(at);
        let Some(recorder) = self.recorder.as_deref_mut().filter(|recorder| !recorder.truncated) else { return };
        let mut tables = std::mem::take(&mut recorder.tables);
        let mut watch = Watch::new(recorder, self.program, &self.process.frames, address);
        tables.iter_mut().for_each(|ets| ets.release(&mut watch, function));
        recorder.tables = tables;
    }
}

impl Watch<'_> {
    /// Records which named table a term with a mark is; tables without a name are no inputs.
    fn which_table(&mut self, table: &Term, tables: &[Term], without: Without) {
        let Some(expr) = self.expr_of(table) else { return };
        for (at, own) in tables.iter().enumerate().filter(|(_, own)| own.as_atom().is_some()) {
            let literal = self.recorder.arena.literal(own.clone());
            self.ask(FIRST_TABLE.saturating_add(at as u32), Test::Same(expr, literal), table == own);
            if table == own {
                return;
            }
        }
        if without == Without::UndefinedForNames {
            self.is(IS_NAME, table, Type::Atom);
        }
    }
}
