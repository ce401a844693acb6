//! Two versions of a module: for each function, inputs on which they differ, or the proof that there are none.
//!
//! The old version stands beside the new one under a name of its own. A driver calls both and raises an exception where their
//! outcomes differ: it is explored on the inputs of the function. What it finds is confirmed by a call of each version in a
//! VM of its own.

mod compared;
mod driver;
mod effects;

use std::path::{Path, PathBuf};

use frontend::core::Name;
use frontend::flat::{Style, print, rename};
use host::Source;
use term::{Atom, Mfa};

use crate::library::SourcePath;
use crate::words::function_in;
use crate::{Failure, Opened, Session, SessionOptions};

pub use compared::{ComparisonVerdict, Difference, VersionComparison};

/// Two versions of a module.
pub struct Versions {
    /// The session of the new one, with the old one under another name.
    new: Session,
    /// The session of the old one.
    old: Session,
    /// The name of the new one, and that of the old one in its own session.
    module: Atom,
    old_module: Atom,
    /// The name of the old one beside the new one.
    renamed: Atom,
    /// True if data of the old one has its name.
    is_named: bool,
}

/// The exported functions of two versions.
#[derive(Clone, Default, Debug)]
pub struct VersionFunctions {
    /// Those of both, named as in the new one.
    pub both: Vec<Mfa>,
    /// Those of the new one alone.
    pub added: Vec<Mfa>,
    /// Those of the old one alone.
    pub removed: Vec<Mfa>,
}

impl Versions {
    /// Opens a session for each version, and puts the old one beside the new one.
    pub fn open(old: &SourcePath, new: &SourcePath, options: &SessionOptions) -> Result<Versions, Failure> {
        let (old, old_module) = open(old, options)?;
        let (new, module) = open(new, options)?;
        let renamed = Atom::new(&format!("old {}", old_module.name()));
        let is_named = stand_beside(&old, old_module, &new, renamed)?;
        Ok(Versions { new, old, module, old_module, renamed, is_named })
    }

    /// The session in which both versions are.
    pub fn session(&self) -> &Session {
        &self.new
    }

    /// The module's name in the new version.
    pub fn module(&self) -> Atom {
        self.module
    }

    /// Returns the exported functions: all, or those of these names, of which each has to be in one version.
    pub fn functions(&self, names: &[String]) -> Result<VersionFunctions, Failure> {
        let all = self.all_functions()?;
        if names.is_empty() {
            return Ok(all);
        }
        let mut chosen = VersionFunctions::default();
        for name in names {
            let function = function_in(&self.new, &[self.module], name).map_err(Failure::Unusable)?;
            let lists =
                [(&all.both, &mut chosen.both), (&all.added, &mut chosen.added), (&all.removed, &mut chosen.removed)];
            let Some((_, list)) = lists.into_iter().find(|(known, _)| known.contains(&function)) else {
                return Err(self.new.module(self.module)?.missing(function));
            };
            list.push(function);
        }
        Ok(chosen)
    }

    fn all_functions(&self) -> Result<VersionFunctions, Failure> {
        let (new, old) = (self.new.module(self.module)?, self.old.module(self.old_module)?);
        let named = |name: &Name| Mfa { module: self.module, function: name.function, arity: name.arity };
        let (in_new, in_old) = (new.exported(), old.exported());
        let (both, added): (Vec<Name>, Vec<Name>) = in_new.iter().partition(|name| in_old.contains(name));
        let removed = in_old.iter().filter(|name| !in_new.contains(name)).map(named).collect();
        let all = |names: &[Name]| names.iter().map(named).collect();
        Ok(VersionFunctions { both: all(&both), added: all(&added), removed })
    }
}

/// Opens a session with one module.
fn open(source: &SourcePath, options: &SessionOptions) -> Result<(Session, Atom), Failure> {
    let opened = Opened::new(options, std::slice::from_ref(source))?;
    if let Some(failure) = opened.failure() {
        return Err(failure);
    }
    let module = opened.modules.first().copied();
    let module = module.ok_or_else(|| Failure::Unusable(format!("{}: not a module", source.path().display())))?;
    Ok((opened.session, module))
}

/// Adds a module of one session to another one under a new name; returns true if its data has its old name.
fn stand_beside(from: &Session, module: Atom, to: &Session, renamed: Atom) -> Result<bool, Failure> {
    let (mut flat, errors) = from.module(module)?.flat_module();
    if let Some(error) = errors.first() {
        return Err(Failure::Broken(module.to_string(), error.to_string()));
    }
    let is_named = rename(&mut flat, renamed);
    let file = CoreText::write(&print(&flat, Style::default()), module)?;
    to.add(Source::CoreFile(file.0.clone()))?;
    Ok(is_named)
}

/// A file of Core Erlang that is there as long as it is needed.
struct CoreText(PathBuf);

impl CoreText {
    fn write(text: &str, module: Atom) -> Result<CoreText, Failure> {
        let name = format!("hound-{}-{}.core", std::process::id(), module.name().replace(['/', '\\'], "_"));
        let path = std::env::temp_dir().join(name);
        let failed = |error: std::io::Error| Failure::Unusable(format!("{}: {error}", path.display()));
        std::fs::write(&path, text).map_err(failed)?;
        Ok(CoreText(path))
    }
}

impl Drop for CoreText {
    fn drop(&mut self) {
        let path: &Path = &self.0;
        let _ = std::fs::remove_file(path);
    }
}
