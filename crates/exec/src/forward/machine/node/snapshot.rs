//! The state of a node in which only time can let anything happen, in a form that can be compared with a later one.
//!
//! Everything that decides what happens next is a list of terms, in an order that follows from the run alone. Two states
//! are one if the terms are the same, marks included, but for the names of the pids and references that the run has made,
//! and if times are as far away. From such states the run goes on in the same way, whatever the inputs are that come there.

use rustc_hash::FxHashMap;
use term::{Fun, Mark, Term};

use super::handles::{RefKey, number_of};
use super::inbox::Inbox;
use super::tables::EtsTable;
use super::timers::{Destination, Instant, Timer};
use super::{Index, Node, NodeProcess, ProcessState, Resume};
use crate::forward::machine::engine::Registers;
use crate::forward::machine::processes::BEGINNING;
use crate::forward::symbolic::is_marked;

/// A state, to be compared with others.
pub struct Snapshot(Vec<Term>);

impl Snapshot {
    /// True if a later state is the same.
    pub fn recurs(&self, later: &Snapshot) -> bool {
        let mut names = Renaming::default();
        let both = || self.0.iter().zip(&later.0);
        self.0.len() == later.0.len() && both().all(|(then, now)| names.is_same(then, now))
    }
}

impl Node {
    /// The state of the node while it waits for time to pass; nothing if it is more than these terms.
    /// `frame` is the number of slots of the function that an instruction is in.
    pub fn snapshot(&self, frame: impl Fn(u32) -> usize) -> Option<Snapshot> {
        let mut facts = Facts { node: self, terms: Vec::new() };
        let alive: Vec<Index> = (0..self.processes.len()).filter(|index| self.is_alive(*index)).collect();
        facts.count(alive.len());
        alive.iter().for_each(|index| facts.process(*index));
        for index in alive {
            facts.state(&self.processes[index], &frame)?;
        }
        facts.relations();
        facts.timers()?;
        facts.stores()?;
        (self.flights.is_empty() && !self.tables.has_compiled()).then_some(Snapshot(facts.terms))
    }
}

/// The terms of a state so far.
struct Facts<'n> {
    node: &'n Node,
    terms: Vec<Term>,
}

impl Facts<'_> {
    fn count(&mut self, count: usize) {
        self.terms.push(Term::int(count as i64));
    }

    fn flag(&mut self, flag: bool) {
        self.terms.push(Term::bool(flag));
    }

    fn process(&mut self, index: Index) {
        self.terms.push(self.node.processes[index].pid.clone());
    }

    fn processes<'i>(&mut self, indexes: impl ExactSizeIterator<Item = &'i Index>) {
        self.count(indexes.len());
        indexes.for_each(|index| self.process(*index));
    }

    fn references<'k>(&mut self, keys: impl ExactSizeIterator<Item = &'k RefKey>) {
        self.count(keys.len());
        self.terms.extend(keys.map(|key| key.reference()));
    }

    fn terms<'t>(&mut self, terms: impl Iterator<Item = &'t Term>) {
        let before = self.terms.len();
        self.terms.extend(terms.cloned());
        self.count(self.terms.len() - before);
    }

    /// How long it is until a point of the clock, if inputs do not decide that.
    fn until(&mut self, when: Instant) -> Option<()> {
        let is_plain = when.mark == Mark::NONE && self.node.now().mark == Mark::NONE;
        self.terms.push(Term::int(when.milliseconds as i64 - self.node.now().milliseconds as i64));
        is_plain.then_some(())
    }

    fn state(&mut self, process: &NodeProcess, frame: &impl Fn(u32) -> usize) -> Option<()> {
        match process.status {
            ProcessState::Waiting(Resume::At { ip, base }) => {
                self.count(ip as usize);
                self.registers(&process.registers, base + frame(ip));
                self.inbox(&process.mailbox)?;
            }
            // It does nothing more; what it is sent shows only to those who ask about it.
            ProcessState::Returned if !self.node.asks_about_others => self.flag(false),
            _ => return None,
        }
        let NodeProcess { links, ended_links, watched, late_links, late_monitors, .. } = process;
        [links, ended_links, late_links].into_iter().for_each(|indexes| self.processes(indexes.iter()));
        [watched, late_monitors].into_iter().for_each(|keys| self.references(keys.iter()));
        [process.traps_exits, process.is_stopped, process.receives].into_iter().for_each(|flag| self.flag(flag));
        let initial = process.initial;
        self.terms.extend([initial.module, initial.function].map(Term::atom));
        self.count(initial.arity.into());
        self.terms(process.dictionary.held());
        self.terms(process.leader.iter().chain(&process.parent).chain(&process.exit));
        self.terms(process.flags.iter().map(|(_, value)| value));
        self.terms.extend(process.flags.iter().map(|(name, _)| Term::atom(*name)));
        Some(())
    }

    fn registers(&mut self, registers: &Registers, live: usize) {
        self.terms(registers.stack.iter().take(live));
        self.count(registers.frames.len());
        for frame in &registers.frames {
            self.count(frame.back as usize);
            self.count(frame.window as usize);
        }
    }

    fn inbox(&mut self, inbox: &Inbox) -> Option<()> {
        self.terms(inbox.messages());
        self.count(inbox.tried);
        self.flag(inbox.until().is_some());
        inbox.until().map_or(Some(()), |until| self.until(until))
    }

    fn relations(&mut self) {
        let node = self.node;
        self.count(node.names.len());
        for (name, index) in &node.names {
            self.terms.push(Term::atom(*name));
            self.process(*index);
        }
        self.count(node.monitors.len());
        for (key, monitor) in &node.monitors {
            self.references(std::iter::once(key));
            self.processes(std::iter::once(&monitor.by));
            self.processes(monitor.of.as_ref().into_iter());
            self.terms.extend([monitor.shown.clone(), monitor.tag.clone()]);
        }
        let active = || node.aliases.iter().filter(|(_, alias)| alias.is_active);
        self.count(active().count());
        for (key, alias) in active() {
            self.references(std::iter::once(key));
            self.process(alias.owner);
            self.count(alias.mode as usize);
            self.flag(alias.from_owner);
        }
    }

    fn timers(&mut self) -> Option<()> {
        let node = self.node;
        self.count(node.timers.waiting.len());
        for timer in node.timers.waiting.values() {
            self.terms.push(timer.reference.clone());
            self.message(timer);
            [timer.absolute, timer.is_immediate].into_iter().for_each(|flag| self.flag(flag));
            match timer.to {
                Destination::Process(index) => self.process(index),
                Destination::Name(name) => self.terms.push(Term::atom(name)),
            }
            self.until(timer.when)?;
        }
        Some(())
    }

    /// The message of a timer. One that the timer server starts for itself has the point of `monotonic_time` at which it
    /// strikes, of which the server makes the next one.
    fn message(&mut self, timer: &Timer) {
        let strike = Term::int(BEGINNING + timer.when.milliseconds as i64);
        match timer.message.as_tuple() {
            Some([timeout, reference, Term::Tuple(Mark::NONE, parts)]) if timer.is_served => {
                self.terms.extend([timeout.clone(), reference.clone()]);
                parts.iter().for_each(|part| self.flag(*part == strike));
                self.terms(parts.iter().filter(|part| **part != strike));
            }
            _ => self.terms.push(timer.message.clone()),
        }
    }

    /// Tables, arrays and persistent terms. Rows that inputs decide about have conditions besides their terms.
    fn stores(&mut self) -> Option<()> {
        let node = self.node;
        self.count(node.tables.all().len());
        for table in node.tables.all() {
            self.table(table)?;
        }
        self.count(node.arrays.all().len());
        for (key, values) in node.arrays.all() {
            self.references(std::iter::once(key));
            self.terms(values.iter());
        }
        self.terms(node.persistent.entries());
        Some(())
    }
}

