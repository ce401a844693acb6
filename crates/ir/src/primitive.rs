//! Operations of the language that have no module, and those that processes see of each other.

use term::Atom;

/// An operation of the language that has no module; its text form is its name in Core Erlang, or one that begins with
/// `$` where Core Erlang has none.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Primitive {
    /// The stack trace of what a handler caught.
    BuildStacktrace,
    /// Raises the exception of a failed match, whose reason is the argument.
    MatchFail,
    /// Raises again what a handler caught: raw value and reason.
    Raise,
    /// Raises class and reason with the stack of a raw value; gives `badarg` where that cannot be.
    RawRaise,
    /// An empty binary that others are to be appended to.
    InitWritable,
    /// The place where native code takes over once it is loaded.
    NifStart,
    /// The bitstring that begins so many bits before another.
    StepBack,
    /// A part of a `receive`.
    Receive(Receive),
    /// An event that the graph emits.
    Event(Event),
    /// A question to the run that is replayed.
    Replay(Replay),
    /// One that the machine does not know.
    Other(Atom),
}

/// The parts of a `receive`, as Core Erlang has them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Receive {
    /// `{true, Message}` if there is a message to look at, `{false, _}` if not.
    Peek,
    /// Passes over the message.
    Next,
    /// Takes the message out of the mailbox.
    Remove,
    /// Waits for a message; `true` when the time that is the argument is up.
    Wait,
    /// Ends a `receive` whose time is up.
    Timeout,
    /// Another part, for the VM alone.
    Marker(Atom),
}

/// Events, by their number, which is the first argument.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Event {
    /// Emits the event; with a value, if there is a second argument.
    Emit,
    /// Emits one of two events before a call: the number, a module, and the fun or the pair of names that is called. The
    /// next number is emitted if that does not lead into the module.
    BeforeCall,
    /// Emits an event after such a call, its value being the last argument, if that did not lead into the module.
    AfterCall,
}

/// Questions to the run that is replayed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Replay {
    /// Before a call that leads outside: `{Value}` if its value is known already, `[]` if it is to be made. Arguments are
    /// the number of the call's event, module and name, and the call's arguments.
    Result,
    /// A look for a message by a `receive`: `{true, Message}` if the run got one, `{false, []}` if time was up. The
    /// argument is the number of the event of a message; that of time being up comes next.
    Message,
    /// A wait of a `receive`: `true` if time was up. The argument is the number of the event that says so.
    Timeout,
}

/// An operation on processes: what one process does can be seen by others, or it sees what others do.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum ProcessOp {
    /// Sends a message.
    Send,
    /// Starts a process.
    Spawn,
    /// The same, with a link.
    SpawnLink,
    /// The same, as a list of options says.
    SpawnOpt,
    /// The same; the answer comes as a message.
    SpawnRequest,
    /// Gives up the answer to a request.
    AbandonRequest,
    Link,
    Unlink,
    Monitor,
    Demonitor,
    Alias,
    Unalias,
    /// Sends an exit signal.
    Exit,
    /// Sets a flag of the process itself.
    Flag,
    Register,
    Unregister,
    Whereis,
    Registered,
    Processes,
    IsAlive,
    /// Asks what is known of a process.
    Info,
    /// Asks for the group leader of the process.
    OwnLeader,
    /// Sets the group leader of a process.
    GroupLeader,
    SendAfter,
    StartTimer,
    CancelTimer,
    ReadTimer,
    /// Asks for the time that has passed.
    Clock,
    /// Lets others go on.
    Yield,
    /// Waits for a message with an empty stack.
    Hibernate,
}

/// The operations on processes with their names in the text form.
const PROCESS_OPS: [(ProcessOp, &str); 30] = [
    (ProcessOp::Send, "send"),
    (ProcessOp::Spawn, "spawn"),
    (ProcessOp::SpawnLink, "spawn_link"),
    (ProcessOp::SpawnOpt, "spawn_opt"),
    (ProcessOp::SpawnRequest, "spawn_request"),
    (ProcessOp::AbandonRequest, "abandon_request"),
    (ProcessOp::Link, "link"),
    (ProcessOp::Unlink, "unlink"),
    (ProcessOp::Monitor, "monitor"),
    (ProcessOp::Demonitor, "demonitor"),
    (ProcessOp::Alias, "alias"),
    (ProcessOp::Unalias, "unalias"),
    (ProcessOp::Exit, "exit"),
    (ProcessOp::Flag, "flag"),
    (ProcessOp::Register, "register"),
    (ProcessOp::Unregister, "unregister"),
    (ProcessOp::Whereis, "whereis"),
    (ProcessOp::Registered, "registered"),
    (ProcessOp::Processes, "processes"),
    (ProcessOp::IsAlive, "is_alive"),
    (ProcessOp::Info, "info"),
    (ProcessOp::OwnLeader, "own_leader"),
    (ProcessOp::GroupLeader, "group_leader"),
    (ProcessOp::SendAfter, "send_after"),
    (ProcessOp::StartTimer, "start_timer"),
    (ProcessOp::CancelTimer, "cancel_timer"),
    (ProcessOp::ReadTimer, "read_timer"),
    (ProcessOp::Clock, "clock"),
    (ProcessOp::Yield, "yield"),
    (ProcessOp::Hibernate, "hibernate"),
];

