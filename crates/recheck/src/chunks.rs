//! The facts about the chunks of bitstrings that were asked for.

use term::{Bits, Term};

use crate::bits::{BitOffset, BitPiece, MOST_OF_ONE};
use crate::commands::{and, integer, power};
use crate::encode::ClaimEncoder;

/// Chunks that facts are stated about.
const MOST_CHUNKS: usize = 600;

impl ClaimEncoder<'_> {
    /// States the facts about bitstrings.
    pub fn state_bits(&mut self) {
        let constants = self.constant_bits();
        for (text, term) in &constants {
            let Some(bits) = term.as_bits() else { continue };
            self.script.assert(&format!("(= (bits {text}) {})", bits.bit_len()));
            for (at, value) in self.chunks_of(bits) {
                self.script.assert(&format!("(= (chunk {text} {at}) {value})"));
            }
        }
        for term in self.bits.terms().to_vec() {
            self.script.assert(&format!("(>= (bits {term}) 0)"));
        }
        for (a, b) in std::mem::take(&mut self.bits.compared) {
            for (text, term) in &constants {
                let other = if a == *text { &b } else { &a };
                if a == *text || b == *text {
                    self.state_sameness(other, text, term);
                }
            }
        }
        let mut done = 0;
        while let Some((of, at)) = self.bits.chunks.get(done).cloned().filter(|_| done < MOST_CHUNKS) {
            self.state_chunk(&of, &at);
            done += 1;
        }
    }

    /// The bitstrings among the constants.
    fn constant_bits(&self) -> Vec<(String, Term)> {
        let all = self.literals.iter().filter(|(term, _)| term.as_bits().is_some());
        let mut all: Vec<(String, Term)> = all.map(|(term, text)| (text.clone(), term.clone())).collect();
        all.sort_by(|(a, _), (b, _)| a.cmp(b));
        all
    }

    /// The chunks of a constant, if they are few.
    fn chunks_of(&self, bits: &Bits) -> Vec<(usize, String)> {
        let width = self.bits.width() as usize;
        let count = bits.bit_len() / width;
        if count > MOST_OF_ONE as usize {
            return Vec::new();
        }
        (0..count).map(|at| (at * width, bits.read_uint(at * width, width).to_string())).collect()
    }

    /// A bitstring with the size and the chunks of a constant is that constant.
    fn state_sameness(&mut self, other: &str, text: &str, term: &Term) {
        let Some(bits) = term.as_bits() else { return };
        let chunks = self.chunks_of(bits);
        let width = self.bits.width() as usize;
        if chunks.len() * width != bits.bit_len() {
            return;
        }
        let mut same = vec![format!("(isbin {other})"), format!("(= (bits {other}) {})", bits.bit_len())];
        for (at, value) in chunks {
            let chunk = self.bits.chunk(other, &BitOffset::constant(at as i64));
            same.push(format!("(= {chunk} {value})"));
        }
        self.script.assert_if(&and(same), &format!("(= {other} {text})"));
    }

    /// A chunk within a piece is one of the bitstring that the piece is taken from.
    fn state_chunk(&mut self, of: &str, at: &BitOffset) {
        let most = integer(&(power(self.bits.width()) - 1));
        let chunk = self.bits.chunk(of, at);
        self.script.assert(&format!("(<= 0 {chunk} {most})"));
        let Some(made) = self.bits.made.remove(of) else { return };
        let end = at.plus(&BitOffset::constant(i64::from(self.bits.width())));
        for BitPiece { of, begin, from, to } in &made.pieces {
            let (before, behind) = (at.minus(from), to.minus(&end));
            let is_outside = |room: &BitOffset| room.unknown.is_empty() && room.more < 0;
            if is_outside(&before) || is_outside(&behind) {
                continue;
            }
            let there = self.bits.chunk(of, &before.plus(begin));
            let within = [format!("(<= 0 {})", before.text()), format!("(<= 0 {})", behind.text())];
            self.script.assert_if(&and([made.needs.clone(), and(within)]), &format!("(= {chunk} {there})"));
        }
        self.bits.made.insert(of.to_owned(), made);
    }
}
