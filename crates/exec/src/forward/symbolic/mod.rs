//! The symbolic reading of a run: what happens to marked values, written down beside the concrete machine.
//!
//! A mark on a term names the expression whose value the term is. Before the machine executes an instruction on marked
//! operands, `observe` hands it to its rule: the rule asks the questions on which the outcome depends (`watch`), lets
//! the concrete machine do its work, and marks the result. What has no rule is held to the values it has (`pin`).

mod arith;
mod arrays;
mod atoms;
mod bits;
mod build;
mod closures;
mod compare;
mod entries;
mod equal;
mod ets;
mod exits;
mod facts;
mod floats;
mod funs;
mod identities;
mod lists;
mod maps;
mod names;
mod natives;
mod numbers;
mod observe;
mod opaque;
mod parts;
mod patterns;
mod pin;
mod recorder;
mod registered;
mod sites;
mod text;
mod timers;
mod watch;

pub use closures::is_closure_data;
pub use ets::Expected;
pub use identities::has_made;
pub use numbers::maker_of_number;
pub use opaque::Concretize;
pub use pin::{any_part, is_marked, unmarked};
pub use recorder::{Elsewhere, EnteredClause, Gap, GapKind, Recorder, RecorderLimits};
pub use sites::{Branch, SiteInfo, branch_site};
