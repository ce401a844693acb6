//! The facts about a process that `process_info` gives.

use term::Term;

use super::{Index, Node, ProcessState};

impl Node {
    /// The value of an item; nothing if only the VM would know.
    pub fn info(&self, index: Index, item: &str) -> Option<Term> {
        let process = &self.processes[index];
        let integer = |value: usize| Term::int(value as i64);
        Some(match item {
            "registered_name" => process.name.map_or_else(Term::nil, Term::atom),
            "messages" => Term::list(process.mailbox.messages().cloned().collect::<Vec<_>>()),
            "message_queue_len" => integer(process.mailbox.messages().len()),
            "links" => Term::list(process.links.iter().map(|it| self.processes[*it].pid.clone()).collect::<Vec<_>>()),
            "monitors" => Term::list(self.monitors_by(index)),
            "monitored_by" => Term::list(self.monitored_by(index)),
            "trap_exit" => Term::bool(process.traps_exits),
            "status" => Term::atom_named(match process.status {
                ProcessState::Running => "running",
                ProcessState::Ready(_) => "runnable",
                ProcessState::Waiting(_) | ProcessState::Returned | ProcessState::Gone => "waiting",
            }),
            "initial_call" => {
                let initial = process.initial;
                let arity = Term::int(i64::from(initial.arity));
                Term::tuple([Term::atom(initial.module), Term::atom(initial.function), arity])
            }
            "parent" => process.parent.clone().unwrap_or_else(|| Term::atom_named("undefined")),
            flag => process.flags.iter().find(|(name, _)| name.name() == flag).map(|(_, value)| value.clone())?,
        })
    }
}
