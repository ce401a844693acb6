//! Arguments for the differential tests: mostly of the kind a function wants, sometimes of none.

use num_bigint::BigInt;
use term::{Bits, Map, Mfa, Term};

/// What an argument is for.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Kind {
    Any,
    Key,
    Index,
    Count,
    Integer,
    List,
    Keyed,
    Keys,
    Pairs,
    Map,
    SmallMap,
    Iterate,
    Binary,
    Binaries,
    Bytes,
    Needles,
    Scopes,
    Splits,
    Place,
    Endian,
    Data,
    Encoding,
    Characters,
}

/// The number that `HOUND_SEED` gives, for other arguments than those of every day.
#[allow(clippy::disallowed_methods, reason = "a test may read its environment")]
fn seed() -> u64 {
    std::env::var("HOUND_SEED").ok().and_then(|text| text.parse().ok()).unwrap_or(7)
}

/// A stream of arguments that depends on the function it is for and on the seed.
pub struct Source {
    state: u64,
}

const NUMERALS: &[&str] = &[
    "0",
    "12",
    "-7",
    "+3",
    "1.5",
    "-0.0",
    "1,25",
    "3.0e",
    "2.5e+",
    "1.0e999",
    "1.0e-999",
    "12.5E3x",
    "e5",
    "-",
    "+",
    ".5",
    "4.",
    "123456789012345678901234567890",
    "007",
    "1.5e-3.2",
    "--1",
    " 1",
    "9.9e+2 ",
];

impl Source {
    pub fn new(function: Mfa) -> Source {
        let name = format!("{function:?}");
        let state = name.bytes().fold(seed(), |seed, byte| seed.wrapping_mul(31).wrapping_add(byte.into()));
        Source { state }
    }

    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.state ^ (self.state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }

    fn chance(&mut self, one_in: usize) -> bool {
        self.below(one_in) == 0
    }

    fn pick<T: Clone>(&mut self, these: &[T]) -> T {
        these[self.below(these.len())].clone()
    }

    fn some(&mut self, most: usize, mut make: impl FnMut(&mut Source) -> Term) -> Vec<Term> {
        let count = self.below(most + 1);
        (0..count).map(|_| make(self)).collect()
    }

    pub fn argument(&mut self, kind: Kind) -> Term {
        let kind = if self.chance(12) { Kind::Any } else { kind };
        match kind {
            Kind::Any => self.any(2),
            Kind::Key => self.key(),
            Kind::Index => Term::int(self.pick(&[0, 0, 1, 1, 2, 3, 4, -1, -2, 7, i64::MAX, i64::MIN])),
            Kind::Count => Term::int(self.below(6) as i64 - 1),
            Kind::Integer => self.integer(),
            Kind::List => self.list(Source::key),
            Kind::Keyed => self.list(|source| {
                let items = source.some(3, Source::key);
                if source.chance(6) { source.key() } else { Term::tuple(items) }
            }),
            Kind::Keys => self.list(Source::key),
            Kind::Pairs => self.list(|source| if source.chance(40) { source.key() } else { source.pair() }),
            Kind::Map => {
                let size = self.pick(&[0, 1, 2, 5, 31, 32, 33, 40]);
                Term::map(self.map_of(size))
            }
            Kind::SmallMap => {
                let size = self.below(5);
                Term::map(self.map_of(size))
            }
            Kind::Iterate => self.pick(&[Term::nil(), Term::atom_named("iterator"), Term::string("ab")]),
            Kind::Binary => self.binary(),
            Kind::Binaries => self.list(Source::binary),
            Kind::Bytes => self.bytes(3),
            Kind::Needles => self.needles(),
            Kind::Scopes => self.options(&[]),
            Kind::Splits => self.options(&["global", "trim", "trim_all", "global"]),
            Kind::Place => Term::tuple([self.argument(Kind::Index), self.argument(Kind::Index)]),
            Kind::Endian => Term::atom_named(self.pick(&["big", "little", "other"])),
            Kind::Data => self.data(3),
            Kind::Encoding => self.encoding(),
            Kind::Characters => self.characters(),
        }
    }

    fn any(&mut self, depth: usize) -> Term {
        match self.below(if depth == 0 { 5 } else { 9 }) {
            0 => self.integer(),
            1 => self.key(),
            2 => Term::nil(),
            3 => Term::bits(Bits::from_bits(vec![self.next() as u8, self.next() as u8], 11)),
            4 => self.binary(),
            5 => Term::tuple(self.some(3, |source| source.any(depth - 1))),
            6 => self.list(|source| source.any(depth - 1)),
            7 => Term::list_with_tail(vec![self.any(depth - 1)], self.key()),
            _ => Term::map(Map::from_pairs([(self.key(), self.any(depth - 1))])),
        }
    }

    fn integer(&mut self) -> Term {
        match self.below(4) {
            0 => Term::int(self.below(300) as i64 - 20),
            1 => Term::int(self.next() as i64),
            2 => Term::big(BigInt::from(self.next()) << self.below(100)),
            _ => Term::big(-(BigInt::from(self.next()) << self.below(100))),
        }
    }

    /// From a small world, so that keys meet their like: equal in value, but not in type or sign.
    fn key(&mut self) -> Term {
        match self.below(12) {
            0 => Term::float(0.0),
            1 => Term::float(-0.0),
            2 => Term::float(self.below(3) as f64),
            3 => Term::binary([self.below(3) as u8]),
            4 => Term::tuple([self.key()]),
            5 => Term::big(BigInt::from(self.below(2)) + (BigInt::from(1) << 70)),
            6 => Term::list([self.key()]),
            7 => Term::float((1u128 << 70) as f64),
            8 | 9 => Term::int(self.below(4) as i64),
            _ => Term::atom_named(self.pick(&["a", "b", "c", "false", "å"])),
        }
    }

