//! Arguments at which an opaque function may give a wanted value. Nothing rests on a guess: the function is asked.

use std::collections::BTreeMap;

use term::{Bits, Mfa, Term};

use super::pattern::{Choice, Item, parse};
use super::subjects::{Wanted, subjects};
use super::{checksum, external};
use crate::find;

/// Gives the text and the options that a pattern was compiled from.
pub type Sources<'a> = &'a dyn Fn(&Term) -> Option<(Term, Term)>;

/// Guesses arguments at which a function gives a value, from those at which it gave another.
pub type Guess = for<'a> fn(&[Term], &Term, Sources<'a>) -> Vec<Vec<Term>>;

/// Returns arguments at which a function may end with an outcome, from those at which it ended with another.
pub fn guesses(function: Mfa, args: &[Term], outcome: &Term, sources: Sources<'_>) -> Vec<Vec<Term>> {
    let Some([value]) = outcome.as_tuple() else { return failing(args) };
    find(function).and_then(|operation| operation.guess).map(|guess| guess(args, value, sources)).unwrap_or_default()
}

/// `re:run/2`, `re:run/3`: other subjects.
pub(crate) fn run(args: &[Term], value: &Term, sources: Sources<'_>) -> Vec<Vec<Term>> {
    let nothing = Term::nil();
    let matched = matched(&args[0], &args[1], args.get(2).unwrap_or(&nothing), value, sources);
    matched.into_iter().map(|subject| std::iter::once(subject).chain(args[1..].iter().cloned()).collect()).collect()
}

/// `crc32/1`, `crc32/2`: other data.
pub(crate) fn crc32(args: &[Term], value: &Term, _: Sources<'_>) -> Vec<Vec<Term>> {
    let Some((data, before)) = args.split_last() else { return Vec::new() };
    let sum = before.first().map_or(Some(0), |sum| u32::try_from(sum.as_i64()?).ok());
    let all = sum.map(|sum| summed(data, sum, value)).unwrap_or_default();
    all.into_iter().map(|data| before.iter().cloned().chain([data]).collect()).collect()
}

pub(crate) fn adler32(args: &[Term], value: &Term, _: Sources<'_>) -> Vec<Vec<Term>> {
    let length = args[0].as_bits().map_or(0, Bits::byte_len);
    let wanted = value.as_i64().and_then(|sum| u32::try_from(sum).ok());
    let all = wanted.map(|wanted| checksum::with_adler(length, wanted)).unwrap_or_default();
    all.into_iter().map(|bytes| vec![Term::binary(bytes)]).collect()
}

pub(crate) fn term_to_binary(_: &[Term], value: &Term, _: Sources<'_>) -> Vec<Vec<Term>> {
    let bytes = value.as_bits().and_then(Bits::as_bytes);
    bytes.map(external::resembling).unwrap_or_default().into_iter().map(|term| vec![term]).collect()
}

/// Arguments at which many a function fails: one of them is at the edge of what such arguments can be.
fn failing(args: &[Term]) -> Vec<Vec<Term>> {
    let with = |at: usize, other: Term| {
        let mut args = args.to_vec();
        args[at] = other;
        args
    };
    let all = args.iter().enumerate();
    all.flat_map(|(at, arg)| odd(arg).into_iter().map(move |other| (at, other)))
        .map(|(at, other)| with(at, other))
        .take(ODD)
        .collect()
}

/// Failures that are looked for at one call.
const ODD: usize = 24;

fn odd(arg: &Term) -> Vec<Term> {
    match arg {
        Term::Int(..) | Term::Float(..) => [0, -1, 1].map(Term::int).to_vec(),
        Term::Nil(_) | Term::Cons(..) => {
            let items = arg.proper_list().unwrap_or_default();
            let rest = items.iter().skip(1).cloned();
            let first = |first: Term| Term::list(std::iter::once(first).chain(rest.clone()).collect::<Vec<_>>());
            let mut all = vec![Term::nil()];
            all.extend([256, -1, 0xd800, 0x11_0000].map(|point| first(Term::int(point))));
            all.extend([first(Term::atom_named("a")), Term::list_with_tail([Term::int(97)], Term::int(98))]);
            all
        }
        Term::Bits(_, bits) => {
            let odd = Bits::from_bits(vec![128], 1);
            let mut all = vec![Term::binary([]), Term::binary([255])];
            all.extend(bits.is_binary().then(|| Term::bits(odd)));
            all
        }
        _ => vec![Term::atom_named("a"), Term::nil(), Term::int(-1)],
    }
}

fn summed(data: &Term, before: u32, value: &Term) -> Vec<Term> {
    let Some(wanted) = value.as_i64().and_then(|sum| u32::try_from(sum).ok()) else { return Vec::new() };
    let bytes = data.as_bits().filter(|bits| bits.is_binary()).map(|bits| bits.to_bytes().into_owned());
    let all = checksum::with_checksum(&bytes.unwrap_or_default(), before, wanted);
    all.into_iter().map(Term::binary).collect()
}

