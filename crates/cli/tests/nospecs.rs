//! Functions without specs: what their code asks for is tried first, specs of comments and of full functions count, and
//! proofs are about all inputs.

mod support;

use std::collections::BTreeMap;
use std::sync::OnceLock;

use serde_json::Value;
use support::{file, folder, hound, succeed, top};

fn explored(name: &str) -> BTreeMap<String, Value> {
    let path = top().join("crates/cli/tests/nospecs").join(name).display().to_string();
    hound(&["explore", "--format", "json", "--runs", "200", &path]).functions()
}

/// The functions of a module that several tests look at.
fn plain() -> &'static BTreeMap<String, Value> {
    static EXPLORED: OnceLock<BTreeMap<String, Value>> = OnceLock::new();
    EXPLORED.get_or_init(|| explored("plain.erl"))
}

/// Each finding as its class and reason, its rank and the reason for that.
fn ranks(line: &Value) -> Vec<(String, String, String)> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let findings = line["findings"].as_array().expect("findings");
    findings.iter().map(|it| (text(&it["reason"]), text(&it["rank"]), text(&it["rank_reason"]))).collect()
}

#[test]
fn what_a_callees_spec_excludes_is_doubtful_and_named() {
    let functions = plain();
    for (name, words) in [
        ("total/1", "lists:sum/1's spec wants [integer() | float()] for argument 1"),
        ("nth/2", "lists:nth/2's spec wants pos_integer() for argument 1"),
        ("rows/1", "lists:sum/1's spec wants [integer() | float()] for a part of argument 1"),
        ("deep/1", "erlang:length/1's spec wants [term()] for argument 1"),
        ("twice/1", "plain:doubled/1's spec wants integer() for argument 1"),
        ("keyed/1", "erlang:atom_to_list/1's spec wants atom() for a part of argument 1"),
        ("paired/1", "lists:append/2's spec wants [term()] for a part of argument 1"),
    ] {
        let found = ranks(&functions[&format!("plain:{name}")]);
        let is_it = |(_, rank, reason): &(String, String, String)| rank == "doubtful" && reason == words;
        assert!(found.iter().any(is_it), "{name}: {found:?}");
    }
}

#[test]
fn what_it_allows_is_a_bug() {
    let functions = plain();
    for (name, call) in [
        ("rows/1", "plain:rows([[7]])"),
        ("nth/2", "plain:nth(0, [0])"),
        ("shape/1", "plain:shape({circle,7})"),
        ("stepped/1", "plain:stepped([0])"),
        ("keyed/1", "plain:keyed(#{name => a,size => 0})"),
    ] {
        let findings = functions[&format!("plain:{name}")]["findings"].as_array().expect("findings");
        let found = findings.iter().find(|it| it["call"] == call);
        assert!(found.is_some_and(|it| it["rank"] == "bug"), "{name}: {findings:?}");
    }
    // A function that only junk breaks has no bug.
    for name in ["total/1", "tagged/1", "deep/1", "twice/1", "half/1", "mapped/1", "paired/1", "apply_it/2"] {
        let found = ranks(&functions[&format!("plain:{name}")]);
        assert!(!found.is_empty() && found.iter().all(|(_, rank, _)| rank != "bug"), "{name}: {found:?}");
    }
}

/// True if a function of [`FIRST`] has a bug with this reason after so many runs.
fn has_bug(name: &str, runs: &str, reason: &str) -> bool {
    let path = file(&folder(&format!("nospecs_first_{name}_{runs}")), "first.erl", FIRST);
    let functions = hound(&["explore", "--format", "json", "--runs", runs, &path, &format!("{name}/1")]).functions();
    ranks(&functions[&format!("first:{name}/1")]).iter().any(|(it, rank, _)| it == reason && rank == "bug")
}

#[test]
fn inputs_that_the_code_asks_for_come_first() {
    assert!(has_bug("bill", "20", "badarith"));
}

