//! The options of a host.

use std::path::PathBuf;

use crate::wall::Openings;

/// Which Erlang to run, where modules are looked for, where things are kept.
#[derive(Clone, Debug)]
pub struct Options {
    /// The `erl` command: a path, or a name to be looked up in `PATH`.
    pub erl: PathBuf,
    /// Directories that come first in the code path.
    pub paths: Vec<PathBuf>,
    /// `None`: `$XDG_CACHE_HOME/tracehound`, or `~/.cache/tracehound`.
    pub cache_dir: Option<PathBuf>,
    /// True if extracted modules are read from and written to the cache.
    pub use_cache: bool,
    /// The effects that programs are allowed.
    pub openings: Openings,
    /// The limits of each call.
    pub limits: CallLimits,
}

/// The limits of one call. Zero reductions or words means no limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CallLimits {
    /// Wall-clock time.
    pub millis: u64,
    /// Reductions of the VM.
    pub reductions: u64,
    /// The size of the heap.
    pub heap_words: u64,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            erl: PathBuf::from("erl"),
            paths: Vec::new(),
            cache_dir: None,
            use_cache: true,
            openings: Openings::default(),
            limits: CallLimits::default(),
        }
    }
}

impl Default for CallLimits {
    fn default() -> Self {
        CallLimits { millis: 5_000, reductions: 2_000_000_000, heap_words: 32 << 20 }
    }
}

impl CallLimits {
    /// Returns the limits as a request has them.
    pub(crate) fn to_bytes(self) -> [u8; 24] {
        let mut bytes = [0; 24];
        bytes[..8].copy_from_slice(&self.millis.to_be_bytes());
        bytes[8..16].copy_from_slice(&self.reductions.to_be_bytes());
        bytes[16..].copy_from_slice(&self.heap_words.to_be_bytes());
        bytes
    }
}
