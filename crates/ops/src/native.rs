//! The interface between the machine and the operations that are written in Rust.

use term::{Exception, Mfa, Term};

use crate::Dictionary;

/// The outcome of an operation: a value or an exception whose stack the machine fills in.
pub type Eval = Result<Term, Box<Exception>>;

/// An operation written in Rust. Arguments are the machine's own copies: an operation may take them apart and build
/// its result in place where it is the only owner.
#[derive(Clone, Copy)]
pub enum Native {
    /// Needs nothing but its arguments.
    Pure(fn(&mut [Term]) -> Eval),
    /// Needs something of the run it belongs to.
    Running(fn(&mut dyn Environment, &mut [Term]) -> Eval),
}

/// The state of a running program besides its arguments.
pub trait Environment {
    /// The process dictionary.
    fn dictionary(&mut self) -> &mut Dictionary;
    /// The pid of the program's own process.
    fn own_pid(&mut self) -> Term;
    /// A reference that nothing has had before.
    fn fresh_reference(&mut self) -> Term;
    /// Asks the real VM for the value of a pure function.
    fn ask(&mut self, function: Mfa, args: &[Term]) -> Eval;
}
