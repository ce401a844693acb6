//! Paths in the tree, and the flips they leave.

use constraint::Arena;
use term::Term;

use super::*;

fn branch(arena: &mut Arena, site: u64, value: i64, holds: bool, pinned: bool) -> Decision {
    let (input, value) = (arena.input(0), arena.literal(Term::int(value)));
    Decision { pinned, ..Decision::branch(Site(site), Condition { test: Test::Same(input, value), holds }) }
}

fn flips(tree: &Tree) -> Vec<Flip> {
    tree.nodes().iter().map(|node| node.flip).collect()
}

#[test]
fn a_shared_prefix_is_stored_once() {
    let mut arena = Arena::new();
    let mut tree = Tree::new(1);
    let a = branch(&mut arena, 1, 1, false, false);
    let (b, c) = (branch(&mut arena, 2, 2, false, false), branch(&mut arena, 2, 2, true, false));
    assert!(tree.insert(0, &[a.clone(), b.clone()], false, RunId(0)).new);
    let second = tree.insert(0, &[a.clone(), c], false, RunId(1));
    assert_eq!((second.first, second.new, second.mixed), (2, true, None));
    assert_eq!(flips(&tree), [Flip::Queued, Flip::Run]);
    assert!(!tree.insert(0, &[a, b], false, RunId(2)).new);
}

#[test]
fn a_flip_is_the_prefix_and_the_other_outcome() {
    let mut arena = Arena::new();
    let mut tree = Tree::new(1);
    let path: Path = (0..3).map(|at| branch(&mut arena, at, at as i64, false, false)).collect();
    tree.insert(0, &path, false, RunId(0));
    let mut conditions = Vec::new();
    tree.conditions(NodeId(1), &mut conditions);
    let expected = [path[0].condition.clone(), path[1].condition.negated()];
    assert_eq!(conditions, expected);
}

#[test]
fn values_of_a_pinned_input_form_a_chain() {
    let mut arena = Arena::new();
    let mut tree = Tree::new(1);
    for value in 0..3 {
        let placed = tree.insert(0, &[branch(&mut arena, 1, value, true, true)], false, RunId(0));
        assert_eq!((placed.new, placed.mixed), (true, None));
    }
    assert_eq!(flips(&tree), [Flip::Run, Flip::Run, Flip::Queued]);
    assert_eq!(tree.nodes()[2].pins, 2);
    let mut conditions = Vec::new();
    tree.conditions(NodeId(2), &mut conditions);
    assert!(conditions.len() == 3 && conditions.iter().all(|condition| !condition.holds));
}

#[test]
fn sizes_of_a_tuple_form_a_chain() {
    let mut arena = Arena::new();
    let input = arena.input(0);
    let mut tree = Tree::new(1);
    for size in [2, 0, 3] {
        let condition = Condition { test: Test::Tuple(input, size), holds: true };
        let placed = tree.insert(0, &[Decision::branch(Site(1), condition)], false, RunId(0));
        assert_eq!((placed.new, placed.mixed), (true, None));
    }
    assert_eq!(flips(&tree), [Flip::Run, Flip::Run, Flip::Queued]);
    assert_eq!(tree.nodes()[2].pins, 0);
}

#[test]
fn another_decision_after_the_same_outcomes_is_seen_and_kept() {
    let mut arena = Arena::new();
    let mut tree = Tree::new(1);
    tree.insert(0, &[branch(&mut arena, 1, 1, true, false)], false, RunId(0));
    let other = [branch(&mut arena, 2, 1, true, false)];
    let placed = tree.insert(0, &other, false, RunId(1));
    assert_eq!((placed.first, placed.new, placed.mixed), (1, true, Some(Site(2))));
    assert!(!tree.insert(0, &other, false, RunId(2)).new);
    assert_eq!(tree.insert(0, &[], false, RunId(3)).mixed, Some(Site(1)));
}

#[test]
fn a_shown_tree_has_ends_and_what_was_not_tried() {
    let mut arena = Arena::new();
    let path = [branch(&mut arena, 1, 1, true, false), branch(&mut arena, 2, 2, true, false)];
    let mut tree = Tree::new(1);
    let placed = tree.insert(0, &path, false, RunId(0));
    let ends = PathEnds::from_iter([(placed.end, 7)]);
    let shown = tree.shown(9, &ends, &arena, &|_| None);
    assert!(matches!(&shown.roots[..], [ShownBranch::Decisions(first)] if first[..] == [0]));
    let [no, yes] = &shown.decisions[0].branches;
    assert!(matches!(no, ShownBranch::Open(OpenBranch::Waiting)), "{no:?}");
    assert!(matches!(yes, ShownBranch::Decisions(next) if next[..] == [1]), "{yes:?}");
    assert!(matches!(&shown.decisions[1].branches[1], ShownBranch::End(Some(7))));
    let first = tree.shown(1, &ends, &arena, &|_| None);
    assert_eq!((first.decisions.len(), first.left_out), (1, 1));
    assert!(matches!(first.decisions[0].branches[1], ShownBranch::Cut), "the second one is left out");
}
