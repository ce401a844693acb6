//! The source files that a module's locations refer to.

/// File names by number; number 0 is the module's main file.
#[derive(Clone, Debug)]
pub struct Files {
    names: Vec<String>,
}

impl Files {
    /// The files of a module, its main file first.
    pub fn new(main: impl Into<String>) -> Files {
        Files { names: vec![main.into()] }
    }

    /// The names of all files.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The number of a file; beyond the last number there is, files count as the main one.
    pub(crate) fn number(&mut self, name: &str) -> u16 {
        let known = self.names.iter().position(|known| known == name);
        let at = known.unwrap_or_else(|| {
            self.names.push(name.to_string());
            self.names.len() - 1
        });
        u16::try_from(at).unwrap_or(0)
    }
}
