//! The reasons why one call after the other is not the same as each for itself: what the first leaves for the second.

use std::collections::BTreeSet;

use ir::{Callee, Op, Operand, Terminator};
use ops::policy::{Policy, policy};
use ops::{Control, Rule};
use rustc_hash::FxHashSet;
use term::{Atom, Mfa, Term};

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
        let is_lifted = |callee: Mfa| unit.functions.iter().any(|it| it.name == callee);
        let mut called = Vec::new();
        for (callee, args) in unit.functions.iter().flat_map(calls) {
            match callee.named(args.len()) {
                Some(callee) if is_lifted(callee) => {}
                Some(callee) if names_function(callee) => match function_named(args) {
                    Some(named) => called.push(named),
                    None => self.add(format!("{function} calls a function that only a run knows")),
                },
                Some(callee) => called.push(callee),
                None if matches!(callee, Callee::Remote { .. }) => {
                    self.add(format!("{function} calls a function that only a run knows"));
                }
                None => {}
            }
        }
        called.retain(|callee| self.is_looked_into(function, *callee));
        called
    }

    fn add(&mut self, reason: String) {
        self.reasons.insert(reason);
    }

    /// Notes what a callee does; true if it is code like any other.
    fn is_looked_into(&mut self, caller: Mfa, callee: Mfa) -> bool {
        if callee.module == self.other {
            let what = if caller.module == self.own { "the code" } else { "another module" };
            self.add(format!("{what} calls {callee}, of the other version: {caller}"));
            return false;
        }
        let has_code = self.session.unit(callee, true).is_ok();
        if let Some(what) = kept(callee, has_code) {
            self.add(format!("{callee} {what}"));
            return false;
        }
        ops::native(callee).is_none() && has_code
    }
}

/// The calls of a function, with their arguments.
fn calls(function: &ir::Function) -> impl Iterator<Item = (&Callee, &[Operand])> {
    function.blocks.iter().flat_map(|block| {
        let inside = block.body.iter().filter_map(|instruction| match &instruction.op {
            Op::Call { callee, args, .. } => Some((callee, &args[..])),
            _ => None,
        });
        let last = match &block.end {
            Terminator::TailCall { callee, args } => Some((callee, &args[..])),
            _ => None,
        };
        inside.chain(last)
    })
}

/// True for a function that makes a fun or a call of a module, a name and an arity or arguments.
fn names_function(callee: Mfa) -> bool {
    matches!(ops::rule(callee), Rule::Control(Control::ApplyNamed | Control::MakeFun))
}

/// The function of such arguments, if they are written there.
fn function_named(args: &[Operand]) -> Option<Mfa> {
    let literal = |at: usize| match args.get(at) {
        Some(Operand::Literal(literal)) => Some(literal),
        _ => None,
    };
    let last = literal(2)?;
    let arity = match last {
        Term::Int(_, arity) => *arity,
        last => last.proper_list()?.len() as i64,
    };
    Some(Mfa { module: literal(0)?.as_atom()?, function: literal(1)?.as_atom()?, arity: u8::try_from(arity).ok()? })
}

/// The way in which a function depends on more than its arguments, in words.
fn kept(function: Mfa, has_code: bool) -> Option<&'static str> {
    match ops::rule(function) {
        Rule::Dictionary(_) | Rule::Ets(_) | Rule::Array(..) | Rule::Persistent(_) => return Some("keeps state"),
        Rule::Process(_) | Rule::Service => return Some("is about processes"),
        Rule::Fresh(_) | Rule::Number(_) | Rule::Foreign => return Some("gives something else in each run"),
        _ => {}
    }
    if ops::native(function).is_some() {
        return None;
    }
    match policy(function, has_code) {
        Policy::Code | Policy::Pure => None,
        Policy::State => Some("keeps state"),
        Policy::Session => Some("need not answer the same again"),
        Policy::Process => Some("is about processes"),
        Policy::Effect(_) => Some("has effects outside"),
    }
}
