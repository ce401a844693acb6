//! What may be done with a library function that has no rule here: run its Erlang code, ask the VM, or refuse.

/// How the machine treats a call of a library function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Policy {
    /// Run its Erlang code.
    Code,
    /// A pure function of the VM: ask the host for its value.
    Pure,
    /// State that belongs to the run (tables, random seeds, captured output): the run's own host process does it.
    Session,
    /// An outside effect, with what it touches: refused unless allowed by name.
    Effect(&'static str),
    /// Processes and messages: not supported yet.
    Process,
}
