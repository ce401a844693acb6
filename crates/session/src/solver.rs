//! The portfolio of a search: all solvers, as many times as there are threads.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use solve::{Portfolio, Solvers};

use crate::interrupt;
use crate::workers::{self, Threads};
use crate::z3::Z3;

/// The longest silence of the external solver; its work is bounded otherwise.
const Z3_PATIENCE: Duration = Duration::from_secs(10);

/// Returns a portfolio of so many threads that gives up at `end`.
pub(crate) fn solver(threads: Option<NonZeroUsize>, end: Option<Instant>) -> Portfolio {
    let make = move |halted: &Arc<AtomicBool>| {
        let halted = Arc::clone(halted);
        let is_over = move || end.is_some_and(|end| Instant::now() >= end);
        let halted = move || halted.load(Ordering::Relaxed) || interrupt::is_wanted() || is_over();
        Solvers::new(Some(Box::new(Z3::new("z3", Z3_PATIENCE).halted_by(halted))))
    };
    let count = threads.map_or_else(workers::usual, NonZeroUsize::get);
    Portfolio::with(Box::new(Threads::new(count, Arc::new(make))))
}
