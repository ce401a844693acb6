//! Which crashes of a run follow from an earlier one: one cause is one finding.
//!
//! A crash follows from the end of a process that has crashed before if its reason has the other's, which signals and
//! messages have brought, or if that end is the last that its process saw: an exit signal, a name or a table that is gone.
//! A process that has called `exit` meant to end: what met that crashes for a reason of its own. Every other crash is a
//! root, and so is the first of a run.

use exec::forward::{Crash, EventKind, MessageId, Object, ProcessEvent};
use rustc_hash::FxHashSet;
use term::{Class, Term};

/// Crashes of a run that are looked at: one process that is started over and over can crash thousands of times.
const MOST: usize = 16;

/// The way in which a crash follows from another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Consequence {
    /// Its reason has that of the other.
    Carried,
    /// It met the end of the other, which was an error.
    Met,
}

/// A crash that follows from a root of the same run.
#[derive(Clone)]
pub struct FollowingCrash {
    pub crash: Crash,
    /// The place of the root among the roots of the run.
    pub root: usize,
    /// Carried if every crash on the way from the root is.
    pub consequence: Consequence,
}

/// Separates the roots among the crashes of a run from those that follow from them; both in order.
pub fn roots(events: &[ProcessEvent], crashes: Vec<Crash>) -> (Vec<Crash>, Vec<FollowingCrash>) {
    let (mut roots, mut following): (Vec<Crash>, Vec<FollowingCrash>) = (Vec::new(), Vec::new());
    for crash in crashes.into_iter().take(MOST) {
        let by_root = roots.iter().enumerate().find_map(|(root, cause)| {
            let consequence = consequence(events, cause, &crash)?;
            Some((root, consequence))
        });
        let by_other = || {
            following.iter().find_map(|cause| {
                let consequence = consequence(events, &cause.crash, &crash)?;
                let is_carried = (cause.consequence, consequence) == (Consequence::Carried, Consequence::Carried);
                Some((cause.root, if is_carried { Consequence::Carried } else { Consequence::Met }))
            })
        };
        match by_root.or_else(by_other) {
            Some((root, consequence)) => following.push(FollowingCrash { crash, root, consequence }),
            None => roots.push(crash),
        }
    }
    (roots, following)
}

fn consequence(events: &[ProcessEvent], cause: &Crash, crash: &Crash) -> Option<Consequence> {
    let is_end = |event: &ProcessEvent| event.process == cause.process && matches!(event.kind, EventKind::Exit { .. });
    let end = events.iter().position(is_end)?;
    let is_carried =
        holds(&crash.exception.reason, &cause.exception.reason) && is_carried_to(events, end, cause, crash);
    match is_carried {
        true => Some(Consequence::Carried),
        false => {
            let is_met = cause.exception.class != Class::Exit && is_met(events, end, cause, crash);
            is_met.then_some(Consequence::Met)
        }
    }
}

/// True if signals and messages with the reason of a crash have come from the end of its process to another that crashes.
fn is_carried_to(events: &[ProcessEvent], end: usize, cause: &Crash, crash: &Crash) -> bool {
    let (mut reached, mut informed) = (vec![false; events.len()], FxHashSet::default());
    for (at, event) in events.iter().enumerate().skip(end) {
        let brings = |message: &MessageId| {
            reached[message.event as usize]
                && sent(events, *message).is_some_and(|message| holds(message, &cause.exception.reason))
        };
        let takes = matches!(&event.kind, EventKind::Receive { taken: Some(message), .. } if brings(message));
        let is_behind = event.after.is_some_and(|after| reached[after as usize]);
        reached[at] = at == end || takes || is_behind || informed.contains(&event.process);
        if reached[at] {
            informed.insert(event.process);
            informed.extend(event.started());
        }
    }
    informed.contains(&crash.process)
}

fn sent(events: &[ProcessEvent], message: MessageId) -> Option<&Term> {
    Some(&events[message.event as usize].sent.get(message.place as usize)?.message)
}

/// True if the end of a process is the last that another saw before it crashed.
fn is_met(events: &[ProcessEvent], end: usize, cause: &Crash, crash: &Crash) -> bool {
    let own = |at: &usize| events[*at].process == crash.process && sees(&events[*at]);
    let Some(last) = (0..events.len()).rev().find(own) else { return false };
    let EventKind::Receive { taken, .. } = &events[last].kind else {
        return meets(events, last, cause, crash);
    };
    let Some(message) = taken else { return false };
    let sender = message.event as usize;
    match events[sender].kind {
        EventKind::Exit { .. } | EventKind::Release => events[sender].process == cause.process,
        EventKind::Signal { from, .. } => {
            from == cause.process && events[sender].after.is_some_and(|after| after as usize >= end)
        }
        // A monitor of what is gone answers at once.
        _ => events[sender].process == crash.process && meets(events, sender, cause, crash),
    }
}

/// True if a process learns of others with an event.
fn sees(event: &ProcessEvent) -> bool {
    match event.kind {
        EventKind::Receive { .. } => true,
        EventKind::Operation { .. } => event.accesses.iter().any(|access| is_state(&access.object)),
        _ => false,
    }
}

/// True for things whose state an operation gives, or fails by.
fn is_state(object: &Object) -> bool {
    !matches!(
        object,
        Object::Alias(_)
            | Object::Timer(_)
            | Object::Link(..)
            | Object::Relations(_)
            | Object::Trap(_)
            | Object::Leader(_)
    )
}

/// True if an operation looks for what went with the end of a process.
fn meets(events: &[ProcessEvent], at: usize, cause: &Crash, crash: &Crash) -> bool {
    let is_its = |event: &ProcessEvent| {
        event.process == cause.process && matches!(event.kind, EventKind::Exit { .. } | EventKind::Release)
    };
    let writes = |event: &&ProcessEvent, object: &Object| {
        event.accesses.iter().any(|access| access.writes && access.object == *object)
    };
    let last = |object: &Object| {
        let others = events[..at].iter().filter(|event| event.process != crash.process);
        others.rev().find(|event| writes(event, object)).is_some_and(is_its)
    };
    let fails = crash.exception.class == Class::Error
        && crash.exception.reason.as_atom().is_some_and(|reason| reason.name() == "badarg");
    events[at].accesses.iter().any(|access| match &access.object {
        Object::Name(_) | Object::TableName(_) | Object::Life(_) => !access.writes && last(&access.object),
        // A table that is gone does not come back.
        Object::Table(table) | Object::Row(table, _) if fails => {
            events[..at].iter().any(|event| is_its(event) && writes(&event, &Object::Table(*table)))
        }
        _ => false,
    })
}

/// True if a term is another, or has it as a part.
fn holds(whole: &Term, part: &Term) -> bool {
    if whole == part {
        return true;
    }
    term::deeper(|| match whole {
        Term::Tuple(_, items) => items.iter().any(|item| holds(item, part)),
        Term::Cons(..) => whole.cells().any(|item| holds(item, part)),
        Term::Map(_, map) => map.iter().any(|(key, value)| holds(key, part) || holds(value, part)),
        _ => false,
    })
}