impl Facts<'_> {
    /// A table, unless inputs decide what is in it, or rows are kept in their places.
    fn table(&mut self, table: &EtsTable) -> Option<()> {
        let (owner, name) = (self.node.by_number(table.owner)?, Term::atom(table.name));
        self.process(owner);
        self.terms.extend([
            table.tid.clone(),
            name,
            Term::bool(table.named),
            Term::atom_named(table.protection.name()),
        ]);
        self.terms(table.heir.iter().flat_map(|(heir, data)| [heir, data]));
        self.count(table.rows.slots());
        self.terms(table.rows.all());
        let is_open = table.rows.all().any(is_marked) || !table.fixed_by.is_empty();
        (!is_open).then_some(())
    }
}

/// The name of a pid or reference that the run has made.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Name {
    Process(u32),
    Reference(RefKey),
}

impl Name {
    fn of(term: &Term) -> Option<Name> {
        number_of(term).map(Name::Process).or_else(|| RefKey::of(term).map(Name::Reference))
    }
}

/// The names of a state with those that stand for them in a later one.
#[derive(Default)]
struct Renaming {
    later: FxHashMap<Name, Name>,
    earlier: FxHashMap<Name, Name>,
}

impl Renaming {
    /// True if two terms are the same, marks included, but for names.
    fn is_same(&mut self, then: &Term, now: &Term) -> bool {
        if then.mark() != now.mark() {
            return false;
        }
        match (then, now) {
            (Term::Handle(..), Term::Handle(..)) => match (Name::of(then), Name::of(now)) {
                (Some(then), Some(now)) => self.stands_for(then, now),
                (None, None) => then == now,
                _ => false,
            },
            (Term::Cons(_, a), Term::Cons(_, b)) => {
                term::deeper(|| self.is_same(&a.head, &b.head) && self.is_same(&a.tail, &b.tail))
            }
            (Term::Tuple(_, a), Term::Tuple(_, b)) => a.len() == b.len() && self.are_same(a.iter().zip(b.iter())),
            (Term::Map(_, a), Term::Map(_, b)) => {
                let keys = a.len() == b.len() && self.are_same(a.keys().zip(b.keys()));
                keys && self.are_same(a.iter().map(|it| it.1).zip(b.iter().map(|it| it.1)))
            }
            (Term::Fun(_, a), Term::Fun(_, b)) => match (&**a, &**b) {
                (Fun::Closure(a), Fun::Closure(b)) => {
                    let is_one = (a.code, a.module, a.name) == (b.code, b.module, b.name);
                    is_one && self.are_same(a.captured.iter().zip(b.captured.iter()))
                }
                _ => then == now,
            },
            (Term::Float(_, a), Term::Float(_, b)) => a.to_bits() == b.to_bits(),
            _ => then == now,
        }
    }

    fn are_same<'t>(&mut self, mut both: impl Iterator<Item = (&'t Term, &'t Term)>) -> bool {
        term::deeper(|| both.all(|(then, now)| self.is_same(then, now)))
    }

    /// True if a name can stand for another: processes for processes, and references for those of the process that stands
    /// for the one that made them.
    fn stands_for(&mut self, then: Name, now: Name) -> bool {
        let are_alike = match (then, now) {
            (Name::Process(_), Name::Process(_)) => true,
            (Name::Reference(then), Name::Reference(now)) => {
                self.stands_for(Name::Process(then.process()), Name::Process(now.process()))
            }
            _ => false,
        };
        are_alike && *self.later.entry(then).or_insert(now) == now && *self.earlier.entry(now).or_insert(then) == then
    }
}
