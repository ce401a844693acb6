//! The allocator of the binaries: the machine makes and drops small values all the time.

mod mapped;
mod system;

use std::alloc::{GlobalAlloc, Layout};
use std::sync::atomic::{AtomicBool, Ordering};

use libmimalloc_sys::{
    mi_free, mi_malloc, mi_malloc_aligned, mi_realloc, mi_realloc_aligned, mi_zalloc, mi_zalloc_aligned,
};
use term::cut;

pub(crate) use system::limit_program;

/// mimalloc, asked for an alignment only where it does not give it anyway. It counts the bytes that each thread holds.
///
/// The crate `mimalloc` always asks for one. A loop that makes and frees list cells takes 161 million instructions with
/// it and 143 million with this, and the same memory.
pub struct Allocator;

/// The alignment of every block of at least this size.
const ALIGNED: usize = 16;

fn is_plain(layout: Layout, size: usize) -> bool {
    layout.align() <= 8 || (layout.align() <= ALIGNED && size >= ALIGNED)
}

/// True for blocks that are mappings of their own.
#[inline]
fn is_mapped(layout: Layout, size: usize) -> bool {
    size >= mapped::SMALLEST && layout.align() <= mapped::ALIGNED
}

/// Where the system refuses memory, it is asked once for a little more, so that what was found can be shown: runs and
/// queries end from then on. The second time the command ends.
#[cold]
#[inline(never)]
fn refused(again: impl FnOnce() -> *mut u8) -> *mut u8 {
    static BEFORE: AtomicBool = AtomicBool::new(false);
    if BEFORE.swap(true, Ordering::Relaxed) || !system::raise_limit() {
        system::end_command();
    }
    cut::exhaust();
    let block = again();
    if block.is_null() { system::end_command() } else { block }
}

unsafe fn block(layout: Layout) -> *mut u8 {
    let (size, align) = (layout.size(), layout.align());
    if is_mapped(layout, size) {
        return mapped::alloc(size);
    }
    // SAFETY: the layout is valid.
    unsafe { if is_plain(layout, size) { mi_malloc(size) } else { mi_malloc_aligned(size, align) }.cast() }
}

unsafe fn free(block: *mut u8, layout: Layout) {
    // SAFETY: the block came from here.
    unsafe { if is_mapped(layout, layout.size()) { mapped::free(block, layout.size()) } else { mi_free(block.cast()) } }
}

unsafe fn resized(block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
    if is_mapped(layout, size.max(layout.size())) {
        // SAFETY: the block came from here.
        return unsafe { resized_mapping(block, layout, size) };
    }
    let (block, align) = (block.cast(), layout.align());
    // SAFETY: the block came from here.
    unsafe {
        if is_plain(layout, size) { mi_realloc(block, size) } else { mi_realloc_aligned(block, size, align) }.cast()
    }
}

/// The same where the old block or the new one is a mapping.
#[cold]
unsafe fn resized_mapping(old: *mut u8, layout: Layout, size: usize) -> *mut u8 {
    // SAFETY: the block came from here; the size is that of a valid layout.
    unsafe {
        if is_mapped(layout, size) && is_mapped(layout, layout.size()) {
            return mapped::realloc(old, layout.size(), size);
        }
        let new = block(Layout::from_size_align_unchecked(size, layout.align()));
        if !new.is_null() {
            new.copy_from_nonoverlapping(old, size.min(layout.size()));
            free(old, layout);
        }
        new
    }
}

// SAFETY: each function hands its arguments on to the one of mimalloc with the same contract, or to `mapped`.
unsafe impl GlobalAlloc for Allocator {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        cut::count(layout.size() as isize);
        // SAFETY: as above; the layout is valid.
        let (new, again) = unsafe { (block(layout), || block(layout)) };
        if new.is_null() { refused(again) } else { new }
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        let (size, align) = (layout.size(), layout.align());
        if is_mapped(layout, size) {
            // SAFETY: as above; a mapping is zero.
            return unsafe { self.alloc(layout) };
        }
        cut::count(size as isize);
        // SAFETY: as above.
        let zeros = || unsafe { if is_plain(layout, size) { mi_zalloc(size) } else { mi_zalloc_aligned(size, align) } };
        let new: *mut u8 = zeros().cast();
        if new.is_null() { refused(|| zeros().cast()) } else { new }
    }

    #[inline]
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        cut::count(-(layout.size() as isize));
        // SAFETY: the block came from here.
        unsafe { free(block, layout) }
    }

    #[inline]
    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        cut::count(size as isize - layout.size() as isize);
        // SAFETY: as above; the block came from here.
        let (new, again) = unsafe { (resized(block, layout, size), || resized(block, layout, size)) };
        if new.is_null() { refused(again) } else { new }
    }
}
