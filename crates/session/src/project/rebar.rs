//! Projects of rebar3: `rebar.config` and the applications that it names or that are where they usually are.

use std::fs;
use std::path::{Path, PathBuf};

use host::ErlOptions;
use term::Term;

use super::terms::{consult, elements, is_named, text, value};
use super::{Application, BuildTool, Project, resource_name, subfolders, variable};

/// Places of applications, where the configuration says nothing.
const APPLICATIONS: [&str; 3] = ["apps/*", "lib/*", "."];

/// Reads the project in a folder, if rebar3 builds it.
pub(super) fn read(root: &Path) -> Option<Project> {
    let is_there = ["rebar.config", "rebar.config.script"].iter().any(|name| root.join(name).is_file());
    let is_made = || ["Makefile", "erlang.mk"].iter().any(|name| root.join(name).exists());
    if !is_there && (is_made() || resource_name(&root.join("src")).is_none()) {
        return None;
    }
    let terms = consult(&fs::read_to_string(root.join("rebar.config")).unwrap_or_default());
    let profile = variable("REBAR_PROFILE").unwrap_or_else(|| "default".to_owned());
    let base = variable("REBAR_BASE_DIR").or_else(|| value(&terms, "base_dir").and_then(text));
    let build = root.join(base.unwrap_or_else(|| "_build".to_owned())).join(&profile);
    let applications = applications(root, &terms, &build);
    let library = ["checkouts", "lib", "plugins"].map(|name| build.join(name));
    let dependencies = all_dependencies(root, &terms, &applications);
    Some(Project {
        root: root.to_path_buf(),
        tool: BuildTool::Rebar3,
        dependencies,
        outside: outside(root),
        libraries: library.to_vec(),
        fetched: vec![root.join("_checkouts"), root.join("_build")],
        erlang: erlang(root, &terms, &profile, &applications),
        applications,
    })
}

fn applications(root: &Path, terms: &[Term], build: &Path) -> Vec<Application> {
    let written = value(terms, "project_app_dirs").map(|list| elements(list).iter().filter_map(text).collect());
    let patterns: Vec<String> = written.unwrap_or_else(|| APPLICATIONS.map(str::to_owned).to_vec());
    let mut found: Vec<Application> = Vec::new();
    for folder in patterns.iter().flat_map(|pattern| expanded(root, pattern)) {
        let name = resource_name(&folder.join("src")).or_else(|| resource_name(&folder.join("ebin")));
        let Some(name) = name.filter(|_| !found.iter().any(|own| own.folder == folder)) else { continue };
        let own = consult(&fs::read_to_string(folder.join("rebar.config")).unwrap_or_default());
        let sources = value(&own, "src_dirs").or_else(|| value(terms, "src_dirs"));
        let mut sources: Vec<String> =
            sources.map_or_else(Vec::new, |list| elements(list).iter().filter_map(text).collect());
        if sources.is_empty() {
            sources.push("src".to_owned());
        }
        let sources = sources.iter().map(|name| folder.join(name)).collect();
        found.push(Application { ebin: build.join("lib").join(&name).join("ebin"), name, sources, folder });
    }
    found
}

/// The folders of a pattern, whose last part may be a star.
fn expanded(root: &Path, pattern: &str) -> Vec<PathBuf> {
    match pattern.strip_suffix("/*").or_else(|| pattern.strip_suffix("/**")) {
        Some(folder) => subfolders(&root.join(folder)),
        None if pattern == "." => vec![root.to_path_buf()],
        None => vec![root.join(pattern)],
    }
}

/// The names of dependencies of the project and of its applications.
fn all_dependencies(root: &Path, terms: &[Term], applications: &[Application]) -> Vec<String> {
    let mut all = dependencies(terms);
    all.extend(applications.iter().flat_map(|own| of_application(root, &own.folder)));
    all.retain(|name| !applications.iter().any(|own| own.name == *name));
    all.sort();
    all.dedup();
    all
}

/// The names of dependencies in the terms of a configuration.
fn dependencies(terms: &[Term]) -> Vec<String> {
    let list = value(terms, "deps").map(elements).unwrap_or_default();
    list.iter().filter_map(|one| one.as_tuple().and_then(<[Term]>::first).or(Some(one)).and_then(text)).collect()
}

fn of_application(root: &Path, folder: &Path) -> Vec<String> {
    if folder == root {
        return Vec::new();
    }
    dependencies(&consult(&fs::read_to_string(folder.join("rebar.config")).unwrap_or_default()))
}

/// Checkouts may be links to other folders.
fn outside(root: &Path) -> Vec<PathBuf> {
    let checkouts = subfolders(&root.join("_checkouts"));
    let real = checkouts.iter().filter(|path| path.is_symlink()).filter_map(|path| fs::canonicalize(path).ok());
    real.filter(|path| !path.starts_with(root)).collect()
}

/// The options that matter for what sources mean.
fn erlang(root: &Path, terms: &[Term], profile: &str, applications: &[Application]) -> ErlOptions {
    let of_profile = value(terms, "profiles").and_then(|profiles| value(&elements(profiles), profile).cloned());
    let lists =
        [value(terms, "erl_opts").cloned(), of_profile.and_then(|it| value(&elements(&it), "erl_opts").cloned())];
    let mut options = ErlOptions::default();
    for option in lists.iter().flatten().flat_map(elements) {
        add(&mut options, root, &option);
    }
    options.include_dirs.extend(applications.iter().flat_map(|own| [own.folder.join("include"), own.folder.clone()]));
    options
}

/// Adds an option of the compiler as it stands in a configuration.
pub(super) fn add(options: &mut ErlOptions, root: &Path, option: &Term) {
    match option.as_tuple() {
        Some([tag, name]) if is_named(tag, "d") => options.macros.extend(text(name).map(|name| (name, None))),
        Some([tag, name, value]) if is_named(tag, "d") => {
            options.macros.extend(text(name).map(|name| (name, Some(value.clone()))));
        }
        Some([tag, folder]) if is_named(tag, "i") => {
            options.include_dirs.extend(text(folder).map(|folder| root.join(folder)));
        }
        Some([tag, _]) if is_named(tag, "parse_transform") || is_named(tag, "no_auto_import") => {
            options.others.push(option.clone());
        }
        Some([tag, ..]) if is_named(tag, "feature") => options.others.push(option.clone()),
        None if is_named(option, "export_all") || is_named(option, "no_auto_import") => {
            options.others.push(option.clone())
        }
        _ => {}
    }
}
