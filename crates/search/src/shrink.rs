//! Smaller witnesses: the stimuli to try instead of one, the boldest first.
//!
//! Every candidate has a shorter schedule, or inputs that are smaller by [`TermSize`]; so taking one that still shows the crash, again and again, ends.

mod bulk;
mod readable;

use constraint::{Stimulus, call_template};
use num_bigint::BigInt;
use term::{Bits, Map, Row, Table, Term};

use crate::size::TermSize;

pub use readable::readable;

/// The result of a candidate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Candidate {
    /// It may not be tried; this costs nothing.
    Refused,
    /// It does not show the crash.
    Lost,
    /// It does.
    Kept,
    /// Nothing more may be tried.
    Over,
}

/// Makes a stimulus smaller as long as it still shows what it is to show; at most `tries` candidates are not refused.
pub fn shrink(stimulus: Stimulus, tries: u32, mut look: impl FnMut(&Stimulus) -> Candidate) -> Stimulus {
    let mut best = stimulus;
    let (mut left, mut looked) = (tries, 0);
    let mut keeps = |candidate: &Stimulus| {
        looked += 1;
        if left == 0 || looked > LOOKS {
            return None;
        }
        let seen = look(candidate);
        left -= u32::from(seen != Candidate::Refused);
        (seen != Candidate::Over).then_some(seen == Candidate::Kept)
    };
    if TermSize::of(&best.inputs).nodes > LARGE || best.inputs.iter().any(is_far) {
        best = bulk::bulk(best, &mut keeps);
    }
    while let Some(smaller) = first_kept(&best, &mut keeps) {
        best = smaller;
    }
    best
}

/// The first smaller candidate that is kept; `keeps` gives nothing when the bounds are met.
fn first_kept(best: &Stimulus, keeps: &mut dyn FnMut(&Stimulus) -> Option<bool>) -> Option<Stimulus> {
    let schedules = shorter(&best.schedule).map(|schedule| Stimulus { inputs: best.inputs.clone(), schedule });
    let measure = TermSize::of(&best.inputs);
    let inputs = candidates(&best.inputs).filter(|candidate| TermSize::of(candidate) < measure);
    let inputs = inputs.map(|inputs| Stimulus { inputs, schedule: best.schedule.clone() });
    for candidate in schedules.chain(inputs) {
        if keeps(&candidate)? {
            return Some(candidate);
        }
    }
    None
}

/// Nodes of inputs, and bits of an integer, that are first reduced in bulk.
const LARGE: u64 = 64;
const LARGE_BITS: u64 = 12;

fn is_far(term: &Term) -> bool {
    term.as_bigint().is_some_and(|value| value.bits() > LARGE_BITS)
}

/// Candidates looked at in all, so that a large witness does not take for ever.
const LOOKS: u32 = 200_000;

/// Edits of one value that are looked at: a larger one would give too many, each of which is a copy.
const EDITS: usize = 2_000;
const FEWEST_EDITS: usize = 100;
const COPIED: usize = 200_000;

/// The schedule without a half, then without smaller parts, down to one turn.
fn shorter(schedule: &[u32]) -> impl Iterator<Item = Vec<u32>> + use<'_> {
    let sizes = std::iter::successors(Some(schedule.len()), |size| Some(size / 2)).take_while(|size| *size > 0);
    sizes.flat_map(move |size| {
        let starts = (0..schedule.len()).step_by(size);
        starts.map(move |start| schedule[..start].iter().chain(schedule.iter().skip(start + size)).copied().collect())
    })
}

/// The inputs with one of them replaced by something smaller.
fn candidates(inputs: &[Term]) -> impl Iterator<Item = Vec<Term>> + use<> {
    let inputs = inputs.to_vec();
    (0..inputs.len()).flat_map(move |at| {
        let inputs = inputs.clone();
        let mut edits = (COPIED / TermSize::of(&inputs).nodes.max(1) as usize).clamp(FEWEST_EDITS, EDITS);
        smaller(&inputs[at], &mut edits).into_iter().map(move |value| {
            let mut changed = inputs.clone();
            changed[at] = value;
            changed
        })
    })
}

