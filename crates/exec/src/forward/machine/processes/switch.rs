//! Whose turn it is: leaving one process and going on with another, and the end of processes.

use ops::{Control, Environment, Rule};
use term::{Class, Exception, Mfa, Term};

use crate::forward::code::Slot;
use crate::forward::machine::cursor::Cursor;
use crate::forward::machine::engine::Engine;
use crate::forward::machine::node::{NodeProcess, ProcessState, ROOT, Resume, Visible, pid};
use crate::forward::outcome::Ending;

/// Operations on processes that one process does before others get their turn.
const TURN: u32 = 100;

impl Engine<'_> {
    /// Makes the process of the run's call known to the node, once it matters.
    pub fn need_node(&mut self) {
        if self.node.processes.is_empty() {
            let pid = self.state.own_pid();
            self.node.add(NodeProcess::root(pid, Rule::Control(Control::ApplyFun).function(2)));
            self.node.scheduled = self.schedule.is_some();
        }
    }

    /// Under a schedule the process of the call has the pid of its number, and the VM need not be asked for one.
    pub fn number_root(&mut self) {
        if self.schedule.is_some() && self.program.options.processes {
            self.state.pid = Some(pid(0, &self.program.name_order));
        }
    }

    /// True if others wait for their turn, and the process that runs has had its own.
    pub fn is_turn_over(&mut self) -> bool {
        if self.node.ready.is_empty() {
            return false;
        }
        self.turn += 1;
        self.turn > TURN
    }

    /// The place to go on before an operation that others see.
    pub fn before_operation(&self, at: Cursor, op: Visible, function: Mfa, window: Slot, tail: bool) -> Resume {
        Resume::Operation { op, function, window, tail, ip: self.address(at), base: self.base(at) }
    }

    /// The instruction itself as the place to go on.
    pub fn here(&self, at: Cursor) -> Resume {
        Resume::At { ip: self.address(at), base: self.base(at) }
    }

    /// Lets the next process go on; this one is ready.
    pub fn take_turns(&mut self, resume: Resume) -> Cursor {
        self.node.current().status = ProcessState::Ready(resume);
        if self.schedule.is_some() {
            return self.pick();
        }
        self.node.ready.push_back(self.node.current);
        self.go_on_elsewhere()
    }

    /// Lets the next process go on; this one waits.
    pub fn wait(&mut self, resume: Resume) -> Cursor {
        self.node.current().status = ProcessState::Waiting(resume);
        if self.schedule.is_some() {
            self.node.current().receives = false;
            return self.pick();
        }
        self.go_on_elsewhere()
    }

    /// Goes on with the next process, or ends the run where none can.
    fn go_on_elsewhere(&mut self) -> Cursor {
        self.forget_gone_tables();
        match self.node.next() {
            Some(next) => self.switch_to(next),
            None => self.deadlock(),
        }
    }

    /// Goes on with a process that is ready.
    pub fn switch_to(&mut self, next: usize) -> Cursor {
        self.turn = 0;
        if next != self.node.current {
            self.exchange();
            self.node.current = next;
            self.exchange();
        }
        let process = self.node.current();
        let ProcessState::Ready(resume) = std::mem::replace(&mut process.status, ProcessState::Running) else {
            unreachable!("a process that cannot go on is asked to")
        };
        self.resume(resume)
    }

    /// Exchanges what the engine has of the process that runs with what the node has of it.
    pub fn exchange(&mut self) {
        let process = &mut self.node.processes[self.node.current];
        std::mem::swap(&mut self.process, &mut process.registers);
        std::mem::swap(&mut self.state.dictionary, &mut process.dictionary);
        self.state.exchange_identity(&process.pid, process.number, &mut process.references);
    }

    fn resume(&mut self, resume: Resume) -> Cursor {
        match resume {
            Resume::Start(function) => {
                self.node.current().has_begun = true;
                let at = self.cursor(0, 0);
                let callee = self.program.callee(function, false);
                self.call_by_number(at, callee, 0, true)
            }
            Resume::At { ip, base } => self.cursor(ip, base),
            Resume::Operation { op, function, window, tail, ip, base } => {
                let at = self.cursor(ip, base);
                match op {
                    Visible::Process(op) => self.process_operation(at, op, function, window, tail),
                    Visible::Vm(kind) => self.vm_call(at, kind, function, window, tail),
                }
            }
            Resume::Exit => self.end_step(),
            Resume::Return => self.returns(),
            Resume::Code { window, frame, entry, tail, ip, base } => {
                let at = self.cursor(ip, base);
                if tail { self.tail_code(at, frame, entry) } else { self.call_code(at, window, frame, entry) }
            }
        }
    }

    /// The process that runs has been ended by a signal, or has ended that of the run's call by one.
    pub fn killed(&mut self) -> Cursor {
        if self.schedule.is_some() {
            return self.pick();
        }
        if self.node.is_root_gone() {
            return self.cursor(0, 0);
        }
        self.process = super::super::engine::Registers::default();
        self.state.dictionary = ops::Dictionary::default();
        self.go_on_elsewhere()
    }

    /// The process that runs has come to its end; gives the place to go on in another, unless the run is over.
    pub fn after_end(&mut self) -> Option<Cursor> {
        if self.node.processes.is_empty() {
            return None;
        }
        if self.schedule.is_some() {
            return self.after_scheduled_end();
        }
        if self.node.is_root_gone() {
            let killed = self.node.ended.iter().find(|ended| ended.index == ROOT);
            let reason = killed.map_or_else(Term::nil, |ended| ended.reason.clone());
            self.ending.get_or_insert(Ending::Raised(raised_by_signal(reason)));
            return None;
        }
        if self.node.current == ROOT {
            return None;
        }
        let reason = match self.ending.take() {
            None => Term::atom_named("normal"),
            Some(Ending::Raised(exception)) => {
                self.node.current().crash = self.crash_of(&exception);
                self.note_crash();
                exit_reason(exception)
            }
            Some(other) => {
                self.ending = Some(other);
                return None;
            }
        };
        let current = self.node.current;
        self.node.end(current, &reason);
        if self.node.is_root_gone() {
            return self.after_end();
        }
        Some(self.killed())
    }

    /// The end of a run in which no process can go on.
    pub fn deadlock(&mut self) -> Cursor {
        self.ending = Some(Ending::Deadlock { processes: self.waiting() });
        self.cursor(0, 0)
    }
}

/// The reason with which a process ends that does not handle an exception.
pub fn exit_reason(exception: Exception) -> Term {
    let Exception { class, reason, stack } = exception;
    match class {
        Class::Exit => reason,
        Class::Error => Term::tuple([reason, stack]),
        Class::Throw => Term::tuple([Term::tuple([Term::atom_named("nocatch"), reason]), stack]),
    }
}

/// The exception that the shell shows for an exit signal: a stack trace in the reason is the exception's.
pub fn raised_by_signal(reason: Term) -> Exception {
    let (reason, stack) = match reason.as_tuple() {
        Some([reason, stack]) if is_stack(stack) => (reason.clone(), stack.clone()),
        _ => (reason, Term::nil()),
    };
    Exception { class: Class::Exit, reason, stack }
}

/// True if a term is a stack trace.
pub fn is_stack(term: &Term) -> bool {
    let is_entry = |entry: &Term| matches!(entry.as_tuple(), Some([Term::Atom(..), Term::Atom(..), _, _]));
    matches!(term, Term::Cons(..)) && term.proper_list().is_some_and(|entries| entries.iter().all(is_entry))
}
