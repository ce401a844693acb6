//! Endless loops: a call that leads to the same call again, in the same state, has no end.
//!
//! A run is looked at in windows, which come when it has made many steps already, each time after twice as many as before:
//! most runs have none. Within a window every call is compared with one before it that is still under way, whose place a
//! later one takes every now and then (Brent's way to find a cycle). The same function with the same arguments makes the
//! same calls again: what a call sees besides its arguments is the process dictionary, which is compared, and what
//! [`RunState::outside`](super::run_state::RunState) counts the accesses of. So a match is a proof. Calls that wait for the
//! value of such a call see nothing of it; only a stack trace would differ, whence these are that deep.

use std::rc::Rc;

use constraint::{Condition, Evaluator};
use term::{Fun, Map, Mfa, Term};

use super::cursor::Cursor;
use super::engine::Engine;
use super::node::Resume;
use crate::forward::code::{Address, Instr};
use crate::forward::outcome::{Ending, EndlessLoop, LoopCall, LoopProgress, Place};
use crate::forward::symbolic::{any_part, unmarked};

/// Steps before the first window, of a symbolic run and of others.
const FIRST_SYMBOLIC: u64 = 1_000;
const FIRST: u64 = 40_000;

/// The part of the steps before it that a window has, and its fewest steps.
const PART: u64 = 32;
const SHORTEST: u64 = 256;

/// Parts of terms that are compared in a window.
const COMPARED: u32 = 300_000;

/// Nested calls after which stack traces are the same: they have fewer entries.
const NESTED: usize = 16;

/// Functions of a loop that are kept.
const FUNCTIONS: usize = 64;

/// Calls of one function within a window that make it the head of a loop.
const VISITS: u32 = 3;

/// The watch over a run's calls.
pub struct LoopWatch {
    /// The steps at which the next window opens, or this one closes.
    next: u64,
    is_open: bool,
    /// The steps of this window, and those after which a later call is compared with.
    steps: u64,
    renewal: u64,
    /// Comparisons that are left in this window.
    left: u32,
    /// The call that later ones are compared with.
    earlier: Option<Activation>,
    /// The last one before it that was made again and again.
    repeated: Option<Activation>,
    /// The functions that were called since, with the depth of their first call and its arguments.
    called: Vec<CalledFunction>,
    /// The head of a loop that changes its arguments.
    pub turning: Option<LoopVisit>,
}

/// A function that a loop calls.
#[derive(Clone, Debug)]
pub struct CalledFunction {
    /// Its name.
    pub function: Mfa,
    /// The frames while its first call runs.
    pub depth: usize,
    /// The arguments of that call, if they are known.
    pub args: Vec<Term>,
}

/// A call of the head of a loop.
#[derive(Clone, Debug)]
pub struct LoopVisit {
    /// The function.
    pub function: Mfa,
    /// Its arguments, and the values that it captures if it is a fun.
    pub args: Vec<Term>,
}

/// Arguments with which a function has no end, as a solver has found.
#[derive(Clone, Debug)]
pub struct KnownLoop {
    /// The function.
    pub function: Mfa,
    /// The conditions on its arguments, which are the inputs 0, 1, … of the arena of all runs.
    pub conditions: Vec<Condition>,
    /// The functions that a round calls.
    pub called: Vec<CalledFunction>,
    /// The changes from one call to the next.
    pub progress: LoopProgress,
}

/// A call that is under way.
struct Activation {
    entry: Address,
    args: Vec<Term>,
    /// The frames while it runs.
    depth: usize,
    outside: (u64, u32),
    dictionary: Map,
    /// Decisions before it.
    decisions: usize,
    /// Calls of the same function since.
    visits: u32,
}

impl Activation {
    /// True if its function was called often enough to be the head of a loop.
    fn is_repeated(&self) -> bool {
        self.visits >= VISITS
    }
}

impl LoopWatch {
    /// A watch that waits for its first window.
    pub fn new(is_symbolic: bool) -> LoopWatch {
        LoopWatch {
            next: if is_symbolic { FIRST_SYMBOLIC } else { FIRST },
            is_open: false,
            steps: 0,
            renewal: 1,
            left: 0,
            earlier: None,
            repeated: None,
            called: Vec::new(),
            turning: None,
        }
    }

    /// Steps that may be made before the next look.
    pub fn allowance(&self, made: u64) -> u64 {
        if self.is_open { 1 } else { self.next.saturating_sub(made).max(1) }
    }

