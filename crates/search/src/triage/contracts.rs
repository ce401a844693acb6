//! The search for inputs whose value is outside a bound that the spec has for it.

use constraint::{Condition, Stimulus};
use solve::Answer;

use super::{Triage, TriageContext};
use crate::finding::DefectKind;
use crate::limits::QUICK_BUDGET;

/// Bounds of values that a solver is asked about.
const BOUNDS: usize = 300;

/// The search for broken contracts.
#[derive(Default)]
pub struct ContractSearch {
    asked: usize,
    /// The runs that were looked at.
    looked_at: usize,
}

impl Triage {
    /// Seeks inputs whose value is outside a bound, of runs that were not looked at.
    pub fn seek_broken_contracts(&mut self, context: &mut TriageContext<'_>) {
        while self.contracts.looked_at < self.seen.len() {
            let at = self.contracts.looked_at;
            for bound in self.seen[at].bounds.clone() {
                let is_known = self.findings.iter().any(|finding| finding.key.kind == DefectKind::Contract);
                if is_known || self.contracts.asked == BOUNDS || (context.stopped)() {
                    return;
                }
                self.contracts.asked += 1;
                self.seek_outside(context, at, bound);
            }
            self.contracts.looked_at += 1;
        }
    }

    fn seek_outside(&mut self, context: &mut TriageContext<'_>, at: usize, bound: Condition) {
        let run = &self.seen[at];
        let outside = Condition { holds: !bound.holds, ..bound };
        let conditions = run.conditions.iter().cloned().chain([outside]).collect();
        let (signature, near) = (run.signature, run.stimulus.inputs.clone());
        if let Answer::Sat(inputs) = context.solve(signature, conditions, &near, &QUICK_BUDGET) {
            let stimulus = Stimulus { inputs, ..run.stimulus.clone() };
            let run = context.subject.run(&stimulus);
            self.add(context, signature, &stimulus, &run);
        }
    }
}