/// Subjects of the same kind as the one there is.
fn matched(subject: &Term, pattern: &Term, options: &Term, value: &Term, sources: Sources<'_>) -> Vec<Term> {
    let given = options.proper_list().unwrap_or_default();
    let (pattern, more) = match pattern.as_tuple() {
        Some(_) => match sources(pattern) {
            Some((text, options)) => (text, options.proper_list().unwrap_or_default()),
            None => return Vec::new(),
        },
        None => (pattern.clone(), Vec::new()),
    };
    let has = |name: &str| given.iter().chain(&more).any(|option| *option == Term::atom_named(name));
    let unicode = has("unicode");
    let Some(parsed) = text(&pattern, unicode).and_then(|text| parse(&text, has("extended"))) else {
        return Vec::new();
    };
    let wanted = wanted(&parsed, &given, value, unicode);
    let list = !matches!(subject, Term::Bits(..));
    subjects(&parsed, &wanted).into_iter().filter_map(|points| made(&points, list, unicode)).collect()
}

fn made(points: &[u32], list: bool, unicode: bool) -> Option<Term> {
    if list {
        return Some(Term::list(points.iter().map(|point| Term::int(i64::from(*point))).collect::<Vec<_>>()));
    }
    if unicode {
        let text: Option<String> = points.iter().map(|point| char::from_u32(*point)).collect();
        return Some(Term::binary(text?.into_bytes()));
    }
    points.iter().map(|point| u8::try_from(*point).ok()).collect::<Option<Vec<u8>>>().map(Term::binary)
}

/// A text given as a binary or as a list of characters and texts.
fn text(term: &Term, unicode: bool) -> Option<String> {
    points(term, unicode)?.into_iter().map(char::from_u32).collect()
}

fn points(term: &Term, unicode: bool) -> Option<Vec<u32>> {
    if let Some(bytes) = term.as_bits().and_then(Bits::as_bytes) {
        return match unicode {
            true => std::str::from_utf8(bytes).ok().map(|text| text.chars().map(u32::from).collect()),
            false => Some(bytes.iter().map(|byte| u32::from(*byte)).collect()),
        };
    }
    let mut all = Vec::new();
    for item in term.proper_list()? {
        match item.as_i64() {
            Some(point) => all.push(u32::try_from(point).ok()?),
            None => all.extend(points(&item, unicode)?),
        }
    }
    Some(all)
}

/// The captures of a match with this value.
fn wanted(pattern: &Choice, options: &[Term], value: &Term, unicode: bool) -> Wanted {
    let mut wanted = Wanted::default();
    let Some([_, captured]) = value.as_tuple() else { return wanted };
    let Some(captured) = captured.proper_list() else { return wanted };
    let mut names = BTreeMap::new();
    numbered(pattern, &mut names);
    let spec = options.iter().find_map(|option| match option.as_tuple() {
        Some([name, spec, ..]) if *name == Term::atom_named("capture") => Some(spec.clone()),
        _ => None,
    });
    let numbers: Vec<u32> = match &spec {
        None => (0..).take(captured.len()).collect(),
        Some(spec) => match spec.as_atom().map(|atom| atom.name()) {
            Some("all_but_first") => (1..).take(captured.len()).collect(),
            Some(_) => (0..).take(captured.len()).collect(),
            None => spec.proper_list().unwrap_or_default().iter().map(|group| number(group, &names)).collect(),
        },
    };
    for (number, captured) in numbers.into_iter().zip(&captured) {
        match captured.as_tuple() {
            Some([_, length]) => {
                wanted.lengths.extend(length.as_i64().filter(|it| (1..=64).contains(it)).map(|it| it as u32))
            }
            _ => {
                if let Some(text) = points(captured, unicode) {
                    wanted.lengths.extend(Some(text.len() as u32).filter(|it| (3..=64).contains(it)));
                    wanted.texts.insert(number, text);
                }
            }
        }
    }
    wanted.lengths.sort_unstable();
    wanted.lengths.dedup();
    wanted.lengths.truncate(4);
    wanted
}

/// A group by its number or name; none has the largest number.
fn number(group: &Term, names: &BTreeMap<String, u32>) -> u32 {
    let name = group.as_atom().map(|atom| atom.name().to_owned()).or_else(|| text(group, true));
    match group.as_i64() {
        Some(number) => u32::try_from(number).unwrap_or(u32::MAX),
        None => name.and_then(|name| names.get(&name).copied()).unwrap_or(u32::MAX),
    }
}

fn numbered(pattern: &Choice, names: &mut BTreeMap<String, u32>) {
    for piece in pattern.iter().flatten() {
        if let Item::Group { inside, number, name } = &piece.item {
            names.extend(name.clone().zip(*number));
            numbered(inside, names);
        }
    }
}
