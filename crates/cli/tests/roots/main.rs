//! Bugs that share a root are shown as one, with the places of all; nothing is lost, and different defects stay apart.

#[path = "../support/mod.rs"]
mod support;

use std::collections::BTreeSet;

use serde_json::Value;
use support::{Ran, file, folder, hound};

const PAIRS: &str = "crates/cli/tests/roots/pairs.erl";
const STORES: &str = "crates/cli/tests/roots/stores.erl";

fn explored(source: &str, function: &str, options: &[&str]) -> Ran {
    let ran = hound(&[&["explore", "--no-store", "--runs", "600", source, function], options].concat());
    assert!(ran.code < 2, "{}{}", ran.out, ran.err);
    ran
}

/// The bugs of a function, as JSON.
fn bugs(source: &str, function: &str) -> Vec<Value> {
    let functions = explored(source, function, &["--format", "json"]).functions();
    assert_eq!(functions.len(), 1);
    let findings = functions.values().flat_map(|line| line["findings"].as_array().cloned().unwrap_or_default());
    findings.filter(|finding| finding["rank"] == "bug").collect()
}

fn roots(bugs: &[Value]) -> Vec<Option<&str>> {
    bugs.iter().map(|bug| bug["root"].as_str()).collect()
}

/// The number of bugs in full in the default view, after a look at whether it names the places of all.
fn shown(source: &str, function: &str) -> usize {
    let (ran, bugs) = (explored(source, function, &[]), bugs(source, function));
    for bug in &bugs {
        let place = format!("{}:{}:{}", bug["file"].as_str().unwrap_or_default(), bug["line"], bug["column"]);
        assert!(ran.out.contains(&place), "no {place} in\n{}", ran.out);
    }
    let count = if bugs.len() == 1 { "1 bug".to_owned() } else { format!("{} bugs", bugs.len()) };
    assert!(ran.out.contains(&format!("({count}")), "no {count} in\n{}", ran.out);
    assert_eq!(ran.code, 1);
    let full = ran.out.matches("= rank: bug").count();
    let hidden = bugs.len() - full;
    let noun = if hidden == 1 { "finding" } else { "findings" };
    let hint = format!("{hidden} {noun} shown in short; --all shows all in full");
    assert_eq!(ran.out.contains(&hint), hidden > 0, "{}", ran.out);
    let all = explored(source, function, &["--all"]);
    assert_eq!(all.out.matches("= rank: bug").count(), bugs.len(), "{}", all.out);
    full
}

#[test]
fn a_parser_of_correct_texts_is_one_bug() {
    for (function, least) in [("parse/1", 4), ("chars/1", 4)] {
        let bugs = bugs(PAIRS, function);
        assert!(bugs.len() >= least, "{function}: {bugs:#?}");
        let wanted = Some("no clause takes some texts of argument 1");
        assert!(roots(&bugs).iter().all(|root| *root == wanted), "{function}: {:?}", roots(&bugs));
        assert_eq!(shown(PAIRS, function), 1, "{function}");
    }
    let ran = explored(PAIRS, "parse/1", &[]);
    assert!(ran.out.contains("  root: no clause takes some texts of argument 1; "), "{}", ran.out);
    assert!(ran.out.contains(" other bugs with it:\n"), "{}", ran.out);
    // Each argument is a text of its own.
    let all = bugs(PAIRS, "both/2");
    let distinct: BTreeSet<Option<&str>> = roots(&all).into_iter().collect();
    let wanted = ["no clause takes some texts of argument 1", "no clause takes some texts of argument 2"];
    assert_eq!(distinct, wanted.map(Some).into());
    assert_eq!((shown(PAIRS, "both/2"), all.len() >= 4), (2, true));
}

#[test]
fn other_defects_of_a_parser_stand_for_themselves() {
    let all = bugs(PAIRS, "sum/1");
    for (reason, has_root) in [("badarith", false), ("badarg", false), ("function_clause", true)] {
        let of_kind: Vec<&Value> = all.iter().filter(|bug| bug["reason"] == reason).collect();
        assert!(!of_kind.is_empty(), "no {reason} in {all:#?}");
        assert!(of_kind.iter().all(|bug| bug["root"].is_string() == has_root), "{of_kind:#?}");
    }
    assert_eq!(shown(PAIRS, "sum/1"), 3);
}

#[test]
fn a_decoder_that_checks_nothing_is_one_bug() {
    let all = bugs(PAIRS, "decode/1");
    assert!(all.iter().any(|bug| bug["reason"] == "badarith"), "{all:#?}");
    let wanted = Some("no clause takes some texts of argument 1");
    assert!(all.len() > 8 && roots(&all).iter().all(|root| *root == wanted), "{all:#?}");
    assert_eq!(shown(PAIRS, "decode/1"), 1);
}