    /// True if every step is looked at.
    pub fn is_open(&self) -> bool {
        self.is_open
    }

    /// Opens or closes the window after so many steps; returns the call that came again and again in the one that closes.
    fn move_on(&mut self, made: u64) -> Option<Activation> {
        if made < self.next {
            return None;
        }
        self.is_open = !self.is_open;
        if !self.is_open {
            self.next = (made * 2).max(made + SHORTEST);
            self.called.clear();
            let repeated = self.repeated.take();
            return self.earlier.take().filter(Activation::is_repeated).or(repeated);
        }
        // Between two powers of two: the last call that is compared with is seen for a while.
        self.next = made + (made / PART).max(SHORTEST).next_power_of_two() / 2 * 3;
        (self.steps, self.renewal, self.left) = (0, 1, COMPARED);
        None
    }
}

impl Engine<'_> {
    /// Looks at a step that is about to be made; returns the ending of a run that has no end.
    pub(super) fn look_for_loop(&mut self, at: Cursor, resume: &Resume, made: u64) -> Option<Ending> {
        if let Some(last) = self.loops.move_on(made)
            && self.keep_turning(&last)
        {
            return Some(Ending::OutOfSteps { at: self.place(at) });
        }
        let keeps_rounds = self.keeps_rounds();
        if !(self.loops.is_open || keeps_rounds)
            || !self.node.is_lone()
            || self.apart
            || self.trial.is_some()
            || self.script.is_some()
        {
            return None;
        }
        let (window, entry, tail) = match (resume, at.instr()) {
            (Resume::Code { window, entry, tail, .. }, _) => (*window, *entry, *tail),
            // A function that calls itself in its own place.
            (Resume::At { .. }, Instr::Loop { to }) => (0, *to, true),
            _ => return None,
        };
        let function = self.program.owner(entry).filter(|function| function.linked.entry == entry)?;
        let (unit, index) = function.graph.as_ref()?;
        let count = u8::try_from(unit.functions[*index].params.len()).ok()?;
        let name = function.name;
        let args = &*at.window(window, count);
        if keeps_rounds && self.keep_round(name, args, tail) {
            return Some(Ending::Stopped { at: self.place(at) });
        }
        if !self.loops.is_open {
            return None;
        }
        let (frames, depth) = (self.process.frames.len(), self.process.frames.len() + usize::from(!tail));
        if let Some(KnownLoop { mut called, progress, .. }) = self.known_loop(name, args) {
            let is_it = |it: &&mut CalledFunction| it.function == name;
            called.iter_mut().find(is_it).into_iter().for_each(|it| it.args = args.to_vec());
            return Some(self.endless(progress, &called, made));
        }
        self.loops.steps += 1;
        let is_over = self.loops.earlier.as_ref().is_none_or(|earlier| frames < earlier.depth);
        if is_over || self.loops.steps >= self.loops.renewal {
            self.loops.renewal = (self.loops.steps * 2).max(self.loops.renewal);
            // Of large terms, which may share their parts, nothing is kept that a copy is made of.
            match are_small(args) {
                true => self.begin_cycle(entry, CalledFunction { function: name, depth, args: args.to_vec() }),
                false => (self.loops.earlier, self.loops.is_open) = (None, false),
            }
            return None;
        }
        let found = self.recurs(entry, depth, args);
        let called = &mut self.loops.called;
        if called.len() < FUNCTIONS && !called.iter().any(|known| known.function == name) && are_small(args) {
            called.push(CalledFunction { function: name, depth, args: args.to_vec() });
        }
        found.then(|| self.recurrence(depth, args, made))
    }

    /// A call that later ones are compared with.
    fn begin_cycle(&mut self, entry: Address, called: CalledFunction) {
        let before = self.loops.earlier.replace(Activation {
            entry,
            args: called.args.clone(),
            depth: called.depth,
            outside: (self.state.outside, self.state.references()),
            dictionary: self.state.dictionary.entries().clone(),
            decisions: self.recorder.as_ref().map_or(0, |recorder| recorder.path.len()),
            visits: 0,
        });
        if let Some(before) = before.filter(Activation::is_repeated) {
            self.loops.repeated = Some(before);
        }
        self.loops.called.clear();
        self.loops.called.push(called);
    }

    /// True if a call is the same as the earlier one, in the same state.
    fn recurs(&mut self, entry: Address, depth: usize, args: &[Term]) -> bool {
        let outside = (self.state.outside, self.state.references());
        let LoopWatch { earlier, left, .. } = &mut self.loops;
        let Some(earlier) = earlier.as_mut().filter(|earlier| earlier.entry == entry) else { return false };
        earlier.visits += 1;
        let is_deep = depth == earlier.depth || depth >= earlier.depth + NESTED;
        is_deep
            && earlier.outside == outside
            && earlier.args.iter().zip(args).all(|(earlier, now)| is_identical(earlier, now, left))
            && are_identical_maps(&earlier.dictionary, self.state.dictionary.entries(), left)
    }

    /// The ending of a run whose state recurs.
    fn recurrence(&mut self, depth: usize, args: &[Term], made: u64) -> Ending {
        let Some(earlier) = self.loops.earlier.take() else { return Ending::OutOfSteps { at: Place::NOWHERE } };
        if let Some(recorder) = self.recorder.as_deref_mut() {
            // Inputs that leave the loop in a later round take a path that was not recorded.
            let is_whole =
                recorder.path.len() == earlier.decisions && earlier.args.iter().zip(args).all(have_same_marks);
            recorder.truncated |= !is_whole;
        }
        let progress = if depth == earlier.depth { LoopProgress::Recurs } else { LoopProgress::Nests };
        let called = std::mem::take(&mut self.loops.called);
        self.endless(progress, &called, made)
    }

    /// The ending of a run in a loop that calls these functions. Its heads are those that are not done when the loop comes
    /// round, in the order of their places; the others follow, and then those that wait for it.
    fn endless(&mut self, progress: LoopProgress, called: &[CalledFunction], made: u64) -> Ending {
        let least = called.iter().map(|call| call.depth).min().unwrap_or(0);
        let callers = self.process.frames.iter().rev().take(NESTED).filter(|frame| frame.back > 0);
        let waiting: Vec<Mfa> =
            callers.filter_map(|frame| self.program.owner(frame.back)).map(|function| function.name).collect();
        let is_head = |call: &CalledFunction| {
            call.depth == least || progress == LoopProgress::Nests && waiting.contains(&call.function)
        };
        let (heads, others): (Vec<&CalledFunction>, Vec<&CalledFunction>) =
            called.iter().partition(|call| is_head(call));
        let mut calls = self.loop_calls(&heads);
        calls.extend(self.loop_calls(&others));
        calls.extend(waiting.iter().filter_map(|function| self.loop_call(*function, &[])));
        Ending::Endless(EndlessLoop { calls, progress, steps: made })
    }

    fn loop_calls(&self, called: &[&CalledFunction]) -> Vec<LoopCall> {
        let mut calls: Vec<LoopCall> =
            called.iter().filter_map(|call| self.loop_call(call.function, &call.args)).collect();
        calls.sort_by_key(|LoopCall { at, .. }| (at.file.clone(), at.line, at.column, at.function.to_string()));
        calls
    }

    /// A call with the place where its function begins.
    fn loop_call(&self, name: Mfa, args: &[Term]) -> Option<LoopCall> {
        let (unit, index) = self.program.graph(name)?;
        let function = &unit.functions[*index];
        let file = unit.file(function.location.file).to_owned();
        let at = Place { function: name, file, line: function.location.line, column: function.location.column };
        let own = function.params.len() - function.captured as usize;
        Some(LoopCall { at, args: args.iter().take(own).map(unmarked).collect() })
    }

    /// The known loop that a call is in.
    fn known_loop(&self, function: Mfa, args: &[Term]) -> Option<KnownLoop> {
        let recorder = self.recorder.as_deref()?;
        let is_it = |known: &&KnownLoop| {
            let mut evaluator = Evaluator::new(&recorder.arena, args);
            known.function == function && known.conditions.iter().all(|it| evaluator.holds(it) == Ok(true))
        };
        recorder.known_loops.iter().find(is_it).cloned()
    }

    /// Keeps the head of a loop that a window has seen; returns true if the run is to end there.
    fn keep_turning(&mut self, last: &Activation) -> bool {
        let Some(function) = self.program.owner(last.entry).map(|function| function.name) else { return false };
        if self.loops.turning.as_ref().is_some_and(|visit| visit.function == function) {
            return false;
        }
        let args = last.args.iter().map(unmarked).collect();
        self.loops.turning = Some(LoopVisit { function, args });
        let known = self.recorder.as_ref().and_then(|recorder| recorder.known_heads.as_ref());
        known.is_some_and(|known| !known.contains(&function))
    }
}

