//! Group leaders: the VM has the one of the run, which keeps what the program prints; others are processes of the program.

use ir::ProcessOp;
use ops::Rule;
use term::{Exception, Mfa, Term};

use super::receivers::Receiver;
use crate::forward::code::Slot;
use crate::forward::machine::cursor::Cursor;
use crate::forward::machine::engine::Engine;
use crate::forward::machine::fault::Fault;
use crate::forward::program::Callee;
use crate::forward::world::{Code, VmCall};

/// Devices that the VM has, whatever the group leader is.
const DEVICES: [&str; 2] = ["standard_error", "user"];

impl Engine<'_> {
    /// The group leader of the process that runs.
    pub fn own_leader(&mut self) -> Result<Term, Box<Fault>> {
        if let Some(leader) = &self.node.current().leader {
            return Ok(leader.clone());
        }
        let function = Rule::Process(ProcessOp::OwnLeader).function(0);
        let answer = self.state.vm_call(VmCall::Stateful, function, &[]);
        answer.map_err(|raised| Fault::of_vm(function, &[], *raised))
    }

    /// Makes a process the group leader of another; a bad argument is the value.
    pub fn set_leader(&mut self, at: Cursor, function: Mfa, args: &[Term]) -> Result<Term, Box<Fault>> {
        let bad = Ok(Exception::badarg().reason);
        let leader = match self.process_of(&args[0]) {
            Receiver::Process(_) => Some(args[0].clone()),
            Receiver::Foreign if self.is_leader_of_run(&args[0]) => None,
            Receiver::Foreign => return Err(self.foreign(at, function)),
            _ => return bad,
        };
        match self.process_of(&args[1]) {
            Receiver::Process(index) if self.node.is_alive(index) => {
                self.node.processes[index].leader = leader;
                Ok(Term::bool(true))
            }
            Receiver::Foreign => Err(self.foreign(at, function)),
            _ => bad,
        }
    }

    fn is_leader_of_run(&mut self, pid: &Term) -> bool {
        let function = Rule::Process(ProcessOp::OwnLeader).function(0);
        self.state.vm_call(VmCall::Stateful, function, &[]).is_ok_and(|leader| leader == *pid)
    }

    /// Runs the code of a function of `io` that prints to a process of the program; nothing if it does not.
    pub fn print_to_process(&mut self, at: Cursor, function: Mfa, window: Slot, tail: bool) -> Option<Cursor> {
        if self.node.processes.is_empty() || function.module.name() != "io" {
            return None;
        }
        let is_own = match at.window(window, function.arity).first() {
            Some(Term::Atom(_, device)) if DEVICES.contains(&device.name()) => false,
            Some(device @ Term::Handle(..)) => self.node.find(device).is_some(),
            _ => self.node.current().leader.is_some(),
        };
        if !is_own {
            return None;
        }
        let Code::Graph(unit) = self.state.world.code(function, false) else { return None };
        let address = self.address(at);
        let Callee::Code(index) = self.program.adopt(self.state.world, function, &unit) else { return None };
        let at = self.refreshed(address, at);
        Some(self.call_function(at, index, window, tail))
    }
}
