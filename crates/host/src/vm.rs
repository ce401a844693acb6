//! One VM at a time: started when it is needed, asked one thing after another, started again when it fails.

use std::time::{Duration, Instant};

use crate::error::HostError;
use crate::launch::Launch;
use crate::process::{Process, ProcessError};
use crate::wire::{Frame, operation, tag};

/// The time to start.
const START: Duration = Duration::from_secs(30);

/// A VM.
pub(crate) struct Vm {
    launch: Launch,
    process: Option<Process>,
    /// The greeting has been read.
    greeted: bool,
    /// Counts the VMs started, so that what belonged to an earlier one is known to be lost.
    pub generation: u64,
    next_id: u64,
}

impl Vm {
    /// Starts it and does not wait for it.
    pub fn start(launch: Launch) -> Result<Vm, HostError> {
        let mut vm = Vm { launch, process: None, greeted: false, generation: 0, next_id: 0 };
        vm.spawn()?;
        Ok(vm)
    }

    /// How it is started.
    pub fn launch(&self) -> &Launch {
        &self.launch
    }

    /// Ends it; the next is started otherwise.
    pub fn relaunch(&mut self, launch: Launch) -> Result<(), HostError> {
        self.launch = launch;
        self.process = None;
        self.spawn()
    }

    /// The operating system's number for its process, if there is one.
    pub fn os_pid(&self) -> Option<u32> {
        self.process.as_ref().map(Process::os_pid)
    }

    /// True if it has greeted us.
    pub fn is_greeted(&self) -> bool {
        self.greeted
    }

    fn spawn(&mut self) -> Result<(), HostError> {
        let detail = |error| format!("{}: {error}", self.launch.program.display());
        let process = Process::spawn(&self.launch).map_err(|error| HostError::NotStarted { detail: detail(error) })?;
        self.process = Some(process);
        self.greeted = false;
        self.generation += 1;
        Ok(())
    }

    /// Sees to it that there is a VM that has greeted us. True: it is a new one.
    pub fn ready(&mut self) -> Result<bool, HostError> {
        // One that ended between requests does no harm: only the state of runs is lost. One that ended before it greeted
        // has a reason to give.
        if self.greeted && self.process.as_mut().is_some_and(Process::is_over) {
            self.process = None;
        }
        if self.process.is_none() {
            self.spawn()?;
        }
        if self.greeted {
            return Ok(false);
        }
        self.greet().map_err(|detail| HostError::NotStarted { detail })?;
        Ok(true)
    }

    fn greet(&mut self) -> Result<(), String> {
        let Some(process) = self.process.as_mut() else { return Err("there is no process".to_string()) };
        let received = process.receive(Instant::now() + START);
        let frame = received.map_err(|silence| {
            self.process = None;
            silence.detail()
        })?;
        if frame.id != 0 || frame.tag != tag::ANSWER {
            self.process = None;
            return Err("it greeted with something else".to_string());
        }
        self.greeted = true;
        Ok(())
    }

    /// Sends one frame and awaits its answer, which may come after frames of events. A VM that does not answer properly
    /// is killed.
    pub fn exchange(
        &mut self,
        operation: u8,
        parts: &[&[u8]],
        millis: u64,
        events: &mut dyn FnMut(&[u8]),
    ) -> Result<Frame, HostError> {
        self.next_id += 1;
        let id = self.next_id;
        let request = Frame::request(id, operation, parts)
            .ok_or_else(|| HostError::NotSent { detail: "it is too large".to_string() })?;
        let Some(process) = self.process.as_mut() else {
            return Err(HostError::Died { detail: "there is no process".to_string() });
        };
        let deadline = Instant::now() + Duration::from_millis(millis);
        let mut answer = process.send(&request, deadline).and_then(|()| process.receive(deadline));
        while let Ok(frame) = &answer
            && frame.id == id
            && frame.tag == tag::EVENTS
        {
            events(&frame.data);
            answer = process.receive(deadline);
        }
        match answer {
            Ok(frame) if frame.id == id => Ok(frame),
            Ok(_) => Err(self.discard(ProcessError::Garbage("an answer without a question".to_string()), millis)),
            Err(silence) => Err(self.discard(silence, millis)),
        }
    }

    /// Sends a request that is one term in external format; so is the answer.
    pub fn ask(&mut self, request: &[u8], millis: u64) -> Result<Vec<u8>, HostError> {
        let frame = self.exchange(operation::REQUEST, &[request], millis, &mut |_| {})?;
        match frame.tag {
            tag::ANSWER => Ok(frame.data),
            tag::FAILED => Err(HostError::Failed { detail: text_of(&frame.data) }),
            other => Err(self.discard_garbage(format!("an answer of kind {other}"))),
        }
    }

    /// Gives up on the VM. The next one starts at once, so that it is up when it is needed.
    fn discard(&mut self, silence: ProcessError, millis: u64) -> HostError {
        self.process = None;
        // A failure to start shows when the next request finds no process.
        let _ = self.spawn();
        match silence {
            ProcessError::TimedOut => HostError::Hung { millis },
            other => HostError::Died { detail: other.detail() },
        }
    }

    /// The VM wrote something that is no term.
    pub fn discard_garbage(&mut self, problem: String) -> HostError {
        self.discard(ProcessError::Garbage(problem), 0)
    }
}

/// A text that came as a binary.
fn text_of(data: &[u8]) -> String {
    let term = term::etf::decode(data).ok();
    let bytes = term.as_ref().and_then(term::Term::as_bits).map(|bits| bits.to_bytes());
    bytes.map_or_else(|| "no reason given".to_string(), |bytes| String::from_utf8_lossy(&bytes).into_owned())
}
