//! The search for inputs with which a loop comes round to where it was, or starts on the wrong side of its end.

use constraint::Stimulus;
use rustc_hash::FxHashMap;
use solve::Answer;

use super::{Triage, TriageContext};
use crate::TermSize;
use crate::endless::{RoundKey, loop_questions};
use crate::limits::QUICK_BUDGET;

/// Runs whose calls are looked at, and questions that solvers are asked: of one kind, and of all.
const RUNS: usize = 300;
const ALIKE: u32 = 2;
const QUESTIONS: u32 = 300;

/// The search for endless loops.
#[derive(Default)]
pub struct LoopSearch {
    /// By round: the questions that were asked.
    asked: FxHashMap<RoundKey, u32>,
    questions: u32,
    /// The runs that were looked at.
    looked_at: usize,
}

impl Triage {
    /// Seeks inputs with which a call has the arguments of an earlier one that is still under way.
    pub fn seek_loops(&mut self, context: &mut TriageContext<'_>) {
        let last = self.seen.len().min(RUNS);
        for at in self.loops.looked_at..last {
            let is_lone = self.seen[at].stimulus.schedule.is_empty();
            if !is_lone || self.loops.questions >= QUESTIONS || (context.stopped)() {
                continue;
            }
            self.seek_loops_of(context, at);
        }
        self.loops.looked_at = last.max(self.loops.looked_at);
    }

    fn seek_loops_of(&mut self, context: &mut TriageContext<'_>, at: usize) {
        let (signature, stimulus) = (self.seen[at].signature, self.seen[at].stimulus.clone());
        let Some(rounds) = context.subject.visits(&stimulus) else { return };
        for question in loop_questions(context.subject.arena_mut(), &stimulus.inputs, &rounds) {
            let asked = self.loops.asked.entry(question.key).or_default();
            if *asked >= ALIKE || self.loops.questions >= QUESTIONS || (context.stopped)() {
                continue;
            }
            *asked += 1;
            self.loops.questions += 1;
            let answer = context.solve(signature, question.conditions, &stimulus.inputs, &QUICK_BUDGET);
            let Answer::Sat(inputs) = answer else { continue };
            if TermSize::of(&inputs).nodes <= context.options.max_input_size as u64 {
                let found = Stimulus { inputs, ..stimulus.clone() };
                let run = context.subject.run(&found);
                self.add(context, signature, &found, &run);
            }
        }
    }
}
