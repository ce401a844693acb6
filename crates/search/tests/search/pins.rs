//! Operations without a symbolic rule: their inputs are held, and freed value by value.

use exec::forward::{Ending, Gap, GapKind};
use search::{ExplorationOptions, Verdict};

use crate::fake::{Fake, Probe, calls, causes, crash, mfa, place, search, value};

/// A hash of the input, which no solver sees through, decides.
fn hashed(probe: &mut Probe<'_>) -> Ending {
    let hash = probe.pin(3, 0) * 7 % 10;
    if hash == 6 && probe.is(5, 1, 2) { crash("bug", 6) } else { value() }
}

#[test]
fn a_small_domain_behind_a_gap_is_still_a_proof() {
    let found = search(&mut Fake::new(2, hashed), 10, &ExplorationOptions::default());
    assert_eq!((calls(&found), found.complete), (vec!["8, 2".into()], true));
    // Ten values, of which one has two paths.
    assert_eq!((found.statistics.paths, found.statistics.divergences), (11, 0));
}

#[test]
fn a_large_domain_behind_a_gap_is_not() {
    let found =
        search(&mut Fake::new(2, hashed), 1000, &ExplorationOptions { max_pins: 12, ..ExplorationOptions::default() });
    assert_eq!((calls(&found), found.complete), (vec!["8, 2".into()], false));
    assert_eq!(causes(&found), [("gap", found.statistics.runs)]);
    assert_eq!(found.causes[0].at, Some(place("f", 3)));
    // Thirteen values, and the values 8 and 18 of the chain would have two paths each, the second is out of reach.
    assert_eq!(found.statistics.paths, 14);
}

#[test]
fn pinned_flips_come_after_all_others() {
    let program = |probe: &mut Probe<'_>| {
        probe.pin(1, 0);
        for turn in 0..10 {
            if probe.is(2, 1, turn) {
                break;
            }
        }
        value()
    };
    let mut subject = Fake::new(2, program);
    search(&mut subject, 20, &ExplorationOptions { round: 1, max_runs: 12, ..ExplorationOptions::default() });
    let firsts: Vec<i64> = subject.log.iter().filter_map(|it| it.inputs[0].as_i64()).collect();
    assert_eq!(firsts, [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
}

#[test]
fn an_answer_that_varies_is_no_proof() {
    let program = |probe: &mut Probe<'_>| {
        probe.run.gaps.push(Gap { function: mfa("erlang", "now", 0), at: place("f", 2), kind: GapKind::Varying });
        value()
    };
    let found = search(&mut Fake::new(1, program), 4, &ExplorationOptions::default());
    assert_eq!((found.verdict, causes(&found)), (Verdict::Incomplete, vec![("varying", 1)]));
}

#[test]
fn a_pin_that_no_gap_explains_is_named_by_its_site() {
    let program = |probe: &mut Probe<'_>| {
        probe.pin(8, 0);
        probe.run.gaps.clear();
        value()
    };
    let found =
        search(&mut Fake::new(1, program), 100, &ExplorationOptions { max_pins: 2, ..ExplorationOptions::default() });
    assert_eq!((causes(&found), found.causes[0].at.clone()), (vec![("pin", 1)], Some(place("f", 8))));
}
