//! The reasons why one call after the other is not the same as each for itself: what the first leaves for the second.

use std::collections::BTreeSet;

use ir::{CallEdge, CallGraph};
use ops::{Control, Policy, Rule};
use rustc_hash::FxHashSet;
use term::{Atom, Mfa};

use crate::Session;

/// Functions that are looked at.
const MOST: usize = 5_000;

/// The reasons why a version of a function, and what it calls, may do something else where another was called before, or
/// may reach the other version: `other` is the module of that.
pub(super) fn effects(session: &Session, entry: Mfa, other: Atom) -> Vec<String> {
    let mut walk = Walk { session, own: entry.module, other, reasons: BTreeSet::new(), seen: FxHashSet::default() };
    let mut open = vec![entry];
    walk.seen.insert(entry);
    while let Some(function) = open.pop() {
        if walk.seen.len() > MOST {
            walk.reasons.insert("it calls too many functions to know that none of them keeps state".to_owned());
            break;
        }
        for callee in walk.callees(function) {
            if walk.seen.insert(callee) {
                open.push(callee);
            }
        }
    }
    walk.reasons.into_iter().collect()
}

struct Walk<'a> {
    session: &'a Session,
    own: Atom,
    other: Atom,
    reasons: BTreeSet<String>,
    seen: FxHashSet<Mfa>,
}

impl Walk<'_> {
    /// The functions with code that a function calls.
    fn callees(&mut self, function: Mfa) -> Vec<Mfa> {
        let Ok(unit) = self.session.unit(function, true) else { return Vec::new() };
        let graph = CallGraph::new(&unit);
        let edges: Vec<CallEdge> = unit.functions.iter().flat_map(|it| graph.callees(it.name)).collect();
        if names_modules(&unit) {
            self.reasons.insert(format!("{function} calls a module that only a run knows"));
        }
        let lifted: Vec<Mfa> = unit.functions.iter().map(|it| it.name).collect();
        let called = edges.into_iter().filter_map(CallEdge::name).filter(|callee| !lifted.contains(callee));
        called.filter(|callee| self.is_looked_into(function, *callee)).collect()
    }

    /// Notes what a callee does; true if it is code like any other.
    fn is_looked_into(&mut self, caller: Mfa, callee: Mfa) -> bool {
        if callee.module == self.other {
            let what = if caller.module == self.own { "the code" } else { "another module" };
            self.reasons.insert(format!("{what} calls {callee}, of the other version: {caller}"));
            return false;
        }
        let has_code = self.session.unit(callee, true).is_ok();
        if let Some(what) = kept(callee, has_code) {
            self.reasons.insert(format!("{callee} {what}"));
            return false;
        }
        ops::native(callee).is_none() && has_code
    }
}

/// True if a unit calls a module by a name that is not written there.
fn names_modules(unit: &ir::Unit) -> bool {
    let is_open = |callee: &ir::Callee| match callee {
        ir::Callee::Remote { .. } => callee.named(0).is_none(),
        _ => false,
    };
    unit.functions.iter().flat_map(|function| &function.blocks).any(|block| {
        let calls = block.body.iter().any(|instruction| match &instruction.op {
            ir::Op::Call { callee, .. } => is_open(callee),
            _ => false,
        });
        calls || matches!(&block.end, ir::Terminator::TailCall { callee, .. } if is_open(callee))
    })
}

/// The way in which a function depends on more than its arguments, in words.
fn kept(function: Mfa, has_code: bool) -> Option<&'static str> {
    match ops::rule(function) {
        Rule::Dictionary(_) | Rule::Ets(_) | Rule::Array(..) | Rule::Persistent(_) => return Some("keeps state"),
        Rule::Process(_) | Rule::Service => return Some("is about processes"),
        Rule::Fresh(_) | Rule::Number(_) | Rule::Foreign => return Some("gives something else in each run"),
        Rule::Control(Control::ApplyNamed | Control::MakeFun) => return Some("names a function by data"),
        _ => {}
    }
    if ops::native(function).is_some() {
        return None;
    }
    match ops::policy(function, has_code) {
        Policy::Code | Policy::Pure => None,
        Policy::State => Some("keeps state"),
        Policy::Session => Some("need not answer the same again"),
        Policy::Process => Some("is about processes"),
        Policy::Effect(_) => Some("has effects outside"),
    }
}
