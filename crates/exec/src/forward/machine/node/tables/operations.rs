//! Operations on tables, one by one.

use std::rc::Rc;

use ops::{Environment, EtsOp, Eval, Specification};
use term::Term;

use super::options::{OptionChanges, TableOptions};
use super::rows::{Rows, neighbour};
use super::select::{Direction, Search};
use super::table::{EtsTable, TableUse};
use super::{TableName, Tables, badarg};
use crate::forward::machine::node::RefKey;
use crate::forward::machine::run_state::RunState;

impl Tables {
    /// Does an operation that is about no table yet; nothing for all others.
    pub fn without_table(&mut self, run: &mut RunState<'_>, op: EtsOp, args: &[Term]) -> Option<Eval> {
        Some(match (op, args) {
            (EtsOp::New, [name, options]) => self.create(run, name, options),
            (EtsOp::All, []) => {
                let own = self.all().into_iter().map(EtsTable::id);
                Ok(Term::list(own.chain(run.foreign_tables().iter().cloned()).collect::<Vec<_>>()))
            }
            // Unlike a search, it takes no specification without clauses.
            (EtsOp::Compile, [Term::Nil(_)]) => badarg(),
            (EtsOp::Compile, [spec]) => match Specification::compile(spec) {
                Some(compiled) => Ok(self.keep(run, Rc::new(compiled))),
                None => badarg(),
            },
            (EtsOp::IsCompiled, [term]) => Ok(Term::bool(self.compiled(term).is_some())),
            (EtsOp::RunCompiled, [rows, compiled, results]) => {
                let (Some(spec), Some(rows)) = (self.compiled(compiled), rows.proper_list()) else {
                    return Some(badarg());
                };
                let found = rows.iter().filter_map(|row| spec.run(run, row));
                Ok(found.fold(results.clone(), |results, result| Term::cons(result, results)))
            }
            (EtsOp::Continue, [end]) if is_end(end) => Ok(end.clone()),
            _ => return None,
        })
    }

    /// Keeps a match specification under a reference.
    pub fn keep(&mut self, run: &mut RunState<'_>, compiled: Rc<Specification>) -> Term {
        let reference = run.fresh_reference();
        self.compiled.extend(RefKey::of(&reference).map(|key| (key, compiled)));
        reference
    }

    /// The match specification of a reference.
    pub fn compiled(&self, reference: &Term) -> Option<Rc<Specification>> {
        self.compiled.get(&RefKey::of(reference)?).cloned()
    }

    fn create(&mut self, run: &mut RunState<'_>, name: &Term, options: &Term) -> Eval {
        let (Some(name), Some(options)) = (name.as_atom(), TableOptions::of(options)) else { return badarg() };
        let is_taken = |run: &mut RunState<'_>| self.names.contains_key(&name) || run.has_foreign_table(name);
        if options.named && (name.name() == "undefined" || is_taken(run)) {
            return badarg();
        }
        let tid = run.fresh_reference();
        let Some(key) = RefKey::of(&tid) else { return badarg() };
        self.made += 1;
        let table = EtsTable {
            tid,
            name,
            named: options.named,
            kind: options.kind,
            place: options.place,
            protection: options.protection,
            owner: run.number(),
            rows: Rows::new(options.kind, options.place, options.stride()),
            fixed_by: Vec::new(),
            compressed: options.compressed,
            read_concurrency: options.read_concurrency,
            write_concurrency: options.write_concurrency(),
            decentralized_counters: options.decentralized_counters(),
            heir: options.heir,
            serial: self.made,
            known_order: None,
        };
        if table.named {
            self.names.insert(name, key);
        }
        let id = table.id();
        self.tables.insert(key, table);
        Ok(id)
    }

