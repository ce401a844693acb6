//! Pids, ports and references: names of things that live in the real VM.

use crate::Atom;

/// The types of opaque identifiers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum HandleKind {
    Reference,
    Port,
    Pid,
}

/// The numbers that name a pid, port or reference, as the external format gives them.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Handle {
    /// Its type.
    pub kind: HandleKind,
    /// The node that made it.
    pub node: Atom,
    /// The incarnation of that node.
    pub creation: u32,
    /// Pid: id and serial. Port: two halves of its id. Reference: its words, least significant first.
    pub words: Box<[u32]>,
}
