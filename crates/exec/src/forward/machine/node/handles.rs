//! Names of processes and references: by the process that made them and its count, the same under every schedule.

use rustc_hash::FxHashMap;
use term::{Atom, Handle, HandleKind, Term};

/// The serial number of pids that are made here; the VM's own begin with 0.
const SERIAL: u32 = 1;

/// The first word of references that are made here.
const FIRST_WORD: u32 = 0x3_e7e7;

/// The number from which those of names are subtracted where their order is the opposite one; none is half as large.
const TOP: u32 = 1 << 26;

/// The bits of a number in a word that has a rank, which stands above them.
const RANKED_BITS: u32 = 27;

/// The numbers of processes: a process is known by its parent and the parent's count of children.
#[derive(Default)]
pub struct PidTable {
    numbers: FxHashMap<(u32, u32), u32>,
}

/// The first number of the ways that signals take from one process to another.
const FIRST_CHANNEL: u32 = 1 << 30;

/// The bits of a process's number in that of a way.
const BITS: u32 = 15;

/// The most processes whose signals can be ordered by a schedule.
pub const MOST_PROCESSES: u32 = 1 << BITS;

/// The number under which signals from one process to another take their turns.
pub fn channel(from: u32, to: u32) -> u32 {
    FIRST_CHANNEL | from << BITS | to
}

/// The processes between which signals take their turns under a number.
pub fn channel_ends(number: u32) -> Option<(u32, u32)> {
    let is_channel = number & FIRST_CHANNEL != 0 && number & super::TIMER == 0;
    is_channel.then_some(((number ^ FIRST_CHANNEL) >> BITS, number & (MOST_PROCESSES - 1)))
}

impl PidTable {
    /// The number of a process's n-th child.
    pub fn child(&mut self, parent: u32, n: u32) -> u32 {
        let next = self.numbers.len() as u32 + 1;
        *self.numbers.entry((parent, n)).or_insert(next)
    }
}

/// The order of the names of processes and references; that of their numbers, unless it says otherwise.
#[derive(Clone, Debug, Default)]
pub struct NameOrder {
    /// Those of greater numbers come first.
    pub opposite: bool,
    /// Names, and references among themselves, that come after all others in this order.
    pub ranked: Vec<HandleName>,
}

/// The name of a process or reference, whatever its place; they ascend in the order of numbers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum HandleName {
    /// The process of a number.
    Process(u32),
    /// The n-th reference that a process has made.
    Reference(u32, u32),
}

impl HandleName {
    /// The name of a pid or reference that was made here.
    pub fn of(handle: &Term) -> Option<HandleName> {
        let reference = || RefKey::of(handle).map(|key| HandleName::Reference(key.n, key.process));
        number_of(handle).map(HandleName::Process).or_else(reference)
    }
}

impl NameOrder {
    fn place(&self, name: HandleName) -> Place {
        match self.ranked.iter().position(|ranked| *ranked == name) {
            Some(rank) => Place::Ranked(rank as u8 + 1),
            None if self.opposite => Place::Opposite,
            None => Place::Plain,
        }
    }
}

/// The place of a name in the order of all: it is in each of its words.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum Place {
    Plain,
    Opposite,
    Ranked(u8),
}

impl Place {
    /// The place that a word shows.
    fn of(word: u32) -> Place {
        match word >> RANKED_BITS {
            0 if (TOP / 2..=TOP).contains(&word) => Place::Opposite,
            0 => Place::Plain,
            rank => Place::Ranked(rank as u8),
        }
    }

    /// The word of a number in a name, and the number of a word.
    fn turned(self, number: u32) -> u32 {
        match self {
            Place::Plain => number,
            Place::Opposite => TOP.saturating_sub(number),
            Place::Ranked(rank) => number ^ (u32::from(rank) << RANKED_BITS),
        }
    }
}

/// The pid of a number.
pub fn pid(number: u32, order: &NameOrder) -> Term {
    let place = order.place(HandleName::Process(number));
    local(HandleKind::Pid, [place.turned(number), SERIAL].into())
}

/// The number of a pid that was made here.
pub fn number_of(pid: &Term) -> Option<u32> {
    match pid {
        Term::Handle(_, handle) if handle.kind == HandleKind::Pid => match *handle.words {
            [word, SERIAL] => Some(Place::of(word).turned(word)),
            _ => None,
        },
        _ => None,
    }
}

/// A reference by the process that made it and its count there.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct RefKey {
    process: u32,
    n: u32,
    place: Place,
}

impl RefKey {
    /// The number of the process that made it.
    pub fn process(&self) -> u32 {
        self.process
    }

    fn name(self, place: Place) -> Term {
        let [process, n] = [self.process, self.n].map(|number| place.turned(number));
        local(HandleKind::Reference, [FIRST_WORD, process, n].into())
    }

    /// The reference.
    pub fn reference(&self) -> Term {
        self.name(self.place)
    }

    /// The key of a reference that was made here.
    pub fn of(reference: &Term) -> Option<RefKey> {
        match reference {
            Term::Handle(_, handle) if handle.kind == HandleKind::Reference => match *handle.words {
                [FIRST_WORD, process, n] => {
                    let place = Place::of(process);
                    Some(RefKey { process: place.turned(process), n: place.turned(n), place })
                }
                _ => None,
            },
            _ => None,
        }
    }
}

/// A process's n-th reference.
pub fn reference(process: u32, n: u32, order: &NameOrder) -> Term {
    let place = order.place(HandleName::Reference(n, process));
    RefKey { process, n, place }.name(place)
}

/// True for a pid or reference that was made here: the numbers of such are others in every run of the VM.
pub fn is_made_here(term: &Term) -> bool {
    number_of(term).is_some() || RefKey::of(term).is_some()
}

fn local(kind: HandleKind, words: Box<[u32]>) -> Term {
    Term::handle(Handle { kind, node: Atom::new("nonode@nohost"), creation: 0, words })
}
