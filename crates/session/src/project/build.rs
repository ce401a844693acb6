//! Building a project whose output is missing or older than its sources, with its own tool, behind walls, in a copy.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use host::{ToolEnd, ToolRun, preparing};

use super::copy::{Copy, hashed};
use super::modules::{ProjectModule, changed, modules, newest};
use super::{Application, BuildTool, Places, Project, copy_of, files_below, subfolders, variable};
use crate::{Failure, interrupt};

/// The endings of sources.
const SOURCES: [&str; 9] = ["erl", "hrl", "xrl", "yrl", "ex", "eex", "heex", "lfe", "gleam"];

/// A project with its compiled code.
#[derive(Clone, Debug)]
pub struct BuiltProject {
    pub project: Project,
    /// The modules of its own applications.
    pub(crate) modules: Vec<ProjectModule>,
    /// The folders of compiled modules, its own first.
    pub code_path: Vec<PathBuf>,
    pub(crate) places: Places,
    /// What is to be said about it, a sentence each.
    pub notes: Vec<String>,
}

impl BuiltProject {
    /// Returns the project with its output, which is built first if it is missing or old.
    pub fn new(project: Project) -> Result<BuiltProject, Failure> {
        if is_fresh(&project) {
            return Ok(BuiltProject::with_output(project, None, Vec::new()));
        }
        preparing(|| match project.tool {
            BuildTool::Plain => Ok(BuiltProject::with_output(project, None, Vec::new())),
            _ => built(project),
        })
    }

    /// Returns the project with the output that there is.
    pub fn as_it_is(project: Project) -> BuiltProject {
        BuiltProject::with_output(project, None, Vec::new())
    }

    /// Returns the project with its output; why it cannot be built is only a note.
    pub fn tried(project: Project) -> BuiltProject {
        let failure = match BuiltProject::new(project.clone()) {
            Ok(built) => return built,
            Err(failure) => failure,
        };
        // Dependencies may have been built all the same; its own modules may be old ones, and are taken from their sources.
        let copy = Copy::open(&copied(&project)).ok().map(|copy| copy.tree()).filter(|tree| tree.is_dir());
        let mut built = BuiltProject::with_output(project, copy, vec![failure.to_string()]);
        let own: Vec<PathBuf> = built.project.applications.iter().map(|own| built.places.built(&own.ebin)).collect();
        built.code_path.retain(|folder| !own.contains(folder));
        BuiltProject { modules: Vec::new(), ..built }
    }

    /// Returns the folders of headers, those of dependencies included, and the folders in which applications are found by
    /// their names. The compiler can read these alone.
    pub(crate) fn include_dirs(&self) -> Vec<PathBuf> {
        let Project { root, applications, libraries, erlang, .. } = &self.project;
        let of_libraries = self.code_path.iter().map(|ebin| ebin.with_file_name("include"));
        let own = applications.iter().map(|own| self.places.built(&own.folder.join("include")));
        let around =
            applications.iter().filter_map(|own| own.folder.parent()).filter(|folder| folder.starts_with(root));
        let named = libraries.iter().map(|folder| self.places.built(folder));
        let all = erlang.include_dirs.iter().cloned().chain(of_libraries).chain(own);
        all.chain(around.map(Path::to_path_buf)).chain(named).filter(|folder| folder.is_dir()).collect()
    }

    /// With the output in a copy, or in the project itself.
    fn with_output(project: Project, copy: Option<PathBuf>, mut notes: Vec<String>) -> BuiltProject {
        let places = Places::new(copy).with_root(&project.root);
        let ebins: Vec<PathBuf> = project.applications.iter().map(|own| places.built(&own.ebin)).collect();
        let here =
            Project { libraries: project.libraries.iter().map(|it| places.built(it)).collect(), ..project.clone() };
        let mut code_path: Vec<PathBuf> = ebins.iter().filter(|folder| folder.is_dir()).cloned().collect();
        code_path
            .extend(here.code_path().into_iter().filter(|it| !project.applications.iter().any(|own| own.ebin == *it)));
        let modules = modules(&project, &ebins, &places);
        let missing = project.missing_dependencies(&code_path);
        if !missing.is_empty() && matches!(project.tool, BuildTool::ErlangMk | BuildTool::Plain) {
            notes.push(not_fetched(&project, &missing));
        }
        BuiltProject { project, modules, code_path, places, notes }
    }
}

fn not_fetched(project: &Project, missing: &[&str]) -> String {
    let (file, names) = (project.tool.file(), missing.join(", "));
    let what = match missing.len() {
        1 => format!("a dependency that {file} names is not there"),
        _ => format!("dependencies that {file} names are not there"),
    };
    format!("{what}: {names}; type `{}`", project.tool.fetching())
}

