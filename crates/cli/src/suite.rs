//! Test modules on disk: the results of paths that the real VM repeats.

use std::path::{Path, PathBuf};

use report::Suite;
use session::JobResult;
use session::explore::{confirmed_cases, modules};
use session::{Failure, Session};
use term::{Atom, Mfa};

use crate::options::ExploreOptions;

/// The folder of the test modules.
pub struct Folder(PathBuf);

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
            Some([kind, folder]) if kind == "eunit" => Folder(PathBuf::from(folder)),
            Some(words) => {
                let kind = words.first().map_or("", String::as_str);
                return Err(Failure::Unusable(format!("--tests {kind}: only eunit tests can be written")));
            }
        };
        std::fs::create_dir_all(&folder.0).map_err(|error| failed(&folder.0, &error))?;
        for module in modules(functions) {
            folder.check(&folder.file(module))?;
        }
        Ok(Some(folder))
    }

    fn file(&self, module: Atom) -> PathBuf {
        self.0.join(format!("{}.erl", report::suite_name(module)))
    }

    /// A file that was not written by this command stays.
    fn check(&self, file: &Path) -> Result<(), Failure> {
        match std::fs::read_to_string(file) {
            Ok(text) if text.starts_with(report::SUITE_HEAD) => Ok(()),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
            Ok(_) => Err(Failure::Unusable(format!(
                "{} is there and was not written by hound: move it, or choose another folder",
                file.display()
            ))),
            Err(error) => Err(failed(file, &error)),
        }
    }

    /// Writes a test module per module under test that has a test.
    pub fn write(&self, session: &Session, all: &[JobResult]) -> Result<Vec<Written>, Failure> {
        let mut written = Vec::new();
        for module in modules(&all.iter().map(|one| one.function).collect::<Vec<_>>()) {
            let mut suite = Suite::new(module);
            for one in all.iter().filter(|one| one.function.module == module) {
                confirmed_cases(session, one).for_each(|case| suite.add(one, &case));
            }
            let file = self.file(module);
            let tests = suite.count();
            if tests > 0 {
                std::fs::write(&file, suite.text()).map_err(|error| failed(&file, &error))?;
                written.push(Written { file, tests });
            }
        }
        Ok(written)
    }
}

fn failed(path: &Path, error: &std::io::Error) -> Failure {
    Failure::Unusable(format!("{}: {error}", path.display()))
}
