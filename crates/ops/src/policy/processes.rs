//! Policies of the modules that are about processes and messages.

use super::Policy::{Code, Effect, Process};
use super::outside::SERVICES;
use super::table::{Alike, Module};

pub(super) const MODULES: &[Module] = &[
    Module::all("supervisor", Process, &[(Code, "check_childspecs get_callback_module")]),
    Module::code(
        "proc_lib",
        &[
            (
                Process,
                "spawn spawn_link spawn_monitor spawn_opt start start_link start_monitor init_ack hibernate stop",
            ),
            (Process, "init_p wake_up"),
        ],
    ),
    Module::code(
        "timer",
        &[
            (Process, "sleep apply_after apply_interval send_after send_interval exit_after kill_after cancel"),
            (Effect(SERVICES), "start start_link"),
        ],
    ),
    Module::code("zip", &[(Process, "zip_open zip_close zip_get zip_get_state zip_list_dir zip_t zip_tt")]),
    Module::code("prim_eval", &[(Process, "receive")]),
];

pub(super) const ALIKE: &[Alike] =
    &[(Process, "gen gen_server gen_statem gen_event gen_fsm sys supervisor_bridge pg pg2 group")];