/// The most parts of arguments that are kept, each counted as often as it stands in them.
const KEPT_PARTS: u32 = 10_000;

fn are_small(args: &[Term]) -> bool {
    fn is_small(term: &Term, left: &mut u32) -> bool {
        *left = left.saturating_sub(1);
        *left > 0 && !any_part(term, &mut |part| !is_small(part, left))
    }
    let mut left = KEPT_PARTS;
    args.iter().all(|arg| is_small(arg, &mut left))
}

/// True if two terms are the same to every program: zeros have signs. False if that takes too long.
fn is_identical(a: &Term, b: &Term, left: &mut u32) -> bool {
    if *left == 0 {
        return false;
    }
    *left -= 1;
    match (a, b) {
        (Term::Float(_, a), Term::Float(_, b)) => a.to_bits() == b.to_bits(),
        (Term::Cons(..), Term::Cons(..)) => term::deeper(|| are_identical_lists(a, b, left)),
        (Term::Tuple(_, a), Term::Tuple(_, b)) => {
            a.same(b) || a.len() == b.len() && term::deeper(|| are_identical(a, b, left))
        }
        (Term::Map(_, a), Term::Map(_, b)) => term::deeper(|| are_identical_maps(a, b, left)),
        (Term::Bits(_, a), Term::Bits(_, b)) => {
            let size = u32::try_from(a.bit_len() / 64).unwrap_or(u32::MAX);
            *left = left.saturating_sub(size);
            Rc::ptr_eq(a, b) || *left > 0 && a == b
        }
        (Term::Fun(_, a), Term::Fun(_, b)) if Rc::ptr_eq(a, b) => true,
        (Term::Fun(_, one), Term::Fun(_, other)) => match (&**one, &**other) {
            (Fun::Closure(one), Fun::Closure(other)) => {
                (one.code, one.name, one.module) == (other.code, other.name, other.module)
                    && one.captured.len() == other.captured.len()
                    && term::deeper(|| are_identical(&one.captured, &other.captured, left))
            }
            _ => a == b,
        },
        _ => a == b,
    }
}

