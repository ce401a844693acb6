//! The events of a scheduled run: each is one operation that others can see, with the local steps after it.

use term::{Atom, Exception, Term};

use super::handles::RefKey;
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
    /// The number of the process; [`CLOCK`] where time passes.
    pub process: u32,
    /// The operation.
    pub kind: EventKind,
    /// The arguments of an operation, if the schedule is to be shown.
    pub args: Vec<Term>,
    /// Shared things that it looked at or changed.
    pub accesses: Vec<Access>,
    /// The receivers of its messages, in order.
    pub sent: Vec<Sent>,
    /// Processes that it ended, itself included, and whether they could have gone on.
    pub ended: Vec<(u32, bool)>,
    /// The number of decisions on the path before it.
    pub decisions: u32,
    /// True if time is up, or a timer strikes, although other processes could go on.
    pub early: bool,
    /// The place in the program.
    pub at: Place,
}

impl ProcessEvent {
    /// The process or timer that it starts.
    pub fn started(&self) -> Option<u32> {
        match self.kind {
            EventKind::Spawn { child } => Some(child),
            EventKind::StartTimer { timer, .. } => Some(timer),
            _ => None,
        }
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
    /// A process starts another, which comes to its first operation.
    Spawn { child: u32 },
    /// A `receive` takes a message, or its time is up; one without time looks at the messages once. It is timed if it
    /// does not wait forever, and with any time it looks once although it would wait.
    Receive { taken: Option<MessageId>, patterns: Patterns, looks_once: bool, timed: bool, any_time: bool },
    /// A process ends.
    Exit { reason: Term },
    /// A process starts a timer that can strike at any time, with the number under which it takes its turn.
    StartTimer { timer: u32, key: RefKey, function: term::Mfa },
    /// Such a timer strikes.
    Strike,
    /// Time passes, up to so many milliseconds since the run began.
    Clock { now: u64 },
    /// Another operation.
    Operation { function: term::Mfa },
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
    /// All names together.
    Names,
    /// The end of a process, by number.
    Life(u32),
    /// The steps of a process: what ends it depends on all of them.
    Steps(u32),
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
    /// Rows of a table whose keys have this number; equal keys have the same.
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
    pub slots: std::rc::Rc<[Term]>,
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
        Registers::of(self.slots.iter().cloned().collect::<Vec<_>>().into_iter(), self.slots.len() + ROOM)
    }
}

/// Slots for the windows of guards.
const ROOM: usize = 300;