/// True if the output of every application is there and not older than what it is made from.
fn is_fresh(project: &Project) -> bool {
    let root = &project.root;
    let configured = match project.tool {
        BuildTool::Rebar3 => ["rebar.config", "rebar.config.script"].map(|it| root.join(it)).to_vec(),
        BuildTool::Mix => [vec![root.join("mix.exs")], files_below(&root.join("config"), &["exs"])].concat(),
        BuildTool::Gleam => vec![root.join("gleam.toml")],
        BuildTool::ErlangMk | BuildTool::Plain => Vec::new(),
    };
    project.applications.iter().all(|own| is_built(own, &configured))
        && beside(project).all(|other| is_built(&other, &[]))
}

/// Dependencies whose sources are the user's own too: checkouts, and folders outside of the project.
fn beside(project: &Project) -> impl Iterator<Item = Application> {
    let checkouts = subfolders(&project.root.join("_checkouts")).into_iter();
    let folders = checkouts.chain(project.outside.iter().cloned());
    folders.filter_map(|folder| {
        let name = folder.file_name()?.to_string_lossy().into_owned();
        let ebins = project.libraries.iter().map(|library| library.join(&name).join("ebin"));
        let ebin = ebins.into_iter().find(|ebin| ebin.is_dir())?;
        let sources = ["lib", "src"].map(|part| folder.join(part)).to_vec();
        Some(Application { name, folder, sources, ebin })
    })
}

/// True if an application's output is as new as its sources and these files.
fn is_built(own: &Application, configured: &[PathBuf]) -> bool {
    let include = own.folder.join("include");
    let folders = own.sources.iter().chain([&include]);
    let sources: Vec<PathBuf> = folders.flat_map(|folder| files_below(folder, &SOURCES)).collect();
    let manifests = own.ebin.with_file_name(".mix");
    let mut output = files_below(&own.ebin, &["beam", "app"]);
    output.extend(fs::read_dir(manifests).into_iter().flatten().flatten().map(|entry| entry.path()));
    let of_application = [own.folder.join("mix.exs"), own.folder.join("rebar.config")];
    let is_compiled = |source: &PathBuf| {
        let beam = own.ebin.join(source.with_extension("beam").file_name().unwrap_or_default());
        changed(&beam).is_some_and(|at| Some(at) >= changed(source))
    };
    let mut erlang = sources.iter().filter(|source| source.extension().is_some_and(|ending| ending == "erl"));
    let wanted = newest(&[&sources, configured, &of_application].concat());
    newest(&output) >= wanted && erlang.all(is_compiled)
}

/// Builds in a copy, unless it was built there from the same files before.
fn built(project: Project) -> Result<BuiltProject, Failure> {
    let tool = project.tool;
    let missing = if tool == BuildTool::Rebar3 { unfetched(&project) } else { Vec::new() };
    if !missing.is_empty() {
        return Err(Failure::NotBuilt(not_fetched(&project, &missing)));
    }
    let problem = |error: std::io::Error| by_hand(tool, &format!("it cannot be built in a copy: {error}"));
    let copy = Copy::open(&copied(&project)).map_err(problem)?;
    let folders = [vec![project.root.clone()], project.outside.clone()].concat();
    let state = copy.update(&folders, &other_output(&project)).map_err(problem)?;
    let Some(state) = state else { return Err(by_hand(tool, "it is too large to be built in a copy")) };
    if !copy.is_built(&state) {
        let end = run(&project, &copy).map_err(problem)?;
        match end {
            ToolEnd::Ended { success: true, .. } => copy.note_built(&state).map_err(problem)?,
            ToolEnd::Ended { .. } if interrupt::is_wanted() => return Err(by_hand(tool, "the build was interrupted")),
            ToolEnd::Ended { output, .. } => return failed(project, &copy, &output),
            ToolEnd::NotInstalled => return without_tool(project),
            ToolEnd::NoWalls => {
                return Err(by_hand(tool, "this system has no walls to build it behind (see `hound doctor`)"));
            }
        }
    }
    Ok(BuiltProject::with_output(project, Some(copy.tree()), Vec::new()))
}

/// The name of a project's copy: one for each folder of output.
fn copied(project: &Project) -> (PathBuf, Option<PathBuf>) {
    (project.root.clone(), project.applications.first().map(|own| own.ebin.clone()))
}

/// The failure that a person has to build the project.
fn by_hand(tool: BuildTool, why: &str) -> Failure {
    Failure::NotBuilt(format!(
        "the project is not built, or older than its sources, and {why}; type `{}`",
        tool.command()
    ))
}

/// Dependencies of which there is neither source nor compiled code.
fn unfetched(project: &Project) -> Vec<&str> {
    let mut folders: Vec<PathBuf> = project.libraries.clone();
    folders.extend(project.fetched.iter().cloned());
    // What every profile has is in the one without a name.
    folders.extend(project.libraries.iter().filter_map(|it| Some(it.parent()?.with_file_name("default").join("lib"))));
    let is_fetched = |name: &str| folders.iter().any(|folder| folder.join(name).is_dir());
    let is_outside = |name: &str| project.outside.iter().any(|folder| folder.ends_with(name));
    project.dependencies.iter().map(String::as_str).filter(|name| !is_fetched(name) && !is_outside(name)).collect()
}

