//! The page of an exploration on disk.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use report::PageView;
use session::{Failure, JobResult, Session};

/// The name of the page in its folder.
const PAGE: &str = "index.html";

/// The folder of a page.
pub struct PageFolder(PathBuf);

impl PageFolder {
    /// Makes the folder. One that cannot be written to is reported before the exploration.
    pub fn make(folder: &Path) -> Result<PageFolder, Failure> {
        std::fs::create_dir_all(folder).map_err(|error| failed(folder, &error))?;
        let file = folder.join(PAGE);
        std::fs::OpenOptions::new().append(true).create(true).open(&file).map_err(|error| failed(&file, &error))?;
        Ok(PageFolder(folder.to_owned()))
    }

    /// Writes the page of these results of what the words name; returns its name.
    pub fn write(&self, session: &Session, words: String, all: &[JobResult]) -> Result<PathBuf, Failure> {
        let folder = std::env::current_dir().ok().map(|folder| folder.display().to_string());
        let view = PageView { words, folder, sources: sources(session, all) };
        let file = self.0.join(PAGE);
        std::fs::write(&file, report::html_page(all, &view)).map_err(|error| failed(&file, &error))?;
        Ok(file)
    }
}

/// The texts of the files that results name, as far as they are there.
fn sources(session: &Session, all: &[JobResult]) -> BTreeMap<String, String> {
    let mut texts = BTreeMap::new();
    for explored in all {
        let given = session.file_of(explored.function.module);
        let found = explored.details.iter().map(|detail| detail.file.as_str());
        for file in found.chain([explored.coverage.file.as_str()]).filter(|file| !file.is_empty()) {
            if !texts.contains_key(file)
                && let Some(text) = text(Path::new(file), given.as_deref())
            {
                texts.insert(file.to_owned(), text);
            }
        }
    }
    texts
}

/// The text of a file by its name, or of the given one if it is called so.
fn text(file: &Path, given: Option<&Path>) -> Option<String> {
    let given = given.filter(|given| given.file_name() == file.file_name());
    let bytes = [Some(file), given].into_iter().flatten().find_map(|path| std::fs::read(path).ok())?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

fn failed(path: &Path, error: &std::io::Error) -> Failure {
    Failure::Unusable(format!("{}: {error}", path.display()))
}
