//! Strategies: which flip to try next. They see numbers about a flip, never the engine.

use serde::{Deserialize, Serialize};

/// The numbers about a flip: a decision of a path whose other outcome is wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Metrics {
    /// The number of decisions before it.
    pub depth: u32,
    /// It only frees an input that an operation without a symbolic rule holds.
    pub pinned: bool,
    /// It asks for a place in a table, where there are many alike, or comes after such a question.
    pub minor: bool,
    /// It asks for such a place itself.
    pub table: bool,
    /// It asks an opaque function for what it was seen to give elsewhere, as for the hash of a keyword.
    pub opened: bool,
    /// No run has had that answer at that site yet.
    pub uncovered: bool,
    /// The number of times that answer at that site was asked for.
    pub tries: u32,
    /// The number of flips that led from a first input to the run it belongs to.
    pub generation: u32,
    /// The number of answers and branches that the run was the first to have.
    pub score: u32,
    /// Flips that samples open are known, so that this lead counts before all else.
    pub led: bool,
    /// The number of flips between the run and one that covered something, which is 0 for that one; [`NO_LEAD`] if there is
    /// no such run nearby, or if samples open no flips.
    pub lead: u32,
    /// Counts runs.
    pub run: u32,
    /// Counts flips in the order they were found.
    pub order: u32,
}

/// The lead of a run that nothing brought forward. Two keywords in a row may mean nothing alone, and a list has to grow for
/// each of them.
pub const NO_LEAD: u32 = 5;

/// Smaller is sooner.
pub type Rank = [u32; 4];

/// An order in which flips are tried.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub enum Strategy {
    /// The shallowest flip first.
    Breadth,
    /// The deepest flip of the latest run first.
    Depth,
    /// All flips of the run that covered most, then of the next.
    Generational,
    /// Answers that no run had first, the shallowest of them; the others in turn, rarely tried sites first.
    Uncovered,
    /// All flips of the latest run that covered something, those first that samples of opaque functions open, then of the
    /// one before.
    Latest,
    /// Several in turn. What one of them is blind to another one sees: a loop that hides the rest, or a word that only a
    /// text of its length can be, each letter of which takes a branch of its own.
    #[default]
    Turns,
}

impl Strategy {
    /// Every strategy, in the order of the manual.
    pub const ALL: [Strategy; 6] = [
        Strategy::Breadth,
        Strategy::Depth,
        Strategy::Generational,
        Strategy::Uncovered,
        Strategy::Latest,
        Strategy::Turns,
    ];

    /// The strategies that take turns, in that order.
    pub fn turns(&self) -> &[Strategy] {
        match self {
            Strategy::Turns => &[
                Strategy::Uncovered,
                Strategy::Latest,
                Strategy::Uncovered,
                Strategy::Breadth,
                Strategy::Uncovered,
                Strategy::Depth,
            ],
            one => std::slice::from_ref(one),
        }
    }

    /// While a flip waits its rank may only grow: the frontier looks again when its turn comes.
    pub fn rank(self, metrics: &Metrics) -> Rank {
        let Metrics { depth, pinned, minor, opened, uncovered, tries, generation, score, lead, run, order, .. } =
            *metrics;
        let last = 2 * u32::from(pinned) + u32::from(minor);
        match self {
            Strategy::Breadth => [last, depth, order, 0],
            Strategy::Depth => [last, u32::MAX - order, 0, 0],
            Strategy::Generational => [last, u32::MAX - score, generation, order],
            Strategy::Uncovered | Strategy::Turns => {
                let known = if uncovered { 0 } else { 2 + 4 * u32::from(minor) };
                [u32::from(pinned), patience(tries) + known, depth, order]
            }
            Strategy::Latest => {
                let others = NO_LEAD + 1 + 2 * last + u32::from(score == 0);
                let first = if metrics.is_led() { lead } else { others };
                [first, u32::MAX - run, u32::from(!opened), order]
            }
        }
    }
}

impl Metrics {
    /// True if it leads on from a run that covered something, along what samples of opaque functions open.
    fn is_led(&self) -> bool {
        let Metrics { pinned, table, opened, led, lead, .. } = *self;
        lead < NO_LEAD && !pinned && (opened || led && !table)
    }
}

/// Each doubling of the tries costs one level, so that a loop's test does not starve the rest, nor does an answer that
/// is never to be had.
fn patience(tries: u32) -> u32 {
    u32::BITS - tries.leading_zeros()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: Metrics = Metrics {
        depth: 3,
        pinned: false,
        minor: false,
        table: false,
        opened: false,
        uncovered: false,
        tries: 0,
        generation: 1,
        score: 0,
        led: false,
        lead: NO_LEAD,
        run: 1,
        order: 7,
    };

    #[test]
    fn pinned_flips_come_last_whatever_the_strategy() {
        let pinned = Metrics { pinned: true, uncovered: true, depth: 0, score: 99, order: 900, ..PLAIN };
        for strategy in Strategy::ALL {
            assert!(strategy.rank(&pinned) > strategy.rank(&PLAIN), "{strategy:?}");
        }
    }

    #[test]
    fn an_uncovered_answer_goes_first_until_it_was_tried_often() {
        let rank = |metrics| Strategy::Uncovered.rank(&metrics);
        let fresh = Metrics { uncovered: true, depth: 50, ..PLAIN };
        assert!(rank(fresh) < rank(PLAIN));
        assert!(rank(Metrics { tries: 3, ..fresh }) > rank(PLAIN));
    }

    #[test]
    fn each_strategy_has_its_order() {
        let deeper = Metrics { depth: 4, order: 8, ..PLAIN };
        assert!(Strategy::Breadth.rank(&PLAIN) < Strategy::Breadth.rank(&deeper));
        assert!(Strategy::Depth.rank(&deeper) < Strategy::Depth.rank(&PLAIN));
        let better = Metrics { score: 2, order: 9, ..PLAIN };
        assert!(Strategy::Generational.rank(&better) < Strategy::Generational.rank(&PLAIN));
        let better = Metrics { lead: 0, ..better };
        let later = Metrics { run: 5, ..better };
        assert!(Strategy::Latest.rank(&later) < Strategy::Latest.rank(&better));
        assert!(Strategy::Latest.rank(&better) < Strategy::Latest.rank(&Metrics { run: 9, ..PLAIN }));
        let opened = Metrics { opened: true, order: 8, ..PLAIN };
        assert!(Strategy::Latest.rank(&opened) < Strategy::Latest.rank(&PLAIN));
        assert!(Strategy::Latest.rank(&later) < Strategy::Latest.rank(&opened));
    }
}
