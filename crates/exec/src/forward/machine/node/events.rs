//! The events of a scheduled run: each is one operation that others can see, with the local steps after it.

use std::rc::Rc;

use term::{Atom, Exception, Term};

use super::handles::RefKey;
use super::tables::SLOTS;
use crate::forward::code::Address;
use crate::forward::machine::engine::Registers;
use crate::forward::outcome::Place;

/// The number under which the clock takes its turns.
pub const CLOCK: u32 = u32::MAX;

/// The bit of the numbers of timers.
pub const TIMER: u32 = 1 << 31;

/// One step of a schedule.
#[derive(Clone)]
pub struct ProcessEvent {
    /// The number of the process; [`CLOCK`] where time passes, and one of its own for the signals from one process to another.
    pub process: u32,
    /// The operation.
    pub kind: EventKind,
    /// The arguments of an operation, if the schedule is to be shown.
    pub args: Vec<Term>,
    /// Shared things that it looked at or changed.
    pub accesses: Vec<Access>,
    /// The receivers of its messages, in order.
    pub sent: Vec<Sent>,
    /// Messages that have come with it: they were behind other signals.
    pub released: Vec<MessageId>,
    /// A message that it took out of the mailbox, other than by a `receive`.
    pub flushed: Option<MessageId>,
    /// Processes that it stopped.
    pub stopped: Vec<Stopped>,
    /// The event without which it could not have come to pass, besides earlier ones of its process.
    pub after: Option<u32>,
    /// The end of a process that had to be over before it, once it had begun.
    pub waited_for: Option<u32>,
    /// The number of decisions on the path before it.
    pub decisions: u32,
    /// True if time is up, or a timer strikes, although other processes could go on.
    pub early: bool,
    /// True for the last event of a run that does not come to rest: what would follow is what has been.
    pub recurs: bool,
    /// The place in the program.
    pub at: Rc<Place>,
}

impl ProcessEvent {
    /// An event that has done nothing yet.
    pub fn new(process: u32, kind: EventKind, decisions: u32, at: Rc<Place>) -> ProcessEvent {
        let (args, accesses, sent, released, stopped) = Default::default();
        let (flushed, after, waited_for, early, recurs) = (None, None, None, false, false);
        ProcessEvent {
            process,
            kind,
            args,
            accesses,
            sent,
            released,
            flushed,
            stopped,
            after,
            waited_for,
            decisions,
            early,
            recurs,
            at,
        }
    }

    /// The process or timer that it starts.
    pub fn started(&self) -> Option<u32> {
        match self.kind {
            EventKind::Spawn { child } => Some(child),
            EventKind::StartTimer { timer, .. } => Some(timer),
            _ => None,
        }
    }

    /// True if a run that has it is repeated only under its schedule: one process alone has one, unless time passes.
    pub fn needs_schedule(&self) -> bool {
        self.early || matches!(self.kind, EventKind::Spawn { .. } | EventKind::Clock { .. } | EventKind::Strike { .. })
    }

    /// The names of processes and tables that it gives or takes away.
    pub fn names(&self) -> impl Iterator<Item = &Object> {
        let changed = self.accesses.iter().filter(|access| access.writes).map(|access| &access.object);
        changed.filter(|object| matches!(object, Object::Name(_) | Object::TableName(_)))
    }

    /// True if a process starts another.
    pub fn is_spawn(&self) -> bool {
        matches!(self.kind, EventKind::Spawn { .. })
    }
}

/// The operation of an event.
#[derive(Clone)]
pub enum EventKind {
    /// A process goes on that has hibernated.
    Wake,
    /// The run's call gives its value.
    Return,
    /// A process starts another, which comes to its first operation.
    Spawn { child: u32 },
    /// A `receive` takes a message, or its time is up; one without time looks at the messages once. It is timed if it
    /// does not wait forever; one whose time is up looks once although it has waited.
    Receive { taken: Option<MessageId>, patterns: Patterns, looks_once: bool, timed: bool, is_up: bool },
    /// A signal that is no message arrives, by the numbers of its processes.
    Signal { from: u32, to: u32 },
    /// A process that comes to its end gives up its tables, or its name.
    Release,
    /// A process ends.
    Exit { reason: Term },
    /// A process starts a timer, with the number under which it takes its turn, and the time before which it does not
    /// strike.
    StartTimer { timer: u32, key: RefKey, function: term::Mfa, due: u64 },
    /// A timer strikes. What happens at the same time may come before or after, but for what the process does that has
    /// started it, if that is named: all but the end of a wait comes after, the next strike too. Where no time had to pass
    /// only the next strike does.
    Strike { by: Option<u32>, is_immediate: bool },
    /// Time passes, up to so many milliseconds since the run began.
    Clock { now: u64 },
    /// Another operation.
    Operation { function: term::Mfa },
}

