//! Names of processes and references: by the process that made them and its count, the same under every schedule.

use rustc_hash::FxHashMap;
use term::{Atom, Handle, HandleKind, Term};

/// The serial number of pids that are made here; the VM's own begin with 0.
const SERIAL: u32 = 1;

/// The first word of references that are made here.
const FIRST_WORD: u32 = 0x3_e7e7;

/// The number from which those of names are subtracted where their order is the opposite one; none is half as large.
const TOP: u32 = 1 << 26;

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

/// The word of a number in a name, and the number of a word.
fn turned(number: u32, opposite: bool) -> u32 {
    if opposite { TOP.saturating_sub(number) } else { number }
}

fn is_opposite(word: u32) -> bool {
    (TOP / 2..=TOP).contains(&word)
}

/// The pid of a number, in the order of numbers or in the opposite one.
pub fn pid(number: u32, opposite: bool) -> Term {
    local(HandleKind::Pid, [turned(number, opposite), SERIAL].into())
}

/// The number of a pid that was made here.
pub fn number_of(pid: &Term) -> Option<u32> {
    match pid {
        Term::Handle(_, handle) if handle.kind == HandleKind::Pid => match *handle.words {
            [word, SERIAL] => Some(turned(word, is_opposite(word))),
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
    opposite: bool,
}

impl RefKey {
    /// The number of the process that made it.
    pub fn process(&self) -> u32 {
        self.process
    }

    /// The reference.
    pub fn reference(&self) -> Term {
        reference(self.process, self.n, self.opposite)
    }

    /// The key of a reference that was made here.
    pub fn of(reference: &Term) -> Option<RefKey> {
        match reference {
            Term::Handle(_, handle) if handle.kind == HandleKind::Reference => match *handle.words {
                [FIRST_WORD, process, n] => {
                    let opposite = is_opposite(process);
                    Some(RefKey { process: turned(process, opposite), n: turned(n, opposite), opposite })
                }
                _ => None,
            },
            _ => None,
        }
    }
}

/// A process's n-th reference, in the order of numbers or in the opposite one.
pub fn reference(process: u32, n: u32, opposite: bool) -> Term {
    let [process, n] = [process, n].map(|number| turned(number, opposite));
    local(HandleKind::Reference, [FIRST_WORD, process, n].into())
}

/// True for a pid or reference that was made here: the numbers of such are others in every run of the VM.
pub fn is_made_here(term: &Term) -> bool {
    number_of(term).is_some() || RefKey::of(term).is_some()
}

fn local(kind: HandleKind, words: Box<[u32]>) -> Term {
    Term::handle(Handle { kind, node: Atom::new("nonode@nohost"), creation: 0, words })
}
