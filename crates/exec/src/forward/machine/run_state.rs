//! The state of a running program besides its arguments: its process dictionary, its pid, the VM.

use ir::ProcessOp;
use ops::{Dictionary, Environment, EtsOp, Eval, Fresh, Rule};
use term::heap::{self, Measure};
use term::{Atom, Exception, Fun, Handle, HandleKind, Mfa, Term, cut};

use super::node::reference;
use super::processes::Owners;
use crate::forward::outcome::{Ending, Place};
use crate::forward::world::{VmAnswer, VmCall, World};

/// The process dictionary, ETS tables and pid of a run, and its VM.
pub struct RunState<'a> {
    pub world: &'a mut dyn World,
    pub dictionary: Dictionary,
    /// The tables that the run has made and not deleted.
    pub tables: Vec<Term>,
    /// Whose they are.
    pub owners: Owners,
    /// Rows that must be in the VM's tables before their next use.
    pending: Vec<(Term, Vec<Term>)>,
    /// The names of the VM's own tables, once they were asked for.
    others: Option<Vec<Term>>,
    pid: Option<Term>,
    /// The number of the process that runs, and of the references that it has made.
    number: u32,
    references: u32,
    /// The names of the VM's own processes, once they were asked for.
    system_names: Option<Vec<Atom>>,
    /// Set when the VM gave no answer: the run ends with any result of the operation.
    pub failure: Option<Failure>,
    /// The program has looked at something besides its arguments.
    pub touched: bool,
}

/// Dictionary, tables, the names of others, and the count of references.
type Lent = (Dictionary, (Vec<Term>, Owners), Option<Vec<Term>>, u32);

/// Why a call on the VM has no outcome.
pub struct Failure {
    pub function: Mfa,
    pub kind: FailureKind,
    pub what: String,
}

/// The kind of a call on the VM that has no outcome.
pub enum FailureKind {
    /// The VM has not answered.
    Silent,
    /// The arguments cannot be sent.
    Unsendable,
    /// The call could come to a function with an outside effect.
    Refused,
}

impl<'a> RunState<'a> {
    /// The state at the beginning of a run.
    pub fn new(world: &'a mut dyn World) -> RunState<'a> {
        RunState {
            world,
            dictionary: Dictionary::default(),
            tables: Vec::new(),
            owners: Owners::default(),
            pending: Vec::new(),
            others: None,
            pid: None,
            number: 0,
            references: 0,
            system_names: None,
            failure: None,
            touched: false,
        }
    }

    /// The same for a call that is made apart; see [`RunState::take_back`].
    pub fn lend(&mut self) -> RunState<'_> {
        self.put_pending();
        RunState {
            pending: Vec::new(),
            dictionary: std::mem::take(&mut self.dictionary),
            tables: std::mem::take(&mut self.tables),
            owners: std::mem::take(&mut self.owners),
            others: self.others.take(),
            pid: self.pid.clone(),
            number: self.number,
            references: self.references,
            system_names: self.system_names.clone(),
            failure: None,
            touched: false,
            world: &mut *self.world,
        }
    }

    /// Takes back what was lent.
    pub fn take_back(&mut self, lent: Lent) {
        (self.dictionary, (self.tables, self.owners), self.others, self.references) = lent;
        self.touched = true;
    }

    /// The terms that the process holds besides its registers.
    pub fn held(&self) -> impl Iterator<Item = &Term> {
        let rows = self.pending.iter().flat_map(|(_, rows)| rows);
        self.dictionary.held().chain(rows).chain(&self.tables)
    }

    /// Asks the VM. How many terms an answer takes here may depend on who has asked before; its size does not.
    fn ask_vm(&mut self, kind: VmCall, function: Mfa, args: &[Term]) -> VmAnswer {
        let answer = heap::uncounted(|| cut::whole(|| self.world.vm_call(kind, function, args)));
        if let VmAnswer::Value(value) = &answer {
            let mut measure = Measure::default();
            measure.add([value], usize::MAX);
            heap::charge(measure.bytes());
        }
        if heap::was_refused() { VmAnswer::Limit("memory".to_owned()) } else { answer }
    }

    /// Makes another process the one that runs, or leaves the one that does.
    pub fn exchange_identity(&mut self, pid: &Term, number: u32, references: &mut u32) {
        self.pid = Some(pid.clone());
        self.number = number;
        std::mem::swap(&mut self.references, references);
    }

    /// The names of the VM's own processes.
    pub fn system_names(&mut self) -> &[Atom] {
        if self.system_names.is_none() {
            let function = Rule::Process(ProcessOp::Registered).function(0);
            let names = match self.ask_vm(VmCall::Stateful, function, &[]) {
                VmAnswer::Value(names) => names.cells().filter_map(Term::as_atom).collect(),
                _ => Vec::new(),
            };
            self.system_names = Some(names);
        }
        self.system_names.as_deref().unwrap_or_default()
    }

    /// True if a process of the VM's own has this name.
    pub fn is_system_name(&mut self, name: Atom) -> bool {
        !ops::services::NAMES.contains(&name.name()) && self.system_names().contains(&name)
    }

    /// The parts that [`RunState::take_back`] takes.
    pub fn into_parts(self) -> Lent {
        (self.dictionary, (self.tables, self.owners), self.others, self.references)
    }

    /// Lets the VM execute a call; `failure` is set if it has no outcome.
    pub fn vm_call(&mut self, kind: VmCall, function: Mfa, args: &[Term]) -> Eval {
        if kind == VmCall::Stateful {
            self.touched = true;
            self.put_pending();
        }
        match self.ask_vm(kind, function, args) {
            VmAnswer::Value(value) => {
                self.note_table(function, args, &value);
                return Ok(value);
            }
            VmAnswer::Raised(exception) => return Err(Box::new(exception)),
            other => self.failure = other.failure(function),
        }
        Err(Box::new(Exception::badarg()))
    }
}

