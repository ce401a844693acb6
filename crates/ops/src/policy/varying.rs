//! Which answers of the VM differ from run to run though the program does the same.

use term::Mfa;

use super::Policy;
use super::table;

/// State that belongs to the run: what it gives follows from what the run did before. Modules, or functions of one.
const OWN: &[(&str, &str)] = &[
    ("erlang", "get put erase get_keys display display_nl display_string garbage_collect bump_reductions yield"),
    // Names that no program can tell from others.
    ("erlang", "make_ref self group_leader apply"),
    ("erts_internal", "atomics_new counters_new counters_get counters_add counters_put counters_info garbage_collect"),
    ("binary", "compile_pattern"),
    ("ets", "*"),
    ("atomics", "*"),
    ("persistent_term", "put get erase"),
    ("io", "format fwrite put_chars write nl"),
    ("logger", "emergency alert critical error warning notice info debug log macro_log"),
    ("error_logger", "error_msg error_report error_info info_msg info_report warning_msg warning_report format"),
    ("zlib", "*"),
    ("prim_buffer", "*"),
    ("crypto", "hash_init hash_update hash_final mac_init mac_update mac_final mac_finalN"),
];

/// Whether a call gives a name that is new in every run: no program can tell it from others, but everything that the run
/// says of it must mean the same one.
pub fn names(mfa: Mfa) -> bool {
    mfa.module.name() == "erlang" && mfa.arity == 0 && matches!(mfa.function.name(), "self" | "make_ref")
}

/// Whether a call may answer otherwise the next time: a clock, chance, settings, something outside that was allowed.
pub fn varies(mfa: Mfa) -> bool {
    let (module, name) = (mfa.module.name(), mfa.function.name());
    let is_own =
        |(own, names): &(&str, &str)| *own == module && (*names == "*" || names.split(' ').any(|one| one == name));
    match table::lookup(mfa) {
        Some(Policy::Session | Policy::Effect(_) | Policy::Process) => !OWN.iter().any(is_own),
        Some(Policy::Pure) => false,
        Some(Policy::Code) | None => !OWN.iter().any(is_own),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use term::Atom;

    #[test]
    fn clocks_and_chance_vary_and_tables_do_not() {
        let varies = |module, function, arity| {
            super::varies(Mfa { module: Atom::new(module), function: Atom::new(function), arity })
        };
        assert!(varies("erlang", "system_time", 0) && varies("crypto", "strong_rand_bytes", 1));
        assert!(varies("file", "read_file", 1));
        assert!(!varies("ets", "lookup", 2) && !varies("erlang", "put", 2) && !varies("erlang", "phash2", 1));
    }
}
