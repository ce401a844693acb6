//! Policies of the modules that work on values and on what belongs to one run: data types, tables, clocks, output. Of
//! these functions nothing else is known; one of which more is known has a record, with its policy in it.

use super::Policy::{Effect, Process, Pure, Session, State};
use super::outside::{FILES, HALTING, INPUT, LOADING, NETWORK, PORTS, SERVICES, SETTINGS, TRACING};
use super::table::Module;

pub(super) const MODULES: &[Module] = &[
    Module::code(
        "erlang",
        &[
            (Pure, "external_size/2 iolist_to_iovec term_to_iovec decode_packet match_spec_test"),
            (Pure, "md5_init md5_update md5_final"),
            // The time zone is the host's own; it does not change while the host runs.
            (Pure, "localtime_to_universaltime universaltime_to_localtime"),
            (Pure, "posixtime_to_universaltime universaltime_to_posixtime"),
            // The host has no nodes beside it.
            (Pure, "nodes"),
            // Names of things of the VM.
            (Session, "list_to_pid list_to_port list_to_ref get_cookie process_info/1"),
            (Session, "date time localtime universaltime now timestamp system_time time_offset"),
            (Session, "statistics memory alloc_info alloc_sizes garbage_collect_message_area"),
            (State, "bump_reductions garbage_collect/0"),
            // Looks at the code that is loaded.
            (Session, "get_module_info loaded module_loaded pre_loaded check_old_code"),
            (State, "display display_nl display_string"),
            (Process, "spawn/1 spawn/2 spawn/4 spawn_link/1 spawn_link/2 spawn_link/4 spawn_monitor"),
            (Process, "spawn_opt/2 spawn_opt/3 spawn_opt/5 spawn_request send_nosuspend delay_trap exit_signal"),
            (Process, "alias/0 process_flag/3 group_leader/2 garbage_collect/2 process_display"),
            (Process, "suspend_process resume_process"),
            (Effect(PORTS), "open_port ports port_call port_close port_command port_connect port_control port_info"),
            (Effect(PORTS), "port_get_data port_set_data"),
            (Effect(NETWORK), "dist_ctrl_get_data dist_ctrl_get_data_notification dist_ctrl_get_opt"),
            (Effect(NETWORK), "dist_ctrl_input_handler dist_ctrl_put_data dist_ctrl_set_opt dist_get_stat setnode"),
            (Effect(NETWORK), "monitor_node dmonitor_node disconnect_node set_cookie"),
            (Effect(LOADING), "call_on_load_function check_process_code delete_module finish_after_on_load"),
            (
                Effect(LOADING),
                "finish_loading has_prepared_code_on_load load_module load_nif prepare_loading purge_module",
            ),
            (Effect(HALTING), "halt"),
            (Effect(SETTINGS), "system_flag set_cpu_topology"),
            (
                Effect(TRACING),
                "trace trace_pattern trace_delivered trace_info seq_trace seq_trace_info seq_trace_print",
            ),
            (Effect(TRACING), "system_monitor system_profile dt_append_vm_tag_data dt_get_tag dt_get_tag_data"),
            (Effect(TRACING), "dt_prepend_vm_tag_data dt_put_tag dt_restore_tag dt_spread_tag"),
        ],
    ),
    Module::code(
        "erts_internal",
        &[
            (Pure, "map_to_tuple_keys map_hashmap_children term_type"),
            (Pure, "beamfile_chunk beamfile_module_md5 time_unit perf_counter_unit"),
            (State, "garbage_collect"),
            (Session, "get_creation get_dflags no_aux_work_threads"),
            (Session, "system_check gather_alloc_histograms gather_carrier_info"),
            (Process, "is_process_alive is_process_executing_dirty is_system_process"),
            // The documented functions come to these by themselves.
            (Effect(SERVICES), "check_dirty_process_code dirty_process_handle_signals group_leader process_display"),
            (Effect(SERVICES), "process_flag request_system_task spawn_request spawn_system_process spawn_init"),
            (Effect(SERVICES), "dist_spawn_init suspend_process set_code_and_literal_cleaner_prio"),
            (Effect(PORTS), "open_port port_call port_close port_command port_connect port_control port_info"),
            (Effect(NETWORK), "abort_pending_connection create_dist_channel dist_ctrl_put_data dist_spawn_request"),
            (Effect(NETWORK), "new_connection"),
            (Effect(LOADING), "check_process_code prepare_loading purge_module"),
            (Effect(SETTINGS), "erase_persistent_terms ets_super_user scheduler_wall_time"),
            (Effect(TRACING), "trace trace_pattern"),
        ],
    ),
    Module::code(
        "erts_debug",
        &[
            (Pure, "flat_size size_shared copy_shared map_info dist_ext_to_term"),
            (Session, "display get_internal_state instructions interpreter_size disassemble"),
            (Session, "lcnt_clear lcnt_collect lcnt_control"),
            (Effect(TRACING), "breakpoint"),
            (Effect(SETTINGS), "set_internal_state dirty dirty_cpu dirty_io"),
        ],
    ),
    Module::code("binary", &[(Pure, "referenced_byte_size")]),
    Module::code("re", &[(Pure, "inspect version")]),
    Module::code("ets", &[(State, "internal_request_all"), (Effect(FILES), "file2tab tab2file tabfile_info")]),
    Module::code("persistent_term", &[(Session, "info")]),
    Module::code(
        "io",
        &[
            (Session, "columns rows getopts setopts"),
            (Effect(INPUT), "get_line get_chars get_password read fread scan_erl_exprs scan_erl_form"),
            (Effect(INPUT), "parse_erl_exprs parse_erl_form"),
            (Process, "request requests"),
        ],
    ),
    Module::code(
        "logger",
        &[
            (State, "emergency alert critical error warning notice info debug log macro_log"),
            (
                Session,
                "internal_log allow get_config get_handler_config get_handler_ids get_module_level get_primary_config",
            ),
            (Session, "get_proxy_config timestamp i"),
            (Effect(SETTINGS), "add_handler add_handlers add_handler_filter add_primary_filter internal_init_logger"),
            (Effect(SETTINGS), "reconfigure remove_handler remove_handler_filter remove_primary_filter"),
            (Effect(SETTINGS), "set_application_level set_handler_config set_module_level set_primary_config"),
            (Effect(SETTINGS), "set_proxy_config unset_application_level unset_module_level update_formatter_config"),
            (Effect(SETTINGS), "update_handler_config update_primary_config update_proxy_config"),
        ],
    ),
    Module::code(
        "error_logger",
        &[
            (State, "error_msg error_report error_info info_msg info_report warning_msg warning_report format"),
            (Session, "warning_map which_report_handlers get_format_depth"),
            (Effect(SETTINGS), "add_report_handler delete_report_handler logfile tty"),
            (Effect(SERVICES), "start start_link stop"),
        ],
    ),
    Module::code(
        "crypto",
        &[
            (Pure, "hash_equals hash_info mac macN pbkdf2_hmac exor mod_pow bytes_to_integer cipher_info"),
            (Pure, "crypto_one_time crypto_one_time_aead compute_key verify private_decrypt public_decrypt"),
            (Pure, "privkey_to_pubkey ec_curve ec_curves supports info info_fips info_lib version"),
            (Pure, "rand_plugin_aes_next rand_plugin_aes_jump rand_plugin_aes_jump_2pow20"),
            // Randomness, and contexts that live in the VM.
            (Session, "strong_rand_bytes rand_uniform rand_plugin_next rand_plugin_uniform rand_cache_plugin_next"),
            (State, "hash_init hash_update hash_final mac_init mac_update mac_final mac_finalN"),
            (Session, "generate_key sign private_encrypt public_encrypt"),
            (Session, "crypto_init crypto_update crypto_final crypto_get_data crypto_dyn_iv_init crypto_dyn_iv_update"),
            (Effect(SETTINGS), "rand_seed/1 enable_fips_mode start stop"),
            (Effect(LOADING), "engine_add engine_by_id engine_ctrl_cmd_string engine_get_all_methods engine_get_id"),
            (Effect(LOADING), "engine_get_name engine_list engine_load engine_register engine_remove engine_unload"),
            (Effect(LOADING), "engine_unregister ensure_engine_loaded ensure_engine_unloaded get_test_engine"),
        ],
    ),
    Module::all(
        "zlib",
        State,
        &[(Pure, "compress uncompress zip unzip gzip gunzip"), (Process, "set_controlling_process")],
    ),
    Module::all("prim_buffer", State, &[]),
    Module::code("asn1rt_nif", &[(Pure, "encode_per_complete decode_ber_tlv encode_ber_tlv")]),
];
