//! Defects that a line of the configuration or an attribute of the source silences.

mod support;

use serde_json::Value;
use support::{Ran, file, folder, hound, succeed};

/// Lines 5, 6 and 11 raise.
const PROGRAM: &str = "-module(raising).\n-export([f/1, g/1]).\nATTRIBUTES\
    -spec f(0..9) -> integer().\nf(1) -> throw(one);\nf(2) -> error(two);\nf(X) -> half(X).\n\
    -spec g(0..9) -> integer().\ng(1) -> throw(one);\ng(X) -> half(X).\n\
    half(4) -> (fun(X) -> X div 0 end)(4);\nhalf(X) -> X div 2.\n";

fn explored(name: &str, attributes: &str, config: &str) -> Ran {
    let folder = folder(&format!("silence_{name}"));
    let source = file(&folder, "raising.erl", &PROGRAM.replace("ATTRIBUTES", &format!("{attributes}\n")));
    let config = file(&folder, "other.toml", config);
    hound(&["explore", "--format", "json", "--no-store", "--config", &config, &source])
}

/// A rule, whose files are named without their folder.
fn in_folder(rule: &Value) -> String {
    let rule = rule.as_str().unwrap_or("?");
    let words = rule.split(' ').map(|word| word.rsplit('/').next().filter(|_| word.contains(".erl:")).unwrap_or(word));
    words.collect::<Vec<_>>().join(" ")
}

/// The reasons of findings, and those that a rule covers with the rule, of each function.
fn standing(ran: &Ran) -> Vec<String> {
    let functions = ran.functions();
    let standing = functions.iter().map(|(name, line)| {
        let reasons: Vec<&str> =
            line["findings"].as_array().into_iter().flatten().filter_map(|it| it["reason"].as_str()).collect();
        let ignored = line["ignored"].as_array().into_iter().flatten();
        let rules: Vec<String> = ignored.map(|it| format!("{} {}", in_folder(&it["rule"]), it["crashes"])).collect();
        format!("{name} {}|{}", reasons.join(","), rules.join(","))
    });
    let standing: Vec<String> = standing.collect();
    assert!(!standing.is_empty(), "{}{}", ran.out, ran.err);
    standing
}

#[test]
fn a_line_is_silenced_for_every_function_that_comes_there() {
    assert_eq!(standing(&explored("none", "", "")), ["raising:f/1 one,two,badarith|", "raising:g/1 one,badarith|"]);
    let line =
        "[line.\"raising.erl:11\"]\nignore = [\"error:badarith\"]\n[line.\"raising.erl:5\"]\nignore = [\"any\"]\n";
    assert_eq!(
        standing(&explored("line", "", line)),
        [
            "raising:f/1 two|any at raising.erl:5 1,error:badarith at raising.erl:11 1",
            "raising:g/1 one|error:badarith at raising.erl:11 1"
        ]
    );
    let other = "[line.\"raising.erl:11\"]\nignore = [\"throw\"]\n[line.\"elsewhere.erl:1\"]\nignore = [\"any\"]\n";
    assert_eq!(standing(&explored("other", "", other)), ["raising:f/1 one,two,badarith|", "raising:g/1 one,badarith|"]);
}

#[test]
fn attributes_are_for_the_module_or_a_function_with_all_that_crashes_in_it() {
    let module = "-hound([{ignore, [\"throw\", <<\"error:two\">>]}]).";
    assert_eq!(
        standing(&explored("module", module, "")),
        ["raising:f/1 badarith|throw 1,error:two 1", "raising:g/1 badarith|throw 1"]
    );
    let function = "-hound({f/1, [{ignore, throw}]}). -hound({half/1, [{ignore, \"error:badarith\"}]}).";
    assert_eq!(
        standing(&explored("function", function, "")),
        [
            "raising:f/1 two|throw in raising:f/1 1,error:badarith in raising:half/1 1",
            "raising:g/1 one|error:badarith in raising:half/1 1"
        ]
    );
}

#[test]
fn what_silences_nothing_is_a_mistake() {
    for (name, attributes, config, message) in [
        ("line", "", "\n[line.\"raising.erl:3\"]\nignore = [\"any\"]\n", "other.toml:2:7: there is no code at "),
        ("far", "", "[line.\"raising.erl:99\"]\nignore = [\"any\"]\n", "other.toml:1:7: there is no code at "),
        ("key", "-hound([{ignored, [\"throw\"]}]).", "", "unknown key ignored"),
        ("rule", "-hound([{ignore, [\"panic\"]}]).", "", "`panic` is no class of exception"),
        ("function", "-hound({hlaf/1, [{ignore, throw}]}).", "", "raising has no hlaf; did you mean half/1?"),
        ("empty", "-hound({half/1, [{ignore, []}]}).", "", "there is nothing to ignore"),
        ("form", "-hound(quiet).", "", "quiet is neither {ignore, Rules} nor"),
    ] {
        let ran = explored(&format!("mistake_{name}"), attributes, config);
        assert_eq!(ran.code, 2, "{name}: {}", ran.out);
        assert!(ran.out.contains("\"code\":\"bad_config\"") && ran.out.contains(message), "{name}: {}", ran.out);
        assert!(ran.out.contains("raising.erl: -hound(") || ran.out.contains("other.toml:"), "{}", ran.out);
    }
}

/// An attribute of Elixir that is kept, and exceptions by their module.
#[test]
fn elixir_says_it_with_an_attribute_and_names_exceptions_by_module() {
    let folder = folder("silence_elixir");
    let text = "defmodule Quiet.Error do\n  defexception message: \"no\"\nend\n\n\
        defmodule Quiet do\n  Module.register_attribute(__MODULE__, :hound, persist: true, accumulate: true)\n\
        \x20 @hound {{:f, 1}, ignore: [\"error:Quiet.Error\"]}\n\n\
        \x20 @spec f(0..9) :: :ok\n  def f(1), do: raise(Quiet.Error)\n  def f(2), do: raise(ArgumentError, \"two\")\n\
        \x20 def f(_), do: :ok\n\n\
        \x20 @spec g(0..9) :: :ok\n  def g(1), do: raise(Quiet.Error)\n  def g(2), do: raise(ArgumentError, \"two\")\n\
        \x20 def g(_), do: :ok\nend\n";
    file(&folder, "quiet.ex", text);
    succeed("elixirc", &["quiet.ex"], &folder);
    let config = file(&folder, "h.toml", "[function.\"Elixir.Quiet:g/1\"]\nignore = [\"error:%ArgumentError{}\"]\n");
    let folder = folder.display().to_string();
    let ran = hound(&[
        "explore",
        "--format",
        "json",
        "--no-store",
        "--config",
        &config,
        &folder,
        "Elixir.Quiet:f/1",
        "Elixir.Quiet:g/1",
    ]);
    let functions = ran.functions();
    for (name, left, rule) in [
        ("f/1", "ArgumentError", "error:Quiet.Error in 'Elixir.Quiet':f/1"),
        ("g/1", "Quiet.Error", "error:%ArgumentError{}"),
    ] {
        let line = &functions[&format!("'Elixir.Quiet':{name}")];
        let findings = line["findings"].as_array().expect("findings");
        assert_eq!(findings.len(), 1, "{line}");
        assert!(
            findings[0]["reason"].as_str().is_some_and(|reason| reason.contains(&format!("'Elixir.{left}'"))),
            "{line}"
        );
        assert_eq!(line["ignored"][0]["rule"], rule, "{line}");
    }
}
