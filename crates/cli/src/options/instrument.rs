//! The options of `hound instrument`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::CodeOptions;

/// Print a program rewritten to emit the events of its run, and the events of a call
///
/// The flat program is printed, then the instrumented one, Core Erlang both; behind each call that was added stands the
/// event that it emits: call, exit, bind, case or exitcase, with the parameters and bound variables of the function.
/// With a call, the instrumented program runs on the Erlang VM and the call's events follow, in order: a value stands in
/// an event where only the run knows it. Then comes the symbolic run that is rebuilt from them: result and parameters as
/// patterns, the clauses selected, and the parameters of runs that select another one. Of a long run the first 20,000 events
/// and the alternatives to its first clauses are printed; result and parameters are those of the whole.
#[derive(Args, Debug)]
#[command(override_usage = "hound instrument [OPTIONS] FILE [FUNCTION | CALL]", after_help = EXAMPLES)]
pub struct InstrumentOptions {
    /// A file (.erl, .beam, .core) or a module's name, then a function (main/1) or a call ('m:main([a])')
    #[arg(value_name = "WORD", required = true, num_args = 1..)]
    pub words: Vec<String>,

    /// After a call, print the test cases that follow from its events: terms at most this deep
    #[arg(long, value_name = "N")]
    pub depth: Option<usize>,

    /// Stop the call and the search for test cases after this many seconds; compiling does not count
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    pub time: u64,

    /// Whose events to print of a call: the two are the same, but where chance decides
    #[arg(long, value_enum, default_value = "vm")]
    pub events: EventsOf,

    /// Write the instrumented module into this folder, with the module that receives its events
    #[arg(short = 'o', long, value_name = "DIR")]
    pub out: Option<PathBuf>,

    #[command(flatten)]
    pub code: CodeOptions,
}

/// The side that makes the call whose events are printed.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum EventsOf {
    /// Those of the instrumented program on the Erlang VM
    Vm,
    /// Those that our machine emits when it runs the program as it is
    Machine,
}

const EXAMPLES: &str = "\
Examples:
  hound instrument shop.erl
  hound instrument shop.erl total/1
  hound instrument shop.erl 'shop:total([{apple, 3, 20}])'
  hound instrument --depth 3 shop.erl 'shop:total([{apple, 3, 20}])'
  hound instrument -o ebin shop.erl";
