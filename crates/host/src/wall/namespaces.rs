//! Namespaces: a VM that sees no network and no process but its own.

use std::io;

use super::Openings;

/// The namespaces to be entered, with what is written into the kernel's files on the way.
pub(super) struct Namespaces {
    flags: libc::c_int,
    users: Vec<u8>,
    groups: Vec<u8>,
}

impl Namespaces {
    /// The namespaces of a VM. A user namespace comes with them: it needs no privilege, and takes those of root away.
    pub fn new(open: Openings) -> Namespaces {
        let network = if open.network { 0 } else { libc::CLONE_NEWNET };
        // SAFETY: these calls cannot fail.
        let (user, group) = unsafe { (libc::geteuid(), libc::getegid()) };
        Namespaces {
            flags: libc::CLONE_NEWUSER | libc::CLONE_NEWPID | libc::CLONE_NEWIPC | network,
            users: format!("{user} {user} 1\n").into_bytes(),
            groups: format!("{group} {group} 1\n").into_bytes(),
        }
    }

    /// Enters them; of the process numbers only children are in the new namespace.
    ///
    /// # Safety
    /// The caller is the only thread of its process.
    pub unsafe fn enter(&self) -> io::Result<()> {
        // SAFETY: only system calls are made, with valid arguments.
        unsafe {
            check(libc::unshare(self.flags))?;
            // Without them the user has no name: files can be read all the same, and none are written.
            write(c"/proc/self/setgroups", b"deny");
            write(c"/proc/self/uid_map", &self.users);
            write(c"/proc/self/gid_map", &self.groups);
        }
        Ok(())
    }
}

unsafe fn write(file: &std::ffi::CStr, text: &[u8]) {
    // SAFETY: the name ends with a zero and the text is as long as it says.
    unsafe {
        let fd = libc::open(file.as_ptr(), libc::O_WRONLY | libc::O_CLOEXEC);
        if fd >= 0 {
            libc::write(fd, text.as_ptr().cast(), text.len());
            libc::close(fd);
        }
    }
}

/// Turns what a system call returned into a result.
pub(super) fn check(result: libc::c_int) -> io::Result<libc::c_int> {
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(result) }
}
