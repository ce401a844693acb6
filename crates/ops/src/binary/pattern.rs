//! Patterns of `binary`: one needle or several, compiled once or given with each call.

use std::hash::{Hash, Hasher};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use aho_corasick::{AhoCorasick, MatchKind};
use memchr::memmem;
use rustc_hash::{FxHashMap, FxHasher};
use term::{Atom, Handle, HandleKind, Term};

use super::binary;
use crate::Eval;
use crate::raise::{OrBadarg, Raised, badarg};

/// A pattern ready for searching.
pub(super) enum Pattern {
    One(Box<memmem::Finder<'static>>),
    /// Of the matches that start first, the longest.
    Several(AhoCorasick),
}

/// The place of a needle: start and end.
pub(super) type Place = (usize, usize);

type Needles = Vec<Vec<u8>>;

/// The numbers of a reference.
type Words = [u32; 3];

impl Pattern {
    fn new(needles: &[Vec<u8>]) -> Option<Pattern> {
        match needles {
            [] => None,
            [needle] => Some(Pattern::One(Box::new(memmem::Finder::new(needle).into_owned()))),
            _ => {
                AhoCorasick::builder().match_kind(MatchKind::LeftmostLongest).build(needles).ok().map(Pattern::Several)
            }
        }
    }

    /// The VM's name for this kind of pattern.
    fn tag(&self) -> &'static str {
        match self {
            Pattern::One(_) => "bm",
            Pattern::Several(_) => "ac",
        }
    }

    /// At most so many places, none overlapping another.
    pub(super) fn places(&self, text: &[u8], most: usize) -> Vec<Place> {
        match self {
            Pattern::One(needle) => {
                let len = needle.needle().len();
                needle.find_iter(text).take(most).map(|at| (at, at + len)).collect()
            }
            Pattern::Several(needles) => {
                needles.find_iter(text).take(most).map(|found| (found.start(), found.end())).collect()
            }
        }
    }

    /// The pattern that an argument stands for: a binary, a list of them, or a compiled one.
    pub(super) fn of(term: &Term) -> Raised<Arc<Pattern>> {
        match term {
            Term::Tuple(_, tuple) => Compiled::find(tuple).or_badarg(),
            _ => Pattern::new(&given(term)?).map(Arc::new).or_badarg(),
        }
    }
}

/// The needles of an argument that is no compiled pattern.
fn given(term: &Term) -> Raised<Needles> {
    match term {
        Term::Bits(..) => Ok(vec![needle(term)?]),
        _ => term.proper_list().or_badarg()?.iter().map(needle).collect(),
    }
}

fn needle(term: &Term) -> Raised<Vec<u8>> {
    let bytes = binary(term)?.to_bytes();
    if bytes.is_empty() { badarg() } else { Ok(bytes.into_owned()) }
}

/// Compiled patterns by the words of the reference that stands for them. The words come from the needles alone, so that
/// a run gives the same reference whatever ran before it. Like atoms, patterns stay.
#[derive(Default)]
struct Compiled {
    patterns: FxHashMap<Words, (Needles, Arc<Pattern>)>,
}

static COMPILED: LazyLock<Mutex<Compiled>> = LazyLock::new(Mutex::default);

/// Not a creation the VM gives out: it takes these references for those of a node that is gone.
const CREATION: u32 = u32::MAX;

/// The binaries that a compiled pattern was made of, as a list.
pub fn needles(term: &Term) -> Option<Term> {
    let [_, Term::Handle(_, handle)] = term.as_tuple()? else { return None };
    Compiled::find(term.as_tuple()?)?;
    let words: Words = (*handle.words).try_into().ok()?;
    let compiled = COMPILED.lock().unwrap_or_else(PoisonError::into_inner);
    let (needles, _) = compiled.patterns.get(&words)?;
    Some(Term::list(needles.iter().map(|needle| Term::binary(needle.clone())).collect::<Vec<_>>()))
}

impl Compiled {
    fn find(tuple: &[Term]) -> Option<Arc<Pattern>> {
        let [Term::Atom(_, tag), Term::Handle(_, handle)] = tuple else { return None };
        let words: Words = (*handle.words).try_into().ok()?;
        if handle.kind != HandleKind::Reference || handle.creation != CREATION {
            return None;
        }
        let compiled = COMPILED.lock().unwrap_or_else(PoisonError::into_inner);
        let (_, pattern) = compiled.patterns.get(&words)?;
        (pattern.tag() == tag.name()).then(|| Arc::clone(pattern))
    }

    fn add(&mut self, needles: Needles, pattern: Arc<Pattern>) -> Words {
        let mut hasher = FxHasher::default();
        needles.hash(&mut hasher);
        let hash = hasher.finish();
        let mut words = [0, hash as u32, (hash >> 32) as u32];
        while self.patterns.get(&words).is_some_and(|(other, _)| *other != needles) {
            words[0] += 1;
        }
        self.patterns.entry(words).or_insert((needles, pattern));
        words
    }
}

pub(crate) fn compile_pattern(args: &mut [Term]) -> Eval {
    let needles = given(&args[0])?;
    let pattern = Pattern::new(&needles).map(Arc::new).or_badarg()?;
    let tag = Term::atom_named(pattern.tag());
    let words = COMPILED.lock().unwrap_or_else(PoisonError::into_inner).add(needles, pattern);
    let reference = Handle {
        kind: HandleKind::Reference,
        node: Atom::new("nonode@nohost"),
        creation: CREATION,
        words: words.into(),
    };
    Ok(Term::tuple([tag, Term::handle(reference)]))
}
