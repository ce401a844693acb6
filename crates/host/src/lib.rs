//! The real Erlang VM behind a pipe: extracts Core Erlang, runs calls under limits, confirms.
//!
//! A [`Host`] owns one `erl` process and speaks with its Erlang half (`erl/`, embedded in the binary) in
//! length-prefixed external term format on file descriptors 3 and 4. A host that hangs, crashes or writes garbage is
//! killed and started again; the request that met it is reported, all others never notice.
//!
//! ```
//! use host::{CallResult, Host, Options};
//! use term::{Atom, Call, Outcome, Term};
//!
//! let mut host = Host::start(Options::default()).expect("Erlang is installed");
//! let list = Term::list([3, 1, 2].map(Term::int));
//! let call = Call { module: Atom::new("lists"), function: Atom::new("max"), args: vec![list] };
//! let CallResult::Ended(Outcome::Value(max)) = host.call(&call) else { panic!() };
//! assert_eq!(max, Term::int(3));
//! ```

mod cache;
mod call;
mod clock;
mod compile;
mod compiler;
mod conductor;
mod embedded;
mod error;
mod events;
mod extract;
mod findings;
mod guard;
mod host;
mod installation;
mod launch;
mod lines;
mod options;
mod process;
mod samples;
mod source;
mod stateful;
mod text;
mod tool;
mod vm;
mod wall;
mod wire;

pub use cache::{build_folder, lock};
pub use call::CallResult;
pub use clock::{Deadline, Stopwatch, prepared, preparing};
pub use conductor::{Conductor, Gate, NotPerformed, Passage, Performed};
pub use error::{ExtractError, HostError};
pub use events::{EventError, RecordedEvent};
pub use extract::{Extracted, FunEntry, compiled_from};
pub use guard::GuardRule;
pub use host::Host;
pub use lines::{Counter, LineWatch, WatchedCall};
pub use options::{CallLimits, Options};
pub use source::{EXPRESSION_MODULE, ErlOptions, Source};
pub use stateful::StatefulProcess;
pub use tool::{ToolEnd, ToolRun};
pub use wall::{Openings, Walls, standing as standing_walls};
pub use wire::{Frame, FrameError, MAX_FRAME};
