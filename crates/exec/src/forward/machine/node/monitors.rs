//! Monitors and aliases.

use term::{Atom, Term};

use super::handles::RefKey;
use super::{Index, Node};

/// A monitor: a message about the end of a process is wanted.
pub struct Watching {
    /// The process that gets the message.
    pub by: Index,
    /// The process that is watched; nothing for what never ends.
    pub of: Option<Index>,
    reference: Term,
    /// The process as the message names it.
    shown: Term,
    /// The first element of the message.
    tag: Term,
}

/// An alias: a reference that messages can be sent to.
pub struct Alias {
    /// The process that gets the messages.
    pub owner: Index,
    mode: AliasMode,
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

    /// Watches a process for the one that runs: a dead one sends the message at once.
    pub fn monitor(&mut self, reference: &Term, of: Option<Index>, shown: Term, tag: Term) {
        let Some(key) = RefKey::of(reference) else { return };
        let monitor = Watching { by: self.current, of, reference: reference.clone(), shown, tag };
        self.monitors.insert(key, monitor);
        if of.is_none_or(|of| !self.is_alive(of)) {
            self.fire(key, &Term::atom_named("noproc"));
        }
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
        let ends = |alias: &Alias| matches!(alias.mode, AliasMode::Demonitor | AliasMode::ReplyDemonitor);
        if self.aliases.get(&key).is_some_and(ends) {
            self.aliases.remove(&key);
        }
        self.monitors.remove(&key)
    }

    /// Ends a monitor of the process that runs; whether there was one. Nothing if another process made the reference.
    pub fn demonitor(&mut self, reference: &Term) -> Option<bool> {
        let Some(key) = RefKey::of(reference) else { return Some(false) };
        if self.monitors.get(&key).is_some_and(|monitor| monitor.by != self.current) {
            return None;
        }
        Some(self.end_monitor(key).is_some())
    }

    /// Removes the message of a monitor that has come already.
    pub fn flush(&mut self, reference: &Term) {
        let is_its = |message: &Term| matches!(message.as_tuple(), Some([_, of, _, _, _]) if of == reference);
        self.current().mailbox.remove_first(is_its);
    }

    /// Messages about the end of a process go out; it watches nothing any more.
    pub(super) fn end_monitors(&mut self, gone: Index, reason: &Term) {
        let keys = |node: &Node, wanted: &dyn Fn(&Watching) -> bool| -> Vec<RefKey> {
            node.monitors.iter().filter(|(_, monitor)| wanted(monitor)).map(|(key, _)| *key).collect()
        };
        for key in keys(self, &|monitor| monitor.by == gone) {
            self.monitors.remove(&key);
        }
        for key in keys(self, &|monitor| monitor.of == Some(gone)) {
            self.fire(key, reason);
        }
        self.aliases.retain(|_, alias| alias.owner != gone);
    }

    /// Makes a reference an alias of the process that runs.
    pub fn alias(&mut self, reference: &Term, mode: AliasMode) {
        if let Some(key) = RefKey::of(reference) {
            self.aliases.insert(key, Alias { owner: self.current, mode });
        }
    }

    /// Ends an alias of the process that runs; whether there was one. Nothing if it is another process's.
    pub fn unalias(&mut self, reference: &Term) -> Option<bool> {
        let Some(key) = RefKey::of(reference) else { return Some(false) };
        match self.aliases.get(&key) {
            Some(alias) if alias.owner != self.current => None,
            Some(_) => Some(self.aliases.remove(&key).is_some()),
            None => Some(false),
        }
    }

    /// The process that a message to an alias reaches; the message ends some aliases.
    pub fn through_alias(&mut self, reference: &Term) -> Option<Index> {
        let key = RefKey::of(reference)?;
        let Alias { owner, mode } = *self.aliases.get(&key)?;
        match mode {
            AliasMode::Reply => drop(self.aliases.remove(&key)),
            AliasMode::ReplyDemonitor => drop(self.end_monitor(key)),
            AliasMode::Explicit | AliasMode::Demonitor => {}
        }
        Some(owner)
    }

    /// True if another process gets a message when this one ends.
    pub fn is_awaited(&self, index: Index) -> bool {
        let traps = |peer: &Index| self.processes[*peer].traps_exits;
        self.processes[index].links.iter().any(traps) || self.monitors.values().any(|it| it.of == Some(index))
    }

    /// The number of the process that a monitor watches.
    pub fn monitored(&self, reference: &Term) -> Option<u32> {
        let of = self.monitors.get(&RefKey::of(reference)?)?.of?;
        Some(self.processes[of].number)
    }

    /// True if the first message ends an alias.
    pub fn alias_ends_with_message(&self, reference: &Term) -> bool {
        let alias = RefKey::of(reference).and_then(|key| self.aliases.get(&key));
        alias.is_some_and(|alias| matches!(alias.mode, AliasMode::Reply | AliasMode::ReplyDemonitor))
    }

    /// The monitors of a process as `process_info` lists them.
    pub(super) fn monitors_by(&self, by: Index) -> Vec<Term> {
        let process = |monitor: &Watching| Term::tuple([Term::atom_named("process"), monitor.shown.clone()]);
        self.monitors.values().filter(|monitor| monitor.by == by).map(process).collect()
    }

    /// The processes that watch another.
    pub(super) fn monitored_by(&self, of: Index) -> Vec<Term> {
        let watching = self.monitors.values().filter(|monitor| monitor.of == Some(of));
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