    fn pair(&mut self) -> Term {
        Term::tuple([self.key(), Term::int(self.below(100) as i64)])
    }

    fn list(&mut self, make: impl FnMut(&mut Source) -> Term) -> Term {
        let items = self.some(6, make);
        let tail = if self.chance(15) { self.key() } else { Term::nil() };
        Term::list_with_tail(items, tail)
    }

    /// A map of exactly that size.
    pub fn map_of(&mut self, size: usize) -> Map {
        let mut map = Map::new();
        while map.len() < size {
            let key = match self.below(4) {
                0 => Term::atom_named(&format!("key{}", self.below(2000))),
                1 => Term::int(self.below(2000) as i64),
                2 => Term::tuple([self.key(), Term::int(self.below(50) as i64)]),
                _ => self.key(),
            };
            map.insert_mut(key, Term::int(self.below(100) as i64));
        }
        map
    }

    fn text(&mut self) -> Vec<u8> {
        let len = self.below(9);
        (0..len).map(|_| self.pick(b"aabbc")).collect()
    }

    fn binary(&mut self) -> Term {
        match self.below(8) {
            0 => Term::binary([self.next() as u8, self.next() as u8]),
            // The same bytes at an odd place of their buffer.
            1 => {
                let bytes = self.text();
                let mut shifted = vec![0; bytes.len() + 1];
                for (at, byte) in bytes.iter().enumerate() {
                    shifted[at] |= byte >> 3;
                    shifted[at + 1] |= byte << 5;
                }
                Term::bits(Bits::from_bytes(shifted).slice(3, bytes.len() * 8))
            }
            _ => Term::binary(self.text()),
        }
    }

    /// Nested bytes and binaries.
    fn bytes(&mut self, depth: usize) -> Term {
        let item = |source: &mut Source| match source.below(if depth == 0 { 2 } else { 3 }) {
            0 => Term::int(source.below(258) as i64),
            1 => source.binary(),
            _ => source.bytes(depth - 1),
        };
        let items = self.some(4, item);
        let tail = if self.chance(4) { self.binary() } else { Term::nil() };
        Term::list_with_tail(items, tail)
    }

    fn needles(&mut self) -> Term {
        match self.below(6) {
            0 => self.binary(),
            1 => self.list(Source::binary),
            2 => Term::binary(*b"ab"),
            _ => {
                let needle = |source: &mut Source| {
                    let needle = source.pick(&["a", "ab", "abb", "b", "bc", "bb", "c", "aabbc"]);
                    Term::binary(needle.as_bytes())
                };
                let first = needle(self);
                Term::cons(first, Term::list(self.some(3, needle)))
            }
        }
    }

    fn options(&mut self, names: &[&str]) -> Term {
        let scope = |source: &mut Source| {
            let place = [Term::int(source.below(7) as i64), Term::int(source.below(9) as i64 - 3)];
            Term::tuple([Term::atom_named("scope"), Term::tuple(place)])
        };
        let names = names.to_vec();
        self.list(|source| match source.below(20) {
            0 => source.key(),
            1..=12 if !names.is_empty() => Term::atom_named(source.pick(&names)),
            _ => scope(source),
        })
    }

    /// Nested characters and binaries, some of them broken.
    fn data(&mut self, depth: usize) -> Term {
        let sound = [0x61, 0xe5, 0x20ac, 0x1f4a9];
        match self.below(if depth == 0 { 3 } else { 6 }) {
            0 => Term::binary("aå€💩"),
            1 => {
                let bytes = "å€💩".as_bytes();
                let at = self.below(bytes.len());
                Term::list([Term::binary(&bytes[..at]), Term::binary(&bytes[at..])])
            }
            2 if self.chance(3) => self.broken(),
            2 => Term::list([Term::int(self.pick(&sound))]),
            3 => Term::list_with_tail(self.some(3, |source| source.data(depth - 1)), Term::binary("é")),
            _ => {
                let items = self.some(4, |source| match source.chance(2) {
                    true => Term::int(source.pick(&sound)),
                    false => source.data(depth - 1),
                });
                Term::list(items)
            }
        }
    }

    fn broken(&mut self) -> Term {
        match self.below(5) {
            0 => Term::binary([0x61, 0xff, 0x62]),
            1 => Term::binary([0x61, 0xe2, 0x82]),
            2 => Term::list([Term::int(self.pick(&[0xd800, 0x11_0000, -1, 300]))]),
            3 => Term::list([Term::binary([0xf0, 0x9f]), Term::int(0x61)]),
            _ => self.any(1),
        }
    }

    fn encoding(&mut self) -> Term {
        let name = self.pick(&["utf8", "unicode", "latin1", "utf16", "utf32", "none"]);
        match self.chance(5) {
            true => Term::tuple([Term::atom_named(name), Term::atom_named("little")]),
            false => Term::atom_named(name),
        }
    }

    fn characters(&mut self) -> Term {
        let text = self.pick(NUMERALS);
        let tail = match self.below(4) {
            0 => self.any(1),
            1 => Term::string("x"),
            _ => Term::nil(),
        };
        Term::list_with_tail(text.chars().map(|character| Term::int(character as i64)).collect::<Vec<_>>(), tail)
    }
}
