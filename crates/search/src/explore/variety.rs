//! Other kinds of values first: what is held to a value, because its use is not followed, is tried with tuples of
//! another size, then with another tag, and only then with any other value. A command that is sent to a process shows
//! nowhere else which commands there are.

use constraint::{Arena, Condition, Test};
use solve::Answer;
use term::Term;

use super::Explorer;
use crate::round::FlipAnswer;
use crate::tree::NodeId;

/// The respect in which a value is to differ.
#[derive(Clone, Copy)]
enum Aspect {
    Size,
    Tag,
}

impl Explorer<'_> {
    /// The answers for these flips, those of held values with variety.
    pub(super) fn solve_varied(&mut self, flips: &[NodeId]) -> Vec<Option<FlipAnswer>> {
        let paths: Vec<Vec<Condition>> = flips.iter().map(|id| self.conditions(*id)).collect();
        let mut found: Vec<Option<FlipAnswer>> = flips.iter().map(|_| None).collect();
        for aspect in [Aspect::Size, Aspect::Tag] {
            let mut wishes = Vec::new();
            for (at, path) in paths.iter().enumerate().filter(|(at, _)| found[*at].is_none()) {
                if self.tree.node(flips[at]).pinned
                    && let Some(wish) = wish(self.subject.arena_mut(), path, aspect)
                {
                    wishes.push((at, wish));
                }
            }
            if wishes.is_empty() {
                continue;
            }
            let (places, wishes): (Vec<usize>, Vec<_>) = wishes.into_iter().unzip();
            let wanted: Vec<NodeId> = places.iter().map(|at| flips[*at]).collect();
            for (at, answer) in places.into_iter().zip(self.solve_plain(&wanted, wishes, None)) {
                // That there is no such value says nothing about others.
                found[at] = answer.filter(|answer| matches!(answer, FlipAnswer::Answer(Answer::Sat(_))));
            }
        }
        let left: Vec<usize> = (0..flips.len()).filter(|at| found[*at].is_none()).collect();
        let (rest, paths) = (left.iter().map(|at| flips[*at]).collect::<Vec<_>>(), pick(paths, &left));
        for (at, answer) in left.into_iter().zip(self.solve_guided(&rest, paths)) {
            found[at] = answer;
        }
        found
    }
}

fn pick(paths: Vec<Vec<Condition>>, wanted: &[usize]) -> Vec<Vec<Condition>> {
    paths.into_iter().enumerate().filter(|(at, _)| wanted.contains(at)).map(|(_, path)| path).collect()
}

/// The conditions of a flip that frees an expression from a tuple, with another aspect wanted than all tuples had that
/// it is freed from. As for the flip itself, the run it comes from meets all but the last.
fn wish(arena: &mut Arena, path: &[Condition], aspect: Aspect) -> Option<Vec<Condition>> {
    let (Condition { test: Test::Same(held, last), holds: false }, before) = path.split_last()? else { return None };
    let (size, tag) = kind(arena.as_literal(*last)?)?;
    let freed = |condition: &Condition| match condition {
        Condition { test: Test::Same(expr, value), holds: false } if expr == held => kind(arena.as_literal(*value)?),
        _ => None,
    };
    let earlier: Vec<(u32, Term)> = before.iter().filter_map(freed).collect();
    let mut wish = before.to_vec();
    let mut without = |test: Test| wish.push(Condition { test, holds: false });
    match aspect {
        Aspect::Size => {
            earlier
                .iter()
                .filter(|(other, _)| *other != size)
                .for_each(|(other, _)| without(Test::Tuple(*held, *other)));
            without(Test::Tuple(*held, size));
        }
        Aspect::Tag => {
            let tags = earlier.into_iter().filter(|(other, known)| *other == size && *known != tag).map(|(_, tag)| tag);
            let tags: Vec<Term> = tags.chain([tag.clone()]).collect();
            wish.push(Condition { test: Test::Tuple(*held, size), holds: true });
            let first = arena.element(*held, 0);
            for tag in tags {
                let tag = arena.literal(tag);
                wish.push(Condition { test: Test::Same(first, tag), holds: false });
            }
        }
    }
    Some(wish)
}

/// Size and first element of a tuple that begins with an atom.
fn kind(value: &Term) -> Option<(u32, Term)> {
    let items = value.as_tuple()?;
    let tag = items.first().filter(|tag| tag.as_atom().is_some())?;
    Some((u32::try_from(items.len()).ok()?, tag.clone()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(arena: &Arena, wish: Option<Vec<Condition>>) -> Vec<(bool, Option<u32>, Option<String>)> {
        let one = |condition: &Condition| match condition.test {
            Test::Tuple(_, size) => (condition.holds, Some(size), None),
            Test::Same(_, value) => (condition.holds, None, arena.as_literal(value).map(Term::to_string)),
            _ => (condition.holds, None, None),
        };
        wish.unwrap_or_default().iter().map(one).collect()
    }

    #[test]
    fn what_was_met_already_is_not_wanted_again() {
        let mut arena = Arena::default();
        let held = arena.input(0);
        let mut freed = |text: &str| {
            let value = arena.literal(Term::read(text).unwrap_or_else(|e| panic!("{e}")));
            Condition { test: Test::Same(held, value), holds: false }
        };
        let path = [freed("{get,1}"), freed("{put,1,2}"), freed("{add,0,0}")];
        let sizes = text(&Arena::default(), wish(&mut arena, &path, Aspect::Size).map(|it| it[2..].to_vec()));
        assert_eq!(sizes, [(false, Some(2), None), (false, Some(3), None)]);
        let tags = wish(&mut arena, &path, Aspect::Tag).map(|it| it[2..].to_vec());
        let tag = |name: &str| (false, None, Some(name.to_owned()));
        assert_eq!(text(&arena, tags), [(true, Some(3), None), tag("put"), tag("add")]);
        let other = arena.literal(Term::int(1));
        let plain = Condition { test: Test::Same(held, other), holds: false };
        assert!(wish(&mut arena, &[plain], Aspect::Size).is_none());
    }
}
