//! The orders in which pids and references can be that runs of a program have looked at.

use exec::forward::{HandleName, NameOrder, Recorder};

/// The most orders that are explored.
const MOST: usize = 24;

/// The pids and references whose orders runs have looked at, if it was more than two at a time.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct NameOrders {
    processes: Vec<HandleName>,
    references: Vec<HandleName>,
    /// A run has looked at more than two.
    is_many: bool,
}

impl NameOrders {
    /// Those of all runs that a recorder has recorded.
    pub fn of(recorder: &Recorder) -> NameOrders {
        if recorder.most_ordered <= 2 {
            return NameOrders::default();
        }
        let is_process = |name: &HandleName| matches!(name, HandleName::Process(_));
        let (processes, references) = recorder.ordered.iter().copied().partition(is_process);
        NameOrders { processes, references, is_many: true }
    }

    /// All orders but that of the numbers; nothing if they are too many.
    pub fn others(&self) -> Option<Vec<NameOrder>> {
        if !self.is_many {
            return Some(vec![NameOrder { opposite: true, ranked: Vec::new() }]);
        }
        let count = |names: &[HandleName]| (1..=names.len()).try_fold(1_usize, |count, n| count.checked_mul(n));
        count(&self.processes)?.checked_mul(count(&self.references)?).filter(|count| *count <= MOST)?;
        let references = permutations(&self.references);
        let pairs = permutations(&self.processes).into_iter().flat_map(|processes| {
            references.iter().map(move |references| [processes.clone(), references.clone()].concat())
        });
        // The first is that of the numbers: both lists ascend.
        Some(pairs.skip(1).map(|ranked| NameOrder { opposite: false, ranked }).collect())
    }
}

/// All orders of names, the given one first.
fn permutations(names: &[HandleName]) -> Vec<Vec<HandleName>> {
    if names.is_empty() {
        return vec![Vec::new()];
    }
    let begin_with = |at: usize| {
        let (first, mut rest) = (names[at], names.to_vec());
        rest.remove(at);
        permutations(&rest).into_iter().map(move |rest| [vec![first], rest].concat())
    };
    (0..names.len()).flat_map(begin_with).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_order_comes_once() {
        let names = |count: u32| (0..count).map(HandleName::Process).collect::<Vec<_>>();
        let orders = |processes, references| {
            let references = (0..references).map(|n| HandleName::Reference(n, 0)).collect();
            NameOrders { processes: names(processes), references, is_many: true }.others()
        };
        let mut four = permutations(&names(4));
        assert_eq!(four[0], names(4));
        four.sort();
        four.dedup();
        assert_eq!(four.len(), 24);
        assert_eq!(orders(3, 0).map(|orders| orders.len()), Some(5));
        assert_eq!(orders(3, 2).map(|orders| orders.len()), Some(11));
        assert!(orders(4, 2).is_none() && orders(40, 0).is_none());
    }
}
