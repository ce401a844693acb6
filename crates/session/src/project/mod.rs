//! Projects as people have them: where a build tool keeps sources, output and dependencies, found from any folder inside.

mod build;
mod copy;
mod make;
mod mix;
mod modules;
mod places;
mod rebar;
mod scripts;
mod terms;

use std::collections::BTreeSet;
use std::fs;
use std::path::{MAIN_SEPARATOR_STR, Path, PathBuf};

use host::ErlOptions;

pub use build::BuiltProject;
pub(crate) use modules::{ProjectModule, source_of};
pub(crate) use places::Places;
pub use places::line_from_here;
pub(crate) use scripts::compiled_scripts;

/// The tool that a project is built with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BuildTool {
    Rebar3,
    Mix,
    ErlangMk,
    Gleam,
    /// None that is known: modules are compiled one by one.
    Plain,
}

impl BuildTool {
    /// The command that builds the project.
    pub fn command(self) -> &'static str {
        match self {
            BuildTool::Rebar3 => "rebar3 compile",
            BuildTool::Mix => "mix compile",
            BuildTool::ErlangMk => "make app",
            BuildTool::Gleam => "gleam build",
            BuildTool::Plain => "make",
        }
    }

    /// The command that fetches dependencies.
    pub fn fetching(self) -> &'static str {
        match self {
            BuildTool::Rebar3 => "rebar3 get-deps",
            BuildTool::Mix => "mix deps.get",
            BuildTool::ErlangMk | BuildTool::Plain => "make deps",
            BuildTool::Gleam => "gleam deps download",
        }
    }

    /// The file that says what the project is made of.
    pub fn file(self) -> &'static str {
        match self {
            BuildTool::Rebar3 => "rebar.config",
            BuildTool::Mix => "mix.exs",
            BuildTool::ErlangMk | BuildTool::Plain => "Makefile",
            BuildTool::Gleam => "gleam.toml",
        }
    }
}

/// One application of a project: its own, not a dependency.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Application {
    pub name: String,
    /// The folder that its sources are in.
    pub folder: PathBuf,
    /// The folders of its sources.
    pub sources: Vec<PathBuf>,
    /// The folder of its compiled modules.
    pub ebin: PathBuf,
}

/// A project, as its files say.
#[derive(Clone, Debug)]
pub struct Project {
    /// The folder that the build tool runs in.
    pub root: PathBuf,
    pub tool: BuildTool,
    pub applications: Vec<Application>,
    /// The names of its dependencies.
    pub dependencies: Vec<String>,
    /// Folders outside of it that it is built from.
    outside: Vec<PathBuf>,
    /// Folders of applications, in each of which compiled modules are in `ebin`.
    libraries: Vec<PathBuf>,
    /// Folders, below the root, of what is fetched.
    fetched: Vec<PathBuf>,
    /// The options that its Erlang sources are compiled with.
    pub(crate) erlang: ErlOptions,
}

impl Project {
    /// Returns the project that a folder belongs to: the nearest one, or one around it that has this one as a part.
    pub fn around(folder: &Path) -> Option<Project> {
        let folder = fs::canonicalize(if folder.as_os_str().is_empty() { Path::new(".") } else { folder }).ok()?;
        let mut found: Option<Project> = None;
        for place in folder.ancestors() {
            let Some(project) = Project::at(place) else { continue };
            let is_outer = |inner: &Project| project.has_part(&inner.root);
            if found.as_ref().is_none_or(is_outer) {
                found = Some(project);
            }
        }
        found
    }

    /// Returns the project whose top folder this is.
    fn at(root: &Path) -> Option<Project> {
        let is_built = |project: &Project| project.applications.iter().any(|own| own.ebin.is_dir());
        match (mix::read(root), rebar::read(root)) {
            // Libraries of Erlang often have a file for each: then it is the one that was used, or that of Erlang.
            (Some(mix), Some(rebar)) if is_built(&rebar) || !is_built(&mix) => Some(rebar),
            (Some(project), _) | (None, Some(project)) => Some(project),
            (None, None) => make::read(root),
        }
    }

