//! Lowering: from the flat program to the graph, one elementary test per branch.
//!
//! A body is lowered into a `Place` that says what happens to its values: they are returned, put into
//! registers, or decide a branch. Variables are names for operands, so that naming a value costs nothing. A boolean
//! that cannot fail and is looked at once is not computed where it is bound but where it decides something (see
//! `condition`). Clauses are tried in source order, their patterns from left to right; what fails goes to the next
//! clause. Local functions become labels where all their calls are jumps, and are lifted out otherwise.

mod body;
mod call;
mod case;
mod condition;
mod fused;
mod guard;
mod labels;
mod local;
mod mentions;
mod observe;
mod pattern;
mod place;
mod protect;
mod value;

use std::collections::BTreeSet;
use std::rc::Rc;

use ir::{Builder, Location, Reg, Unit};
use rustc_hash::{FxHashMap, FxHashSet};
use term::{Atom, Mfa};

use self::condition::Condition;
use self::labels::Labels;
use self::local::{Lifted, Scope};
use self::mentions::{Mention, mentions};
use self::place::Place;
use crate::flat::{Body, Function, Lambda, LetStep, Module, Var, are_vars};
use crate::instrument::Sites;

/// A flat function that is not well formed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{function} at {}:{}: {problem}", .location.line, .location.column)]
pub struct LowerError {
    /// The function.
    pub function: Mfa,
    /// The source place.
    pub location: Location,
    /// The problem, in words.
    pub problem: String,
}

/// Lowers one function of a module, and whatever is lifted out of it.
pub fn lower(module: &Module, function: &Function) -> Result<Unit, LowerError> {
    lower_with(module, function, None)
}

/// The same with operations that emit the function's events.
pub fn lower_observed(module: &Module, function: &Function, sites: &Sites) -> Result<Unit, LowerError> {
    lower_with(module, function, Some(sites))
}

fn lower_with(module: &Module, function: &Function, sites: Option<&Sites>) -> Result<Unit, LowerError> {
    let name = Mfa { module: module.name, function: function.name, arity: function.arity };
    let mut lifting = Lifting::new(name, function, sites);
    lifting.add(name, &function.lambda, &[], Scope::default(), Kind::Source);
    if let Some(error) = lifting.error {
        return Err(error);
    }
    let functions = lifting.functions.into_iter().flatten().collect();
    let unit = Unit { functions, files: module.files.clone(), shown: Vec::new() };
    #[cfg(debug_assertions)]
    assert_eq!(ir::verify(&unit), [], "{unit}");
    Ok(unit)
}

/// The state that all functions of one unit share.
struct Lifting<'a> {
    top: Mfa,
    names: &'a [String],
    /// The number of uses of each variable.
    uses: Vec<u32>,
    labels: Labels,
    /// Finished functions, in the order in which their definitions were met.
    functions: Vec<Option<ir::Function>>,
    taken: BTreeSet<Mfa>,
    /// The number of local functions with a name so far.
    count: u32,
    error: Option<LowerError>,
    /// The sites of events, if they are emitted.
    sites: Option<&'a Sites>,
}

impl<'a> Lifting<'a> {
    fn new(top: Mfa, function: &'a Function, sites: Option<&'a Sites>) -> Self {
        let mut uses = vec![0; function.names.len()];
        mentions(&function.lambda, &mut |mention| {
            if let Mention::Use(Var(var)) = mention {
                let at = var as usize;
                if at >= uses.len() {
                    uses.resize(at + 1, 0);
                }
                uses[at] += 1;
            }
        });
        let labels = Labels::of(&function.lambda);
        let (names, functions) = (&*function.names, Vec::new());
        Lifting { top, names, uses, labels, functions, taken: BTreeSet::new(), count: 0, error: None, sites }
    }

    fn uses(&self, var: Var) -> u32 {
        self.uses.get(var.0 as usize).copied().unwrap_or(0)
    }

    fn fail(&mut self, location: Location, problem: String) {
        self.error.get_or_insert(LowerError { function: self.top, location, problem });
    }

    /// Lowers a lambda as a function of its own.
    fn add(&mut self, name: Mfa, lambda: &'a Lambda, captured: &[Var], scope: Scope, kind: Kind) {
        let slot = self.functions.len();
        self.functions.push(None);
        self.taken.insert(name);
        let function = term::deeper(|| Lowering::new(self, scope, kind).function(name, lambda, captured));
        self.functions[slot] = Some(function);
    }
}

/// The origin of a function.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A function or a fun.
    Source,
    /// A local function: made of a comprehension, or a fun with a name.
    Local,
}

/// The meaning of a variable.
#[derive(Clone)]
enum Binding<'a> {
    Operand(ir::Operand),
    /// A boolean that is computed where it is needed.
    Condition(Rc<Condition<'a>>),
    /// A named function, made into a fun where it is used as a value.
    Function(Lifted),
}

/// One function that is being lowered.
struct Lowering<'u, 'a> {
    lifting: &'u mut Lifting<'a>,
    builder: Builder,
    bindings: FxHashMap<Var, Binding<'a>>,
    /// Variables whose values are surely `true` or `false`.
    booleans: FxHashSet<Var>,
    scope: Scope,
    /// The handler of exceptions.
    handler: Option<ir::BlockId>,
    /// Guards are no choices of the source: their inner clauses are not announced.
    in_guard: bool,
    /// The parameters whose case is the choice between the function's own clauses.
    params: Vec<Var>,
    /// True if the function's own clauses may still come: it is none that a comprehension is made of, and no choice
    /// was met yet.
    at_start: bool,
    /// The place in the source that was last known.
    at: Location,
}

impl<'u, 'a> Lowering<'u, 'a> {
    fn new(lifting: &'u mut Lifting<'a>, scope: Scope, kind: Kind) -> Self {
        Lowering {
            lifting,
            builder: Builder::new(),
            bindings: FxHashMap::default(),
            booleans: FxHashSet::default(),
            scope,
            handler: None,
            in_guard: false,
            params: Vec::new(),
            at_start: kind == Kind::Source,
            at: Location::NONE,
        }
    }

    fn function(mut self, name: Mfa, lambda: &'a Lambda, captured: &[Var]) -> ir::Function {
        self.at = lambda.location;
        self.params.clone_from(&lambda.params);
        let all = lambda.params.iter().chain(captured);
        let params: Vec<Reg> = all.map(|var| self.new_register(*var)).collect();
        match self.is_observed() {
            true => self.observed_function(lambda),
            false => self.body(&lambda.body, &Place::Return),
        }
        self.builder.finish(name, params, captured.len() as u32, lambda.location)
    }

    /// A register of its own for a variable.
    fn new_register(&mut self, var: Var) -> Reg {
        let reg = self.builder.register();
        self.bindings.insert(var, Binding::Operand(ir::Operand::Reg(reg)));
        reg
    }

    fn fail(&mut self, problem: impl Into<String>) {
        self.lifting.fail(self.at, problem.into());
    }

    fn name(&self, var: Var) -> &str {
        self.lifting.names.get(var.0 as usize).map_or("a variable without a name", |name| name)
    }

    fn mfa(&mut self, function: Atom, arity: usize) -> Mfa {
        let module = self.lifting.top.module;
        let arity = u8::try_from(arity).unwrap_or_else(|_| {
            self.fail(format!("{function} would have {arity} parameters, and 255 is the most"));
            u8::MAX
        });
        Mfa { module, function, arity }
    }
}

/// True if a step, being a body's last, gives the body's values.
fn is_tail(last: &LetStep, body: &Body) -> bool {
    are_vars(&body.result, &last.binds)
}

#[cfg(test)]
mod tests;
