//! Orders among numbered values: what stands between two that are equal is equal to them, and nothing stands before
//! itself.

use term::Term;

/// The values, by their numbers, that do not come after others.
#[derive(Default)]
pub struct OrderGraph {
    /// From, to, and true if strictly before.
    pub steps: Vec<(usize, usize, bool)>,
    /// Pairs that are equal.
    pub equal: Vec<(usize, usize)>,
    /// Pairs that are not.
    pub unequal: Vec<(usize, usize)>,
}

impl OrderGraph {
    /// Two are equal.
    pub fn add_equal(&mut self, a: usize, b: usize) {
        self.equal.push((a, b));
        self.steps.extend([(a, b, false), (b, a, false)]);
    }

    /// Known values stand in their order.
    pub fn add_values(&mut self, mut known: Vec<(&Term, usize)>) {
        known.sort_by(|a, b| a.0.compare(b.0));
        for pair in known.windows(2) {
            let ((left, a), (right, b)) = (pair[0], pair[1]);
            match left.compare(right).is_lt() {
                true => self.steps.push((a, b, true)),
                false => self.add_equal(a, b),
            }
        }
    }

    /// A number for each of so many values, the same for those that stand before each other; `None` if one would have to
    /// stand before itself, or equal ones differ.
    pub fn groups(&self, count: usize) -> Option<Vec<usize>> {
        let groups = self.components(count);
        let within = |a: &usize, b: &usize| groups[*a] == groups[*b];
        let circular = self.steps.iter().any(|(a, b, strict)| *strict && within(a, b));
        (!circular && !self.unequal.iter().any(|(a, b)| within(a, b))).then_some(groups)
    }

    /// Strongly connected components, by Kosaraju's algorithm.
    fn components(&self, count: usize) -> Vec<usize> {
        let mut next: Vec<Vec<usize>> = vec![Vec::new(); count];
        let mut back: Vec<Vec<usize>> = vec![Vec::new(); count];
        for (a, b, _) in &self.steps {
            next[*a].push(*b);
            back[*b].push(*a);
        }
        let mut order = Vec::with_capacity(count);
        let mut seen = vec![false; count];
        for start in 0..count {
            let mut stack = vec![(start, false)];
            while let Some((at, leave)) = stack.pop() {
                if leave {
                    order.push(at);
                } else if !std::mem::replace(&mut seen[at], true) {
                    stack.push((at, true));
                    stack.extend(next[at].iter().filter(|to| !seen[**to]).map(|to| (*to, false)));
                }
            }
        }
        let mut groups = vec![usize::MAX; count];
        for start in order.into_iter().rev() {
            let mut stack = vec![start];
            while let Some(at) = stack.pop() {
                if groups[at] == usize::MAX {
                    groups[at] = start;
                    stack.extend(back[at].iter().copied());
                }
            }
        }
        groups
    }
}
