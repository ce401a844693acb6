//! Writes the Core Erlang of a module to standard output, as external term format: `extract lists > lists.etf`.

#[path = "../tests/whole/mod.rs"]
mod whole;

use std::io::Write;
use std::path::PathBuf;

use host::{ErlOptions, Host, Options, Source};
use term::etf;
use whole::whole_core;

fn main() {
    let Some(what) = std::env::args().nth(1) else {
        return eprintln!("usage: extract MODULE|FILE.beam|FILE.erl|FILE.core");
    };
    let path = PathBuf::from(&what);
    let source = match path.extension().and_then(|end| end.to_str()) {
        Some("beam") => Source::BeamFile(path),
        Some("erl") => Source::ErlFile { path, options: ErlOptions::default() },
        Some("core") => Source::CoreFile(path),
        _ => Source::Module(what),
    };
    let mut host = Host::start(Options::default()).unwrap_or_else(|error| panic!("{error}"));
    match host.extract(source) {
        Ok(extracted) => {
            let core = whole_core(&extracted).expect("what was encoded can be decoded");
            let bytes = etf::encode(&core).expect("Core Erlang holds no closures");
            std::io::stdout().write_all(&bytes).expect("standard output takes it");
        }
        Err(error) => eprintln!("{error}"),
    }
}
