//! Words of a command line that name files or folders of code.

use std::path::{Path, PathBuf};

use crate::Failure;

/// A file or folder to take modules from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CodeSource {
    /// An .erl, .beam or .core file.
    File(PathBuf),
    Folder(PathBuf),
}

/// True if a word is meant as a file: it ends like one, or there is one of that name and it is no expression.
pub fn is_path(word: &str) -> bool {
    let ends = [".erl", ".beam", ".core"].iter().any(|ending| word.ends_with(ending));
    (ends && !word.contains('(')) || (Path::new(word).is_dir() && word.contains(['/', '\\', '.']))
}

/// Returns the source at a path.
pub fn source(path: &Path) -> Result<CodeSource, Failure> {
    if path.is_dir() {
        return Ok(CodeSource::Folder(path.to_path_buf()));
    }
    if !path.exists() {
        return Err(Failure::NoFile(path.to_path_buf()));
    }
    match path.extension().and_then(|ending| ending.to_str()) {
        Some("erl" | "beam" | "core") => Ok(CodeSource::File(path.to_path_buf())),
        _ => Err(Failure::NotSource(path.to_path_buf())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endings_distinguish_files_from_expressions() {
        assert!(is_path("a/m.erl") && is_path("m.beam") && is_path("."));
        assert!(!is_path("m:f(\"x.erl\")") && !is_path("lists:sort([])") && !is_path("f:g(x.erl"));
    }
}
