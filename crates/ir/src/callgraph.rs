//! The call graph of a unit.

use std::collections::{BTreeMap, BTreeSet};

use term::Mfa;

use crate::{Callee, Function, Op, Terminator, Unit};

/// A function that a call site can lead to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum CallEdge {
    /// A function of the same module.
    Local(Mfa),
    /// A function named by literal module and name.
    Remote(Mfa),
    /// A function made into a value, which may be called anywhere.
    Closure(Mfa),
    /// A fun value, or a name known only at run time.
    Unknown,
}

impl CallEdge {
    /// The function, where it is known.
    pub fn name(self) -> Option<Mfa> {
        match self {
            CallEdge::Local(name) | CallEdge::Remote(name) | CallEdge::Closure(name) => Some(name),
            CallEdge::Unknown => None,
        }
    }
}

/// The callees of each function of a unit.
pub struct CallGraph {
    edges: BTreeMap<Mfa, BTreeSet<CallEdge>>,
}

impl CallGraph {
    /// The call graph of all functions of a unit.
    pub fn new(unit: &Unit) -> CallGraph {
        CallGraph { edges: unit.functions.iter().map(|function| (function.name, callees(function))).collect() }
    }

    /// The call edges that leave a function, sorted.
    pub fn callees(&self, function: Mfa) -> impl Iterator<Item = CallEdge> + '_ {
        self.edges.get(&function).into_iter().flatten().copied()
    }
}

fn callees(function: &Function) -> BTreeSet<CallEdge> {
    let mut found = BTreeSet::new();
    for block in &function.blocks {
        for instruction in &block.body {
            match &instruction.op {
                Op::Call { callee, args, .. } => _ = found.insert(edge(callee, args.len())),
                Op::Closure { function, .. } => _ = found.insert(CallEdge::Closure(*function)),
                _ => {}
            }
        }
        if let Terminator::TailCall { callee, args } = &block.end {
            found.insert(edge(callee, args.len()));
        }
    }
    found
}

fn edge(callee: &Callee, arity: usize) -> CallEdge {
    match (callee, callee.named(arity)) {
        (_, None) => CallEdge::Unknown,
        (Callee::Local(_), Some(function)) => CallEdge::Local(function),
        (_, Some(function)) => CallEdge::Remote(function),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use term::Atom;

    #[test]
    fn calls_closures_and_unknown_callees_are_found() {
        let text = "
function m:f/1 (%0) captured 0 registers 2
b0:
  %1 = call local m:g/1(%0)
  %1 = call remote lists:reverse(%1)
  %1 = call fun %1(%0)
  %1 = closure m:h/1(%0)
  tailcall local m:f/1(%1)

function m:h/1 (%0) captured 1 registers 1
b0:
  return %0
";
        let graph = CallGraph::new(&Unit::read(text).unwrap());
        let mfa = |module, name| Mfa { module: Atom::new(module), function: Atom::new(name), arity: 1 };
        let (f, h) = (mfa("m", "f"), mfa("m", "h"));
        let found: BTreeSet<CallEdge> = graph.callees(f).collect();
        let wanted = [
            CallEdge::Local(f),
            CallEdge::Local(mfa("m", "g")),
            CallEdge::Remote(mfa("lists", "reverse")),
            CallEdge::Closure(h),
            CallEdge::Unknown,
        ];
        assert_eq!(found, BTreeSet::from(wanted));
        assert_eq!(graph.callees(h).count(), 0);
    }
}
