//! Projects of mix and of Gleam: what their files say as text, without running them.

use std::fs;
use std::path::{Path, PathBuf};

use host::ErlOptions;

use super::{Application, BuildTool, Project, subfolders, variable};

/// Reads the project in a folder, if mix or Gleam builds it.
pub(super) fn read(root: &Path) -> Option<Project> {
    let Ok(text) = fs::read_to_string(root.join("mix.exs")) else { return gleam(root) };
    let text = without_comments(&text);
    let library = library(root, &text);
    let parts = parts(root, &text);
    let own = parts.iter().filter_map(|(folder, text)| application(folder, text, &library));
    let applications: Vec<Application> = own.collect();
    let tops: Vec<(PathBuf, String)> = parts.into_iter().chain([(root.to_path_buf(), text.clone())]).collect();
    let mut dependencies: Vec<String> = tops.iter().flat_map(|(_, text)| dependencies(text)).collect();
    dependencies.retain(|name| !applications.iter().any(|own| own.name == *name));
    dependencies.sort();
    dependencies.dedup();
    let fetched = string_of(&text, "deps_path").unwrap_or_else(|| "deps".to_owned());
    Some(Project {
        root: root.to_path_buf(),
        tool: BuildTool::Mix,
        dependencies,
        outside: outside(root, &tops),
        libraries: vec![library],
        fetched: vec![root.join(fetched), root.join("_build")],
        erlang: erlang(&applications),
        applications,
    })
}

/// The folder of compiled applications, in the environment that mix would take.
fn library(root: &Path, text: &str) -> PathBuf {
    let environment = variable("MIX_ENV").unwrap_or_else(|| "dev".to_owned());
    let written = || string_of(text, "build_path").unwrap_or_else(|| "_build".to_owned());
    let build = variable("MIX_BUILD_PATH").unwrap_or_else(|| format!("{}/{environment}", written()));
    root.join(build).join("lib")
}

/// The folders of applications, with the text of the file in each.
fn parts(root: &Path, text: &str) -> Vec<(PathBuf, String)> {
    let Some(path) = string_of(text, "apps_path") else { return vec![(root.to_path_buf(), text.to_owned())] };
    let each = subfolders(&root.join(path)).into_iter().filter_map(|folder| {
        let text = fs::read_to_string(folder.join("mix.exs")).ok()?;
        Some((folder, without_comments(&text)))
    });
    each.collect()
}

fn application(folder: &Path, text: &str, library: &Path) -> Option<Application> {
    let name = after(text, "app:")?.trim_start().strip_prefix(':')?;
    let name: String = name.chars().take_while(|char| char.is_alphanumeric() || *char == '_').collect();
    let paths = list_of(text, "elixirc_paths").into_iter().chain(list_of(text, "erlc_paths"));
    let mut sources: Vec<PathBuf> = paths.chain(["lib", "src"].map(str::to_owned)).map(|it| folder.join(it)).collect();
    sources.dedup();
    Some(Application { ebin: library.join(&name).join("ebin"), name, folder: folder.to_path_buf(), sources })
}

fn erlang(applications: &[Application]) -> ErlOptions {
    let include_dirs = applications.iter().map(|own| own.folder.join("include")).collect();
    ErlOptions { include_dirs, ..ErlOptions::default() }
}

/// The folders of dependencies that are elsewhere, and those of these.
fn outside(root: &Path, parts: &[(PathBuf, String)]) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = Vec::new();
    let mut open: Vec<(PathBuf, String)> = parts.to_vec();
    while let Some((folder, text)) = open.pop() {
        for path in strings_of(&text, "path") {
            let Ok(path) = fs::canonicalize(folder.join(path)) else { continue };
            if path.starts_with(root) || found.contains(&path) || !path.join("mix.exs").is_file() {
                continue;
            }
            let text = fs::read_to_string(path.join("mix.exs")).unwrap_or_default();
            open.push((path.clone(), without_comments(&text)));
            found.push(path);
        }
    }
    found
}