#[test]
fn a_kind_of_the_spec_that_nothing_takes_is_one_bug() {
    for (function, wanted) in [
        ("summed/2", "lists in argument 1 are not taken, where the spec has integer() | [0..1114111]"),
        ("bytes/2", "characters above 255 in argument 1 are no bytes"),
    ] {
        let all = bugs(STORES, function);
        assert_eq!(roots(&all), [Some(wanted); 2], "{function}");
        assert_eq!(shown(STORES, function), 1, "{function}");
    }
}

#[test]
fn a_library_that_refuses_what_no_spec_speaks_of_is_one_bug() {
    let all = bugs(STORES, "picked/2");
    let wanted = Some("lists:nth/2 refuses what no spec speaks of");
    assert!(all.len() > 1 && roots(&all).iter().all(|root| *root == wanted), "{all:#?}");
    assert_eq!(shown(STORES, "picked/2"), 1);
}

#[test]
fn bugs_of_functions_without_a_spec_are_shown_twice() {
    let text = "-module(plainly).\n-export([f/1, g/1, h/1, k/1]).\n\
                f(N) when is_integer(N) -> 10 div N.\n\
                g(N) when is_integer(N) -> 20 div (N - 1).\n\
                h(N) when is_integer(N) -> 30 div (N - 2).\n\
                -spec k(integer()) -> integer().\nk(N) -> 40 div (N - 3).\n";
    let path = file(&folder("roots_plainly"), "plainly.erl", text);
    let ran = hound(&["explore", "--no-store", &path]);
    assert_eq!(ran.out.matches("= rank: bug, without a spec").count(), 2, "{}", ran.out);
    assert_eq!(ran.out.matches("= rank: bug, the spec allows").count(), 1, "{}", ran.out);
    let line = "in plainly:h/1 (bug, no spec says what it takes, as in 2 others before): plainly:h(2)\n";
    assert!(ran.out.contains(line), "{}", ran.out);
    assert!(ran.out.contains("(4 bugs"), "{}", ran.out);
    let all = hound(&["explore", "--no-store", "--all", &path]);
    assert_eq!(all.out.matches("= rank: bug, without a spec").count(), 3, "{}", all.out);
}

#[test]
fn a_value_that_the_spec_of_no_arity_has_is_one_bug() {
    let ran = explored(STORES, "same/1", &["same/2"]);
    assert_eq!(ran.out.matches("= rank: bug").count(), 1, "{}", ran.out);
    assert_eq!(ran.out.matches("(bug, as in stores:same/1)").count(), 1, "{}", ran.out);
}

#[test]
fn an_error_that_nothing_handles_is_one_bug() {
    let all = bugs(STORES, "total/2");
    assert_eq!(roots(&all), [Some("the result {error,not_a_digit} of a call is not handled"); 3]);
    assert_eq!(shown(STORES, "total/2"), 1);
    assert_eq!((bugs(STORES, "apart/2").len(), shown(STORES, "apart/2")), (2, 2));
    let given = bugs(STORES, "given/1");
    let of_input = given.iter().find(|bug| bug["reason"] == "function_clause").expect("a bug");
    assert!(!of_input["root"].as_str().unwrap_or_default().contains("of a call"), "{of_input:#?}");
}

#[test]
fn a_library_that_fails_inside_is_one_bug_and_one_that_refuses_is_not() {
    let all = bugs(STORES, "inside/2");
    assert!(all.len() > 2, "{all:#?}");
    let wanted = Some("base64 fails inside on what argument 1 has");
    assert!(roots(&all).iter().all(|root| *root == wanted), "{:?}", roots(&all));
    assert_eq!(shown(STORES, "inside/2"), 1);
    let all = bugs(STORES, "refused/2");
    assert_eq!((roots(&all), shown(STORES, "refused/2")), (vec![None, None], 2));
}

#[test]
fn a_function_that_no_solver_sees_into_is_one_bug() {
    let ran = explored(STORES, "unseen/2", &["--opaque", "stores:checksum/1", "--format", "json"]);
    let functions = ran.functions();
    let all: Vec<&Value> =
        functions.values().flat_map(|line| line["findings"].as_array().into_iter().flatten()).collect();
    let root = |bug: &&Value| bug["root"].as_str().map(str::to_owned);
    let of_checksum = Some("stores:checksum/1 fails inside on what argument 1 has".to_owned());
    assert!(all.len() > 1 && all.iter().all(|bug| root(bug) == of_checksum), "{all:#?}");
    let ran = explored(STORES, "unseen/2", &["--opaque", "stores:checksum/1"]);
    assert_eq!(ran.out.matches("= rank: bug").count(), 1, "{}", ran.out);
}

