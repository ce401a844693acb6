//! The options of `hound watch`.

use clap::Args;

use super::ExploreOptions;

/// Explore, and explore again what changes when a file is saved
///
/// It takes the words and options of `hound explore`, but for those that say what else to write (--html is written each round). Sources, headers and compiled modules beside what the words name are
/// looked at, and hound.toml. After a change only functions are explored whose module, or one that it may call, has
/// changed; of the others the results are kept. Each round prints the findings that are new in full, and a line for each that
/// is still there or gone. Ctrl-C ends it.
#[derive(Args, Debug)]
pub struct WatchOptions {
    /// The exploration.
    #[command(flatten)]
    pub explore: ExploreOptions,
}

/// The text below the options.
pub const EXAMPLES: &str = "\
Examples:
  hound watch shop.erl
  hound watch src total/1 --time 5
  hound watch --format json src";

/// The usage line.
pub const USAGE: &str = "hound watch [OPTIONS] SOURCE… [FUNCTION…]";
