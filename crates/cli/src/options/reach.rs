//! The options of `hound reach`.

use std::num::NonZeroUsize;

use clap::Args;
use clap::builder::RangedU64ValueParser;
use session::SearchBounds;
use session::reach::Request;

use super::{ClockChoice, CodeOptions, OutputFormat};

/// Find the call that gets to a place in the code, confirmed on the BEAM, or prove that there is none
///
/// A place is a line (shop.erl:12 or shop:12), a function (shop:total/1), one of its clauses (shop:total/1#2, from 1), or
/// a call of the marker in the code; without any, every marker of the sources is a target. Several targets share their
/// work. Calls begin at the exported functions, with inputs that their -spec allows, any() without one; any process that
/// a call starts may come to the place. The verdict is `reached`, with the call to paste into the shell, and where it
/// starts processes the command that replays it under its schedule; `unreachable`, a proof that no input gets there under
/// any schedule; or `incomplete`, with the reasons.
#[derive(Args, Debug)]
#[command(override_usage = "hound reach [OPTIONS] [SOURCE…] [TARGET…]", after_help = EXAMPLES)]
pub struct ReachOptions {
    /// Files (.erl, .ex, .beam, .core), directories or module names, and targets: FILE:LINE, MODULE:LINE, m:f/a or
    /// m:f/a#CLAUSE [default: the project around the current directory]
    #[arg(value_name = "WORD", num_args = 0..)]
    pub words: Vec<String>,

    /// Explore first, then go for every clause and every outcome of a test that is left, in the functions named or in all
    #[arg(long)]
    pub uncovered: bool,

    /// Go for every call of this function in the sources [default: hound_target, where no other target is named]
    #[arg(long, value_name = "NAME|M:F/A")]
    pub marker: Option<String>,

    /// Begin calls at this exported function (repeatable) [default: all exported functions of the sources]
    #[arg(long, value_name = "NAME/ARITY")]
    pub entry: Vec<String>,

    /// Only inputs for which this function of the same module is true: valid/4
    #[arg(long, value_name = "NAME/ARITY")]
    pub pre: Option<String>,

    /// Do not look into this function (repeatable): its results are known only where they were observed
    #[arg(long, value_name = "M:F/A")]
    pub opaque: Vec<String>,

    /// Show phase one's path to each target with its condition, and the inputs that phase two tried, with what each of
    /// them missed
    #[arg(long)]
    pub explain: bool,

    /// How to print: text for people, json for programs (one object per line)
    #[arg(long, value_enum, default_value_t = OutputFormat::Text)]
    pub format: OutputFormat,

    #[command(flatten)]
    pub bounds: BoundOptions,

    #[command(flatten)]
    pub code: CodeOptions,
}

/// The bounds of a search for targets.
#[derive(Args, Clone, Debug)]
pub struct BoundOptions {
    /// Stop after this many runs from an entry point
    #[arg(long, value_name = "N", default_value_t = SearchBounds::REACH.runs, value_parser = clap::value_parser!(u64).range(1..))]
    pub runs: u64,

    /// Of these, run at most this many for other orders of the events of processes [default: all]
    #[arg(long, value_name = "N")]
    pub schedules: Option<u64>,

    /// When timeouts and timers strike [default: idle]
    #[arg(long, value_enum)]
    pub clock: Option<ClockChoice>,

    /// Flip no branch beyond this one on a path
    #[arg(long, value_name = "N", default_value_t = SearchBounds::REACH.depth)]
    pub depth: usize,

    /// Run no input with more than this many parts
    #[arg(long, value_name = "N", default_value_t = SearchBounds::REACH.size, value_parser = RangedU64ValueParser::<usize>::new().range(1..))]
    pub size: usize,

    /// End a run after this many steps of the machine
    #[arg(long, value_name = "N", default_value_t = SearchBounds::REACH.steps, value_parser = clap::value_parser!(u64).range(1..))]
    pub steps: u64,

    /// End a run whose data takes more than this many MiB
    #[arg(long, value_name = "MIB", default_value_t = SearchBounds::REACH.memory, value_parser = clap::value_parser!(u64).range(1..))]
    pub memory: u64,

    /// The last resort: stop after this many seconds for each target; extracting code and starting VMs do not count
    #[arg(long, value_name = "SECONDS", default_value_t = SearchBounds::REACH.time, value_parser = clap::value_parser!(u64).range(1..))]
    pub time: u64,

    /// Solve in this many threads; the results stay the same [default: one per processor, at most 8]
    #[arg(long, value_name = "N")]
    pub workers: Option<NonZeroUsize>,
}

impl ReachOptions {
    /// Returns the request for a session.
    pub fn request(&self) -> Request {
        let BoundOptions { runs, schedules, clock, depth, size, steps, memory, time, workers } = self.bounds;
        let schedules = schedules.unwrap_or(SearchBounds::REACH.schedules);
        Request {
            words: self.words.clone(),
            uncovered: self.uncovered,
            marker: self.marker.clone(),
            entry: self.entry.clone(),
            pre: self.pre.clone(),
            opaque: self.opaque.clone(),
            any_clock: clock == Some(ClockChoice::Any),
            explain: self.explain,
            bounds: SearchBounds { runs, schedules, depth, size, steps, memory, time, workers, ..SearchBounds::REACH },
            code: self.code.session(),
        }
    }
}

const EXAMPLES: &str = "\
Examples:
  hound reach shop.erl:12
  hound reach shop:total/1#2 shop.erl
  hound reach --entry order/2 --pre valid/2 shop.erl:12 shop.erl:31
  hound reach --entry bank:race/1 bank.erl:40     (also in a process that the call starts)
  hound reach --uncovered shop.erl total/1
  hound reach shop.erl                       (every call of hound_target() in it)
  hound reach --marker shop:alarm/1 _build/default/lib/shop/ebin";
