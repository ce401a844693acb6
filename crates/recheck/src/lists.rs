//! The end, the length and the characters of lists, and the names of constant atoms.

use rustc_hash::FxHashSet;
use term::Term;

use crate::commands::{and, or};
use crate::encode::ClaimEncoder;

/// Cells of a list that are looked at beyond those that conditions name.
const BEYOND: usize = 5;
/// Cells that are looked at in all.
const MOST: usize = 2000;

impl ClaimEncoder<'_> {
    /// States the facts about the lists that conditions are about, cell by cell.
    pub fn state_lists(&mut self) {
        self.state_names();
        let mut seen = FxHashSet::default();
        let mut todo: Vec<(String, usize)> =
            std::mem::take(&mut self.lists).into_iter().map(|list| (list, BEYOND)).collect();
        while let Some((list, beyond)) = todo.pop() {
            if seen.len() > MOST || !seen.insert(list.clone()) {
                continue;
            }
            let (head, tail) = (format!("(hd {list})"), format!("(tl {list})"));
            let known = self.parts.get(&tail).cloned();
            let tail = known.clone().unwrap_or(tail);
            let [is_nil, is_cons] = ["isnil", "iscons"].map(|tester| format!("({tester} {list})"));
            let proper = or([is_nil.clone(), and([&*is_cons, &*format!("(proper {tail})")])]);
            self.script.assert(&format!("(= (proper {list}) {proper})"));
            if self.texts {
                let first = and([&*is_cons, &*format!("(ischar {head})"), &*format!("(text {tail})")]);
                self.script.assert(&format!("(= (text {list}) {})", or([&is_nil, &first])));
                self.script.assert_if(&format!("(text {list})"), &format!("(proper {list})"));
            }
            self.script.assert(&format!("(>= (len {list}) 0)"));
            self.script.assert_if(&is_nil, &format!("(= (len {list}) 0)"));
            self.script.assert_if(&is_cons, &format!("(= (len {list}) (+ 1 (len {tail})))"));
            match known {
                Some(tail) => todo.push((tail, beyond)),
                None if beyond > 0 => todo.push((tail, beyond - 1)),
                None => self.script.assert(&format!("(>= (len {tail}) 0)")),
            }
        }
    }

    /// States the names of the atoms that are constants.
    fn state_names(&mut self) {
        if !self.names {
            return;
        }
        let atoms: Vec<_> = self.literals.atoms.iter().map(|(atom, _)| *atom).collect();
        for atom in atoms {
            let (text, name) = (self.atom(atom), self.literal(&Term::string(atom.name())));
            self.script.assert(&format!("(and (= (name {text}) {name}) (= (named {name}) {text}))"));
        }
    }
}
