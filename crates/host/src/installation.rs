//! The Erlang installation: its programs, its versions and its code path, and Elixir's if that is installed.

use std::ffi::OsString;
use std::fs;
use std::path::{MAIN_SEPARATOR_STR, Path, PathBuf};
use std::process::{Command, Stdio};

use crate::embedded::command;

/// The file beside the compiled Erlang half that describes the installation which compiled it.
pub(crate) const FILE: &str = "installation";

/// The releases whose operations were compared with ours.
const TESTED: &[&str] = &["25"];

/// An Erlang installation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Installation {
    /// The root of the installation.
    pub root: PathBuf,
    /// The folder of the emulator and its helpers.
    pub programs: PathBuf,
    /// The release, the versions of the emulator and of the compiler, and the root: what extracted code depends on.
    pub identity: String,
    /// The folders of compiled code, in the order in which they are searched.
    pub code_path: Vec<PathBuf>,
}

impl Installation {
    /// Reads the description that [`DESCRIBE`] has written.
    pub fn read(folder: &Path) -> Option<Installation> {
        let text = fs::read_to_string(folder.join(FILE)).ok()?;
        let value = |name: &str| text.lines().filter_map(|line| line.split_once('\t')).find(|(key, _)| *key == name);
        let path = |name: &str| value(name).map(|(_, path)| PathBuf::from(path));
        let versions: Vec<&str> =
            ["release", "erts", "compiler", "root"].iter().filter_map(|name| Some(value(name)?.1)).collect();
        let listed = text.lines().filter_map(|line| line.strip_prefix("path\t"));
        let code_path: Vec<PathBuf> = listed.map(PathBuf::from).filter(|path| path.is_absolute()).collect();
        (versions.len() == 4 && !code_path.is_empty()).then_some(())?;
        Some(Installation { root: path("root")?, programs: path("bindir")?, identity: versions.join(" "), code_path })
    }

    /// The number of the release.
    pub fn release(&self) -> &str {
        self.identity.split(' ').next().unwrap_or_default()
    }

    /// True if the operations of this release were compared with ours.
    pub fn is_tested(&self) -> bool {
        TESTED.contains(&self.release())
    }

    /// The versions in words.
    pub fn description(&self) -> String {
        let mut parts = self.identity.splitn(4, ' ');
        let mut next = || parts.next().unwrap_or_default();
        let note = if self.is_tested() { "" } else { " (not tested with hound: nothing is called safe)" };
        format!("OTP {}{note}, emulator {}, compiler {}, in {}", next(), next(), next(), next())
    }

    /// The program that reads the emulator's options and becomes the emulator.
    pub fn emulator(&self) -> PathBuf {
        self.programs.join("erlexec")
    }

    /// The .beam file of a module in these folders, or among the modules that are part of the emulator.
    pub fn find<'a>(&'a self, first: impl Iterator<Item = &'a PathBuf>, module: &str) -> Option<PathBuf> {
        let name = format!("{module}.beam");
        let listed = first.chain(&self.code_path).map(|folder| folder.join(&name));
        let built_in = self.built_in().into_iter().map(|folder| folder.join(&name));
        listed.chain(built_in).find(|file| file.is_file())
    }

    fn built_in(&self) -> Vec<PathBuf> {
        let folders = [self.root.clone(), self.root.join("lib")];
        let entries = folders.iter().flat_map(|folder| fs::read_dir(folder).into_iter().flatten().flatten());
        let emulators = entries.filter(|entry| entry.file_name().as_encoded_bytes().starts_with(b"erts-"));
        let mut found: Vec<PathBuf> = emulators.map(|entry| entry.path().join("ebin")).collect();
        found.sort();
        found.reverse();
        found
    }
}

/// An expression that describes the installation it runs on in a file of the current folder.
pub(crate) const DESCRIBE: &str = "\
    _ = application:load(compiler), \
    {ok, Compiler} = application:get_key(compiler, vsn), \
    Facts = [{\"release\", erlang:system_info(otp_release)}, {\"erts\", erlang:system_info(version)}, \
             {\"compiler\", Compiler}, {\"root\", code:root_dir()}, {\"bindir\", os:getenv(\"BINDIR\")} \
             | [{\"path\", filename:absname(Path)} || Path <- code:get_path(), Path =/= \".\"]], \
    ok = file:write_file(\"installation\", unicode:characters_to_binary([[Key, $\\t, Value, $\\n] || {Key, Value} <- Facts]))";

/// The folders of Elixir's compiled code, if it is installed: beside this `erl`, or in the path of commands.
pub(crate) fn elixir(erl: &Path) -> Vec<PathBuf> {
    let neighbour = erl.parent().map(|folder| folder.join("elixir")).filter(|file| file.is_file());
    let found = neighbour.or_else(|| command(Path::new("elixir")));
    let libraries = found.and_then(|elixir| beside(&elixir).or_else(|| asked(&elixir)));
    let entries = libraries.into_iter().flat_map(|folder| fs::read_dir(folder).into_iter().flatten().flatten());
    let mut folders: Vec<PathBuf> =
        entries.map(|entry| entry.path().join("ebin")).filter(|path| path.is_dir()).collect();
    folders.sort();
    folders
}

fn is_library(folder: &Path) -> bool {
    folder.join("elixir/ebin/elixir.beam").is_file()
}

fn beside(elixir: &Path) -> Option<PathBuf> {
    let real = fs::canonicalize(elixir).ok()?;
    real.parent()?.parent().map(|root| root.join("lib")).filter(|folder| is_library(folder))
}

/// The command may be a wrapper that lies elsewhere: then Elixir itself must say where it is.
fn asked(elixir: &Path) -> Option<PathBuf> {
    let mut question = Command::new(elixir);
    question.args(["-e", "IO.puts(:code.lib_dir(:elixir))"]).stdin(Stdio::null()).stderr(Stdio::null());
    let output = question.current_dir(MAIN_SEPARATOR_STR).output().ok()?;
    let folder = PathBuf::from(String::from_utf8(output.stdout).ok()?.trim());
    folder.parent().map(Path::to_path_buf).filter(|folder| is_library(folder))
}

/// The variables that a VM gets to see: what it needs to start, and nothing that could be a secret.
pub(crate) fn environment() -> impl Iterator<Item = (OsString, OsString)> {
    const KEPT: &[&str] = &["PATH", "HOME", "USER", "LANG", "LANGUAGE", "TZ", "TMPDIR", "TERM"];
    const BEGINNINGS: &[&str] = &["LC_", "ELIXIR_"];
    std::env::vars_os().filter(|(name, _)| {
        let name = name.to_string_lossy();
        KEPT.contains(&&*name) || BEGINNINGS.iter().any(|beginning| name.starts_with(beginning))
    })
}