    /// Does an operation on a table, which the process may use so.
    pub fn operate(&mut self, run: &mut RunState<'_>, key: RefKey, op: EtsOp, args: &[Term]) -> Eval {
        match (op, args) {
            (EtsOp::Delete, [_]) => {
                self.delete(key);
                return Ok(Term::bool(true));
            }
            (EtsOp::Rename, [_, name]) => return self.rename(run, key, name),
            (EtsOp::Continue, [continuation]) => return self.go_on(run, key, continuation),
            _ => {}
        }
        let Some(table) = self.tables.get_mut(&key) else { return badarg() };
        let goal = match (op, args) {
            (EtsOp::Match, [_, pattern, ..]) => Some((Specification::of_pattern(pattern, false), Direction::Ascending)),
            (EtsOp::MatchObject, [_, pattern, ..]) => {
                Some((Specification::of_pattern(pattern, true), Direction::Ascending))
            }
            (EtsOp::Select, [_, spec, ..]) => Some((Specification::compile(spec), Direction::Ascending)),
            (EtsOp::SelectReverse, [_, spec, ..]) => Some((Specification::compile(spec), Direction::Descending)),
            _ => None,
        };
        if let Some((spec, goal)) = goal {
            let chunk = match args.get(2).map(Term::as_i64) {
                None => None,
                Some(Some(chunk @ 1..)) => Some(chunk as usize),
                Some(_) => return badarg(),
            };
            let Some(spec) = spec else { return badarg() };
            let search = Search { id: args[0].clone(), spec: Rc::new(spec), goal, chunk };
            return self.search(run, key, search);
        }
        table.operate(run, op, args)
    }

    fn rename(&mut self, run: &mut RunState<'_>, key: RefKey, name: &Term) -> Eval {
        let Some(name) = name.as_atom() else { return badarg() };
        let Some(table) = self.tables.get_mut(&key) else { return badarg() };
        if table.named {
            if self.names.contains_key(&name) || name.name() == "undefined" || run.has_foreign_table(name) {
                return badarg();
            }
            self.names.remove(&table.name);
            self.names.insert(name, key);
        }
        table.name = name;
        Ok(table.id())
    }
}

/// True for `'$end_of_table'`.
fn is_end(term: &Term) -> bool {
    term.as_atom().is_some_and(|atom| atom.name() == "$end_of_table")
}

/// `'$end_of_table'`.
pub fn end_of_table() -> Term {
    Term::atom_named("$end_of_table")
}

impl EtsTable {
    fn operate(&mut self, run: &mut RunState<'_>, op: EtsOp, args: &[Term]) -> Eval {
        match (op, &args[1..]) {
            (EtsOp::Insert, [rows]) => self.insert(rows, false),
            (EtsOp::InsertNew, [rows]) => self.insert(rows, true),
            (EtsOp::Lookup, [key]) => Ok(Term::list(self.rows.of_key(key))),
            (EtsOp::Member, [key]) => Ok(Term::bool(self.rows.has(key))),
            (EtsOp::LookupElement, [key, at]) => self.lookup_element(key, at),
            (EtsOp::Take, [key]) => {
                self.known_order = None;
                Ok(Term::list(self.rows.remove(key, |_| true)))
            }
            (EtsOp::Delete, [key]) => {
                self.known_order = None;
                self.rows.remove(key, |_| true);
                Ok(Term::bool(true))
            }
            (EtsOp::DeleteObject, [row]) => {
                let Some(key) = self.key(row) else { return badarg() };
                self.known_order = None;
                self.rows.remove(key, |other| other == row);
                Ok(Term::bool(true))
            }
            (EtsOp::DeleteAll, [_]) => {
                let size = self.rows.len();
                self.known_order = None;
                self.rows.clear();
                Ok(Term::int(size as i64))
            }
            (EtsOp::UpdateElement, [key, changes]) => self.update_element(key, changes),
            (EtsOp::UpdateCounter, [key, changes]) => self.update_counter(key, changes, None),
            (EtsOp::UpdateCounter, [key, changes, default]) => self.update_counter(key, changes, Some(default)),
            (EtsOp::First | EtsOp::Last, []) => self.end(run, op == EtsOp::First),
            (EtsOp::Next | EtsOp::Prev, [key]) => self.neighbour(run, key, op == EtsOp::Next),
            (EtsOp::Slot, [slot]) => self.slot(run, slot),
            (EtsOp::SelectCount, [spec]) => self.select_count(run, spec),
            (EtsOp::SelectDelete, [spec]) => self.select_delete(run, spec),
            (EtsOp::SelectReplace, [spec]) => self.select_replace(run, spec),
            (EtsOp::SafeFixtable, [fixed]) => match fixed.as_bool() {
                Some(fixed) => {
                    self.fix(run.number(), fixed);
                    Ok(Term::bool(true))
                }
                None => badarg(),
            },
            (EtsOp::SetOptions, [options]) => {
                let Some(changes) = OptionChanges::of(options).filter(|_| self.owner == run.number()) else {
                    return badarg();
                };
                if let Some(heir) = changes.heir {
                    self.heir = heir;
                }
                self.protection = changes.protection.unwrap_or(self.protection);
                Ok(Term::bool(true))
            }
            (EtsOp::Whereis, []) => Ok(self.tid.clone()),
            _ => badarg(),
        }
    }

