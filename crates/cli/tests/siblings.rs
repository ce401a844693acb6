//! Modules that stand beside the given one: they are tested with it, and their types, records and headers are known.

mod support;

use std::path::PathBuf;

use serde_json::Value;
use support::{Ran, file, folder, hound, succeed};

const SHOP: &str = "-module(shop).\n-include(\"shop.hrl\").\n-export([pay/1, ship/1, weigh/1]).\n\
                    -spec pay(integer()) -> ok.\npay(N) -> prices:check(N), case N of 3 -> ok end.\n\
                    -spec ship(prices:crate()) -> integer().\nship({crate, N}) -> 10 div N;\nship(#box{size = N}) -> N + 1.\n\
                    -spec weigh(#box{}) -> integer().\nweigh(#box{size = N}) -> N + 1.\n";

const PRICES: &str = "-module(prices).\n-include(\"shop.hrl\").\n-export([check/1]).\n-export_type([crate/0]).\n\
                      -type crate() :: {crate, integer()} | #box{}.\n\
                      -spec check(integer()) -> ok.\ncheck(N) when N < 0 -> error(badarg);\ncheck(_) -> ok.\n";

/// A project of two modules and a header.
fn project(name: &str) -> PathBuf {
    let top = folder(name);
    for (place, file_name, text) in [
        ("include", "shop.hrl", "-record(box, {size :: integer()}).\n"),
        ("src", "shop.erl", SHOP),
        ("src", "prices.erl", PRICES),
    ] {
        std::fs::create_dir_all(top.join(place)).expect("a folder");
        file(&top.join(place), file_name, text);
    }
    top
}

/// The findings of a function: rank, reason and line.
fn findings(ran: &Ran, function: &str) -> Vec<(String, String, u64)> {
    let functions = ran.functions();
    let line = functions.get(function).unwrap_or_else(|| panic!("no {function} in {}{}", ran.out, ran.err));
    let found = line["findings"].as_array().cloned().unwrap_or_default();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let of = |it: &Value| (text(&it["rank"]), text(&it["reason"]), it["line"].as_u64().unwrap_or_default());
    let mut found: Vec<(String, String, u64)> = found.iter().map(of).collect();
    found.sort();
    found
}

fn check(ran: &Ran) {
    assert!(!ran.err.contains("is not there"), "{}", ran.err);
    let unhandled = ("bug".to_owned(), "{case_clause,0}".to_owned(), 5);
    let checked = ("declared".to_owned(), "badarg".to_owned(), 7);
    assert_eq!(findings(ran, "shop:pay/1"), [unhandled, checked]);
}

/// What a module beside the explored one raises on purpose is declared, and hides nothing.
#[test]
fn modules_beside_are_tested() {
    let top = project("siblings_tested");
    let src = top.join("src").display().to_string();
    let path = top.join("src/shop.erl").display().to_string();
    check(&hound(&["explore", "--format", "json", &src, "shop:pay/1"]));
    check(&hound(&["explore", "--format", "json", &path]));
    let ran =
        hound(&["explore", "--format", "json", &path, &top.join("src/prices.erl").display().to_string(), "shop:pay/1"]);
    check(&ran);
}

/// Types and records of a module beside the explored one, and headers of the project, are read.
#[test]
fn types_of_modules_beside_are_known() {
    let top = project("siblings_types");
    let ran = hound(&["explore", "--format", "json", &top.join("src/shop.erl").display().to_string()]);
    assert!(!ran.out.contains("cannot be read"), "{}", ran.out);
    assert_eq!(findings(&ran, "shop:ship/1"), [("bug".to_owned(), "badarith".to_owned(), 7)]);
    assert_eq!(ran.functions()["shop:weigh/1"]["verdict"], "safe");
}

/// The same for a compiled module among compiled ones.
#[test]
fn compiled_modules_beside_are_tested() {
    let top = project("siblings_compiled");
    let ebin = top.join("ebin");
    std::fs::create_dir_all(&ebin).expect("a folder");
    succeed("erlc", &["+debug_info", "-I", "include", "-o", "ebin", "src/shop.erl", "src/prices.erl"], &top);
    check(&hound(&["explore", "--format", "json", &ebin.join("shop.beam").display().to_string()]));
}
