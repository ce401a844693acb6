//! Points at which opaque functions are known, kept from one exploration to the next.

use exec::forward::is_closure_data;
use term::Term;

use super::MachineSubject;

/// Points of a function that are kept at most.
const KEPT_POINTS: usize = 256;

impl MachineSubject<'_> {
    /// Keeps points of opaque functions for later explorations.
    pub(super) fn keep_points(&mut self) {
        let samples = &self.recorder.arena.samples;
        if !self.recorder.arena.has_opaque() {
            return;
        }
        for function in samples.functions() {
            let points: Vec<Vec<Term>> = samples.points(function).map(|(args, _)| args.to_vec()).collect();
            let steady = !samples.is_stateful(function) && !samples.is_unsteady(function);
            if steady && !points.is_empty() {
                let before = self.world.points(function);
                if let Some(points) = merged(points, before) {
                    self.world.keep_points(function, &points);
                }
            }
        }
    }
}

/// The points to be kept of new and old ones; `None` if they are the old ones.
fn merged(new: Vec<Vec<Term>>, before: Vec<Vec<Term>>) -> Option<Vec<Vec<Term>>> {
    let plain = |args: &Vec<Term>| args.iter().all(is_plain);
    let mut points: Vec<Vec<Term>> = new.into_iter().filter(plain).take(KEPT_POINTS).collect();
    if points.iter().all(|point| before.contains(point)) {
        return None;
    }
    for point in before {
        if points.len() < KEPT_POINTS && !points.contains(&point) {
            points.push(point);
        }
    }
    Some(points)
}

/// True if a term means the same in another VM.
fn is_plain(term: &Term) -> bool {
    term::deeper(|| match term {
        Term::Handle(..) | Term::Fun(..) => false,
        Term::Tuple(..) if is_closure_data(term) => false,
        Term::Tuple(_, items) => items.iter().all(is_plain),
        Term::Map(_, map) => map.iter().all(|(key, value)| is_plain(key) && is_plain(value)),
        Term::Cons(..) => {
            let mut cells = term.cells();
            cells.by_ref().all(is_plain) && is_plain(cells.rest())
        }
        _ => true,
    })
}
