//! The tasks of rebar3 and mix that run hound.

use std::path::PathBuf;

use crate::made::Made;
use crate::support::top;

fn plugin(name: &str) -> PathBuf {
    top().join("plugins").join(name)
}

/// Copies the plugin to where the tool may write.
fn copy(made: &Made, name: &str, to: &str, files: &[&str]) {
    for file in files {
        let text = std::fs::read_to_string(plugin(name).join(file)).expect("a file of the plugin");
        made.write(&format!("{to}/{file}"), &text);
    }
}

#[test]
fn rebar3_runs_hound() {
    let made = Made::new(
        "rebar3_task",
        &[
            (
                "rebar.config",
                "{erl_opts, [debug_info]}.\n{project_plugins, [rebar3_hound]}.\n{profiles, [{small, [{erl_opts, [{d, 'LIMIT', 5}]}]}]}.\n",
            ),
            ("src/lim.app.src", "{application, lim, [{vsn, \"1\"}, {applications, [kernel, stdlib]}]}.\n"),
            (
                "src/lim.erl",
                "-module(lim).\n-export([f/1]).\n-ifndef(LIMIT).\n-define(LIMIT, 8).\n-endif.\n-spec f(0..9) -> ok.\nf(N) when N =/= ?LIMIT -> ok.\n",
            ),
        ],
    );
    let files = ["rebar.config", "src/rebar3_hound.app.src", "src/rebar3_hound.erl", "src/rebar3_hound_prv.erl"];
    copy(&made, "rebar3_hound", "_checkouts/rebar3_hound", &files);
    let ran = made.try_tool("", "rebar3 hound --runs 50 --all lim:f/1");
    assert!(ran.code == 1 && ran.out.contains("lim:f(8)") && ran.out.contains("hound has found bugs"), "{ran:?}");
    let ran = made.try_tool("", "rebar3 as small hound explore lim");
    assert!(ran.code == 1 && ran.out.contains("lim:f(5)"), "{ran:?}");
    let ran = made.try_tool("", "rebar3 hound run lim:f(7)");
    assert!(ran.code == 0 && ran.out.contains("ok\n"), "{ran:?}");
}

/// rebar3 refuses options that a plugin does not name.
#[test]
fn the_plugin_knows_every_option() {
    let text = std::fs::read_to_string(plugin("rebar3_hound").join("src/rebar3_hound_prv.erl")).expect("the plugin");
    let help = crate::support::hound(&["explore", "--help"]).out + &crate::support::hound(&["reach", "--help"]).out;
    let mut seen = 0;
    for line in help.lines().filter(|line| line.starts_with("      --")) {
        let (name, rest) =
            line.trim().trim_start_matches("--").split_once(' ').unwrap_or((line.trim().trim_start_matches("--"), ""));
        let list = if rest.trim_start().starts_with('<') { "-define(VALUED, [" } else { "-define(FLAGS, [" };
        let list =
            text.split_once(list).and_then(|(_, rest)| rest.split_once("])")).map(|(list, _)| list).expect("a list");
        let is_known = list.split(',').any(|known| known.trim().trim_matches('\'') == name);
        assert!(is_known, "the plugin's list has no {name}");
        seen += 1;
    }
    assert!(seen > 40, "{seen}");
}

#[test]
fn mix_runs_hound() {
    let mix = "defmodule Cart.MixProject do\n  use Mix.Project\n  def project, do: [app: :cart, version: \"0.1.0\", deps: [{:mix_hound, path: \"../mix_hound\", runtime: false}]]\nend\n";
    let made = Made::new(
        "mix_task",
        &[
            ("cart/mix.exs", mix),
            (
                "cart/lib/cart.ex",
                "defmodule Cart do\n  @spec f(0..9) :: integer()\n  def f(n), do: div(1, n - 5)\nend\n",
            ),
        ],
    );
    copy(&made, "mix_hound", "mix_hound", &["mix.exs", "lib/mix/tasks/hound.ex"]);
    let ran = made.try_tool("cart", "mix hound --runs 50 Cart.f/1");
    assert!(ran.code == 1 && ran.out.contains("lib/cart.ex:3"), "{ran:?}");
    let ran = made.try_tool("cart", "mix hound explore --runs nothing");
    assert!(ran.code == 2, "{ran:?}");
}
