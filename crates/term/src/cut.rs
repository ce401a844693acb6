//! The cut: an operation that takes too long or makes too much ends in the middle of its work.
//!
//! Operations on terms cannot say no wherever they loop or allocate. They call [`tick`] and [`reserve`] instead, which
//! unwind to the innermost [`attempt`]. Outside of one both do nothing. The allocator of a program counts the bytes that
//! each thread holds; without such an allocator only what is reserved at once is compared with the limit. A limit of one
//! thread bounds a run or a query, in the same way every time; the limit of the program bounds all threads together.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::rc::Rc;
use std::sync::atomic::{AtomicI64, Ordering::Relaxed};

/// The reason of a cut.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cut {
    /// More bytes than the thread or the program may hold.
    Memory,
    /// The work is not wanted any more.
    Stop,
}

/// Ticks between two looks: a few hundred microseconds of work on terms.
const TICKS: u32 = 1 << 14;

/// Ticks that a limited piece of work counts for around it.
const BETWEEN: u32 = 50;

/// Reservations below this are not looked at one by one.
const LARGE: usize = 1 << 14;

type StopTest = Rc<dyn Fn() -> bool>;

/// Bytes that all threads held when each last added its own, and the most that they may hold.
static PROGRAM_HELD: AtomicI64 = AtomicI64::new(0);
static PROGRAM_LIMIT: AtomicI64 = AtomicI64::new(i64::MAX);

struct State {
    /// Bytes that the thread has allocated and not freed.
    held: Cell<i64>,
    /// Those of them that the program's count has.
    added: Cell<i64>,
    /// The most that it may hold.
    limit: Cell<i64>,
    ticks: Cell<u32>,
    /// The reasons for which the work may be cut.
    open: Cell<Open>,
}

/// The reasons for which work may be cut.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Open {
    /// None.
    Closed,
    /// It is not wanted any more.
    Stop,
    /// That, and its memory.
    All,
}

thread_local! {
    static STATE: State = const {
        State {
            held: Cell::new(0),
            added: Cell::new(0),
            limit: Cell::new(i64::MAX),
            ticks: Cell::new(TICKS),
            open: Cell::new(Open::Closed),
        }
    };
    static STOP: RefCell<Option<StopTest>> = const { RefCell::new(None) };
}

/// Counts bytes that the allocator has given to this thread, or taken back if negative.
#[inline]
pub fn count(bytes: isize) {
    STATE.with(|state| state.held.set(state.held.get().wrapping_add(bytes as i64)));
}

/// Bytes that this thread has allocated and not freed, if its allocator counts them.
#[inline]
pub fn held() -> i64 {
    STATE.with(|state| state.held.get())
}

/// True if the allocator counts what this thread holds.
pub fn is_counted() -> bool {
    held() != 0
}

/// The bytes of blocks that so many bytes of memory have room for: blocks come in sizes an eighth apart, and
/// pages are not full.
fn room(bytes: usize) -> i64 {
    i64::try_from(bytes - bytes / 14).unwrap_or(i64::MAX)
}

impl State {
    /// Bytes that the thread may allocate until it or the program holds too much.
    fn headroom(&self) -> i64 {
        let own = self.limit.get().saturating_sub(self.held.get());
        own.min(PROGRAM_LIMIT.load(Relaxed).saturating_sub(self.program_held()))
    }

    /// Bytes that all threads hold, after adding what is new in this one.
    fn program_held(&self) -> i64 {
        let held = self.held.get();
        let new = held - self.added.replace(held);
        PROGRAM_HELD.fetch_add(new, Relaxed) + new
    }
}

/// True if the thread or the program holds more than it may.
pub fn is_exceeded() -> bool {
    STATE.with(|state| state.headroom() < 0)
}

/// Bytes that the thread may allocate until it or the program holds too much.
pub fn headroom() -> usize {
    STATE.with(|state| usize::try_from(state.headroom()).unwrap_or(0))
}

/// Has the next step of work look, after something large was allocated.
pub fn look_soon() {
    STATE.with(|state| state.ticks.set(0));
}

/// Counts one step of work.
#[inline]
pub fn tick() {
    STATE.with(|state| match state.ticks.get() {
        0 => look(0),
        left => state.ticks.set(left - 1),
    });
}

/// Counts a step that is as much work as many others: a microsecond is about fifty.
#[inline]
pub fn work(steps: u32) {
    STATE.with(|state| match state.ticks.get().checked_sub(steps) {
        Some(left) => state.ticks.set(left),
        None => look(0),
    });
}

/// Makes sure that so many bytes more may be allocated.
#[inline]
pub fn reserve(bytes: usize) {
    if bytes >= LARGE {
        look(bytes);
    }
}

#[cold]
#[inline(never)]
fn look(bytes: usize) {
    STATE.with(|state| {
        state.ticks.set(TICKS);
        let open = state.open.get();
        if open == Open::Closed {
            return;
        }
        let is_full = open == Open::All && state.headroom() < i64::try_from(bytes).unwrap_or(i64::MAX);
        let cut = if is_full { Some(Cut::Memory) } else { wants_stop().then_some(Cut::Stop) };
        if let Some(cut) = cut {
            // What is dropped on the way must not be cut again.
            state.open.set(Open::Closed);
            resume_unwind(Box::new(cut));
        }
    });
}

/// True if the work of this thread is not wanted any more.
pub fn wants_stop() -> bool {
    let test = STOP.with(|stop| stop.borrow().clone());
    test.is_some_and(|test| test())
}

