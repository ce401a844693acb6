//! The page of an exploration: its bytes, and what a person sees of it in a real browser.

mod support;

#[path = "page/browser.rs"]
mod browser;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use browser::{Browser, keys};
use serde_json::Value;
use support::{Ran, ended, file, folder};

/// Findings of all ranks, processes, what is safe and what stays open; and what could end a script if it were not escaped.
const SHOP: &str = "\
%% </script><script>document.title = 'broken'</script><!--
-module(shop).
-export([discount/2, parse/1, level/1, race/1, sum/1, many/1]).

-spec discount(integer(), 0..100) -> float().
discount(Price, 100) when Price > 1000 ->
    Price / (Price - 1234);
discount(Price, Percent) when Percent < 200 ->
    Price * (100 - Percent) / 100;
discount(_, _) ->
    never.

-spec parse(binary()) -> ok.
parse(<<\"</script>\">>) -> error({markup, '</script><script>document.title = \"broken\"</script>'});
parse(_) -> ok.

-spec level(integer()) -> low | high.
level(N) when N < 10 -> low;
level(_) -> high.

-spec race(0..3) -> integer().
race(N) ->
    Parent = self(),
    Counter = spawn(fun() -> counter(0) end),
    spawn(fun() -> Counter ! {add, N}, Parent ! done end),
    Counter ! {get, Parent},
    receive done -> ok end,
    receive {count, N} -> N; {count, Other} -> error({count, Other}) end.

counter(Sum) ->
    receive
        {add, N} -> counter(Sum + N);
        {get, From} -> From ! {count, Sum}
    end.

-spec sum([integer()]) -> integer().
sum(List) -> length([X || X <- List, X > 3]).

-spec many(0..9) -> integer().
many(N) -> 10 div (N - 7).
";

/// The exploration that all tests look at.
fn explored() -> &'static (PathBuf, Ran) {
    static EXPLORED: OnceLock<(PathBuf, Ran)> = OnceLock::new();
    EXPLORED.get_or_init(|| {
        let folder = folder("page");
        file(&folder, "shop.erl", SHOP);
        let ran = explore(&folder, "out");
        (folder, ran)
    })
}

fn explore(folder: &Path, page: &str) -> Ran {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hound"));
    let words = ["explore", "shop.erl", "--no-store", "--runs", "60", "--format", "json", "--html", page];
    ended(command.current_dir(folder).args(words))
}

fn page(folder: &Path, name: &str) -> String {
    std::fs::read_to_string(folder.join(name).join("index.html")).expect("a page")
}

/// The data of a page.
fn data(page: &str) -> Value {
    let (_, after) = page.split_once("id=\"data\">").expect("data");
    let (data, _) = after.split_once("</script>").expect("its end");
    serde_json::from_str(data).expect("JSON")
}

#[test]
fn a_page_holds_what_the_report_holds() {
    let (folder, ran) = explored();
    assert_eq!(ran.code, 1, "{}", ran.err);
    assert!(ran.err.contains("hound: the page is out/index.html"), "{}", ran.err);
    let (data, functions) = (data(&page(folder, "out")), ran.functions());
    let shown = data["functions"].as_array().expect("functions");
    assert_eq!(shown.len(), functions.len());
    let mut findings = data["findings"].as_array().expect("findings").iter();
    for one in shown {
        let said = &functions[one["name"].as_str().expect("a name")];
        assert_eq!(one["verdict"], said["verdict"]);
        assert_eq!(one["lines"][0], said["coverage"]["lines"]["covered"]);
        assert!(said["executions"].is_null(), "lines of JSON are what they are without a page: {said}");
        for finding in said["findings"].as_array().expect("findings") {
            let shown = findings.next().expect("as many findings");
            assert_eq!((&shown["call"], &shown["line"]), (&finding["call"], &finding["line"]));
        }
    }
    assert!(findings.next().is_none());
}