impl RunState<'_> {
    /// Puts rows into a table at some time before the next call: one message takes many of them to the VM.
    pub fn put_later(&mut self, args: &[Term]) -> Eval {
        self.touched = true;
        if let [table, rows] = args {
            let rows = rows.proper_list().unwrap_or_else(|| vec![rows.clone()]);
            match self.pending.last_mut() {
                Some((last, pending)) if last == table => pending.extend(rows),
                _ => self.pending.push((table.clone(), rows)),
            }
        }
        Ok(Term::bool(true))
    }

    fn put_pending(&mut self) {
        let function = Rule::Ets(EtsOp::Insert).function(2);
        // One by one: a list of them the VM would take in another order.
        let each = Mfa { module: Atom::new("lists"), function: Atom::new("zipwith"), arity: 3 };
        for (table, rows) in std::mem::take(&mut self.pending) {
            let tables = Term::list(vec![table; rows.len()]);
            let args = [Term::fun(Fun::External(function)), tables, Term::list(rows)];
            if let Some(failure) = self.ask_vm(VmCall::Stateful, each, &args).failure(function) {
                self.failure = Some(failure);
            }
        }
    }

    fn note_table(&mut self, function: Mfa, args: &[Term], value: &Term) {
        self.owners.note(function, args, value, self.number);
        match (ops::rule(function), args) {
            (Rule::Ets(EtsOp::New), _) => self.tables.push(value.clone()),
            (Rule::Ets(EtsOp::Delete), [table]) => self.tables.retain(|own| own != table),
            (Rule::Ets(EtsOp::Rename), [table, _]) => {
                self.tables.iter_mut().filter(|own| *own == table).for_each(|own| *own = value.clone());
            }
            _ => {}
        }
    }

    /// The rows of a table.
    pub fn rows(&mut self, table: &Term) -> Option<Vec<Term>> {
        self.table_call(EtsOp::List, table)?.proper_list()
    }

    /// The reference of a table that has a name.
    pub fn reference(&mut self, table: &Term) -> Option<Term> {
        self.table_call(EtsOp::Whereis, table).filter(|it| matches!(it, Term::Handle(..)))
    }

    fn table_call(&mut self, operation: EtsOp, table: &Term) -> Option<Term> {
        self.put_pending();
        let function = Rule::Ets(operation).function(1);
        match self.ask_vm(VmCall::Stateful, function, std::slice::from_ref(table)) {
            VmAnswer::Value(value) => Some(value),
            _ => None,
        }
    }

    /// True if there is a table of that name, made by the run or by others.
    pub fn has_table(&mut self, table: &Term) -> bool {
        if self.tables.contains(table) || table.as_atom().is_none() {
            return self.tables.contains(table);
        }
        let RunState { world, others, .. } = self;
        let others = others.get_or_insert_with(|| {
            let all = Rule::Ets(EtsOp::All).function(0);
            match world.vm_call(VmCall::Stateful, all, &[]) {
                VmAnswer::Value(all) => all.proper_list().unwrap_or_default(),
                _ => Vec::new(),
            }
        });
        others.contains(table)
    }
}

impl VmAnswer {
    /// Why there is no value, if there should be one.
    fn failure(self, function: Mfa) -> Option<Failure> {
        let (kind, what) = match self {
            VmAnswer::Value(_) => return None,
            VmAnswer::Raised(exception) => (FailureKind::Silent, format!("{}:{}", exception.class, exception.reason)),
            VmAnswer::Limit(what) | VmAnswer::Failed(what) => (FailureKind::Silent, what),
            VmAnswer::Unsendable => (FailureKind::Unsendable, "a fun of this run cannot be sent to the VM".to_string()),
            VmAnswer::Refused { function, effect } => {
                return Some(Failure { function, kind: FailureKind::Refused, what: effect.to_owned() });
            }
        };
        Some(Failure { function, kind, what })
    }
}

impl Failure {
    /// The ending of the run that made the call.
    pub fn ending(self, at: Place) -> Ending {
        let Failure { function, kind, what } = self;
        match kind {
            FailureKind::Silent => Ending::Vm { function, what, at },
            FailureKind::Unsendable => Ending::Unsupported { function, what, at },
            FailureKind::Refused => Ending::Refused { function, effect: what, at },
        }
    }
}

impl Environment for RunState<'_> {
    fn dictionary(&mut self) -> &mut Dictionary {
        self.touched = true;
        &mut self.dictionary
    }

    fn own_pid(&mut self) -> Term {
        self.touched = true;
        if let Some(pid) = &self.pid {
            return pid.clone();
        }
        let function = Rule::Fresh(Fresh::Pid).function(0);
        let pid = match self.ask_vm(VmCall::Stateful, function, &[]) {
            VmAnswer::Value(pid) => pid,
            // Without a VM any pid will do: no other process can send to it.
            _ => Term::handle(Handle {
                kind: HandleKind::Pid,
                node: Atom::new("nonode@nohost"),
                creation: 0,
                words: [1, 0].into(),
            }),
        };
        self.pid.insert(pid).clone()
    }

    fn fresh_reference(&mut self) -> Term {
        self.touched = true;
        self.references += 1;
        reference(self.number, self.references)
    }

    fn ask(&mut self, function: Mfa, args: &[Term]) -> Eval {
        self.vm_call(VmCall::Pure, function, args)
    }
}
