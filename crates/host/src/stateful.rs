//! Stateful processes of the VM: each runs one call after another and keeps its tables, seeds and output between them.

use std::collections::BTreeMap;

use term::{Call, Term};

use crate::call::{CallResult, failed};
use crate::error::HostError;
use crate::host::Host;
use crate::wire::operation;

/// A stateful process of one host.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct StatefulProcess(u64);

#[derive(Default)]
pub(crate) struct Processes {
    opened: u64,
    states: BTreeMap<StatefulProcess, ProcessState>,
}

#[derive(Clone, Copy)]
enum ProcessState {
    /// Nothing has been asked of it yet, so the VM does not know of it.
    New,
    /// In the VM of that generation, under that number.
    Open { generation: u64, number: i64 },
}

impl Host {
    /// Opens a process. Nothing is done in the VM before its first call.
    pub fn open_process(&mut self) -> StatefulProcess {
        self.processes.opened += 1;
        let id = StatefulProcess(self.processes.opened);
        self.processes.states.insert(id, ProcessState::New);
        id
    }

    /// Runs a call in the process. A call that hits a limit ends it.
    pub fn process_call(&mut self, id: StatefulProcess, call: &Call) -> CallResult {
        let data = match self.encode_call(call) {
            Ok(data) => data,
            Err(error) => return CallResult::NotSent(error),
        };
        let number = match self.process_number(id) {
            Ok(number) => number.to_be_bytes(),
            Err(error) => return failed(error),
        };
        let (limits, millis) = self.limits();
        let parts = [&number[..], &limits.to_bytes(), &data];
        let answer = self.exchange(operation::STATEFUL_CALL, &parts, millis);
        self.result(answer)
    }

    /// Returns the output of the process since the last request; UTF-8.
    pub fn process_output(&mut self, id: StatefulProcess) -> Result<Vec<u8>, HostError> {
        let Some(ProcessState::Open { .. }) = self.processes.states.get(&id) else { return Ok(Vec::new()) };
        let number = self.process_number(id)?;
        let answer = self.ask(&Term::tuple([Term::atom_named("session_output"), Term::int(number)]), 10_000)?;
        Ok(answer.as_bits().map(|bits| bits.to_bytes().into_owned()).unwrap_or_default())
    }

    /// Ends the process, and with it its tables.
    pub fn close_process(&mut self, id: StatefulProcess) {
        let Some(ProcessState::Open { generation, number }) = self.processes.states.remove(&id) else { return };
        if generation == self.generation() {
            // A VM that does not answer is restarted, and then the process is gone as well.
            let _ = self.ask(&Term::tuple([Term::atom_named("close_session"), Term::int(number)]), 10_000);
        }
    }

    fn process_number(&mut self, id: StatefulProcess) -> Result<i64, HostError> {
        // Only now is it known whether the VM that has the process is still there.
        self.ready()?;
        match self.processes.states.get(&id).copied() {
            None => Err(lost("the process was closed")),
            Some(ProcessState::Open { generation, .. }) if generation != self.generation() => {
                Err(lost("the process was lost when the VM ended"))
            }
            Some(ProcessState::Open { number, .. }) => Ok(number),
            Some(ProcessState::New) => self.open_in_vm(id),
        }
    }

    fn open_in_vm(&mut self, id: StatefulProcess) -> Result<i64, HostError> {
        let limits = self.options.limits;
        let numbers = [limits.millis, limits.reductions, limits.heap_words].map(|n| Term::int(n as i64));
        let answer = self.ask(&Term::tuple([Term::atom_named("open_session"), Term::tuple(numbers)]), 10_000)?;
        let number = answer.as_i64().ok_or_else(|| lost("no process could be opened"))?;
        self.processes.states.insert(id, ProcessState::Open { generation: self.generation(), number });
        Ok(number)
    }
}

fn lost(what: &str) -> HostError {
    HostError::Died { detail: what.to_string() }
}
