//! Projects of erlang.mk and of plain makefiles, by their conventions: `src`, `include`, `ebin`, `apps`, `deps`.

use std::fs;
use std::path::{Path, PathBuf};

use host::ErlOptions;
use term::Term;

use super::rebar::add;
use super::terms::{consult, elements};
use super::{Application, BuildTool, Project, files_below, resource_name, subfolders, variable};

/// Files and folders that stand beside `src` in an application.
const BESIDE: [&str; 6] = ["Makefile", "makefile", "Emakefile", "erlang.mk", "ebin", "include"];

/// Reads the project in a folder, if it has the layout of an application, or of several in `apps`.
pub(super) fn read(root: &Path) -> Option<Project> {
    let makefile = ["Makefile", "makefile", "GNUmakefile"].iter().find_map(|it| fs::read_to_string(root.join(it)).ok());
    let text = makefile.unwrap_or_default();
    let is_erlang_mk = root.join("erlang.mk").is_file() || text.contains("erlang.mk");
    let parts = subfolders(&root.join("apps")).into_iter().filter(|folder| is_application(folder));
    let own = is_application(root).then(|| root.to_path_buf());
    let folders: Vec<PathBuf> = parts.chain(own).collect();
    if folders.is_empty() || (folders != [root] && !is_erlang_mk && text.is_empty()) {
        return None;
    }
    let dependencies = variable("DEPS_DIR").map_or_else(|| root.join("deps"), PathBuf::from);
    let applications: Vec<Application> = folders.iter().map(|folder| application(folder)).collect();
    Some(Project {
        root: root.to_path_buf(),
        tool: if is_erlang_mk { BuildTool::ErlangMk } else { BuildTool::Plain },
        dependencies: words_of(&text, "DEPS"),
        outside: Vec::new(),
        libraries: vec![dependencies.clone(), root.join("lib")],
        fetched: vec![dependencies],
        erlang: erlang(root, &text, &applications),
        applications,
    })
}

fn is_application(folder: &Path) -> bool {
    let has_source = || !files_below(&folder.join("src"), &["erl", "xrl", "yrl"]).is_empty();
    BESIDE.iter().any(|name| folder.join(name).exists()) && folder.join("src").is_dir() && has_source()
}

fn application(folder: &Path) -> Application {
    let name = resource_name(&folder.join("src")).or_else(|| resource_name(&folder.join("ebin")));
    let of_folder = || folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    Application {
        name: name.unwrap_or_else(of_folder),
        folder: folder.to_path_buf(),
        sources: vec![folder.join("src")],
        ebin: folder.join("ebin"),
    }
}

/// The options of the compiler that stand in variables of a makefile, or in an Emakefile.
fn erlang(root: &Path, text: &str, applications: &[Application]) -> ErlOptions {
    let mut options = ErlOptions::default();
    for line in joined(text).lines().filter(|line| line.contains("ERLC") || line.contains("ERL_COMPILE")) {
        add_words(&mut options, root, line);
    }
    for form in consult(&fs::read_to_string(root.join("Emakefile")).unwrap_or_default()) {
        let list = form.as_tuple().and_then(|parts| parts.get(1)).map(elements).unwrap_or_default();
        list.iter().for_each(|option| add(&mut options, root, option));
    }
    options.include_dirs.extend(applications.iter().map(|own| own.folder.join("include")));
    options
}

/// Adds options as they are typed: `-DLIMIT=3 -I include +'{parse_transform,t}'`.
fn add_words(options: &mut ErlOptions, root: &Path, line: &str) {
    let mut words = line.split_whitespace();
    while let Some(word) = words.next() {
        if let Some(name) = word.strip_prefix("-D") {
            let (name, value) =
                name.split_once('=').map_or((name, None), |(name, value)| (name, Term::read(value).ok()));
            options.macros.push((name.to_owned(), value));
        } else if let Some(folder) = word.strip_prefix("-I") {
            let folder = if folder.is_empty() { words.next().unwrap_or_default() } else { folder };
            options.include_dirs.push(root.join(folder));
        } else if let Some(option) = word.strip_prefix('+')
            && let Ok(option) = Term::read(option.trim_matches(['\'', '"']))
        {
            add(options, root, &option);
        }
    }
}

/// Lines that go on after a backslash are one.
fn joined(text: &str) -> String {
    text.replace("\\\n", " ")
}

/// The words of a variable: `DEPS = cowboy jsx`.
fn words_of(text: &str, name: &str) -> Vec<String> {
    let joined = joined(text);
    let values = joined.lines().filter_map(|line| {
        let rest = line.strip_prefix(name)?.trim_start();
        ["+=", ":=", "?=", "="].iter().find_map(|sign| rest.strip_prefix(sign))
    });
    values.flat_map(|value| value.split_whitespace().map(str::to_owned).collect::<Vec<_>>()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_taken_out_of_variables() {
        let text = "PROJECT = shop\nDEPS = jsx \\\n  cowboy\nERLC_OPTS += -DLIMIT=3 -I inc +'{parse_transform,tr}' +debug_info\n";
        let options = erlang(Path::new("/x"), text, &[]);
        assert_eq!(options.macros, [("LIMIT".to_owned(), Some(Term::int(3)))]);
        assert_eq!(options.include_dirs, [PathBuf::from("/x/inc")]);
        assert_eq!(options.others.len(), 1);
        assert_eq!(words_of(text, "DEPS"), ["jsx", "cowboy"]);
    }
}
