//! Our own text of a term that fits one line of the shell is the shell's text: on generated terms, against the real VM.

use host::{Host, Options};
use term::{Atom, Bits, Map, Style, Term};

const TERMS: usize = 3000;
const SHELL_LINE: usize = 60;

/// A generator of numbers, so that a failure can be repeated.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % limit
    }
}

const ATOMS: [&str; 10] = ["a", "ok", "Elixir.Enum", "", "hello world", "it's", "été", "日本", "end", "a@b_C"];
const POINTS: [i64; 12] = [9, 10, 13, 27, 32, 34, 65, 92, 126, 233, 955, 0];

fn term(numbers: &mut Numbers, depth: u64) -> Term {
    match numbers.below(if depth == 0 { 6 } else { 11 }) {
        0 => Term::int(numbers.below(2000) as i64 - 1000),
        1 => Term::atom(Atom::new(ATOMS[numbers.below(10) as usize])),
        2 => Term::float(
            (numbers.below(1 << 20) as f64 - 500_000.0) / [1.0, 8.0, 1e10, 1e-20][numbers.below(4) as usize],
        ),
        3 => Term::nil(),
        4 => Term::binary((0..numbers.below(6)).map(|_| POINTS[numbers.below(10) as usize] as u8).collect::<Vec<u8>>()),
        5 => Term::bits(Bits::from_bytes(vec![7, 200]).slice(0, numbers.below(17) as usize)),
        6 => {
            Term::list((0..numbers.below(6)).map(|_| Term::int(POINTS[numbers.below(12) as usize])).collect::<Vec<_>>())
        }
        7 => Term::list(several(numbers, depth)),
        8 => Term::tuple(several(numbers, depth)),
        9 => Term::list_with_tail(several(numbers, depth), term(numbers, depth - 1)),
        _ => Term::map(several(numbers, depth).into_iter().fold(Map::new(), |map, key| {
            let value = term(numbers, depth - 1);
            map.insert(key, value)
        })),
    }
}

fn several(numbers: &mut Numbers, depth: u64) -> Vec<Term> {
    (0..numbers.below(4)).map(|_| term(numbers, depth - 1)).collect()
}

#[test]
fn short_terms_have_one_text() {
    let mut host = Host::start(Options::default()).expect("Erlang");
    let mut numbers = Numbers(7);
    let mut compared = 0;
    for _ in 0..TERMS {
        let term = term(&mut numbers, 4);
        let ours = term.write(Style::Source);
        if ours.chars().count() <= SHELL_LINE {
            assert_eq!(host.format(&term).expect("an answer"), ours);
            compared += 1;
        }
    }
    assert!(compared > TERMS / 2, "only {compared} terms were short");
}
