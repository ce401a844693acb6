//! No type name stands for two ideas.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use syn::{Item, UseTree, Visibility};

use crate::assert_none;
use crate::source::{Source, folder_of_modules, product};

/// Type names that several crates export, or one crate twice, each with the reason: `Name: reason`.
const REPEATED: &str = include_str!("repeated.txt");

#[test]
fn an_exported_type_name_is_defined_once() {
    let exported = exported();
    let mut places: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for source in product() {
        for item in source.items.iter().filter(|item| item.is_type && exported.contains(source, &item.name)) {
            places.entry(&item.name).or_default().push(source.at(item.line));
        }
    }
    assert!(places.len() > 150, "only {} types", places.len());
    places.retain(|_, places| places.len() > 1);
    let allowed: BTreeSet<&str> = allowed().map(|(name, _)| name).collect();
    let new = places.iter().filter(|(name, _)| !allowed.contains(*name));
    let new: Vec<String> = new.map(|(name, places)| format!("{name}: {}", places.join(", "))).collect();
    assert_none("type names with two definitions", &new);
    let gone = allowed.into_iter().filter(|name| !places.contains_key(name)).map(str::to_owned);
    assert_none("defined once by now: repeated.txt must be shortened", &gone.collect::<Vec<_>>());
}

fn allowed() -> impl Iterator<Item = (&'static str, &'static str)> {
    REPEATED.lines().filter(|line| !line.starts_with('#')).map(|line| {
        let (name, reason) = line.split_once(": ").unwrap_or_else(|| panic!("not `Name: reason`: {line}"));
        assert!(reason.len() > 10, "{name} has no reason");
        (name, reason)
    })
}

/// How many names of public types, exported or not, are defined more than once.
pub fn repeated_types() -> usize {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let types = product().iter().flat_map(|source| &source.items).filter(|item| item.is_type);
    types.for_each(|item| *counts.entry(&item.name).or_default() += 1);
    counts.values().filter(|count| **count > 1).count()
}

/// A name that a file exports from another module: the modules on the path to it, and the name; `*` for all names.
#[derive(Clone)]
pub struct Export {
    modules: Vec<String>,
    name: String,
}

/// The public modules of a file, and what it exports from other modules.
pub fn exports(file: &syn::File) -> (Vec<String>, Vec<Export>) {
    let (mut modules, mut exports) = (Vec::new(), Vec::new());
    for item in &file.items {
        match item {
            Item::Mod(it) if matches!(it.vis, Visibility::Public(_)) => modules.push(it.ident.to_string()),
            Item::Use(it) if matches!(it.vis, Visibility::Public(_)) => leaves(&it.tree, &[], &mut exports),
            _ => {}
        }
    }
    (modules, exports)
}

fn leaves(tree: &UseTree, modules: &[String], exports: &mut Vec<Export>) {
    let mut add = |name: String| exports.push(Export { modules: modules.to_vec(), name });
    match tree {
        UseTree::Path(path) if path.ident == "self" => leaves(&path.tree, modules, exports),
        UseTree::Path(path) => leaves(&path.tree, &[modules, &[path.ident.to_string()]].concat(), exports),
        UseTree::Group(group) => group.items.iter().for_each(|tree| leaves(tree, modules, exports)),
        UseTree::Name(name) => add(name.ident.to_string()),
        UseTree::Rename(name) => add(name.ident.to_string()),
        _ => add("*".to_owned()),
    }
}

/// The files whose public items a crate exports, and single names of other files.
struct Exported {
    by_path: BTreeMap<&'static Path, &'static Source>,
    files: BTreeSet<PathBuf>,
    names: BTreeSet<(PathBuf, String)>,
}

impl Exported {
    fn contains(&self, source: &Source, name: &str) -> bool {
        self.files.contains(&source.path) || self.names.contains(&(source.path.clone(), name.to_owned()))
    }

    /// The file of a module that another file names.
    fn file(&self, from: &Path, modules: &[String]) -> Option<&'static Source> {
        let path = modules.iter().fold(folder_of_modules(from), |folder, module| folder.join(module));
        let files = [path.with_extension("rs"), path.join("mod.rs")];
        files.iter().find_map(|file| self.by_path.get(file.as_path()).copied())
    }

    /// Notes a name that a file exports, in the file that defines it.
    fn add_name(&mut self, from: &Path, export: &Export) {
        let Some(source) = self.file(from, &export.modules) else { return };
        if source.items.iter().any(|item| item.name == export.name) {
            self.names.insert((source.path.clone(), export.name.clone()));
        }
        let further = source.exports.iter().filter(|it| it.name == export.name && !it.modules.is_empty());
        further.for_each(|it| self.add_name(&source.path, it));
    }
}

fn exported() -> Exported {
    let by_path = product().iter().map(|source| (source.path.as_path(), source)).collect();
    let mut open: Vec<&Source> = product().iter().filter(|source| source.path.ends_with("src/lib.rs")).collect();
    let mut exported = Exported { by_path, files: BTreeSet::new(), names: BTreeSet::new() };
    while let Some(source) = open.pop() {
        if !exported.files.insert(source.path.clone()) {
            continue;
        }
        let public = source.modules.iter().map(|module| vec![module.clone()]);
        let globs = source.exports.iter().filter(|it| it.name == "*").map(|it| it.modules.clone());
        open.extend(public.chain(globs).filter_map(|modules| exported.file(&source.path, &modules)));
        source.exports.iter().for_each(|it| exported.add_name(&source.path, it));
    }
    exported
}
