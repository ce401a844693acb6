//! Suites of tests: a test for each finding and for each branch, as EUnit, Common Test and ExUnit take them.

mod erlang;
mod exunit;
mod regions;

use search::TestCase;
use session::JobResult;
use term::{Atom, Language, Mfa, Notation, Structs};

use erlang::Check;
use regions::{FOOT, Region, Regions, hash};

/// A framework of tests.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SuiteKind {
    Eunit,
    CommonTest,
    ExUnit,
}

/// A test module that is being written.
pub struct Suite {
    kind: SuiteKind,
    module: Atom,
    language: Language,
    tests: Vec<Region>,
    /// The functions that were explored, as the names of their tests begin.
    functions: Vec<String>,
}

/// A mistake in a file that is there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SuiteError {
    /// Nothing in it was written by hound.
    Foreign,
    /// A line is not as it was written.
    Broken { line: usize, why: String },
}

impl SuiteKind {
    /// The kinds by the words of the command line.
    pub const NAMES: [(&'static str, SuiteKind); 3] =
        [("eunit", SuiteKind::Eunit), ("ct", SuiteKind::CommonTest), ("exunit", SuiteKind::ExUnit)];

    /// Returns the file of the tests of a module, without a folder.
    pub fn file(self, module: Atom) -> String {
        match self {
            SuiteKind::Eunit | SuiteKind::CommonTest => format!("{}.erl", self.suite_name(module)),
            SuiteKind::ExUnit => format!("{}_hound_test.exs", underscored(module.name().trim_start_matches("Elixir."))),
        }
    }

    /// The name of the module that tests another one.
    fn suite_name(self, module: Atom) -> String {
        let plain = |c: char| if c.is_alphanumeric() || "_@.".contains(c) { c } else { '_' };
        let name: String = module.name().chars().map(plain).collect();
        match self {
            SuiteKind::Eunit => format!("{name}_hound_tests"),
            SuiteKind::CommonTest => format!("{name}_hound_SUITE"),
            SuiteKind::ExUnit => format!("{}HoundTest", capitalised(name.trim_start_matches("Elixir."))),
        }
    }

    fn comment(self) -> &'static str {
        if self == SuiteKind::ExUnit { "  #" } else { "%%" }
    }

    /// The parts before the tests and behind them.
    fn frame(self, module: Atom) -> (String, Option<String>) {
        let name = self.suite_name(module);
        match self {
            SuiteKind::Eunit => {
                let name = Atom::new(&name);
                (format!("-module({name}).\n-include_lib(\"eunit/include/eunit.hrl\").\n"), None)
            }
            SuiteKind::CommonTest => {
                let name = Atom::new(&name);
                (format!("-module({name}).\n-include_lib(\"stdlib/include/assert.hrl\").\n{CASES}"), None)
            }
            SuiteKind::ExUnit => {
                (format!("defmodule {name} do\n  use ExUnit.Case, async: true\n"), Some("end\n".to_owned()))
            }
        }
    }
}

/// The list of the cases of a suite of Common Test: every function whose name says so.
const CASES: &str = "-compile([export_all, nowarn_export_all]).

all() ->
    [Name || {Name, 1} <- ?MODULE:module_info(exports), lists:suffix(\"_case\", atom_to_list(Name))].
";

impl Suite {
    /// Returns a test module without tests.
    pub fn new(kind: SuiteKind, module: Atom, language: Language) -> Suite {
        Suite { kind, module, language, tests: Vec::new(), functions: Vec::new() }
    }

    /// Adds the tests of a function, as far as their calls can be written as source.
    pub fn add(&mut self, explored: &JobResult, cases: &[TestCase]) {
        let function = explored.function;
        let name = format!("{}/{}", function.function.name(), function.arity);
        let family: String = name.chars().map(|c| if is_plain(c) || "/?!.".contains(c) { c } else { '_' }).collect();
        for case in cases {
            let number = hash(&format!("{function} {:?}", case.stimulus.inputs));
            if let Some(body) = self.test(function, &explored.structs, case, &number) {
                self.tests.push(Region::new(format!("{family}-{number}"), body));
            }
        }
        self.functions.push(family);
    }

    fn test(&self, function: Mfa, structs: &Structs, case: &TestCase, number: &str) -> Option<String> {
        let name = |suffix: &str| {
            Atom::new(&format!("{}_{}_{number}_{suffix}", function.function.name(), function.arity)).to_string()
        };
        match self.kind {
            SuiteKind::Eunit => {
                let check = erlang::check(Check::Test, function, case)?;
                Some(format!("{}() ->\n    {check}.\n", name("test_")))
            }
            SuiteKind::CommonTest => {
                let check = erlang::check(Check::Expression, function, case)?;
                Some(format!("{}(_Config) ->\n    {check}.\n", name("case")))
            }
            SuiteKind::ExUnit => {
                let notation = Notation { language: Language::Elixir, structs };
                let lines = exunit::check(notation, function, case)?;
                let title = exunit::title(notation, function, &case.ending);
                let title = notation.term(&text(&format!("{title} ({number})")));
                let lines: String = lines.iter().map(|line| format!("    {line}\n")).collect();
                Some(format!("  test {title} do\n{lines}  end\n"))
            }
        }
    }

    /// Returns the source, and the number of its tests; nothing if there are none. What a person has changed in the file
    /// that is there stays.
    pub fn text(&self, old: Option<&str>) -> Result<Option<(String, usize)>, SuiteError> {
        let known = old.map(Suite::check).transpose()?;
        if self.tests.is_empty() && known.is_none() {
            return Ok(None);
        }
        let (head, foot) = self.kind.frame(self.module);
        let mut file = known.unwrap_or_else(|| Regions::new(self.opening()));
        let head = Region::new("head".to_owned(), head);
        let foot = foot.map(|foot| Region::new(FOOT.to_owned(), foot));
        let parts = [head].into_iter().chain(foot).chain(self.tests.iter().cloned());
        file.update(parts.collect(), |key| self.is_over(key));
        Ok(Some((file.text(self.kind.comment()), file.tests())))
    }

    /// Reads a file that is there.
    fn check(text: &str) -> Result<Regions, SuiteError> {
        let read = Regions::read(text).map_err(|(line, why)| SuiteError::Broken { line, why })?;
        read.ok_or(SuiteError::Foreign)
    }

    /// Says what is wrong with a file that is there.
    pub fn check_text(text: &str) -> Result<(), SuiteError> {
        Suite::check(text).map(drop)
    }

    /// True for the name of a test of a function that was explored again.
    fn is_over(&self, key: &str) -> bool {
        key.rsplit_once('-').is_some_and(|(family, _)| self.functions.iter().any(|known| known == family))
    }

    fn opening(&self) -> String {
        let notation = Notation { language: self.language, ..Notation::ERLANG };
        let comment = if self.kind == SuiteKind::ExUnit { "#" } else { "%%" };
        format!(
            "{comment} Written by hound explore: calls of {} and what they give. What stands between `hound: begin` and\n\
             {comment} `hound: end` is written again by the next run, unless it was changed. All else stays as it is.\n",
            notation.module(self.module)
        )
    }
}

fn text(text: &str) -> term::Term {
    term::Term::bits(term::Bits::from_bytes(text.as_bytes().to_vec()))
}

fn is_plain(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '@'
}

/// `Shop.ItemList` as `shop.item_list`.
fn underscored(name: &str) -> String {
    let mut out = String::new();
    let mut before = '.';
    for c in name.chars() {
        if c.is_uppercase() && before != '.' && !before.is_uppercase() && before != '_' {
            out.push('_');
        }
        match is_plain(c) || c == '.' {
            true => out.extend(c.to_lowercase()),
            false => out.push('_'),
        }
        before = c;
    }
    out
}

/// `shop_item@list` as `ShopItemList`, and `Shop.Item` as it is.
fn capitalised(name: &str) -> String {
    let part = |part: &str| {
        let mut chars = part.chars();
        let first = chars.next().map(|c| c.to_ascii_uppercase()).into_iter();
        first.chain(chars).filter(|c| c.is_ascii_alphanumeric() || *c == '.').collect::<String>()
    };
    name.split(['_', '@']).map(part).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suites_are_named_after_their_modules() {
        let named = |kind: SuiteKind, module: &str| (kind.file(Atom::new(module)), kind.suite_name(Atom::new(module)));
        let pair = |file: &str, name: &str| (file.to_owned(), name.to_owned());
        assert_eq!(named(SuiteKind::Eunit, "shop"), pair("shop_hound_tests.erl", "shop_hound_tests"));
        assert_eq!(named(SuiteKind::CommonTest, "shop"), pair("shop_hound_SUITE.erl", "shop_hound_SUITE"));
        assert_eq!(named(SuiteKind::ExUnit, "shop_item"), pair("shop_item_hound_test.exs", "ShopItemHoundTest"));
        let item = pair("shop.http_item_hound_test.exs", "Shop.HTTPItemHoundTest");
        assert_eq!(named(SuiteKind::ExUnit, "Elixir.Shop.HTTPItem"), pair("shop.httpitem_hound_test.exs", &item.1));
    }
}
