//! Memory of the process.

/// Returns the bytes of memory that this process takes, where the system reports it.
pub fn taken() -> Option<usize> {
    memory_stats::memory_stats().map(|stats| stats.physical_mem)
}
