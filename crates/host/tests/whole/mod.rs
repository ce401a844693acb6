//! The Core Erlang of a module with every function decoded.

use host::Extracted;
use term::{Term, etf};

/// The `#c_module{}` record with every function decoded.
pub fn whole_core(extracted: &Extracted) -> Result<Term, etf::DecodeError> {
    let Some([head @ .., definitions]) = extracted.core.as_tuple() else { return Ok(extracted.core.clone()) };
    let definitions: Vec<Term> = definitions.cells().map(unpacked).collect::<Result<_, _>>()?;
    let parts: Vec<Term> = head.iter().cloned().chain([Term::list(definitions)]).collect();
    Ok(Term::tuple(parts))
}

/// A definition with its function decoded.
fn unpacked(definition: &Term) -> Result<Term, etf::DecodeError> {
    match definition.as_tuple() {
        Some([name, fun]) => match fun.as_bits() {
            Some(bits) => Ok(Term::tuple([name.clone(), etf::decode(&bits.to_bytes())?])),
            None => Ok(definition.clone()),
        },
        _ => Ok(definition.clone()),
    }
}
