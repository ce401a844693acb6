//! The portfolio of a search: all solvers, as many times as there are threads.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use host::Deadline;
use solve::{Portfolio, Rechecker, Solvers};

use crate::workers::{self, Threads};
use crate::z3::Z3;
use crate::{SearchBounds, interrupt};

/// The longest silence of the external solver; its work is bounded otherwise.
const Z3_PATIENCE: Duration = Duration::from_secs(10);

/// Returns a portfolio within these bounds that gives up at `end`.
pub(crate) fn solver(bounds: &SearchBounds, end: Option<Deadline>) -> Portfolio {
    let is_over = move || interrupt::is_wanted() || end.is_some_and(Deadline::is_over);
    let make = move |halted: &Arc<AtomicBool>| {
        let halted = Arc::clone(halted);
        let halted = move || halted.load(Ordering::Relaxed) || is_over();
        Solvers::new(Some(Box::new(Z3::new("z3", Z3_PATIENCE).halted_by(halted))))
    };
    let count = bounds.workers.map_or_else(workers::usual, NonZeroUsize::get);
    let second = Z3::new("z3", Z3_PATIENCE).halted_by(is_over);
    let rechecker = Rechecker::new(Box::new(second), bounds.rechecked);
    Portfolio::with(Box::new(Threads::new(count, Arc::new(make)))).rechecked_by(rechecker)
}
