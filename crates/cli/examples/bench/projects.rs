//! From `hound explore` in a project to the first finding on the screen: its output present, old, and kept from a build before.

use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant, SystemTime};

use crate::median;

/// Times that each is measured.
const ROUNDS: usize = 5;

/// A project: its tool, its sources.
struct Kind {
    name: &'static str,
    build: [&'static str; 2],
    source: &'static str,
    files: &'static [(&'static str, &'static str)],
}

const KINDS: [Kind; 2] = [
    Kind {
        name: "rebar3",
        build: ["rebar3", "compile"],
        source: "src/shop.erl",
        files: &[
            ("rebar.config", "{erl_opts, [debug_info]}.\n"),
            ("src/shop.app.src", "{application, shop, [{description, \"a shop\"}, {vsn, \"1\"}]}.\n"),
            (
                "src/shop.erl",
                "-module(shop).\n-export([total/1]).\n-spec total([integer()]) -> integer().\n\
                 total(L) -> 100 div (prices:sum(L) - 7).\n",
            ),
            (
                "src/prices.erl",
                "-module(prices).\n-export([sum/1]).\n-spec sum([integer()]) -> integer().\nsum(L) -> lists:sum(L).\n",
            ),
        ],
    },
    Kind {
        name: "mix",
        build: ["mix", "compile"],
        source: "lib/shop.ex",
        files: &[
            (
                "mix.exs",
                "defmodule Shop.MixProject do\n  use Mix.Project\n  def project, do: [app: :shop, version: \"0.1.0\"]\nend\n",
            ),
            (
                "lib/shop.ex",
                "defmodule Shop do\n  @spec total([integer()]) :: integer()\n\
                 \x20 def total(list), do: div(100, Prices.sum(list) - 7)\nend\n",
            ),
            (
                "lib/prices.ex",
                "defmodule Prices do\n  @spec sum([integer()]) :: integer()\n  def sum(list), do: Enum.sum(list)\nend\n",
            ),
        ],
    },
];

/// Prints the table.
pub fn print() -> Result<(), String> {
    println!("first finding on the screen, from the start of `hound explore` in a small project");
    println!("{:<8} {:>14} {:>18} {:>18}", "tool", "output there", "built in a copy", "copy built before");
    for kind in &KINDS {
        let top = std::env::temp_dir().join(format!("hound-bench-{}-{}", kind.name, std::process::id()));
        let measured = measured(kind, &top);
        let _ = fs::remove_dir_all(&top);
        let [there, built, kept] = measured?.map(|time| format!("{:.2} s", time.as_secs_f64()));
        println!("{:<8} {there:>14} {built:>18} {kept:>18}", kind.name);
    }
    Ok(())
}

fn measured(kind: &Kind, top: &Path) -> Result<[Duration; 3], String> {
    for (path, text) in kind.files {
        let path = top.join(path);
        fs::create_dir_all(path.parent().unwrap_or(top)).map_err(|error| error.to_string())?;
        fs::write(path, text).map_err(|error| error.to_string())?;
    }
    let [program, word] = kind.build;
    let built = Command::new(program).arg(word).current_dir(top).output();
    let built = built.map_err(|error| format!("{program}: {error}"))?;
    if !built.status.success() {
        return Err(format!("{program} {word}: {}", String::from_utf8_lossy(&built.stdout)));
    }
    let there: Vec<Duration> = (0..ROUNDS).map(|_| first(top)).collect::<Result<_, _>>()?;
    let later = SystemTime::now() + Duration::from_secs(2);
    let source = File::options().write(true).open(top.join(kind.source)).map_err(|error| error.to_string())?;
    source.set_modified(later).map_err(|error| error.to_string())?;
    let built = first(top)?;
    let kept: Vec<Duration> = (0..ROUNDS).map(|_| first(top)).collect::<Result<_, _>>()?;
    Ok([median(&there), built, median(&kept)])
}

/// The time until a line of a finding is printed.
fn first(top: &Path) -> Result<Duration, String> {
    let began = Instant::now();
    // What is found in a search that goes on is shown on standard error.
    let mut command = Command::new("sh");
    command.args(["-c", "exec \"$0\" explore --runs 200 2>&1"]).arg(program()?);
    command.current_dir(top).env("HOUND_NO_STORE", "1").stdout(Stdio::piped());
    let mut child = command.spawn().map_err(|error| error.to_string())?;
    let lines = BufReader::new(child.stdout.take().ok_or("no output")?).lines().map_while(Result::ok);
    let found = lines.into_iter().find(|line| line.contains(": error: ")).map(|_| began.elapsed());
    let _ = child.kill();
    child.wait().map_err(|error| error.to_string())?;
    found.ok_or_else(|| "there is no finding".to_owned())
}

/// The command beside the examples of the same build.
fn program() -> Result<PathBuf, String> {
    let own = std::env::current_exe().map_err(|error| error.to_string())?;
    let program = own.ancestors().nth(2).map(|folder| folder.join("hound")).filter(|path| path.is_file());
    program.ok_or_else(|| "build hound first: cargo build --release -p cli".to_owned())
}
