//! Test modules on disk: calls that the real VM repeats, beside what a person has written there.

use std::path::{Path, PathBuf};

use report::{Suite, SuiteError, SuiteKind};
use session::JobResult;
use session::explore::{covering_cases, modules};
use session::{Failure, Session};
use term::{Atom, Mfa};

use crate::options::ExploreOptions;

/// The folder of the test modules.
pub struct Folder {
    kind: SuiteKind,
    path: PathBuf,
}

/// A file that was written, and how many tests it holds.
pub struct Written {
    /// The file.
    pub file: PathBuf,
    /// The number of tests.
    pub tests: usize,
}

impl Folder {
    /// The folder that the options name. A folder that cannot be written to is reported before the exploration.
    pub fn of(options: &ExploreOptions, functions: &[Mfa]) -> Result<Option<Folder>, Failure> {
        let folder = match options.tests.as_deref() {
            None => return Ok(None),
            Some(words) => {
                let (word, path) = (words.first().map_or("", String::as_str), words.get(1).map_or("", String::as_str));
                let kind = SuiteKind::NAMES.iter().find(|(name, _)| *name == word);
                let unknown = || Failure::Unusable(format!("--tests {word}: tests are written as eunit, ct or exunit"));
                Folder { kind: kind.ok_or_else(unknown)?.1, path: PathBuf::from(path) }
            }
        };
        std::fs::create_dir_all(&folder.path).map_err(|error| failed(&folder.path, &error))?;
        let mut files: Vec<PathBuf> = Vec::new();
        for module in modules(functions) {
            let file = folder.file(module);
            folder.read(&file)?;
            if files.contains(&file) {
                let why = format!("{}: the tests of two modules would be in this file", file.display());
                return Err(Failure::Unusable(why));
            }
            files.push(file);
        }
        Ok(Some(folder))
    }

    fn file(&self, module: Atom) -> PathBuf {
        self.path.join(self.kind.file(module))
    }

    /// The text of a file that is there. One that was not written by this command stays.
    fn read(&self, file: &Path) -> Result<Option<String>, Failure> {
        match std::fs::read_to_string(file) {
            Ok(text) => Suite::check_text(&text).map(|()| Some(text)).map_err(|error| unusable(file, &error)),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(failed(file, &error)),
        }
    }

    /// Writes a test module per module under test that has a test.
    pub fn write(&self, session: &Session, all: &[JobResult]) -> Result<Vec<Written>, Failure> {
        let mut written = Vec::new();
        for module in modules(&all.iter().map(|one| one.function).collect::<Vec<_>>()) {
            let mut suite = Suite::new(self.kind, module, session.language(module));
            for one in all.iter().filter(|one| one.function.module == module) {
                suite.add(one, &covering_cases(session, one));
            }
            let file = self.file(module);
            let old = self.read(&file)?;
            let made = suite.text(old.as_deref()).map_err(|error| unusable(&file, &error))?;
            if let Some((text, tests)) = made {
                std::fs::write(&file, text).map_err(|error| failed(&file, &error))?;
                written.push(Written { file, tests });
            }
        }
        Ok(written)
    }
}

fn unusable(file: &Path, error: &SuiteError) -> Failure {
    let file = file.display();
    Failure::Unusable(match error {
        SuiteError::Foreign => {
            format!("{file} is there and was not written by hound: move it, or choose another folder")
        }
        SuiteError::Broken { line, why } => format!("{file}:{line}: {why}: mend the comments, or move the file"),
    })
}

fn failed(path: &Path, error: &std::io::Error) -> Failure {
    Failure::Unusable(format!("{}: {error}", path.display()))
}
