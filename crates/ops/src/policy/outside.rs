//! Policies of the modules that reach outside the run: files, network, operating system, code, the VM itself.

use super::Policy::{Code, Effect, Process, Pure, Session};
use super::table::{Alike, Module};

pub(super) const FILES: &str = "reads or writes files";
pub(super) const NETWORK: &str = "uses the network";
pub(super) const SYSTEM: &str = "uses the operating system";
pub(super) const PORTS: &str = "talks to programs or drivers outside the VM";
pub(super) const LOADING: &str = "loads or unloads code";
pub(super) const HALTING: &str = "stops or restarts the VM";
pub(super) const SERVICES: &str = "starts, stops or changes processes of the system";
pub(super) const SETTINGS: &str = "changes settings of the whole VM";
pub(super) const TRACING: &str = "traces or debugs other code";
pub(super) const INPUT: &str = "reads from the terminal";
const SHELL: &str = "is a command of the shell";

pub(super) const MODULES: &[Module] = &[
    Module::all(
        "file",
        Effect(FILES),
        // The working directory is a harmless look, and `filename:absname/1` stands on it.
        &[(Code, "format_error"), (Session, "native_name_encoding get_cwd/0 pid2name")],
    ),
    Module::all("filelib", Effect(FILES), &[(Code, "compile_wildcard")]),
    Module::all(
        "prim_file",
        Effect(FILES),
        &[(Pure, "internal_name2native internal_native2name internal_normalize_utf8 is_translatable")],
    ),
    Module::all("disk_log", Effect(FILES), &[(Code, "format_error")]),
    Module::all("dets", Effect(FILES), &[]),
    Module::code(
        "compile",
        &[
            (Effect(FILES), "file noenv_file compile compile_asm compile_core compile_abstr"),
            // The compiler works in a process of its own.
            (Process, "forms noenv_forms"),
        ],
    ),
    Module::code(
        "epp",
        &[
            (Effect(FILES), "open parse_file scan_file close read_encoding set_encoding"),
            (Process, "macro_defs parse_erl_form scan_erl_form"),
        ],
    ),
    Module::code("yecc", &[(Effect(FILES), "file compile yecc")]),
    Module::code("leex", &[(Effect(FILES), "file compile")]),
    Module::code(
        "inet",
        &[
            (Session, "get_rc"),
            (Effect(NETWORK), "close connect_options fdopen getaddr getaddr_tm getaddrs getaddrs_tm getfd"),
            (Effect(NETWORK), "gethostbyaddr gethostbyaddr_tm gethostbyname gethostbyname_self gethostbyname_string"),
            (Effect(NETWORK), "gethostbyname_tm gethostname getif getifaddrs getiflist getll getopts getservbyname"),
            (Effect(NETWORK), "getservbyport getstat i ifget ifset info ip listen_options lock_socket monitor"),
            (Effect(NETWORK), "cancel_monitor open open_bind peername peernames popf port pushf sctp_options send"),
            (Effect(NETWORK), "setopts setpeername setsockname sockname socknames tcp_close tcp_controlling_process"),
            (Effect(NETWORK), "udp_close udp_controlling_process udp_options start_timer stop_timer timeout"),
        ],
    ),
    Module::all("gen_tcp", Effect(NETWORK), &[]),
    Module::all("gen_udp", Effect(NETWORK), &[]),
    Module::all("gen_sctp", Effect(NETWORK), &[(Code, "error_string")]),
    Module::all(
        "ssl",
        Effect(NETWORK),
        &[(Code, "format_error suite_to_str suite_to_openssl_str str_to_suite append_cipher_suites")],
    ),
    // The host has no nodes beside it, so that nothing is ever heard of one.
    Module::all("net_kernel", Effect(NETWORK), &[(Session, "longnames nodename"), (Code, "monitor_nodes/1")]),
    // Calls on the own node are processes like others; what goes to another one is refused where it leaves.
    Module::code("erpc", &[]),
    Module::code(
        "rpc",
        &[
            (Effect(NETWORK), "block_call server_call multi_server_call safe_multi_server_call abcast sbcast"),
            (Effect(NETWORK), "eval_everywhere start start_link"),
        ],
    ),
    Module::code("public_key", &[(Effect(FILES), "cacerts_get cacerts_load cacerts_clear")]),
    Module::all(
        "os",
        Effect(SYSTEM),
        &[
            // Which system this is does not change while the host runs.
            (Pure, "type version"),
            // Reading the environment and the clocks does no harm.
            (Session, "env getenv getpid perf_counter system_time timestamp"),
            (Effect(SETTINGS), "putenv set_signal unsetenv"),
            (Effect(SYSTEM), "cmd find_executable"),
        ],
    ),
    Module::all(
        "code",
        Effect(LOADING),
        &[
            // Looks at what there is. A module of the code path is loaded by its first call anyway, so loading it a
            // moment earlier changes nothing.
            (Session, "which is_loaded is_sticky is_module_native ensure_loaded ensure_modules_loaded all_loaded"),
            (Session, "all_available get_path get_mode lib_dir priv_dir root_dir compiler_dir objfile_extension"),
            (Session, "get_object_code get_doc where_is_file module_md5 module_status modified_modules get_chunk"),
        ],
    ),
    Module::code(
        "application",
        &[
            (Session, "get_env get_all_env get_key get_all_key get_application info loaded_applications"),
            (Session, "which_applications start_type"),
            // Settings are shared by everything that the VM runs.
            (Effect(SETTINGS), "set_env unset_env permit"),
            (Effect(SERVICES), "start start_boot stop ensure_started ensure_all_started takeover load unload"),
        ],
    ),
    Module::all(
        "init",
        Effect(HALTING),
        &[
            (Session, "get_argument get_arguments get_plain_arguments get_status script_id script_name"),
            (Session, "archive_extension code_path_choice objfile_extension"),
        ],
    ),
    Module::all(
        "erl_ddll",
        Effect(LOADING),
        &[
            (Pure, "format_error_int"),
            (Code, "format_error"),
            (Session, "info loaded_drivers"),
            (Effect(LOADING), "monitor demonitor try_load try_unload"),
        ],
    ),
    Module::all(
        "erts_literal_area_collector",
        Effect(LOADING),
        &[(Effect(LOADING), "release_area_switch send_copy_request")],
    ),
];

