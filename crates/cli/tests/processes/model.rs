//! A small model of processes and signals, written apart from the machine: all outcomes of a program, by brute force.

use std::collections::{BTreeMap, BTreeSet, HashSet, VecDeque};

/// An operation of a program.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Op {
    Send(usize, u8),
    SendName(u8, u8),
    Take(What, Time),
    Register(u8),
    Unregister(u8),
    Whereis(u8),
    Table(u8),
    Insert(u8, u8),
    Lookup(u8),
    Link(usize),
    Unlink(usize),
    Monitor(usize),
    Demonitor {
        flush: bool,
        info: bool,
    },
    Kill(usize, Reason),
    Trap(bool),
    Alive(usize),
    Queue(usize),
    Spawn(How, usize),
    /// A message, so many milliseconds later.
    Later(usize, u64, u8),
    /// Stops the last timer of the process.
    Cancel,
    Exit(Reason),
}

/// The messages that a `receive` takes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum What {
    Value(u8),
    From(usize),
    Message,
    Down,
    Any,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Time {
    Forever,
    After(u64),
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Reason {
    Kill,
    Killed,
    Shutdown,
    Normal,
    NoProc,
}

/// The way a process is started.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum How {
    Plain,
    Link,
    Monitor,
}

/// The operations of each process, from 1 on; those at first, the rest by `Spawn`.
#[derive(Clone, Debug)]
pub struct Program {
    pub first: usize,
    pub processes: Vec<Vec<Op>>,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Message {
    /// The pids of the others, with which a process begins.
    Pids,
    Plain(usize, u8),
    Exit(usize, Reason),
    Down(usize, u32, Reason),
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Signal {
    Exit(Reason),
    LinkExit(Reason),
    Link,
    Unlink,
    Monitor(u32),
    Down(u32, Reason),
    Message(Message),
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Life {
    NotYet,
    Runs,
    /// It comes to its end with a reason; true once nothing changes that.
    Ends(Reason, bool),
    Gone,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Process {
    life: Life,
    /// Who has spawned it, if not the root: others have no number for it.
    parent: Option<usize>,
    /// True once it knows the others.
    knows: bool,
    at: usize,
    log: Vec<String>,
    reported: bool,
    mailbox: Vec<Message>,
    links: BTreeSet<usize>,
    /// Its monitors that are active: by reference, the process.
    monitors: BTreeMap<u32, usize>,
    last_monitor: Option<u32>,
    /// Who watches it.
    watched: BTreeSet<(usize, u32)>,
    /// Links and monitors that came when its end had begun.
    late: (BTreeSet<usize>, BTreeSet<(usize, u32)>),
    traps: bool,
    name: Option<u8>,
    /// The end of its wait.
    until: Option<u64>,
    /// Its time is up.
    up: bool,
    references: u32,
    /// The number of its timers so far.
    timers: u32,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct State {
    processes: Vec<Process>,
    /// The processes that the root has spoken to.
    introduced: usize,
    names: BTreeMap<u8, usize>,
    /// Tables with their owner and row.
    tables: BTreeMap<u8, (usize, Option<u8>)>,
    flights: BTreeMap<(usize, usize), VecDeque<Signal>>,
    now: u64,
    /// In the order in which they were started.
    timers: Vec<Timer>,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Timer {
    by: usize,
    /// Its number among those of its process.
    number: u32,
    to: usize,
    when: u64,
    /// True if no time had to pass.
    is_immediate: bool,
    value: u8,
}

/// All outcomes of a program, as the interpreter gives them; nothing if there are too many states.
pub fn outcomes(program: &Program, limit: usize) -> Option<BTreeSet<String>> {
    let (mut found, mut seen) = (BTreeSet::new(), HashSet::new());
    let mut open = vec![State::new(program)];
    while let Some(state) = open.pop() {
        let next = state.successors(program);
        if next.is_empty() {
            found.insert(state.outcome());
        }
        for state in next {
            if seen.insert(state.clone()) {
                open.push(state);
            }
        }
        if seen.len() > limit {
            return None;
        }
    }
    Some(found)
}

impl State {
    fn new(program: &Program) -> State {
        let process = |at: usize| Process {
            life: if at < program.first { Life::Runs } else { Life::NotYet },
            knows: at >= program.first,
            at: 0,
            log: Vec::new(),
            reported: false,
            mailbox: Vec::new(),
            links: BTreeSet::new(),
            monitors: BTreeMap::new(),
            last_monitor: None,
            parent: None,
            late: Default::default(),
            watched: BTreeSet::new(),
            traps: false,
            name: None,
            until: None,
            up: false,
            references: 0,
            timers: 0,
        };
        State {
            processes: (0..program.processes.len()).map(process).collect(),
            introduced: 0,
            names: BTreeMap::new(),
            tables: BTreeMap::new(),
            flights: BTreeMap::new(),
            now: 0,
            timers: Vec::new(),
        }
    }

    fn outcome(&self) -> String {
        let log = |process: &Process| match process.reported {
            true => format!("[{}]", process.log.join(",")),
            false => "none".to_owned(),
        };
        format!("[{}]", self.processes.iter().map(log).collect::<Vec<_>>().join(","))
    }

    /// Every state that follows.
    fn successors(&self, program: &Program) -> Vec<State> {
        let mut found = Vec::new();
        if self.introduced < program.first {
            let mut next = self.clone();
            next.put(next.introduced, Message::Pids);
            next.introduced += 1;
            found.push(next);
        }
        for (from, to) in self.flights.keys() {
            let mut next = self.clone();
            next.arrive_first(*from, *to);
            found.push(next);
        }
        for process in (0..self.processes.len()).filter(|process| !self.is_behind_strike(*process)) {
            let mut next = self.clone();
            if next.step(process, program) {
                found.push(next);
            }
        }
        for at in (0..self.timers.len()).filter(|at| self.can_strike(*at)) {
            let mut next = self.clone();
            let Timer { by, to, value, .. } = next.timers.remove(at);
            next.put(to, Message::Plain(by, value));
            found.push(next);
        }
        if found.is_empty() {
            found.extend(self.later());
        }
        found
    }

    /// True for the first timer of a process whose time has come.
    fn can_strike(&self, at: usize) -> bool {
        let is_due = |timer: &&Timer| timer.by == self.timers[at].by && timer.when <= self.now;
        let Some(first) = self.timers.iter().filter(is_due).min_by_key(|timer| timer.when) else { return false };
        std::ptr::eq(first, &self.timers[at])
    }

    /// True if a timer of a process strikes before it does anything but see the end of its wait, as one does for which time
    /// had to pass.
    fn is_behind_strike(&self, me: usize) -> bool {
        !(self.processes[me].up && self.processes[me].life == Life::Runs)
            && self.timers.iter().any(|timer| timer.by == me && timer.when <= self.now && !timer.is_immediate)
    }

    /// Time passes up to the next end of a wait, or strike of a timer.
    fn later(&self) -> Option<State> {
        let waits = |process: &&Process| process.life == Life::Runs;
        let ends = self.processes.iter().filter(waits).filter_map(|process| process.until);
        let now = ends.chain(self.timers.iter().map(|timer| timer.when)).min()?;
        let mut next = self.clone();
        next.now = now;
        for process in next.processes.iter_mut().filter(|process| process.life == Life::Runs) {
            process.up |= process.until.is_some_and(|until| until <= now);
            process.until = process.until.filter(|until| *until > now);
        }
        Some(next)
    }

    /// A process takes its next step, if it can.
    fn step(&mut self, me: usize, program: &Program) -> bool {
        match self.processes[me].life {
            Life::NotYet | Life::Gone => return false,
            Life::Ends(reason, _) => {
                self.end_step(me, reason);
                return true;
            }
            Life::Runs if !self.processes[me].knows => return self.begin(me, program),
            Life::Runs => {}
        }
        let Some(op) = program.processes[me].get(self.processes[me].at) else {
            self.report(me, Reason::Normal);
            return true;
        };
        if let Op::Exit(reason) = op {
            self.report(me, *reason);
            return true;
        }
        match self.perform(me, op) {
            None => false,
            Some(value) => {
                if let Op::Spawn(_, child) = op {
                    self.begin_wait(*child, program);
                }
                let process = &mut self.processes[me];
                process.log.extend(value);
                process.at += 1;
                self.begin_wait(me, program);
                true
            }
        }
    }

    /// A process gets to know the others, if it is to.
    fn begin(&mut self, me: usize, program: &Program) -> bool {
        let process = &mut self.processes[me];
        let pids = process.mailbox.iter().position(|message| *message == Message::Pids);
        if let Some(at) = pids {
            process.mailbox.remove(at);
        }
        process.knows = pids.is_some();
        self.begin_wait(me, program);
        pids.is_some()
    }

    /// A `receive` counts its time from when the process comes to it.
    fn begin_wait(&mut self, me: usize, program: &Program) {
        let now = self.now;
        let process = &mut self.processes[me];
        (process.until, process.up) = (None, false);
        if let Some(Op::Take(_, Time::After(time @ 1..))) = program.processes[me].get(process.at) {
            process.until = Some(now + time);
        }
    }

    fn report(&mut self, me: usize, reason: Reason) {
        self.processes[me].reported = true;
        self.processes[me].life = Life::Ends(reason, false);
    }

    /// Tables go, then the name, then the process itself, whose end the others hear of.
    fn end_step(&mut self, me: usize, reason: Reason) {
        self.processes[me].life = Life::Ends(reason, true);
        if self.tables.values().any(|(owner, _)| *owner == me) {
            return self.tables.retain(|_, (owner, _)| *owner != me);
        }
        if let Some(name) = self.processes[me].name.take() {
            self.names.remove(&name);
            return;
        }
        self.timers.retain(|timer| timer.to != me);
        let process = &mut self.processes[me];
        process.life = Life::Gone;
        process.monitors.clear();
        process.mailbox.clear();
        let (links, watched) = (std::mem::take(&mut process.links), std::mem::take(&mut process.watched));
        links.into_iter().for_each(|peer| self.emit(me, peer, Signal::LinkExit(reason)));
        watched.into_iter().for_each(|(by, reference)| self.emit(me, by, Signal::Down(reference, reason)));
        let (links, monitors) = std::mem::take(&mut self.processes[me].late);
        links.into_iter().for_each(|peer| self.emit(me, peer, Signal::LinkExit(Reason::NoProc)));
        monitors.into_iter().for_each(|(by, reference)| self.emit(me, by, Signal::Down(reference, Reason::NoProc)));
    }

    fn emit(&mut self, from: usize, to: usize, signal: Signal) {
        if from == to {
            self.arrive(from, to, signal)
        } else {
            self.flights.entry((from, to)).or_default().push_back(signal)
        }
    }

    fn arrive_first(&mut self, from: usize, to: usize) {
        let mut first = true;
        while let Some(flights) = self.flights.get_mut(&(from, to)) {
            if !first && !matches!(flights.front(), Some(Signal::Message(_))) {
                return;
            }
            first = false;
            let signal = flights.pop_front();
            if flights.is_empty() {
                self.flights.remove(&(from, to));
            }
            signal.into_iter().for_each(|signal| self.arrive(from, to, signal));
        }
    }

    fn arrive(&mut self, from: usize, to: usize, signal: Signal) {
        let is_gone = self.processes[to].life == Life::Gone;
        let is_late = matches!(self.processes[to].life, Life::Ends(_, true));
        match signal {
            Signal::Exit(Reason::Kill) => self.stop(to, Reason::Killed),
            Signal::Exit(reason) => self.exit_arrives(from, to, reason),
            Signal::LinkExit(reason) => {
                if self.processes[to].links.remove(&from) {
                    self.exit_arrives(from, to, reason);
                }
            }
            Signal::Link if is_gone => self.emit(to, from, Signal::LinkExit(Reason::NoProc)),
            Signal::Link if is_late => drop(self.processes[to].late.0.insert(from)),
            Signal::Link => drop(self.processes[to].links.insert(from)),
            Signal::Unlink => {
                self.processes[to].links.remove(&from);
                self.processes[to].late.0.remove(&from);
            }
            Signal::Monitor(reference) if is_gone => self.emit(to, from, Signal::Down(reference, Reason::NoProc)),
            Signal::Monitor(reference) if is_late => drop(self.processes[to].late.1.insert((from, reference))),
            Signal::Monitor(reference) => drop(self.processes[to].watched.insert((from, reference))),
            Signal::Down(reference, reason) => {
                if let Some(of) = self.processes[to].monitors.remove(&reference) {
                    self.put(to, Message::Down(of, reference, reason));
                }
            }
            Signal::Message(message) => self.put(to, message),
        }
    }

    fn exit_arrives(&mut self, from: usize, to: usize, reason: Reason) {
        if self.processes[to].traps {
            self.put(to, Message::Exit(from, reason));
        } else if reason != Reason::Normal || from == to {
            self.stop(to, reason);
        }
    }

    fn stop(&mut self, to: usize, reason: Reason) {
        let life = &mut self.processes[to].life;
        if matches!(life, Life::Runs | Life::Ends(_, false)) {
            *life = Life::Ends(reason, true);
            self.processes[to].mailbox.clear();
        }
    }

    fn put(&mut self, to: usize, message: Message) {
        if matches!(self.processes[to].life, Life::Runs | Life::Ends(_, false)) {
            self.processes[to].mailbox.push(message);
        }
    }

    fn send(&mut self, from: usize, to: usize, message: Message) {
        if self.flights.contains_key(&(from, to)) {
            self.emit(from, to, Signal::Message(message));
        } else {
            self.put(to, message);
        }
    }

    /// Does an operation; nothing if it has to wait, and the value that is written down, if one is.
    fn perform(&mut self, me: usize, op: &Op) -> Option<Option<String>> {
        let badarg = || Some("badarg".to_owned());
        Some(match *op {
            Op::Send(to, value) => {
                self.send(me, to, Message::Plain(me, value));
                None
            }
            Op::SendName(name, value) => match self.names.get(&name).copied() {
                Some(to) => {
                    self.send(me, to, Message::Plain(me, value));
                    None
                }
                None => badarg(),
            },
            Op::Take(what, time) => return self.take(me, what, time).map(Some),
            Op::Register(name) => {
                let free = !self.names.contains_key(&name) && self.processes[me].name.is_none();
                if free {
                    self.names.insert(name, me);
                    self.processes[me].name = Some(name);
                }
                Some(if free { "true" } else { "badarg" }.to_owned())
            }
            Op::Unregister(name) => match self.names.remove(&name) {
                Some(of) => {
                    self.processes[of].name = None;
                    Some("true".to_owned())
                }
                None => badarg(),
            },
            Op::Whereis(name) => Some(self.names.get(&name).map_or("undefined".to_owned(), |of| self.number(me, *of))),
            Op::Table(name) => {
                let free = !self.tables.contains_key(&name);
                if free {
                    self.tables.insert(name, (me, None));
                }
                Some(if free { "made" } else { "badarg" }.to_owned())
            }
            Op::Insert(name, value) => match self.tables.get_mut(&name) {
                Some((_, row)) => {
                    *row = Some(value);
                    None
                }
                None => badarg(),
            },
            Op::Later(to, time, value) => {
                self.processes[me].timers += 1;
                let (number, when) = (self.processes[me].timers, self.now + time);
                if self.processes[to].life != Life::Gone {
                    self.timers.push(Timer { by: me, number, to, when, is_immediate: time == 0, value });
                }
                None
            }
            Op::Cancel => {
                let last = (me, self.processes[me].timers);
                let found = self.timers.iter().position(|timer| (timer.by, timer.number) == last);
                Some(
                    found.map_or("false".to_owned(), |at| {
                        format!("{{left,{}}}", self.timers.remove(at).when - self.now)
                    }),
                )
            }
            Op::Lookup(name) => match self.tables.get(&name) {
                Some((_, row)) => Some(row.map_or("[]".to_owned(), |value| format!("[{{k,{value}}}]"))),
                None => badarg(),
            },
            Op::Link(to) if to == me => None,
            Op::Link(to) if self.processes[to].life == Life::Gone && self.processes[me].traps => {
                self.put(me, Message::Exit(to, Reason::NoProc));
                None
            }
            Op::Link(to) if self.processes[to].life == Life::Gone => Some("noproc".to_owned()),
            Op::Link(to) => {
                if self.processes[me].links.insert(to) {
                    self.emit(me, to, Signal::Link);
                }
                None
            }
            Op::Unlink(to) => {
                if self.processes[me].links.remove(&to) {
                    self.emit(me, to, Signal::Unlink);
                }
                None
            }
            Op::Monitor(to) => {
                let reference = self.monitor(me, to);
                if to != me {
                    self.emit(me, to, Signal::Monitor(reference));
                } else {
                    self.processes[me].monitors.remove(&reference);
                }
                None
            }
            Op::Demonitor { flush, info } => {
                let Some(reference) = self.processes[me].last_monitor else { return Some(None) };
                let found = self.processes[me].monitors.remove(&reference).is_some();
                if flush && !found {
                    let mailbox = &mut self.processes[me].mailbox;
                    let is_its = |message: &Message| matches!(message, Message::Down(_, of, _) if *of == reference);
                    if let Some(at) = mailbox.iter().position(is_its) {
                        mailbox.remove(at);
                    }
                }
                Some((found || !info).to_string())
            }
            Op::Kill(to, reason) => {
                self.emit(me, to, Signal::Exit(reason));
                None
            }
            Op::Trap(flag) => {
                self.processes[me].traps = flag;
                None
            }
            Op::Alive(to) | Op::Queue(to) if self.flights.contains_key(&(me, to)) => return None,
            Op::Alive(to) | Op::Queue(to) if matches!(self.processes[to].life, Life::Ends(_, true)) => return None,
            Op::Alive(to) => Some((self.processes[to].life != Life::Gone).to_string()),
            Op::Queue(to) if self.processes[to].life == Life::Gone => Some("undefined".to_owned()),
            Op::Queue(to) => Some(self.processes[to].mailbox.len().to_string()),
            Op::Spawn(how, id) => {
                self.processes[id].life = Life::Runs;
                self.processes[id].parent = Some(me);
                match how {
                    How::Plain => {}
                    How::Link => {
                        self.processes[me].links.insert(id);
                        self.processes[id].links.insert(me);
                    }
                    How::Monitor => {
                        let last = self.processes[me].last_monitor;
                        let reference = self.monitor(me, id);
                        self.processes[me].last_monitor = last;
                        self.processes[id].watched.insert((me, reference));
                    }
                }
                None
            }
            Op::Exit(_) => None,
        })
    }

    fn monitor(&mut self, me: usize, to: usize) -> u32 {
        let process = &mut self.processes[me];
        process.references += 1;
        let reference = process.references;
        process.monitors.insert(reference, to);
        process.last_monitor = Some(reference);
        reference
    }

    /// What a process calls another.
    fn number(&self, me: usize, other: usize) -> String {
        let is_known = self.processes[other].parent.is_none_or(|parent| parent == me);
        if is_known { (other + 1).to_string() } else { "undefined".to_owned() }
    }

    fn text(&self, me: usize, message: Message) -> String {
        match message {
            Message::Pids => "pids".to_owned(),
            Message::Plain(from, value) => format!("{{m,{},{value}}}", from + 1),
            Message::Exit(from, reason) => format!("{{exit,{},{reason}}}", self.number(me, from)),
            Message::Down(of, _, reason) => format!("{{down,{},{reason}}}", self.number(me, of)),
        }
    }

    fn take(&mut self, me: usize, what: What, time: Time) -> Option<String> {
        let process = &mut self.processes[me];
        let wanted = |message: &Message| match (what, message) {
            (What::Value(value), Message::Plain(_, of)) => value == *of,
            (What::From(from), Message::Plain(by, _)) => from == *by,
            (What::Message, Message::Plain(..)) | (What::Down, Message::Down(..)) | (What::Any, _) => true,
            _ => false,
        };
        let found = process.mailbox.iter().position(wanted);
        match found {
            Some(at) => {
                let message = process.mailbox.remove(at);
                Some(self.text(me, message))
            }
            None if process.up || time == Time::After(0) => Some("timeout".to_owned()),
            None => None,
        }
    }
}

impl std::fmt::Display for Reason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Reason::Kill => "kill",
            Reason::Killed => "killed",
            Reason::Shutdown => "shutdown",
            Reason::Normal => "normal",
            Reason::NoProc => "noproc",
        })
    }
}
