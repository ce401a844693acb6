//! A filter of system calls: what neither Landlock nor namespaces take away.

use std::collections::BTreeMap;
use std::io;

use libc::c_long;
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
    sock_filter,
};

use super::Openings;

/// Sockets; a pair of them that are connected to each other is needed to start.
const NETWORK: &[c_long] =
    &[libc::SYS_socket, libc::SYS_connect, libc::SYS_bind, libc::SYS_listen, libc::SYS_accept, libc::SYS_accept4];

/// Changes of a file's attributes, of which Landlock knows nothing.
const ATTRIBUTES: &[c_long] = &[
    libc::SYS_fchmod,
    libc::SYS_fchmodat,
    SYS_FCHMODAT2,
    libc::SYS_fchown,
    libc::SYS_fchownat,
    libc::SYS_utimensat,
    libc::SYS_setxattr,
    libc::SYS_lsetxattr,
    libc::SYS_fsetxattr,
    libc::SYS_removexattr,
    libc::SYS_lremovexattr,
    libc::SYS_fremovexattr,
    libc::SYS_open_by_handle_at,
];

/// The same in forms that only older machines have.
#[cfg(target_arch = "x86_64")]
const OLD_ATTRIBUTES: &[c_long] =
    &[libc::SYS_chmod, libc::SYS_chown, libc::SYS_lchown, libc::SYS_utime, libc::SYS_utimes, libc::SYS_futimesat];
#[cfg(not(target_arch = "x86_64"))]
const OLD_ATTRIBUTES: &[c_long] = &[];

const SYS_FCHMODAT2: c_long = 452;

/// Signals to processes by number, and changes of how others run; see [`own_threads`].
const SIGNALS: &[c_long] = &[
    libc::SYS_kill,
    libc::SYS_tkill,
    libc::SYS_rt_sigqueueinfo,
    libc::SYS_rt_tgsigqueueinfo,
    libc::SYS_pidfd_send_signal,
    libc::SYS_process_madvise,
    libc::SYS_migrate_pages,
    libc::SYS_move_pages,
    libc::SYS_ioprio_set,
    libc::SYS_sched_setscheduler,
    libc::SYS_sched_setparam,
    libc::SYS_sched_setattr,
];

/// Looks into other processes, the kernel, the machine: nothing that a VM does.
const NEVER: &[c_long] = &[
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_pidfd_getfd,
    libc::SYS_kcmp,
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    libc::SYS_keyctl,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_unshare,
    libc::SYS_setns,
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_fsopen,
    libc::SYS_fsmount,
    libc::SYS_open_tree,
    libc::SYS_move_mount,
    libc::SYS_mount_setattr,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_reboot,
    libc::SYS_kexec_load,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_acct,
    libc::SYS_quotactl,
    libc::SYS_syslog,
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
    libc::SYS_adjtimex,
    libc::SYS_clock_adjtime,
    libc::SYS_sethostname,
    libc::SYS_setdomainname,
    libc::SYS_shmget,
    libc::SYS_msgget,
    libc::SYS_semget,
    libc::SYS_mq_open,
    libc::SYS_mq_unlink,
    libc::SYS_fanotify_init,
    libc::SYS_setpriority,
];

/// Numbers from here on are those of another set of system calls, which no rule names.
const OTHER_CALLS: u32 = 0x4000_0000;

