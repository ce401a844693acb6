//! Executions on disk: a file of JSON lines for each function.

use std::path::{Path, PathBuf};

use session::{Failure, JobResult};

/// The folder of the files.
pub struct TraceFolder(PathBuf);

impl TraceFolder {
    /// Makes the folder.
    pub fn make(folder: &Path) -> Result<TraceFolder, Failure> {
        std::fs::create_dir_all(folder).map_err(|error| failed(folder, &error))?;
        Ok(TraceFolder(folder.to_owned()))
    }

    /// Writes the executions of a function.
    pub fn write(&self, explored: &JobResult) -> Result<(), Failure> {
        let file = self.0.join(file_name(&explored.function.to_string()));
        std::fs::write(&file, report::execution_lines(explored)).map_err(|error| failed(&file, &error))
    }
}

/// `till:change/2` is `till.change-2.jsonl`; what a file cannot be called is written as the code of its character.
fn file_name(function: &str) -> String {
    let plain = |c: char| match c {
        ':' => ".".to_owned(),
        '/' => "-".to_owned(),
        _ if c.is_ascii_alphanumeric() || "_@!?".contains(c) => c.to_string(),
        _ => format!("%{:x}", u32::from(c)),
    };
    format!("{}.jsonl", function.chars().map(plain).collect::<String>())
}

fn failed(path: &Path, error: &std::io::Error) -> Failure {
    Failure::Unusable(format!("{}: {error}", path.display()))
}
