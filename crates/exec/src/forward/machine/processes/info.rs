//! `process_info/2`: the machine knows some facts about processes, the VM the rest.

use std::collections::BTreeSet;

use term::{Atom, Mfa, Term};

use super::flags::default_flag;
use super::operations::Done;
use super::receivers::{Receiver, badarg};
use crate::forward::code::Slot;
use crate::forward::machine::cursor::Cursor;
use crate::forward::machine::engine::Engine;
use crate::forward::machine::fault::{Fault, Trace};
use crate::forward::machine::node::Index;
use crate::forward::world::VmCall;

impl Engine<'_> {
    /// `process_info/2`.
    pub fn info(&mut self, at: Cursor, function: Mfa, args: &[Term]) -> Done {
        let index = match self.process_of(&args[0]) {
            Receiver::Process(index) => index,
            Receiver::Foreign => {
                let answer = self.state.vm_call(VmCall::Stateful, function, args);
                return answer.map_err(|raised| Fault::of_vm(function, args, *raised));
            }
            _ => return Err(badarg(function, args)),
        };
        if !self.node.is_alive(index) {
            return Ok(Term::atom_named("undefined"));
        }
        let Some(items) = args[1].proper_list() else {
            let value = self.item(at, function, args, index, &args[1])?;
            let is_nameless = matches!(value.as_tuple(), Some([_, Term::Nil(_)]));
            let is_name = args[1].as_atom().is_some_and(|item| item.name() == "registered_name");
            return Ok(if is_nameless && is_name { Term::nil() } else { value });
        };
        let values = items.iter().map(|item| self.item(at, function, args, index, item)).collect::<Result<Vec<_>, _>>();
        values.map(Term::list)
    }

    fn item(&mut self, at: Cursor, function: Mfa, args: &[Term], index: Index, item: &Term) -> Done {
        let Some(name) = item.as_atom() else { return Err(badarg(function, args)) };
        let own = index == self.node.current;
        self.node.asks_about_others |= !own;
        if self.depends_on_moment(index, name)
            && let Some(mut watch) = self.watch(at)
        {
            watch.varying(function);
        }
        let value = match name.name() {
            "current_stacktrace" if own => Some(self.stack_trace(at, &Term::nil(), Trace::Here)),
            "current_function" if own => {
                let function = self.place(at).function;
                let arity = Term::int(i64::from(function.arity));
                Some(Term::tuple([Term::atom(function.module), Term::atom(function.function), arity]))
            }
            "dictionary" if own => self.dictionary(),
            "reductions" | "memory" | "heap_size" | "total_heap_size" | "stack_size" => {
                Some(Term::int(self.measure(name.name())))
            }
            "dictionary" => {
                let entries = self.node.processes[index].dictionary.iter();
                Some(Term::list(
                    entries.map(|(key, value)| Term::tuple([key.clone(), value.clone()])).collect::<Vec<_>>(),
                ))
            }
            name => self.node.info(index, name).or_else(|| default_flag(Atom::new(name))),
        };
        // Lists of processes come in the order of their numbers.
        let is_list = matches!(name.name(), "links" | "monitors" | "monitored_by");
        if is_list
            && value.as_ref().is_some_and(|value| value.cells().nth(1).is_some())
            && let Some(mut watch) = self.watch(at)
        {
            watch.varying(function);
        }
        match value {
            Some(value) => Ok(Term::tuple([item.clone(), value])),
            None => Err(self.not_done(at, function, &format!("the item {name} of a process"))),
        }
    }

    /// A number that is another on every VM: the steps of the run, or the size of a process that has just begun.
    fn measure(&self, item: &str) -> i64 {
        match item {
            "reductions" => self.limits.steps.saturating_sub(self.fuel + self.reserve) as i64,
            "memory" => 2_688,
            "stack_size" => 10,
            _ => 233,
        }
    }

    /// `process_info/2` where the run is one process: the machine knows some things, the VM the rest.
    pub fn info_alone(&mut self, at: Cursor, function: Mfa, window: Slot, tail: bool) -> Cursor {
        let [pid, item] = at.window(window, function.arity) else {
            return self.unsupported(at, function, "processes need the VM");
        };
        match self.own_info(at, pid, item) {
            Some(value) => {
                let address = self.address(at);
                let at = self.refreshed(address, at);
                self.finish(at, window, function.arity, Ok(value), tail)
            }
            None => self.vm_call(at, VmCall::Stateful, function, window, tail),
        }
    }

    /// True if a fact can be another at the next moment without an event in between: a measure, the messages of others
    /// that a process has not fetched yet, and of other processes what they change by themselves.
    fn depends_on_moment(&self, index: Index, item: Atom) -> bool {
        let own = index == self.node.current;
        let by_events = ["registered_name", "links", "monitors", "monitored_by", "trap_exit", "initial_call", "parent"];
        match item.name() {
            "reductions" | "memory" | "heap_size" | "total_heap_size" | "stack_size" => true,
            "messages" | "message_queue_len" if own => {
                let number = self.node.processes[index].number;
                self.senders(index).iter().any(|sender| *sender != number)
            }
            // Two messages of different senders are ordered only by those who take them.
            "messages" => self.senders(index).len() > 1,
            "message_queue_len" => false,
            name => !own && !by_events.contains(&name),
        }
    }

    /// The processes whose events have brought the messages in a mailbox.
    fn senders(&self, index: Index) -> BTreeSet<u32> {
        let Some(schedule) = self.schedule.as_deref() else { return BTreeSet::new() };
        let ids = self.node.processes[index].mailbox.ids();
        ids.filter_map(|id| schedule.events.get(id.event as usize)).map(|event| event.process).collect()
    }
}