/// A process that a signal has stopped.
#[derive(Clone)]
pub struct Stopped {
    /// The number of the process.
    pub process: u32,
    /// True if it could have gone on.
    pub was_ready: bool,
    /// The patterns of the `receive` that it waited in.
    pub waited: Option<Patterns>,
    /// The number of signals under another number that had to come before it could go on.
    pub behind: Option<(u32, u32)>,
}

/// A message: the event that sent it, and its place among the messages of that event.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct MessageId {
    pub event: u32,
    pub place: u32,
}

/// A message on its way.
#[derive(Clone)]
pub struct Sent {
    /// The number of the receiver.
    pub to: u32,
    pub message: Term,
    /// The event in which the last signal before it, from the same sender, came.
    pub behind: Option<u32>,
    /// True if it is still behind signals that have not come.
    pub waits: bool,
}

/// A shared thing, and what was done with it.
#[derive(Clone, PartialEq, Debug)]
pub struct Access {
    pub object: Object,
    pub writes: bool,
}

/// Things that several processes see.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Object {
    Name(Atom),
    /// The tables that a process has, by number.
    TablesOf(u32),
    /// All names together.
    Names,
    /// The name of a process, by number.
    NameOf(u32),
    /// The end of a process, by number.
    Life(u32),
    /// The steps of a process: what stops it depends on all of them.
    Steps(u32),
    /// The event that stops a process: signals that would stop it mean nothing then.
    End(u32),
    /// The link that a process has to another.
    Link(u32, u32),
    /// Links and monitors of a process, all together.
    Relations(u32),
    /// Whether a process traps exits.
    Trap(u32),
    /// The group leader of a process.
    Leader(u32),
    /// All messages of a process.
    Mailbox(u32),
    Alias(RefKey),
    Timer(RefKey),
    /// A table, by its reference: all its rows, its owner and its options.
    Table(RefKey),
    /// Rows of a table whose keys have this number; equal keys have the same. Small numbers are those of slots, whose rows
    /// have an order.
    Row(RefKey, u64),
    /// The name of a table.
    TableName(Atom),
    /// All tables together.
    Tables,
    /// An integer of an array, by reference and index.
    Integer(RefKey, u64),
    /// The persistent terms whose keys have this number; equal keys have the same.
    PersistentTerm(u64),
    /// All persistent terms.
    PersistentTerms,
    /// State that the VM keeps for the run.
    State,
}

impl Object {
    /// The shared thing that it is a part of.
    /// The table whose rows have an order here that only a look at the whole table shows.
    pub fn slot_of(&self) -> Option<RefKey> {
        match self {
            Object::Row(table, number) => (*number < SLOTS).then_some(*table),
            _ => None,
        }
    }

    pub fn whole(&self) -> Option<Object> {
        match self {
            Object::Row(table, _) => Some(Object::Table(*table)),
            Object::PersistentTerm(_) => Some(Object::PersistentTerms),
            _ => None,
        }
    }
}

/// The patterns of a `receive`, as code and the values that they mention.
#[derive(Clone)]
pub struct Patterns {
    pub ip: Address,
    pub slots: Rc<[Term]>,
}

/// The crash of a process.
#[derive(Clone)]
pub struct Crash {
    /// The number of the process.
    pub process: u32,
    pub exception: Exception,
    pub trace: Vec<Place>,
}

impl Patterns {
    /// Registers in which the patterns can be tried.
    pub fn registers(&self) -> Registers {
        // A frame has room for the windows of its guards; what a guard calls makes room for itself.
        Registers::of(self.slots.iter().cloned(), self.slots.len())
    }
}
