//! Fingerprints of jobs: two jobs with the same one have the same result, whatever else has changed.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::rc::Rc;

use frontend::flat::{Style, print};
use term::Atom;

use super::{Job, Settings};
use crate::Session;

/// The fingerprints of the jobs of one session. Modules that are not given, and do not stand beside those that are, count
/// as never changing.
pub struct Fingerprints<'a> {
    session: &'a Session,
    /// For each module, itself.
    modules: BTreeMap<String, Rc<ModuleContent>>,
}

/// What results depend on of a module.
struct ModuleContent {
    /// The hash of its code, and that of its file: the places of findings are not in the code.
    hashes: (Option<[u8; 16]>, u64),
    /// The modules whose names stand in it: those it calls, and those whose types it has.
    names: Vec<Atom>,
}

impl<'a> Fingerprints<'a> {
    /// Of no job yet.
    pub fn new(session: &'a Session) -> Fingerprints<'a> {
        Fingerprints { session, modules: BTreeMap::new() }
    }

    /// Returns the fingerprint of a job: what it asks for, and the contents of all modules that its own may come to.
    pub fn of(&mut self, job: &Job) -> Vec<u8> {
        let asked = Job { settings: Settings { modules: Vec::new(), ..job.settings.clone() }, ..job.clone() };
        let names: Vec<&str> = job.settings.tested.iter().map(|module| module.name()).collect();
        let mut contents: BTreeMap<String, (Option<[u8; 16]>, u64)> = BTreeMap::new();
        let mut open = vec![job.function.module];
        while let Some(module) = open.pop() {
            let content = self.content(module, &names);
            if contents.insert(module.name().to_owned(), content.hashes).is_none() {
                open.extend(content.names.iter().filter(|name| !contents.contains_key(name.name())));
            }
        }
        // Whatever cannot be written gives an empty text, as it does the next time.
        let asked = serde_json::to_string(&asked).unwrap_or_default();
        postcard::to_stdvec(&(asked, contents)).unwrap_or_default()
    }

    fn content(&mut self, module: Atom, names: &[&str]) -> Rc<ModuleContent> {
        if let Some(known) = self.modules.get(module.name()) {
            return Rc::clone(known);
        }
        let content = Rc::new(ModuleContent { hashes: self.hashes(module), names: self.names_in(module, names) });
        self.modules.insert(module.name().to_owned(), Rc::clone(&content));
        content
    }

    fn hashes(&self, module: Atom) -> (Option<[u8; 16]>, u64) {
        let mut hasher = DefaultHasher::new();
        let file = self.session.file_of(module).and_then(|path| std::fs::read(path).ok());
        file.hash(&mut hasher);
        (self.session.content(module), hasher.finish())
    }

    /// The names among these that stand in a module as quoted atoms of Core Erlang.
    fn names_in(&self, module: Atom, names: &[&str]) -> Vec<Atom> {
        let Ok(loaded) = self.session.module(module) else { return Vec::new() };
        let (flat, _) = loaded.flat_module();
        let text = print(&flat, Style::default());
        let standing: BTreeSet<&str> = text.split('\'').collect();
        let declared: String = flat.attributes.iter().map(|(name, value)| format!("{name} {value}\n")).collect();
        let words: BTreeSet<&str> = declared.split(|c: char| !(c.is_alphanumeric() || "_@.".contains(c))).collect();
        let stands = |name: &&&str| standing.contains(**name) || words.contains(**name);
        names.iter().filter(|name| **name != module.name()).filter(stands).map(|name| Atom::new(name)).collect()
    }
}
