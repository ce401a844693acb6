//! Files of git's revisions: `HEAD~2:src/shop.erl`, with the headers that it may include.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use session::Failure;
use session::library::{SourcePath, source_path};

/// A file on disk, or one of a revision, which is there as long as this is.
pub struct VersionFile {
    path: PathBuf,
    /// The folder of the revision's files.
    folder: Option<PathBuf>,
}

impl VersionFile {
    /// Finds the file of a word.
    pub fn of(word: &str) -> Result<VersionFile, Failure> {
        match word.split_once(':') {
            Some((revision, file)) if !Path::new(word).exists() => VersionFile::of_revision(word, revision, file),
            _ => Ok(VersionFile { path: PathBuf::from(word), folder: None }),
        }
    }

    /// The file as a source.
    pub fn source(&self) -> Result<SourcePath, Failure> {
        match source_path(&self.path)? {
            SourcePath::Folder(folder) => {
                Err(Failure::Unusable(format!("{}: a folder; two files of one module are compared", folder.display())))
            }
            file => Ok(file),
        }
    }

    /// Takes the file and all headers out of a revision. The file is named from the current folder or from the top.
    fn of_revision(word: &str, revision: &str, file: &str) -> Result<VersionFile, Failure> {
        let ask = |args: &[&str], top: &Path| git(args, top).map_err(|why| Failure::Unusable(format!("{word}: {why}")));
        let here = Path::new(".");
        let top = PathBuf::from(ask(&["rev-parse", "--show-toplevel"], here)?.trim_end());
        let prefix = ask(&["rev-parse", "--show-prefix"], here)?;
        let all = ask(&["ls-tree", "-r", "-z", "--name-only", revision], &top)?;
        let own = format!("{}{}", prefix.trim_end(), file.trim_start_matches("./"));
        let names: Vec<&str> = all.split('\0').collect();
        let Some(found) = [own.as_str(), file].into_iter().find(|name| names.contains(name)) else {
            return Err(Failure::Unusable(format!("{word}: {revision} has no file {file}")));
        };
        let folder = std::env::temp_dir().join(format!("hound-{}-{}", std::process::id(), folder_name(revision)));
        let version = VersionFile { path: folder.join(found), folder: Some(folder.clone()) };
        for name in names.iter().filter(|name| **name == found || name.ends_with(".hrl")) {
            let text = ask(&["show", &format!("{revision}:{name}")], &top)?;
            write(&folder.join(name), &text)?;
        }
        Ok(version)
    }
}

impl Drop for VersionFile {
    fn drop(&mut self) {
        if let Some(folder) = &self.folder {
            let _ = std::fs::remove_dir_all(folder);
        }
    }
}

/// A revision as the name of a folder.
fn folder_name(revision: &str) -> String {
    revision.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect()
}

fn write(path: &Path, text: &str) -> Result<(), Failure> {
    let failed = |error: std::io::Error| Failure::Unusable(format!("{}: {error}", path.display()));
    path.parent().map_or(Ok(()), std::fs::create_dir_all).map_err(failed)?;
    std::fs::File::create(path).and_then(|mut file| file.write_all(text.as_bytes())).map_err(failed)
}

/// Returns the output of git, or what it says is wrong.
fn git(args: &[&str], folder: &Path) -> Result<String, String> {
    let output = Command::new("git").args(args).current_dir(folder).stdin(Stdio::null()).output();
    let output = output.map_err(|error| format!("git cannot be run: {error}"))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(said.lines().next().unwrap_or("git failed").to_owned());
    }
    String::from_utf8(output.stdout).map_err(|_| "the file is not text".to_owned())
}
