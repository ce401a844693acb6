//! Kinds of arguments for the natives of `erlang`, `math` and their like: mostly fitting, sometimes of another kind.

use num_bigint::BigInt;
use term::{Bits, Map, Term, etf};

use crate::generate::Source;

/// What an argument is for.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Kind {
    Any,
    Number,
    Integer,
    Float,
    /// For shifts: small, or out of all bounds.
    Shift,
    Bool,
    Atom,
    /// Of a few elements, which occur again and again.
    List,
    /// Up to some hundred elements.
    LongList,
    Tuple,
    /// An element's number, right or a little wrong.
    Position,
    /// How large something is to be.
    Size,
    /// Entries for `make_tuple/3`.
    Places,
    Map,
    /// A key of the map that is argument so.
    KeyOf(usize),
    /// A term close to the argument so.
    Near(usize),
    Fun,
    FunItem,
    Arity,
    Binary,
    Bits,
    Pair,
    Iodata,
    Bitdata,
    IntegerText(Shape),
    FloatText(Shape),
    Name(Shape),
    Base,
    Encoding,
    FloatOptions,
    External,
    ExternalOptions,
    Word,
    Length,
    Handle,
    Range,
}

/// How a text is given.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Shape {
    List,
    Binary,
}

/// The arguments of one call.
pub fn arguments(source: &mut Source, kinds: &[Kind]) -> Vec<Term> {
    let mut args: Vec<Term> = kinds.iter().map(|kind| argument(source, *kind)).collect();
    for (at, kind) in kinds.iter().enumerate() {
        match kind {
            Kind::KeyOf(map) if source.below(4) > 0 => {
                let keys: Vec<Term> = args[*map].as_map().map_or(Vec::new(), |map| map.keys().cloned().collect());
                if !keys.is_empty() {
                    args[at] = keys[source.below(keys.len())].clone();
                }
            }
            Kind::Near(other) if source.below(3) > 0 => {
                let other = args[*other].clone();
                args[at] = source.neighbour(&other);
            }
            _ => {}
        }
    }
    args
}

fn argument(source: &mut Source, kind: Kind) -> Term {
    if source.below(8) == 0 {
        return any(source);
    }
    match kind {
        Kind::Any | Kind::KeyOf(_) | Kind::Near(_) => any(source),
        Kind::Number => source.number(),
        Kind::Integer => source.integer(),
        Kind::Float => source.float(),
        Kind::Shift => match source.below(6) {
            0 => source.near_a_power(200),
            _ => Term::int(source.below(300) as i64 - 150),
        },
        Kind::Bool => Term::bool(source.below(2) == 0),
        Kind::Atom => source.atom(),
        Kind::List => list(source, 8),
        Kind::LongList => list(source, 400),
        Kind::Tuple => Term::tuple(world(source, 6)),
        Kind::Position => Term::int(source.below(9) as i64 - 1),
        Kind::Size => Term::int(source.below(40) as i64 - 2),
        Kind::Places => places(source),
        Kind::Map if source.below(6) == 0 => source.large_map(),
        Kind::Map => Term::map(Map::from_pairs(world(source, 9).into_iter().map(|key| (key.clone(), key)))),
        Kind::Fun => Term::read(source.pick(FUNS)).expect("funs are written in source"),
        Kind::FunItem => Term::atom_named(source.pick(FUN_ITEMS)),
        Kind::Arity => Term::int(source.pick(&[0, 1, 2, 3, 255, 256, -1])),
        Kind::Binary => Term::binary(source.bits().to_bytes().into_owned()),
        Kind::Bits => Term::bits(source.bits()),
        Kind::Pair => Term::tuple([Term::int(source.below(14) as i64 - 2), Term::int(source.below(14) as i64 - 5)]),
        Kind::Iodata => iodata(source, 3, false),
        Kind::Bitdata => iodata(source, 3, true),
        Kind::IntegerText(Shape::List) => with_odd_digits(&integer_text(source), source),
        Kind::IntegerText(Shape::Binary) => Term::binary(integer_text(source)),
        Kind::FloatText(shape) => {
            let text = float_text(source);
            shaped(&text, shape)
        }
        Kind::Name(shape) => {
            let text = name(source);
            shaped(&text, shape)
        }
        Kind::Base => {
            Term::int(source.pick(&[2, 3, 8, 10, 16, 35, 36, 10, 16, 2, 1, 0, 37, -1, (1 << 32) + 10, (1 << 59) + 10]))
        }
        Kind::Encoding => Term::atom_named(source.pick(&["latin1", "utf8", "unicode", "utf16"])),
        Kind::FloatOptions => float_options(source),
        Kind::External => external(source),
        Kind::ExternalOptions => Term::read(source.pick(EXTERNAL_OPTIONS)).expect("options are written in source"),
        Kind::Word => Term::int(match source.below(8) {
            0 => source.next() as i64,
            1 => source.pick(&[0, 1, u32::MAX as i64, 1 << 32, -1]),
            _ => i64::from(source.next() as u32),
        }),
        Kind::Length => Term::int(source.pick(&[0, 1, 2, 5552, 65521, 1 << 20, u32::MAX as i64, 1 << 32, -1])),
        Kind::Handle => handle(source),
        Kind::Range => match source.below(3) {
            0 => source.near_a_power(40),
            _ => Term::int(1 + source.below(1000) as i64),
        },
    }
}

