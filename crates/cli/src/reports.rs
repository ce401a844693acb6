//! Reports on disk, for other tools.

use std::fs::OpenOptions;
use std::path::{Path, PathBuf};

use report::{Exchange, ExchangeView};
use session::{Failure, JobResult};

use crate::options::{ExploreFormat, FailOn};

/// The files that are wanted.
pub struct Reports(Vec<(Exchange, PathBuf)>);

impl Reports {
    /// The files of these words, a format and a name each. One that cannot be written is reported before the exploration.
    pub fn of(words: &[String]) -> Result<Reports, Failure> {
        let mut reports = Vec::new();
        for [format, file] in words.as_chunks().0 {
            let Some(exchange) = ExploreFormat::of_exchange(format) else {
                return Err(Failure::Unusable(format!(
                    "--report {format}: only sarif, junit and github can be written"
                )));
            };
            let file = PathBuf::from(file);
            OpenOptions::new().append(true).create(true).open(&file).map_err(|error| failed(&file, &error))?;
            reports.push((exchange, file));
        }
        Ok(Reports(reports))
    }

    /// Writes them all.
    pub fn write(&self, all: &[JobResult], view: &ExchangeView) -> Result<(), Failure> {
        self.0.iter().try_for_each(|(exchange, file)| {
            std::fs::write(file, exchange.report(all, view)).map_err(|error| failed(file, &error))
        })
    }
}

/// The view that the options ask for, with files named from the current folder.
pub fn view(fail_on: FailOn) -> ExchangeView {
    let folder = std::env::current_dir().ok().map(|folder| folder.display().to_string());
    ExchangeView { folder, fail_on: fail_on.rank(), is_incomplete_failed: fail_on == FailOn::Incomplete }
}

fn failed(path: &Path, error: &std::io::Error) -> Failure {
    Failure::Unusable(format!("{}: {error}", path.display()))
}
