//! Processes that wait at the end of a run, and those among them that nothing can reach any more.

use term::{HandleKind, Term};

use crate::forward::machine::engine::Engine;
use crate::forward::machine::node::{Index, Object, ProcessState, ROOT, Resume};
use crate::forward::outcome::WaitingProcess;
use crate::forward::symbolic::any_part;

impl Engine<'_> {
    /// The processes that wait, and will for ever.
    pub fn waiting(&self) -> Vec<WaitingProcess> {
        self.node.waiting().map(|index| self.waiting_process(index)).collect()
    }

    /// The processes that wait and that nothing alive can reach, if the call has given this value. What others keep in
    /// tables is not looked at: with these there is no answer.
    pub fn leaked(&mut self, value: &Term) -> Vec<WaitingProcess> {
        let keeps = |object: &Object| {
            use Object::{PersistentTerm, PersistentTerms, Row, State, Table, TableName, Tables};
            let terms = matches!(object, PersistentTerm(_) | PersistentTerms | State);
            terms || matches!(object, Row(..) | Table(_) | TableName(_) | Tables)
        };
        let events = self.schedule.as_deref().map_or(&[][..], |schedule| &schedule.events);
        let has_store = events.iter().any(|event| event.accesses.iter().any(|access| keeps(&access.object)));
        if has_store || self.node.waiting().next().is_none() {
            return Vec::new();
        }
        self.exchange();
        let reached = self.reached(value);
        self.exchange();
        let leaked: Vec<Index> = self.node.waiting().filter(|index| !reached[*index]).collect();
        leaked.into_iter().map(|index| self.waiting_process(index)).collect()
    }

    /// For each process: true if it has a name, or what can be reached knows it, is linked to it, or is watched by it.
    fn reached(&self, value: &Term) -> Vec<bool> {
        let mut reached = vec![false; self.node.processes.len()];
        let mut open: Vec<Index> = self.node.names().filter_map(|name| self.node.named(name)).collect();
        open.push(ROOT);
        while let Some(index) = open.pop() {
            if std::mem::replace(&mut reached[index], true) {
                continue;
            }
            let process = &self.node.processes[index];
            let mut note = |term: &Term| self.note_known(term, &mut open);
            match index {
                ROOT => std::iter::once(value).chain(process.dictionary.held()).for_each(&mut note),
                _ if self.node.is_alive(index) => process.held().for_each(&mut note),
                _ => {}
            }
            let links = process.links.iter().copied().filter(|_| self.node.is_alive(index));
            open.extend(links.chain(self.node.watchers(index)));
        }
        reached
    }

    /// Notes the processes that a term names, by pid or alias.
    fn note_known(&self, term: &Term, found: &mut Vec<Index>) {
        if let Term::Handle(_, handle) = term {
            found.extend(match handle.kind {
                HandleKind::Pid => self.node.find(term),
                HandleKind::Reference => self.node.alias_owner(term),
                HandleKind::Port => None,
            });
        }
        any_part(term, &mut |part| {
            self.note_known(part, found);
            false
        });
    }

    fn waiting_process(&self, index: Index) -> WaitingProcess {
        let process = &self.node.processes[index];
        let ip = match process.status {
            ProcessState::Waiting(Resume::At { ip, .. } | Resume::Operation { ip, .. }) => ip,
            _ => 0,
        };
        let registers = if index == self.node.current { &self.process } else { &process.registers };
        let callers = registers.frames.iter().rev().map(|frame| frame.back.saturating_sub(1));
        let places = std::iter::once(ip).chain(callers).filter(|at| *at != 0).map(|at| self.place_of(at));
        WaitingProcess {
            number: process.number,
            name: process.name,
            stack: places.filter(|place| place.is_known()).collect(),
            messages: process.mailbox.messages().cloned().collect(),
        }
    }
}
