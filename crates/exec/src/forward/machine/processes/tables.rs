//! Tables of ETS among several processes: the VM has them all in one process, the machine knows whose they are.

use ops::{EtsOp, Rule};
use term::{Exception, Mfa, Term};

use crate::forward::machine::cursor::Cursor;
use crate::forward::machine::engine::Engine;
use crate::forward::machine::fault::Fault;
use crate::forward::machine::node::Object;
use crate::forward::outcome::Ending;
use crate::forward::world::VmCall;

/// The processes that may use a table besides its owner.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Protection {
    Public,
    /// Others may read it.
    Protected,
    Private,
}

/// The number of no process.
const NONE: u32 = u32::MAX;

/// A table and its owner.
pub struct Owned {
    table: Term,
    /// The number of the process.
    owner: u32,
    protection: Protection,
    /// Another process gets it when the owner ends.
    has_heir: bool,
}

/// The tables of a run, with their owners.
#[derive(Default)]
pub struct Owners(Vec<Owned>);

impl Owners {
    /// Notes what a function of `ets` has done, called by a process.
    pub fn note(&mut self, function: Mfa, args: &[Term], value: &Term, process: u32) {
        match (ops::rule(function), args) {
            (Rule::Ets(EtsOp::New), [_, options]) => {
                let options = options.proper_list().unwrap_or_default();
                let named = |name: &str| options.iter().any(|it| it.as_atom().is_some_and(|atom| atom.name() == name));
                let protection = match () {
                    () if named("public") => Protection::Public,
                    () if named("private") => Protection::Private,
                    () => Protection::Protected,
                };
                let is_heir = |it: &Term| matches!(it.as_tuple(), Some([tag, _, _]) if tag.as_atom().is_some_and(|it| it.name() == "heir"));
                let has_heir = options.iter().any(is_heir);
                self.0.push(Owned { table: value.clone(), owner: process, protection, has_heir });
            }
            // What is asked of a table that is gone the VM answers.
            (Rule::Ets(EtsOp::Delete), [table]) => {
                let gone = self.0.iter_mut().filter(|own| own.table == *table);
                gone.for_each(|own| (own.owner, own.protection) = (NONE, Protection::Public));
            }
            (Rule::Ets(EtsOp::Rename), [table, _]) => {
                self.0.iter_mut().filter(|own| own.table == *table).for_each(|own| own.table = value.clone());
            }
            _ => {}
        }
    }

    fn find(&self, table: &Term) -> Option<&Owned> {
        self.0.iter().rev().find(|own| own.table == *table)
    }

    /// The tables of a process, and whether one of them has an heir.
    fn of(&self, process: u32) -> (Vec<Term>, bool) {
        let own = || self.0.iter().filter(|own| own.owner == process);
        (own().map(|own| own.table.clone()).collect(), own().any(|own| own.has_heir))
    }
}

impl Engine<'_> {
    /// The fault of a call on a table that its protection does not allow.
    pub fn table_fault(&mut self, at: Cursor, function: Mfa, args: &[Term]) -> Option<Box<Fault>> {
        let Rule::Ets(op) = ops::rule(function) else { return None };
        if self.node.is_lone() {
            return None;
        }
        if op == EtsOp::SetOptions {
            return Some(self.not_done(at, function, "tables with other owners"));
        }
        let table = args.first().filter(|_| op.reaches_tables())?;
        let Some(own) = self.state.owners.find(table) else {
            // A reference that stands for a name, or a search that goes on: which table it is nothing says.
            let is_unknown = table.as_atom().is_none();
            return is_unknown.then(|| self.not_done(at, function, "a table of several processes by another name"));
        };
        let reads = op.reads()
            || matches!(op, EtsOp::First | EtsOp::Last | EtsOp::List | EtsOp::Lookup)
            || matches!(op, EtsOp::LookupElement | EtsOp::Member | EtsOp::Next | EtsOp::Prev | EtsOp::Slot)
            || matches!(op, EtsOp::SafeFixtable | EtsOp::Continue);
        let allowed = match own.protection {
            _ if own.owner == self.node.processes[self.node.current].number => true,
            _ if matches!(op, EtsOp::Info | EtsOp::Whereis) => true,
            Protection::Public => true,
            Protection::Protected => reads,
            Protection::Private => false,
        };
        (!allowed).then(|| Fault::of_vm(function, args, Exception::badarg()))
    }

    /// The answer of the VM about a table, with the owner that the machine knows.
    pub fn with_owner(&self, function: Mfa, args: &[Term], value: Term) -> Term {
        let is_info = ops::rule(function) == Rule::Ets(EtsOp::Info) && !self.node.is_lone();
        let Some(own) = args.first().filter(|_| is_info).and_then(|table| self.state.owners.find(table)) else {
            return value;
        };
        let owner = self.node.processes.iter().find(|process| process.number == own.owner);
        let (Some(owner), Some(root)) = (owner, self.node.processes.first()) else { return value };
        let replaced = |pair: &Term| match pair.as_tuple() {
            Some([tag, pid]) if *pid == root.pid => Term::tuple([tag.clone(), owner.pid.clone()]),
            _ => pair.clone(),
        };
        match value.proper_list() {
            Some(items) => Term::list(items.iter().map(replaced).collect::<Vec<_>>()),
            None if value == root.pid => owner.pid.clone(),
            None => value,
        }
    }

    /// Deletes the tables of the processes that have ended.
    pub fn delete_tables(&mut self) {
        while let Some(index) = self.node.ended.get(self.node.buried).map(|ended| ended.index) {
            self.node.buried += 1;
            let number = self.node.processes[index].number;
            let (tables, has_heir) = self.state.owners.of(number);
            let delete = Rule::Ets(EtsOp::Delete).function(1);
            if has_heir {
                let at = self.place_of(0);
                let what = "tables that are inherited".to_owned();
                self.ending = Some(Ending::Unsupported { function: delete, what, at });
            }
            for table in tables {
                self.node.touch(Object::Table(table.clone()), true);
                _ = self.state.vm_call(VmCall::Stateful, delete, std::slice::from_ref(&table));
                self.recorder.iter_mut().for_each(|recorder| recorder.forget_table(&table));
            }
        }
    }
}
