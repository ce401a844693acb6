//! Sets of numbers that are joined step by step (union-find).

/// The numbers below a count in disjoint sets, each represented by its least number.
pub struct Partition(Vec<usize>);

impl Partition {
    /// Each number in a set of its own.
    pub fn new(count: usize) -> Partition {
        Partition((0..count).collect())
    }

    /// The least number of the set that a number is in.
    pub fn find(&self, mut at: usize) -> usize {
        while self.0[at] != at {
            at = self.0[at];
        }
        at
    }

    /// Joins the sets of two numbers; returns true if they were two.
    pub fn join(&mut self, a: usize, b: usize) -> bool {
        let (a, b) = (self.find(a), self.find(b));
        self.0[a.max(b)] = a.min(b);
        a != b
    }
}
