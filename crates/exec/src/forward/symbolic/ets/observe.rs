//! Calls of `ets` in a symbolic run: the table that a call names, the conditions it records, and the VM's answer compared
//! with the expected one.

use constraint::{Test, Type};
use ops::{Control, EtsOp, Eval, Rule};
use term::{Mfa, Term};

use super::table::{EtsTable, Expected};
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
        EtsOp::New | EtsOp::All | EtsOp::Specification => None,
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
        self.tables.retain(|ets| !ets.is(table));
    }

    /// True if an operation on a table involves marks, in its arguments or in the table.
    pub fn meets_marks(&self, args: &[Term]) -> bool {
        let table = args.first().and_then(|table| self.tables.iter().find(|ets| ets.is(table)));
        table.is_some_and(|ets| ets.meets(args))
    }
}

impl Engine<'_> {
    /// Records which table an operation names and the conditions of its outcome, before it runs; none if its arguments are
    /// to be pinned to their values.
    pub fn observe_table(&mut self, at: Cursor, window: Slot, function: Mfa) -> Option<Expected> {
        let without = without(function)?;
        let args = at.window(window, function.arity).to_vec();
        let [table, others @ ..] = &args[..] else { return None };
        self.know_alias(table);
        let own = self.recorder.as_deref()?.tables.iter().position(|ets| ets.is(table));
        let is_own = own.is_some() || self.state.tables.contains(table);
        if !is_own && self.state.has_table(table) {
            return None;
        }
        let (address, in_prelude) = (self.address(at), self.in_prelude(at));
        let Some(recorder) = self.recorder.as_deref_mut().filter(|recorder| !recorder.truncated) else {
            return Some(Expected::Decided);
        };
        let ets = own.map(|own| recorder.tables.swap_remove(own));
        let mut watch = Watch::new(recorder, self.program, &self.process.frames, address);
        watch.which_table(table, &self.state.tables, without);
        if table.mark().is_some() && !is_own {
            // The VM has tables of its own.
            watch.varying(function);
        }
        let Some(mut ets) = ets else {
            if is_own || without == Without::Undefined {
                watch.pin_all(function, others);
            }
            return Some(Expected::Decided);
        };
        if ets.stale
            && others.iter().any(is_marked)
            && let Some(rows) = self.state.rows(&ets.id)
        {
            ets.fill(&mut watch, rows);
        }
        let expected = match ets.stale {
            true => {
                watch.pin_all(function, others);
                Expected::Decided
            }
            false => ets.operation(&mut watch, function, others, in_prelude),
        };
        recorder.tables.push(ets);
        Some(expected)
    }

    /// Learns the references of named tables when a reference is used.
    fn know_alias(&mut self, table: &Term) {
        let Some(recorder) = self.recorder.as_deref_mut() else { return };
        if !matches!(table, Term::Handle(..)) || recorder.tables.iter().any(|ets| ets.is(table)) {
            return;
        }
        for ets in recorder.tables.iter_mut().filter(|ets| ets.alias.is_none() && ets.id.as_atom().is_some()) {
            ets.alias = self.state.reference(&ets.id);
        }
    }

    /// The VM's answer, with the marks of the expected one if both agree.
    pub fn answered(&mut self, at: Cursor, function: Mfa, args: &[Term], expected: Expected, answer: Eval) -> Eval {
        if let Ok(value) = &answer {
            self.note_tables(function, args, value);
        }
        let expected = match (expected, &answer) {
            (Expected::Decided, _) | (Expected::Exception, Err(_)) => return answer,
            (Expected::Later, _) => return Ok(Term::bool(true)),
            (Expected::Known(value), _) => return Ok(value),
            (Expected::Value(value), Ok(given)) if value == *given => return Ok(value),
            (Expected::Rows(rows), Ok(given)) => match self.recognised(at, function, args, given, rows) {
                Ok(value) => return Ok(value),
                Err(rows) => rows,
            },
            (Expected::Listed(rows), Ok(given)) if is_rearranged(&rows, given) => return Ok(Term::list(rows)),
            (Expected::Value(value), _) => vec![value],
            (Expected::Rows(rows) | Expected::Listed(rows), _) => rows,
            (Expected::Exception, Ok(_)) => Vec::new(),
        };
        debug_assert!(self.script.is_some(), "{function:?} of {args:?} gives {answer:?} instead of {expected:?}");
        self.release_tables(at, function);
        let address = self.address(at);
        if let Some(recorder) = self.recorder.as_deref_mut() {
            let mut watch = Watch::new(recorder, self.program, &self.process.frames, address);
            watch.pin_all(function, args.iter().chain(&expected));
        }
        answer
    }

    /// The rows of an answer with their marks; the expected rows if the answer holds others.
    fn recognised(
        &mut self,
        at: Cursor,
        function: Mfa,
        args: &[Term],
        answer: &Term,
        rows: Vec<Term>,
    ) -> Result<Term, Vec<Term>> {
        let address = self.address(at);
        let Some(recorder) = self.recorder.as_deref_mut() else { return Ok(answer.clone()) };
        if !rows.iter().any(is_marked) || !matches!(answer, Term::Cons(..) | Term::Nil(_)) {
            return Ok(answer.clone());
        }
        let ets = recorder.tables.iter().find(|ets| ets.is(&args[0]));
        let unique = ets.is_some_and(|ets| ets.rows.kind.is_unique());
        let mut watch = Watch::new(recorder, self.program, &self.process.frames, address);
        watch.recognised(function, answer, &rows, unique).ok_or(rows)
    }

    /// Notes that a table was made, deleted or renamed.
    fn note_tables(&mut self, function: Mfa, args: &[Term], value: &Term) {
        let Rule::Ets(operation) = ops::rule(function) else { return };
        let Some(recorder) = self.recorder.as_deref_mut() else { return };
        match (operation, args) {
            (EtsOp::New, [_, options]) => recorder.tables.extend(EtsTable::new(value.clone(), options)),
            (EtsOp::Delete, [table]) => recorder.tables.retain(|ets| !ets.is(table)),
            (EtsOp::Rename, [table, _]) => {
                recorder.tables.iter_mut().filter(|ets| ets.is(table)).for_each(|ets| ets.id = value.clone());
            }
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

/// True if a list is these rows in any order.
fn is_rearranged(rows: &[Term], list: &Term) -> bool {
    let sorted = |mut rows: Vec<Term>| {
        rows.sort_by(Term::compare_exact);
        rows
    };
    list.proper_list().is_some_and(|list| sorted(list) == sorted(rows.to_vec()))
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
