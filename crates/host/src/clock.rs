//! The clock of a search: it stands still while code is extracted and compiled, and while a VM starts.

use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Microseconds of all preparation so far.
static PREPARED: AtomicU64 = AtomicU64::new(0);

thread_local! {
    static PREPARING: Cell<bool> = const { Cell::new(false) };
}

/// The time that the program has spent on preparation.
pub fn prepared() -> Duration {
    Duration::from_micros(PREPARED.load(Ordering::Relaxed))
}

/// Does something that no search is charged for.
pub fn preparing<T>(work: impl FnOnce() -> T) -> T {
    if PREPARING.replace(true) {
        return work();
    }
    let began = Instant::now();
    let done = work();
    PREPARED.fetch_add(began.elapsed().as_micros() as u64, Ordering::Relaxed);
    PREPARING.set(false);
    done
}

/// Measures time without preparation.
#[derive(Clone, Copy, Debug)]
pub struct Stopwatch {
    began: Instant,
    prepared: Duration,
}

impl Stopwatch {
    /// A stopwatch that runs from now on.
    pub fn start() -> Stopwatch {
        Stopwatch { began: Instant::now(), prepared: prepared() }
    }

    /// The time since its start, without preparation.
    pub fn elapsed(self) -> Duration {
        self.began.elapsed().saturating_sub(prepared() - self.prepared)
    }

    /// The end of so much time after its start.
    pub fn deadline(self, time: Duration) -> Deadline {
        Deadline { stopwatch: self, time }
    }
}

/// The end of a search's time.
#[derive(Clone, Copy, Debug)]
pub struct Deadline {
    stopwatch: Stopwatch,
    time: Duration,
}

impl Deadline {
    /// The time until then.
    pub fn left(self) -> Duration {
        self.time.saturating_sub(self.stopwatch.elapsed())
    }

    /// True if the time is over.
    pub fn is_over(self) -> bool {
        self.left().is_zero()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn preparation_takes_no_time() {
        let stopwatch = Stopwatch::start();
        let deadline = stopwatch.deadline(Duration::from_millis(40));
        preparing(|| preparing(|| std::thread::sleep(Duration::from_millis(50))));
        assert!(prepared() >= Duration::from_millis(50) && !deadline.is_over());
        std::thread::sleep(Duration::from_millis(50));
        assert!(deadline.is_over() && stopwatch.elapsed() < prepared() + Duration::from_millis(50));
    }
}
