//! Pids, ports and references: names of things that live in the real VM.

use crate::Atom;

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum HandleKind {
    Reference,
    Port,
    Pid,
}

/// The numbers that name a pid, port or reference, as the external format gives them.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Handle {
    pub kind: HandleKind,
    pub node: Atom,
    pub creation: u32,
    /// Pid: id and serial. Port: two halves of its id. Reference: its words, least significant first.
    pub words: Box<[u32]>,
}
