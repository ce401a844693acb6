//! Symbolic expressions over inputs, the conditions a run collects about them, and the grammar of inputs.
//!
//! An expression is a small number into an [`Arena`] that holds every distinct expression once. A run's path is a list
//! of [`Decision`]s, each a branch with its elementary condition or a choice of schedule; its place in the program is an
//! opaque [`Site`]. A run is given a [`Stimulus`]. Everything here can be printed and, given inputs, evaluated: that is
//! how answers of solvers are checked.

mod arena;
mod bits;
mod condition;
mod decision;
mod evaluate;
mod floats;
mod formula;
mod grammar;
mod kinds;
mod maps;
mod names;
mod op;
mod print;
mod replace;
mod samples;
mod sequence;
mod simplify;
mod text;

pub use arena::{Arena, ArenaId, Expr, Node};
pub use bits::Part;
pub use condition::{Condition, Test, Type};
pub use decision::{Decision, Path, Site, Stimulus};
pub use evaluate::{Evaluator, Undefined, ValueCache, evaluate, holds, is_of};
pub use floats::{FloatOp, Width};
pub use formula::{Formula, is_portable};
pub use grammar::{Grammar, GrammarHash, GrammarRule, MapField, RuleId, Shape};
pub use kinds::Kinds;
pub use names::{is_character, of_text};
pub use op::Op;
pub use print::ExprNames;
pub use replace::Replacements;
pub use samples::{Learned, Samples, cells, outcome_term};
pub use sequence::{CallSequence, SECOND, call_tag, call_template, count_calls, fill_template};
pub use text::{Fault, Text};
