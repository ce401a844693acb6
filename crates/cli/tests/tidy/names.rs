//! No type name stands for two ideas.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use syn::{Item, UseTree, Visibility};

use crate::assert_none;
use crate::source::{Source, folder_of_modules, product, root};

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
    let gone: Vec<&str> = allowed.into_iter().filter(|name| !places.contains_key(name)).collect();
    println!("defined once by now: {gone:?}");
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

/// The public modules of a file, and the names that it exports from other modules.
pub fn exports(file: &syn::File) -> (Vec<String>, Vec<String>) {
    let (mut modules, mut names) = (Vec::new(), Vec::new());
    for item in &file.items {
        match item {
            Item::Mod(it) if matches!(it.vis, Visibility::Public(_)) => modules.push(it.ident.to_string()),
            Item::Use(it) if matches!(it.vis, Visibility::Public(_)) => leaves(&it.tree, "", &mut names),
            _ => {}
        }
    }
    (modules, names)
}

fn leaves(tree: &UseTree, module: &str, names: &mut Vec<String>) {
    match tree {
        UseTree::Path(path) => leaves(&path.tree, &path.ident.to_string(), names),
        UseTree::Group(group) => group.items.iter().for_each(|tree| leaves(tree, module, names)),
        UseTree::Name(name) => names.push(name.ident.to_string()),
        UseTree::Rename(name) => names.push(name.ident.to_string()),
        _ => names.push(format!("{module}*")),
    }
}

/// The files whose public items a crate exports, and further names that it exports.
struct Exported {
    files: BTreeSet<PathBuf>,
    names: BTreeSet<(String, String)>,
}

impl Exported {
    fn contains(&self, source: &Source, name: &str) -> bool {
        self.files.contains(&source.path) || self.names.contains(&(source.member.clone(), name.to_owned()))
    }
}

fn exported() -> Exported {
    let by_path: BTreeMap<&Path, &Source> = product().iter().map(|source| (source.path.as_path(), source)).collect();
    let libraries = product().iter().filter(|source| {
        source.path.ends_with("src/lib.rs") && source.path.starts_with(root().join("crates").join(&source.member))
    });
    let mut open: Vec<&Source> = libraries.collect();
    let mut exported = Exported { files: BTreeSet::new(), names: BTreeSet::new() };
    while let Some(source) = open.pop() {
        if !exported.files.insert(source.path.clone()) {
            continue;
        }
        let globs = source.exports.iter().filter_map(|name| name.strip_suffix('*'));
        let folder = folder_of_modules(&source.path);
        for module in source.modules.iter().map(String::as_str).chain(globs) {
            let files = [folder.join(format!("{module}.rs")), folder.join(module).join("mod.rs")];
            open.extend(files.iter().filter_map(|file| by_path.get(file.as_path())));
        }
        exported.names.extend(source.exports.iter().map(|name| (source.member.clone(), name.clone())));
    }
    exported
}
