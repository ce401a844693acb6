//! Monitors and aliases.

use std::collections::BTreeSet;

use term::{Atom, Term};

use super::flights::Signal;
use super::handles::RefKey;
use super::{Index, MessageId, Node, Object, ROOT};

/// A monitor: a message about the end of a process is wanted.
pub struct Watching {
    /// The process that gets the message.
    pub by: Index,
    /// The process that is watched; nothing for what never ends.
    pub of: Option<Index>,
    reference: Term,
    /// The process as the message names it.
    pub(super) shown: Term,
    /// The first element of the message.
    pub(super) tag: Term,
}

/// An alias: a reference that messages can be sent to.
pub struct Alias {
    /// The process that gets the messages.
    pub owner: Index,
    pub(super) mode: AliasMode,
    pub(super) is_active: bool,
    /// True once its owner has sent it a message, which the VM puts into the mailbox only when it next looks there.
    pub(super) from_owner: bool,
}

/// The way an alias ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AliasMode {
    /// By `unalias` alone.
    Explicit,
    /// With the first message.
    Reply,
    /// With the monitor.
    Demonitor,
    /// With the monitor, which ends with the first message.
    ReplyDemonitor,
}

impl Node {
    /// The processes that watch one.
    pub fn watchers(&self, of: Index) -> impl Iterator<Item = Index> {
        self.monitors.values().filter(move |monitor| monitor.of == Some(of)).map(|monitor| monitor.by)
    }

    /// The process that gets the messages sent to a reference.
    pub fn alias_owner(&self, reference: &Term) -> Option<Index> {
        self.aliases.get(&RefKey::of(reference)?).map(|alias| alias.owner)
    }

    /// Watches a process for the one that runs.
    pub fn monitor(&mut self, reference: &Term, of: Option<Index>, shown: Term, tag: Term) {
        let Some(key) = RefKey::of(reference) else { return };
        let monitor = Watching { by: self.current, of, reference: reference.clone(), shown, tag };
        self.monitors.insert(key, monitor);
        match of {
            Some(of) => self.emit(self.current, of, Signal::Monitor(key)),
            None => self.fire(key, &Term::atom_named("noproc")),
        }
    }

    /// Watches a process that the one that runs has just started.
    pub fn monitor_child(&mut self, reference: &Term, child: Index, tag: Term) {
        let Some(key) = RefKey::of(reference) else { return };
        let shown = self.processes[child].pid.clone();
        let monitor = Watching { by: self.current, of: Some(child), reference: reference.clone(), shown, tag };
        self.monitors.insert(key, monitor);
        self.processes[child].watched.insert(key);
    }

    /// A dead process says at once that it is.
    pub(super) fn monitor_arrives(&mut self, key: RefKey, of: Index) {
        self.touch_life(of);
        self.touch(Object::Relations(self.processes[of].number), false);
        if !self.is_alive(of) {
            self.emit_down(of, key, &Term::atom_named("noproc"));
        } else if self.is_stopped(of) {
            self.processes[of].late_monitors.insert(key);
        } else {
            self.processes[of].watched.insert(key);
        }
    }

    pub(super) fn emit_down(&mut self, of: Index, key: RefKey, reason: &Term) {
        if let Some(by) = self.by_number.get(&key.process()).copied() {
            self.emit(of, by, Signal::Down { key, reason: reason.clone() });
        }
    }

    /// The message about an end counts if the monitor has not ended.
    pub(super) fn down_arrives(&mut self, key: RefKey, reason: &Term) {
        let is_wanted = self.monitors.contains_key(&key);
        self.touch(Object::Alias(key), is_wanted);
        self.touch(Object::Relations(key.process()), false);
        self.fire(key, reason);
    }

    /// Watches something that never ends.
    pub fn monitor_nothing(&mut self, reference: &Term, shown: Term, tag: Term) {
        if let Some(key) = RefKey::of(reference) {
            let monitor = Watching { by: self.current, of: None, reference: reference.clone(), shown, tag };
            self.monitors.insert(key, monitor);
        }
    }

    /// Sends the message of a monitor and ends it.
    fn fire(&mut self, key: RefKey, reason: &Term) {
        let Some(Watching { by, reference, shown, tag, .. }) = self.end_monitor(key) else { return };
        let message = Term::tuple([tag, reference, Term::atom_named("process"), shown, reason.clone()]);
        self.deliver(by, message);
    }

    /// Ends a monitor, and the alias that belongs to it.
    fn end_monitor(&mut self, key: RefKey) -> Option<Watching> {
        let ends = |alias: &&mut Alias| matches!(alias.mode, AliasMode::Demonitor | AliasMode::ReplyDemonitor);
        self.aliases.get_mut(&key).filter(ends).into_iter().for_each(|alias| alias.is_active = false);
        self.monitors.remove(&key)
    }

    /// True if a reference still stands for a monitor or an alias.
    pub fn is_in_use(&self, key: RefKey) -> bool {
        self.monitors.contains_key(&key) || self.aliases.get(&key).is_some_and(|alias| alias.is_active)
    }

    /// Ends a monitor of the process that runs; returns true if there was one. Those of others are none.
    pub fn demonitor(&mut self, reference: &Term) -> bool {
        let own = RefKey::of(reference).filter(|key| self.monitors.get(key).is_some_and(|it| it.by == self.current));
        own.is_some_and(|key| self.end_monitor(key).is_some())
    }