/// Values to try instead of one, each an edit at one place of it.
fn smaller(term: &Term, left: &mut usize) -> Vec<Term> {
    term::deeper(|| {
        let found = match term {
            Term::Atom(..) => vec![Term::atom_named("a")],
            Term::Float(_, value) => smaller_floats(*value),
            Term::Cons(..) => smaller_lists(term, left),
            Term::Tuple(_, items) => smaller_tuples(items, left),
            Term::Map(_, map) => smaller_maps(map, left),
            Term::Bits(_, bits) => smaller_bits(bits, left),
            Term::Fun(..) => term.as_table().map(|table| smaller_tables(table, left)).unwrap_or_default(),
            term => term.as_bigint().map(|value| smaller_integers(&value)).unwrap_or_default(),
        };
        *left = left.saturating_sub(found.len());
        found
    })
}

/// Plain ones, the same with fewer digits, and the same with a smaller exponent.
fn smaller_floats(value: f64) -> Vec<Term> {
    let mut found = vec![0.0, 1.0, value.trunc(), value.abs()];
    let text = format!("{value:e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let exponent = exponent.parse::<i32>().unwrap_or(0);
    let of = |mantissa: &str, exponent: i32| format!("{mantissa}e{exponent}").parse::<f64>().ok();
    found.extend([0, exponent / 2, exponent - exponent.signum()].into_iter().filter_map(|to| of(mantissa, to)));
    for digits in 0..mantissa.len().saturating_sub(2) {
        let short = format!("{value:.digits$e}");
        let unit = of("1", exponent - digits as i32).unwrap_or(0.0);
        let near = short.parse::<f64>().ok();
        let both = near.into_iter().flat_map(|near| [near, near + unit, near - unit]);
        // What is added is rounded: written with as many digits it is short again.
        found.extend(both.filter_map(|value| format!("{value:.digits$e}").parse::<f64>().ok()));
    }
    found.into_iter().filter(|value| value.is_finite()).map(Term::float).collect()
}

fn smaller_integers(value: &BigInt) -> Vec<Term> {
    let step = if *value > BigInt::ZERO { value - 1 } else { value + 1 };
    let mut found = vec![Term::int(0), Term::int(1), Term::big(-value)];
    // From far towards the value: a bound in the program is met from its far side in few tries.
    let mut part = value / 2;
    while part != BigInt::ZERO {
        found.push(Term::big(value - &part));
        part /= 2;
    }
    found.push(Term::big(step));
    found
}

/// Without any, without a half, without one; then with one element made smaller; then what hangs inside.
fn smaller_lists(list: &Term, left: &mut usize) -> Vec<Term> {
    let mut cells = list.cells();
    let items: Vec<Term> = cells.by_ref().cloned().collect();
    let tail = cells.rest().clone();
    let mut found = vec![Term::nil()];
    if !matches!(tail, Term::Nil(_)) {
        found.push(Term::list(items.clone()));
    }
    let mut chunk = items.len();
    while chunk > 0 && found.len() < *left {
        for start in (0..items.len()).step_by(chunk) {
            let kept = items[..start].iter().chain(items.iter().skip(start + chunk)).cloned();
            found.push(Term::list_with_tail(kept, tail.clone()));
        }
        chunk /= 2;
    }
    *left = left.saturating_sub(found.len());
    found.extend(items.iter().cloned());
    for (at, item) in items.iter().enumerate() {
        if *left == 0 {
            break;
        }
        found.extend(smaller(item, left).into_iter().map(|item| {
            let changed = items[..at].iter().cloned().chain([item]).chain(items[at + 1..].iter().cloned());
            Term::list_with_tail(changed, tail.clone())
        }));
    }
    found
}

/// Nothing much, or a part instead of the whole, which is what makes trees smaller; then one element made smaller.
fn smaller_tuples(items: &[Term], left: &mut usize) -> Vec<Term> {
    let mut found: Vec<Term> = [Term::int(0), Term::nil()].into_iter().chain(items.iter().cloned()).collect();
    if is_call(items) {
        found.extend(items.iter().flat_map(inner_calls));
    }
    for (at, item) in items.iter().enumerate() {
        if *left == 0 {
            break;
        }
        found.extend(smaller(item, left).into_iter().map(|item| {
            let mut changed = items.to_vec();
            changed[at] = item;
            Term::tuple(changed)
        }));
    }
    found
}

/// True for the elements of a term that stands for a call.
fn is_call(items: &[Term]) -> bool {
    items.first().and_then(Term::as_atom).is_some_and(|tag| call_template(tag).is_some())
}

/// Calls below one that makes an argument: two that undo each other can only go together.
fn inner_calls(argument: &Term) -> Vec<Term> {
    let mut found: Vec<Term> = Vec::new();
    let mut open = vec![argument];
    while let Some(items) = open.pop().filter(|_| found.len() < INNER_CALLS).and_then(Term::as_tuple) {
        let inner = items.iter().filter(|item| item.as_tuple().is_some_and(is_call));
        found.extend(inner.clone().cloned());
        open.extend(inner);
    }
    found
}

/// The most calls below another that are tried in its place.
const INNER_CALLS: usize = 16;

fn smaller_maps(map: &Map, left: &mut usize) -> Vec<Term> {
    let mut found = vec![Term::map(Map::new())];
    found.extend(map.keys().filter_map(|key| map.remove(key)).map(Term::map));
    for (key, value) in map.iter() {
        if *left == 0 {
            break;
        }
        found.extend(smaller(value, left).into_iter().map(|value| Term::map(map.insert(key.clone(), value))));
        found.extend(smaller(key, left).into_iter().filter(|other| !map.contains(other)).filter_map(|other| {
            let without = map.remove(key)?;
            Some(Term::map(without.insert(other, value.clone())))
        }));
    }
    found
}

/// The same for all arguments, without one row, then with something made smaller.
fn smaller_tables(table: &Table, left: &mut usize) -> Vec<Term> {
    let (rows, default) = (table.rows(), table.default());
    let made = |rows: Vec<Row>, default: Term| Table::new(table.arity(), rows, default).map(Term::table);
    let constants = rows.iter().map(|row| &row.result).chain([default]);
    let mut found: Vec<Term> = constants.filter_map(|result| made(Vec::new(), result.clone())).collect();
    for at in 0..rows.len() {
        let others: Vec<Row> = rows[..at].iter().chain(&rows[at + 1..]).cloned().collect();
        found.extend(made(others.clone(), default.clone()));
        // What it gave is what is given otherwise: one row less, too.
        found.extend(made(others, rows[at].result.clone()));
    }
    found.extend(smaller(default, left).into_iter().filter_map(|default| made(rows.to_vec(), default)));
    for (at, row) in rows.iter().enumerate() {
        if *left == 0 {
            break;
        }
        let mut change = |row: Row| {
            let mut rows = rows.to_vec();
            rows[at] = row;
            found.extend(made(rows, default.clone()));
        };
        smaller(&row.result, left).into_iter().for_each(|result| change(Row { result, ..row.clone() }));
        for (place, arg) in row.args.iter().enumerate() {
            for arg in smaller(arg, left) {
                let mut args = row.args.clone();
                args[place] = arg;
                change(Row { args, ..row.clone() });
            }
        }
    }
    found
}

/// Without any bytes, without a half, without one, and so that a byte before still counts those that follow it; then
/// plain bytes, and one byte made smaller.
fn smaller_bits(bits: &Bits, left: &mut usize) -> Vec<Term> {
    let (len, bytes) = (bits.bit_len(), bits.to_bytes().into_owned());
    let whole = len / 8;
    let mut found = vec![Term::bits(Bits::empty()), Term::bits(bits.slice(0, whole * 8))];
    let mut chunk = whole;
    while chunk > 0 && found.len() < *left {
        for start in (0..whole).step_by(chunk) {
            let end = (start + chunk).min(whole);
            found.push(made([&bytes[..start], &bytes[end..]].concat(), len - (end - start) * 8));
        }
        let kept = [&bytes[..whole - chunk], &bytes[whole..]].concat();
        found.extend(recounted(&kept, whole - chunk, chunk).map(|bytes| made(bytes, len - chunk * 8)));
        chunk /= 2;
    }
    found.push(made(vec![0; bytes.len()], len));
    for (at, byte) in bytes.iter().enumerate().filter(|(_, byte)| **byte > 0) {
        if found.len() >= *left {
            break;
        }
        for less in [0, byte / 2, byte - 1] {
            let mut changed = bytes.clone();
            changed[at] = less;
            found.push(made(changed, len));
        }
    }
    *left = left.saturating_sub(found.len());
    found
}

fn made(bytes: Vec<u8>, bits: usize) -> Term {
    Term::bits(Bits::from_bits(bytes, bits))
}

/// Bytes before a place that may count those that are no longer there, each made smaller by as many.
fn recounted(bytes: &[u8], before: usize, gone: usize) -> impl Iterator<Item = Vec<u8>> {
    let counts =
        (0..before.min(COUNTS)).filter_map(move |at| Some((at, bytes[at].checked_sub(u8::try_from(gone).ok()?)?)));
    counts.map(|(at, less)| {
        let mut changed = bytes.to_vec();
        changed[at] = less;
        changed
    })
}

/// The first bytes are those that may count what follows.
const COUNTS: usize = 4;

#[cfg(test)]
mod tests {
    use super::*;

    fn shrunk(text: &str, mut keeps: impl FnMut(&[Term]) -> bool) -> String {
        let term = Term::read(text).unwrap_or_else(|e| panic!("{e}"));
        let look = |it: &Stimulus| if keeps(&it.inputs) { Candidate::Kept } else { Candidate::Lost };
        shrink(Stimulus::from(vec![term]), 400, look).inputs[0].to_string()
    }

    #[test]
    fn a_list_loses_what_does_not_matter() {
        let has_seven = |inputs: &[Term]| inputs[0].cells().any(|item| item.as_i64() == Some(7));
        assert_eq!(shrunk("[1,2,3,4,5,6,7,8,9,10,11,12,13]", has_seven), "[7]");
    }

    #[test]
    fn an_integer_goes_down_to_the_bound() {
        let large = |inputs: &[Term]| inputs[0].as_i64().is_some_and(|value| value > 1234);
        assert_eq!(shrunk("987654321", large), "1235");
        assert_eq!(shrunk("-40", |inputs: &[Term]| inputs[0].as_i64().is_some_and(|v| v < -3)), "-4");
    }

    #[test]
    fn a_tree_becomes_the_part_that_matters() {
        let divides = |inputs: &[Term]| inputs[0].to_string().contains("'div'");
        assert_eq!(shrunk("{add, {'div', 5, {add, 1, 0}}, {mul, 2, 3}}", divides), "'div'");
        let tree = |inputs: &[Term]| divides(inputs) && inputs[0].as_tuple().is_some();
        assert_eq!(shrunk("{add, {'div', 5, {add, 1, 0}}, {mul, 2, 3}}", tree), "{'div',0,0}");
    }

    #[test]
    fn maps_and_binaries_shrink() {
        let has_key = |inputs: &[Term]| inputs[0].as_map().is_some_and(|map| map.contains(&Term::atom_named("k")));
        assert_eq!(shrunk("#{k => [1,2], j => 3, 5 => 6}", has_key), "#{k => []}");
        let long = |inputs: &[Term]| inputs[0].as_bits().is_some_and(|bits| bits.bit_len() >= 16);
        assert_eq!(shrunk("<<1,2,3,4,5>>", long), "<<0,0>>");
    }

    #[test]
    fn a_long_binary_keeps_only_the_bytes_that_matter() {
        let text = format!("<<{}>>", (0..256).map(|at| (at % 200 + 7).to_string()).collect::<Vec<_>>().join(","));
        let has = |wanted: u8| {
            move |inputs: &[Term]| inputs[0].as_bits().is_some_and(|bits| bits.to_bytes().contains(&wanted))
        };
        assert_eq!(shrunk(&text, has(150)), "<<150>>");
        let large =
            |inputs: &[Term]| inputs[0].as_bits().is_some_and(|bits| bits.to_bytes().iter().any(|byte| *byte > 40));
        assert_eq!(shrunk(&text, large), r#"<<")">>"#);
    }

    #[test]
    fn a_byte_that_counts_others_shrinks_with_them() {
        let text = format!("<<200,{}>>", vec!["9"; 200].join(","));
        let counted = |inputs: &[Term]| {
            inputs[0].as_bits().is_some_and(|bits| {
                let bytes = bits.to_bytes();
                bytes.len() > 3 && usize::from(bytes[0]) == bytes.len() - 1
            })
        };
        assert_eq!(shrunk(&text, counted), "<<3,0,0,0>>");
    }

    #[test]
    fn what_is_large_becomes_small_in_few_tries() {
        let length = |inputs: &[Term]| inputs[0].cells().count();
        let pushes = vec!["{push,17},pop"; 2_000].join(",");
        let full = |inputs: &[Term]| inputs[0].to_string().matches("{push").count() > 50;
        let found = shrunk(&format!("[{pushes}]"), full);
        assert_eq!(found, format!("[{}]", vec!["{push,0}"; 51].join(",")));
        assert_eq!(shrunk(&format!("[{pushes}]"), |inputs| length(inputs) > 3_000).matches(',').count(), 3_000);
        let many = |inputs: &[Term]| inputs[0].as_bigint().is_some_and(|value| value >= BigInt::from(1_000_000));
        assert_eq!(shrunk("123456789012345", many), "1000000");
        let deep = |inputs: &[Term]| inputs[0].to_string().matches("{link").count() > 40;
        let links = |count: usize| format!("{}0{}", "{link,".repeat(count), "}".repeat(count));
        assert_eq!(shrunk(&links(700), deep), links(41));
    }

    #[test]
    fn tables_lose_rows_and_give_less() {
        let gives = |at: i64, wanted: i64| {
            move |inputs: &[Term]| {
                inputs[0].as_table().is_some_and(|table| table.result(&[Term::int(at)]) == &Term::int(wanted))
            }
        };
        assert_eq!(shrunk("fun(3) -> 42; (4) -> [1,2]; (_) -> {a,b} end", gives(3, 42)), "fun(_) -> 42 end");
        let two = move |inputs: &[Term]| gives(3, 42)(inputs) && gives(4, 7)(inputs);
        assert_eq!(shrunk("fun(3) -> 42; (4) -> 7; (5) -> 6; (_) -> 0 end", two), "fun(4) -> 7; (_) -> 42 end");
        let large = |inputs: &[Term]| inputs[0].as_table().is_some_and(|table| table.default().as_i64() > Some(9));
        assert_eq!(shrunk("fun(3) -> 42; (_) -> 1000 end", large), "fun(_) -> 10 end");
    }

    #[test]
    fn tries_are_bounded_and_the_start_is_kept_if_nothing_smaller_does() {
        let mut asked = 0;
        let found = shrink(Stimulus::from(vec![Term::int(1 << 40)]), 5, |_| {
            asked += 1;
            Candidate::Lost
        });
        assert_eq!((found.inputs[0].as_i64(), asked), (Some(1 << 40), 5));
    }

    #[test]
    fn turns_that_do_not_matter_are_dropped() {
        let schedule = vec![0, 2, 1, 0, 3, 1, 1];
        let shows = |it: &Stimulus| it.schedule.iter().sum::<u32>() > 2 && it.inputs[0] == Term::int(7);
        let look = |it: &Stimulus| if shows(it) { Candidate::Kept } else { Candidate::Lost };
        let found = shrink(Stimulus { inputs: vec![Term::int(7)], schedule }, 400, look);
        assert_eq!((found.schedule, found.inputs), (vec![3], vec![Term::int(7)]));
    }
}
