//! Sessions: a process of the VM that runs one call after another and keeps its tables, seeds and output between them.

use std::collections::BTreeMap;

use term::{Call, Term};

use crate::call::{CallResult, failed};
use crate::error::HostError;
use crate::host::{GRACE, Host};
use crate::wire::operation;

/// Names a session of one host.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SessionId(u64);

#[derive(Default)]
pub(crate) struct Sessions {
    opened: u64,
    states: BTreeMap<SessionId, State>,
}

#[derive(Clone, Copy)]
enum State {
    /// Nothing has been asked of it yet, so the VM does not know of it.
    New,
    /// In the VM of that generation, under that number.
    Open { generation: u64, number: i64 },
}

impl Host {
    /// Opens a session. Nothing is done in the VM before its first call.
    pub fn open_session(&mut self) -> SessionId {
        self.sessions.opened += 1;
        let id = SessionId(self.sessions.opened);
        self.sessions.states.insert(id, State::New);
        id
    }

    /// Runs a call in the session's process. A call that hits a limit ends the session.
    pub fn session_call(&mut self, id: SessionId, call: &Call) -> CallResult {
        let limits = self.options.limits;
        let data = match self.encode_call(call) {
            Ok(data) => data,
            Err(error) => return CallResult::NotSent(error),
        };
        let number = match self.session_number(id) {
            Ok(number) => number.to_be_bytes(),
            Err(error) => return failed(error),
        };
        let parts = [&number[..], &limits.to_bytes(), &data];
        let answer = self.exchange(operation::SESSION_CALL, &parts, limits.millis + GRACE);
        self.result(answer)
    }

    /// What the session's calls have written since it was last asked for; UTF-8.
    pub fn session_output(&mut self, id: SessionId) -> Result<Vec<u8>, HostError> {
        let Some(State::Open { .. }) = self.sessions.states.get(&id) else { return Ok(Vec::new()) };
        let number = self.session_number(id)?;
        let answer = self.ask(&Term::tuple([Term::atom_named("session_output"), Term::int(number)]), 10_000)?;
        Ok(answer.as_bits().map(|bits| bits.to_bytes().into_owned()).unwrap_or_default())
    }

    /// Ends the session's process, and with it its tables.
    pub fn close_session(&mut self, id: SessionId) {
        let Some(State::Open { generation, number }) = self.sessions.states.remove(&id) else { return };
        if generation == self.generation {
            // A VM that does not answer is restarted, and then the session is gone as well.
            let _ = self.ask(&Term::tuple([Term::atom_named("close_session"), Term::int(number)]), 10_000);
        }
    }

    fn session_number(&mut self, id: SessionId) -> Result<i64, HostError> {
        // Only now is it known whether the VM that has the session is still there.
        self.ready()?;
        match self.sessions.states.get(&id).copied() {
            None => Err(lost("the session was closed")),
            Some(State::Open { generation, .. }) if generation != self.generation => {
                Err(lost("the session was lost when the VM ended"))
            }
            Some(State::Open { number, .. }) => Ok(number),
            Some(State::New) => self.open_in_vm(id),
        }
    }

    fn open_in_vm(&mut self, id: SessionId) -> Result<i64, HostError> {
        let limits = self.options.limits;
        let numbers = [limits.millis, limits.reductions, limits.heap_words].map(|n| Term::int(n as i64));
        let answer = self.ask(&Term::tuple([Term::atom_named("open_session"), Term::tuple(numbers)]), 10_000)?;
        let number = answer.as_i64().ok_or_else(|| lost("no session could be opened"))?;
        self.sessions.states.insert(id, State::Open { generation: self.generation, number });
        Ok(number)
    }
}

fn lost(what: &str) -> HostError {
    HostError::Died { detail: what.to_string() }
}
