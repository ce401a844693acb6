//! The warden: a process between us and the VM that ends the VM when we are gone, and takes all it started with it.
//!
//! In a namespace of its own the VM is the first process: with it the kernel ends every other. The warden stays outside,
//! where nothing inside can reach it.

use std::io;
use std::os::fd::RawFd;
use std::ptr;

use super::namespaces::check;

/// Forks: the child returns, to become the VM; the parent stays as its warden and never returns.
///
/// # Safety
/// The caller is the only thread of its process.
pub(super) unsafe fn split(lifeline: RawFd) -> io::Result<()> {
    // SAFETY: only system calls are made.
    unsafe {
        match check(libc::fork())? {
            0 => check(libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL, 0, 0, 0)).map(drop),
            vm => watch(vm, lifeline),
        }
    }
}

/// Waits for the end of the VM or of the one who wanted it, and ends as the VM ended.
unsafe fn watch(vm: libc::pid_t, lifeline: RawFd) -> ! {
    // SAFETY: only system calls are made; every descriptor but the lifeline is closed, also those that report a failed start.
    unsafe {
        libc::dup2(lifeline, 0);
        libc::syscall(libc::SYS_close_range, 1, libc::c_uint::MAX, 0);
        let pidfd = libc::syscall(libc::SYS_pidfd_open, vm, 0) as RawFd;
        let mut ends = [0, pidfd].map(|fd| libc::pollfd { fd, events: libc::POLLIN, revents: 0 });
        if pidfd >= 0 {
            while libc::poll(ends.as_mut_ptr(), 2, -1) < 0 && *libc::__errno_location() == libc::EINTR {}
            if ends[1].revents == 0 {
                libc::kill(vm, libc::SIGKILL);
            }
        }
        let mut status = 0;
        while libc::waitpid(vm, &mut status, 0) < 0 && *libc::__errno_location() == libc::EINTR {}
        if libc::WIFSIGNALED(status) {
            end_by(libc::WTERMSIG(status));
        }
        libc::_exit(libc::WEXITSTATUS(status))
    }
}

/// Ends this process by a signal, so that its parent sees how the VM ended.
unsafe fn end_by(signal: libc::c_int) {
    // SAFETY: the set is initialised before it is used.
    unsafe {
        libc::signal(signal, libc::SIG_DFL);
        let mut set = std::mem::zeroed();
        libc::sigemptyset(&mut set);
        libc::sigaddset(&mut set, signal);
        libc::sigprocmask(libc::SIG_UNBLOCK, &set, ptr::null_mut());
        libc::raise(signal);
    }
}
