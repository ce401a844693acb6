//! Atoms and their names.

use constraint::{Expr, Test, Type};
use term::{Atom, Mfa, Term};

use super::watch::Watch;
use crate::forward::machine::{Cursor, Engine};

const IS_ATOM: u32 = 0;
const IS_NAME: u32 = 1;

/// Atoms of the program that a text is compared with, at most.
const MOST_ATOMS: usize = 64;

/// The name of an atom that no program has: what it takes to see a program meet one.
const ABSENT: &str = "no_such_atom";

impl Watch<'_> {
    /// `atom_to_list(A)`.
    pub fn name_of(&mut self, atom: &Term) -> Option<Expr> {
        let expr = self.expr_of(atom)?;
        let is_atom = self.is(IS_ATOM, atom, Type::Atom);
        let known = self.recorder.facts.constant(&self.recorder.arena, expr).is_some();
        (is_atom && !known).then(|| self.recorder.arena.name(expr))
    }

    /// `list_to_atom(Text)`, all of which was asked about.
    pub fn atom_of(&mut self, text: &Term) -> Option<Expr> {
        constraint::of_text(text)?;
        let expr = self.expr(text);
        Some(self.recorder.arena.atom(expr))
    }

    /// Records whether it is a list of characters; with `longest`, whether it has more of them before anything else counts.
    pub fn is_text(&mut self, list: &Term, longest: Option<u8>) {
        let mut rest = list;
        let mut left = longest;
        while let (Term::Cons(_, cell), false) = (rest, rest.mark().is_some()) {
            if left == Some(0) {
                return;
            }
            if let Some(head) = self.expr_of(&cell.head) {
                self.is_character(head, &cell.head);
            }
            if !constraint::is_character(&cell.head) {
                return;
            }
            rest = &cell.tail;
            left = left.map(|left| left - 1);
        }
        self.is(IS_NAME, rest, left.map_or(Type::Text, Type::LongText));
    }

    /// A list of one character is text.
    fn is_character(&mut self, head: Expr, value: &Term) {
        let arena = &mut self.recorder.arena;
        let nil = arena.literal(Term::nil());
        let list = arena.cons(head, nil);
        self.ask(IS_NAME, Test::Type(list, Type::Text), constraint::is_character(value));
    }

    /// `list_to_existing_atom(Text)` and its like. Which atoms exist is the VM's to say: those of the program are asked
    /// for by name, and whatever else it may be is held to its value.
    fn existing(&mut self, function: Mfa, text: &Term, atoms: &[Atom]) {
        let literal = |name: &str| match text {
            Term::Bits(..) => Term::binary(name),
            _ => Term::string(name),
        };
        let names = atoms.iter().map(|atom| atom.name()).chain([ABSENT]);
        for name in names {
            let literal = literal(name);
            self.same(text, &literal);
            if *text == literal {
                return;
            }
        }
        self.pin_all(function, [text]);
    }
}

impl Engine<'_> {
    /// An operation is about to look for an atom.
    pub fn observe_existing(&mut self, at: Cursor, function: Mfa, args: &[Term]) {
        let modules = {
            let here = self.program.owner(self.address(at)).map(|owner| owner.name.module);
            let root = self.recorder.as_deref().and_then(|recorder| recorder.module);
            root.into_iter().chain(here.filter(|here| Some(*here) != root))
        };
        let mut atoms: Vec<Atom> = modules.flat_map(|module| self.state.world.atoms(module)).collect();
        atoms.truncate(MOST_ATOMS);
        let Some(mut watch) = self.watch(at) else { return };
        let [text, others @ ..] = args else { return };
        watch.pin_all(function, others);
        if matches!(text, Term::Bits(..) | Term::Cons(..) | Term::Nil(_)) {
            watch.existing(function, text, &atoms);
        } else {
            watch.pin_all(function, [text]);
        }
    }
}
