//! What `ets:info/1,2` says about a table.

use ops::Eval;
use term::{Atom, Term};

use super::badarg;
use super::table::EtsTable;
use crate::forward::machine::run_state::{Failure, FailureKind, RunState};

/// The items of `ets:info/1`, in its order.
const ITEMS: [&str; 15] = [
    "id",
    "decentralized_counters",
    "read_concurrency",
    "write_concurrency",
    "compressed",
    "memory",
    "owner",
    "heir",
    "name",
    "size",
    "node",
    "named_table",
    "type",
    "keypos",
    "protection",
];

impl EtsTable {
    /// All items; `owner` is the pid of the owner.
    pub fn all_info(&self, run: &mut RunState<'_>, owner: &Term) -> Eval {
        let mut items = Vec::with_capacity(ITEMS.len());
        for name in ITEMS {
            items.push(Term::tuple([Term::atom_named(name), self.info(run, owner, name)?]));
        }
        Ok(Term::list(items))
    }

    /// One item.
    pub fn info(&self, run: &mut RunState<'_>, owner: &Term, item: &str) -> Eval {
        Ok(match item {
            "id" => self.tid.clone(),
            "decentralized_counters" => Term::bool(self.decentralized_counters),
            "read_concurrency" => Term::bool(self.read_concurrency),
            "write_concurrency" => self.write_concurrency.clone(),
            "compressed" => Term::bool(self.compressed),
            "owner" => owner.clone(),
            "heir" => self.heir.as_ref().map_or_else(|| Term::atom_named("none"), |(pid, _)| pid.clone()),
            "name" => Term::atom(self.name),
            "size" => Term::int(self.rows.len() as i64),
            "node" => Term::atom_named("nonode@nohost"),
            "named_table" => Term::bool(self.named),
            "type" => Term::atom_named(self.kind.name()),
            "keypos" => Term::int(self.place as i64 + 1),
            "protection" => Term::atom_named(self.protection.name()),
            "fixed" => Term::bool(!self.fixed_by.is_empty()),
            "safe_fixed" | "safe_fixed_monotonic_time" if self.fixed_by.is_empty() => Term::bool(false),
            "safe_fixed" | "safe_fixed_monotonic_time" => {
                let function = ops::Rule::Ets(ops::EtsOp::Info).function(2);
                let what = "the time at which a table was fixed".to_owned();
                run.failure = Some(Failure { function, kind: FailureKind::Unsendable, what });
                return badarg();
            }
            "memory" | "stats" | "binary" => {
                let function = ops::Rule::Ets(ops::EtsOp::Info).function(2);
                let item = Term::atom(Atom::new(item));
                return self.on_vm(run, function, std::slice::from_ref(&item)).map_or_else(badarg, Ok);
            }
            _ => return badarg(),
        })
    }
}
