//! The programs with oracles, as the tests read them: which functions crash, how and where.

use std::path::PathBuf;

use serde_json::Value;

/// A line `%! f/1 crash error:bug@here` of a program.
pub struct Oracle {
    pub file: PathBuf,
    pub module: String,
    pub function: String,
    pub pre: Option<String>,
    pub crashes: Vec<Crash>,
}

/// What a function is known to do for some inputs.
#[derive(Clone, PartialEq, Eq)]
pub struct Crash {
    pub class: String,
    /// The reason, or what stands first in it.
    pub tag: String,
    pub line: u64,
}

impl Crash {
    /// Reads class, reason and line, as explorations and PropEr's process tell them.
    pub fn of(told: &Value) -> Option<Crash> {
        let reason = told["reason"].as_str()?;
        let tag = reason.trim_start_matches('{').split([',', '}']).next()?;
        Some(Crash { class: told["class"].as_str()?.to_owned(), tag: tag.to_owned(), line: told["line"].as_u64()? })
    }
}

impl Oracle {
    /// How many of the known crashes are among these.
    pub fn met_by(&self, crashes: &[Crash]) -> usize {
        self.crashes.iter().filter(|crash| crashes.contains(crash)).count()
    }

    pub fn name(&self) -> String {
        format!("{}:{}", self.module, self.function)
    }

    /// The words of `hound explore` for this function.
    pub fn words(&self) -> Vec<&str> {
        let pre = self.pre.iter().flat_map(|pre| ["--pre", pre.as_str()]);
        [self.file.to_str().unwrap_or_default(), self.function.as_str()].into_iter().chain(pre).collect()
    }
}

/// All oracles, in the order of files and lines.
pub fn oracles() -> Result<Vec<Oracle>, String> {
    let folder = super::repository().join("crates/cli/tests/corpus");
    let listed = std::fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut files: Vec<PathBuf> = listed.filter_map(|file| Some(file.ok()?.path())).collect();
    files.retain(|file| file.extension().is_some_and(|ending| ending == "erl"));
    files.sort();
    let mut all = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
        let lines = text.lines().filter_map(|line| line.strip_prefix("%! "));
        all.extend(lines.filter_map(|line| oracle(&file, &text, line)));
    }
    Ok(all)
}

fn oracle(file: &std::path::Path, text: &str, line: &str) -> Option<Oracle> {
    let mut words = line.split_whitespace();
    let function = words.next()?.to_owned();
    let pre = words.clone().find_map(|word| word.strip_prefix("pre=")).map(str::to_owned);
    let crashes = words.filter_map(|word| crash(text, word)).collect();
    let module = file.file_stem()?.to_str()?.to_owned();
    Some(Oracle { file: file.to_path_buf(), module, function, pre, crashes })
}

/// `error:bug@here`, where `%@here` marks the line.
fn crash(text: &str, word: &str) -> Option<Crash> {
    let (what, label) = word.split_once('@')?;
    let (class, tag) = what.split_once(':')?;
    let is_marked = |line: &str| line.split_once("%@").is_some_and(|(_, mark)| mark.trim() == label);
    let line = text.lines().position(is_marked)? as u64 + 1;
    Some(Crash { class: class.to_owned(), tag: tag.to_owned(), line })
}
