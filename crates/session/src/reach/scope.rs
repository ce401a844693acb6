//! The scope of a search for targets: the modules, their functions, and the entry points with their inputs.

use frontend::core::Name;
use search::reach::Goal;
use term::{Atom, Mfa};

use super::Request;
use super::target::{Target, function_in};
use crate::domain::{Domain, domain};
use crate::names::local;
use crate::resolve::precondition_option;
use crate::{Failure, Session};

/// The code that a search may go through.
pub(super) struct SearchScope {
    /// The modules of the sources, of the targets and of the entry points.
    pub modules: Vec<Atom>,
    /// All their functions, in source order.
    pub functions: Vec<Mfa>,
    /// The functions where calls begin.
    entries: Vec<Mfa>,
}

/// A function where calls begin, with its inputs.
pub(super) struct EntryPoint {
    pub function: Mfa,
    pub domain: Domain,
    pub precondition: Option<Mfa>,
}

impl SearchScope {
    /// Returns the scope of a request with its targets.
    pub fn new(
        session: &Session,
        request: &Request,
        mut modules: Vec<Atom>,
        targets: &[Target],
    ) -> Result<SearchScope, Failure> {
        let entries = request.entry.iter().map(|name| function_in(session, &modules, name));
        let mut entries = entries.collect::<Result<Vec<Mfa>, Failure>>()?;
        let goals = targets.iter().flat_map(|target| &target.goals).map(Goal::module);
        for module in goals.chain(entries.iter().map(|entry| entry.module)) {
            if !modules.contains(&module) {
                modules.push(module);
            }
        }
        let (mut functions, mut exported) = (Vec::new(), Vec::new());
        for &module in &modules {
            let found = session.module(module)?;
            let whole = |Name { function, arity }: Name| Mfa { module, function, arity };
            functions.extend(found.names().map(whole));
            exported.extend(found.exported().into_iter().map(whole));
            let mut own = entries.iter().filter(|entry| entry.module == module);
            if let Some(hidden) = own.find(|entry| !found.exports(entry.function, entry.arity)) {
                return Err(found.missing(*hidden));
            }
        }
        if entries.is_empty() {
            entries = exported;
        }
        if entries.is_empty() {
            let nowhere = "nowhere to begin: no module was found, or none that exports a function";
            return Err(Failure::Unusable(nowhere.to_owned()));
        }
        Ok(SearchScope { modules, functions, entries })
    }

    /// Returns the functions where calls begin.
    pub fn entries(&self) -> &[Mfa] {
        &self.entries
    }

    /// Returns the entry points that the precondition is for.
    pub fn entry_points(&self, session: &Session, request: &Request) -> Result<Vec<EntryPoint>, Failure> {
        let pre = request.pre.as_deref();
        let is_pre = |function: Mfa| pre.and_then(|text| local(function.module, text).ok()) == Some(function);
        let arity = pre.and_then(|text| text.rsplit_once('/')?.1.parse::<u8>().ok());
        let fits = |function: &&Mfa| pre.is_none() || arity == Some(function.arity);
        // Of many entry points a precondition can hold only for those with as many arguments.
        let wanted: Vec<Mfa> = match request.entry.is_empty() {
            true if self.entries.iter().any(|function| fits(&function)) => {
                self.entries.iter().filter(fits).copied().filter(|function| !is_pre(*function)).collect()
            }
            _ => self.entries.clone(),
        };
        let entry_point = |function: Mfa| {
            let precondition = precondition_option(session, function, pre)?;
            Ok(EntryPoint { function, domain: domain(session, function, self.modules.clone()), precondition })
        };
        wanted.into_iter().map(entry_point).collect()
    }
}
