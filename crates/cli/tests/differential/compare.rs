//! Compares terms and outcomes to the last bit, as far as they are the same on every VM.

use term::{Class, Fun, Term};

/// Exact equality under which `0.0` and `-0.0` differ; names of processes and references only have to be of one kind.
pub fn identical(ours: &Term, theirs: &Term) -> bool {
    term::deeper(|| match (ours, theirs) {
        (Term::Float(_, a), Term::Float(_, b)) => a.to_bits() == b.to_bits(),
        (Term::Cons(..), Term::Cons(..)) => identical_lists(ours, theirs),
        (Term::Tuple(_, a), Term::Tuple(_, b)) => a.len() == b.len() && pairwise(a.iter(), b.iter()),
        (Term::Map(_, a), Term::Map(_, b)) => {
            a.len() == b.len()
                && a.iter().zip(b.iter()).all(|((ka, va), (kb, vb))| identical(ka, kb) && identical(va, vb))
        }
        (Term::Handle(_, a), Term::Handle(_, b)) => a.kind == b.kind,
        (Term::Fun(_, a), Term::Fun(_, b)) => identical_funs(a, b),
        _ => ours == theirs,
    })
}

fn pairwise<'a>(ours: impl Iterator<Item = &'a Term>, theirs: impl Iterator<Item = &'a Term>) -> bool {
    ours.zip(theirs).all(|(a, b)| identical(a, b))
}

fn identical_lists(ours: &Term, theirs: &Term) -> bool {
    let (mut a, mut b) = (ours.cells(), theirs.cells());
    loop {
        match (a.next(), b.next()) {
            (Some(x), Some(y)) if identical(x, y) => {}
            (None, None) => return identical(a.rest(), b.rest()),
            _ => return false,
        }
    }
}

/// A closure cannot be compared across two machines: its home and arity must agree.
fn identical_funs(ours: &Fun, theirs: &Fun) -> bool {
    match (ours, theirs) {
        (Fun::External(a), Fun::External(b)) => a == b,
        (Fun::Table(a), Fun::Table(b)) => a.arity() == b.arity() && identical(&a.data(), &b.data()),
        (Fun::External(_), _) | (_, Fun::External(_)) => false,
        _ => ours.module() == theirs.module() && ours.arity() == theirs.arity(),
    }
}

/// A term in which stack traces, which begin outside the program and so in different places, are all empty.
pub fn without_stacks(term: &Term) -> Term {
    term::deeper(|| match term {
        Term::Tuple(_, items) => Term::tuple(items.iter().map(without_stacks).collect::<Vec<_>>()),
        Term::Cons(..) if is_stack(term) => Term::nil(),
        Term::Cons(..) => {
            let mut cells = term.cells();
            let items: Vec<Term> = cells.by_ref().map(without_stacks).collect();
            Term::list_with_tail(items, without_stacks(cells.rest()))
        }
        other => other.clone(),
    })
}

/// `[{M, F, ArityOrArgs, Location}, …]`; some entries may have no location.
fn is_stack(term: &Term) -> bool {
    let is_list = |term: &Term| matches!(term, Term::Cons(..) | Term::Nil(_));
    let is_entry = |item: &Term| match item.as_tuple() {
        Some([module, function, args, location @ ..]) => {
            let named = module.as_atom().is_some() && function.as_atom().is_some();
            named && (is_list(args) || args.is_integer()) && location.len() <= 1 && location.iter().all(is_list)
        }
        _ => false,
    };
    let is_placed = |item: &Term| item.as_tuple().is_some_and(|entry| entry.len() == 4);
    term.cells().all(is_entry) && term.cells().any(is_placed)
}

/// What a call came to, for comparing and for printing.
#[derive(Clone)]
pub enum Answer {
    Value(Term),
    Raised(Class, Term),
    /// The machine has no processes and messages yet, and the call needs them.
    #[allow(dead_code, reason = "not every suite that shares this file can meet it")]
    Processes,
    /// Neither: a limit, a refusal, a missing feature. Never equal to anything.
    Other(String),
}

impl Answer {
    pub fn agrees(&self, theirs: &Answer) -> bool {
        match (self, theirs) {
            (Answer::Value(a), Answer::Value(b)) => {
                identical(a, b) || identical(&without_stacks(a), &without_stacks(b))
            }
            (Answer::Raised(ca, ra), Answer::Raised(cb, rb)) => {
                ca == cb && (identical(ra, rb) || identical(&without_stacks(ra), &without_stacks(rb)))
            }
            _ => false,
        }
    }
}

impl std::fmt::Display for Answer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Answer::Value(value) => write!(f, "{value}"),
            Answer::Raised(class, reason) => write!(f, "** {class}:{reason}"),
            Answer::Processes => write!(f, "-- needs processes"),
            Answer::Other(what) => write!(f, "-- {what}"),
        }
    }
}
