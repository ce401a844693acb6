//! The last resort of the bounds on memory: the system refuses more where what is counted was not all.

use std::fs;

/// The system's limit is that of the runs, so many times, and this much more: an allocator asks for more than it uses.
const FACTOR: u64 = 3;
const CONSTANT: u64 = 2 << 30;

/// What is added once, so that what was found can be shown.
const EXTRA: u64 = 512 << 20;

/// The number of the allocator's option on the milliseconds until freed memory is given back, and its value: a second of
/// its own choice is too long.
const PURGE_DELAY: libmimalloc_sys::mi_option_t = 15;
const PURGED_AFTER: libc::c_long = 0;

/// The message of a command that the system gives no memory.
const MESSAGE: &[u8] = b"hound: out of memory, far above --memory: the command was ended\n";

fn limit() -> libc::rlimit {
    let mut limit = libc::rlimit { rlim_cur: libc::RLIM_INFINITY, rlim_max: libc::RLIM_INFINITY };
    // SAFETY: the argument is valid.
    unsafe { libc::getrlimit(libc::RLIMIT_DATA, &raw mut limit) };
    limit
}

fn set(limit: &libc::rlimit) -> bool {
    // SAFETY: the argument is valid.
    unsafe { libc::setrlimit(libc::RLIMIT_DATA, limit) == 0 }
}

/// Bytes of data that the program has asked the system for.
fn data() -> Option<u64> {
    let sizes = fs::read_to_string("/proc/self/statm").ok()?;
    Some(sizes.split_whitespace().nth(5)?.parse::<u64>().ok()? * 4096)
}

/// Has the system refuse memory far above the bound of a run, so that the machine does not swap, and get freed memory back
/// soon, so that what is counted is what the program has.
pub fn limit_program(bytes: usize) {
    // SAFETY: there is such an option; it may change at any time.
    unsafe { libmimalloc_sys::mi_option_set(PURGE_DELAY, PURGED_AFTER) };
    let Some(data) = data() else { return };
    let most = (bytes as u64).saturating_mul(FACTOR).saturating_add(CONSTANT).saturating_add(data);
    let now = limit();
    if most < now.rlim_cur {
        set(&libc::rlimit { rlim_cur: most, ..now });
    }
}

/// Has the system give a little more; false if it does not. It allocates nothing.
pub fn raise_limit() -> bool {
    let now = limit();
    let more = now.rlim_cur.saturating_add(EXTRA).min(now.rlim_max);
    more > now.rlim_cur && set(&libc::rlimit { rlim_cur: more, ..now })
}

/// Ends the command with a message. It allocates nothing.
pub fn end_command() -> ! {
    // SAFETY: the message is valid; nothing runs after this.
    unsafe {
        libc::write(libc::STDERR_FILENO, MESSAGE.as_ptr().cast(), MESSAGE.len());
        libc::_exit(2)
    }
}
