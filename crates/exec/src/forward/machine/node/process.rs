//! One process: its registers while it does not run, and everything that belongs to it.

use std::collections::BTreeSet;

use ir::ProcessOp;
use ops::Dictionary;
use term::{Atom, Mfa, Term};

use super::Index;
use super::events::Crash;
use super::handles::RefKey;
use super::inbox::Inbox;
use crate::forward::code::{Address, Slot};
use crate::forward::machine::engine::Registers;
use crate::forward::world::VmCall;

/// A process.
pub struct NodeProcess {
    /// Its pid.
    pub pid: Term,
    /// The number of its pid; 0 for the process of the run's call.
    pub number: u32,
    /// Stack and frames, while another process runs.
    pub registers: Registers,
    /// The process dictionary, while another process runs.
    pub dictionary: Dictionary,
    /// Its messages.
    pub mailbox: Inbox,
    /// Its state.
    pub status: ProcessState,
    /// The processes that it is linked to.
    pub links: BTreeSet<Index>,
    /// Those of them that have ended.
    pub ended_links: BTreeSet<Index>,
    /// The monitors that wait for its end.
    pub watched: BTreeSet<RefKey>,
    /// Processes whose links came after its end had begun: to them it never was.
    pub late_links: BTreeSet<Index>,
    /// Monitors that came so late.
    pub late_monitors: BTreeSet<RefKey>,
    /// True if exit signals become messages.
    pub traps_exits: bool,
    /// Its registered name.
    pub name: Option<Atom>,
    /// The group leader, where it is not that of the run.
    pub leader: Option<Term>,
    /// Flags that were set, besides that of exits.
    pub flags: Vec<(Atom, Term)>,
    /// The function that it began with.
    pub initial: Mfa,
    /// The process that started it.
    pub parent: Option<Term>,
    /// Processes that it has started.
    pub children: u32,
    /// Timers that it has started, where they can strike at any time.
    pub timers: u32,
    /// The reason of its end, while that has not come to pass.
    pub exit: Option<Term>,
    /// The crash that its end would be.
    pub crash: Option<Crash>,
    /// True if it makes no more steps but those of its end.
    pub is_stopped: bool,
    /// The event of its end.
    pub ended_at: Option<u32>,
    /// The event of the signal that has stopped it.
    pub stopped_by: Option<u32>,
    /// True once it has made its first step.
    pub has_begun: bool,
    /// True within a `receive` that is done.
    pub receives: bool,
    /// References that it has made, while another process runs.
    pub references: u32,
}

/// The state of a process.
pub enum ProcessState {
    /// It can go on.
    Ready(Resume),
    /// It runs.
    Running,
    /// It waits for a message, or for time to pass.
    Waiting(Resume),
    /// The run's call has given its value; the caller lives on.
    Returned,
    /// It has ended.
    Gone,
}

/// The point where a process goes on.
#[derive(Clone, Copy, Debug)]
pub enum Resume {
    /// With the call of a function whose arguments stand in the first slots.
    Start(Mfa),
    /// At an instruction.
    At { ip: Address, base: usize },
    /// Before an operation whose arguments stand in a window.
    Operation { op: Visible, function: Mfa, window: Slot, tail: bool, ip: Address, base: usize },
    /// With its end.
    Exit,
    /// With the value of the run's call.
    Return,
    /// With a call of linked code.
    Code { window: Slot, frame: u32, entry: Address, tail: bool, ip: Address, base: usize },
}

/// An operation that other processes can see.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Visible {
    /// One on processes.
    Process(ProcessOp),
    /// One on state that the VM keeps for the run.
    Vm(VmCall),
}

impl NodeProcess {
    /// The process of the run's call, which runs.
    pub fn root(pid: Term, initial: Mfa) -> NodeProcess {
        NodeProcess::new(pid, 0, initial, Registers::default(), ProcessState::Running)
    }

    /// A process that has not begun.
    pub fn new(pid: Term, number: u32, initial: Mfa, registers: Registers, status: ProcessState) -> NodeProcess {
        NodeProcess {
            pid,
            number,
            registers,
            dictionary: Dictionary::default(),
            mailbox: Inbox::default(),
            status,
            links: BTreeSet::new(),
            ended_links: BTreeSet::new(),
            late_links: BTreeSet::new(),
            late_monitors: BTreeSet::new(),
            watched: BTreeSet::new(),
            traps_exits: false,
            name: None,
            leader: None,
            flags: Vec::new(),
            initial,
            parent: None,
            children: 0,
            timers: 0,
            exit: None,
            crash: None,
            is_stopped: false,
            ended_at: None,
            stopped_by: None,
            has_begun: false,
            receives: false,
            references: 0,
        }
    }

    /// The terms that it holds.
    pub fn held(&self) -> impl Iterator<Item = &Term> {
        self.registers.stack.iter().chain(self.dictionary.held()).chain(self.mailbox.messages())
    }
}
