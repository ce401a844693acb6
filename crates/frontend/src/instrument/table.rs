//! The table of events that their numbers refer to.

use std::rc::Rc;

use ir::{PairKind, Primitive};
use term::{Atom, Mfa};

use crate::flat::{Name, Pattern, Segment, Value, Var};

/// The events of a module, function after function.
#[derive(Default)]
pub struct EventTable {
    /// The number of the first event.
    pub first: u32,
    /// The functions in the order of their events.
    pub functions: Vec<FunctionEvents>,
}

/// The events of one function and of what is defined inside it.
pub struct FunctionEvents {
    /// The function.
    pub name: Name,
    /// The number of its first event in the module.
    pub first: u32,
    /// The names of its variables, by number.
    pub names: Vec<String>,
    /// The function itself comes first.
    pub contexts: Vec<Context>,
    /// The events in the order of their numbers.
    pub events: Vec<EventEntry>,
}

/// A function that events are about: one of the module, a local one, or a fun.
#[derive(Clone, Debug)]
pub struct Context {
    /// The parameters.
    pub params: Vec<Var>,
    /// The variables that its body binds: first by `let`, then in patterns.
    pub bound: Vec<Var>,
    /// The number of those bound by `let`.
    pub lets: usize,
    /// The name of a local function.
    pub local: Option<Name>,
    /// The name of the lifted function of a fun.
    pub lifted: Option<Atom>,
    /// The context it is defined in.
    pub outer: Option<u32>,
    /// Variables with one value: no event says so where a `receive` gives it on.
    pub same: Vec<(Var, Var)>,
}

/// One event. `context` is a place in [`FunctionEvents::contexts`].
#[derive(Clone)]
pub enum EventEntry {
    Call {
        context: u32,
        binds: Vec<Var>,
        called: Called,
        args: Vec<Value>,
    },
    Exit {
        context: u32,
        values: Vec<Value>,
    },
    /// The end of a function by an exception.
    Raised {
        context: u32,
    },
    Bind {
        context: u32,
        binds: Vec<Var>,
        from: From,
    },
    /// `clause` counts from 0.
    Case {
        context: u32,
        clause: u32,
        case: Rc<CaseSite>,
    },
    ExitCase {
        context: u32,
        binds: Vec<Var>,
        values: Vec<Value>,
    },
}

/// The callee of a call.
#[derive(Clone)]
pub enum Called {
    /// A function of the module.
    Own(Name),
    /// A local function: its context.
    Local(u32),
    /// A function of the module that only the run knows: the fun, if it is one.
    Inside(Option<Value>),
    /// A function outside of the module; which, if the program says so.
    Outside(Option<Mfa>),
}

/// The origin of the values that variables are bound to.
#[derive(Clone)]
pub enum From {
    Values(Vec<Value>),
    Map {
        base: Value,
        pairs: Vec<(PairKind, Value, Value)>,
    },
    Bits(Vec<Segment>),
    /// A fun: its context.
    Fun(u32),
    /// A function outside whose value follows from its arguments and the run's own state.
    Known {
        module: Atom,
        function: Atom,
        args: Vec<Value>,
    },
    /// An operation of the language.
    Primop {
        op: Primitive,
        args: Vec<Value>,
    },
    /// The value of a call outside, which the event brings along.
    Result,
    /// The message that a `receive` has taken, which the event brings along.
    Message,
    /// Class and reason, which the event brings along.
    Caught,
}

/// A case with all its alternatives.
pub struct CaseSite {
    /// The values that are matched.
    pub args: Vec<Value>,
    /// The clauses in order.
    pub alternatives: Vec<Alternative>,
}

/// A clause that a case can select.
pub struct Alternative {
    /// Its patterns.
    pub patterns: Vec<Pattern>,
    /// The equalities that its guard states: `{X, X}` is `{X, Y}` with such a guard.
    pub equal: Vec<(Value, Value)>,
    /// True if it has a guard besides.
    pub guarded: bool,
}

impl EventTable {
    /// An event of the module by its number.
    pub fn event(&self, number: u32) -> Option<(&FunctionEvents, &EventEntry)> {
        let after = self.functions.partition_point(|function| function.first <= number);
        let function = self.functions.get(after.checked_sub(1)?)?;
        let event = function.events.get((number - function.first) as usize)?;
        Some((function, event))
    }

    /// The events of a function.
    pub fn function(&self, name: Name) -> Option<&FunctionEvents> {
        self.functions.iter().find(|function| function.name == name)
    }

    /// True if a function emits its events.
    pub fn emits(&self, name: Name) -> bool {
        self.function(name).is_some_and(|events| !events.contexts.is_empty())
    }

    /// The number after that of the last event.
    pub fn end(&self) -> u32 {
        self.functions.last().map_or(self.first, |last| last.first + last.events.len() as u32)
    }

    /// All events with their numbers.
    pub fn events(&self) -> impl Iterator<Item = (u32, &EventEntry)> {
        self.functions.iter().flat_map(|function| (function.first..).zip(&function.events))
    }
}

impl EventEntry {
    /// The context that the event belongs to.
    pub fn context(&self) -> u32 {
        match self {
            EventEntry::Call { context, .. }
            | EventEntry::Exit { context, .. }
            | EventEntry::Raised { context }
            | EventEntry::Bind { context, .. }
            | EventEntry::Case { context, .. }
            | EventEntry::ExitCase { context, .. } => *context,
        }
    }
}
