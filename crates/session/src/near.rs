//! Names that were meant where another was typed.

use std::path::{Path, PathBuf};

/// The similarity from which one name is taken for a misspelling of the other.
const ALIKE: f64 = 0.75;

/// Returns the name that is most like the wanted one, if any is much like it; of several the first by the alphabet.
pub(crate) fn nearest<'a>(names: impl IntoIterator<Item = &'a str>, wanted: &str) -> Option<&'a str> {
    let likeness = |name: &str| strsim::normalized_damerau_levenshtein(&name.to_lowercase(), &wanted.to_lowercase());
    let near = names.into_iter().map(|name| (likeness(name), name)).filter(|(likeness, _)| *likeness >= ALIKE);
    near.max_by(|a, b| a.0.total_cmp(&b.0).then_with(|| b.1.cmp(a.1))).map(|(_, name)| name)
}

/// Returns a message about an unknown word, whose alternatives are quoted after it, with the one that may have been meant.
pub fn with_near(message: &str) -> String {
    let mut quoted = message.split('`').skip(1).step_by(2);
    let wrong = quoted.next().filter(|_| message.starts_with("unknown "));
    match wrong.and_then(|wrong| nearest(quoted, wrong)) {
        Some(near) => format!("{message}; did you mean `{near}`?"),
        None => message.to_owned(),
    }
}

/// Returns the file or folder that stands where one was named that is not there.
pub(crate) fn nearest_file(path: &Path) -> Option<PathBuf> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let entries = std::fs::read_dir(folder.unwrap_or(Path::new("."))).ok()?.flatten();
    let names: Vec<String> = entries.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    let near = nearest(names.iter().map(String::as_str), path.file_name()?.to_str()?)?;
    Some(folder.map_or_else(|| PathBuf::from(near), |folder| folder.join(near)))
}

/// `a`, `a or b`, `a, b or c`.
pub(crate) fn alternatives(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [before @ .., last] => format!("{} or {last}", before.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_misspelling_is_near() {
        assert_eq!(nearest(["total", "tally"], "totl"), Some("total"));
        assert_eq!(nearest(["Shop", "Cart"], "shop"), Some("Shop"));
        assert_eq!(nearest(["total"], "pay"), None);
        assert_eq!(alternatives(&["a".into(), "b".into(), "c".into()]), "a, b or c");
    }
}
