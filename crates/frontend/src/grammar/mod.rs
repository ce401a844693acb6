//! The input grammar: what a `-spec` says about arguments, as a regular tree grammar.
//!
//! A recursive type is a recursive rule; nothing is unrolled. A rule is a union of shapes, and the parts of a shape
//! are rules again. Parametric types are instantiated once per choice of arguments.

mod build;
mod builtin;
mod declarations;
mod opaque;
mod producers;

pub use build::{Spec, SpecClause, TypeSource, Warning, abstract_signatures, signatures};
pub use constraint::{Grammar, MapField, RuleId, Shape};
pub use declarations::Declarations;
pub use opaque::{Constructor, Opaque};
pub use producers::{OtherResult, Producer, ResultPart};
