//! Local functions and funs: labels within the function, or functions of their own that take what they captured.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::rc::Rc;

use ir::{BlockId, Builder, Callee, Location, Op, Operand, Reg, Terminator};
use term::{Atom, Mfa};

use super::mentions::{Mention, mentions};
use super::place::Place;
use super::{Kind, Lifting, Lowering};
use crate::flat::{Fun, Lambda, Letrec, Name, Var};

/// The local functions that are known here, the innermost last.
#[derive(Clone, Default)]
pub struct Scope(Vec<(Name, Local)>);

/// A local function in scope.
#[derive(Clone)]
pub enum Local {
    Label(Rc<Label>),
    Lifted(Lifted),
}

/// A function of its own; captured values are its last arguments.
#[derive(Clone)]
pub struct Lifted {
    /// Its name in the graph.
    pub function: Mfa,
    /// The variables that it captures.
    pub captured: Rc<[Var]>,
    /// The scope of its definition.
    pub kind: Reach,
}

/// The place of the definition of a function.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// Inside the source function.
    Unit,
    /// Elsewhere in the module.
    Module,
}

impl Lifted {
    /// The number of arguments of a call of it.
    pub fn arity(&self) -> usize {
        usize::from(self.function.arity).saturating_sub(self.captured.len())
    }
}

/// A local function that is a block.
pub struct Label {
    block: BlockId,
    params: Vec<Option<Reg>>,
    is_used: Cell<bool>,
}

impl Lifting<'_> {
    /// A function of the unit that does nothing but call one of the module: the one that its fun value is made of.
    pub fn stand_in(&mut self, function: Mfa) -> Mfa {
        let text = format!("-fun.{}/{}-", function.function.name(), function.arity);
        let name = Mfa { function: Atom::new(&text), ..function };
        if self.taken.insert(name) {
            let mut builder = Builder::new();
            let params: Vec<Reg> = (0..function.arity).map(|_| builder.register()).collect();
            let args = params.iter().copied().map(Operand::Reg).collect();
            builder.end(Terminator::TailCall { callee: Callee::Local(function), args }, Location::NONE);
            self.functions.push(Some(builder.finish(name, params, 0, Location::NONE)));
        }
        name
    }
}

impl Scope {
    /// The local function of that name.
    pub fn find(&self, name: Name) -> Option<Local> {
        self.0.iter().rev().find(|(known, _)| *known == name).map(|(_, local)| local.clone())
    }

    /// The part of a scope that another function can see.
    fn lifted(&self) -> Scope {
        let is_lifted = |(_, local): &&(Name, Local)| matches!(local, Local::Lifted(_));
        Scope(self.0.iter().filter(is_lifted).cloned().collect())
    }
}

impl<'a> Lowering<'_, 'a> {
    /// Lowers a `letrec`.
    pub fn letrec(&mut self, letrec: &'a Letrec, place: &Place) {
        let before = self.scope.0.len();
        if self.lifting.labels.has(letrec) {
            self.labels(letrec, place);
        } else {
            self.lift_all(letrec);
            self.closed(&letrec.body, self.closing_of(letrec), place);
        }
        self.scope.0.truncate(before);
    }

    fn labels(&mut self, letrec: &'a Letrec, place: &Place) {
        let (at, mut open) = (self.at, Vec::new());
        for (name, lambda) in &letrec.functions {
            let params = lambda.params.iter().map(|var| self.wanted_register(*var)).collect();
            let block = self.builder.block(self.handler);
            let label = Rc::new(Label { block, params, is_used: Cell::new(false) });
            self.scope.0.push((*name, Local::Label(Rc::clone(&label))));
            open.push((label, lambda));
        }
        self.closed(&letrec.body, self.closing_of(letrec), place);
        while let Some(next) = open.iter().position(|(label, _)| label.is_used.get()) {
            let (label, lambda) = open.remove(next);
            self.builder.start(label.block);
            self.at = at;
            self.stand_at(lambda.location);
            self.closed(&lambda.body, self.closing_of_label(lambda), place);
        }
    }

    /// Goes to a label with new values for its parameters, all at once: a value may be that of another parameter.
    pub fn jump(&mut self, label: &Label, args: Vec<Operand>) {
        if args.len() != label.params.len() {
            self.fail(format!("{} arguments for a label with {} parameters", args.len(), label.params.len()));
        }
        label.is_used.set(true);
        let mut moves: Vec<(Reg, Operand)> = Vec::new();
        for (to, mut from) in label.params.iter().zip(args) {
            let Some(to) = *to else { continue };
            if from.register() == Some(to) {
                continue;
            }
            if moves.iter().any(|(written, _)| from.register() == Some(*written)) {
                let saved = self.builder.register();
                self.copy(saved, from);
                from = saved.into();
            }
            moves.push((to, from));
        }
        moves.into_iter().for_each(|(to, from)| self.copy(to, from));
        self.builder.jump(label.block, self.at);
    }

    fn lift_all(&mut self, letrec: &'a Letrec) {
        let captured: Rc<[Var]> = self.free(letrec.functions.iter().map(|(_, lambda)| lambda)).into();
        let names: Vec<Mfa> =
            letrec.functions.iter().map(|(name, lambda)| self.local_name(*name, lambda, &captured)).collect();
        let lifted = |function| Local::Lifted(Lifted { function, captured: Rc::clone(&captured), kind: Reach::Unit });
        for ((name, _), function) in letrec.functions.iter().zip(&names) {
            self.scope.0.push((*name, lifted(*function)));
        }
        for ((_, lambda), function) in letrec.functions.iter().zip(&names) {
            self.lifting.add(*function, lambda, &captured, self.scope.lifted(), Kind::Local);
        }
    }

    /// The name that the VM gives the function.
    fn local_name(&mut self, name: Name, lambda: &Lambda, captured: &[Var]) -> Mfa {
        let (top, number) = (self.lifting.top, self.lifting.count);
        self.lifting.count += 1;
        let text = format!("-{}/{}-{}/{}-{number}-", top.function.name(), top.arity, name.function.name(), name.arity);
        self.mfa(Atom::new(&text), lambda.params.len() + captured.len())
    }

    /// Lowers a `fun` expression.
    pub fn fun(&mut self, fun: &'a Fun, place: &Place) {
        let vars = self.free([&fun.lambda]);
        let mut function = self.mfa(fun.name, fun.lambda.params.len() + vars.len());
        while self.lifting.taken.contains(&function) {
            function.function = Atom::new(&format!("{}'", function.function.name()));
        }
        self.lifting.add(function, &fun.lambda, &vars, self.scope.lifted(), Kind::Source);
        let captured = vars.iter().map(|var| self.variable(*var)).collect();
        self.operation(place, |to| Op::Closure { to, function, captured });
    }

    /// The variables that lambdas take from outside, by themselves or by the local functions that they name.
    fn free<'l>(&self, lambdas: impl IntoIterator<Item = &'l Lambda>) -> Vec<Var> {
        let (mut used, mut bound) = (BTreeSet::new(), BTreeSet::new());
        for lambda in lambdas {
            mentions(lambda, &mut |mention| match mention {
                Mention::Use(var) => drop(used.insert(var)),
                Mention::Bind(var) => drop(bound.insert(var)),
                Mention::Function(name) => {
                    if let Some(Local::Lifted(Lifted { captured, .. })) = self.scope.find(name) {
                        used.extend(captured.iter().copied());
                    }
                }
            });
        }
        used.difference(&bound).copied().collect()
    }
}
