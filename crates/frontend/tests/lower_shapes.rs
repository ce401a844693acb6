//! The graphs of small functions, one construct each, as text.
//!
//! `UPDATE_SHAPES=1 cargo test -p frontend --test lower_shapes` writes the text anew; read the difference.

// The crate is pure; its tests ask the real VM.
#![allow(clippy::disallowed_methods)]

mod truth;

use std::{env, fs};

use frontend::{core, flat, lower};
use truth::Comparison;

#[test]
fn small_functions_have_these_graphs() {
    let text = graphs();
    let file = truth::source("graph_shapes.ir");
    if env::var_os("UPDATE_SHAPES").is_some() {
        fs::write(&file, &text).unwrap();
    }
    let wanted = fs::read_to_string(file).unwrap();
    for (found, wanted) in text.split("\nfunction ").zip(wanted.split("\nfunction ")) {
        assert_eq!(found, wanted);
    }
    assert!(text.split("\nfunction ").count() > 10, "{text}");
    assert_eq!(text.len(), wanted.len());
}

/// The graphs of all functions, one after the other.
fn graphs() -> String {
    let place = Comparison::new("graph-shapes");
    let beam = place.build("graph_shapes.erl");
    let module = core::read(&place.extract(beam.to_str().unwrap())[0]).unwrap();
    let (module, errors) = flat::flatten_module(&module, "graph_shapes.erl");
    assert!(errors.is_empty(), "{errors:?}");
    let written = module.functions.iter().filter(|function| function.name.name() != "module_info");
    let functions = written.flat_map(|function| lower::lower(&module, function).unwrap().functions);
    functions.map(|function| format!("{function}\n")).collect()
}
