//! Funs: rows of arguments and results that conditions speak of, and the tables they become.
//!
//! Rows with equal arguments must have equal results. That is not demanded beforehand, because most rows differ anyway:
//! where a finished table would need two results for the same arguments, the choice is made then.

use constraint::Kinds;
use std::rc::Rc;

use ops::{Control, Rule};
use rustc_hash::FxHashMap;
use term::{Fun, Row, Table, Term, holds_fun};

use super::choice::{Choice, Refinement};
use super::domains::{DomId, Domains};
use super::ground::Ground;
use super::production::{Prod, insert};
use super::propagators::{Propagator, Status, TermRelation};
use super::store::{Conflict, Context, NodeId, Step, Store};
use crate::query::UnknownReason;

/// The height of a fun whose results have no finite value: there is such a fun, but no table of it.
pub const ENDLESS: u32 = u32::MAX / 2;

/// As many rows of the inputs to start from are kept beside those that conditions speak of.
const KEPT_ROWS: usize = 64;

/// Two rows of one fun: the tuple of the arguments and the result of each.
#[derive(Clone, Copy, Debug)]
pub struct Clash {
    rows: [(NodeId, NodeId); 2],
    /// No table can distinguish the arguments.
    alike: bool,
}

impl Clash {
    /// The arguments differ, which concerns only these two rows, or the results are the same.
    pub fn choice(self) -> Choice {
        let [(left, first), (right, second)] = self.rows;
        let same = vec![Refinement::Same(first, second)];
        match self.alike {
            true => Choice::partial([same]),
            false => Choice::of([vec![Refinement::Pend(Propagator::Pair(TermRelation::Differ, left, right))], same]),
        }
    }
}

impl Store {
    /// The result of a node, which is made a fun of as many arguments, for them.
    pub fn result(&mut self, cx: &mut Context, fun: NodeId, args: &[NodeId]) -> Step<NodeId> {
        let Ok(arity) = u8::try_from(args.len()) else { return cx.give_up(UnknownReason::Unsupported) };
        self.restrict(cx, fun, &(Rc::new([Prod::Fun(Some(arity), DomId::ANY)]) as Rc<[Prod]>))?;
        let fun = self.find(fun);
        let near = self.near_result(fun, args);
        let result = self.fresh(cx, &result_doms(&self.node(fun).prods.clone()), near)?;
        self.adopt(fun, [result]);
        let args = self.tuple(args.to_vec());
        self.node_mut(fun).rows.push((args, result));
        if self.node(fun).value.is_some() {
            self.pending.push(Propagator::Lookup(fun, args, result));
        }
        Ok(result)
    }

    /// The previous result for the previous values of the arguments.
    fn near_result(&self, fun: NodeId, args: &[NodeId]) -> Option<Term> {
        let fun = self.was(fun)?;
        let table = fun.as_table().filter(|table| usize::from(table.arity()) == args.len())?;
        let args = args.iter().map(|arg| self.was(*arg).cloned()).collect::<Option<Vec<Term>>>();
        // Arguments that the program made of others have no earlier value of their own.
        Some(args.map_or_else(|| table.default().clone(), |args| table.result(&args).clone()))
    }

    /// The arity of a fun, if it is known.
    pub fn arity(&self, id: NodeId) -> Option<u8> {
        let node = self.node(id);
        let of = |prod: &Prod| if let Prod::Fun(arity, _) = prod { *arity } else { None };
        match &node.value {
            Some(Term::Fun(_, fun)) => Some(fun.arity()),
            Some(_) => None,
            None => of(node.prods.first()?).filter(|arity| node.prods.iter().all(|prod| of(prod) == Some(*arity))),
        }
    }

    /// Returns true if both are funs, of different arities.
    pub fn have_other_arities(&self, a: NodeId, b: NodeId) -> bool {
        self.arity(a).zip(self.arity(b)).is_some_and(|(a, b)| a != b)
    }