/// Long inputs, too, are of the kinds that the code asks for: a text with four parts. They begin with the seventeenth round.
#[test]
fn long_inputs_are_what_the_code_asks_for() {
    assert!(has_bug("route", "300", "{case_clause,4}"));
}

const FIRST: &str = "
-module(first).
-export([bill/1, route/1]).

bill(Items) -> 1000 div (lists:sum([price(Item) || Item <- Items]) - 30).

price({book, Price, Count}) when is_integer(Price), is_integer(Count) -> Price * Count;
price({fee, Price}) -> trunc(Price).

route(Path) ->
    case length(string:tokens(Path, \"/\")) of
        N when N < 4 -> ok;
        5 -> ok
    end.
";

/// What the code seems to ask for orders the search; a proof is about all inputs.
#[test]
fn proofs_are_about_all_inputs() {
    let functions = plain();
    assert_eq!(functions["plain:proved/1"]["verdict"], "safe");
    assert_eq!(functions["plain:open/1"]["verdict"], "safe");
    let path = file(&folder("nospecs_all"), "odd.erl", ODD);
    let functions = hound(&["explore", "--format", "json", &path]).functions();
    for (name, line) in &functions {
        assert_eq!(line["verdict"], "crash", "{name}");
        assert_eq!(line["complete"], true, "{name}");
    }
}

/// The clause that raises is for values that the others do not ask for.
const ODD: &str = "
-module(odd).
-export([by_clause/1, by_guard/1, by_case/1, by_callee/1]).

by_clause(X) when is_integer(X) -> ok;
by_clause({odd, Y}) -> Y + ok;
by_clause(_) -> other.

by_guard(X) when is_list(X); is_map(X) -> ok;
by_guard(X) -> case X of <<7, _/binary>> -> error(seven); _ -> ok end.

by_case(X) -> case X of a -> 1; b -> 2; c -> error(c); _ -> 3 end.

by_callee(X) ->
    case is_tuple(X) of
        true -> tuple_size(X) div (tuple_size(X) - 2);
        false -> ok
    end.
";

#[test]
fn specs_of_comments_count_where_there_is_no_other() {
    let functions = explored("commented.erl");
    let line = |name: &str| &functions[&format!("commented:{name}")];
    for name in ["half/1", "named/1", "several/2"] {
        assert_eq!(line(name)["verdict"], "safe", "{name}");
        assert_eq!(line(name)["spec_origin"], "its inputs are those of the @spec in a comment", "{name}");
    }
    assert_eq!((&line("both/1")["verdict"], &line("both/1")["spec_origin"]), (&Value::from("safe"), &Value::Null));
    // Atoms in the list, and a value that the comment does not have.
    let [(reason, rank, _)] = &ranks(line("pick/2"))[..] else { panic!("{}", line("pick/2")) };
    assert_eq!((reason.as_str(), rank.as_str()), ("{a}", "bug"));
    for name in ["unreadable/1", "older/1"] {
        assert_eq!(
            (&line(name)["verdict"], &line(name)["spec_origin"]),
            (&Value::from("crash"), &Value::Null),
            "{name}"
        );
    }
}

const ELIXIR: &str = r#"
defmodule Heads do
  defstruct [:name, size: 0]

  @spec scale(integer(), integer(), 1..9) :: integer()
  def scale(value, by \\ 2, step \\ 3), do: div(value * by, step)

  def plain(value, by \\ 2), do: value * by

  @spec other(atom(), atom()) :: atom()
  def other(a, _b), do: a
  def other(a), do: other(a * 2, a)

  defmacro twice(x), do: quote(do: unquote(x) * 2)
  defp hidden(x) when is_integer(x), do: 10 - x
  def shown(x), do: hidden(x)
end

defprotocol Sized do
  def size(value)
end
"#;

#[test]
fn heads_with_defaults_have_the_spec_of_the_full_function() {
    let folder = folder("nospecs_elixir");
    file(&folder, "heads.ex", ELIXIR);
    succeed("elixirc", &["heads.ex"], &folder);
    let path = folder.display().to_string();
    let functions = hound(&["explore", "--format", "json", "--private", "--runs", "100", &path]).functions();
    let names: Vec<&str> = functions.keys().map(String::as_str).collect();
    let heads = ["hidden/1", "other/1", "other/2", "plain/1", "plain/2", "scale/1", "scale/2", "scale/3", "shown/1"];
    let expected: Vec<String> = heads.iter().map(|name| format!("'Elixir.Heads':{name}")).collect();
    let of_heads: Vec<&str> = names.iter().copied().filter(|name| name.contains("Heads")).collect();
    assert_eq!(of_heads, expected, "compilers' functions are left out");
    assert_eq!(
        names.iter().filter(|name| name.contains("Sized")).copied().collect::<Vec<_>>(),
        ["'Elixir.Sized':size/1"]
    );
    for name in ["scale/1", "scale/2"] {
        let line = &functions[&format!("'Elixir.Heads':{name}")];
        assert_eq!(line["verdict"], "safe", "{line}");
        let origin = line["spec_origin"].as_str().unwrap_or_default();
        assert!(origin.ends_with("its inputs are those of the spec of 'Elixir.Heads':scale/3"), "{origin}");
    }
    for name in ["plain/1", "other/1"] {
        assert_eq!(functions[&format!("'Elixir.Heads':{name}")]["spec_origin"], Value::Null, "{name}");
    }
    let named = hound(&["explore", "--format", "json", &path, "'Elixir.Heads':'__struct__'/0"]).functions();
    assert_eq!(named.len(), 1, "what is named is explored: {named:?}");
}

#[test]
fn private_functions_are_explored_and_confirmed() {
    let path = top().join("crates/cli/tests/nospecs/secret.erl").display().to_string();
    let without = hound(&["explore", "--format", "json", &path]).functions();
    assert_eq!(without.keys().collect::<Vec<_>>(), ["secret:open/1"]);
    let refused = hound(&["explore", &path, "ratio/2"]);
    assert!(refused.code == 2 && refused.err.contains("does not export it"), "{}", refused.err);
    let ran = hound(&["explore", "--format", "json", "--private", &path]);
    let functions = ran.functions();
    let names: Vec<&String> = functions.keys().collect();
    assert_eq!(names, ["secret:narrowed/1", "secret:open/1", "secret:ratio/2", "secret:unused/1", "secret:waits/1"]);
    for (name, reason) in [("ratio/2", "badarith"), ("narrowed/1", "{case_clause,other}"), ("unused/1", "{badmatch,1}")]
    {
        let line = &functions[&format!("secret:{name}")];
        assert_eq!((&line["private"], &line["unconfirmed"]), (&Value::Bool(true), &Value::Array(Vec::new())), "{line}");
        assert!(ranks(line).iter().any(|(it, rank, _)| it == reason && rank == "bug"), "{name}: {line}");
    }
    assert_eq!(functions["secret:waits/1"]["findings"][0]["class"], "deadlock", "{}", functions["secret:waits/1"]);
    assert_eq!(
        (&functions["secret:open/1"]["private"], &functions["secret:open/1"]["verdict"]),
        (&Value::Null, &Value::from("safe"))
    );
    let out = hound(&["explore", "--private", &path, "ratio/2"]).out;
    assert!(out.contains("error: badarith in secret:ratio/2, which is private"), "{out}");
}

#[test]
fn one_and_many_workers_find_the_same() {
    let text = |workers: &str| {
        let path = top().join("crates/cli/tests/nospecs/plain.erl").display().to_string();
        let words =
            ["explore", "--format", "json", "--runs", "150", "--workers", workers, path.as_str(), "rows/1", "shape/1"];
        let functions = hound(&words).functions();
        functions.values().map(|line| line["findings"].to_string()).collect::<Vec<_>>()
    };
    assert_eq!(text("1"), text("3"));
}
