//! The options of a search that the command line and the configuration file share.

use std::num::{NonZeroU64, NonZeroUsize};

use clap::{Args, ValueEnum};
use search::Strategy;
use serde::Deserialize;
use session::SearchBounds;

/// A number from 1 on.
fn positive(text: &str) -> Result<NonZeroU64, String> {
    text.parse().map_err(|_| "write a number from 1 on".to_owned())
}

/// The same for sizes.
fn positive_size(text: &str) -> Result<NonZeroUsize, String> {
    text.parse().map_err(|_| "write a number from 1 on".to_owned())
}

/// The time that passes for processes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ClockChoice {
    /// Time passes when no process can go on, up to the next timeout or timer
    Idle,
    /// Every timeout and every timer strikes at any time
    Any,
}

/// The order and the bounds of a search. The configuration file fills in what the command line leaves open.
#[derive(Args, Clone, Default, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SearchOptions {
    /// What to try next [default: turns]
    #[arg(long, value_enum)]
    pub strategy: Option<StrategyChoice>,

    /// What becomes of results of functions that no solver can see [default: higher-order]
    #[arg(long, value_enum)]
    pub concretize: Option<Concretization>,

    /// Stop after this many runs of a function; by default, more follow while they cover something new [default: 5000]
    #[arg(long, value_name = "N", value_parser = positive)]
    pub runs: Option<NonZeroU64>,

    /// Of these, run at most this many for other orders of the events of processes [default: all]
    #[arg(long, value_name = "N")]
    pub schedules: Option<u64>,

    /// When timeouts and timers strike [default: idle]
    #[arg(long, value_enum)]
    pub clock: Option<ClockChoice>,

    /// Flip no branch beyond this one on a path [default: 1000]
    #[arg(long, value_name = "N")]
    pub depth: Option<usize>,

    /// Run no input with more than this many parts [default: 10000]
    #[arg(long, value_name = "N", value_parser = positive_size)]
    pub size: Option<NonZeroUsize>,

    /// Make values of opaque types, and states, by at most this many calls [default: 8]
    #[arg(long, value_name = "N")]
    pub calls: Option<usize>,

    /// End a run after this many steps of the machine [default: 1000000]
    #[arg(long, value_name = "N", value_parser = positive)]
    pub steps: Option<NonZeroU64>,

    /// End a run, and then the search, when it all takes more than this many MiB [default: 512]
    #[arg(long, value_name = "MIB", value_parser = positive)]
    pub memory: Option<NonZeroU64>,

    /// The last resort: stop exploring a function after this many seconds; extracting code and starting VMs do not
    /// count [default: 60]
    #[arg(long, value_name = "SECONDS", value_parser = positive)]
    pub time: Option<NonZeroU64>,

    /// Share this many seconds between all functions: those that cover nothing new for half of their share give the rest
    /// to the others [default: --time for each]
    #[arg(long, value_name = "SECONDS")]
    #[serde(rename = "total-time")]
    pub total_time: Option<u64>,

    /// Make other inputs by chance, where chance has a part: the same seed gives the same exploration [default: 0]
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,

    /// Solve in this many threads; the results stay the same [default: one per processor, at most 8]
    #[arg(long, value_name = "N")]
    pub workers: Option<NonZeroUsize>,
}

impl SearchOptions {
    /// Returns these options, and where they say nothing, the others.
    pub fn or(self, others: &SearchOptions) -> SearchOptions {
        SearchOptions {
            strategy: self.strategy.or(others.strategy),
            concretize: self.concretize.or(others.concretize),
            runs: self.runs.or(others.runs),
            schedules: self.schedules.or(others.schedules),
            clock: self.clock.or(others.clock),
            depth: self.depth.or(others.depth),
            size: self.size.or(others.size),
            calls: self.calls.or(others.calls),
            steps: self.steps.or(others.steps),
            memory: self.memory.or(others.memory),
            time: self.time.or(others.time),
            total_time: self.total_time.or(others.total_time),
            seed: self.seed.or(others.seed),
            workers: self.workers.or(others.workers),
        }
    }

    /// Returns the bounds, with defaults where these say nothing.
    pub fn bounds(&self) -> SearchBounds {
        let usual = SearchBounds::EXPLORE;
        SearchBounds {
            runs: self.runs.map_or(usual.runs, NonZeroU64::get),
            more_runs: if self.runs.is_some() { 0 } else { usual.more_runs },
            schedules: self.schedules.unwrap_or(usual.schedules),
            depth: self.depth.unwrap_or(usual.depth),
            most_depth: self.depth.unwrap_or(usual.most_depth),
            size: self.size.map_or(usual.size, NonZeroUsize::get),
            calls: self.calls.unwrap_or(usual.calls),
            steps: self.steps.map_or(usual.steps, NonZeroU64::get),
            memory: self.memory.map_or(usual.memory, NonZeroU64::get),
            time: self.time.map_or(usual.time, NonZeroU64::get),
            workers: self.workers,
            rechecked: usual.rechecked,
        }
    }

    /// Returns the strategy.
    pub fn strategy(&self) -> Strategy {
        match self.strategy.unwrap_or(StrategyChoice::Turns) {
            StrategyChoice::Turns => Strategy::Turns,
            StrategyChoice::Uncovered => Strategy::Uncovered,
            StrategyChoice::Latest => Strategy::Latest,
            StrategyChoice::Breadth => Strategy::Breadth,
            StrategyChoice::Depth => Strategy::Depth,
            StrategyChoice::Generational => Strategy::Generational,
        }
    }

    /// Returns the treatment of results that no solver can see.
    pub fn concretize(&self) -> exec::forward::Concretize {
        match self.concretize {
            Some(Concretization::Unsound) => exec::forward::Concretize::Unsound,
            Some(Concretization::Sound) => exec::forward::Concretize::Sound,
            Some(Concretization::HigherOrder) | None => exec::forward::Concretize::HigherOrder,
        }
    }
}

/// The strategies.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum StrategyChoice {
    /// Uncovered, latest, breadth and depth in turn
    Turns,
    /// Branches that no run has taken come first
    Uncovered,
    /// All branches of the latest run that covered something new
    Latest,
    /// The shallowest branch first
    Breadth,
    /// The deepest branch first
    Depth,
    /// All branches of the run that covered most
    Generational,
}

/// The treatment of results that no solver can see.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Concretization {
    /// They stay the values just observed: other inputs may go elsewhere
    Unsound,
    /// The function's arguments stay as they are once a result is tested
    Sound,
    /// They are symbols with samples, and strategies find the inputs
    HigherOrder,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;
    use crate::options::CommandLine;

    /// Explore's options are open until the configuration was read, so their defaults are texts.
    #[test]
    fn the_help_names_the_defaults() {
        let SearchBounds { runs, depth, size, calls, steps, memory, time, workers: None, .. } = SearchBounds::EXPLORE
        else {
            panic!()
        };
        let command = CommandLine::command();
        let explore = command.find_subcommand("explore").expect("a command");
        let numbers =
            [("runs", runs), ("depth", depth as u64), ("size", size as u64), ("calls", calls as u64), ("steps", steps)];
        for (name, value) in numbers.into_iter().chain([("memory", memory), ("time", time)]) {
            let option = explore.get_arguments().find(|it| it.get_id() == name).expect("an option");
            let help = option.get_help().expect("a text").to_string();
            assert!(help.ends_with(&format!("[default: {value}]")), "--{name}: {help}");
        }
    }
}