const FUNS: &[&str] =
    &["fun lists:map/2", "fun erlang:'+'/2", "fun 'A b':'c d'/0", "fun m:f/255", "fun 'if':'end'/1", "fun 'é':'λ'/1"];

const FUN_ITEMS: &[&str] =
    &["module", "name", "arity", "env", "type", "index", "new_index", "new_uniq", "uniq", "pid", "other", "refc"];

const EXTERNAL_OPTIONS: &[&str] = &[
    "[]",
    "[]",
    "[{minor_version,0}]",
    "[{minor_version,1}]",
    "[{minor_version,2}]",
    "[compressed]",
    "[{compressed,9}]",
    "[deterministic]",
    "[safe]",
    "[used]",
    "[safe,used]",
    "[other]",
    "[compressed|x]",
    "[{minor_version,3}]",
];

fn any(source: &mut Source) -> Term {
    match source.below(30) {
        0 => source.large_map(),
        _ => {
            let depth = source.below(4);
            source.term(depth)
        }
    }
}

/// Terms of a small world, so that they meet their like.
fn world(source: &mut Source, most: usize) -> Vec<Term> {
    let count = source.below(most + 1);
    (0..count).map(|_| member(source)).collect()
}

fn member(source: &mut Source) -> Term {
    match source.below(12) {
        0 => Term::float(source.pick(&[0.0, -0.0, 1.0, 2.0])),
        1 => Term::atom_named(source.pick(&["a", "b", "true"])),
        2 => Term::tuple([member(source)]),
        3 => Term::big(BigInt::from(1) << 70),
        4 => any(source),
        _ => Term::int(source.below(5) as i64),
    }
}

fn list(source: &mut Source, most: usize) -> Term {
    let items = world(source, most);
    let tail = if source.below(10) == 0 { member(source) } else { Term::nil() };
    Term::list_with_tail(items, tail)
}

fn places(source: &mut Source) -> Term {
    let count = source.below(5);
    let entries: Vec<Term> = (0..count)
        .map(|_| match source.below(12) {
            0 => member(source),
            _ => Term::tuple([Term::int(1 + source.below(6) as i64), member(source)]),
        })
        .collect();
    Term::list_with_tail(entries, if source.below(12) == 0 { member(source) } else { Term::nil() })
}

fn iodata(source: &mut Source, depth: usize, unaligned: bool) -> Term {
    match source.below(if depth == 0 { 2 } else { 5 }) {
        0 if unaligned || source.below(10) == 0 => Term::bits(source.bits()),
        0 | 1 => Term::binary(source.bits().to_bytes().into_owned()),
        _ => {
            let count = source.below(5);
            let items: Vec<Term> = (0..count)
                .map(|_| match source.below(24) {
                    0 => member(source),
                    1 => Term::int(source.pick(&[256, -1, 255, 0])),
                    2..=13 => Term::int(source.below(256) as i64),
                    _ => iodata(source, depth - 1, unaligned),
                })
                .collect();
            let tail = match source.below(8) {
                0 => Term::binary(*b"tail"),
                1 if source.below(4) == 0 => Term::int(7),
                2 if unaligned => Term::bits(source.bits()),
                _ => Term::nil(),
            };
            Term::list_with_tail(items, tail)
        }
    }
}

fn shaped(text: &str, shape: Shape) -> Term {
    match shape {
        Shape::List => Term::string(text),
        Shape::Binary => Term::binary(text),
    }
}

