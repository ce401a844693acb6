//! The external term format. What has one form only is written and read here; the rest is asked of the VM.

use term::{Map, Term, etf};

use super::ask;
use super::text::binary_bytes;
use crate::opaque::guess;
use crate::policy::Policy;
use crate::raise::system_limit;
use crate::{Environment, Eval, Gives, HandleView, Operation, Returns};

pub(super) const OPERATIONS: &[Operation] = &[
    Operation::running("term_to_binary", 1, |run, args| to_binary(run, args))
        .gives(Gives::Binary)
        .returns(Returns::Always)
        .guess(guess::term_to_binary)
        .shows_handles(HandleView::Numbers),
    Operation::running("term_to_binary", 2, |run, args| to_binary(run, args))
        .gives(Gives::Binary)
        .shows_handles(HandleView::Numbers),
    Operation::running("binary_to_term", 1, |run, args| to_term(run, args)),
    Operation::running("binary_to_term", 2, |run, args| to_term(run, args)),
    Operation::vm("external_size", 1, Policy::Pure).gives(Gives::Between(0, i64::MAX)).returns(Returns::Always),
];

fn no_options(args: &[Term]) -> bool {
    args.get(1).is_none_or(|options| matches!(options, Term::Nil(_)))
}

/// A large map is written in an order that only the VM knows.
fn to_binary(run: &mut dyn Environment, args: &[Term]) -> Eval {
    if no_options(args) && !has_large_map(&args[0]) {
        match etf::encode(&args[0]) {
            Ok(bytes) => return Ok(Term::binary(bytes)),
            Err(etf::EncodeError::TooLarge(_)) => return system_limit(),
            Err(etf::EncodeError::Closure(_)) => {}
        }
    }
    ask(run, "term_to_binary", args)
}

/// The VM reads more than we do: compressed terms, or terms that other bytes follow.
fn to_term(run: &mut dyn Environment, args: &[Term]) -> Eval {
    if no_options(args)
        && let Some(Ok(value)) = binary_bytes(&args[0]).map(|bytes| etf::decode(&bytes))
    {
        return Ok(value);
    }
    ask(run, "binary_to_term", args)
}

fn has_large_map(term: &Term) -> bool {
    term.any(|part| matches!(part, Term::Map(_, map) if map.len() > Map::SMALL))
}
