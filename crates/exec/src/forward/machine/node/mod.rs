//! The processes of a run: who they are, what they wait for, the signals between them, names, clock and timers.
//!
//! A node knows nothing of instructions. The engine runs one process at a time and returns here at operations that other
//! processes can see; see [`super::processes`].

mod arrays;
mod events;
mod flights;
mod handles;
mod inbox;
mod info;
mod monitors;
mod persistent;
mod process;
mod signals;
mod snapshot;
pub mod tables;
mod timers;
mod turns;

use std::collections::{BTreeMap, VecDeque};

use rustc_hash::FxHashMap;
use term::{Atom, Mark, Term};

pub use arrays::{ArrayPlace, Arrays, is_increment};
pub use events::{Access, CLOCK, Crash, EventKind, MessageId, Object, Patterns, ProcessEvent, Sent, Stopped, TIMER};
pub use flights::{Flight, Signal};
pub use handles::{
    HandleName, MOST_PROCESSES, NameOrder, PidTable, channel, channel_ends, is_made_here, number_of, pid, reference,
};
pub use inbox::{Inbox, Wait};
pub use monitors::{AliasMode, down, shown_name};
pub use process::{NodeProcess, ProcessState, Resume, Visible};
pub use signals::exit_message;
pub use snapshot::Snapshot;
pub use timers::{Destination, Instant, Pending, Timer};

pub use handles::RefKey;
use monitors::{Alias, Watching};
use persistent::PersistentTerms;
use tables::Tables;
use timers::Timers;
use turns::Turns;

/// A process of a node, by its place.
pub type Index = usize;

/// The process that makes the run's call.
pub const ROOT: Index = 0;

/// A process that has ended.
#[derive(Clone)]
pub struct Ended {
    /// The process.
    pub index: Index,
    /// The reason.
    pub reason: Term,
}

/// The processes of a run.
#[derive(Default)]
pub struct Node {
    /// Every process there ever was; the first makes the run's call. Empty as long as the run needs no others.
    pub processes: Vec<NodeProcess>,
    /// The one that runs.
    pub current: Index,
    /// Those that can go on, in the order in which they will.
    pub ready: VecDeque<Index>,
    /// The same where a schedule decides who goes on.
    pub turns: Turns,
    names: BTreeMap<Atom, Index>,
    by_number: FxHashMap<u32, Index>,
    monitors: BTreeMap<RefKey, Watching>,
    aliases: BTreeMap<RefKey, Alias>,
    timers: Timers,
    /// Signals on their way, in the order in which they were sent.
    pub flights: VecDeque<Flight>,
    /// The last event in which a signal from one process to another arrived.
    delivered: BTreeMap<(Index, Index), u32>,
    /// True while signals arrive where no schedule says when.
    settles: bool,
    /// The number of the event that comes to pass.
    pub event: u32,
    /// The messages of that event.
    pub sent: Vec<Sent>,
    /// Messages that were behind other signals and have come with it.
    pub released: Vec<MessageId>,
    /// The processes that it has stopped, with the state in which they were.
    pub stopped: Vec<(Index, ProcessState)>,
    /// The processes that it has ended, with the reason.
    pub ended: Vec<Ended>,
    /// The tables of the run.
    pub tables: Tables,
    /// The arrays of integers of the run.
    pub arrays: Arrays,
    /// The persistent terms of the run.
    pub persistent: PersistentTerms,
    /// The references of tables that went with their owners.
    pub gone_tables: Vec<Term>,
    /// True once a process has asked for facts about another.
    pub asks_about_others: bool,
    /// Looks at the clock: what a look shows is another each time.
    pub looks_at_clock: u64,
    /// Shared things that it has touched.
    pub accesses: Vec<Access>,
    /// True if a schedule decides who goes on: a message alone does not let a process go on then.
    pub scheduled: bool,
}

/// Tables, arrays and persistent terms.
type Lent = (Tables, Arrays, PersistentTerms);

impl Node {
    /// True as long as only the process of the run's call exists.
    pub fn is_lone(&self) -> bool {
        self.processes.len() <= 1
    }