/// Does work that may be cut.
#[inline]
pub fn attempt<T>(work: impl FnOnce() -> T) -> Result<T, Cut> {
    attempt_as(Open::All, work)
}

/// Does work that may be cut once it is not wanted any more; its state is of no use then.
#[inline]
pub fn attempt_until_stop<T>(work: impl FnOnce() -> T) -> Result<T, Cut> {
    attempt_as(Open::Stop, work)
}

fn attempt_as<T>(open: Open, work: impl FnOnce() -> T) -> Result<T, Cut> {
    let outer = STATE.with(|state| state.open.replace(open));
    let done = catch_unwind(AssertUnwindSafe(work));
    STATE.with(|state| state.open.set(outer));
    done.map_err(caught)
}

/// Does work within an attempt whose state outlives it, so that it is not cut.
pub fn whole<T>(work: impl FnOnce() -> T) -> T {
    let outer = STATE.with(|state| state.open.replace(Open::Closed));
    let done = work();
    STATE.with(|state| state.open.set(outer));
    done
}

fn caught(payload: Box<dyn Any + Send>) -> Cut {
    match payload.downcast::<Cut>() {
        Ok(cut) => *cut,
        Err(panic) => resume_unwind(panic),
    }
}

/// A limit of what the thread may hold, in force until it is dropped.
pub struct MemoryLimit {
    outer: i64,
    /// The ticks that the work around it had left.
    ticks: u32,
}

impl MemoryLimit {
    /// Allows so many bytes more than the thread holds now, within the limit that is in force. The next look comes after
    /// as many ticks as always.
    pub fn new(bytes: usize) -> MemoryLimit {
        let limit = held().saturating_add(room(bytes));
        STATE.with(|state| {
            let ticks = state.ticks.replace(TICKS);
            MemoryLimit { outer: state.limit.replace(limit.min(state.limit.get())), ticks }
        })
    }
}

impl Drop for MemoryLimit {
    fn drop(&mut self) {
        STATE.with(|state| {
            state.limit.set(self.outer);
            state.ticks.set(self.ticks.saturating_sub(BETWEEN));
        });
    }
}

/// A limit of what all threads of the program may hold, in force until it is dropped.
pub struct ProgramLimit {
    outer: i64,
}

impl ProgramLimit {
    /// Allows so many bytes more than the program holds now.
    pub fn new(bytes: usize) -> ProgramLimit {
        let limit = STATE.with(State::program_held).saturating_add(room(bytes));
        ProgramLimit { outer: PROGRAM_LIMIT.swap(limit, Relaxed) }
    }
}

impl Drop for ProgramLimit {
    fn drop(&mut self) {
        PROGRAM_LIMIT.store(self.outer, Relaxed);
    }
}

/// Lets nothing more be allocated, until the limits in force are dropped.
pub fn exhaust() {
    PROGRAM_LIMIT.store(0, Relaxed);
}

/// Does something whose memory stays, such as loading code: the limits rise with it.
pub fn unlimited<T>(work: impl FnOnce() -> T) -> T {
    let (before, limit) = STATE.with(|state| (state.held.get(), state.limit.replace(i64::MAX)));
    let program_limit = PROGRAM_LIMIT.swap(i64::MAX, Relaxed);
    let done = whole(work);
    let more = held() - before;
    STATE.with(|state| state.limit.set(limit.saturating_add(more)));
    PROGRAM_LIMIT.store(program_limit.saturating_add(more), Relaxed);
    done
}

/// The test that stops the work of this thread, in force until it is dropped.
pub struct StopScope {
    outer: Option<StopTest>,
}

impl StopScope {
    /// Stops work once the test holds.
    pub fn new(test: impl Fn() -> bool + 'static) -> StopScope {
        StopScope { outer: STOP.with(|stop| stop.borrow_mut().replace(Rc::new(test))) }
    }
}

impl Drop for StopScope {
    fn drop(&mut self) {
        STOP.with(|stop| *stop.borrow_mut() = self.outer.take());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn long() {
        (0..10 * TICKS).for_each(|_| tick());
    }

    #[test]
    fn work_that_is_not_wanted_is_cut() {
        assert_eq!(attempt(long), Ok(()));
        let scope = StopScope::new(|| true);
        assert_eq!(attempt(long), Err(Cut::Stop));
        assert_eq!(attempt_until_stop(|| (0..100).for_each(|_| work(1000))), Err(Cut::Stop));
        // Not outside of an attempt.
        long();
        assert_eq!(attempt(|| whole(long)), Ok(()));
        drop(scope);
        assert_eq!(attempt(long), Ok(()));
    }

    #[test]
    fn what_does_not_fit_is_cut() {
        let limit = MemoryLimit::new(1 << 20);
        assert_eq!(attempt(|| reserve(1 << 19)), Ok(()));
        assert_eq!(attempt(|| reserve(2 << 20)), Err(Cut::Memory));
        unlimited(|| count(3 << 20));
        assert_eq!(attempt(|| reserve(1 << 19)), Ok(()));
        count(2 << 20);
        assert!(is_exceeded());
        assert_eq!(attempt(long), Err(Cut::Memory));
        assert_eq!(attempt_until_stop(long), Ok(()));
        drop(limit);
        assert_eq!(attempt(|| reserve(2 << 20)), Ok(()));
        count(-(5 << 20));
    }

    #[test]
    fn other_panics_go_on() {
        let outer = catch_unwind(|| attempt(|| resume_unwind(Box::new("other"))));
        assert!(outer.is_err());
        assert_eq!(attempt(|| attempt(|| reserve(0))), Ok(Ok(())));
    }
}