/// Every primitive with a fixed name.
const NAMES: [(&str, Primitive); 18] = [
    ("build_stacktrace", Primitive::BuildStacktrace),
    ("match_fail", Primitive::MatchFail),
    ("raise", Primitive::Raise),
    ("raw_raise", Primitive::RawRaise),
    ("bs_init_writable", Primitive::InitWritable),
    ("nif_start", Primitive::NifStart),
    ("$step_back", Primitive::StepBack),
    ("recv_peek_message", Primitive::Receive(Receive::Peek)),
    ("recv_next", Primitive::Receive(Receive::Next)),
    ("remove_message", Primitive::Receive(Receive::Remove)),
    ("recv_wait_timeout", Primitive::Receive(Receive::Wait)),
    ("timeout", Primitive::Receive(Receive::Timeout)),
    ("$event", Primitive::Event(Event::Emit)),
    ("$event_call", Primitive::Event(Event::BeforeCall)),
    ("$event_back", Primitive::Event(Event::AfterCall)),
    ("$given", Primitive::Replay(Replay::Result)),
    ("$received", Primitive::Replay(Replay::Message)),
    ("$late", Primitive::Replay(Replay::Timeout)),
];

impl Primitive {
    /// The primitive of a name and number of arguments.
    pub fn named(name: Atom, args: usize) -> Primitive {
        let takes = |primitive: Primitive| (primitive.arity().0..=primitive.arity().1).contains(&args);
        match NAMES.iter().find(|(known, it)| *known == name.name() && takes(*it)) {
            Some((_, primitive)) => *primitive,
            None if name.name().starts_with("recv_") => Primitive::Receive(Receive::Marker(name)),
            None => Primitive::Other(name),
        }
    }

    /// Its name.
    pub fn name(self) -> Atom {
        match self {
            Primitive::Other(name) | Primitive::Receive(Receive::Marker(name)) => name,
            known => Atom::new(NAMES.iter().find(|(_, it)| *it == known).map_or("", |(name, _)| name)),
        }
    }

    /// True if it always ends in an exception.
    pub fn raises(self) -> bool {
        matches!(self, Primitive::MatchFail | Primitive::Raise | Primitive::RawRaise)
    }

    /// The smallest and largest number of arguments it takes.
    pub fn arity(self) -> (usize, usize) {
        match self {
            Primitive::NifStart | Primitive::Receive(Receive::Peek | Receive::Next | Receive::Remove) => (0, 0),
            Primitive::Receive(Receive::Timeout) => (0, 0),
            Primitive::BuildStacktrace | Primitive::MatchFail | Primitive::Receive(Receive::Wait) => (1, 1),
            Primitive::Replay(Replay::Message) => (1, 1),
            // The number, and the time if it is known.
            Primitive::Replay(Replay::Timeout) => (1, 2),
            Primitive::Event(Event::Emit) => (1, 2),
            Primitive::Raise | Primitive::StepBack => (2, 2),
            Primitive::RawRaise | Primitive::Event(Event::BeforeCall) => (3, 3),
            Primitive::Event(Event::AfterCall) => (4, 4),
            Primitive::Replay(Replay::Result) => (3, usize::MAX),
            Primitive::InitWritable | Primitive::Receive(Receive::Marker(_)) | Primitive::Other(_) => (0, usize::MAX),
        }
    }

    /// True if its first argument is the number of an event.
    pub fn has_number(self) -> bool {
        matches!(self, Primitive::Event(_) | Primitive::Replay(_))
    }
}

impl ProcessOp {
    /// The operation of a name in the text form.
    pub fn named(name: &str) -> Option<ProcessOp> {
        PROCESS_OPS.iter().find(|(_, known)| *known == name).map(|(op, _)| *op)
    }

    /// Its name in the text form.
    pub fn name(self) -> &'static str {
        PROCESS_OPS.iter().find(|(op, _)| *op == self).map_or("", |(_, name)| name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        for (name, primitive) in NAMES {
            let (name, args) = (Atom::new(name), primitive.arity().0);
            assert_eq!((Primitive::named(name, args), primitive.name()), (primitive, name));
        }
        for (op, name) in PROCESS_OPS {
            assert_eq!((ProcessOp::named(name), op.name()), (Some(op), name));
        }
        for name in ["recv_marker_bind", "recv_next", "unheard_of"] {
            assert_eq!(Primitive::named(Atom::new(name), 1).name(), Atom::new(name));
        }
    }
}
