//! The replay of earlier findings: each witness is run on our machine and on the VM, apart from any search.

use std::time::Duration;

use constraint::count_calls;
use exec::forward::{Ending, Place};
use host::{Deadline, Stopwatch};
use search::{
    ConcolicRun, Confirm, Confirmation, Consequence, Defect, DefectKind, EntryPoint, Evidence, Finding, FindingKey,
    FollowingCrash, MachineSubject, TestSubject,
};
use term::Mfa;

use super::{EarlierFindings, StoredFinding, StoredFunction};
use crate::confirm::Replay;
use crate::explore::inputs::Inputs;
use crate::explore::sequenced::sequence_domain;
use crate::job::Job;
use crate::library::enclosing;
use crate::{Session, interrupt, mebibytes};
use term::cut::ProgramLimit;

/// The time of all replays of a function; the others are replayed another time.
const TIME: Duration = Duration::from_secs(1);

/// The answer to a witness.
enum Standing {
    /// The VM shows it; with the place and the text of today's code.
    Still(Box<StoredFinding>),
    Fixed,
    Unsettled,
}

/// Replays the earlier findings of a function.
pub(crate) fn replay(session: &Session, job: &Job, stored: &StoredFunction) -> EarlierFindings {
    let is_changed = stored.content != session.content(job.function.module);
    let mut earlier = EarlierFindings { is_changed, ..EarlierFindings::default() };
    if job.is_private && session.expose(job.function.module).is_err() {
        earlier.unsettled.clone_from(&stored.findings);
        return earlier;
    }
    let settings = &job.settings;
    let time = TIME.min(Duration::from_secs(settings.bounds.time) / 4);
    let end = Some(Stopwatch::start().deadline(time));
    let _stop = interrupt::stop_at(end);
    let _memory = ProgramLimit::new(mebibytes(settings.bounds.memory));
    session.host().end = end;
    let is_made = |one: &&StoredFinding| count_calls(&one.finding.stimulus.inputs) > 0;
    let (made, plain): (Vec<&StoredFinding>, Vec<&StoredFinding>) = stored.findings.iter().partition(is_made);
    if !plain.is_empty() {
        let inputs = Inputs::without_calls(job, session);
        replay_with(session, job, &inputs, (&plain, end), &mut earlier);
    }
    if !made.is_empty() {
        match sequence_domain(job, session) {
            Some(sequences) => {
                let inputs = Inputs::of_calls(job, session, sequences);
                replay_with(session, job, &inputs, (&made, end), &mut earlier);
            }
            None => earlier.fixed.extend(made.into_iter().cloned()),
        }
    }
    session.host().end = None;
    session.take_changes();
    earlier
}

/// Replays findings whose inputs are of one kind, until an end.
fn replay_with(
    session: &Session,
    job: &Job,
    inputs: &Inputs,
    (findings, end): (&[&StoredFinding], Option<Deadline>),
    earlier: &mut EarlierFindings,
) {
    let mut world = session.until(end);
    let program = inputs.subject(job, job.settings.machine(false, job.function), &mut world);
    let confirm = Replay { session: session.clone(), function: inputs.called(job) };
    let mut replayer = Replayer { session, job, inputs, program, confirm, is_changed: earlier.is_changed };
    for one in findings {
        match replayer.standing(one) {
            Standing::Still(one) => earlier.still.push(*one),
            Standing::Fixed => earlier.fixed.push((*one).clone()),
            Standing::Unsettled => earlier.unsettled.push((*one).clone()),
        }
    }
}

struct Replayer<'a> {
    session: &'a Session,
    job: &'a Job,
    inputs: &'a Inputs,
    program: MachineSubject<'a>,
    confirm: Replay,
    is_changed: bool,
}

impl Replayer<'_> {
    fn standing(&mut self, stored: &StoredFinding) -> Standing {
        let entry_point = self.program.entry_point().clone();
        let (stimulus, grammar) = (&stored.finding.stimulus, self.program.grammar());
        let allowing = |at: &usize| entry_point.signatures[*at].allows(grammar, &stimulus.inputs);
        let allowing: Vec<usize> = (0..entry_point.signatures.len()).filter(allowing).collect();
        let is_promised = allowing.iter().all(|at| entry_point.signatures[*at].no_return);
        let Some(signature) = allowing.first().filter(|_| !is_promised || is_contract(stored)) else {
            return Standing::Fixed;
        };
        let run = self.program.run(stimulus);
        if !matches!(run.ending, Ending::Value(_) | Ending::Raised(_) | Ending::Deadlock { .. })
            || run.varies()
            || run.varies_elsewhere()
        {
            return Standing::Unsettled;
        }
        let is_outside = run.unmatched && !entry_point.specified;
        let shown = shown(&stored.finding, &run, &entry_point).filter(|_| run.counts() && !is_outside);
        let Some((defect, key, at, follows)) = shown else { return Standing::Fixed };
        let is_ignored =
            |defect: &Defect, trace| self.job.ignore.iter().any(|it| it.covers(defect, trace, &entry_point));
        // What follows from another crash stands for itself only where the user ignores that one.
        let is_covered = |following: &FollowingCrash| {
            let root = run.defects().nth(following.root);
            let is_apart = following.consequence == Consequence::Met;
            !(is_apart && root.is_some_and(|(root, trace)| is_ignored(&root, trace)))
        };
        if is_ignored(&defect, &run.trace) || follows.is_some_and(is_covered) {
            return Standing::Unsettled;
        }
        let evidence = Evidence { inputs: &stimulus.inputs, events: &run.events, defect: &defect };
        let (text, replayed) = match self.confirm.confirm(evidence) {
            Confirmation::Same { text } => (text, true),
            Confirmation::Unscheduled { text } => (text, false),
            Confirmation::Different { .. } => return Standing::Fixed,
            Confirmation::Limit { .. } | Confirmation::Dead { .. } => return Standing::Unsettled,
        };
        let text = if is_contract(stored) { stored.finding.text.clone() } else { text };
        let defect = defect.named(&stimulus.inputs);
        let mut finding = Finding {
            key,
            at,
            defect,
            text,
            replayed,
            signature: *signature,
            path: run.path,
            ..stored.finding.clone()
        };
        // Of other code the conditions may be others.
        finding.cause = finding.cause.filter(|_| !self.is_changed);
        let detail = self.inputs.detail(self.job, self.session, &mut self.program, &mut finding);
        Standing::Still(Box::new(StoredFinding { finding, detail }))
    }
}

fn is_contract(stored: &StoredFinding) -> bool {
    stored.finding.key.kind == DefectKind::Contract
}

/// A defect of a run with its place, and the crash that it is if it follows from another.
type ShownDefect<'r> = (Defect, FindingKey, Option<Place>, Option<&'r FollowingCrash>);

/// The defect of a run that is the stored one, wherever its line is now.
fn shown<'r>(stored: &Finding, run: &'r ConcolicRun, entry_point: &EntryPoint) -> Option<ShownDefect<'r>> {
    let following = run.consequences.iter();
    let following = following.map(|it| (Defect::Crash(it.crash.exception.clone()), &it.crash.trace[..], Some(it)));
    let roots = run.defects().map(|(defect, trace)| (defect, trace, None));
    roots.chain(following).find_map(|(defect, trace, follows)| {
        let (key, at) = FindingKey::of(&defect, trace, entry_point);
        let outer = |function: Option<Mfa>| function.map(|function| enclosing(function).unwrap_or(function));
        let is_same = key.kind == stored.key.kind
            && outer(key.function) == outer(stored.key.function)
            && key.via == stored.key.via;
        is_same.then_some((defect, key, at, follows))
    })
}
