//! The position of the machine: the next instruction and the slots of the current frame.

use std::mem::MaybeUninit;
use std::ops::Deref;
use std::{mem, ptr, slice};

use term::{Mark, Term};

use crate::forward::code::{Instr, NOWHERE, Slot, Src};

/// The slots of the running frame.
///
/// The linker guarantees that every slot an instruction names lies below the frame's size and every constant below
/// the number of constants; calls make sure that the whole frame lies within the stack. All slots always hold some
/// term; a slot whose value is dead holds one that needs no dropping, so that writing over it loses nothing.
#[derive(Clone, Copy)]
pub struct Slots(pub *mut Term);

/// The next instruction and the running frame. Two words, so that it travels in registers.
#[derive(Clone, Copy)]
pub struct Cursor {
    pub ip: *const Instr,
    pub slots: Slots,
}

/// The places that operands can name: the running frame and the constants. Two words, as well.
#[derive(Clone, Copy)]
pub struct View {
    pub slots: Slots,
    pub constants: *const Term,
}

impl Deref for Cursor {
    type Target = Slots;

    #[inline(always)]
    fn deref(&self) -> &Slots {
        &self.slots
    }
}

impl Deref for View {
    type Target = Slots;

    #[inline(always)]
    fn deref(&self) -> &Slots {
        &self.slots
    }
}

impl Cursor {
    /// The instruction to execute.
    #[inline(always)]
    pub fn instr<'a>(&self) -> &'a Instr {
        // SAFETY: linked code ends with an instruction that does not go on with the next one, and code that is
        // running is neither removed nor moved while an instruction is being read.
        unsafe { &*self.ip }
    }

    /// Goes on to the next instruction.
    #[inline(always)]
    pub fn advance(&mut self) {
        // SAFETY: as above.
        self.ip = unsafe { self.ip.add(1) };
    }

    /// The cursor for a frame that begins `by` slots above this one.
    #[inline(always)]
    pub fn above(mut self, by: u32) -> Cursor {
        // SAFETY: the caller makes sure that the stack reaches so far before it touches a slot.
        self.slots.0 = self.slots.0.wrapping_add(by as usize);
        self
    }

    /// The cursor for the frame that began `by` slots below this one.
    #[inline(always)]
    pub fn below(mut self, by: u32) -> Cursor {
        // SAFETY: a frame records how far above its caller's it began.
        self.slots.0 = unsafe { self.slots.0.sub(by as usize) };
        self
    }
}

impl Slots {
    #[inline(always)]
    fn place(&self, slot: usize) -> *mut Term {
        // SAFETY: the slot lies within the frame, the frame within the stack.
        unsafe { self.0.add(slot) }
    }

    /// The term in a slot of the frame.
    #[inline(always)]
    pub fn slot(&self, slot: Slot) -> &Term {
        // SAFETY: as for `place`; all slots are initialised.
        unsafe { &*self.place(usize::from(slot)) }
    }

    /// Moves a term out of a slot, which is dead from there on.
    #[inline(always)]
    pub fn take(&self, slot: Slot) -> Term {
        // SAFETY: as for `place`; there is no reference into the slot.
        mem::take(unsafe { &mut *self.place(usize::from(slot)) })
    }

    /// Writes to a dead slot.
    #[inline(always)]
    pub fn put(&self, slot: Slot, value: Term) {
        // SAFETY: as for `place`. The old value needs no dropping.
        unsafe { ptr::write(self.place(usize::from(slot)), value) }
    }

    /// Writes to a dead slot, or drops the value if it is not used.
    #[inline(always)]
    pub fn put_if_wanted(&self, slot: Slot, value: Term) {
        if slot != NOWHERE {
            self.put(slot, value);
        }
    }

    /// Writes the value of a call to its window, whose arguments are dead from there on.
    #[inline(always)]
    pub fn give(&self, window: Slot, arity: u8, value: Term) {
        self.window(window, arity).iter_mut().for_each(|arg| drop(mem::take(arg)));
        self.put(window, value);
    }

    /// Puts a mark on the value of a slot.
    pub fn mark(&self, slot: Slot, mark: Mark) {
        self.put(slot, self.take(slot).with_mark(mark));
    }

