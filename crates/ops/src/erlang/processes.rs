//! Operations on processes: the machine itself does them, or the VM where the machine runs a single process.

use ir::ProcessOp;

use crate::policy::Policy;
use crate::{Gives, Operation, Rule};

pub(super) const OPERATIONS: &[Operation] = &[
    process("send", 2, ProcessOp::Send),
    process("!", 2, ProcessOp::Send),
    process("send", 3, ProcessOp::Send),
    process("spawn", 3, ProcessOp::Spawn),
    process("spawn_link", 3, ProcessOp::SpawnLink),
    process("spawn_opt", 4, ProcessOp::SpawnOpt),
    process("spawn_request_abandon", 1, ProcessOp::AbandonRequest).gives(Gives::Boolean),
    process("link", 1, ProcessOp::Link).gives(Gives::Boolean),
    process("unlink", 1, ProcessOp::Unlink).gives(Gives::Boolean),
    process("monitor", 2, ProcessOp::Monitor),
    process("monitor", 3, ProcessOp::Monitor),
    process("demonitor", 1, ProcessOp::Demonitor).gives(Gives::Boolean),
    process("demonitor", 2, ProcessOp::Demonitor).gives(Gives::Boolean),
    process("alias", 1, ProcessOp::Alias),
    process("unalias", 1, ProcessOp::Unalias).gives(Gives::Boolean),
    process("exit", 2, ProcessOp::Exit).gives(Gives::Boolean),
    process("process_flag", 2, ProcessOp::Flag),
    process("register", 2, ProcessOp::Register).gives(Gives::Boolean),
    process("unregister", 1, ProcessOp::Unregister).gives(Gives::Boolean),
    process("whereis", 1, ProcessOp::Whereis),
    process("registered", 0, ProcessOp::Registered).gives(Gives::List),
    process("processes", 0, ProcessOp::Processes).gives(Gives::List),
    process("is_process_alive", 1, ProcessOp::IsAlive).gives(Gives::Boolean),
    // Memory is collected as it is: what is seen of it is that the process was there.
    process("garbage_collect", 1, ProcessOp::IsAlive).gives(Gives::Boolean),
    process("process_info", 2, ProcessOp::Info).policy(Policy::Session),
    process("group_leader", 0, ProcessOp::OwnLeader).policy(Policy::State),
    process("send_after", 3, ProcessOp::SendAfter),
    process("send_after", 4, ProcessOp::SendAfter),
    process("start_timer", 3, ProcessOp::StartTimer),
    process("start_timer", 4, ProcessOp::StartTimer),
    process("cancel_timer", 1, ProcessOp::CancelTimer),
    process("cancel_timer", 2, ProcessOp::CancelTimer),
    process("read_timer", 1, ProcessOp::ReadTimer),
    process("read_timer", 2, ProcessOp::ReadTimer),
    process("monotonic_time", 0, ProcessOp::Clock).gives(Gives::Integer).policy(Policy::Session),
    process("monotonic_time", 1, ProcessOp::Clock).gives(Gives::Integer).policy(Policy::Session),
    process("yield", 0, ProcessOp::Yield).gives(Gives::Boolean).policy(Policy::State),
    process("hibernate", 3, ProcessOp::Hibernate),
];

pub(super) const INTERNAL: &[Operation] =
    &[internal("spawn_request", 4, ProcessOp::SpawnRequest), internal("group_leader", 2, ProcessOp::GroupLeader)];

const fn process(name: &'static str, arity: u8, op: ProcessOp) -> Operation {
    Operation::vm(name, arity, Policy::Process).rule(Rule::Process(op))
}

/// The documented functions come to these by themselves; a program that does is refused by the policy of their module.
const fn internal(name: &'static str, arity: u8, op: ProcessOp) -> Operation {
    Operation::code(name, arity).rule(Rule::Process(op))
}