    /// Tables, arrays and persistent terms, for a call that is made apart; see [`Node::take_back`].
    pub fn lend(&mut self) -> Lent {
        let Node { tables, arrays, persistent, .. } = self;
        (std::mem::take(tables), std::mem::take(arrays), std::mem::take(persistent))
    }

    /// Takes back what was lent.
    pub fn take_back(&mut self, lent: Lent) {
        (self.tables, self.arrays, self.persistent) = lent;
    }

    /// The process that runs.
    pub fn current(&mut self) -> &mut NodeProcess {
        &mut self.processes[self.current]
    }

    /// Adds a process.
    pub fn add(&mut self, process: NodeProcess) -> Index {
        let index = self.processes.len();
        self.by_number.insert(process.number, index);
        self.processes.push(process);
        self.turns.add(index);
        index
    }

    /// The process of a pid, dead or alive; nothing if the pid is not of this node.
    pub fn find(&self, pid: &Term) -> Option<Index> {
        match handles::number_of(pid) {
            Some(number) => self.by_number.get(&number).copied(),
            None => self.processes.first().filter(|root| root.pid == *pid).map(|_| ROOT),
        }
    }

    /// The process of a number.
    pub fn by_number(&self, number: u32) -> Option<Index> {
        self.by_number.get(&number).copied()
    }

    /// True if a process has not ended.
    pub fn is_alive(&self, index: Index) -> bool {
        !matches!(self.processes[index].status, ProcessState::Gone)
    }

    /// The process that a name stands for.
    pub fn named(&self, name: Atom) -> Option<Index> {
        self.names.get(&name).copied()
    }

    /// All names, in their order.
    pub fn names(&self) -> impl Iterator<Item = Atom> {
        self.names.keys().copied()
    }

    /// Gives a process a name; false if it has one, is dead, or the name is taken.
    pub fn register(&mut self, name: Atom, index: Index) -> bool {
        let free = self.is_alive(index) && self.processes[index].name.is_none() && !self.names.contains_key(&name);
        if free {
            self.names.insert(name, index);
            self.processes[index].name = Some(name);
        }
        free
    }

    /// Takes a name away; false if nothing has it.
    pub fn unregister(&mut self, name: Atom) -> bool {
        let Some(index) = self.names.remove(&name) else { return false };
        self.processes[index].name = None;
        true
    }

    /// Puts a message into the mailbox of a process, which goes on if it waits for one.
    fn put(&mut self, to: Index, message: Term, id: MessageId, behind: Option<u32>) {
        if self.is_stopped(to) {
            return;
        }
        self.processes[to].mailbox.put(message, id, behind);
        if self.scheduled {
            self.turns.gets_message(to);
        } else {
            self.wake(to);
        }
    }

    /// Lets a process go on that waits.
    pub fn wake(&mut self, index: Index) {
        let process = &mut self.processes[index];
        if let ProcessState::Waiting(resume) = &process.status {
            process.status = ProcessState::Ready(*resume);
            if self.scheduled {
                self.turns.becomes_ready(index);
            } else {
                self.ready.push_back(index);
            }
        }
    }

    /// Notes that the event that comes to pass looks at a shared thing, or changes it.
    pub fn touch(&mut self, object: Object, writes: bool) {
        if self.scheduled {
            self.accesses.push(Access { object, writes });
        }
    }

    /// The next process to go on: the first that is ready, or the first whose time comes.
    pub fn next(&mut self) -> Option<Index> {
        loop {
            while let Some(index) = self.ready.pop_front() {
                if matches!(self.processes[index].status, ProcessState::Ready(_)) {
                    return Some(index);
                }
            }
            if !self.advance(Mark::NONE) {
                return None;
            }
        }
    }

    /// The processes that wait, and will for ever.
    pub fn waiting(&self) -> impl Iterator<Item = Index> {
        let waits = |index: &Index| matches!(self.processes[*index].status, ProcessState::Waiting(_));
        (0..self.processes.len()).filter(waits)
    }

    /// The terms that processes hold besides their registers.
    pub fn held(&self) -> impl Iterator<Item = &Term> {
        let processes = self.processes.iter().flat_map(NodeProcess::held);
        processes
            .chain(self.timers.held())
            .chain(self.tables.held())
            .chain(self.arrays.held())
            .chain(self.persistent.held())
    }
}
