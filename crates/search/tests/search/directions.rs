//! Divergences: inputs that do not go where they were sent.

use constraint::{Condition, Decision, Test};
use exec::forward::{Ending, Gap, GapKind};
use search::{ExplorationOptions, Strategy, Verdict};

use crate::fake::{Fake, Probe, causes, crash, mfa, place, search, value, with};

/// Says of `lied` that it has the answer it does not have: the run goes on as if the condition were another.
fn lying(lied: &'static [i64]) -> impl FnMut(&mut Probe<'_>) -> Ending {
    move |probe| {
        let (input, three) = (probe.input(0), probe.arena.integer(3));
        let truth = probe.value(0) < 3;
        let answer = if lied.contains(&probe.value(0)) { !truth } else { truth };
        let condition = Condition { test: Test::Less(input, three), holds: answer };
        probe.run.path.push(Decision::branch(constraint::Site(4), condition));
        if probe.value(0) == 4 { crash("bug", 5) } else { value() }
    }
}

#[test]
fn a_divergence_is_counted_and_the_flip_is_tried_with_other_inputs() {
    for strategy in Strategy::ALL {
        let found = search(&mut Fake::new(1, lying(&[3])), 6, &with(strategy));
        assert_eq!((found.statistics.divergences, found.statistics.runs, found.statistics.paths), (1, 3, 2));
        // The second try had the wanted answer, and so the crash behind it was found.
        assert_eq!((found.verdict, found.complete), (Verdict::Crash, false));
        assert_eq!((causes(&found), found.causes[0].at.clone()), (vec![("divergence", 1)], Some(place("f", 4))));
    }
}

#[test]
fn a_flip_that_diverges_twice_is_given_up() {
    let found = search(&mut Fake::new(1, lying(&[3, 4, 5])), 6, &ExplorationOptions::default());
    assert_eq!((found.statistics.divergences, found.statistics.runs, found.statistics.paths), (2, 3, 1));
    assert_eq!(causes(&found), [("divergence", 2)]);
}

#[test]
fn what_was_asked_after_an_answer_that_varies_need_not_be_asked_again() {
    // The clock is looked at in some runs only, and the flip comes from one of these.
    let mut lying = lying(&[3, 4, 5]);
    let program = move |probe: &mut Probe<'_>| {
        if probe.value(0) < 3 {
            let gap = Gap { function: mfa("erlang", "now", 0), at: place("f", 2), kind: GapKind::Varying };
            probe.run.gaps.push(gap);
        }
        lying(probe)
    };
    let found = search(&mut Fake::new(1, program), 6, &ExplorationOptions::default());
    assert_eq!((found.statistics.divergences, found.verdict), (0, Verdict::Crash));
    assert!(!found.complete && causes(&found).iter().any(|(code, _)| *code == "varying"), "{:?}", causes(&found));
}

#[test]
fn a_retry_without_other_inputs_is_no_proof() {
    let found = search(&mut Fake::new(1, lying(&[3])), 4, &ExplorationOptions::default());
    assert_eq!((found.verdict, found.statistics.infeasible), (Verdict::Incomplete, 0));
}

#[test]
fn a_crash_on_the_wrong_way_is_a_finding_all_the_same() {
    let found = search(&mut Fake::new(1, lying(&[3, 4, 5])), 6, &ExplorationOptions::default());
    assert_eq!((found.verdict, found.findings.len()), (Verdict::Crash, 1));
}

#[test]
fn another_question_after_the_same_answers_is_a_divergence() {
    // The value decides which question comes first, and no condition says so.
    let program = |probe: &mut Probe<'_>| {
        let site = if probe.value(0) < 2 { 1 } else { 2 };
        probe.is(site, 0, 3);
        probe.is(9, 0, 1);
        value()
    };
    let found = search(&mut Fake::new(1, program), 4, &ExplorationOptions::default());
    assert_eq!(found.verdict, Verdict::Incomplete);
    assert!(found.statistics.divergences >= 1);
    assert!(found.statistics.runs < 20);
}
