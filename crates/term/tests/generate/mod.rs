//! Seeded terms of every kind, with a taste for edges.

use num_bigint::BigInt;
use term::{Atom, Bits, Fun, Handle, HandleKind, Map, Mfa, Term};

/// A small generator of numbers (splitmix64): the same seed, the same terms, everywhere.
#[allow(dead_code, reason = "each test file uses a part of it")]
pub struct Source {
    state: u64,
    /// True if terms may hold pids, ports and references, which have no source text.
    handles: bool,
}

#[rustfmt::skip]
const NAMES: &[&str] = &[
    "a", "b", "ok", "error", "foo_bar@1", "aB", "Upper", "with space", "", "and", "maybe", "else", "if", "é",
    "élan", "É", "λ", "aλ", "\u{1F600}", "\n\t\u{1b}\u{7f}", "\u{80}\u{9f}\u{a0}", "it's", "back\\slash", "\"",
    "_x", "@x", "1a", "0", "nonode@nohost", "true", "[]", "÷", "a÷", "ß", "ÿ", "aÀ", "aß\u{100}",
];

#[rustfmt::skip]
const FLOATS: &[f64] = &[
    0.0, -0.0, 1.0, -1.0, 0.1, 0.5, 1.5, 1e3, 1e4, 1e5, 1e15, 1e16, 1e20, 1e21, 1e22, 1e23, 1e-3, 1e-4, 1e-5, 1e-7,
    123456.0, 1234567.0, 0.00012345, 5e-324, 2.2250738585072014e-308, f64::MAX, f64::MIN, 9007199254740991.0,
    9007199254740992.0, 9007199254740994.0, 4503599627370495.5, 9223372036854775807.0, -9223372036854775808.0,
    18446744073709551616.0, 1e100, 3.4028234663852886e38, 65504.0, 65519.9, 65520.0, 6e-8, 2.9e-8, 6.1e-5, 1e300,
    -1e300, 3.4028235677973366e38, 1e-46,
];

#[allow(dead_code, reason = "each test file uses a part of it")]
impl Source {
    pub fn new(seed: u64) -> Self {
        Source { state: seed, handles: true }
    }

    /// Only terms that can be read back from their text.
    pub fn readable(seed: u64) -> Self {
        Source { state: seed, handles: false }
    }

