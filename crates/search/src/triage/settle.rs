//! The end of a search: causes are made as general as other paths allow, and ranks follow from them.

use solve::Answer;

use super::context::TriageContext;
use super::{SeenRun, Triage, texts};
use crate::failure_cause::CauseDraft;
use crate::finding::Finding;
use crate::limits::QUICK_BUDGET;

/// Paths that a solver is asked about to refute one cause.
const REFUTATIONS: usize = 1_000;

impl Triage {
    /// Settles the causes and the ranks of all findings. Those whose witness meets the cause of another at the same place
    /// are one with it.
    pub fn settle_causes(&mut self, context: &mut TriageContext<'_>) {
        let mut settled: Vec<(Finding, Option<CauseDraft>)> = Vec::new();
        let causes = self.find_causes(context);
        for (finding, cause) in std::mem::take(&mut self.findings).into_iter().zip(causes) {
            let is_same = |(other, cause): &&mut (Finding, Option<CauseDraft>)| {
                other.key == finding.key
                    && other.ranking.rank <= finding.ranking.rank
                    && other.stimulus.schedule == finding.stimulus.schedule
                    && cause
                        .as_ref()
                        .is_some_and(|cause| cause.is_met(context.subject.arena(), &finding.stimulus.inputs))
            };
            match settled.iter_mut().find(is_same) {
                Some((other, _)) => other.paths += finding.paths,
                None => settled.push((finding, cause)),
            }
        }
        self.findings = settled.into_iter().map(|(finding, _)| finding).collect();
    }

    /// Finds the causes and the ranks of all findings; returns the causes that nothing refutes.
    fn find_causes(&mut self, context: &mut TriageContext<'_>) -> Vec<Option<CauseDraft>> {
        let (mut causes, mut texts) = (Vec::new(), Vec::new());
        for (finding, grounds) in self.findings.iter_mut().zip(&mut self.grounds) {
            causes.push(grounds.draft.as_mut().and_then(|draft| cause(context, &self.seen, finding, draft)));
            let ranked = context.ranking(finding.signature, &finding.stimulus.inputs, &finding.path, grounds);
            (finding.ranking, finding.root) = (ranked.ranking, ranked.root);
            texts.push(ranked.texts);
        }
        texts::settle(&mut self.findings, &texts, context.entry_point.function);
        causes
    }
}

/// Makes the cause of a finding as general as other paths allow, and describes it; returns it if nothing refutes it.
fn cause(
    context: &mut TriageContext<'_>,
    seen: &[SeenRun],
    finding: &mut Finding,
    draft: &mut CauseDraft,
) -> Option<CauseDraft> {
    let others: Vec<&SeenRun> = seen.iter().filter(|run| run.differs_from(finding)).collect();
    for run in &others {
        draft.refute(context.subject.arena(), &run.stimulus.inputs);
    }
    let mut general = draft.clone();
    context.widen(finding, &mut general);
    let is_refuted = is_refuted(context, &others, &mut general);
    let described =
        general.describe(context.subject.arena(), &finding.stimulus.inputs, context.entry_point.facts.language);
    finding.cause = described.filter(|_| !is_refuted);
    (!is_refuted).then_some(general)
}

/// Tries to refute a cause with runs and with other inputs on their paths; true if no condition of the path saves it.
fn is_refuted(context: &mut TriageContext<'_>, others: &[&SeenRun], draft: &mut CauseDraft) -> bool {
    let (mut asked, mut is_refuted) = (0, false);
    for run in others {
        is_refuted |= !draft.refute(context.subject.arena(), &run.stimulus.inputs);
        if asked == REFUTATIONS || (context.stopped)() {
            continue;
        }
        let Some(conditions) = draft.along(&run.conditions) else { continue };
        asked += 1;
        if let Answer::Sat(inputs) = context.solve(run.signature, conditions, &run.stimulus.inputs, &QUICK_BUDGET) {
            is_refuted |= !draft.refute(context.subject.arena(), &inputs);
        }
    }
    is_refuted
}

impl SeenRun {
    /// True if it could have shown a finding, and did not.
    fn differs_from(&self, finding: &Finding) -> bool {
        let is_alike = self.signature == finding.signature && self.stimulus.schedule == finding.stimulus.schedule;
        is_alike && !self.keys.contains(&finding.key)
    }
}