    /// Moves the value of a slot to a dead one.
    #[inline(always)]
    pub fn shift(&self, to: Slot, from: Slot) {
        let (from, to) = (self.place(usize::from(from)), self.place(usize::from(to)));
        // SAFETY: as for `place`; the value is at its new place before the old one forgets it.
        unsafe {
            transfer(from, to);
            ptr::write(from, Term::nil());
        }
    }

    /// Exchanges the values of two slots.
    #[inline(always)]
    pub fn swap(&self, a: Slot, b: Slot) {
        let (a, b) = (self.place(usize::from(a)), self.place(usize::from(b)));
        // SAFETY: as for `place`; each value is in one place again afterwards.
        unsafe {
            let first = halves(a);
            transfer(b, a);
            put_halves(b, first);
        }
    }

    /// Moves a value that lies elsewhere to a dead slot, and leaves nothing there.
    #[inline(always)]
    pub fn adopt(&self, slot: Slot, from: &mut Term) {
        let to = self.place(usize::from(slot));
        // SAFETY: as for `shift`.
        unsafe {
            transfer(from, to);
            ptr::write(from, Term::nil());
        }
    }

    /// Ends the life of the value in a slot.
    #[inline(always)]
    pub fn clear(&self, slot: Slot) {
        // A value that needs no dropping may stay: the slot is dead.
        if !is_plain(self.slot(slot)) {
            self.clear_slowly(slot);
        }
    }

    #[inline(never)]
    fn clear_slowly(&self, slot: Slot) {
        drop(self.take(slot));
    }

    /// The slots from `first` on.
    #[inline(always)]
    pub fn window<'a>(&self, first: Slot, len: u8) -> &'a mut [Term] {
        // SAFETY: as for `place`: the frame has room for the windows of its calls. Callers use one window at a time.
        unsafe { slice::from_raw_parts_mut(self.place(usize::from(first)), usize::from(len)) }
    }
}

impl View {
    /// The value of an operand, left where it is.
    #[inline(always)]
    pub fn look(&self, src: Src) -> &Term {
        // SAFETY: as for `place`; constants are never removed.
        unsafe { if src.is_constant() { &*self.constants.add(src.index()) } else { &*self.place(src.index()) } }
    }

    /// A constant of the program.
    #[inline(always)]
    pub fn constant(&self, index: u32) -> &Term {
        // SAFETY: constants are never removed.
        unsafe { &*self.constants.add(index as usize) }
    }

    /// The value of an operand: moved out of its slot if that is its last use.
    #[inline(always)]
    pub fn fetch(&self, src: Src) -> Term {
        if src.is_last() { self.take(src.index() as Slot) } else { self.look(src).clone() }
    }

    /// Ends the life of an operand that was looked at for the last time.
    #[inline(always)]
    pub fn release(&self, src: Src) {
        if src.is_last() {
            self.clear(src.index() as Slot);
        }
    }
}

/// True if a value needs no dropping.
#[inline(always)]
pub fn is_plain(value: &Term) -> bool {
    matches!(value, Term::Nil(_) | Term::Int(..) | Term::Atom(..) | Term::Float(..))
}

/// A term's two words, initialised or not.
type Halves = [MaybeUninit<u64>; 2];

/// Reads a term word by word. A term is usually written word by word; reading it whole soon after would wait until
/// the words have left the store buffer.
#[inline(always)]
unsafe fn halves(from: *const Term) -> Halves {
    const { assert!(size_of::<Term>() == 16 && align_of::<Term>() == 8) };
    let from = from.cast::<MaybeUninit<u64>>();
    // SAFETY: the caller gives a term, which is two words; volatile, so that the reads are not joined.
    unsafe { [from.read_volatile(), from.add(1).read_volatile()] }
}

#[inline(always)]
unsafe fn put_halves(to: *mut Term, halves: Halves) {
    let to = to.cast::<MaybeUninit<u64>>();
    // SAFETY: the caller gives room for a term.
    unsafe {
        to.write(halves[0]);
        to.add(1).write(halves[1]);
    }
}

/// Copies the bytes of a term; the caller sees to it that only one of the two lives on.
#[inline(always)]
unsafe fn transfer(from: *const Term, to: *mut Term) {
    // SAFETY: as said above.
    unsafe { put_halves(to, halves(from)) }
}
