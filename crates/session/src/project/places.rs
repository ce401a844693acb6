//! Where sources are for the person at the terminal: compilers record other paths, relative to other folders, or in a copy.

use std::path::{MAIN_SEPARATOR_STR, Path, PathBuf};

use super::copy_of;

/// The folders that paths are understood in.
#[derive(Clone, Default, Debug)]
pub(crate) struct Places {
    /// The current folder.
    here: PathBuf,
    /// The top folders of projects.
    roots: Vec<PathBuf>,
    /// A folder below which the whole paths of copied files begin anew.
    copy: Option<PathBuf>,
}

impl Places {
    /// Returns the places of a command that is run here.
    pub fn new(copy: Option<PathBuf>) -> Places {
        let here = std::env::current_dir().unwrap_or_default();
        Places { here, roots: Vec::new(), copy }
    }

    /// Adds the top folder of a project.
    pub fn with_root(mut self, root: &Path) -> Places {
        self.roots.push(root.to_path_buf());
        self
    }

    /// Adds the places of another project.
    pub fn join(&mut self, other: &Places) {
        self.roots.extend(other.roots.iter().cloned());
        self.copy = self.copy.take().or_else(|| other.copy.clone());
    }

    /// Returns the user's file of which this may be a copy.
    pub fn real(&self, path: &Path) -> PathBuf {
        let inside = self.copy.as_ref().and_then(|copy| path.strip_prefix(copy).ok());
        inside.map_or_else(|| path.to_path_buf(), |rest| Path::new(MAIN_SEPARATOR_STR).join(rest))
    }

    /// Returns the copy of a file, or the file where there is none.
    pub fn built(&self, path: &Path) -> PathBuf {
        self.copy.as_ref().map_or_else(|| path.to_path_buf(), |copy| copy_of(copy, path))
    }

    /// Returns a file as a person finds it from here, given its name in compiled code and the source of its module.
    pub fn shown(&self, file: &str, source: Option<&Path>) -> String {
        if self.roots.is_empty() || file.is_empty() {
            return file.to_owned();
        }
        let path = Path::new(file);
        let real = if path.is_absolute() { Some(self.real(path)) } else { self.beside(path, source) };
        let found = real.filter(|real| real.is_file());
        let inside = found.as_ref().and_then(|real| self.relative_name(real));
        let whole = || found.as_ref().filter(|_| path.is_absolute()).map(|real| real.display().to_string());
        inside.or_else(whole).unwrap_or_else(|| file.to_owned())
    }

    /// The file that a relative name means, in the folder that the compiler ran in.
    fn beside(&self, file: &Path, source: Option<&Path>) -> Option<PathBuf> {
        let source = self.real(source?);
        let tops = source.ancestors().skip(1);
        tops.map(|top| top.join(file)).find(|path| path.is_file())
    }

    /// The path from the current folder, of files that are below it or in a project.
    fn relative_name(&self, path: &Path) -> Option<String> {
        let path = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
        let is_inside = self.roots.iter().any(|root| path.starts_with(root) && self.here.starts_with(root));
        if is_inside || path.starts_with(&self.here) { relative(&self.here, &path) } else { None }
    }
}

/// Returns a file and a line as they are named from the current folder, where they are named from that of a configuration.
pub fn line_from_here(configuration: &Path, text: &str) -> String {
    let named = || {
        let (file, line) = text.rsplit_once(':')?;
        let folder = configuration.parent().filter(|folder| folder.is_absolute())?;
        let whole = folder.join(file).canonicalize().ok()?;
        relative(&std::env::current_dir().ok()?, &whole).map(|file| format!("{file}:{line}"))
    };
    named().unwrap_or_else(|| text.to_owned())
}

fn relative(here: &Path, path: &Path) -> Option<String> {
    let up = here.ancestors().position(|folder| path.starts_with(folder))?;
    let rest = path.strip_prefix(here.ancestors().nth(up)?).ok()?;
    rest.to_str().map(|rest| format!("{}{rest}", "../".repeat(up)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_named_from_the_current_folder() {
        let top = std::env::temp_dir().join(format!("hound-places-{}", std::process::id()));
        std::fs::create_dir_all(top.join("apps/a/src")).expect("a folder");
        std::fs::write(top.join("apps/a/src/a.erl"), "").expect("a file");
        let top = top.canonicalize().expect("it is there");
        let places = |here: &str| Places { here: top.join(here), roots: vec![top.clone()], copy: Some("/copy".into()) };
        let source = top.join("apps/a/src/a.erl");
        let copied = format!("/copy{}", source.display());
        for (here, file, wanted) in [
            ("", source.to_str().expect("UTF-8"), "apps/a/src/a.erl"),
            ("", "src/a.erl", "apps/a/src/a.erl"),
            ("", &copied, "apps/a/src/a.erl"),
            ("apps/a", "src/a.erl", "src/a.erl"),
            ("apps/b", "src/a.erl", "../a/src/a.erl"),
            ("", "lists.erl", "lists.erl"),
        ] {
            assert_eq!(places(here).shown(file, Some(Path::new(&copied))), wanted, "{file} from {here}");
        }
        std::fs::remove_dir_all(top).expect("it can be removed");
    }
}
