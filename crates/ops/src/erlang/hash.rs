//! `phash2`: the VM's portable hash of any term.

use std::borrow::Cow;

use term::{Atom, Bits, Closure, Fun, HandleKind, Map, Mark, Mfa, Term};

use super::ask;
use crate::policy::Policy;
use crate::raise::badarg;
use crate::result::WORD;
use crate::{Environment, Eval, Gives, HandleView, Operation, Returns};

pub(super) const OPERATIONS: &[Operation] = &[
    Operation::running("phash2", 1, |run, args| phash2(run, args))
        .gives(Gives::Between(0, DEFAULT_RANGE as i64 - 1))
        .returns(Returns::Always)
        .shows_handles(HandleView::Numbers),
    Operation::running("phash2", 2, |run, args| phash2(run, args))
        .gives(WORD)
        .shows_handles(HandleView::Numbers)
        // A range with one value in it.
        .constant(|args| matches!(args[1], Term::Int(Mark::NONE, 1))),
    Operation::vm("phash", 2, Policy::Pure).gives(Gives::Between(1, u32::MAX as i64 + 1)),
];

/// The golden ratio; its multiples keep the kinds of terms apart.
pub(super) const RATIO: u32 = 0x9e37_79b9;

/// The hash has 27 bits unless a range is given.
const DEFAULT_RANGE: u64 = 1 << 27;

fn phash2(run: &mut dyn Environment, args: &[Term]) -> Eval {
    let range = match args.get(1) {
        None => DEFAULT_RANGE,
        Some(Term::Int(_, range)) if (1..=1 << 32).contains(range) => *range as u64,
        Some(_) => return badarg(),
    };
    match hash(&args[0]) {
        Some(hash) => Ok(Term::int((u64::from(hash) % range) as i64)),
        None => ask(run, "phash2", args),
    }
}

/// Three words stirred into each other.
fn mix(mut a: u32, mut b: u32, mut c: u32) -> (u32, u32, u32) {
    let step = |x: u32, y: u32, z: u32| x.wrapping_sub(y).wrapping_sub(z);
    for (right, left, last) in [(13, 8, 13), (12, 16, 5), (3, 10, 15)] {
        a = step(a, b, c) ^ c >> right;
        b = step(b, c, a) ^ a << left;
        c = step(c, a, b) ^ b >> last;
    }
    (a, b, c)
}

/// The hash of a sequence of terms so far.
#[derive(Clone, Copy)]
pub(super) struct Sum(pub(super) u32);

impl Sum {
    /// Adds two words of the kind of term that `multiple` says.
    pub(super) fn pair(&mut self, a: u32, b: u32, multiple: u32) {
        let kind = RATIO.wrapping_mul(multiple);
        self.0 = mix(kind.wrapping_add(a), kind.wrapping_add(b), self.0).2;
    }

    pub(super) fn word(&mut self, word: u32, multiple: u32) {
        self.pair(word, 0, multiple);
    }

    /// Negative ones go in twice.
    fn small(&mut self, value: i32) {
        if value < 0 {
            self.word(value.unsigned_abs(), 1);
        }
        self.word(value as u32, 1);
    }

    fn integer(&mut self, value: i64) {
        if (-(1 << 27)..1 << 27).contains(&value) {
            self.small(value as i32);
        } else {
            self.digits(value < 0, [value.unsigned_abs()]);
        }
    }

    pub(super) fn digits(&mut self, negative: bool, digits: impl IntoIterator<Item = u64>) {
        for digit in digits {
            self.pair(digit as u32, (digit >> 32) as u32, if negative { 10 } else { 11 });
        }
    }

    /// The first atom or empty list of all is not stirred.
    fn atom(&mut self, atom: Atom) {
        match self.0 {
            0 => self.0 = name_hash(atom),
            _ => self.word(name_hash(atom), 3),
        }
    }

    fn nil(&mut self) {
        const FIRST: u32 = 3_468_870_702;
        const LATER: u32 = 2;
        match self.0 {
            0 => self.0 = FIRST,
            _ => self.word(LATER, 2),
        }
    }

    /// Zero has no sign here.
    pub(super) fn float(&mut self, value: f64) {
        let bits = (value + 0.0).to_bits();
        self.pair((bits >> 32) as u32, bits as u32, 12);
    }

    pub(super) fn bits(&mut self, bits: &Bits) {
        let start = RATIO.wrapping_mul(13).wrapping_add(self.0);
        if bits.is_empty() {
            self.0 = start;
            return;
        }
        let bytes: Cow<[u8]> = bits.to_bytes();
        let (whole, rest) = (bits.bit_len() / 8, bits.bit_len() % 8);
        self.0 = block(&bytes[..whole], start);
        if rest > 0 {
            self.pair(rest as u32, u32::from(bytes[whole] >> (8 - rest)), 15);
        }
    }

    fn external(&mut self, mfa: Mfa) {
        self.pair(u32::from(mfa.arity), name_hash(mfa.module), 1);
        self.word(name_hash(mfa.function), 14);
    }
}

