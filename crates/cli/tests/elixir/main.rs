//! Modules of Elixir, Gleam and LFE: names, calls, exceptions and causes in their language, at the lines of their sources.

#[path = "../support/mod.rs"]
mod support;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::Command;
use std::sync::OnceLock;

use serde_json::Value;
use support::{Ran, file, folder, hound_anew, succeed, top};

/// The source of the module, and the folder where it is compiled.
fn shop() -> &'static (String, PathBuf) {
    static SHOP: OnceLock<(String, PathBuf)> = OnceLock::new();
    SHOP.get_or_init(|| {
        let folder = folder("elixir_shop");
        let source = std::fs::read_to_string(top().join("crates/cli/tests/elixir/shop.ex")).expect("it is there");
        file(&folder, "shop.ex", &source);
        succeed("elixirc", &["shop.ex"], &folder);
        (source, folder)
    })
}

fn explored(options: &[&str]) -> Ran {
    let folder = shop().1.to_str().expect("UTF-8");
    let ran = hound_anew(&[&["explore", "--runs", "60", folder], options].concat());
    assert_eq!(ran.code, 1, "{}", ran.err);
    ran
}

/// The findings, with the names of their functions.
fn findings() -> Vec<(String, Value)> {
    static EXPLORED: OnceLock<Ran> = OnceLock::new();
    let functions = EXPLORED.get_or_init(|| explored(&["--format", "json"])).functions();
    let of = |line: &Value| line["findings"].as_array().cloned().unwrap_or_default();
    let named =
        |line: Value| of(&line).into_iter().map(move |one| (line["name"].as_str().unwrap_or("").to_owned(), one));
    functions.into_values().flat_map(named).collect()
}

fn text<'a>(value: &'a Value, field: &str) -> &'a str {
    value[field].as_str().unwrap_or_default()
}

/// Calls, read from standard input, are evaluated as a person would paste them; what they raise is printed.
const PASTE: &str = r#"
for call <- IO.stream(:stdio, :line) do
  ended =
    try do
      {value, _} = Code.eval_string(String.trim(call))
      "gives " <> inspect(value)
    catch
      kind, reason -> Exception.format_banner(kind, reason, __STACKTRACE__)
    end
  IO.puts(ended |> inspect(printable_limit: :infinity))
end
"#;

/// A text in which the names of processes are one.
fn without_processes(text: &str) -> String {
    let mut parts = text.split("#PID<");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |out, part| out + "#PID" + part.split_once('>').map_or(part, |(_, rest)| rest))
}

#[test]
fn pasted_calls_raise_what_was_printed() {
    let findings = findings();
    let crashes: Vec<&Value> = findings.iter().map(|(_, one)| one).filter(|one| one["kind"] == "crash").collect();
    assert!(crashes.len() >= 14, "{} crashes", crashes.len());
    let calls: Vec<String> = crashes.iter().map(|one| text(&one["elixir"], "call").replace('\n', " ") + "\n").collect();
    let folder = &shop().1;
    let (script, input) = (file(folder, "paste.exs", PASTE), file(folder, "calls", &calls.concat()));
    let mut elixir = Command::new("elixir");
    let output =
        elixir.args(["-pa", ".", &script]).current_dir(folder).stdin(std::fs::File::open(input).expect("calls"));
    let output = output.output().expect("elixir runs");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    let raised = String::from_utf8(output.stdout).expect("UTF-8");
    let printed = crashes.iter().map(|one| without_processes(text(&one["elixir"], "message")));
    let raised: Vec<String> = raised.lines().map(without_processes).collect();
    assert_eq!(raised.len(), crashes.len());
    for ((printed, raised), call) in printed.zip(raised).zip(calls) {
        // Elixir's text as a string of Elixir.
        let raised: String = serde_json::from_str(&raised.replace("\\#", "#")).expect("a string");
        assert_eq!(printed, raised, "{call}");
    }
}