pub(super) const ALIKE: &[Alike] = &[
    (Effect(FILES), "dets_server dets_sup dets_utils dets_v9 disk_log_1 disk_log_server disk_log_sup file_sorter"),
    (Effect(FILES), "file_io_server file_server prim_loader erl_prim_loader raw_file_io raw_file_io_compressed"),
    (Effect(FILES), "raw_file_io_deflate raw_file_io_delayed raw_file_io_inflate raw_file_io_list ram_file"),
    (Effect(FILES), "wrap_log_reader log_mf_h pubkey_os_cacerts mnesia mnesia_lib logger_disk_log_h"),
    (Effect(NETWORK), "gen_tcp_socket gen_udp_socket socket net prim_inet prim_net prim_socket socket_registry"),
    (Effect(NETWORK), "inet_tcp inet_udp inet_sctp inet6_tcp inet6_udp inet6_sctp inet_tcp_dist inet6_tcp_dist"),
    (Effect(NETWORK), "inet_db inet_config inet_res inet_gethost_native inet_hosts local_tcp local_udp httpc httpd"),
    (Effect(NETWORK), "inets ftp tftp ssh ssh_client_channel ssh_connection ssh_sftp eldap erl_epmd auth net_adm"),
    (Effect(NETWORK), "global global_group global_search slave peer pool dist_ac dist_util erl_boot_server"),
    (Effect(NETWORK), "erl_distribution erl_reply odbc snmp diameter megaco"),
    (Effect(SYSTEM), "wxe_util wxe_server wxe_master gl"),
    (Effect(SYSTEM), "win32reg os_mon cpu_sup disksup memsup escript erl_signal_handler"),
    (Effect(LOADING), "code_server erts_code_purger release_handler systools erl_compile_server error_handler"),
    (Effect(HALTING), "heart erl_init"),
    (Effect(SERVICES), "application_controller application_master application_starter kernel kernel_config"),
    (Effect(SERVICES), "kernel_refc logger_server logger_sup logger_olp logger_proxy logger_handler_watcher"),
    (
        Effect(SERVICES),
        "logger_std_h logger_simple_h standard_error user user_drv user_sup erts_dirty_process_signal_handler",
    ),
    (
        Effect(TRACING),
        "dbg seq_trace ttb fprof eprof cprof cover int i etop lcnt et msacc instrument dyntrace erl_tracer",
    ),
    (Effect(TRACING), "system_information crashdump_viewer observer debugger"),
    (Effect(SHELL), "c shell shell_default edlin edlin_expand group_history"),
];
