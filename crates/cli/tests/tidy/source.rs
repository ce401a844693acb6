//! Files of the repository, and the product source in them: whole Rust files without their test modules.

use std::fs;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use proc_macro2::Span;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Attribute, Item, ItemMod};

use crate::docs::{self, Public};
use crate::names::{self, Export};
use crate::sizes::{self, Function};

pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the repository")
}

pub fn text(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The path as the repository names it.
pub fn shown(path: &Path) -> String {
    path.strip_prefix(root()).unwrap_or(path).display().to_string()
}

/// Every file below `folder`, sorted, build products and hidden folders left out.
pub fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_path_buf()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder).expect("a folder").map(|entry| entry.expect("an entry").path()) {
            let name = entry.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if name == "target" || (name.starts_with('.') && name != ".ci") {
                continue;
            }
            if entry.is_dir() {
                open.push(entry);
            } else {
                found.push(entry);
            }
        }
    }
    found.sort();
    found
}

/// Every file of the repository with this ending; at least `floor` of them.
pub fn with_ending(ending: &str, floor: usize) -> Vec<PathBuf> {
    let has_it = |path: &PathBuf| path.extension().is_some_and(|found| found == ending);
    let found: Vec<PathBuf> = files_below(&root()).into_iter().filter(has_it).collect();
    assert!(found.len() >= floor, "only {} files end in {ending}", found.len());
    found
}

/// A Rust file of the product.
pub struct Source {
    pub path: PathBuf,
    pub member: String,
    pub text: String,
    /// Public items and functions, those of test modules left out.
    pub items: Vec<Public>,
    pub functions: Vec<Function>,
    /// The names of its public modules, and what it exports from others.
    pub modules: Vec<String>,
    pub exports: Vec<Export>,
    /// The lines of its test modules.
    tests: Vec<RangeInclusive<usize>>,
    /// The files of its test modules.
    test_files: Vec<PathBuf>,
}

impl Source {
    fn read(path: PathBuf, member: &str) -> Source {
        let text = text(&path);
        let file = syn::parse_file(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let mut extents = Extents::default();
        extents.visit_file(&file);
        let tests = extents.0;
        let is_product = |line: usize| !tests.iter().any(|extent| extent.contains(&line));
        let functions = sizes::functions(&file).into_iter().filter(|it| is_product(it.line)).collect();
        let items = docs::public_items(&file).into_iter().filter(|it| is_product(it.line)).collect();
        let (modules, exports) = names::exports(&file);
        let test_files = test_files(&path, &file);
        Source { path, member: member.to_owned(), text, items, functions, modules, exports, tests, test_files }
    }

    /// Lines with their numbers, test modules left out.
    pub fn lines(&self) -> impl Iterator<Item = (usize, &str)> {
        let is_test = |line: usize| self.tests.iter().any(|extent| extent.contains(&line));
        (1..).zip(self.text.lines()).filter(move |(number, _)| !is_test(*number))
    }

    /// A line of the file as the repository names it.
    pub fn at(&self, line: usize) -> String {
        format!("{}:{line}", shown(&self.path))
    }
}

/// Collects the lines of test modules, from their attribute to their closing brace.
#[derive(Default)]
struct Extents(Vec<RangeInclusive<usize>>);

impl<'a> Visit<'a> for Extents {
    fn visit_item(&mut self, item: &'a Item) {
        if attributes(item).iter().any(is_cfg_test) {
            self.0.push(extent(item.span()));
        } else {
            visit::visit_item(self, item);
        }
    }
}

fn extent(span: Span) -> RangeInclusive<usize> {
    span.start().line..=span.end().line
}

/// The attributes of an item, doc comments among them.
fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(it) => &it.attrs,
        Item::Enum(it) => &it.attrs,
        Item::Fn(it) => &it.attrs,
        Item::Impl(it) => &it.attrs,
        Item::Macro(it) => &it.attrs,
        Item::Mod(it) => &it.attrs,
        Item::Static(it) => &it.attrs,
        Item::Struct(it) => &it.attrs,
        Item::Trait(it) => &it.attrs,
        Item::Type(it) => &it.attrs,
        Item::Union(it) => &it.attrs,
        Item::Use(it) => &it.attrs,
        _ => &[],
    }
}

fn is_cfg_test(attribute: &Attribute) -> bool {
    attribute.path().is_ident("cfg")
        && attribute.meta.require_list().is_ok_and(|list| list.tokens.to_string().split(' ').any(|word| word == "test"))
}

/// The folder of the modules that a file declares.
pub fn folder_of_modules(path: &Path) -> PathBuf {
    let folder = path.parent().expect("a folder");
    match path.file_stem().and_then(|stem| stem.to_str()).expect("a name") {
        "lib" | "main" | "mod" => folder.to_path_buf(),
        stem => folder.join(stem),
    }
}

/// The files that a file declares as test modules: `#[cfg(test)] mod tests;`.
fn test_files(path: &Path, file: &syn::File) -> Vec<PathBuf> {
    let folder = folder_of_modules(path);
    let declared = file.items.iter().filter_map(|item| match item {
        Item::Mod(ItemMod { attrs, ident, content: None, .. }) if attrs.iter().any(is_cfg_test) => Some(ident),
        _ => None,
    });
    declared.flat_map(|name| [folder.join(format!("{name}.rs")), folder.join(name.to_string())]).collect()
}

/// The workspace's crates, in the order of the member list.
pub fn members() -> Vec<String> {
    let manifest = text(&root().join("Cargo.toml"));
    let list = manifest.split("members = [").nth(1).and_then(|rest| rest.split(']').next()).expect("a member list");
    let members: Vec<String> =
        list.split('"').filter_map(|piece| piece.strip_prefix("crates/")).map(str::to_owned).collect();
    assert!(members.len() > 10, "{members:?}");
    members
}

/// All Rust source of the product: `src` of every crate without the files of test modules.
pub fn product() -> &'static [Source] {
    static SOURCES: OnceLock<Vec<Source>> = OnceLock::new();
    SOURCES.get_or_init(|| {
        let mut sources = Vec::new();
        for member in members() {
            let files = files_below(&root().join("crates").join(&member).join("src"));
            let rust = files.into_iter().filter(|path| path.extension().is_some_and(|ending| ending == "rs"));
            sources.extend(rust.map(|path| Source::read(path, &member)));
        }
        let tests: Vec<PathBuf> = sources.iter().flat_map(|source| source.test_files.clone()).collect();
        sources.retain(|source| !tests.iter().any(|test| source.path.starts_with(test)));
        assert!(sources.len() > 300, "only {} files", sources.len());
        sources
    })
}
