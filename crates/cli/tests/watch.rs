//! A watch in a process of its own: a file is saved, and what it says follows.

mod support;

use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};

use serde_json::Value;
use support::{ended, file, folder};

const SHOP: &str = "-module(shop).\n-export([price/1, tax/1]).\n\
    -spec price(0..9) -> number().\nprice(N) -> 10 / (N - 7).\n\
    -spec tax(0..9) -> integer().\ntax(N) -> rates:of_price(N).\n";
const RATES: &str =
    "-module(rates).\n-export([of_price/1]).\n-spec of_price(0..9) -> integer().\nof_price(N) -> 2 * N.\n";

/// A watch that goes on until it is ended.
struct Watch {
    child: Child,
    lines: BufReader<ChildStdout>,
}

impl Watch {
    fn start(folder: &Path, words: &[&str]) -> Watch {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hound"));
        command.arg("watch").args(words).arg("--no-store").current_dir(folder);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
        let lines = BufReader::new(child.stdout.take().expect("a pipe"));
        Watch { child, lines }
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        self.lines.read_line(&mut line).expect("a line");
        assert!(!line.is_empty(), "it has ended");
        line
    }

    /// The next round as JSON.
    fn round(&mut self) -> Value {
        let round: Value = serde_json::from_str(&self.line()).expect("JSON");
        assert!(round["kind"] == "watched" || round["kind"] == "error", "{round}");
        round
    }

    /// The text of the next round, up to its last line.
    fn text(&mut self) -> String {
        let mut text = String::new();
        loop {
            let line = self.line();
            text.push_str(&line);
            if line.contains(" still there; ") {
                return text;
            }
        }
    }

    /// Interrupts it as a terminal does; returns its exit code and what it said is wrong.
    fn end(mut self) -> (Option<i32>, String) {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args(["-INT", &id]).status().expect("kill").success());
        let mut said = String::new();
        self.child.stderr.take().expect("a pipe").read_to_string(&mut said).expect("text");
        (self.child.wait().expect("an end").code(), said)
    }
}

fn project(name: &str) -> PathBuf {
    let folder = folder(name);
    file(&folder, "shop.erl", SHOP);
    file(&folder, "rates.erl", RATES);
    folder
}

#[test]
fn a_finding_goes_when_its_line_is_mended_and_comes_back() {
    let folder = project("watch_text");
    let mut watch = Watch::start(&folder, &["shop.erl", "price/1"]);
    let first = watch.text();
    assert!(first.contains("shop:price(7)") && first.contains("1 new, 0 gone, 0 still there"), "{first}");

    file(&folder, "shop.erl", &SHOP.replace("(N - 7)", "(N + 7)"));
    let mended = watch.text();
    assert!(mended.starts_with("gone: shop:price/1: error:badarith at shop:price/1 line 1"), "{mended}");
    assert!(mended.contains("shop.erl: 0 new, 1 gone, 0 still there; 1 of 1 function explored"), "{mended}");

    file(&folder, "shop.erl", SHOP);
    let back = watch.text();
    assert!(back.contains("1 new, 0 gone, 0 still there; 0 of 1 function explored"), "known by content: {back}");

    // The same code in another place is explored again: the place has changed, the finding has not.
    file(&folder, "shop.erl", &format!("%% A comment.\n{SHOP}"));
    let moved = watch.text();
    assert!(moved.contains("still: shop.erl:5:16: error: badarith: shop:price(7)"), "{moved}");
    assert!(moved.contains("0 new, 0 gone, 1 still there"), "{moved}");
    assert_eq!(watch.end(), (Some(0), String::new()));
}

#[test]
fn only_what_depends_on_a_change_is_explored() {
    let folder = project("watch_json");
    let mut watch = Watch::start(&folder, &["shop.erl", "rates.erl", "--format", "json", "--html", "page"]);
    let first = watch.round();
    let page = || std::fs::read_to_string(folder.join("page/index.html")).expect("a page");
    assert!(page().contains("shop:price(7)"));
    assert_eq!((&first["explored"], &first["functions"], &first["new"]), (&3.into(), &3.into(), &1.into()), "{first}");

    file(&folder, "rates.erl", &RATES.replace("2 * N", "20 div (N - 3)"));
    let round = watch.round();
    // shop calls rates: its functions are explored, too.
    assert_eq!((&round["changed"][0], &round["explored"]), (&"rates.erl".into(), &3.into()), "{round}");
    assert_eq!((&round["new"], &round["still"]), (&2.into(), &1.into()), "of tax/1 and of_price/1: {round}");

    // rates does not call shop.
    file(&folder, "shop.erl", &SHOP.replace("(N - 7)", "(N + 7)"));
    let round = watch.round();
    assert_eq!((&round["explored"], &round["new"], &round["still"]), (&2.into(), &0.into(), &2.into()), "{round}");
    assert!(!page().contains("shop:price(7)"), "each round writes the page");
    assert!(round["gone"][0].as_str().is_some_and(|gone| gone.starts_with("shop:price/1: error:badarith")), "{round}");

    // A mistake is said, and what comes after it is compared with what was before.
    file(&folder, "shop.erl", "-module(shop).\nprice(\n");
    let broken = watch.round();
    assert_eq!(broken["kind"], "error", "{broken}");
    file(&folder, "shop.erl", &SHOP.replace("(N - 7)", "(N + 7)"));
    let round = watch.round();
    assert_eq!((&round["explored"], &round["new"], &round["still"]), (&0.into(), &0.into(), &2.into()), "{round}");

    file(&folder, "hound.toml", "ignore = [\"error:badarith\"]\n");
    let round = watch.round();
    assert_eq!((&round["explored"], &round["still"]), (&3.into(), &0.into()), "the rules are others: {round}");
    let (code, said) = watch.end();
    assert_eq!(code, Some(0), "{said}");
}

#[test]
fn options_for_files_of_one_exploration_are_refused() {
    let folder = project("watch_refused");
    let mut command = Command::new(env!("CARGO_BIN_EXE_hound"));
    let ran = ended(command.args(["watch", "shop.erl", "--tests", "eunit", "test"]).current_dir(&folder));
    let said = "hound: --tests: it is for `hound explore`, not for a watch\n";
    assert_eq!((ran.code, ran.err.as_str()), (2, said));
}
