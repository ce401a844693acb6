//! `process_flag/2`: what a process sets for itself, and which values that may have.

use term::{Atom, Mfa, Term};

use super::operations::Done;
use super::receivers::badarg;
use crate::forward::machine::cursor::Cursor;
use crate::forward::machine::engine::Engine;

/// The flag with which nodes are monitored.
const MONITOR_NODES: &str = "monitor_nodes";

impl Engine<'_> {
    /// `process_flag/2`.
    pub fn flag(&mut self, at: Cursor, function: Mfa, args: &[Term]) -> Done {
        let Some(name) = args[0].as_atom() else { return Err(badarg(function, args)) };
        if name.name() == "trap_exit" {
            let Some(value) = args[1].as_bool() else { return Err(badarg(function, args)) };
            let old = std::mem::replace(&mut self.node.current().traps_exits, value);
            return Ok(Term::bool(old));
        }
        let is_count = name.name() == MONITOR_NODES;
        let Some(default) = default_flag(name).or(is_count.then(|| Term::int(0))) else {
            return Err(self.not_done(at, function, "this flag of a process"));
        };
        if !is_flag_value(name, &args[1]) {
            return Err(badarg(function, args));
        }
        let flags = &mut self.node.current().flags;
        let old = flags.iter().find(|(known, _)| *known == name).map_or(default, |(_, value)| value.clone());
        // Of nodes it is counted how often they are monitored.
        let value = match args[1].as_bool() {
            Some(true) if is_count => Term::int(old.as_i64().unwrap_or(0) + 1),
            _ if is_count => Term::int(0),
            _ => args[1].clone(),
        };
        flags.retain(|(known, _)| *known != name);
        flags.push((name, value));
        Ok(old)
    }
}

/// True if an operation sets the flag of which no other process sees anything: there are no other nodes.
pub fn monitors_nodes(args: &[Term]) -> bool {
    args[0].as_atom().is_some_and(|flag| flag.name() == MONITOR_NODES)
}

/// The value of a flag that was never set.
pub fn default_flag(name: Atom) -> Option<Term> {
    Some(match name.name() {
        "priority" => Term::atom_named("normal"),
        "message_queue_data" => Term::atom_named("on_heap"),
        "min_heap_size" => Term::int(233),
        "min_bin_vheap_size" => Term::int(46_422),
        "fullsweep_after" => Term::int(65_535),
        "sensitive" => Term::bool(false),
        "error_handler" => Term::atom_named("error_handler"),
        "save_calls" => Term::int(0),
        _ => return None,
    })
}

/// True if a flag of a process can have a value.
pub fn is_flag_value(flag: Atom, value: &Term) -> bool {
    let is_one = |names: &[&str]| value.as_atom().is_some_and(|atom| names.contains(&atom.name()));
    match flag.name() {
        "priority" => is_one(&["low", "normal", "high", "max"]),
        "message_queue_data" => is_one(&["on_heap", "off_heap"]),
        "sensitive" | MONITOR_NODES => value.as_bool().is_some(),
        "error_handler" => value.as_atom().is_some(),
        "save_calls" => value.as_i64().is_some_and(|count| (0..=10_000).contains(&count)),
        _ => value.as_i64().is_some_and(|size| (0..1 << 59).contains(&size)),
    }
}
