//! The processes that arguments of operations name.

use ops::policy::FOREIGN;
use term::{Atom, Exception, HandleKind, Mfa, Term};

use crate::forward::machine::cursor::Cursor;
use crate::forward::machine::engine::Engine;
use crate::forward::machine::fault::Fault;
use crate::forward::machine::node::Index;
use crate::forward::outcome::Ending;

/// The process that an argument names.
pub enum Receiver {
    /// One of the run, dead or alive.
    Process(Index),
    /// The owner of an alias.
    Alias,
    /// None: what is sent there is lost.
    Nothing,
    /// A name that nothing has.
    Unknown,
    /// Something that does not belong to the run.
    Foreign,
    /// No name of anything.
    Bad,
}

/// The name of this node.
pub const NODE: &str = "nonode@nohost";

impl Engine<'_> {
    /// The receiver of a message.
    pub fn receiver(&mut self, to: &Term) -> Receiver {
        match to {
            Term::Atom(_, name) => self.named(*name),
            Term::Handle(_, handle) if handle.kind == HandleKind::Reference => Receiver::Alias,
            Term::Handle(..) => self.process_of(to),
            Term::Tuple(..) => match to.as_tuple() {
                Some([Term::Atom(_, name), Term::Atom(_, node)]) if node.name() == NODE => match self.named(*name) {
                    Receiver::Unknown => Receiver::Nothing,
                    found => found,
                },
                Some([Term::Atom(..), Term::Atom(..)]) => Receiver::Foreign,
                _ => Receiver::Bad,
            },
            _ => Receiver::Bad,
        }
    }

    /// The process of a pid.
    pub fn process_of(&mut self, pid: &Term) -> Receiver {
        match pid {
            Term::Handle(_, handle) if handle.kind == HandleKind::Pid => {
                self.node.find(pid).map_or(Receiver::Foreign, Receiver::Process)
            }
            Term::Handle(_, handle) if handle.kind == HandleKind::Port => Receiver::Foreign,
            _ => Receiver::Bad,
        }
    }

    /// The process of a name.
    pub fn named(&mut self, name: Atom) -> Receiver {
        match self.node.named(name) {
            Some(index) => Receiver::Process(index),
            None if self.state.is_system_name(name) => Receiver::Foreign,
            None => Receiver::Unknown,
        }
    }

    /// The end of a run that wants to reach what does not belong to it.
    pub fn foreign(&self, at: Cursor, function: Mfa) -> Box<Fault> {
        let at = self.place(at);
        Box::new(Fault::End(Ending::Refused { function, effect: FOREIGN.to_owned(), at }))
    }

    /// The end of a run that wants something of processes that the machine cannot do.
    pub fn not_done(&self, at: Cursor, function: Mfa, what: &str) -> Box<Fault> {
        Box::new(Fault::End(Ending::Unsupported { function, what: what.to_owned(), at: self.place(at) }))
    }
}

/// A wrong argument of an operation.
pub fn badarg(function: Mfa, args: &[Term]) -> Box<Fault> {
    Fault::of_operation(function, args, Exception::badarg())
}
