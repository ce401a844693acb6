//! The order of terms and the equality of numbers, compared part by part as far as that goes.

use std::collections::VecDeque;

use rustc_hash::FxHashSet;

use crate::encode::Encoder;
use crate::script::{and, not, or};

/// Pairs of parts that are compared for one pair of terms.
const MOST_PARTS: usize = 40;

impl Encoder<'_> {
    /// States the facts about all pairs that are compared.
    pub fn state_order(&mut self) {
        let mut seen = FxHashSet::default();
        for pair in std::mem::take(&mut self.pairs) {
            let mut todo = VecDeque::from([pair]);
            let mut left = MOST_PARTS;
            while let Some((a, b)) = todo.pop_front().filter(|_| left > 0) {
                if seen.insert((a.clone(), b.clone())) {
                    left -= 1;
                    let within = left > MOST_PARTS / 2;
                    self.state_pair(&a, &b, if within { Some(&mut todo) } else { None });
                }
            }
        }
    }

    /// A part of a term, by its name if it has one.
    pub fn part(&self, part: &str, of: &str) -> String {
        let text = format!("({part} {of})");
        self.parts.get(&text).cloned().unwrap_or(text)
    }

    fn state_pair(&mut self, a: &str, b: &str, todo: Option<&mut VecDeque<(String, String)>>) {
        let (less, equal) = (format!("(less {a} {b})"), format!("(equal {a} {b})"));
        let both = |tester: &str| format!("(and ({tester} {a}) ({tester} {b}))");
        let facts = [
            format!("(=> (= {a} {b}) {equal})"),
            format!("(=> {equal} {})", not(&less)),
            format!("(=> (distinct (rank {a}) (rank {b})) (and (= {less} (< (rank {a}) (rank {b}))) (not {equal})))"),
            format!("(=> {} (and (= {less} (< (nv {a}) (nv {b}))) (= {equal} (= (nv {a}) (nv {b})))))", both("isnum")),
            format!("(=> {} (and (= {less} (< (av {a}) (av {b}))) (= {equal} (= {a} {b}))))", both("isatm")),
            format!("(=> {} {})", both("isbin"), format!("(= {equal} (= {a} {b}))")),
            format!("(=> {} {equal})", both("isnil")),
        ];
        self.script.assert(&and(facts));
        let Some(todo) = todo else { return };
        let [(head_a, head_b), (tail_a, tail_b), (items_a, items_b)] =
            ["hd", "tl", "tv"].map(|part| (self.part(part, a), self.part(part, b)));
        let (heads, tails) = (format!("(equal {head_a} {head_b})"), format!("(equal {tail_a} {tail_b})"));
        let later = and([&*heads, &*format!("(less {tail_a} {tail_b})")]);
        let before = or([&*format!("(less {head_a} {head_b})"), &*later]);
        let cells = format!("(and (= {equal} (and {heads} {tails})) (= {less} {before}))");
        self.script.assert_if(&both("iscons"), &cells);
        let (length_a, length_b) = (format!("(len {items_a})"), format!("(len {items_b})"));
        let items = format!("(ite (= {length_a} {length_b}) (less {items_a} {items_b}) (< {length_a} {length_b}))");
        let tuples = format!("(and (= {equal} (equal {items_a} {items_b})) (= {less} {items}))");
        self.script.assert_if(&both("istup"), &tuples);
        self.lists.extend([items_a.clone(), items_b.clone()]);
        todo.extend([(head_a, head_b), (tail_a, tail_b), (items_a, items_b)]);
    }
}