/// The names in tuples that look like dependencies: `{:jason, "~> 1.4"}`.
fn dependencies(text: &str) -> Vec<String> {
    let Some(at) = text.find("deps") else { return Vec::new() };
    let tuples = text[at..].split("{:").skip(1);
    let names = tuples.filter_map(|rest| {
        let name: String = rest.chars().take_while(|char| char.is_alphanumeric() || *char == '_').collect();
        rest[name.len()..].trim_start().starts_with(',').then_some(name)
    });
    names.filter(|name| !name.is_empty()).collect()
}

fn without_comments(text: &str) -> String {
    let code = |line: &str| line.split_once(" #").map_or(line, |(code, _)| code).to_owned();
    text.lines().filter(|line| !line.trim_start().starts_with('#')).map(code).collect::<Vec<_>>().join("\n")
}

/// What follows a key that is a word of its own.
fn after<'a>(text: &'a str, key: &str) -> Option<&'a str> {
    all_after(text, key).next()
}

fn all_after<'a>(text: &'a str, key: &str) -> impl Iterator<Item = &'a str> {
    let is_whole = move |at: usize| !text[..at].ends_with(|char: char| char.is_alphanumeric() || char == '_');
    text.match_indices(key).filter(move |(at, _)| is_whole(*at)).map(move |(at, key)| &text[at + key.len()..])
}

/// The string after a key: `apps_path: "apps"`.
fn string_of(text: &str, key: &str) -> Option<String> {
    strings_of(text, key).into_iter().next()
}

fn strings_of(text: &str, key: &str) -> Vec<String> {
    let values = all_after(text, key).filter_map(|rest| rest.strip_prefix(':'));
    let quoted = values.filter_map(|rest| rest.trim_start().strip_prefix('"')?.split_once('"'));
    quoted.map(|(text, _)| text.to_owned()).collect()
}

/// The strings of the list after a key: `elixirc_paths: ["lib", "web"]`.
fn list_of(text: &str, key: &str) -> Vec<String> {
    let list = after(text, key).and_then(|rest| rest.trim_start_matches(':').trim_start().strip_prefix('['));
    let Some((list, _)) = list.and_then(|rest| rest.split_once(']')) else { return Vec::new() };
    list.split('"').skip(1).step_by(2).map(str::to_owned).collect()
}

/// A project of Gleam, whose build has the layout of an Erlang release.
fn gleam(root: &Path) -> Option<Project> {
    let text = fs::read_to_string(root.join("gleam.toml")).ok()?;
    let table: toml::Table = text.parse().ok()?;
    let name = table.get("name")?.as_str()?.to_owned();
    let library = root.join("build/dev/erlang");
    let names = table.get("dependencies").and_then(toml::Value::as_table);
    let application = Application {
        ebin: library.join(&name).join("ebin"),
        name,
        folder: root.to_path_buf(),
        sources: vec![root.join("src")],
    };
    Some(Project {
        root: root.to_path_buf(),
        tool: BuildTool::Gleam,
        applications: vec![application],
        dependencies: names.map(|names| names.keys().cloned().collect()).unwrap_or_default(),
        outside: Vec::new(),
        libraries: vec![library],
        fetched: vec![root.join("build")],
        erlang: ErlOptions::default(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mix_file_is_read_as_text() {
        let text = without_comments(
            "def project do\n [app: :shop, # the shop\n  elixirc_paths: [\"lib\", \"web\"], apps_path: \"parts\",\n  deps: deps()]\nend\n\
             # {:old, \"1\"}\ndefp deps, do: [{:jason, \"~> 1.4\"}, {:cart, path: \"../cart\"}]\n",
        );
        assert_eq!(string_of(&text, "apps_path").as_deref(), Some("parts"));
        assert_eq!(list_of(&text, "elixirc_paths"), ["lib", "web"]);
        assert_eq!(dependencies(&text), ["jason", "cart"]);
        assert_eq!(strings_of(&text, "path"), ["../cart"]);
        let own = application(Path::new("/x"), &text, Path::new("/x/_build/dev/lib")).expect("an application");
        assert_eq!((own.name.as_str(), own.ebin.to_str()), ("shop", Some("/x/_build/dev/lib/shop/ebin")));
    }
}
