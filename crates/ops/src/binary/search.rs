//! Searching in binaries and splitting them: `match`, `matches` and `split`.

use term::{Bits, Term};

use super::pattern::{Pattern, Place};
use super::{binary, range};
use crate::Eval;
use crate::raise::{Raised, badarg};

/// The options of a search.
struct Options {
    start: usize,
    end: usize,
    global: bool,
    trim: bool,
    trim_all: bool,
}

impl Options {
    /// Reads the options. What follows the last cell is not looked at, as in the VM.
    fn read(term: Option<&Term>, size: usize, splitting: bool) -> Raised<Options> {
        let mut options = Options { start: 0, end: size, global: false, trim: false, trim_all: false };
        match term {
            None | Some(Term::Nil(_)) => {}
            Some(list @ Term::Cons(..)) => list.cells().try_for_each(|option| options.set(option, size, splitting))?,
            Some(_) => return badarg(),
        }
        Ok(options)
    }

    fn set(&mut self, option: &Term, size: usize, splitting: bool) -> Raised<()> {
        match option {
            Term::Tuple(_, tuple) => self.set_scope(tuple, size),
            Term::Atom(_, atom) if splitting => {
                match atom.name() {
                    "global" => self.global = true,
                    "trim" => self.trim = true,
                    "trim_all" => self.trim_all = true,
                    _ => return badarg(),
                }
                Ok(())
            }
            _ => badarg(),
        }
    }

    fn set_scope(&mut self, tuple: &[Term], size: usize) -> Raised<()> {
        let [Term::Atom(_, tag), Term::Tuple(_, place)] = tuple else { return badarg() };
        match &**place {
            [start, len] if tag.name() == "scope" => {
                let (start, len) = range(start, len, size)?;
                (self.start, self.end) = (start, start + len);
                Ok(())
            }
            _ => badarg(),
        }
    }

    /// At most so many places where the pattern is. The VM does not look at the pattern when the scope ends at zero.
    fn places(&self, text: &Bits, pattern: &Term, most: usize) -> Raised<Vec<Place>> {
        if self.end == 0 {
            return Ok(Vec::new());
        }
        let mut places = Pattern::of(pattern)?.places(&text.to_bytes()[self.start..self.end], most);
        places.iter_mut().for_each(|(from, to)| (*from, *to) = (*from + self.start, *to + self.start));
        Ok(places)
    }
}

fn pair((from, to): Place) -> Term {
    Term::tuple([Term::int(from as i64), Term::int((to - from) as i64)])
}

pub(super) fn match_first(args: &mut [Term]) -> Eval {
    let text = binary(&args[0])?;
    let options = Options::read(args.get(2), text.byte_len(), false)?;
    let places = options.places(text, &args[1], 1)?;
    Ok(places.first().map_or_else(|| Term::atom_named("nomatch"), |&place| pair(place)))
}

pub(super) fn matches(args: &mut [Term]) -> Eval {
    let text = binary(&args[0])?;
    let options = Options::read(args.get(2), text.byte_len(), false)?;
    Ok(Term::list(options.places(text, &args[1], usize::MAX)?.into_iter().map(pair)))
}

pub(super) fn split(args: &mut [Term]) -> Eval {
    let text = binary(&args[0])?;
    let options = Options::read(args.get(2), text.byte_len(), true)?;
    let places = options.places(text, &args[1], if options.global { usize::MAX } else { 1 })?;
    let mut parts = between(&places, text.byte_len());
    if options.trim_all {
        parts.retain(|(from, to)| from != to);
    } else if options.trim {
        let kept = parts.iter().rposition(|(from, to)| from != to).map_or(0, |last| last + 1);
        parts.truncate(kept);
    }
    Ok(Term::list(parts.into_iter().map(|(from, to)| Term::bits(text.slice(from * 8, (to - from) * 8)))))
}

/// The parts between the places.
fn between(places: &[Place], size: usize) -> Vec<Place> {
    let starts = std::iter::once(0).chain(places.iter().map(|(_, to)| *to));
    let ends = places.iter().map(|(from, _)| *from).chain(std::iter::once(size));
    starts.zip(ends).collect()
}