    /// Lets two funs give different results for arguments that no condition is about.
    pub fn require_difference(&mut self, cx: &mut Context, relate: TermRelation, a: NodeId, b: NodeId) -> Step {
        let Some(arity) = self.arity(a) else { return cx.give_up(UnknownReason::Wrong) };
        let args: Vec<NodeId> = (0..arity).map(|_| self.fresh(cx, &[DomId::ANY], None)).collect::<Step<_>>()?;
        let (left, right) = (self.result(cx, a, &args)?, self.result(cx, b, &args)?);
        self.pending.push(Propagator::Pair(relate, left, right));
        Ok(())
    }

    /// A fun is a known value: its rows are what it gives.
    pub fn tie_rows(&mut self, fun: NodeId) {
        let rows = self.node(fun).rows.clone();
        self.pending.extend(rows.into_iter().map(|(args, result)| Propagator::Lookup(fun, args, result)));
    }

    /// Decides which row of a fun a call uses, if its arguments are known well enough.
    pub fn examine_lookup(&mut self, cx: &mut Context, fun: NodeId, args: NodeId, result: NodeId) -> Step<Status> {
        let Some(value) = self.node(fun).value.clone() else { return cx.give_up(UnknownReason::Wrong) };
        let Some(table) = value.as_table() else { return cx.give_up(UnknownReason::Unsupported) };
        if table.rows().is_empty() {
            return self.bind(cx, result, table.default().clone()).map(|()| Status::Entailed);
        }
        let items: Option<Vec<Term>> = self.node(args).items.iter().map(|arg| self.known(*arg)).collect();
        match items {
            Some(items) => self.bind(cx, result, table.result(&items).clone()).map(|()| Status::Entailed),
            None => Ok(Status::Suspended),
        }
    }

    /// The value of a node whose parts are all known.
    fn known(&self, id: NodeId) -> Option<Term> {
        let node = self.node(id);
        if let Some(value) = &node.value {
            return Some(value.clone());
        }
        term::deeper(|| match node.cells {
            Some((head, tail)) => Some(Term::cons(self.known(head)?, self.known(tail)?)),
            None if node.size == Some(node.items.len() as u32) => {
                node.items.iter().map(|item| self.known(*item)).collect::<Option<Vec<_>>>().map(Term::tuple)
            }
            None => None,
        })
    }

    /// A choice between the rows of a known table, and none of them.
    pub fn of_lookup(&mut self, cx: &mut Context, fun: NodeId, args: NodeId, result: NodeId) -> Choice {
        let value = self.node(fun).value.clone();
        let Some(table) = value.as_ref().and_then(Term::as_table) else { return Choice::partial([]) };
        let mut other = vec![Refinement::Bind(result, table.default().clone())];
        let mut alternatives = Vec::with_capacity(table.rows().len() + 1);
        for row in table.rows() {
            let tuple = Term::tuple(row.args.to_vec());
            let literal = self.literal(cx, tuple.clone());
            alternatives.push(vec![Refinement::Bind(args, tuple), Refinement::Bind(result, row.result.clone())]);
            other.push(Refinement::Pend(Propagator::Pair(TermRelation::Differ, args, literal)));
        }
        alternatives.push(other);
        Choice::settling(alternatives)
    }
}

/// The domains of results.
pub fn result_doms(prods: &[Prod]) -> Vec<DomId> {
    let mut doms = Vec::new();
    for prod in prods {
        match prod {
            Prod::Fun(_, dom) => insert(&mut doms, *dom),
            Prod::Exact(Term::Fun(..)) => insert(&mut doms, DomId::ANY),
            _ => {}
        }
    }
    doms
}