#[test]
fn lines_and_branches_have_their_coverage() {
    let (folder, _) = explored();
    let data = data(&page(folder, "out"));
    let lines = data["files"][0]["lines"].as_array().expect("lines");
    let line = |text: &str| {
        let number = SHOP.lines().position(|line| line.trim() == text).expect("a line") + 1;
        lines.iter().find(|line| line[0] == number).unwrap_or_else(|| panic!("{text} is no line of code"))
    };
    assert_eq!(line("never.")[1], 0, "no input comes there");
    assert_eq!(line("Price / (Price - 1234);")[1], 1);
    assert_eq!(line("parse(_) -> ok.")[1], 1);
    let partly = line("discount(Price, Percent) when Percent < 200 ->");
    assert!(partly[2].as_u64() < partly[3].as_u64(), "a guard that never fails: {partly}");
}

#[test]
fn the_same_exploration_gives_the_same_bytes() {
    let (folder, _) = explored();
    let first = page(folder, "out");
    explore(folder, "again");
    assert!(first == page(folder, "again"), "two pages of one exploration differ");
    assert_eq!(first.matches("</script>").count(), 2, "data ended a script");
}

#[test]
fn a_page_that_cannot_be_written_is_said_before_the_exploration() {
    let folder = folder("page_refused");
    let source = file(&folder, "shop.erl", SHOP);
    let words = ["explore", &source, "--html", &source];
    let ran = ended(Command::new(env!("CARGO_BIN_EXE_hound")).args(words));
    assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{}", ran.err);
    assert!(ran.err.contains("shop.erl"), "{}", ran.err);
}

/// The page in a browser; nothing where none is installed.
fn opened(test: &str) -> Option<(Browser, String)> {
    let (top, _) = explored();
    let browser = Browser::start(&folder(&format!("page_profile_{test}")));
    if browser.is_none() {
        eprintln!("{test}: left out, for there is no chromedriver (`sh scripts/setup test` installs it)");
    }
    let address = format!("file://{}/out/index.html", top.display());
    let browser = browser?;
    browser.open(&address);
    browser.wait("document.title.includes('Tracehound')");
    Some((browser, address))
}

#[test]
fn a_person_finds_a_function_and_follows_a_finding_to_its_line() {
    let Some((browser, address)) = opened("follow") else { return };
    assert_eq!(browser.text("h1"), "shop", "a source is no markup");
    let rows = "document.querySelectorAll('#list .row:not([hidden])').length";
    assert_eq!(browser.value(rows), 6);

    // The search filters, and Enter opens the first that is left.
    browser.press("/disc");
    browser.wait(&format!("{rows} === 1"));
    browser.press(keys::ENTER);
    browser.wait("document.querySelector('h1').textContent === 'shop:discount/2'");
    assert_eq!(browser.value("location.hash"), "#shop:discount/2");
    assert!(browser.text("main").contains("shop:discount(1234, 100)"), "the call to paste");
    assert!(browser.text(".tree").contains("error: badarith"), "{}", browser.text(".tree"));

    // From the finding to its line, which says what happens there.
    browser.click(".finding header a[href=\"#shop.erl:7\"]");
    browser.wait("location.hash === '#shop.erl:7' && document.querySelector('.line.target') !== null");
    assert_eq!(browser.text(".line.target .no"), "7");
    assert!(browser.text(".line.target + .note").contains("error: badarith"));
    assert!(browser.value("document.querySelector('.line.target').getBoundingClientRect().top > 0") == true);
    browser.click(".line.target + .note a");
    browser.wait("location.hash.startsWith('#finding-') && document.querySelector('.finding.target') !== null");
    assert!(browser.text(".finding.target h3").contains("badarith"));

    // Addresses lead there at once.
    browser.open(&format!("{address}#shop:race/1"));
    browser.wait("document.querySelector('h1').textContent === 'shop:race/1'");
    assert_eq!(browser.text(".chart-head"), "main");
    assert!(browser.value("document.querySelectorAll('.chart .arrow').length").as_u64() >= Some(4));
    assert!(browser.text(".chart + .call-box pre").starts_with("hound run --schedule "), "it can be replayed");
    assert!(browser.text(".chart + .call-box pre").contains(" shop.erl 'shop:race("), "with its file");
    browser.open(&format!("{address}#remains"));
    browser.wait("document.querySelector('h1').textContent === 'What remains'");
    browser.wait("[...document.querySelectorAll('.remains .lift')].some((it) => it.textContent.includes('--'))");
    assert!(browser.text("main").contains("shop:discount/2") && !browser.text("main").contains("shop:sum/1"));
    browser.press(keys::ESCAPE);
    browser.wait("document.querySelector('main').textContent.includes('shop:sum/1')");
    let network = "performance.getEntriesByType('resource').length";
    assert_eq!(browser.value(network), 0, "a page asks for nothing but itself");
}

