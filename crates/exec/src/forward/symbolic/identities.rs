//! Pids, ports and references that the run itself has made: no input holds one, and the next run makes others.

use constraint::{Expr, Node, Test};
use ops::{Fresh, HandleView, Rule};
use term::{Atom, Fun, HandleKind, Mfa, Term, known};

use super::pin::{any_part, has_handle};
use super::recorder::Elsewhere;
use super::watch::Watch;
use crate::forward::machine::{HandleName, is_made_here};

impl Watch<'_> {
    /// True if the question is if a part of an input is something that only this run has.
    pub fn is_never(&mut self, test: Test) -> bool {
        let (Test::Same(a, b) | Test::Equal(a, b)) = test else { return false };
        let found =
            self.made_here(b).filter(|_| self.is_part(a)).or_else(|| self.made_here(a).filter(|_| self.is_part(b)));
        let Some(kind) = found else { return false };
        // No code has a reference before it is made; but callers may hold the pid of their own process.
        if let Some(maker) = maker(kind) {
            self.varying(maker);
        }
        true
    }

    /// Notes that an operation shows in which order these pids and references of the run are. Of a few, runs in which they
    /// have their other orders show the rest.
    pub fn orders(&mut self, function: Mfa, handles: Vec<Term>) {
        let recorder = &mut *self.recorder;
        if recorder.ordered_now.len() <= MOST_ORDERED {
            recorder.ordered_now.extend(handles.iter().filter_map(HandleName::of));
        }
        let count = recorder.ordered_now.len();
        recorder.most_ordered = recorder.most_ordered.max(count);
        if count > MOST_ORDERED {
            return self.varying(function);
        }
        recorder.ordered.extend(&recorder.ordered_now);
        self.note_elsewhere(function, Elsewhere::Order);
    }

    /// The kind of a thing of this run that an expression certainly holds.
    fn made_here(&self, expr: Expr) -> Option<HandleKind> {
        match self.recorder.arena.node(expr) {
            Node::Literal(term @ (Term::Handle(..) | Term::Tuple(..) | Term::Cons(..) | Term::Map(..))) => {
                handle_in(term, &self.recorder.inputs)
            }
            Node::Tuple(items) => items.iter().find_map(|item| self.made_here(*item)),
            Node::Cons(head, tail) => term::deeper(|| self.made_here(*head).or_else(|| self.made_here(*tail))),
            _ => None,
        }
    }

    /// True if an expression is a part of an input, as it is.
    fn is_part(&self, mut expr: Expr) -> bool {
        loop {
            expr = match *self.recorder.arena.node(expr) {
                Node::Input(_) => return true,
                Node::Head(of) | Node::Tail(of) | Node::Element(of, _) => of,
                Node::MapValue(of, _) | Node::MapKey(of, _) | Node::Result(of, _) => of,
                _ => return false,
            }
        }
    }
}

/// The facts about pids and references of the run that a value shows.
pub enum Shown {
    Nothing,
    /// Which of these is the greater.
    Order(Vec<Term>),
    /// Their numbers, which are others in the next run.
    Numbers,
}

impl Shown {
    /// Returns the facts that the order of terms shows in which these handles are.
    fn order_of(handles: Vec<Term>) -> Shown {
        if handles.iter().all(is_made_here) { Shown::Order(handles) } else { Shown::Numbers }
    }
}

/// The most pids and references whose orders are all run.
const MOST_ORDERED: usize = 4;

/// The most keys of a map that stand in the order of terms; more stand in that of their hashes.
const SORTED_KEYS: usize = 32;

/// Returns the facts that a value of these arguments shows.
pub fn shown(view: HandleView, args: &[Term]) -> Shown {
    match (view, args) {
        (HandleView::Numbers, args) if args.iter().any(has_handle) => Shown::Numbers,
        (HandleView::Order, [a, b]) if has_made(a) && has_made(b) && a != b => Shown::order_of(handles([a, b])),
        (HandleView::KeyOrder, args) => {
            let maps = || args.iter().filter_map(Term::as_map);
            let keys = || maps().flat_map(|map| map.keys());
            match keys().filter(|key| has_made(key)).nth(1) {
                None => Shown::Nothing,
                Some(_) if maps().any(|map| map.len() > SORTED_KEYS) => Shown::Numbers,
                Some(_) => Shown::order_of(handles(keys())),
            }
        }
        _ => Shown::Nothing,
    }
}

/// The pids, ports and references in terms.
fn handles<'t>(terms: impl IntoIterator<Item = &'t Term>) -> Vec<Term> {
    let mut found = Vec::new();
    for term in terms {
        any_handle(term, &mut |handle, _| {
            found.push(handle.clone());
            false
        });
    }
    found
}

/// True for a pid or reference that the run has made, or a term that has one in it.
pub fn has_made(term: &Term) -> bool {
    is_made_here(term) || any_part(term, &mut has_made)
}

/// The function that makes handles of a kind.
fn maker(kind: HandleKind) -> Option<Mfa> {
    match kind {
        HandleKind::Pid => Some(Rule::Fresh(Fresh::Pid).function(0)),
        HandleKind::Port => Some(Mfa { module: known::ERLANG, function: Atom::new("open_port"), arity: 2 }),
        HandleKind::Reference => None,
    }
}

/// A pid, port or reference in a term that no input holds.
fn handle_in(term: &Term, inputs: &[Term]) -> Option<HandleKind> {
    let mut found = None;
    any_handle(term, &mut |wanted, kind| {
        let held = |input| any_handle(input, &mut |handle, _| handle == wanted);
        found = (!inputs.iter().any(held)).then_some(kind);
        found.is_some()
    });
    found
}

/// True if one of the handles in a term is wanted.
fn any_handle(term: &Term, wanted: &mut dyn FnMut(&Term, HandleKind) -> bool) -> bool {
    match term {
        Term::Handle(_, handle) => wanted(term, handle.kind),
        Term::Fun(_, fun) => match &**fun {
            Fun::Table(table) => term::deeper(|| table.parts().any(|part| any_handle(part, wanted))),
            _ => false,
        },
        _ => any_part(term, &mut |part| any_handle(part, wanted)),
    }
}