/// The filters. Those that answer "no such call" come apart: callers then fall back on calls that are looked at.
pub(super) fn filters(open: Openings, hidden: bool) -> io::Result<Vec<BpfProgram>> {
    if open.programs {
        return Ok(Vec::new());
    }
    let attributes = [ATTRIBUTES, OLD_ATTRIBUTES].concat();
    let groups = [(true, NEVER), (!open.network, NETWORK), (!open.files, &attributes), (!hidden, SIGNALS)];
    let refused = groups.into_iter().filter(|(refused, _)| *refused).flat_map(|(_, calls)| calls.iter().copied());
    let mut rules: BTreeMap<c_long, Vec<SeccompRule>> = refused.map(|call| (call, Vec::new())).collect();
    // The signal that ends the VM with its warden stays; new namespaces are refused, new threads are not.
    rules.insert(libc::SYS_prctl, vec![argument(SeccompCmpOp::Eq, libc::PR_SET_PDEATHSIG as u64)?]);
    let spaces = (libc::CLONE_NEWUSER | libc::CLONE_NEWPID | libc::CLONE_NEWNS | libc::CLONE_NEWNET) as u64;
    let flags = |flag: u64| argument(SeccompCmpOp::MaskedEq(flag), flag);
    let each = (0..64).map(|bit| 1u64 << bit).filter(|bit| spaces & bit != 0);
    rules.insert(libc::SYS_clone, each.map(flags).collect::<io::Result<_>>()?);
    if !hidden {
        // A file can be made to send signals; the limits of the process itself stay its own.
        let owner = |command: libc::c_int| argument_at(1, SeccompCmpOp::Eq, command as u64);
        rules.insert(libc::SYS_fcntl, [F_SETOWN, F_SETOWN_EX].map(owner).into_iter().collect::<io::Result<_>>()?);
        rules.insert(libc::SYS_ioctl, [FIOSETOWN, SIOCSPGRP].map(owner).into_iter().collect::<io::Result<_>>()?);
        rules.insert(libc::SYS_prlimit64, vec![argument(SeccompCmpOp::Ne, 0)?]);
    }
    let unknown = BTreeMap::from([(libc::SYS_clone3, Vec::new())]);
    Ok(vec![program(unknown, libc::ENOSYS)?, program(rules, libc::EPERM)?])
}

/// Commands that name the process which a file sends signals to.
const F_SETOWN: libc::c_int = libc::F_SETOWN;
const F_SETOWN_EX: libc::c_int = 15;
const FIOSETOWN: libc::c_int = 0x8901;
const SIOCSPGRP: libc::c_int = 0x8902;

/// The filter of a process that can send signals to its own threads alone, as aborting does: its number is known only when
/// it runs, and nothing may be allocated then.
pub(super) fn own_threads(process: libc::pid_t) -> [sock_filter; 6] {
    const FIRST_ARGUMENT: u32 = if cfg!(target_endian = "little") { 16 } else { 20 };
    let load = (libc::BPF_LD | libc::BPF_W | libc::BPF_ABS) as u16;
    let equal = (libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K) as u16;
    let answer = (libc::BPF_RET | libc::BPF_K) as u16;
    [
        sock_filter { code: load, jt: 0, jf: 0, k: 0 },
        sock_filter { code: equal, jt: 0, jf: 3, k: libc::SYS_tgkill as u32 },
        sock_filter { code: load, jt: 0, jf: 0, k: FIRST_ARGUMENT },
        sock_filter { code: equal, jt: 1, jf: 0, k: process as u32 },
        sock_filter { code: answer, jt: 0, jf: 0, k: libc::SECCOMP_RET_ERRNO | libc::EPERM as u32 },
        sock_filter { code: answer, jt: 0, jf: 0, k: libc::SECCOMP_RET_ALLOW },
    ]
}

fn argument(operator: SeccompCmpOp, value: u64) -> io::Result<SeccompRule> {
    argument_at(0, operator, value)
}

/// Arguments that are numbers of 32 bits may have anything above them.
fn argument_at(place: u8, operator: SeccompCmpOp, value: u64) -> io::Result<SeccompRule> {
    let length = if place == 0 { SeccompCmpArgLen::Qword } else { SeccompCmpArgLen::Dword };
    let condition = SeccompCondition::new(place, length, operator, value).map_err(io::Error::other)?;
    SeccompRule::new(vec![condition]).map_err(io::Error::other)
}

fn program(rules: BTreeMap<c_long, Vec<SeccompRule>>, error: libc::c_int) -> io::Result<BpfProgram> {
    let architecture = std::env::consts::ARCH.try_into().map_err(io::Error::other)?;
    let refusal = SeccompAction::Errno(error as u32);
    let filter = SeccompFilter::new(rules, SeccompAction::Allow, refusal, architecture).map_err(io::Error::other)?;
    let filter: BpfProgram = filter.try_into().map_err(io::Error::other)?;
    Ok([&other_calls()[..], &filter].concat())
}

