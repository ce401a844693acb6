//! The cause of a finding: the conditions of its path that it depends on, and the inputs that they leave.
//!
//! Conditions are left out one by one, from the last to the first, as in delta debugging: what is asked about a part of an
//! input comes after what makes it one. A condition can go if the others imply it, or if inputs that meet all others but
//! not this one show the same defect. When each was tried, those that went are tried again without each other; one for
//! which inputs do not show the defect any more comes back. At the end of the search its other paths are witnesses, too:
//! where inputs of one meet the conditions and do not show the defect, a condition that they do not meet comes back.

mod words;

use constraint::{Arena, Condition, Evaluator, Stimulus};
use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};
use solve::Answer;
use term::{Language, Term};

use crate::TermSize;
use crate::triage::TriageContext;

/// Conditions of a path; the cause of one that has more is not looked for.
const LONGEST: usize = 200;

/// Conditions of a cause; one that has more is of no use to a reader.
const MOST: usize = 6;

/// Rounds in which conditions come back.
const ROUNDS: usize = 4;

/// The cause of a finding, as text.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FailureCause {
    /// The inputs as patterns: what does not matter is `_`.
    pub inputs: Vec<String>,
    /// Conditions on the variables of the patterns.
    pub conditions: Vec<String>,
    /// The same in Elixir, of a function of Elixir.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub elixir: Option<Box<FailureCause>>,
}

/// The conditions of a path, and which of them a defect depends on as far as is known.
#[derive(Clone)]
pub struct CauseDraft {
    all: Vec<Condition>,
    is_kept: Vec<bool>,
}

impl CauseDraft {
    /// Inputs do not show the defect: a condition that they do not meet comes back if they meet all others. Returns false
    /// if there is none.
    pub fn refute(&mut self, arena: &Arena, inputs: &[Term]) -> bool {
        let mut evaluator = Evaluator::new(arena, inputs);
        let mut is_met = |at: usize| evaluator.holds(&self.all[at]) == Ok(true);
        let (kept, left): (Vec<usize>, Vec<usize>) = (0..self.all.len()).partition(|at| self.is_kept[*at]);
        if !kept.into_iter().all(&mut is_met) {
            return true;
        }
        let unmet = left.into_iter().find(|at| !is_met(*at));
        unmet.into_iter().for_each(|at| self.is_kept[at] = true);
        unmet.is_some()
    }

    /// The conditions of another path together with those that are kept; nothing if they exclude each other at sight.
    pub fn along(&self, path: &[Condition]) -> Option<Vec<Condition>> {
        let asked: FxHashSet<&Condition> = path.iter().collect();
        let kept: Vec<&Condition> = self.kept().filter(|condition| !asked.contains(condition)).collect();
        let excluded = kept.iter().any(|condition| asked.contains(&condition.negated()));
        (!excluded).then(|| path.iter().chain(kept).cloned().collect())
    }

    /// True if inputs meet all conditions that are kept.
    pub fn is_met(&self, arena: &Arena, inputs: &[Term]) -> bool {
        let mut evaluator = Evaluator::new(arena, inputs);
        self.kept().all(|condition| evaluator.holds(condition) == Ok(true))
    }

    /// The conditions that are kept, in the order of the path.
    pub fn kept(&self) -> impl Iterator<Item = &Condition> {
        self.all.iter().zip(&self.is_kept).filter(|(_, is_kept)| **is_kept).map(|(condition, _)| condition)
    }

    /// The cause as text; nothing if there are too many conditions. In Elixir, too, if that is the program's language.
    pub fn describe(&self, arena: &Arena, witness: &[Term], language: Language) -> Option<FailureCause> {
        let needed: Vec<&Condition> = self.kept().collect();
        let described = |language| words::describe(arena, witness, (&needed, &self.all), language);
        (needed.len() <= MOST).then(|| {
            let is_elixir = language == Language::Elixir;
            FailureCause { elixir: is_elixir.then(|| Box::new(described(language))), ..described(Language::Erlang) }
        })
    }
}

/// A search for the cause of a finding.
pub struct CauseSearch<'a, 'c> {
    pub context: &'a mut TriageContext<'c>,
    /// The clause of the spec.
    pub signature: usize,
    /// The witness.
    pub stimulus: &'a Stimulus,
    /// Says whether a run of the context shows the defect.
    pub shows: &'a mut dyn FnMut(&mut TriageContext<'c>, &Stimulus) -> bool,
}

impl CauseSearch<'_, '_> {
    /// The cause of a defect at the end of a path with these conditions; nothing if that takes too long.
    pub fn find(&mut self, conditions: impl IntoIterator<Item = Condition>) -> Option<CauseDraft> {
        let mut known = FxHashSet::default();
        let all: Vec<Condition> = conditions.into_iter().filter(|condition| known.insert(condition.clone())).collect();
        if all.len() > LONGEST {
            return None;
        }
        let mut is_kept = vec![true; all.len()];
        let mut implied = vec![false; all.len()];
        for at in (0..all.len()).rev() {
            is_kept[at] = false;
            match self.without(&all, &is_kept, at)? {
                Without::Impossible => implied[at] = true,
                Without::Shows => {}
                Without::ShowsNot => is_kept[at] = true,
            }
        }
        for _ in 0..ROUNDS {
            let mut comes_back = false;
            for at in (0..all.len()).filter(|at| !implied[*at]) {
                if !is_kept[at] && matches!(self.without(&all, &is_kept, at)?, Without::ShowsNot) {
                    (is_kept[at], comes_back) = (true, true);
                }
            }
            if !comes_back {
                return Some(CauseDraft { all, is_kept });
            }
        }
        None
    }

    /// Leaves out each condition of a cause for which inputs that meet only the others show the defect.
    pub fn widen(&mut self, draft: &mut CauseDraft) {
        for at in (0..draft.all.len()).rev().filter(|at| draft.is_kept[*at]).collect::<Vec<_>>() {
            draft.is_kept[at] = false;
            let without = self.without(&draft.all, &draft.is_kept, at);
            draft.is_kept[at] = !matches!(without, Some(Without::Shows | Without::Impossible));
        }
    }

    /// Tries inputs that meet the conditions that are kept and not another one.
    fn without(&mut self, all: &[Condition], is_kept: &[bool], at: usize) -> Option<Without> {
        if (self.context.stopped)() {
            return None;
        }
        let kept = all.iter().zip(is_kept).filter(|(_, is_kept)| **is_kept).map(|(condition, _)| condition.clone());
        let conditions: Vec<Condition> = kept.chain([all[at].negated()]).collect();
        let Stimulus { inputs: near, .. } = self.stimulus;
        let inputs = match self.context.solve(self.signature, conditions, near, &self.context.options.budget) {
            Answer::Sat(inputs) => inputs,
            Answer::Unsat => return Some(Without::Impossible),
            Answer::Unknown(_) => return Some(Without::ShowsNot),
        };
        if TermSize::of(&inputs).nodes > self.context.options.max_input_size as u64 {
            return Some(Without::ShowsNot);
        }
        let stimulus = Stimulus { inputs, schedule: self.stimulus.schedule.clone() };
        self.context.statistics.shrink_runs += 1;
        Some(if (self.shows)(self.context, &stimulus) { Without::Shows } else { Without::ShowsNot })
    }
}

/// What becomes of a defect without one of its conditions.
enum Without {
    /// No inputs meet the others but not this one.
    Impossible,
    Shows,
    ShowsNot,
}