impl Ground<'_> {
    /// The table of a fun some of whose rows are nodes.
    #[expect(clippy::mutable_key_type, reason = "what a map caches of itself counts for nothing in a key")]
    pub fn fun(&mut self, cx: &mut Context, id: NodeId) -> Step<Term> {
        let node = self.store.node(id);
        let Some(Prod::Fun(Some(arity), dom)) = node.prods.first().cloned() else {
            return cx.give_up(UnknownReason::Unsupported);
        };
        let mut rows: FxHashMap<Term, (Term, (NodeId, NodeId))> = FxHashMap::default();
        let mut others: Option<(Term, (NodeId, NodeId))> = None;
        for &(args, result) in &node.rows {
            let value = self.term(cx, result)?;
            let places = (args, result);
            match self.arguments(cx, args)? {
                None => match &others {
                    Some((known, first)) if *known != value => return self.clash([*first, places], true),
                    _ => others = Some((value, places)),
                },
                Some(args) => match rows.get(&args) {
                    Some((known, first)) if *known != value => return self.clash([*first, places], false),
                    Some(_) => {}
                    None => drop(rows.insert(args, (value, places))),
                },
            }
        }
        let near = node.near.as_ref().and_then(Term::as_table).filter(|table| table.arity() == arity);
        // A table puts its rows in order.
        let row = |(args, (result, _)): (Term, _)| Some(Row { args: args.as_tuple()?.into(), result });
        let mut rows: Vec<Row> = rows.into_iter().filter_map(row).collect();
        let fitting = near.iter().flat_map(|near| near.rows()).filter(|row| cx.domains.accepts(dom, &row.result));
        rows.extend(fitting.take(KEPT_ROWS).cloned());
        let kept = near.map(|near| near.default().clone()).filter(|default| cx.domains.accepts(dom, default));
        let default = others.map(|(value, _)| value).or(kept).or_else(|| cx.domains.smallest(dom));
        let table = default.and_then(|default| Table::new(arity, rows, default)).map(Term::table);
        cx.some(table.filter(|table| !node.not.contains(table)), UnknownReason::Unsupported)
    }

    /// Arguments of a row; nothing where no row can have them: there is a fun in them, maybe the one being made.
    fn arguments(&mut self, cx: &mut Context, args: NodeId) -> Step<Option<Term>> {
        let cut = cx.cut;
        let mut made = Vec::new();
        for arg in self.store.node(args).items.clone() {
            match self.term(cx, arg) {
                Ok(arg) if holds_fun(&arg) => return Ok(None),
                Ok(arg) => made.push(arg),
                Err(Conflict) if std::mem::take(&mut self.cyclic) => {
                    cx.cut = cut;
                    return Ok(None);
                }
                Err(Conflict) => return Err(Conflict),
            }
        }
        Ok(Some(Term::tuple(made)))
    }

    fn clash(&mut self, rows: [(NodeId, NodeId); 2], alike: bool) -> Step<Term> {
        self.clash = Some(Clash { rows, alike });
        Err(Conflict)
    }
}

impl Domains {
    /// A fun that gives the same for all arguments; one that fails if there is nothing to give.
    pub fn some_fun(&mut self, arity: Option<u8>, result: DomId, avoid: &[Term]) -> Option<Term> {
        let arity = arity.unwrap_or(1);
        if self.height(result).is_none() {
            return failing(arity).filter(|fun| !avoid.contains(fun));
        }
        if self.height(result)? >= ENDLESS {
            return None;
        }
        let prods = self.prods(result);
        let mut used: Vec<Term> = Vec::new();
        loop {
            let value = self.pick(&prods, Kinds::ALL, &used)?;
            let fun = Term::table(Table::new(arity, Vec::new(), value.clone())?);
            if !avoid.contains(&fun) {
                return Some(fun);
            }
            used.push(value);
        }
    }
}

/// A function of the VM that never returns.
fn failing(arity: u8) -> Option<Term> {
    let control = match arity {
        1 => Control::Throw,
        2 => Control::Error,
        3 => Control::Raise,
        _ => return None,
    };
    Some(Term::fun(Fun::External(Rule::Control(control).function(usize::from(arity)))))
}