    /// True for the folder of one of its applications or dependencies.
    fn has_part(&self, folder: &Path) -> bool {
        let is_own = self.applications.iter().any(|application| application.folder == folder);
        is_own || self.fetched.iter().any(|fetched| folder.starts_with(fetched))
    }

    /// Returns the applications that a folder is part of, or that are below it; all, of the top folder.
    pub fn applications_at(&self, folder: &Path) -> Vec<&Application> {
        let Ok(folder) = fs::canonicalize(if folder.as_os_str().is_empty() { Path::new(".") } else { folder }) else {
            return Vec::new();
        };
        let mut around: Vec<&Application> =
            self.applications.iter().filter(|application| folder.starts_with(&application.folder)).collect();
        around.sort_by_key(|application| application.folder.components().count());
        match around.pop() {
            Some(own) if own.folder != self.root || self.applications.len() == 1 => vec![own],
            _ => {
                self.applications.iter().filter(|own| own.folder.starts_with(&folder) || folder == self.root).collect()
            }
        }
    }

    /// Returns the folders of compiled modules that there are: of its applications first, then of dependencies.
    fn code_path(&self) -> Vec<PathBuf> {
        let own = self.applications.iter().map(|application| application.ebin.clone());
        let others = self.libraries.iter().flat_map(|folder| subfolders(folder)).map(|folder| folder.join("ebin"));
        let mut seen = BTreeSet::new();
        own.chain(others).filter(|folder| folder.is_dir() && seen.insert(folder.clone())).collect()
    }

    /// Returns the dependencies of which there is no compiled code.
    pub fn missing_dependencies(&self, code_path: &[PathBuf]) -> Vec<&str> {
        let is_there = |name: &str| {
            code_path.iter().any(|ebin| {
                let folder = ebin.parent().and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned());
                folder.is_some_and(|folder| folder == name || folder.starts_with(&format!("{name}-")))
            })
        };
        self.dependencies.iter().map(String::as_str).filter(|name| !is_there(name)).collect()
    }

    /// Returns the name of the dependency that a module belongs to by its name.
    pub fn dependency_of(&self, module: &str) -> Option<&str> {
        let plain = |text: &str| text.replace(['_', '.'], "").to_lowercase();
        let module = plain(module.strip_prefix("Elixir.").unwrap_or(module));
        let fits = self.dependencies.iter().filter(|name| module.starts_with(&plain(name)));
        fits.max_by_key(|name| name.len()).map(String::as_str)
    }
}

/// The place of a folder in the tree of a copy.
fn copy_of(tree: &Path, folder: &Path) -> PathBuf {
    tree.join(folder.strip_prefix(MAIN_SEPARATOR_STR).unwrap_or(folder))
}

/// The folders in a folder, in order of their names.
fn subfolders(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut found: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(|path| path.is_dir()).collect();
    found.sort();
    found
}

/// The files below a folder with one of these endings, in order of their paths.
fn files_below(folder: &Path, endings: &[&str]) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut entries: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    entries.sort();
    let mut found = Vec::new();
    for path in entries {
        let is_hidden = path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."));
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        if endings.contains(&ending) && path.is_file() {
            found.push(path);
        } else if !is_hidden && path.is_dir() && !path.is_symlink() {
            found.extend(files_below(&path, endings));
        }
    }
    found
}

/// The name of the application whose resource file is in a folder.
fn resource_name(folder: &Path) -> Option<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names: Vec<String> = entries
        .filter_map(|entry| {
            let name = entry.file_name().to_string_lossy().into_owned();
            let stem = [".app.src", ".app.src.script", ".app"].iter().find_map(|ending| name.strip_suffix(ending));
            stem.filter(|stem| !stem.is_empty()).map(str::to_owned)
        })
        .collect();
    names.sort();
    names.into_iter().next()
}

/// An environment variable that is set to something.
fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}
