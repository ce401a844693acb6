//! The configuration file: options that hold for every call of the command.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};

use search::{Ignore, LineName};
use serde::Deserialize;
use session::Failure;
use session::names::{atom, function_name};
use session::near::with_near;
use session::project::line_from_here;
use term::{Atom, Mfa};
use toml::Spanned;

use crate::options::{FailOn, SearchOptions, WalkOptions};

/// The file's name.
const NAME: &str = "hound.toml";

/// A file that was read; nothing is in it if there is none.
#[derive(Default)]
pub struct Config {
    source: ConfigText,
    pub search: SearchOptions,
    pub walk: WalkOptions,
    pub fail_on: Option<FailOn>,
    ignore: Vec<Ignore>,
    opaque: Vec<Spanned<String>>,
    /// A file of calls, beside the configuration.
    pub learn: Option<PathBuf>,
    modules: Vec<(Atom, Vec<Ignore>)>,
    functions: Vec<FunctionEntry>,
    lines: Vec<LineEntry>,
}

/// The section of one function.
struct FunctionEntry {
    function: Mfa,
    at: Range<usize>,
    ignore: Vec<Ignore>,
    precondition: Option<Spanned<String>>,
    is_property: bool,
}

/// The section of one line.
struct LineEntry {
    line: LineName,
    at: Range<usize>,
    /// Each holds at the line.
    ignore: Vec<Ignore>,
}