/// Refuses calls of the other set: load the number, jump over the refusal if it is small, refuse.
fn other_calls() -> [sock_filter; 3] {
    let load = (libc::BPF_LD | libc::BPF_W | libc::BPF_ABS) as u16;
    let jump = (libc::BPF_JMP | libc::BPF_JGE | libc::BPF_K) as u16;
    let answer = (libc::BPF_RET | libc::BPF_K) as u16;
    [
        sock_filter { code: load, jt: 0, jf: 0, k: 0 },
        sock_filter { code: jump, jt: 0, jf: 1, k: OTHER_CALLS },
        sock_filter { code: answer, jt: 0, jf: 0, k: libc::SECCOMP_RET_ERRNO | libc::EPERM as u32 },
    ]
}

#[cfg(test)]
mod tests {
    use super::super::namespaces::check;
    use super::*;

    /// A child behind the filters tries each way to reach its parent, and what it needs of its own; 0: all as it should be.
    fn tried(hidden: bool) -> libc::c_int {
        let filters = filters(Openings::default(), hidden).expect("they compile");
        // SAFETY: the child makes nothing but system calls before it ends.
        unsafe {
            let parent = libc::getpid();
            let child = check(libc::fork()).expect("a child");
            if child == 0 {
                libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
                let applied = filters.iter().all(|filter| seccompiler::apply_filter(filter).is_ok())
                    && seccompiler::apply_filter(&own_threads(libc::getpid())).is_ok();
                libc::_exit(if applied { failed(parent) } else { 100 });
            }
            let mut status = 0;
            check(libc::waitpid(child, &mut status, 0)).expect("its end");
            if libc::WIFEXITED(status) { libc::WEXITSTATUS(status) } else { 101 }
        }
    }

    /// The number of the first attempt that ends otherwise than it should. Signal 0 asks whether one could be sent.
    unsafe fn failed(parent: libc::pid_t) -> libc::c_int {
        let none = std::ptr::null::<libc::c_void>();
        let limit = libc::rlimit { rlim_cur: libc::RLIM_INFINITY, rlim_max: libc::RLIM_INFINITY };
        let refused = |result: c_long| result == -1 && io::Error::last_os_error().raw_os_error() == Some(libc::EPERM);
        // SAFETY: the arguments are numbers, or null where nothing is read.
        unsafe {
            let (own, thread) = (libc::getpid(), libc::syscall(libc::SYS_gettid));
            let attempts = [
                refused(libc::syscall(libc::SYS_kill, parent, 0)),
                refused(libc::syscall(libc::SYS_kill, -1, 0)),
                refused(libc::syscall(libc::SYS_tkill, parent, 0)),
                refused(libc::syscall(libc::SYS_tgkill, parent, parent, 0)),
                refused(libc::syscall(libc::SYS_rt_sigqueueinfo, parent, 0, none)),
                refused(libc::syscall(libc::SYS_pidfd_send_signal, 0, 0, none, 0)),
                refused(libc::syscall(libc::SYS_fcntl, 0, F_SETOWN, parent)),
                refused(libc::syscall(libc::SYS_fcntl, 0, F_SETOWN_EX, none)),
                refused(libc::syscall(libc::SYS_ioctl, 0, FIOSETOWN, none)),
                refused(libc::syscall(libc::SYS_prlimit64, parent, libc::RLIMIT_CPU, &raw const limit, none)),
                libc::syscall(libc::SYS_tgkill, own, thread, 0) == 0,
                libc::fcntl(0, libc::F_GETFD) >= -1 && !refused(libc::fcntl(0, libc::F_GETFD).into()),
                !refused(libc::syscall(libc::SYS_prlimit64, 0, libc::RLIMIT_CORE, none, none)),
            ];
            attempts.iter().position(|as_it_should| !as_it_should).map_or(0, |number| number as libc::c_int + 1)
        }
    }

    #[test]
    fn signals_reach_no_other_process_where_nothing_hides_them() {
        assert_eq!(tried(false), 0);
        // The first of them passes where namespaces see to it.
        assert_eq!(tried(true), 1);
    }

    #[test]
    fn what_is_opened_is_not_filtered() {
        let lengths = |open| -> Vec<usize> { filters(open, true).expect("it compiles").iter().map(Vec::len).collect() };
        let closed = lengths(Openings::default());
        assert_eq!(closed.len(), 2);
        assert!(lengths(Openings { files: true, ..Openings::default() })[1] < closed[1]);
        assert!(lengths(Openings { network: true, ..Openings::default() })[1] < closed[1]);
        assert!(lengths(Openings { programs: true, ..Openings::default() }).is_empty());
    }
}
