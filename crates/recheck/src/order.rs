//! The order of terms and the equality of numbers, compared part by part as far as that goes.

use std::collections::VecDeque;

use rustc_hash::FxHashSet;
use term::Term;

use crate::commands::{and, not, or};
use crate::encode::ClaimEncoder;

/// Pairs of parts that are compared for one pair of terms.
const MOST_PARTS: usize = 12;

impl ClaimEncoder<'_> {
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
    pub fn part(&mut self, part: &str, of: &str) -> String {
        let text = format!("({part} {of})");
        if let Some(name) = self.parts.get(&text) {
            return name.clone();
        }
        let constant = match (part, self.literals.term(of)) {
            ("hd", Some(Term::Cons(_, cell))) => Some(cell.head.clone()),
            ("tl", Some(Term::Cons(_, cell))) => Some(cell.tail.clone()),
            ("tv", Some(Term::Tuple(_, items))) => Some(Term::list(items.iter().cloned())),
            _ => None,
        };
        constant.map_or(text, |constant| self.literal(&constant))
    }

    /// Returns true if a term may have parts, as far as its form shows: a cell's, or else a tuple's.
    fn may_have_parts(&self, term: &str, is_cell: bool) -> bool {
        match self.literals.term(term) {
            Some(Term::Cons(..)) => is_cell,
            Some(Term::Tuple(..)) => !is_cell,
            Some(_) => false,
            None => !self.plain.contains(term),
        }
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
            format!("(=> {} (= {equal} (= {a} {b})))", both("isbin")),
        ];
        self.script.assert(&and(facts));
        let Some(todo) = todo else { return };
        if self.may_have_parts(a, true) && self.may_have_parts(b, true) {
            todo.extend(self.state_cells(a, b));
        }
        if self.may_have_parts(a, false) && self.may_have_parts(b, false) {
            todo.push_back(self.state_tuples(a, b));
        }
    }

    /// Cells are compared by their heads, then by their tails.
    fn state_cells(&mut self, a: &str, b: &str) -> [(String, String); 2] {
        let [(head_a, head_b), (tail_a, tail_b)] = ["hd", "tl"].map(|part| (self.part(part, a), self.part(part, b)));
        let (heads, tails) = (format!("(equal {head_a} {head_b})"), format!("(equal {tail_a} {tail_b})"));
        let later = and([&*heads, &*format!("(less {tail_a} {tail_b})")]);
        let before = or([&*format!("(less {head_a} {head_b})"), &*later]);
        let facts = format!("(and (= (equal {a} {b}) (and {heads} {tails})) (= (less {a} {b}) {before}))");
        self.script.assert_if(&format!("(and (iscons {a}) (iscons {b}))"), &facts);
        [(head_a, head_b), (tail_a, tail_b)]
    }

    /// Tuples are compared by their sizes, then as lists of that length are.
    fn state_tuples(&mut self, a: &str, b: &str) -> (String, String) {
        let (items_a, items_b) = (self.part("tv", a), self.part("tv", b));
        let (length_a, length_b) = (format!("(len {items_a})"), format!("(len {items_b})"));
        let items = format!("(ite (= {length_a} {length_b}) (less {items_a} {items_b}) (< {length_a} {length_b}))");
        let facts = format!("(and (= (equal {a} {b}) (equal {items_a} {items_b})) (= (less {a} {b}) {items}))");
        self.script.assert_if(&format!("(and (istup {a}) (istup {b}))"), &facts);
        self.lists.extend([items_a.clone(), items_b.clone()]);
        (items_a, items_b)
    }
}