#[test]
fn causes_at_one_place_are_shown_there_and_one_in_full() {
    let all = bugs(STORES, "causes/1");
    assert!(all.len() > 2, "{all:#?}");
    assert_eq!(shown(STORES, "causes/1"), 1);
    let ran = explored(STORES, "causes/1", &[]);
    assert!(ran.out.contains("other bugs at this place:\n"), "{}", ran.out);
    for bug in all.iter().take(4) {
        assert!(ran.out.contains(bug["call"].as_str().expect("a call")), "{bug:#?}\n{}", ran.out);
    }
    assert_eq!((bugs(STORES, "two/1").len(), shown(STORES, "two/1")), (2, 1));
    assert_eq!((bugs(STORES, "tree/1").len(), shown(STORES, "tree/1")), (2, 2));
}

#[test]
fn a_baseline_knows_each_bug_of_a_root() {
    let baseline = folder("roots_baseline").join("b.toml").display().to_string();
    let recorded = hound(&["baseline", "--runs", "600", &baseline, STORES, "total/2"]);
    assert_eq!(recorded.code, 0, "{}{}", recorded.out, recorded.err);
    let ran = explored(STORES, "total/2", &["--baseline", &baseline]);
    assert!(ran.out.contains("baseline: 0 new findings, 3 known, 0 gone"), "{}", ran.out);
    assert_eq!((ran.code, ran.out.contains("rank: bug")), (0, false), "{}", ran.out);
    // Without the first, that one is new and shown, and the others are not.
    let text = std::fs::read_to_string(&baseline).expect("a baseline");
    let entries: Vec<&str> = text.split("\n[[finding]]\n").collect();
    file(&folder("roots_baseline"), "b.toml", &[entries[0], entries[2], entries[3]].join("\n[[finding]]\n"));
    let ran = explored(STORES, "total/2", &["--baseline", &baseline]);
    assert!(ran.out.contains("baseline: 1 new finding, 2 known, 0 gone"), "{}", ran.out);
    assert_eq!((ran.code, ran.out.matches("rank: bug").count()), (1, 1), "{}", ran.out);
    assert!(!ran.out.contains("with it:"), "{}", ran.out);
}

/// What another function has shown before is a line for each root.
#[test]
fn a_root_through_another_function_is_a_line() {
    let text = "-module(twice).\n-export([f/1, g/2]).\n\
                -spec f(binary()) -> ok.\nf(<<\"a\", R/binary>>) -> b(R).\n\
                b(<<\"b\", R/binary>>) -> c(R).\nc(<<\"c\", R/binary>>) -> d(R).\nd(<<>>) -> ok.\n\
                -spec g(binary(), 1..2) -> ok.\ng(X, 1) -> f(X);\ng(X, 2) -> c(X).\n";
    let path = file(&folder("roots_twice"), "twice.erl", text);
    let ran = hound(&["explore", "--no-store", &path]);
    assert_eq!(ran.out.matches("= rank: bug").count(), 1, "{}", ran.out);
    assert_eq!(ran.out.matches("(bug, as in twice:f/1)").count(), 1, "{}", ran.out);
    assert!(ran.out.contains("; 3 other bugs with it\n"), "{}", ran.out);
    assert!(ran.out.contains("4 findings (4 bugs); 2 crash"), "{}", ran.out);
}

/// A module whose functions all want correct texts: two are shown in full, of the others each has a line.
#[test]
fn what_all_functions_of_a_module_do_is_shown_twice() {
    let functions: Vec<String> = (1..=5)
        .map(|n| {
            format!("-spec f{n}(binary()) -> ok.\nf{n}(<<\"{n}\", R/binary>>) -> g{n}(R).\ng{n}(<<\"x\">>) -> ok.\n")
        })
        .collect();
    let text = format!("-module(wants).\n-export([f1/1, f2/1, f3/1, f4/1, f5/1]).\n{}", functions.concat());
    let path = file(&folder("roots_wants"), "wants.erl", &text);
    let ran = hound(&["explore", "--no-store", &path]);
    assert_eq!(ran.out.matches("= rank: bug").count(), 2, "{}", ran.out);
    for (n, before) in [(3, 2), (4, 3), (5, 4)] {
        let line = format!(
            "wants:f{n}/1 (bug, no clause takes some texts of argument 1, as in {before} others of wants before)"
        );
        assert!(ran.out.contains(&line), "no {line} in\n{}", ran.out);
        assert!(ran.out.contains(&format!(": wants:f{n}(<<>>); 1 other bug with it\n")), "{}", ran.out);
    }
    assert!(ran.out.contains("10 findings (10 bugs); 5 crash"), "{}", ran.out);
    assert_eq!(ran.code, 1);
}
