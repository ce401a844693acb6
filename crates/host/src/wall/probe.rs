//! Which walls this kernel has.

use std::io;
use std::sync::LazyLock;

use super::Openings;
use super::namespaces::{Namespaces, check};

/// The walls that can be built here.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Walls {
    /// The version of Landlock.
    pub landlock: Option<u32>,
    /// System calls can be filtered.
    pub seccomp: bool,
    /// Namespaces of users, processes and the network can be entered.
    pub namespaces: bool,
}

impl Walls {
    /// What a program could do here if the guard had a hole, each as a phrase.
    pub fn missing(&self) -> Vec<&'static str> {
        let network = self.seccomp || self.namespaces;
        let gaps = [
            (self.landlock.is_some(), "files (no Landlock)"),
            (self.seccomp, "attributes of files (no seccomp)"),
            (network, "the network (neither seccomp nor namespaces)"),
            (self.namespaces || self.seccomp, "other processes (neither seccomp nor namespaces)"),
        ];
        gaps.into_iter().filter(|(stands, _)| !stands).map(|(_, gap)| gap).collect()
    }

    /// Each wall by name, and whether it stands.
    pub fn lines(&self) -> [(&'static str, String); 3] {
        let said = |stands: bool| if stands { "yes".to_owned() } else { "missing".to_owned() };
        [
            (
                "landlock",
                self.landlock.map_or_else(|| "missing".to_owned(), |version| format!("yes, version {version}")),
            ),
            ("seccomp", said(self.seccomp)),
            ("namespaces", said(self.namespaces)),
        ]
    }
}

/// The walls that can be built here, found out once.
pub fn standing() -> &'static Walls {
    static WALLS: LazyLock<Walls> = LazyLock::new(|| {
        let left_out = left_out();
        let is_wanted = |name: &str| !left_out.split(' ').any(|word| word == name);
        Walls {
            landlock: landlock_version().filter(|_| is_wanted("landlock")),
            seccomp: is_wanted("seccomp") && has_seccomp(),
            namespaces: is_wanted("namespaces") && try_namespaces().is_ok(),
        }
    });
    &WALLS
}

/// The names of walls that a test does without, to see what the others hold. A release has no such switch.
fn left_out() -> String {
    let named = std::env::var("HOUND_TEST_WITHOUT_WALLS").ok();
    named.filter(|_| cfg!(debug_assertions)).unwrap_or_default()
}

fn landlock_version() -> Option<u32> {
    const ASK_VERSION: libc::c_uint = 1;
    // SAFETY: with this flag the call takes no ruleset and only returns a number.
    let version = unsafe {
        libc::syscall(libc::SYS_landlock_create_ruleset, std::ptr::null::<libc::c_void>(), 0usize, ASK_VERSION)
    };
    u32::try_from(version).ok().filter(|version| *version > 0)
}

fn has_seccomp() -> bool {
    const GET_ACTION_AVAIL: libc::c_uint = 2;
    let action = libc::SECCOMP_RET_ERRNO;
    // SAFETY: the call reads one number.
    unsafe { libc::syscall(libc::SYS_seccomp, GET_ACTION_AVAIL, 0, &raw const action) == 0 }
}

/// A child enters them and ends.
fn try_namespaces() -> io::Result<()> {
    let namespaces = Namespaces::new(Openings::default());
    // SAFETY: the child makes nothing but system calls before it ends.
    unsafe {
        let child = check(libc::fork())?;
        if child == 0 {
            let entered = namespaces.enter().is_ok()
                && check(libc::fork()).map(|inner| inner == 0 || ended(inner)).unwrap_or(false);
            libc::_exit(if entered { 0 } else { 1 });
        }
        if ended(child) { Ok(()) } else { Err(io::Error::from_raw_os_error(libc::EPERM)) }
    }
}

/// Waits for a child; true if it ended well.
unsafe fn ended(child: libc::pid_t) -> bool {
    let mut status = 0;
    // SAFETY: the status is a valid place.
    unsafe {
        while libc::waitpid(child, &mut status, 0) < 0 {
            if io::Error::last_os_error().kind() != io::ErrorKind::Interrupted {
                return false;
            }
        }
    }
    libc::WIFEXITED(status) && libc::WEXITSTATUS(status) == 0
}
