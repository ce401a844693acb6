//! Arguments with which opaque functions were observed, kept by the content of the module that defines them.
//!
//! Only the points are kept, never what the function gave there: its user calls the function again.

use term::{Mfa, Term, etf};

use crate::cache::Key;
use crate::host::Host;

/// Bytes of all points of a function.
const MOST_BYTES: usize = 1 << 18;

impl Host {
    /// Lists of arguments with which a function was called, of a module with that content.
    pub fn points(&self, function: Mfa, content: &[u8; 16]) -> Vec<Vec<Term>> {
        let read = || self.cache.read_samples(&key(function, content));
        let data = self.options.use_cache.then(read).flatten();
        let kept = data.and_then(|data| etf::decode(&data).ok());
        let points = kept.and_then(|kept| kept.proper_list()).unwrap_or_default();
        let point = |point: Term| point.proper_list().filter(|args| args.len() == usize::from(function.arity));
        points.into_iter().filter_map(point).collect()
    }

    /// Keeps such lists; those that cannot be written down are left out.
    pub fn keep_points(&self, function: Mfa, content: &[u8; 16], points: &[Vec<Term>]) {
        let lists: Vec<Term> = points.iter().map(|args| Term::list(args.clone())).collect();
        if let Some(data) = etf::encode(&Term::list(lists)).ok().filter(|data| data.len() <= MOST_BYTES)
            && self.options.use_cache
        {
            self.cache.write_samples(&key(function, content), &data);
        }
    }
}

fn key(function: Mfa, content: &[u8; 16]) -> Key {
    Key::of(&[b"samples", function.to_string().as_bytes(), content])
}