    /// Removes the message of a monitor that has come already.
    pub fn flush(&mut self, reference: &Term) -> Option<MessageId> {
        let is_its = |message: &Term| matches!(message.as_tuple(), Some([_, of, _, _, _]) if of == reference);
        self.current().mailbox.remove_first(is_its)
    }

    /// Messages about the end of a process go out.
    pub(super) fn end_monitors(&mut self, gone: Index, reason: &Term) {
        for key in std::mem::take(&mut self.processes[gone].watched) {
            self.emit_down(gone, key, reason);
        }
    }

    /// Makes a reference an alias of the process that runs.
    pub fn alias(&mut self, reference: &Term, mode: AliasMode) {
        if let Some(key) = RefKey::of(reference) {
            self.aliases.insert(key, Alias { owner: self.current, mode, is_active: true, from_owner: false });
        }
    }

    /// Ends an alias of the process that runs; returns true if there was one. Those of others are none.
    pub fn unalias(&mut self, reference: &Term) -> bool {
        let alias = RefKey::of(reference).and_then(|key| self.aliases.get_mut(&key));
        let own = alias.filter(|alias| alias.owner == self.current);
        own.is_some_and(|alias| std::mem::take(&mut alias.is_active))
    }

    /// True if the process that runs may lose a message that it has sent itself, once it ends this alias of its own.
    pub fn may_lose(&self, reference: &Term) -> bool {
        let alias = RefKey::of(reference).and_then(|key| self.aliases.get(&key));
        alias.is_some_and(|alias| alias.owner == self.current && alias.is_active && alias.from_owner)
    }

    /// Sends a message from the process that runs to an alias.
    pub fn send_to_alias(&mut self, reference: &Term, message: Term) {
        let Some(key) = RefKey::of(reference) else { return };
        if let Some(alias) = self.aliases.get_mut(&key) {
            alias.from_owner |= alias.owner == self.current;
            let owner = alias.owner;
            self.emit(self.current, owner, Signal::Alias { key, message });
        }
    }

    /// A message to an alias counts if that has not ended; the message ends some aliases.
    pub(super) fn alias_arrives(&mut self, key: RefKey, message: Term) {
        let Some(Alias { owner, mode, is_active, .. }) = self.aliases.get_mut(&key) else { return };
        let (owner, mode, was_active) = (*owner, *mode, *is_active);
        *is_active = was_active && mode != AliasMode::Reply;
        self.touch(Object::Alias(key), was_active && matches!(mode, AliasMode::Reply | AliasMode::ReplyDemonitor));
        if !was_active {
            return;
        }
        if mode == AliasMode::ReplyDemonitor {
            self.end_monitor(key);
            self.touch(Object::Relations(key.process()), false);
        }
        self.deliver(owner, message);
    }

    /// True if another process gets a message when this one ends by an exit, or when that takes along one after the other
    /// by their links. Links and monitors that end before that count.
    pub fn is_awaited(&mut self, index: Index) -> bool {
        let (mut ending, mut next, mut is_awaited) = (vec![index], 0, false);
        while let Some(index) = ending.get(next).copied() {
            next += 1;
            is_awaited |= self.is_watched(index);
            for peer in self.processes[index].links.clone() {
                let number = self.processes[peer].number;
                self.touch_link(index, peer, false);
                self.touch(Object::Trap(number), false);
                self.touch(Object::Life(number), false);
                match self.processes[peer].traps_exits {
                    true => is_awaited |= self.is_alive(peer),
                    // The call is not taken along unnoticed.
                    false if peer == ROOT || ending.contains(&peer) || !self.is_alive(peer) => {}
                    false => ending.push(peer),
                }
            }
        }
        is_awaited
    }

    /// True if a monitor of another process waits for the end of this one.
    fn is_watched(&mut self, index: Index) -> bool {
        let of = |it: &Watching| it.of == Some(index);
        let monitors = self.monitors.iter().filter(|(_, it)| of(it)).map(|(key, _)| *key);
        let keys: BTreeSet<RefKey> = monitors.chain(self.processes[index].watched.iter().copied()).collect();
        let mut is_watched = false;
        for key in keys {
            self.touch(Object::Alias(key), false);
            self.touch(Object::Life(key.process()), false);
            is_watched |= self.monitors.get(&key).is_some_and(|it| self.is_alive(it.by));
        }
        for peer in self.processes[index].ended_links.clone() {
            self.touch_link(index, peer, false);
        }
        is_watched
    }

    /// The monitors of a process as `process_info` lists them.
    pub(super) fn monitors_by(&self, by: Index) -> Vec<Term> {
        let process = |monitor: &Watching| Term::tuple([Term::atom_named("process"), monitor.shown.clone()]);
        self.monitors.values().filter(|monitor| monitor.by == by).map(process).collect()
    }

    /// The processes that watch another.
    pub(super) fn monitored_by(&self, of: Index) -> Vec<Term> {
        let watching = self.processes[of].watched.iter().filter_map(|key| self.monitors.get(key));
        watching.map(|monitor| self.processes[monitor.by].pid.clone()).collect()
    }
}

/// The first element of a monitor's message, where no option changes it.
pub fn down() -> Term {
    Term::atom(Atom::new("DOWN"))
}

/// The process as a monitor of a name shows it.
pub fn shown_name(name: Atom) -> Term {
    Term::tuple([Term::atom(name), Term::atom(Atom::new("nonode@nohost"))])
}