    /// The rows that an insertion is given.
    fn rows_of(&self, rows: &Term) -> Option<Vec<Term>> {
        let rows = if rows.as_tuple().is_some() { vec![rows.clone()] } else { rows.proper_list()? };
        rows.iter().all(|row| self.key(row).is_some()).then_some(rows)
    }

    fn insert(&mut self, rows: &Term, new: bool) -> Eval {
        let Some(mut rows) = self.rows_of(rows) else { return badarg() };
        if new && rows.iter().any(|row| self.key(row).is_some_and(|key| self.rows.has(key))) {
            return Ok(Term::bool(false));
        }
        if self.kind == super::TableType::Bag {
            // The VM takes a list from its end, as it does not know how long a bag will take.
            rows.reverse();
        }
        rows.into_iter().for_each(|row| self.put(row));
        Ok(Term::bool(true))
    }

    fn lookup_element(&self, key: &Term, at: &Term) -> Eval {
        let Some(at) = at.as_i64().and_then(|at| usize::try_from(at.checked_sub(1)?).ok()) else { return badarg() };
        let rows = self.rows.of_key(key);
        let element = |row: &Term| row.as_tuple().and_then(|items| items.get(at)).cloned();
        match rows.iter().map(element).collect::<Option<Vec<Term>>>() {
            Some(mut elements) if self.kind.is_unique() => elements.pop().map_or_else(badarg, Ok),
            Some(elements) if !elements.is_empty() => Ok(Term::list(elements)),
            _ => badarg(),
        }
    }

    fn end(&mut self, run: &mut RunState<'_>, first: bool) -> Eval {
        if let Some(order) = self.order(run) {
            return Ok(order.first().cloned().unwrap_or_else(end_of_table));
        }
        let key = match &self.rows {
            // The last one is the first one there, too.
            Rows::Hashed(buckets) => buckets.first(),
            Rows::Ordered(rows) if first => rows.keys().next().map(|key| &key.term),
            Rows::Ordered(rows) => rows.keys().next_back().map(|key| &key.term),
        };
        Ok(key.cloned().unwrap_or_else(end_of_table))
    }

    fn neighbour(&mut self, run: &mut RunState<'_>, key: &Term, above: bool) -> Eval {
        if let Some(order) = self.order(run) {
            let at = order.iter().position(|other| other == key);
            return at.map_or_else(badarg, |at| Ok(order.get(at + 1).cloned().unwrap_or_else(end_of_table)));
        }
        match &self.rows {
            Rows::Hashed(buckets) => match buckets.after(key) {
                Ok(next) => Ok(next.cloned().unwrap_or_else(end_of_table)),
                Err(()) => badarg(),
            },
            Rows::Ordered(rows) => Ok(neighbour(rows, key, above).map_or_else(end_of_table, |key| key.term.clone())),
        }
    }
}

/// The use that an operation makes of a table.
pub fn used_by(op: EtsOp) -> TableUse {
    use EtsOp::{Continue, First, Info, Last, List, Lookup, LookupElement, Match, MatchObject, Member, Next, Prev};
    use EtsOp::{SafeFixtable, Select, SelectCount, SelectReverse, Slot, Whereis};
    match op {
        Info | Whereis => TableUse::Knows,
        Continue | First | Last | List | Lookup | LookupElement | Match | MatchObject | Member | Next | Prev => {
            TableUse::Reads
        }
        SafeFixtable | Select | SelectCount | SelectReverse | Slot => TableUse::Reads,
        _ => TableUse::Writes,
    }
}

impl TableName {
    /// The key of a table of the run.
    pub fn own(self) -> Option<RefKey> {
        match self {
            TableName::Own(key) => Some(key),
            _ => None,
        }
    }
}
