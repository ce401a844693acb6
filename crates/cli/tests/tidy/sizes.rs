//! How long files and functions are.

use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Block, ImplItemFn, ItemFn, Signature, TraitItemFn};

use crate::assert_none;
use crate::source::{Source, product, shown, text, with_ending};

/// No file is longer.
const FILE: usize = 800;
/// 95 of 100 files of the product are no longer, test modules left out.
const FILE_P95: usize = 365;
/// 95 of 100 functions of the product are no longer.
const FUNCTION_P95: usize = 25;
/// The crate of flags, files, terminal and exit codes decides nothing: lines of its source, test modules left out.
const CLI: usize = 4_000;

#[test]
fn no_file_is_very_long() {
    let long = with_ending("rs", 500).into_iter().chain(with_ending("erl", 100)).filter_map(|path| {
        let lines = text(&path).lines().count();
        (lines > FILE).then(|| format!("{}: {lines} lines", shown(&path)))
    });
    assert_none(&format!("files over {FILE} lines"), &long.collect::<Vec<_>>());
}

#[test]
fn files_are_short() {
    let mut files: Vec<(usize, String)> =
        product().iter().map(|source| (source.lines().count(), shown(&source.path))).collect();
    files.sort();
    let (p95, at) = percentile(&files);
    println!("{} files, p95 {p95} lines", files.len());
    assert!(p95 <= FILE_P95, "p95 is {p95} lines, more than {FILE_P95}; the longest: {:#?}", &files[at..]);
}

#[test]
fn functions_are_short() {
    let named = |source: &Source, it: &Function| (it.lines, format!("{}: {}", source.at(it.line), it.name));
    let all = product().iter().flat_map(|source| source.functions.iter().map(|it| named(source, it)));
    let mut found: Vec<(usize, String)> = all.collect();
    found.sort();
    assert!(found.len() > 4_000, "only {} functions", found.len());
    let (p95, at) = percentile(&found);
    println!("{} functions, p95 {p95} lines", found.len());
    assert!(p95 <= FUNCTION_P95, "p95 is {p95} lines, more than {FUNCTION_P95}; the longest: {:#?}", &found[at..]);
}

#[test]
fn the_command_is_small() {
    let lines: usize = product().iter().filter(|source| source.member == "cli").map(|it| it.lines().count()).sum();
    println!("{lines} lines in cli");
    assert!(lines > 0 && lines <= CLI, "cli has {lines} lines, more than {CLI}");
}

/// The length that 95 of 100 do not exceed, and the place of the first one above.
fn percentile(sorted: &[(usize, String)]) -> (usize, usize) {
    let at = (sorted.len() * 95).div_ceil(100);
    (sorted[at - 1].0, at)
}

/// A function with a body; its lines are those from its signature to its closing brace.
pub struct Function {
    pub name: String,
    pub line: usize,
    pub lines: usize,
}

/// The functions of a file.
pub fn functions(file: &syn::File) -> Vec<Function> {
    let mut functions = Functions(Vec::new());
    functions.visit_file(file);
    functions.0
}

struct Functions(Vec<Function>);

impl Functions {
    fn add(&mut self, signature: &Signature, body: &Block) {
        let (line, last) = (signature.span().start().line, body.span().end().line);
        self.0.push(Function { name: signature.ident.to_string(), line, lines: last - line + 1 });
    }
}

impl<'a> Visit<'a> for Functions {
    fn visit_item_fn(&mut self, it: &'a ItemFn) {
        self.add(&it.sig, &it.block);
        visit::visit_item_fn(self, it);
    }

    fn visit_impl_item_fn(&mut self, it: &'a ImplItemFn) {
        self.add(&it.sig, &it.block);
        visit::visit_impl_item_fn(self, it);
    }

    fn visit_trait_item_fn(&mut self, it: &'a TraitItemFn) {
        if let Some(body) = &it.default {
            self.add(&it.sig, body);
        }
        visit::visit_trait_item_fn(self, it);
    }
}
