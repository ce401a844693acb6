//! What the tests share: hosts with a cache of their own, calls and results as text.
#![allow(dead_code, reason = "no test file uses all of it")]

use std::path::PathBuf;

use host::{CallLimits, CallResult, Host, Options};
use term::{Call, Outcome};

/// One cache for all tests, so that the Erlang half is compiled once.
pub fn shared_cache() -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("host-cache")
}

/// A new empty directory.
pub fn empty_directory(name: &str) -> PathBuf {
    let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&directory);
    std::fs::create_dir_all(&directory).expect("the test directory can be made");
    directory
}

pub fn host() -> Host {
    host_with(CallLimits::default())
}

pub fn host_with(limits: CallLimits) -> Host {
    start(Options { cache_dir: Some(shared_cache()), limits, ..Options::default() })
}

pub fn start(options: Options) -> Host {
    Host::start(options).unwrap_or_else(|error| panic!("{error}"))
}

pub fn call(text: &str) -> Call {
    Call::read(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// The result of a call as one line of text.
pub fn run(host: &mut Host, text: &str) -> String {
    show(&host.call(&call(text)))
}

pub fn show(result: &CallResult) -> String {
    match result {
        CallResult::Ended(Outcome::Value(value)) => format!("{value}"),
        CallResult::Ended(Outcome::Raised(raised)) => format!("{}:{}", raised.class.atom(), raised.reason),
        CallResult::TimedOut => "timed out".to_string(),
        CallResult::OutOfReductions(_) => "out of reductions".to_string(),
        CallResult::OutOfMemory => "out of memory".to_string(),
        CallResult::Waited => "waited".to_owned(),
        CallResult::Refused(function) => format!("refused: {function}"),
        CallResult::Killed(reason) => format!("killed: {reason}"),
        CallResult::HostDied(detail) => format!("died: {detail}"),
        CallResult::NotSent(detail) => format!("not sent: {detail}"),
    }
}
