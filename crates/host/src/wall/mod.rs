//! The operating system's walls around a VM. They hold whatever the program inside does: the guard explains a refusal,
//! the walls make sure of it.
//!
//! Three of them stand side by side. Landlock leaves only the files to be read that a VM needs, and none to be written.
//! A filter of system calls takes away sockets, other processes and changes of files' attributes, which Landlock does not
//! know. Namespaces take the network and all other processes out of sight; when the VM ends, whatever it started ends.

mod files;
mod loader;
mod namespaces;
mod probe;
mod syscalls;
mod warden;

use std::io;
use std::os::fd::{AsRawFd, OwnedFd, RawFd};
use std::path::PathBuf;

use seccompiler::{BpfProgram, sock_filter};

pub use probe::{Walls, standing};

pub(crate) use files::Reads;

use namespaces::Namespaces;

use crate::process::high;

/// Effects that the user allowed by name, which the walls let pass as well.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Openings {
    /// Files may be read, written and changed.
    pub files: bool,
    /// Sockets may be opened.
    pub network: bool,
    /// Programs may be started; the kernel cannot distinguish their calls from the VM's, so that no other wall stands.
    pub programs: bool,
}

/// The walls of one VM, made ready in the parent: between fork and exec nothing may be allocated.
pub(crate) struct Wall {
    ruleset: Option<OwnedFd>,
    filters: Vec<BpfProgram>,
    /// Nothing but the filters keeps every kind of signal from other processes.
    filters_signals: bool,
    namespaces: Option<Namespaces>,
}

impl Wall {
    /// Prepares every wall that the kernel has, with the openings left out.
    pub fn around(reads: &Reads, openings: Openings) -> io::Result<Wall> {
        let walls = standing();
        let open = Openings {
            files: openings.files || openings.programs,
            network: openings.network || openings.programs,
            ..openings
        };
        let ruleset = if walls.landlock.is_some() { files::ruleset(reads, open)?.map(high).transpose()? } else { None };
        let hidden = walls.namespaces;
        let filters = if walls.seccomp { syscalls::filters(open, hidden)? } else { Vec::new() };
        let namespaces = walls.namespaces.then(|| Namespaces::new(open));
        Ok(Wall { ruleset, filters_signals: !hidden && !filters.is_empty(), filters, namespaces })
    }

    /// Prepares the walls around a tool that starts other programs: no network, and files are changed below `writes` alone.
    /// Nothing if one of them cannot be built.
    pub fn around_tool(reads: &[PathBuf], writes: &[PathBuf]) -> io::Result<Option<Wall>> {
        let walls = standing();
        if walls.landlock.is_none() || !walls.seccomp || !walls.namespaces {
            return Ok(None);
        }
        let ruleset = files::tool_ruleset(reads, writes)?.map(high).transpose()?;
        // Tools set modes and times of what they write, and no wall knows which files these are.
        let filters = syscalls::filters(Openings { files: true, ..Openings::default() }, true)?;
        let namespaces = Some(Namespaces::new(Openings::default()));
        Ok(Some(Wall { ruleset, filters_signals: false, filters, namespaces }))
    }

    /// In the child, before it becomes the VM: from here on the process is a child of a warden, in namespaces of its own,
    /// and the walls stand. `lifeline` is open as long as the VM is wanted.
    ///
    /// # Safety
    /// To be called between fork and exec only: the calling process is replaced by two.
    pub unsafe fn enter(&self, lifeline: RawFd) -> io::Result<()> {
        // SAFETY: the caller is the only thread of a new process; only system calls are made.
        unsafe {
            if let Some(namespaces) = &self.namespaces {
                namespaces.enter()?;
            }
            warden::split(lifeline)?;
            namespaces::check(libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))?;
            if let Some(ruleset) = &self.ruleset {
                files::restrict(ruleset.as_raw_fd())?;
            }
        }
        let apply = |filter: &[sock_filter]| {
            seccompiler::apply_filter(filter).map_err(|_| io::Error::from_raw_os_error(libc::EPERM))
        };
        if self.filters_signals {
            // SAFETY: the call takes nothing and cannot fail.
            apply(&syscalls::own_threads(unsafe { libc::getpid() }))?;
        }
        self.filters.iter().try_for_each(|filter| apply(filter))
    }
}
