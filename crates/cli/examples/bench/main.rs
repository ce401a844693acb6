//! `make bench`: the machine beside the BEAM, then the search: paths, first findings, first findings in projects, queries, growth, PropEr's crashes,
//! inversions, the walk, opaque functions, the two engines, targets, the walls around a VM.
//!
//! Words choose parts: `cargo run --release -p cli --example bench -- paths growth`.

mod beam;
mod corpus;
mod engine;
mod explored;
mod first;
mod growth;
mod inversion;
mod opaque;
#[path = "../../tests/corpus/oracle.rs"]
#[allow(dead_code, reason = "the tests read more of an oracle")]
mod oracle;
mod paths;
mod projects;
mod proper;
mod reach;
mod schedules;
mod share;
mod walk;
mod walls;

use std::path::PathBuf;
use std::time::Duration;

#[global_allocator]
static ALLOCATOR: cli::allocator::Allocator = cli::allocator::Allocator;

type Part = (&'static str, fn() -> Result<(), String>);

const PARTS: [Part; 14] = [
    ("beam", beam::print),
    ("paths", paths::print),
    ("first", first::print),
    ("projects", projects::print),
    ("share", share::print),
    ("growth", growth::print),
    ("proper", proper::print),
    ("inversion", inversion::print),
    ("walk", walk::print),
    ("opaque", opaque::print),
    ("engine", engine::print),
    ("reach", reach::print),
    ("schedules", schedules::print),
    ("walls", walls::print),
];

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let work = move || match words.split_first() {
        Some((word, rest)) if word == explored::WORD => explored::child(rest),
        Some((word, rest)) if word == reach::WORD => reach::child(rest),
        _ => all(&words),
    };
    let worker = std::thread::Builder::new().stack_size(256 << 20).spawn(work).expect("a thread");
    if let Err(problem) = worker.join().expect("no panic") {
        eprintln!("bench: {problem}");
        std::process::exit(2);
    }
}

fn all(words: &[String]) -> Result<(), String> {
    let names = PARTS.map(|(name, _)| name);
    if let Some(word) = words.iter().find(|word| !names.contains(&word.as_str())) {
        return Err(format!("no part is called {word}: there are {}", names.join(", ")));
    }
    let wanted = |name: &str| words.is_empty() || words.iter().any(|word| word == name);
    for (at, (_, print)) in PARTS.iter().filter(|(name, _)| wanted(name)).enumerate() {
        if at > 0 {
            println!();
        }
        print()?;
    }
    Ok(())
}

fn repository() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

fn median(times: &[Duration]) -> Duration {
    let mut sorted = times.to_vec();
    sorted.sort_unstable();
    sorted.get(sorted.len() / 2).copied().unwrap_or_default()
}