    pub fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound.max(1) as u64) as usize
    }

    pub fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }

    pub fn integer(&mut self) -> Term {
        match self.below(6) {
            0 => Term::int(self.below(300) as i64 - 20),
            1 => Term::int(self.next() as i64 >> self.below(64)),
            2 => {
                Term::int(self.pick(&[i64::MIN, i64::MAX, 0, -1, 255, 256, 127, 128, i32::MAX as i64, i32::MIN as i64]))
            }
            _ => self.near_a_power(200),
        }
    }

    /// Plus or minus a power of two, give or take a little: where representations change.
    pub fn near_a_power(&mut self, bits: usize) -> Term {
        let power = (BigInt::from(1) << self.below(bits)) + BigInt::from(self.below(7) as i64 - 3);
        Term::big(if self.below(2) == 0 { power } else { -power })
    }

    pub fn wide_integer(&mut self) -> Term {
        let bytes: Vec<u8> = (0..self.below(300)).map(|_| self.next() as u8).collect();
        Term::big(BigInt::from_signed_bytes_le(&bytes))
    }

    pub fn float(&mut self) -> Term {
        let value = match self.below(4) {
            0 => self.pick(FLOATS),
            1 => self.below(1_000_000) as f64 / 10f64.powi(self.below(12) as i32),
            2 => (self.next() as i64 >> self.below(60)) as f64,
            _ => f64::from_bits(self.next()),
        };
        Term::float(if value.is_finite() { value } else { 0.25 })
    }

    pub fn number(&mut self) -> Term {
        match self.below(5) {
            0 | 1 => self.integer(),
            2 => self.wide_integer(),
            _ => self.float(),
        }
    }

    pub fn atom(&mut self) -> Term {
        Term::atom_named(self.pick(NAMES))
    }

    pub fn bits(&mut self) -> Bits {
        let bytes: Vec<u8> = match self.below(4) {
            0 => "héllo wörld"[..].bytes().take(self.below(12)).collect(),
            1 => (0..self.below(12)).map(|_| b'a' + self.below(26) as u8).collect(),
            2 => char::from_u32(self.below(0x11_0000) as u32).unwrap_or('\u{10ffff}').to_string().into_bytes(),
            _ => (0..self.below(40)).map(|_| self.next() as u8).collect(),
        };
        let len = bytes.len() * 8;
        let bits = Bits::from_bytes(bytes);
        if self.below(2) == 0 {
            return bits;
        }
        let start = self.below(len + 1);
        bits.slice(start, self.below(len - start + 1))
    }

    fn handle(&mut self) -> Term {
        let word = |source: &mut Self| source.next() as u32 >> source.below(32);
        let kind = self.pick(&[HandleKind::Pid, HandleKind::Port, HandleKind::Reference]);
        let words = match kind {
            HandleKind::Pid => vec![word(self) & 0x7fff, word(self) & 0x1fff],
            HandleKind::Port => vec![word(self), if self.below(2) == 0 { 0 } else { word(self) }],
            // The first word of a reference has 18 bits. References of one word, which no VM of today makes, the VM itself
            // does not find again as keys of large maps.
            HandleKind::Reference => {
                let more = 1 + self.below(2);
                (0..=more).map(|at| if at == 0 { word(self) & 0x3_ffff } else { word(self) }).collect()
            }
        };
        let node = Atom::new(self.pick(&["other@there", "some@where", "zeta@æ"]));
        Term::handle(Handle { kind, node, creation: 1 + self.below(3) as u32, words: words.into() })
    }

    fn external(&mut self) -> Term {
        let (module, function) = (Atom::new(self.pick(NAMES)), Atom::new(self.pick(NAMES)));
        Term::fun(Fun::External(Mfa { module, function, arity: self.below(256) as u8 }))
    }

    fn leaf(&mut self) -> Term {
        match self.below(10) {
            0 | 1 => self.integer(),
            2 => self.wide_integer(),
            3 => self.float(),
            4 | 5 => self.atom(),
            6 => Term::bits(self.bits()),
            7 if self.handles => self.handle(),
            8 => self.external(),
            _ => Term::nil(),
        }
    }

    pub fn term(&mut self, depth: usize) -> Term {
        if depth == 0 {
            return self.leaf();
        }
        match self.below(8) {
            0 | 1 => self.leaf(),
            2 => Term::tuple(self.terms(4, depth)),
            3 => Term::list(self.terms(5, depth)),
            4 => Term::list_with_tail(self.terms(3, depth), self.term(depth - 1)),
            5 => self.text(),
            _ => Term::map(self.map(depth)),
        }
    }

    fn terms(&mut self, most: usize, depth: usize) -> Vec<Term> {
        (0..self.below(most + 1)).map(|_| self.term(depth - 1)).collect()
    }

    fn text(&mut self) -> Term {
        let points: Vec<Term> = (0..self.below(9))
            .map(|_| if self.below(9) == 0 { self.below(300) } else { 32 + self.below(95) })
            .map(|point| Term::int(point as i64))
            .collect();
        Term::list(points)
    }

    /// Some bytes changed, lost or added.
    pub fn damage(&mut self, bytes: &mut Vec<u8>, most: usize) {
        for _ in 0..1 + self.below(most) {
            let at = self.below(bytes.len());
            match self.below(4) {
                _ if bytes.is_empty() => bytes.push(self.next() as u8),
                0 => bytes[at] = self.next() as u8,
                1 => bytes.truncate(at),
                2 => bytes.insert(at, self.next() as u8),
                _ => bytes[at] ^= 1 << self.below(8),
            }
        }
    }

    /// A map on the far side of where the VM changes its form.
    pub fn large_map(&mut self) -> Term {
        let len = 33 + self.below(10);
        let mut map = Map::new();
        while map.len() < len {
            map.insert_mut(self.term(1), self.term(1));
        }
        Term::map(map)
    }

    /// Small: the order in which the VM walks large maps is its own.
    fn map(&mut self, depth: usize) -> Map {
        (0..self.below(6)).fold(Map::new(), |map, _| map.insert(self.term(depth - 1), self.term(depth - 1)))
    }

    /// A term close to the given one: equal, nearly equal, or equal only numerically.
    pub fn neighbour(&mut self, term: &Term) -> Term {
        match term {
            _ if self.below(4) == 0 => term.clone(),
            Term::Int(_, value) => match self.below(3) {
                0 => Term::float(*value as f64),
                _ => Term::big(BigInt::from(*value) + BigInt::from(self.below(3) as i64 - 1)),
            },
            Term::Big(..) => term::number::to_f64(term).map_or(term.clone(), Term::float),
            Term::Float(_, value) => term::number::truncate(*value),
            Term::Tuple(_, items) => Term::tuple(self.neighbours(items)),
            Term::Cons(..) => {
                let mut cells = term.cells();
                let heads: Vec<Term> = cells.by_ref().cloned().collect();
                Term::list_with_tail(self.neighbours(&heads), cells.rest().clone())
            }
            Term::Map(_, map) => {
                let keys: Vec<Term> = map.keys().cloned().collect();
                let values: Vec<Term> = map.values().cloned().collect();
                let keys = if self.below(2) == 0 { self.neighbours(&keys) } else { keys };
                Term::map(Map::from_pairs(keys.into_iter().zip(self.neighbours(&values))))
            }
            Term::Bits(_, bits) => Term::bits(bits.slice(0, bits.bit_len().saturating_sub(self.below(10)))),
            _ => self.leaf(),
        }
    }

    fn neighbours(&mut self, items: &[Term]) -> Vec<Term> {
        let at = self.below(items.len());
        items
            .iter()
            .enumerate()
            .map(|(here, item)| if here == at { self.neighbour(item) } else { item.clone() })
            .collect()
    }
}
