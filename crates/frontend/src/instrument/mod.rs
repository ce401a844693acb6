//! Instrumentation: the events of a flat program, and the program rewritten so that it emits them itself.
//!
//! A run of a flat program is recorded by five kinds of [`EventEntry`]: `call`, `exit`, `bind`, `case`, `exitcase`.
//! Everything in an event but an occasional value is known before the run, so a run only emits numbers, which refer to an
//! [`EventTable`].
//!
//! - A call of a function of the module is a `call`; the called function emits its own `exit`, also when an exception
//!   ends it. A call of a function that may be any is one too; so is a call of a function outside that is not
//!   `known`. What such a call gives is recorded by a `bind` with the value, unless it led into the module again.
//! - Everything else that gives values is a `bind` of its variables, emitted afterwards: with the static expression, or with
//!   the value where only the run knows it. A handler binds the class and reason of the exception.
//! - The clause that a case selects is recorded when it is entered, after its guard, and its values when it is left.
//! - A jump to a label binds the label's parameters. The cases that it leaves have no `exitcase`.
//!
//! - What a `receive` comes to is a `bind` with the message, then the `case` of the clause that it selected; or a `bind` of
//!   nothing when time is up.
//!
//! Guards emit nothing. Local functions and funs are functions of their own: see [`Context`].

mod equal;
mod never;
mod notation;
mod number;
mod receive;
mod rewrite;
mod site;
mod table;

pub use notation::{note, notes};
pub use number::Numbering;
pub use rewrite::instrumented;
pub use site::{Aside, EventSite, LambdaSite, Sites};
pub use table::{Called, CaseSite, Context, EventEntry, EventTable, From, FunctionEvents};

pub(crate) use never::never_returns;

/// The module of the VM that instrumented programs send their events to.
pub const RUNTIME: &str = "hound_events";