fn integer_text(source: &mut Source) -> String {
    let sign = source.pick(&["", "", "+", "-", "--"]);
    let alphabet = source.pick(&["01", "0123456789", "0123456789abcdefABCDEF", "0123456789xyzXYZ", "09_ .,é"]);
    let symbols: Vec<char> = alphabet.chars().collect();
    let len = source.pick(&[0, 1, 1, 2, 5, 11, 12, 13, 18, 19, 20, 21, 40, 300]);
    sign.chars().chain((0..len).map(|_| source.pick(&symbols))).collect()
}

/// A text in which some integers are digits, or signs, only by their low byte.
fn with_odd_digits(text: &str, source: &mut Source) -> Term {
    if source.below(3) > 0 {
        return Term::string(text);
    }
    let most: BigInt = BigInt::from(1) << 59;
    let others = [256.into(), (-256).into(), BigInt::from(1) << 40, &most - 256, most.clone(), -&most, -most - 256];
    let odd = |character: char| match source.below(4) {
        0 => Term::big(&others[source.below(others.len())] + u32::from(character)),
        _ => Term::int(i64::from(u32::from(character))),
    };
    Term::list(text.chars().map(odd).collect::<Vec<Term>>())
}

fn float_text(source: &mut Source) -> String {
    if source.below(3) == 0 {
        return source.float().to_string();
    }
    let digits = |source: &mut Source| {
        let len = source.pick(&[0, 1, 1, 2, 3, 17, 25]);
        (0..len).map(|_| source.pick(&['0', '1', '5', '9'])).collect::<String>()
    };
    let sign = source.pick(&["", "", "", "+", "-", " "]);
    let point = source.pick(&[".", ".", ".", ".", ",", ""]);
    let exponent =
        source.pick(&["", "", "", "e5", "E5", "e+7", "e-7", "e", "e+", "e400", "e-400", "e308", "e1.0", "f"]);
    let end = source.pick(&["", "", "", "", "", "", " ", "\0", "\0x", "x"]);
    format!("{sign}{}{point}{}{exponent}{end}", digits(source), digits(source))
}

fn name(source: &mut Source) -> String {
    let (len, symbols): (usize, &[char]) = match source.below(8) {
        0 => (source.pick(&[254, 255, 256, 257, 300]), &['a']),
        1 => (source.pick(&[254, 255, 256, 257, 300]), &['é']),
        2 => (source.pick(&[254, 255, 256, 257]), &['λ', '😀', 'a']),
        3 => return source.pick(&["ok", "error", "badarg", "lists", "no_such_atom_here", "ÿÿ no", "λ no"]).to_owned(),
        _ => (source.below(8), &['a', 'b', 'é', 'λ', '\0', '😀', 'Z']),
    };
    (0..len).map(|_| source.pick(symbols)).collect()
}

fn float_options(source: &mut Source) -> Term {
    let count = source.below(4);
    let options: Vec<Term> = (0..count).map(|_| float_option(source)).collect();
    Term::list_with_tail(options, if source.below(15) == 0 { member(source) } else { Term::nil() })
}

fn float_option(source: &mut Source) -> Term {
    let digits = match source.below(8) {
        0 => source.pick(&[-1, 0, 249, 250, 253, 254, 230]),
        _ => source.below(22) as i64,
    };
    match source.below(10) {
        0 | 1 => Term::atom_named("compact"),
        2 => Term::atom_named("short"),
        3 => Term::atom_named("other"),
        4 | 5 => Term::tuple([Term::atom_named("scientific"), Term::int(digits)]),
        _ => Term::tuple([Term::atom_named("decimals"), Term::int(digits)]),
    }
}

/// The external form of a term, or something close to one.
fn external(source: &mut Source) -> Term {
    let mut bytes = etf::encode(&any(source)).expect("generated terms hold no closures");
    match source.below(6) {
        0 => bytes.truncate(source.below(bytes.len() + 1)),
        1 => bytes.push(source.next() as u8),
        2 | 3 => {
            let at = source.below(bytes.len());
            bytes[at] = source.next() as u8;
        }
        _ => {}
    }
    if source.below(4) > 0 {
        return Term::binary(bytes);
    }
    // The same bytes at an odd place of their buffer.
    let shifted = (BigInt::from_bytes_be(num_bigint::Sign::Plus, &[&[1], &bytes[..]].concat()) << 5u8).to_bytes_be().1;
    Term::bits(Bits::from_bytes(shifted).slice(3 + 8, bytes.len() * 8)).clone()
}

fn handle(source: &mut Source) -> Term {
    loop {
        if let handle @ Term::Handle(..) = source.term(0) {
            return handle;
        }
    }
}
