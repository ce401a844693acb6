//! Large blocks as mappings of their own: they grow without a copy, and are the system's again as soon as they are freed.

use std::ptr;

use term::cut;

/// The size from which a block is a mapping.
pub const SMALLEST: usize = if cfg!(target_os = "linux") { 4 << 20 } else { usize::MAX };

/// The alignment of every mapping.
pub const ALIGNED: usize = 4096;

fn block(address: *mut libc::c_void) -> *mut u8 {
    if address == libc::MAP_FAILED { ptr::null_mut() } else { address.cast() }
}

/// A block of zeros, or none.
pub fn alloc(size: usize) -> *mut u8 {
    cut::look_soon();
    let (access, kind) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
    // SAFETY: a new mapping, wherever the system likes.
    block(unsafe { libc::mmap(ptr::null_mut(), size, access, kind, -1, 0) })
}

/// The block with another size, or none; then it is as it was.
///
/// # Safety
/// The block came from [`alloc`] or from here, with the old size.
#[cfg(target_os = "linux")]
pub unsafe fn realloc(old: *mut u8, old_size: usize, size: usize) -> *mut u8 {
    cut::look_soon();
    // SAFETY: as above.
    block(unsafe { libc::mremap(old.cast(), old_size, size, libc::MREMAP_MAYMOVE) })
}

/// No block: there is none of this kind.
///
/// # Safety
/// As there is no block, it is not called.
#[cfg(not(target_os = "linux"))]
pub unsafe fn realloc(_old: *mut u8, _old_size: usize, _size: usize) -> *mut u8 {
    ptr::null_mut()
}

/// Gives a block back.
///
/// # Safety
/// As for [`realloc`].
pub unsafe fn free(old: *mut u8, size: usize) {
    // SAFETY: as above. A mapping that cannot be removed only stays.
    unsafe { libc::munmap(old.cast(), size) };
}
