//! The hash by which the VM places the rows of a table, and so the order in which it lists them.

use term::Term;

use super::hash::{Sum, name_hash};

/// The hash of nothing.
const START: u32 = 3_432_918_353;

/// The tag of a small integer, and the empty list as a word of the VM.
const SMALL_TAG: u64 = 0xf;
const NIL: u64 = 0x3b;

/// The most keys of a map that the VM keeps in their order.
const FLAT: usize = 32;

/// Returns the hash of a key of a table; nothing if it depends on the VM at hand, as that of an atom within a tuple does.
pub fn key_hash(key: &Term) -> Option<u32> {
    let hash = match key {
        Term::Atom(_, atom) => name_hash(*atom),
        _ => {
            let mut sum = Sum(START);
            add(key, &mut sum)?;
            sum.0
        }
    };
    Some(hash & (u32::MAX >> 1))
}

fn add(term: &Term, sum: &mut Sum) -> Option<()> {
    match term {
        Term::Nil(_) => word(NIL, sum),
        Term::Int(_, value) => integer(*value, sum),
        Term::Big(_, value) => sum.digits(value.sign() == num_bigint::Sign::Minus, value.iter_u64_digits()),
        Term::Float(_, value) => {
            let bits = (value + 0.0).to_bits();
            sum.pair(bits as u32, (bits >> 32) as u32, 12);
        }
        Term::Bits(_, bits) => sum.bits(bits),
        Term::Cons(..) => return list(term, sum),
        Term::Tuple(_, items) => {
            sum.word(items.len() as u32, 9);
            return term::deeper(|| items.iter().try_for_each(|item| add(item, sum)));
        }
        Term::Map(_, map) if map.len() <= FLAT => {
            sum.word(map.len() as u32, 16);
            return term::deeper(|| {
                map.iter().try_for_each(|(key, value)| {
                    add(key, sum)?;
                    add(value, sum)
                })
            });
        }
        Term::Atom(..) | Term::Map(..) | Term::Fun(..) | Term::Handle(..) => return None,
    }
    Some(())
}

/// A term that is one word of the VM.
fn word(word: u64, sum: &mut Sum) {
    sum.pair(word as u32, (word >> 32) as u32, 1);
}

fn integer(value: i64, sum: &mut Sum) {
    match value {
        -0x0800_0000_0000_0000..0x0800_0000_0000_0000 => word((value << 4) as u64 | SMALL_TAG, sum),
        _ => sum.digits(value < 0, [value.unsigned_abs()]),
    }
}

/// Runs of bytes are hashed four at a time.
fn list(list: &Term, sum: &mut Sum) -> Option<()> {
    let mut rest = list;
    while let Term::Cons(..) = rest {
        let (mut bytes, mut count) = (0u32, 0);
        while let Term::Cons(_, cell) = rest {
            let Term::Int(_, byte @ 0..=255) = cell.head else { break };
            bytes = (bytes << 8).wrapping_add(byte as u32);
            count += 1;
            if count == 4 {
                sum.word(bytes, 4);
                (bytes, count) = (0, 0);
            }
            rest = &cell.tail;
        }
        if count > 0 {
            sum.pair(bytes, count, 22);
        }
        let Term::Cons(_, cell) = rest else { break };
        turn(sum, 17);
        term::deeper(|| add(&cell.head, sum))?;
        if !matches!(cell.tail, Term::Cons(..)) {
            turn(sum, 18);
        }
        rest = &cell.tail;
    }
    term::deeper(|| add(rest, sum))
}

/// Adds the kind of what comes next.
fn turn(sum: &mut Sum, multiple: u32) {
    sum.0 = (sum.0 ^ super::hash::RATIO.wrapping_mul(multiple)).rotate_left(17);
}
