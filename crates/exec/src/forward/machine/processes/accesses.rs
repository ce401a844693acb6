//! The shared things that operations look at or change: what orders two events.

use ir::ProcessOp;
use ops::policy::{Policy, policy};
use ops::{EtsOp, Rule};
use term::{Atom, HandleKind, Mfa, Term};

use super::receivers::{NODE, Receiver};
use crate::forward::machine::cursor::Cursor;
use crate::forward::machine::engine::Engine;
use crate::forward::machine::node::tables::{EtsTable, TableName, TableUse, used_by};
use crate::forward::machine::node::{Object, RefKey};
use crate::forward::symbolic::is_marked;

impl Engine<'_> {
    /// True if other processes can see what a function of the VM does for the run.
    pub fn is_seen(&mut self, at: Cursor, function: Mfa) -> bool {
        let is_state =
            matches!(policy(function, true), Policy::State) && !matches!(function.module.name(), "io" | "logger");
        self.schedule.is_some() && !self.node.is_lone() && is_state && !self.in_prelude(at)
    }

    /// Notes what a function of the VM does for the run.
    pub fn touch_state(&mut self, function: Mfa, args: &[Term]) {
        match ops::rule(function) {
            Rule::Ets(op) => self.touch_table(op, args),
            _ => self.node.touch(Object::State, true),
        }
    }

    /// Notes the table that an operation is about, its name, and the rows that it reads or writes.
    fn touch_table(&mut self, op: EtsOp, args: &[Term]) {
        let name = args.first().and_then(Term::as_atom);
        match op {
            EtsOp::All => return self.node.touch(Object::Tables, false),
            EtsOp::New => {
                self.node.touch(Object::Tables, true);
                return name.into_iter().for_each(|name| self.node.touch(Object::TableName(name), true));
            }
            EtsOp::Compile | EtsOp::IsCompiled | EtsOp::RunCompiled => return,
            _ => {}
        }
        if let Some(name) = name {
            self.node.touch(Object::TableName(name), false);
        }
        let TableName::Own(key) = self.node.tables.subject(op, args) else { return };
        let Some(table) = self.node.tables.get(key) else { return };
        let writes = op_writes(op, args);
        // A key that inputs decide may be any.
        let parts = table.parts(op, args).filter(|_| !self.has_open_key(table, op, args));
        let old_name = (op == EtsOp::Delete && args.len() == 1 || op == EtsOp::Rename) && table.named;
        let names = old_name.then_some(table.name).into_iter().chain(args.get(1).and_then(Term::as_atom));
        if matches!((op, args.len()), (EtsOp::Delete, 1) | (EtsOp::Rename, _)) {
            let names: Vec<Atom> = names.collect();
            self.node.touch(Object::Tables, true);
            names.into_iter().for_each(|name| self.node.touch(Object::TableName(name), true));
        }
        match parts {
            Some(parts) => parts.into_iter().for_each(|part| self.node.touch(Object::Row(key, part), writes)),
            None => self.node.touch(Object::Table(key), writes),
        }
    }

    /// True if inputs decide which rows of a table an operation is about.
    fn has_open_key(&self, table: &EtsTable, op: EtsOp, args: &[Term]) -> bool {
        let Some(recorder) = self.recorder.as_deref() else { return false };
        let Some(keys) = args.get(1) else { return false };
        let is_open = |key: &Term| is_marked(key) && !recorder.is_settled(key);
        let is_open_row = |row: &Term| row.mark().is_some() || table.key(row).is_some_and(is_open);
        match op {
            EtsOp::Insert | EtsOp::InsertNew | EtsOp::DeleteObject => match keys {
                Term::Cons(..) => keys.mark().is_some() || keys.cells().any(is_open_row),
                row => is_open_row(row),
            },
            EtsOp::Match | EtsOp::MatchObject | EtsOp::Select | EtsOp::SelectCount | EtsOp::SelectReverse => {
                is_marked(keys)
            }
            _ => is_open(keys),
        }
    }

    /// Notes what an operation on processes looks at, or changes, besides messages and ends of processes.
    pub fn touch(&mut self, op: ProcessOp, args: &[Term]) {
        if !self.node.scheduled {
            return;
        }
        match op {
            ProcessOp::Send | ProcessOp::Whereis => self.touch_process(&args[0], false),
            ProcessOp::SendAfter | ProcessOp::StartTimer => {}
            ProcessOp::Link | ProcessOp::Unlink | ProcessOp::IsAlive => self.touch_process(&args[0], true),
            ProcessOp::Monitor => self.touch_process(&args[1], true),
            ProcessOp::Exit => {
                self.touch_process(&args[0], true);
                if let Receiver::Process(index) = self.process_of(&args[0]) {
                    let number = self.node.processes[index].number;
                    self.node.touch(Object::Trap(number), false);
                }
            }
            ProcessOp::Info => {
                self.touch_process(&args[0], true);
                if let Receiver::Process(index) = self.process_of(&args[0]) {
                    let number = self.node.processes[index].number;
                    self.node.touch(Object::Mailbox(number), true);
                    if index != self.node.current {
                        self.node.touch(Object::Steps(number), true);
                    }
                }
            }
            ProcessOp::Demonitor => {
                if let Some(number) = self.node.monitored(&args[0]) {
                    self.node.touch(Object::Life(number), false);
                }
                self.touch_reference(&args[0], Object::Alias, true);
            }
            ProcessOp::Unalias => self.touch_reference(&args[0], Object::Alias, true),
            ProcessOp::CancelTimer => self.touch_reference(&args[0], Object::Timer, true),
            ProcessOp::ReadTimer => self.touch_reference(&args[0], Object::Timer, false),
            ProcessOp::Flag => {
                let number = self.node.current().number;
                let traps = args[0].as_atom().is_some_and(|flag| flag.name() == "trap_exit");
                if traps {
                    self.node.touch(Object::Trap(number), true);
                }
            }
            ProcessOp::Register | ProcessOp::Unregister => {
                if let Some(name) = args[0].as_atom() {
                    self.node.touch(Object::Name(name), true);
                    self.node.touch(Object::Names, true);
                }
                if let Some(pid) = args.get(1) {
                    self.touch_process(pid, true);
                }
            }
            ProcessOp::Registered => self.node.touch(Object::Names, false),
            ProcessOp::Processes => {
                for index in 0..self.node.processes.len() {
                    let number = self.node.processes[index].number;
                    self.node.touch(Object::Life(number), false);
                }
            }
            ProcessOp::GroupLeader => self.node.touch(Object::State, true),
            ProcessOp::Spawn | ProcessOp::SpawnLink | ProcessOp::SpawnOpt | ProcessOp::SpawnRequest => {}
            ProcessOp::AbandonRequest | ProcessOp::Alias | ProcessOp::Clock | ProcessOp::Yield => {}
            ProcessOp::Hibernate => {}
        }
    }

    /// Notes a look at the process that a term names, and with `life` at its being alive.
    fn touch_process(&mut self, to: &Term, life: bool) {
        let name = match to {
            Term::Atom(_, name) => Some(*name),
            Term::Tuple(..) => match to.as_tuple() {
                Some([Term::Atom(_, name), Term::Atom(_, node)]) if node.name() == NODE => Some(*name),
                _ => None,
            },
            _ => None,
        };
        if let Some(name) = name {
            self.node.touch(Object::Name(name), false);
        }
        if let Term::Handle(_, handle) = to
            && handle.kind == HandleKind::Reference
        {
            let ends = self.node.alias_ends_with_message(to);
            self.touch_reference(to, Object::Alias, ends);
        }
        let index = name.map_or_else(|| self.node.find(to), |name| self.node.named(name));
        if let Some(index) = index.filter(|_| life) {
            let number = self.node.processes[index].number;
            self.node.touch(Object::Life(number), false);
        }
    }

    fn touch_reference(&mut self, reference: &Term, object: fn(RefKey) -> Object, writes: bool) {
        if let Some(key) = RefKey::of(reference) {
            self.node.touch(object(key), writes);
        }
    }
}

/// True if an operation changes a table, or the order in which its rows are found.
fn op_writes(op: EtsOp, args: &[Term]) -> bool {
    match op {
        // A row that was deleted from a fixed table can be gone on from until then.
        EtsOp::SafeFixtable => args.get(1).and_then(Term::as_bool) != Some(true),
        _ => used_by(op) == TableUse::Writes,
    }
}
