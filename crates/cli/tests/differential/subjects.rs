//! The functions under comparison: everything harmless that a list of library modules and our own programs export.

use std::collections::HashMap;
use std::rc::Rc;

use frontend::grammar::{Declarations, Grammar, SpecClause, TypeSource, signatures};
use host::{Host, Source};
use ops::policy::{Policy, policy};
use term::{Atom, Mfa};

/// The library modules compared.
pub const LIBRARY: &[&str] = &[
    "lists",
    "maps",
    "string",
    "binary",
    "proplists",
    "orddict",
    "ordsets",
    "gb_sets",
    "gb_trees",
    "dict",
    "sets",
    "queue",
    "array",
    "base64",
    "unicode",
    "uri_string",
    "calendar",
    "io_lib",
    "io_lib_format",
    "io_lib_pretty",
    "erl_scan",
    "erl_parse",
    "rand",
    "sofs",
    "digraph_utils",
    "unicode_util",
    "math",
    "erlang",
    "filename",
    "erl_anno",
    "erl_internal",
    "erl_pp",
    "re",
    "erl_bits",
    "otp_internal",
    "erl_eval",
    "random",
    "io_lib_fread",
];

/// Programs of our own: the language, state that belongs to a run.
pub const OWN: &[&str] =
    &["hound_language", "hound_control", "hound_data", "hound_floats", "hound_inlined", "hound_scenes", "hound_tables"];

/// Modules of another language of the VM.
pub const ELIXIR: &[&str] = &[
    "Elixir.Base",
    "Elixir.Bitwise",
    "Elixir.Date",
    "Elixir.Enum",
    "Elixir.Float",
    "Elixir.Integer",
    "Elixir.Keyword",
    "Elixir.List",
    "Elixir.Map",
    "Elixir.MapSet",
    "Elixir.Range",
    "Elixir.Regex",
    "Elixir.String",
    "Elixir.Time",
    "Elixir.Tuple",
    "Elixir.URI",
    "Elixir.Version",
];

/// A function and what its spec says.
pub struct Subject {
    pub function: Mfa,
    pub grammar: Grammar,
    pub heights: Vec<Option<u32>>,
    /// Empty: no spec.
    pub signatures: Vec<SpecClause>,
}

/// Reads declarations through the host, each module once.
pub struct Library<'a> {
    pub host: &'a mut Host,
    known: HashMap<Atom, Option<Rc<Declarations>>>,
}

impl<'a> Library<'a> {
    pub fn new(host: &'a mut Host) -> Self {
        Library { host, known: HashMap::new() }
    }

    /// What a module exports and may be called with invented arguments.
    pub fn subjects(&mut self, module: &str) -> Vec<Subject> {
        let extracted = self.host.extract(Source::Module(module.to_string()));
        let extracted = extracted.unwrap_or_else(|error| panic!("{module}: {error}"));
        let mut exports = extracted.exports.clone();
        exports.sort();
        exports.dedup();
        let named = exports.into_iter().map(|(function, arity)| Mfa { module: extracted.module, function, arity });
        named.filter(|function| harmless(*function)).map(|function| self.subject(function)).collect()
    }

    fn subject(&mut self, function: Mfa) -> Subject {
        let mut grammar = Grammar::default();
        let found = signatures(&mut grammar, self, function).unwrap_or_default();
        found.opaques.iter().for_each(|opaque| opaque.fill(&mut grammar, Vec::new()));
        grammar.close();
        let signatures = found.signatures;
        let heights = grammar.heights();
        Subject { function, grammar, heights, signatures }
    }
}

impl TypeSource for Library<'_> {
    fn exports(&mut self, _: Mfa) -> bool {
        false
    }

    fn declarations(&mut self, module: Atom) -> Option<Rc<Declarations>> {
        if let Some(known) = self.known.get(&module) {
            return known.clone();
        }
        let extracted = self.host.extract(Source::Module(module.name().to_string())).ok();
        let read = extracted.and_then(|extracted| frontend::core::read(&extracted.core).ok());
        let declarations = read.map(|module| Rc::new(Declarations::read(&module.attributes)));
        self.known.insert(module, declarations.clone());
        declarations
    }
}

/// Functions that can be called with anything: no outside effects, no state that outlives the call.
fn harmless(function: Mfa) -> bool {
    let own = OWN.contains(&function.module.name());
    let listed = matches!(function.function.name(), "module_info" | "behaviour_info");
    own || !listed && matches!(policy(function, true), Policy::Code | Policy::Pure)
}