#[test]
fn findings_stand_at_the_lines_of_the_source() {
    let marked: BTreeSet<(u64, String)> = (1..)
        .zip(shop().0.lines())
        .filter_map(|(number, line)| Some((number, line.split_once("#! ")?.1.to_owned())))
        .collect();
    let kind = |finding: &Value| match (text(finding, "kind"), text(finding, "class")) {
        ("crash", "error") => {
            let message = text(&finding["elixir"], "message");
            message.trim_start_matches("** (").split_once(')').map_or("", |(name, _)| name).to_owned()
        }
        ("crash", class) => class.to_owned(),
        (kind, _) => kind.to_owned(),
    };
    // What a protocol does with other values, what a state that no server has, and what a library's own code raises.
    let is_own = |(_, finding): &&(String, Value)| {
        text(finding, "file").ends_with("shop.ex") && kind(finding) != "Protocol.UndefinedError"
    };
    let found = findings();
    let found: BTreeSet<(u64, String)> =
        found.iter().filter(is_own).map(|(_, one)| (one["line"].as_u64().unwrap_or(0), kind(one))).collect();
    assert_eq!(found, marked);
}

#[test]
fn reports_are_elixir_and_json_has_both() {
    let found = findings();
    let one = |name: &str| &found.iter().find(|(function, _)| function == name).unwrap_or_else(|| panic!("{name}")).1;
    let total = one("Shop.total/1");
    assert_eq!(
        text(total, "call"),
        "'Elixir.Shop':total([#{'__struct__' => 'Elixir.Shop.Item',name => <<>>,price => 7}])"
    );
    assert_eq!(text(&total["elixir"], "call"), "Shop.total([%Shop.Item{name: \"\", price: 7}])");
    assert_eq!(text(&total["elixir"], "cause"), "total([x | _]) for x.price === 7");
    assert_eq!(text(&one("Shop.pick/1")["elixir"], "cause"), "pick([{_, n} | _]) for n < 0");
    assert_eq!(text(&one("Shop.kind/1")["elixir"], "message"), "** (throw) {:none, 'text', nil}");
    let report = explored(&["--all"]).out;
    let table = report.find("function  ").expect("a table");
    // Times differ.
    let table = report[table..].lines().map(|line| line.rsplit_once(' ').map_or(line, |(line, _)| line.trim_end()));
    let (findings, table) =
        (&report[..report.find("function  ").expect("a table")], table.collect::<Vec<_>>().join("\n"));
    // Commands take Erlang.
    let is_erlang = |line: &&str| line.contains("'Elixir") && !line.contains("= replay: ");
    let erlang: Vec<&str> = report.lines().filter(is_erlang).collect();
    assert!(erlang.is_empty() && !table.contains("'Elixir"), "{erlang:?}");
    insta::assert_snapshot!("shop", findings.replace(shop().1.to_str().expect("UTF-8"), "."));
}

/// A module as another language's compiler writes it: Erlang, with the places of its own source.
fn compiled(module: &str, source: &str, name: &str) -> String {
    let folder = folder(&format!("elixir_{name}"));
    let text = format!(
        "-module('{module}').\n-export(['parse-all'/1]).\n-file(\"{source}\", 3).\n\
         -spec 'parse-all'(0 | 1) -> integer().\n'parse-all'(X) ->\n    div_by(X).\n-file(\"{source}\", 9).\n\
         div_by(X) ->\n    1 div X.\n"
    );
    file(&folder, &format!("{module}.erl"), &text);
    succeed("erlc", &["+debug_info", &format!("{module}.erl")], &folder);
    folder.join(format!("{module}.beam")).display().to_string()
}

#[test]
fn names_of_gleam_and_lfe_are_theirs_and_calls_are_for_their_shells() {
    for (module, source, name, call) in [
        ("shop@item", "src/shop/item.gleam", "shop/item.parse-all/1", "shop@item:'parse-all'(0)"),
        ("my-shop", "src/my-shop.lfe", "my-shop:parse-all/1", "'my-shop':'parse-all'(0)"),
    ] {
        let ran = hound_anew(&["explore", &compiled(module, source, module)]);
        let out = &ran.out;
        assert!(out.contains(&format!("--> {source}:11")) && out.contains(&format!(" in {name}\n")), "{out}");
        assert!(out.contains(&format!("= call: {call}\n")), "{out}");
        assert!(ran.out.contains(&format!("\n{name} ")), "{}", ran.out);
    }
}