#[test]
fn a_keyboard_is_enough() {
    let Some((browser, _)) = opened("keys") else { return };
    browser.press("jj");
    browser.wait("document.querySelector('#list .cursor')?.textContent.startsWith('parse/1')");
    browser.press("k");
    browser.press(keys::DOWN);
    browser.press("j");
    browser.press(keys::ENTER);
    browser.wait("document.querySelector('h1').textContent === 'shop:level/1'");

    // The tree of paths: its arrows open and close.
    browser.value("document.querySelector('[role=treeitem]').focus()");
    let open = "document.querySelectorAll('[role=treeitem][aria-expanded=true]').length";
    let rows = "document.querySelectorAll('[role=treeitem]').length";
    assert_eq!(browser.value(rows), 2, "N < 10, and else");
    browser.press(keys::DOWN);
    browser.wait("document.activeElement === document.querySelectorAll('[role=treeitem]')[1]");
    assert_eq!(browser.value(open), 0);

    browser.press(keys::ESCAPE);
    browser.wait("location.hash === '' && !document.title.startsWith('shop:')");
    browser.press("n");
    // The address is there before what it shows.
    browser.wait("location.hash.startsWith('#finding-') && document.title.startsWith('shop:')");
    browser.press("s");
    browser.wait("location.hash.startsWith('#shop.erl:')");
    browser.press("?");
    browser.wait("document.querySelector('#keys').open");
    browser.press(keys::ESCAPE);
    browser.wait("!document.querySelector('#keys').open");

    browser.press("/zzz");
    browser.wait("document.querySelectorAll('#list .row:not([hidden])').length === 0");
    browser.press(keys::ESCAPE);
    browser.wait("document.querySelectorAll('#list .row:not([hidden])').length === 6");

    browser.open("about:blank");
    let (folder, _) = explored();
    browser.open(&format!("file://{}/out/index.html#shop:race/1", folder.display()));
    browser.wait("document.querySelector('h1').textContent === 'shop:race/1'");
    browser.value("document.querySelector('[role=treeitem][aria-expanded]')?.focus()");
    if browser.value(open).as_u64() > Some(0) {
        let before = browser.value(open).as_u64();
        browser.press(keys::LEFT);
        browser.wait(&format!("{open} < {}", before.unwrap_or_default()));
        browser.press(keys::RIGHT);
        browser.wait(&format!("{open} === {}", before.unwrap_or_default()));
    }
}

#[test]
fn colours_and_widths_fit() {
    let Some((browser, address)) = opened("widths") else { return };
    let ground = "getComputedStyle(document.body).backgroundColor";
    browser.prefer("dark");
    browser.wait("document.documentElement.dataset.theme === 'dark'");
    let dark = browser.value(ground);
    browser.prefer("light");
    browser.wait("document.documentElement.dataset.theme === 'light'");
    assert_ne!(browser.value(ground), dark);
    browser.press("t");
    browser.wait("document.documentElement.dataset.theme === 'dark'");
    assert_eq!(browser.value(ground), dark);
    assert_eq!(browser.value("document.querySelector('#theme').getAttribute('aria-pressed')"), "true");

    // On a narrow screen nothing stands out, and the functions are behind a button.
    browser.resize(400, 800);
    for hash in ["", "#findings", "#shop:race/1", "#shop.erl:7", "#sources", "#remains"] {
        browser.open(&format!("{address}{hash}"));
        browser.wait("document.querySelector('h1') !== null");
        let wide = browser.value("[document.querySelector('#main').scrollWidth, innerWidth]");
        assert!(wide[0].as_u64() <= wide[1].as_u64(), "{hash} is wider than the window: {wide}");
    }
    let shown = "getComputedStyle(document.querySelector('#side')).display !== 'none'";
    assert_eq!(browser.value(shown), false);
    browser.click("#menu");
    browser.wait(shown);
    browser.click("#list .row");
    browser.wait("location.hash === '#shop:discount/2'");
    browser.wait(&format!("!({shown})"));
}
