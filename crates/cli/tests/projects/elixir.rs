//! Projects of mix: one application with Erlang sources and a path dependency, an umbrella, sources without a project.

use crate::made::Made;

const CART: &str = "defmodule Cart do\n  @spec total([integer()]) :: integer()\n\
                    \x20 def total(list), do: 10 |> div(CartDep.half(length(list)) - 1)\n\
                    \x20 @spec code(integer()) :: integer()\n  def code(n), do: :cart_codes.code(n)\nend\n";

const CODES: &str =
    "-module(cart_codes).\n-export([code/1]).\n-spec code(integer()) -> integer().\ncode(N) -> 3 div (N - 77).\n";

fn project(name: &str, rest: &str) -> String {
    let module = name.split('_').map(|part| part[..1].to_uppercase() + &part[1..]).collect::<String>();
    format!(
        "defmodule {module}.MixProject do\n  use Mix.Project\n  def project, do: [app: :{name}, version: \"0.1.0\"{rest}]\nend\n"
    )
}

fn cart(name: &str) -> Made {
    let top = project("cart", ", deps: [{:cart_dep, path: \"../cart_dep\"}]");
    Made::new(
        name,
        &[
            ("cart/mix.exs", &top),
            ("cart/lib/cart.ex", CART),
            ("cart/src/cart_codes.erl", CODES),
            ("cart_dep/mix.exs", &project("cart_dep", "")),
            (
                "cart_dep/lib/cart_dep.ex",
                "defmodule CartDep do\n  @spec half(integer()) :: integer()\n  def half(n), do: div(n, 2)\nend\n",
            ),
        ],
    )
}

const FUNCTIONS: [&str; 3] = ["'Elixir.Cart':code/1", "'Elixir.Cart':total/1", "cart_codes:code/1"];

/// The places, from a folder that is so far down.
fn places(up: &str) -> Vec<(&'static str, String)> {
    let of = [
        ("'Elixir.Cart':code/1", "src/cart_codes.erl:4"),
        ("'Elixir.Cart':total/1", "lib/cart.ex:3"),
        ("cart_codes:code/1", "src/cart_codes.erl:4"),
    ];
    of.map(|(name, place)| (name, format!("{up}{place}"))).to_vec()
}