/// Bytes, twelve at a time; the last ones make room for their number.
fn block(bytes: &[u8], start: u32) -> u32 {
    let word = |bytes: &[u8]| bytes.iter().rev().fold(0u32, |word, byte| word << 8 | u32::from(*byte));
    let (mut a, mut b, mut c) = (RATIO, RATIO, start);
    let mut rest = bytes;
    while let Some((twelve, after)) = rest.split_at_checked(12) {
        (a, b, c) = mix(
            a.wrapping_add(word(&twelve[..4])),
            b.wrapping_add(word(&twelve[4..8])),
            c.wrapping_add(word(&twelve[8..])),
        );
        rest = after;
    }
    let part = |from: usize, to: usize| word(&rest[from.min(rest.len())..to.min(rest.len())]);
    c = c.wrapping_add(bytes.len() as u32).wrapping_add(part(8, 11) << 8);
    mix(a.wrapping_add(part(0, 4)), b.wrapping_add(part(4, 8)), c).2
}

/// The hash of an atom's name: of a character's code point where that is a byte, of its UTF-8 bytes otherwise.
pub(super) fn name_hash(atom: Atom) -> u32 {
    let name = atom.name();
    let step = |hash: u32, byte: u32| {
        let hash = (hash << 4).wrapping_add(byte);
        match hash & 0xf000_0000 {
            0 => hash,
            top => hash ^ top >> 24 ^ top,
        }
    };
    let mut buffer = [0; 4];
    name.chars().fold(0, |hash, c| match u32::from(c) {
        point @ ..256 => step(hash, point),
        _ => c.encode_utf8(&mut buffer).bytes().map(u32::from).fold(hash, step),
    })
}

/// A piece of work that is left.
enum Task<'a> {
    Term(&'a Term),
    /// An entry of a map is complete.
    Pair,
    /// A map is complete: what was hashed before it, and its surrounding map's pairs.
    Map(Sum, u32),
}

/// Nothing for what only the VM can hash.
fn hash(term: &Term) -> Option<u32> {
    let mut sum = Sum(0);
    let mut pairs = 0;
    let mut tasks = vec![Task::Term(term)];
    while let Some(task) = tasks.pop() {
        match task {
            Task::Term(term) => visit(term, &mut sum, &mut pairs, &mut tasks)?,
            Task::Pair => pairs ^= std::mem::replace(&mut sum.0, 0),
            Task::Map(before, outer) => {
                sum = before;
                sum.word(std::mem::replace(&mut pairs, outer), 19);
            }
        }
    }
    Some(sum.0)
}

fn visit<'a>(term: &'a Term, sum: &mut Sum, pairs: &mut u32, tasks: &mut Vec<Task<'a>>) -> Option<()> {
    match term {
        Term::Nil(_) => sum.nil(),
        Term::Int(_, value) => sum.integer(*value),
        Term::Big(_, value) => sum.digits(value.sign() == num_bigint::Sign::Minus, value.iter_u64_digits()),
        Term::Float(_, value) => sum.float(*value),
        Term::Atom(_, atom) => sum.atom(*atom),
        Term::Bits(_, bits) => sum.bits(bits),
        Term::Cons(..) => visit_list(term, sum, tasks),
        Term::Tuple(_, elements) => {
            sum.word(elements.len() as u32, 9);
            tasks.extend(elements.iter().rev().map(Task::Term));
        }
        Term::Map(_, map) => visit_map(map, sum, pairs, tasks),
        Term::Fun(_, fun) => visit_fun(fun, sum, tasks)?,
        Term::Handle(_, handle) if handle.kind == HandleKind::Reference => sum.word(*handle.words.first()?, 7),
        Term::Handle(..) => return None,
    }
    Some(())
}

/// Runs of bytes are hashed four at a time.
fn visit_list<'a>(list: &'a Term, sum: &mut Sum, tasks: &mut Vec<Task<'a>>) {
    let (mut word, mut count) = (0u32, 0);
    let mut rest = list;
    while let Term::Cons(_, cell) = rest {
        let Term::Int(_, byte @ 0..=255) = cell.head else { break };
        word = word << 8 | byte as u32;
        count += 1;
        if count == 4 {
            sum.word(word, 4);
            (word, count) = (0, 0);
        }
        rest = &cell.tail;
    }
    if count > 0 {
        sum.word(word, 4);
    }
    match rest {
        Term::Cons(_, cell) => tasks.extend([Task::Term(&cell.tail), Task::Term(&cell.head)]),
        end => tasks.push(Task::Term(end)),
    }
}

/// Each entry is hashed by itself, so that their order does not matter.
fn visit_map<'a>(map: &'a Map, sum: &mut Sum, pairs: &mut u32, tasks: &mut Vec<Task<'a>>) {
    sum.word(map.len() as u32, 16);
    if map.is_empty() {
        return;
    }
    tasks.push(Task::Map(*sum, std::mem::replace(pairs, 0)));
    sum.0 = 0;
    for (key, value) in map.iter() {
        tasks.extend([Task::Pair, Task::Term(value), Task::Term(key)]);
    }
}

fn visit_fun<'a>(fun: &'a Fun, sum: &mut Sum, tasks: &mut Vec<Task<'a>>) -> Option<()> {
    match fun {
        Fun::External(mfa) => sum.external(*mfa),
        Fun::Closure(closure) if closure.uniq != 0 => visit_closure(closure, sum, tasks),
        Fun::Closure(_) | Fun::Foreign { .. } | Fun::Table(_) => return None,
    }
    Some(())
}

fn visit_closure<'a>(closure: &'a Closure, sum: &mut Sum, tasks: &mut Vec<Task<'a>>) {
    sum.pair(closure.captured.len() as u32, name_hash(closure.module), 1);
    sum.pair(closure.index, closure.uniq, 1);
    tasks.extend(closure.captured.iter().rev().map(Task::Term));
}