/// The text of the file, where mistakes are placed.
#[derive(Default)]
struct ConfigText {
    path: PathBuf,
    text: String,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct Top {
    #[serde(rename = "fail-on")]
    fail_on: Option<FailOn>,
    ignore: Vec<Spanned<String>>,
    opaque: Vec<Spanned<String>>,
    learn: Option<PathBuf>,
    search: SearchOptions,
    walk: WalkOptions,
    module: BTreeMap<Spanned<String>, ModuleTable>,
    function: BTreeMap<Spanned<String>, FunctionTable>,
    line: BTreeMap<Spanned<String>, ModuleTable>,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct ModuleTable {
    ignore: Vec<Spanned<String>>,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct FunctionTable {
    ignore: Vec<Spanned<String>>,
    pre: Option<Spanned<String>>,
    property: bool,
}

impl Config {
    /// Reads the file given, or the one in the current folder or the nearest around it if there is one.
    pub fn read(given: Option<&Path>) -> Result<Config, Failure> {
        let path = given.map_or_else(found, Path::to_path_buf);
        match std::fs::read_to_string(&path) {
            Ok(text) => Config::parse(&path, text),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound && given.is_none() => Ok(Config::default()),
            Err(error) => Err(Failure::Unusable(format!("{}: {error}", path.display()))),
        }
    }

    fn parse(path: &Path, text: String) -> Result<Config, Failure> {
        let source = ConfigText { path: path.to_path_buf(), text };
        let top: Top = toml::from_str(&source.text)
            .map_err(|error| source.mistake(error.span().unwrap_or_default(), &with_near(error.message().trim())))?;
        let modules = top.module.into_iter().map(|(name, table)| source.module(&name, &table));
        let functions = top.function.into_iter().map(|(name, table)| source.function(&name, table));
        let (modules, functions) = (modules.collect::<Result<_, _>>()?, functions.collect::<Result<_, _>>()?);
        let lines = top.line.into_iter().map(|(name, table)| source.line(&name, &table)).collect::<Result<_, _>>()?;
        let ignore = source.ignored(&top.ignore)?;
        let learn = top.learn.map(|file| path.parent().unwrap_or(Path::new("")).join(file));
        Ok(Config {
            search: top.search,
            walk: top.walk,
            fail_on: top.fail_on,
            ignore,
            opaque: top.opaque,
            learn,
            modules,
            functions,
            lines,
            source,
        })
    }

    /// Returns the exceptions that are no findings in this function.
    pub fn ignored(&self, function: Mfa) -> Vec<Ignore> {
        let modules = self.modules.iter().filter(|(module, _)| *module == function.module);
        let functions = self.functions.iter().filter(|entry| entry.function == function);
        let lines = self.lines.iter().map(|entry| &entry.ignore);
        let lists = modules.map(|(_, list)| list).chain(functions.map(|entry| &entry.ignore)).chain(lines);
        lists.fold(self.ignore.clone(), |all, list| [all, list.clone()].concat())
    }

    /// Returns the function's precondition, whose name `read` resolves.
    pub fn precondition(
        &self,
        function: Mfa,
        read: impl FnOnce(&str) -> Result<Mfa, String>,
    ) -> Result<Option<Mfa>, Failure> {
        let entry = self.functions.iter().find(|entry| entry.function == function);
        let Some(written) = entry.and_then(|entry| entry.precondition.as_ref()) else { return Ok(None) };
        let read = read(written.get_ref()).map_err(|why| self.source.mistake(written.span(), &why));
        read.map(Some)
    }

    /// True if a function has to give `true`.
    pub fn is_property(&self, function: Mfa) -> bool {
        self.functions.iter().any(|entry| entry.function == function && entry.is_property)
    }

    /// Returns the opaque functions, whose names `read` resolves.
    pub fn opaque(&self, read: impl Fn(&str) -> Result<Mfa, String>) -> Result<Vec<Mfa>, Failure> {
        let read = |name: &Spanned<String>| read(name.get_ref()).map_err(|why| self.source.mistake(name.span(), &why));
        self.opaque.iter().map(read).collect()
    }

    /// Reports the first name that `check` does not accept.
    pub fn check_names(&self, mut check: impl FnMut(Mfa) -> Result<(), String>) -> Result<(), Failure> {
        let mut entries: Vec<&FunctionEntry> = self.functions.iter().collect();
        entries.sort_by_key(|entry| entry.at.start);
        let wrong = |entry: &FunctionEntry, why: String| self.source.mistake(entry.at.clone(), &why);
        entries.into_iter().try_for_each(|entry| check(entry.function).map_err(|why| wrong(entry, why)))
    }

    /// Reports the first line that `check` does not accept.
    pub fn check_lines(&self, mut check: impl FnMut(&LineName) -> Result<(), String>) -> Result<(), Failure> {
        let mut entries: Vec<&LineEntry> = self.lines.iter().collect();
        entries.sort_by_key(|entry| entry.at.start);
        let wrong = |entry: &LineEntry, why: String| self.source.mistake(entry.at.clone(), &why);
        entries.into_iter().try_for_each(|entry| check(&entry.line).map_err(|why| wrong(entry, why)))
    }
}

impl ConfigText {
    fn module(&self, name: &Spanned<String>, table: &ModuleTable) -> Result<(Atom, Vec<Ignore>), Failure> {
        let module = atom(name.get_ref());
        let module = module.ok_or_else(|| self.mistake(name.span(), "this is no module's name"))?;
        Ok((module, self.ignored(&table.ignore)?))
    }

    fn function(&self, name: &Spanned<String>, table: FunctionTable) -> Result<FunctionEntry, Failure> {
        let function = function_name(name.get_ref()).map_err(|why| self.mistake(name.span(), &why))?;
        let ignore = self.ignored(&table.ignore)?;
        let FunctionTable { pre, property, .. } = table;
        Ok(FunctionEntry { function, at: name.span(), ignore, precondition: pre, is_property: property })
    }

    fn line(&self, name: &Spanned<String>, table: &ModuleTable) -> Result<LineEntry, Failure> {
        let line = LineName::parse(&line_from_here(&self.path, name.get_ref()));
        let line =
            line.ok_or_else(|| self.mistake(name.span(), "this is no line; write a file and a number: m.erl:12"))?;
        if table.ignore.is_empty() {
            return Err(self.mistake(name.span(), "nothing is ignored here; write ignore = [\"any\"] for everything"));
        }
        let ignore = self.ignored(&table.ignore)?.into_iter().map(|rule| rule.at(line.clone())).collect();
        Ok(LineEntry { line, at: name.span(), ignore })
    }

    fn ignored(&self, list: &[Spanned<String>]) -> Result<Vec<Ignore>, Failure> {
        let read = |text: &Spanned<String>| {
            Ignore::parse(text.get_ref()).map_err(|why| self.mistake(text.span(), &why.to_string()))
        };
        list.iter().map(read).collect()
    }

    fn mistake(&self, at: Range<usize>, what: &str) -> Failure {
        mistake(&self.path, &self.text, at, what)
    }
}

/// The file in the current folder, or else the nearest around it.
fn found() -> PathBuf {
    let here = std::env::current_dir().unwrap_or_default();
    let above = here.ancestors().skip(1).map(|folder| folder.join(NAME));
    let all = std::iter::once(PathBuf::from(NAME)).chain(above);
    all.into_iter().find(|path| path.is_file()).unwrap_or_else(|| PathBuf::from(NAME))
}

/// A mistake in a file of TOML, with its place.
pub fn mistake(path: &Path, text: &str, at: Range<usize>, what: &str) -> Failure {
    let before = text.get(..at.start).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    Failure::BadConfig(format!("{}:{line}:{column}: {what}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(text: &str) -> String {
        let read = Config::parse(Path::new("h.toml"), text.to_owned());
        read.err().map_or_else(|| "no mistake".to_owned(), |failure| failure.to_string())
    }

    #[test]
    fn mistakes_are_placed() {
        for (text, place) in [
            ("[serach]\n", "h.toml:1:2: unknown field `serach`"),
            ("[search]\nrun = 7\n", "h.toml:2:1: unknown field `run`"),
            ("[search]\nruns = \"many\"\n", "h.toml:2:8: invalid type: string \"many\""),
            ("[search]\nstrategy = \"random\"\n", "h.toml:2:12: unknown variant `random`"),
            ("ignore = [\"throw\",\n  \"panic\"]\n", "h.toml:2:3: `panic` is no class of exception"),
            ("ignore = [\"error:{a\"]\n", "h.toml:1:11: cannot read the reason"),
            ("[function.\"f/1\"]\npre = \"g/1\"\n", "h.toml:1:11: \"f/1\" is not a function's name"),
            ("[module.\"a b\"]\n", "h.toml:1:9: this is no module's name"),
            ("[function.\"m:f/1\"]\npost = \"g/1\"\n", "h.toml:2:1: unknown field `post`"),
            ("[line.\"m.erl\"]\nignore = [\"any\"]\n", "h.toml:1:7: this is no line"),
            ("[line.\"m.erl:3\"]\n", "h.toml:1:7: nothing is ignored here"),
            ("[line.\"m.erl:3\"]\nignore = [\"leak:x\"]\n", "h.toml:2:11: `leak` has no reason"),
            ("ignore = [\n", "h.toml:"),
        ] {
            assert!(message(text).starts_with(place), "{text:?}: {}", message(text));
        }
    }

    #[test]
    fn lists_add_up() {
        let text =
            "ignore = [\"throw\"]\n[module.m]\nignore = [\"exit\"]\n[function.\"m:f/1\"]\nignore = [\"error:a\"]\n";
        let config = Config::parse(Path::new("h.toml"), text.to_owned()).unwrap_or_else(|e| panic!("{e}"));
        let ignored = |name| config.ignored(function_name(name).unwrap_or_else(|e| panic!("{e}"))).len();
        assert_eq!((ignored("m:f/1"), ignored("m:g/1"), ignored("n:f/1")), (3, 2, 1));
    }
}
