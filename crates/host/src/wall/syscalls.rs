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

/// Signals to processes by number.
const SIGNALS: &[c_long] = &[
    libc::SYS_kill,
    libc::SYS_tkill,
    libc::SYS_rt_sigqueueinfo,
    libc::SYS_rt_tgsigqueueinfo,
    libc::SYS_pidfd_send_signal,
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
    let unknown = BTreeMap::from([(libc::SYS_clone3, Vec::new())]);
    Ok(vec![program(unknown, libc::ENOSYS)?, program(rules, libc::EPERM)?])
}

fn argument(operator: SeccompCmpOp, value: u64) -> io::Result<SeccompRule> {
    let condition = SeccompCondition::new(0, SeccompCmpArgLen::Qword, operator, value).map_err(io::Error::other)?;
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
    use super::*;

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