fn are_identical(a: &[Term], b: &[Term], left: &mut u32) -> bool {
    a.iter().zip(b).all(|(a, b)| is_identical(a, b, left))
}

/// Cell by cell: a list may be longer than a stack is deep.
fn are_identical_lists(mut a: &Term, mut b: &Term, left: &mut u32) -> bool {
    while let (Term::Cons(_, one), Term::Cons(_, other)) = (a, b) {
        if Rc::ptr_eq(one, other) {
            return true;
        }
        if !is_identical(&one.head, &other.head, left) {
            return false;
        }
        (a, b) = (&one.tail, &other.tail);
    }
    is_identical(a, b, left)
}

fn are_identical_maps(a: &Map, b: &Map, left: &mut u32) -> bool {
    a.len() == b.len() && a.iter().all(|(key, value)| b.get(key).is_some_and(|other| is_identical(value, other, left)))
}

/// True if two terms stand for the same expressions.
fn have_same_marks((a, b): (&Term, &Term)) -> bool {
    let is_part = |a: &Term, b: &Term| a.mark() == b.mark() && have_same_marks_inside(a, b);
    is_part(a, b)
}

fn have_same_marks_inside(a: &Term, b: &Term) -> bool {
    term::deeper(|| match (a, b) {
        (Term::Cons(_, a), Term::Cons(_, b)) if Rc::ptr_eq(a, b) => true,
        (Term::Cons(_, a), Term::Cons(_, b)) => {
            have_same_marks((&a.head, &b.head)) && have_same_marks((&a.tail, &b.tail))
        }
        (Term::Tuple(_, a), Term::Tuple(_, b)) => a.same(b) || a.iter().zip(b.iter()).all(have_same_marks),
        (Term::Map(_, a), Term::Map(_, b)) => Rc::ptr_eq(a, b) || !a.iter().chain(b.iter()).any(is_marked_entry),
        (Term::Fun(_, a), Term::Fun(_, b)) => Rc::ptr_eq(a, b),
        _ => true,
    })
}

fn is_marked_entry((key, value): (&Term, &Term)) -> bool {
    crate::forward::symbolic::is_marked(key) || crate::forward::symbolic::is_marked(value)
}
