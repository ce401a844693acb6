//! The state of a running program besides its arguments: its process dictionary, its pid, the VM.

use std::rc::Rc;

use ir::ProcessOp;
use ops::{Dictionary, Environment, EtsOp, Eval, Fresh, Rule};
use term::heap::{self, Measure};
use term::{Atom, Exception, Fun, Handle, HandleKind, Mfa, Term, cut};

use super::node::{NameOrder, reference};
use crate::forward::outcome::{Ending, Place};
use crate::forward::world::{VmAnswer, VmCall, World};

/// The process dictionary and pid of a run, and its VM.
pub struct RunState<'a> {
    pub world: &'a mut dyn World,
    pub dictionary: Dictionary,
    /// The VM's own tables, once they were asked for.
    foreign_tables: Option<Vec<Term>>,
    pub pid: Option<Term>,
    /// The number of the process that runs, and of the references that it has made.
    number: u32,
    /// The order of the names of references.
    pub name_order: Rc<NameOrder>,
    references: u32,
    /// The names of the VM's own processes, once they were asked for.
    system_names: Option<Vec<Atom>>,
    /// Set when the VM gave no answer: the run ends with any result of the operation.
    pub failure: Option<Failure>,
    /// The program has looked at something besides its arguments.
    pub touched: bool,
    /// A schedule decides whose turn it is.
    pub scheduled: bool,
    /// Questions that the VM was asked.
    pub vm_calls: u64,
    /// Those of them whose answer depends on more than their arguments.
    pub stateful_calls: u64,
    /// Accesses to what may differ the next time: the VM's state, processes and messages, clocks, changes of tables.
    pub outside: u64,
}

/// Dictionary, the VM's tables, and the count of references.
type Lent = (Dictionary, Option<Vec<Term>>, u32);

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
            foreign_tables: None,
            pid: None,
            number: 0,
            name_order: Rc::default(),
            references: 0,
            system_names: None,
            failure: None,
            touched: false,
            scheduled: false,
            vm_calls: 0,
            stateful_calls: 0,
            outside: 0,
        }
    }

    /// The same for a call that is made apart; see [`RunState::take_back`].
    pub fn lend(&mut self) -> RunState<'_> {
        RunState {
            dictionary: std::mem::take(&mut self.dictionary),
            foreign_tables: self.foreign_tables.take(),
            pid: self.pid.clone(),
            number: self.number,
            name_order: Rc::clone(&self.name_order),
            references: self.references,
            system_names: self.system_names.clone(),
            failure: None,
            touched: false,
            scheduled: self.scheduled,
            vm_calls: 0,
            stateful_calls: 0,
            outside: 0,
            world: &mut *self.world,
        }
    }

    /// Takes back what was lent.
    pub fn take_back(&mut self, lent: Lent) {
        (self.dictionary, self.foreign_tables, self.references) = lent;
        self.touched = true;
        self.outside += 1;
    }

    /// The terms that the process holds besides its registers.
    pub fn held(&self) -> impl Iterator<Item = &Term> {
        self.dictionary.held()
    }

    /// Asks the VM. How many terms an answer takes here may depend on who has asked before; its size does not.
    fn ask_vm(&mut self, kind: VmCall, function: Mfa, args: &[Term]) -> VmAnswer {
        self.vm_calls += 1;
        self.stateful_calls += u64::from(kind == VmCall::Stateful);
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
        (self.dictionary, self.foreign_tables, self.references)
    }

    /// Lets the VM execute a call; `failure` is set if it has no outcome.
    pub fn vm_call(&mut self, kind: VmCall, function: Mfa, args: &[Term]) -> Eval {
        if kind == VmCall::Stateful {
            self.touched = true;
            self.outside += 1;
        }
        match self.ask_vm(kind, function, args) {
            VmAnswer::Value(value) => return Ok(value),
            VmAnswer::Raised(exception) => return Err(Box::new(exception)),
            other => self.failure = other.failure(function),
        }
        Err(Box::new(Exception::badarg()))
    }
}

impl RunState<'_> {
    /// The number of references that the process has made.
    pub fn references(&self) -> u32 {
        self.references
    }

    /// The number of the process that runs.
    pub fn number(&self) -> u32 {
        self.number
    }

    /// The VM's own tables: their names, and the references of those without one.
    pub fn foreign_tables(&mut self) -> &[Term] {
        if self.foreign_tables.is_none() {
            let all = match self.ask_vm(VmCall::Stateful, Rule::Ets(EtsOp::All).function(0), &[]) {
                VmAnswer::Value(all) => all.proper_list().unwrap_or_default(),
                _ => Vec::new(),
            };
            self.foreign_tables = Some(all);
        }
        self.foreign_tables.as_deref().unwrap_or_default()
    }

    /// True if the VM has a table of that name.
    pub fn has_foreign_table(&mut self, name: Atom) -> bool {
        self.foreign_tables().iter().any(|table| table.as_atom() == Some(name))
    }

    /// The answer of the VM about a table of this type and place of keys, with these rows in the order of their insertion;
    /// `failure` is set if there is none.
    pub fn on_vm(
        &mut self,
        (kind, place): (&str, usize),
        rows: Vec<Term>,
        function: Mfa,
        rest: &[Term],
    ) -> Option<Term> {
        let of = |op: EtsOp, arity: usize| Rule::Ets(op).function(arity);
        let place = Term::tuple([Term::atom_named("keypos"), Term::int(place as i64 + 1)]);
        let options = Term::list(vec![Term::atom_named(kind), place]);
        let table = self.vm_call(VmCall::Stateful, of(EtsOp::New, 2), &[Term::atom_named("table"), options]).ok()?;
        // One by one: a list of them the VM may take in another order.
        let each = Mfa { module: Atom::new("lists"), function: Atom::new("zipwith"), arity: 3 };
        let (insert, tables) = (Term::fun(Fun::External(of(EtsOp::Insert, 2))), vec![table.clone(); rows.len()]);
        self.vm_call(VmCall::Stateful, each, &[insert, Term::list(tables), Term::list(rows)]).ok()?;
        let args: Vec<Term> = std::iter::once(table.clone()).chain(rest.iter().cloned()).collect();
        let answer = self.vm_call(VmCall::Stateful, function, &args).ok();
        self.vm_call(VmCall::Stateful, of(EtsOp::Delete, 1), &[table]).ok()?;
        answer
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
        reference(self.number, self.references, &self.name_order)
    }

    fn ask(&mut self, function: Mfa, args: &[Term]) -> Eval {
        self.vm_call(VmCall::Pure, function, args)
    }
}