/// Output of other profiles, which need not be copied.
fn other_output(project: &Project) -> Vec<PathBuf> {
    let used = project.libraries.iter().filter_map(|folder| folder.parent());
    let used: Vec<PathBuf> = used.map(Path::to_path_buf).collect();
    let builds = used.iter().filter_map(|folder| folder.parent());
    let all = builds.flat_map(subfolders);
    all.filter(|folder| !used.contains(folder) && !folder.ends_with("default")).collect()
}

fn run(project: &Project, copy: &Copy) -> std::io::Result<ToolEnd> {
    let repository = project.root.join(".git");
    copy.link(&repository)?;
    let mut words = project.tool.command().split(' ');
    let run = ToolRun {
        program: words.next().unwrap_or_default(),
        arguments: &words.map(OsString::from).collect::<Vec<_>>(),
        folder: &copy_of(&copy.tree(), &project.root),
        variables: &variables(project, &copy.tree()),
        reads: &[repository],
        writes: &[copy.folder().to_path_buf()],
        is_stopped: interrupt::is_wanted,
    };
    run.run()
}

/// The variables that keep tools from the network, and those of the user that name folders of the project.
fn variables(project: &Project, tree: &Path) -> Vec<(&'static str, OsString)> {
    let offline = [("REBAR_OFFLINE", "1"), ("HEX_OFFLINE", "1"), ("MIX_OS_CONCURRENCY_LOCK", "0")];
    let plain = [("REBAR_COLOR", "none"), ("TERM", "dumb")];
    let fixed = offline.into_iter().chain(plain).map(|(name, value)| (name, value.into()));
    let folders = ["MIX_BUILD_PATH", "MIX_DEPS_PATH", "REBAR_BASE_DIR", "DEPS_DIR"].into_iter().filter_map(|name| {
        let path = variable(name).map(PathBuf::from).filter(|path| path.starts_with(&project.root))?;
        Some((name, copy_of(tree, &path).into_os_string()))
    });
    fixed.chain(folders).collect()
}

/// A build that failed: of dependencies that are not there, or of the user's code, in the tool's own words.
fn failed(project: Project, copy: &Copy, output: &str) -> Result<BuiltProject, Failure> {
    let (tool, tree) = (project.tool, copy.tree());
    let text = plain(output).replace(&format!("{}/", copy_of(&tree, &project.root).display()), "");
    let text = text.replace(&tree.display().to_string(), "");
    if tool == BuildTool::ErlangMk {
        let note = format!("`{}` failed in a copy of the project; its sources are compiled one by one", tool.command());
        return Ok(BuiltProject::with_output(project, None, vec![note]));
    }
    let missing = unfetched(&project);
    let is_about_them =
        [tool.fetching(), "Failed to fetch", "offline", "Could not find"].iter().any(|it| text.contains(it));
    if is_about_them && !missing.is_empty() {
        return Err(Failure::NotBuilt(not_fetched(&project, &missing)));
    }
    if text.contains(tool.fetching()) {
        let why = format!("dependencies of {} are not fetched; type `{}`", tool.file(), tool.fetching());
        return Err(Failure::NotBuilt(why));
    }
    let said: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty() && !is_progress(line)).collect();
    let said = &said[said.len().saturating_sub(LINES)..];
    Err(Failure::NotBuilt(format!("`{}` does not build the project:\n{}", tool.command(), said.join("\n"))))
}

/// Lines of a tool's output that are shown.
const LINES: usize = 30;

/// True for a line that only says what a tool does.
fn is_progress(line: &str) -> bool {
    const BEGINNINGS: [&str; 9] =
        ["Verifying ", "Analyzing ", "Fetching ", "App ", "Compiling ", "Generated ", "==> ", "Loading ", "    ("];
    let line = line.trim_start_matches("===> ");
    BEGINNINGS.iter().any(|beginning| line.starts_with(beginning)) && !line.contains("failed")
}

/// A text without the sequences that colour it.
fn plain(text: &str) -> String {
    let mut parts = text.split('\u{1b}');
    let first = parts.next().unwrap_or_default().to_owned();
    let rest = parts.map(|part| part.split_once('m').map_or(part, |(_, rest)| rest));
    first + &rest.collect::<String>()
}

/// Erlang sources can be compiled without their tool.
fn without_tool(project: Project) -> Result<BuiltProject, Failure> {
    let tool = project.tool;
    let program = tool.command().split(' ').next().unwrap_or_default();
    match tool {
        BuildTool::Rebar3 | BuildTool::ErlangMk => {
            let note = format!("{program} is not installed: the sources are compiled one by one");
            let plain = Project { tool: BuildTool::Plain, ..project };
            Ok(BuiltProject::with_output(plain, None, vec![note]))
        }
        _ => Err(by_hand(tool, &format!("{program} is not in PATH"))),
    }
}

/// A state in which a set of files was compiled.
pub(super) fn state_of(files: &[PathBuf]) -> String {
    let stamps: Vec<_> = files.iter().map(|file| (file, fs::read(file).ok())).collect();
    hashed(&stamps)
}
