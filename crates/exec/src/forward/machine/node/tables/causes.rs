//! The cause of a failed operation, which the arguments alone do not show: a word that the VM's texts of errors know.

use ops::EtsOp;
use term::Term;

use super::table::EtsTable;
use super::{TableName, Tables, named_by, used_by};

impl Tables {
    /// The cause for which an operation of a process has failed, if the VM has a word for it.
    pub fn cause(&self, op: EtsOp, args: &[Term], by: u32) -> Option<&'static str> {
        use EtsOp::{All, Compile, Continue, IsCompiled, List, New, Raw, RunCompiled, Whereis};
        match op {
            New => {
                let name = args.first().and_then(Term::as_atom).filter(|_| args.get(1).is_some_and(named_by));
                name.filter(|name| self.names.contains_key(name)).map(|_| "already_exists")
            }
            All | Compile | Continue | IsCompiled | List | Raw | RunCompiled | Whereis => None,
            _ => match self.subject(op, args) {
                TableName::Own(key) => self.tables.get(&key)?.cause(op, &args[1..], by),
                TableName::Gone(_) | TableName::Foreign => Some("id"),
                TableName::Bad => Some("type"),
            },
        }
    }
}

impl EtsTable {
    fn cause(&self, op: EtsOp, args: &[Term], by: u32) -> Option<&'static str> {
        if !self.allows(by, used_by(op)) {
            return Some("access");
        }
        match (op, args) {
            (EtsOp::LookupElement, [key, at]) => {
                let is_position = at.as_i64().is_some_and(|at| at > 0);
                (is_position && !self.rows.has(key)).then_some("badkey")
            }
            (EtsOp::UpdateCounter, _) if !self.kind.is_unique() => Some("table_type"),
            (EtsOp::UpdateCounter, [key, changes, default @ ..]) => {
                let row = self.rows.of_key(key).pop();
                match row.or_else(|| default.first().cloned()) {
                    Some(row) => self.counter_cause(changes, row.as_tuple()?),
                    None => Some("badkey"),
                }
            }
            (EtsOp::UpdateElement, [key, changes]) if self.kind.is_unique() => {
                self.element_cause(changes, self.rows.of_key(key).pop()?.as_tuple()?.len())
            }
            (EtsOp::GiveAway, _) if self.owner != by => Some("not_owner"),
            _ => None,
        }
    }

    /// The first change of a counter that fails decides.
    fn counter_cause(&self, changes: &Term, row: &[Term]) -> Option<&'static str> {
        let key_at = self.place as i64 + 1;
        for change in each(changes)? {
            let at = match change.as_tuple() {
                Some([at, ..]) => at.as_i64()?,
                Some([]) => return None,
                None if change.is_integer() => key_at + 1,
                None => return None,
            };
            if at == key_at {
                return Some("keypos");
            }
            let item = usize::try_from(at - 1).ok().and_then(|at| row.get(at));
            match item {
                None => return Some("position"),
                Some(item) if !item.is_integer() => return None,
                Some(_) => {}
            }
        }
        None
    }

    fn element_cause(&self, changes: &Term, size: usize) -> Option<&'static str> {
        let key_at = self.place as i64 + 1;
        for change in each(changes)? {
            let Some([at, _]) = change.as_tuple() else { return None };
            match at.as_i64()? {
                at if at == key_at => return Some("keypos"),
                at if at < 1 || at > size as i64 => return None,
                _ => {}
            }
        }
        None
    }
}

/// One change, or those of a list.
fn each(changes: &Term) -> Option<Vec<Term>> {
    match changes {
        Term::Nil(_) | Term::Cons(..) => changes.proper_list(),
        change => Some(vec![change.clone()]),
    }
}
