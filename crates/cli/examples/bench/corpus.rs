//! The programs with oracles, as the tests read them: which functions crash, how and where.

use std::path::PathBuf;

use serde_json::Value;

use crate::oracle::{self, Crash};

/// A function of a program and the crashes that some inputs cause.
pub struct Oracle {
    pub file: PathBuf,
    pub module: String,
    pub function: String,
    pub pre: Option<String>,
    pub crashes: Vec<Crash>,
}

/// Reads class, reason and line, as explorations and PropEr's process report them.
pub fn crash(reported: &Value) -> Option<Crash> {
    let [class, reason] = ["class", "reason"].map(|name| reported[name].as_str().map(str::to_owned));
    Some(Crash { class: class?, reason: reason?, line: reported["line"].as_u64()? })
}

impl Oracle {
    /// How many of the known crashes are among these.
    pub fn met_by(&self, crashes: &[Crash]) -> usize {
        let is_met = |known: &Crash| crashes.iter().any(|it| known.fits(&it.class, &it.reason, it.line));
        self.crashes.iter().filter(|known| is_met(known)).count()
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
        let oracles = oracle::read(&text).map_err(|problem| format!("{}: {problem}", file.display()))?;
        let module = file.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        all.extend(oracles.all.into_iter().map(|oracle| Oracle {
            file: file.clone(),
            module: module.to_owned(),
            function: oracle.function,
            pre: oracle.pre,
            crashes: oracle.crashes,
        }));
    }
    Ok(all)
}
