//! Bugs of one function that share a root or a place: the first is shown in full, the others below it.

use search::{Finding, FindingRank};
use session::job::{FindingDetail, JobResult, Novelty};
use term::Mfa;

use super::known::Standing;
use super::text::{folded_call, headline};
use crate::notation::{self, prose};
use crate::phrases::{counted, place};

/// The family of bugs of functions without a spec.
pub(super) const NO_SPEC: &str = "no spec says what it takes";

/// Bugs below another one that have a line each; of the others the places are named.
const LINES: usize = 3;

/// For each finding, the one before it that it is shown with: one of the same root, or the first at its place.
/// What a baseline has stands for itself. Where another function has shown a finding before, as `known` says, it is shown
/// with such a one only.
pub(super) fn heads(explored: &JobResult, known: &[Option<Mfa>]) -> Vec<Option<usize>> {
    let findings = &explored.exploration.findings;
    let bugs: Vec<usize> = (0..findings.len()).filter(|at| is_new(explored, *at)).collect();
    let has_same_root = |left: usize, right: usize| is_same_root(&findings[left], &findings[right]);
    let place = |at: usize| {
        let FindingDetail { file, line, column, .. } = &explored.details[at];
        (&findings[at].key.kind, file, line, column)
    };
    let is_same_place = |left: usize, right: usize| place(left) == place(right);
    let head = |at: usize| {
        let is_repeated = known[at].is_some();
        let before = bugs.iter().copied().take_while(|other| *other < at);
        let mut before = before.filter(|other| !is_repeated || known[*other].is_some());
        let of_root = before.clone().find(|other| has_same_root(*other, at));
        of_root.or_else(|| before.find(|other| is_same_place(*other, at)))
    };
    let mut heads: Vec<Option<usize>> = vec![None; findings.len()];
    for at in bugs.iter().copied() {
        // One that stands below another is no head.
        heads[at] = head(at).map(|head| heads[head].unwrap_or(head));
    }
    heads
}

/// True if a finding is a bug that no baseline has.
pub(super) fn is_new(explored: &JobResult, at: usize) -> bool {
    let is_bug = explored.exploration.findings[at].ranking.rank == FindingRank::Bug;
    is_bug && explored.details[at].novelty != Some(Novelty::Known)
}

/// The number of findings that are shown with the one at `head`, as far as another function has shown them before.
pub(super) fn repeated_with(standings: &[Standing], head: usize) -> usize {
    standings.iter().filter(|one| one.head == Some(head) && one.same_as.is_some()).count()
}

/// The number of findings that are shown with the one at `head`.
pub(super) fn shown_with(standings: &[Standing], head: usize) -> usize {
    standings.iter().filter(|one| one.head == Some(head)).count()
}

fn is_same_root(left: &Finding, right: &Finding) -> bool {
    left.root.is_some() && left.root == right.root
}

/// What a bug has in common with those of other functions: code without specs takes more than it is meant to.
pub(super) fn family(finding: &Finding) -> Option<&str> {
    match finding.ranking.is_unspecified() {
        true => Some(NO_SPEC),
        false => finding.root.as_ref()?.family(),
    }
}

/// The bugs that are shown with the one at `head`, below it.
pub(super) fn write_others(out: &mut String, explored: &JobResult, standings: &[Standing], head: usize) {
    let findings = &explored.exploration.findings;
    let others: Vec<(&Finding, &FindingDetail)> = (0..standings.len())
        .filter(|at| standings[*at].head == Some(head))
        .map(|at| (&findings[at], &explored.details[at]))
        .collect();
    if others.is_empty() {
        return;
    }
    let count = counted(others.len() as u64, "other bug");
    let root =
        findings[head].root.as_ref().filter(|_| others.iter().any(|(one, _)| is_same_root(one, &findings[head])));
    match root {
        Some(root) => {
            let root = prose(explored.language, &root.to_string());
            out.push_str(&format!("  root: {root}; {count} with it:\n"));
        }
        None => out.push_str(&format!("  {count} at this place:\n")),
    }
    let (shown, rest) = others.split_at(others.len().min(LINES));
    for (finding, detail) in shown {
        let (headline, call) = (headline(explored, (finding, detail)), folded_call(explored, finding, detail));
        let cause = finding.cause.as_ref().filter(|cause| !cause.inputs.is_empty());
        let cause = cause.map_or(String::new(), |cause| format!("; cause: {}", notation::cause(explored, cause)));
        out.push_str(&format!("    {headline}: {call}{cause}\n"));
    }
    if !rest.is_empty() {
        let mut places: Vec<(String, usize)> = Vec::new();
        for (_, FindingDetail { file, line, column, .. }) in rest {
            let place = place(file, *line, *column);
            match places.iter_mut().find(|(known, _)| *known == place) {
                Some((_, count)) => *count += 1,
                None => places.push((place, 1)),
            }
        }
        let times = |count: usize| if count == 1 { String::new() } else { format!(" ({count})") };
        let places: Vec<String> = places.iter().map(|(place, count)| format!("{place}{}", times(*count))).collect();
        out.push_str(&format!("    and at {}\n", places.join(", ")));
    }
}

/// A bug in a line that is shown with one which another function has shown before.
pub(super) fn of_known(explored: &JobResult, (finding, detail): (&Finding, &FindingDetail), head: usize) -> String {
    let FindingDetail { file, line, column, .. } = &explored.details[head];
    let (headline, call) = (headline(explored, (finding, detail)), folded_call(explored, finding, detail));
    format!("{headline} in {} (bug, with {}): {call}\n", notation::name(explored), place(file, *line, *column))
}

/// A bug in a line that other functions of the module have shown in full.
pub(super) fn usual(
    explored: &JobResult,
    (finding, detail): (&Finding, &FindingDetail),
    counts: (u32, usize),
) -> String {
    let (headline, call) = (headline(explored, (finding, detail)), folded_call(explored, finding, detail));
    let of_root = || finding.root.as_ref().map_or(String::new(), |root| prose(explored.language, &root.to_string()));
    let root = if finding.ranking.is_unspecified() { NO_SPEC.to_owned() } else { of_root() };
    let (before, others) = counts;
    let others = if others == 0 { String::new() } else { format!("; {} with it", counted(others as u64, "other bug")) };
    let before = match finding.ranking.is_unspecified() {
        true => format!("{before} others before"),
        false => format!("{before} others of {} before", explored.notation().module(explored.function.module)),
    };
    format!("{headline} in {} (bug, {root}, as in {before}): {call}{others}\n", notation::name(explored))
}
