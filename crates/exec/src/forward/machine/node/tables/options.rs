//! The options of `ets:new/2` and `ets:setopts/2`.

use term::{HandleKind, Term};

use super::key::TableType;
use super::table::Protection;

/// The options of a new table.
pub struct TableOptions {
    pub kind: TableType,
    pub named: bool,
    pub place: usize,
    pub protection: Protection,
    pub heir: Option<(Term, Term)>,
    pub compressed: bool,
    pub read_concurrency: bool,
    pub write_concurrency: Term,
    counters: Option<bool>,
}

impl TableOptions {
    /// The options of a list; nothing if one is bad.
    pub fn of(list: &Term) -> Option<TableOptions> {
        let mut options = TableOptions {
            kind: TableType::Set,
            named: false,
            place: 0,
            protection: Protection::Protected,
            heir: None,
            compressed: false,
            read_concurrency: false,
            write_concurrency: Term::bool(false),
            counters: None,
        };
        for option in list.proper_list()? {
            match option.as_tuple() {
                Some(option) => options.setting(option)?,
                None => options.flag(option.as_atom()?.name())?,
            }
        }
        Some(options)
    }

    fn flag(&mut self, name: &str) -> Option<()> {
        match name {
            // The default does not take back what was said before.
            "set" | "protected" => {}
            "named_table" => self.named = true,
            "compressed" => self.compressed = true,
            "public" | "private" => self.protection = Protection::named(name)?,
            _ => self.kind = TableType::named(name)?,
        }
        Some(())
    }

    fn setting(&mut self, option: &[Term]) -> Option<()> {
        match (option.first()?.as_atom()?.name(), &option[1..]) {
            ("keypos", [place]) => self.place = usize::try_from(place.as_i64()?.checked_sub(1)?).ok()?,
            ("write_concurrency", [how]) if is_concurrency(how) => self.write_concurrency = how.clone(),
            ("read_concurrency", [whether]) => self.read_concurrency = whether.as_bool()?,
            ("decentralized_counters", [whether]) => self.counters = Some(whether.as_bool()?),
            ("heir", rest) => self.heir = heir(rest)?,
            _ => return None,
        }
        Some(())
    }

    /// True if the VM locks slots one by one.
    fn is_fine(&self) -> bool {
        self.write_concurrency.as_bool() != Some(false) && self.protection != Protection::Private
    }

    /// The distance of slots that the VM visits one after the other.
    pub fn stride(&self) -> usize {
        if self.is_fine() { 64 } else { 1 }
    }

    /// The value of the option `write_concurrency` that counts.
    pub fn write_concurrency(&self) -> Term {
        if self.is_fine() { self.write_concurrency.clone() } else { Term::bool(false) }
    }

    /// The value of the option `decentralized_counters` that counts.
    pub fn decentralized_counters(&self) -> bool {
        let is_auto = self.write_concurrency.as_bool().is_none();
        let default = is_auto || self.kind == TableType::OrderedSet;
        self.is_fine() && self.counters.unwrap_or(default)
    }
}

/// True if a list of options makes a table with a name.
pub fn named_by(options: &Term) -> bool {
    TableOptions::of(options).is_some_and(|options| options.named)
}

fn is_concurrency(how: &Term) -> bool {
    how.as_bool().is_some() || how.as_atom().is_some_and(|atom| atom.name() == "auto")
}

/// An heir, or none; nothing if the option is bad.
fn heir(option: &[Term]) -> Option<Option<(Term, Term)>> {
    match option {
        [none] if none.as_atom().is_some_and(|atom| atom.name() == "none") => Some(None),
        [pid, data] if matches!(pid, Term::Handle(_, handle) if handle.kind == HandleKind::Pid) => {
            Some(Some((pid.clone(), data.clone())))
        }
        _ => None,
    }
}

/// The changes of `ets:setopts/2`.
#[derive(Default)]
pub struct OptionChanges {
    pub heir: Option<Option<(Term, Term)>>,
    pub protection: Option<Protection>,
}

impl OptionChanges {
    /// The changes of a list, or of one option; nothing if one is bad.
    pub fn of(options: &Term) -> Option<OptionChanges> {
        let options = if options.as_tuple().is_some() { vec![options.clone()] } else { options.proper_list()? };
        let mut changes = OptionChanges::default();
        for option in &options {
            match (option.as_tuple()?.first()?.as_atom()?.name(), &option.as_tuple()?[1..]) {
                ("heir", rest) if changes.heir.is_none() => changes.heir = Some(heir(rest)?),
                ("protection", [to]) if changes.protection.is_none() => {
                    changes.protection = Some(Protection::named(to.as_atom()?.name())?);
                }
                _ => return None,
            }
        }
        Some(changes)
    }
}
