//! Calls of `ets`, `atomics`, `counters` and `persistent_term`: the machine has what a run has made, the VM its own.

use ops::{ArrayKind, ArrayOp, EtsOp, Eval, PersistentOp, Rule};
use term::{Exception, Mark, Mfa, Term};

use super::receivers::Receiver;
use crate::forward::machine::cursor::Cursor;
use crate::forward::machine::engine::Engine;
use crate::forward::machine::fault::{Fault, operation_entry};
use crate::forward::machine::node::RefKey;
use crate::forward::machine::node::tables::{EtsTable, TableName, Tables, badarg, used_by};
use crate::forward::machine::run_state::{Failure, FailureKind};
use crate::forward::world::VmCall;

impl Engine<'_> {
    /// The fault of a call on a table that its protection does not allow.
    pub fn table_fault(&self, function: Mfa, args: &[Term]) -> Option<Box<Fault>> {
        let Rule::Ets(op) = ops::rule(function) else { return None };
        let key = self.node.tables.subject(op, args).own().filter(|_| op.reaches_tables())?;
        let is_allowed = |table: &EtsTable| table.allows(self.state.number(), used_by(op));
        let refused = self.node.tables.get(key).is_some_and(|table| !is_allowed(table));
        refused.then(|| {
            let stack = Term::cons(operation_entry(function, args, Some("access")), Term::nil());
            Fault::of_operation(function, args, Exception { stack, ..Exception::badarg() })
        })
    }

    /// Does an operation on tables, arrays or persistent terms; nothing if the VM has to be asked. A sum gets a mark.
    pub fn stored_operation(&mut self, function: Mfa, args: &[Term], mark: Mark) -> Option<Eval> {
        match ops::rule(function) {
            Rule::Ets(op) => self.table_operation(op, function, args),
            Rule::Array(op, kind) => {
                self.state.touched = true;
                let done = self.node.arrays.operate(&mut self.state, (op, kind), args, mark);
                Some(match (op, kind) {
                    (ArrayOp::Info, ArrayKind::Counters) => done.and_then(|info| self.counters_info(function, &info)),
                    _ => done,
                })
            }
            Rule::Persistent(PersistentOp::All) => {
                let others = self.state.vm_call(VmCall::Stateful, function, args);
                Some(others.map(|others| self.node.persistent.listed(others)))
            }
            Rule::Persistent(op) => self.persistent_operation(op, args),
            _ => None,
        }
    }

    fn persistent_operation(&mut self, op: PersistentOp, args: &[Term]) -> Option<Eval> {
        self.state.touched = true;
        self.node.persistent.operate(op, args).or_else(|| {
            let default = args.get(1)?;
            let get = Rule::Persistent(PersistentOp::Get).function(1);
            let others = self.state.vm_call(VmCall::Stateful, get, &args[..1]);
            Some(others.or_else(|_| Ok(default.clone())))
        })
    }

    /// What the VM says about counters of the same size: their memory depends on its schedulers.
    fn counters_info(&mut self, function: Mfa, info: &Term) -> Eval {
        let size = info.as_map().and_then(|info| info.get(&Term::atom_named("size"))).cloned().unwrap_or_default();
        let new = Rule::Array(ArrayOp::New, ArrayKind::Counters).function(1);
        let counters = self.state.vm_call(VmCall::Stateful, new, &[size])?;
        self.state.vm_call(VmCall::Stateful, function, &[counters])
    }

    /// Does an operation of `ets`; nothing if it is about a table of the VM, or about none.
    fn table_operation(&mut self, op: EtsOp, function: Mfa, args: &[Term]) -> Option<Eval> {
        if matches!(op, EtsOp::Raw | EtsOp::List) {
            return None;
        }
        self.state.touched = true;
        let mut tables = std::mem::take(&mut self.node.tables);
        self.state.scheduled = self.node.scheduled;
        let mut done = self.operate(&mut tables, op, function, args);
        self.node.tables = tables;
        if let Some(Err(exception)) = &mut done {
            let cause = self.table_cause(op, args);
            exception.stack = Term::cons(operation_entry(function, args, cause), Term::nil());
        }
        if op == EtsOp::GiveAway
            && let Some(Ok(_)) = done
        {
            self.give_away(args);
        }
        done
    }

    /// Notes that what an operation has found in a table need not come in this order again.
    pub fn observe_row_order(&mut self, at: Cursor, function: Mfa, args: &[Term], found: &Term) {
        let Rule::Ets(op) = ops::rule(function) else { return };
        let table = self.node.tables.subject(op, args).own().and_then(|key| self.node.tables.get(key));
        if self.recorder.is_some() && table.is_some_and(|table| table.is_ordered_by_handles(op, args, found)) {
            self.watch(at).into_iter().for_each(|mut watch| watch.varying(function));
        }
    }

    /// The cause for which an operation on a table has failed.
    fn table_cause(&self, op: EtsOp, args: &[Term]) -> Option<&'static str> {
        let cause = self.node.tables.cause(op, args, self.state.number());
        let to_itself = || self.node.find(&args[1]) == Some(self.node.current);
        cause.or_else(|| (op == EtsOp::GiveAway && to_itself()).then_some("owner"))
    }

    fn operate(&mut self, tables: &mut Tables, op: EtsOp, function: Mfa, args: &[Term]) -> Option<Eval> {
        if let Some(done) = tables.without_table(&mut self.state, op, args) {
            return Some(done);
        }
        let key = match tables.subject(op, args) {
            TableName::Own(_) if op == EtsOp::Whereis && args[0].as_atom().is_none() => return Some(badarg()),
            TableName::Own(key) => key,
            TableName::Foreign => match args[0].as_atom() {
                Some(name) if !self.state.has_foreign_table(name) => return Some(without_table(op, args)),
                _ => return None,
            },
            TableName::Gone(_) => return Some(without_table(op, args)),
            TableName::Bad => return Some(badarg()),
        };
        Some(match op {
            EtsOp::Info => self.table_info(tables, key, args),
            EtsOp::GiveAway => self.may_give(tables, key, function, args),
            _ => tables.operate(&mut self.state, key, op, args),
        })
    }

    fn table_info(&mut self, tables: &Tables, key: RefKey, args: &[Term]) -> Eval {
        let Some(table) = tables.get(key) else { return badarg() };
        let owner = self.node.processes.iter().find(|process| process.number == table.owner);
        let owner = match owner {
            Some(owner) => owner.pid.clone(),
            None => ops::Environment::own_pid(&mut self.state),
        };
        match args.get(1) {
            None => table.all_info(&mut self.state, &owner),
            Some(item) => match item.as_atom() {
                Some(item) => table.info(&mut self.state, &owner, item.name()),
                None => badarg(),
            },
        }
    }

    /// Says whether a table may be given away.
    fn may_give(&mut self, tables: &Tables, key: RefKey, function: Mfa, args: &[Term]) -> Eval {
        let own = tables.get(key).is_some_and(|table| table.owner == self.state.number());
        if self.program.options.processes {
            self.need_node();
        }
        match self.process_of(&args[1]) {
            Receiver::Process(to) if own && to != self.node.current && self.node.is_alive(to) => Ok(Term::bool(true)),
            Receiver::Foreign if own => {
                let what = ops::policy::FOREIGN.to_owned();
                self.state.failure = Some(Failure { function, kind: FailureKind::Refused, what });
                badarg()
            }
            _ => badarg(),
        }
    }

    fn give_away(&mut self, args: &[Term]) {
        let key = self.node.tables.named(&args[0]).own();
        if let (Some(key), Receiver::Process(to)) = (key, self.process_of(&args[1])) {
            self.node.transfer(key, self.node.current, to, args[2].clone());
        }
    }

    /// Forgets what a symbolic run knows of tables that went with their owners.
    pub fn forget_gone_tables(&mut self) {
        for table in std::mem::take(&mut self.node.gone_tables) {
            self.recorder.iter_mut().for_each(|recorder| recorder.forget_table(&table));
        }
    }
}

/// The outcome of an operation without its table.
fn without_table(op: EtsOp, args: &[Term]) -> Eval {
    match op {
        EtsOp::Info => Ok(Term::atom_named("undefined")),
        EtsOp::Whereis if args[0].as_atom().is_some() => Ok(Term::atom_named("undefined")),
        _ => badarg(),
    }
}