#[track_caller]
fn holds(explored: &crate::made::Explored, wanted: &[(&'static str, String)]) {
    let places: Vec<(&str, &str)> = wanted.iter().map(|(name, place)| (*name, place.as_str())).collect();
    let mut names: Vec<&str> = places.iter().map(|(name, _)| *name).collect();
    names.dedup();
    explored.holds(&names, &places);
}

#[test]
fn a_mix_project_is_explored_as_it_is() {
    let made = cart("mix_app");
    let before = made.files();
    let explored = made.explored("cart", &[]);
    holds(&explored, &places(""));
    assert_eq!(explored.functions.len(), FUNCTIONS.len());
    assert_eq!(made.files(), before, "the project is as it was");
    made.tool("cart", "mix compile");
    holds(&made.explored("cart", &[]), &places(""));
    holds(
        &made.explored("cart/lib", &["."]),
        &[(FUNCTIONS[0], "../src/cart_codes.erl:4".to_owned()), (FUNCTIONS[1], "cart.ex:3".to_owned())],
    );
    for word in ["Cart", "lib/cart.ex", "'Elixir.Cart'", "lib"] {
        holds(&made.explored("cart", &[word]), &places("")[..2]);
    }
    for word in ["Cart.total/1", "total/1", "Elixir.Cart:total/1", "Cart:total/1"] {
        holds(&made.explored("cart", &[word]), &places("")[1..2]);
    }
    holds(&made.explored("cart", &[":cart_codes.code/1"]), &places("")[2..]);
    made.edit("cart/lib/cart.ex", &CART.replace("defmodule Cart do\n", "defmodule Cart do\n  @moduledoc false\n"));
    holds(&made.explored("cart", &["Cart.total/1"]), &[(FUNCTIONS[1], "lib/cart.ex:4".to_owned())]);
    let reached = made.hound("cart", &["reach", "--time", "20", "lib/cart.ex:4"]);
    assert!(reached.code == 1 && reached.out.contains("lib/cart.ex:4"), "{reached:?}");
    made.edit("cart/lib/cart.ex", "defmodule Cart do\n  def total(list), do\nend\n");
    let ran = made.hound("cart", &["explore"]);
    assert!(ran.code == 2 && ran.err.contains("lib/cart.ex:2") && !ran.err.contains("tree/"), "{ran:?}");
}

#[test]
fn an_umbrella_is_explored_whole_or_by_application() {
    let made = Made::new(
        "mix_umbrella",
        &[
            (
                "mix.exs",
                "defmodule Top.MixProject do\n  use Mix.Project\n  def project, do: [apps_path: \"apps\", version: \"0.1.0\"]\nend\n",
            ),
            ("apps/core/mix.exs", &part("core", "[]")),
            (
                "apps/core/lib/core.ex",
                "defmodule Core do\n  defstruct n: 0\n  @type t :: %__MODULE__{n: integer()}\n  @spec pick(t()) :: integer()\n  def pick(%Core{n: n}), do: n\nend\n",
            ),
            ("apps/web/mix.exs", &part("web", "[{:core, in_umbrella: true}]")),
            (
                "apps/web/lib/web.ex",
                "defmodule Web do\n  @spec show(integer()) :: integer()\n  def show(n), do: div(9, Core.pick(%Core{n: n}) - 4)\nend\n",
            ),
        ],
    );
    let functions = ["'Elixir.Core':pick/1", "'Elixir.Web':show/1"];
    made.explored("", &[]).holds(&functions, &[(functions[1], "apps/web/lib/web.ex:3")]);
    made.explored("apps/web", &[]).holds(&functions[1..], &[(functions[1], "lib/web.ex:3")]);
    made.explored("apps", &["Web"]).holds(&functions[1..], &[(functions[1], "web/lib/web.ex:3")]);
    made.tool("", "mix compile");
    made.explored("", &["apps/web"]).holds(&functions[1..], &[(functions[1], "apps/web/lib/web.ex:3")]);
}

fn part(name: &str, dependencies: &str) -> String {
    project(
        name,
        &format!(
            ", build_path: \"../../_build\", deps_path: \"../../deps\", lockfile: \"../../mix.lock\", deps: {dependencies}"
        ),
    )
}

/// A source alone, and one that needs the module beside it.
#[test]
fn sources_without_a_project_are_compiled_with_those_beside_them() {
    let made = Made::new(
        "elixir_scripts",
        &[
            (
                "one.ex",
                "defmodule One do\n  @spec f(Two.t()) :: integer()\n  def f(%Two{n: n}), do: div(1, n - 5)\nend\n",
            ),
            ("two.ex", "defmodule Two do\n  defstruct n: 0\n  @type t :: %__MODULE__{n: integer()}\nend\n"),
        ],
    );
    for word in ["one.ex", "."] {
        made.explored("", &[word]).holds(&["'Elixir.One':f/1"], &[("'Elixir.One':f/1", "one.ex:3")]);
    }
    made.write("three.ex", "defmodule Three do\n  def f(\nend\n");
    let ran = made.hound("", &["explore", "three.ex"]);
    assert!(ran.code == 2 && ran.err.contains("three.ex:3"), "{ran:?}");
}

/// A dependency that is not fetched is named, from Hex or from elsewhere.
#[test]
fn a_missing_dependency_is_named() {
    for (name, source) in [("hex", "\"~> 1.4\""), ("git", "git: \"https://example.invalid/jason.git\"")] {
        let top = project("shop", &format!(", deps: [{{:jason, {source}}}]"));
        let made = Made::new(
            &format!("mix_missing_{name}"),
            &[("mix.exs", &top), ("lib/shop.ex", "defmodule Shop do\n  def f(n), do: Jason.encode!(n)\nend\n")],
        );
        let ran = made.hound("", &["explore"]);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""));
        assert_eq!(ran.err, "hound: a dependency that mix.exs names is not there: jason; type `mix deps.get`\n");
    }
}
