//! Policies for library functions that have no rule here: run its Erlang code, ask the VM, or refuse.
//!
//! The tables name functions "at the door": `file:read_file/1` is refused there, under the name the program called,
//! and not deep inside under a name that only the library's authors know. A function with a record has its policy there;
//! what neither a record nor a table names runs as code.

mod outside;
mod processes;
mod table;
mod values;

pub use table::{Refusal, refusals};

use term::Mfa;

use crate::{Control, Rule, find, rule};

/// The treatment of a call of a library function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Policy {
    /// Run its Erlang code.
    Code,
    /// A pure function of the VM: ask the host for its value.
    Pure,
    /// State that belongs to the run (tables, captured output): the run's own host process has it, and its answers follow
    /// from what the run did before.
    State,
    /// A harmless look at the VM (clocks, chance, versions, settings), by the run's own host process. The answer may
    /// differ from run to run.
    Session,
    /// An outside effect, with what it does: refused unless allowed by name.
    Effect(&'static str),
    /// Processes and messages: only the VM has them.
    Process,
}

/// The effect of a function without code that no table names: native code that is not known to be harmless.
pub const UNKNOWN_NATIVE: &str = "runs native code that is not known to be harmless";

/// The treatment of a function, wherever it is called: from another module or from its own. `has_code`: it has Erlang code that is more than a stub; see [`marks_stub`].
pub fn policy(mfa: Mfa, has_code: bool) -> Policy {
    // The compiler gives these to every module.
    if matches!(mfa.function.name(), "module_info" | "behaviour_info") {
        return Policy::Code;
    }
    match listed(mfa).or_else(|| table::of_module(mfa)).unwrap_or(Policy::Code) {
        Policy::Code if !has_code => Policy::Effect(UNKNOWN_NATIVE),
        policy => policy,
    }
}

/// A part of the world outside that the operating system can keep a program from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Resource {
    /// The file system.
    Files,
    /// Sockets and names of hosts.
    Network,
    /// Other programs, and drivers.
    Programs,
}

/// Returns the part of the world outside that a function needs, if it has an outside effect.
pub fn resource(mfa: Mfa) -> Option<Resource> {
    let Policy::Effect(effect) = policy(mfa, true) else { return None };
    match effect {
        outside::FILES => Some(Resource::Files),
        outside::NETWORK => Some(Resource::Network),
        outside::SYSTEM | outside::PORTS => Some(Resource::Programs),
        _ => None,
    }
}

/// Modules whose functions keep, show or convert the funs that they are given; other functions of the VM may call them.
const KEEPS_FUNS: &[&str] = &[
    "erlang",
    "erts_internal",
    "erts_debug",
    "ets",
    "persistent_term",
    "atomics",
    "counters",
    "io",
    "io_lib",
    "binary",
    "unicode",
    "maps",
    "lists",
    "math",
    "re",
    "crypto",
    "zlib",
];

/// True if a function of the VM may call funs that it is given.
pub fn may_call_funs(mfa: Mfa) -> bool {
    !KEEPS_FUNS.contains(&mfa.module.name())
}

/// The effect of a call that is no outside effect by itself, but meets a process that is not of the run.
pub const FOREIGN: &str = "reaches a process that does not belong to the run";

/// Returns the policy that a record or a table gives to that very function, rather than to its whole module.
pub fn listed(mfa: Mfa) -> Option<Policy> {
    find(mfa).and_then(|operation| operation.policy).or_else(|| table::listed(mfa))
}

/// Returns true if a call may answer otherwise the next time: a clock, chance, settings, something outside that was
/// allowed.
pub fn varies(mfa: Mfa) -> bool {
    !matches!(policy(mfa, true), Policy::Pure | Policy::State)
}

/// True if the VM must be asked for a pure function although it has Erlang code: that code only prepares calls of
/// native functions that nothing else can call.
pub fn is_sealed(mfa: Mfa) -> bool {
    matches!(mfa.module.name(), "crypto" | "zlib")
}

/// True if a call of that function as the whole body of every clause makes a function a stub: the VM or a native
/// library stands behind it, and its Erlang code is there only to fail when that is missing.
pub fn marks_stub(callee: Mfa) -> bool {
    rule(callee) == Rule::Control(Control::NifError)
}
