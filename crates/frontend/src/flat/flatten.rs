//! Flattening: from nested expressions to rows of steps.
//!
//! An expression is evaluated by appending steps to the body under construction and naming its values; so arguments
//! are evaluated left to right, each before the next, and what is left of them are values.

use ir::{Location, Primitive};
use term::{Atom, Term};

use super::scope::Scope;
use super::{Action, Body, Callee, Function, Lambda, LetStep, Letrec, Name, Segment, Try, Value, Var};
use crate::core::{self, CoreError, Expr, Id, LocatedExpr, Variable};

pub(super) type Flat<T> = Result<T, CoreError>;

/// The flat form of one function.
pub fn flatten(function: &core::Function) -> Result<Function, CoreError> {
    let mut flattener = Flattener { source: function, scope: Scope::default(), funs: 0, nesting: 0 };
    let lambda = flattener.lambda(&function.fun, function.location, 1);
    let lambda = lambda.map_err(|error| error.within(function.name))?;
    let Name { function: name, arity } = function.name;
    Ok(Function { name, arity, lambda, names: flattener.scope.names })
}

pub(super) struct Flattener<'a> {
    /// The function in Core Erlang.
    pub source: &'a core::Function,
    /// The names in scope.
    pub scope: Scope,
    /// The number of funs without a name of their own so far.
    funs: u32,
    /// The depth of the value under construction.
    pub nesting: u32,
}

/// The use of an expression's values.
#[derive(Clone, Copy)]
pub(super) enum Want<'w> {
    /// Nothing: only what it does counts.
    Nothing,
    /// So many values.
    Values(usize),
    /// A value for each of these variables, which are about to be bound.
    Named(&'w [Variable]),
}

impl Want<'_> {
    /// The number of values of the expression: one, even if it is not used.
    fn count(self) -> usize {
        match self {
            Want::Nothing => 1,
            Want::Values(count) => count,
            Want::Named(vars) => vars.len(),
        }
    }
}

impl<'a> Flattener<'a> {
    /// Appends what evaluates the expression and returns its values.
    pub fn expr(&mut self, id: Id, want: Want, steps: &mut Vec<LetStep>) -> Flat<Vec<Value>> {
        let mark = self.scope.mark();
        let values = term::deeper(|| self.open(id, want, steps));
        self.scope.reset(mark);
        values
    }

    /// Like [`Flattener::expr`] for an expression with one value.
    pub fn single(&mut self, id: Id, steps: &mut Vec<LetStep>) -> Flat<Value> {
        let node = self.source.node(id);
        // Most arguments are these, and need nothing more.
        if let Expr::Literal(_) | Expr::Variable(_) = node.expr {
            return self.value(id, steps).map_err(|error| error.at(node.location.line));
        }
        let mut values = self.expr(id, Want::Values(1), steps)?;
        values.pop().ok_or_else(|| CoreError::new("an expression without a value stands where one is needed"))
    }

    /// Flattens expressions that give one value each.
    pub fn singles(&mut self, ids: &[Id], steps: &mut Vec<LetStep>) -> Flat<Vec<Value>> {
        ids.iter().map(|&id| self.single(id, steps)).collect()
    }

    /// A body of its own for an expression with `count` values.
    pub fn body(&mut self, id: Id, count: usize) -> Flat<Body> {
        let mut steps = Vec::new();
        let result = self.expr(id, Want::Values(count), &mut steps);
        // Built before the error is looked at: freeing deep steps is the body's business.
        let body = Body::new(steps, Vec::new());
        result.map(|result| {
            let mut body = body;
            body.result = result;
            body
        })
    }

    /// Walks down a chain of `let` and `do` without recursion; what they bind stays in scope.
    fn open(&mut self, mut id: Id, want: Want, steps: &mut Vec<LetStep>) -> Flat<Vec<Value>> {
        let source = self.source;
        loop {
            let node = source.node(id);
            match &node.expr {
                Expr::Let { vars, arg, body } => {
                    self.bind(vars, *arg, node.location, steps)?;
                    id = *body;
                }
                Expr::Seq { first, then } => {
                    self.expr(*first, Want::Nothing, steps)?;
                    id = *then;
                }
                _ => return self.last(id, want, steps).map_err(|error| error.at(node.location.line)),
            }
        }
    }

    fn bind(&mut self, vars: &[Variable], arg: Id, location: Location, steps: &mut Vec<LetStep>) -> Flat<()> {
        let values = self.expr(arg, Want::Named(vars), steps)?;
        let (mut binds, mut rest) = (Vec::new(), Vec::new());
        let mut bound = Vec::new();
        for (&variable, value) in vars.iter().zip(values) {
            let var = match value {
                Value::Var(var) => var,
                value => {
                    let var = self.scope.fresh(variable);
                    binds.push(var);
                    rest.push(value);
                    var
                }
            };
            bound.push((variable, var));
        }
        if !binds.is_empty() {
            steps.push(LetStep { binds, action: Action::Values(rest), location });
        }
        bound.into_iter().for_each(|(variable, var)| self.scope.bind(variable, var));
        Ok(())
    }

    /// An expression that is neither `let` nor `do`: values, or one last step.
    fn last(&mut self, id: Id, want: Want, steps: &mut Vec<LetStep>) -> Flat<Vec<Value>> {
        let source = self.source;
        let node = source.node(id);
        let values = match &node.expr {
            Expr::Values(items) => self.singles(items, steps)?,
            Expr::Literal(_) | Expr::Variable(_) | Expr::Function(_) | Expr::Cons { .. } | Expr::Tuple(_) => {
                vec![self.value(id, steps)?]
            }
            _ => return self.step(node, want, steps),
        };
        match values.len() == want.count() {
            true => Ok(values),
            false => Err(CoreError::new(format!("{} values stand where {} should", values.len(), want.count()))),
        }
    }

    fn step(&mut self, node: &'a LocatedExpr, want: Want, steps: &mut Vec<LetStep>) -> Flat<Vec<Value>> {
        let action = self.action(node, want.count(), steps)?;
        if let Action::Line(_) = action {
            steps.push(LetStep { binds: Vec::new(), action, location: node.location });
            return Ok(vec![Value::Literal(Term::atom(term::known::OK)); want.count()]);
        }
        let binds: Vec<Var> = match want {
            Want::Nothing => Vec::new(),
            Want::Values(count) => (0..count).map(|_| self.scope.nameless()).collect(),
            Want::Named(vars) => vars.iter().map(|&variable| self.scope.fresh(variable)).collect(),
        };
        let values = binds.iter().map(|&var| Value::Var(var)).collect();
        steps.push(LetStep { binds, action, location: node.location });
        Ok(values)
    }

    /// `count`: how many values it has, where its parts decide that.
    fn action(&mut self, node: &'a LocatedExpr, count: usize, steps: &mut Vec<LetStep>) -> Flat<Action> {
        match &node.expr {
            Expr::Map { base, pairs } => self.map(*base, pairs, steps),
            Expr::Binary(segments) => self.bits(segments, steps),
            Expr::Fun(fun) => self.fun(fun, node.location),
            Expr::Apply { function, args } => self.apply(*function, args, steps),
            Expr::Call { module, function, args } => self.call(*module, *function, args, steps),
            Expr::Primop { name, args } => {
                let op = Primitive::named(*name, args.len());
                Ok(Action::Primop { op, args: self.singles(args, steps)? })
            }
            Expr::Case { arg, clauses } => self.case(*arg, clauses, count, steps),
            Expr::Letrec { functions, body, goto } => self.letrec(functions, *body, *goto, count),
            Expr::Try { arg, vars, body, caught, handler } => self.attempt(*arg, vars, *body, caught, *handler, count),
            Expr::Catch(body) => self.body(*body, 1).map(Action::Catch),
            Expr::Receive { .. } => Err(CoreError::new("a `receive` of a compiler before OTP 24")),
            _ => Err(CoreError::new("an expression that computes nothing")),
        }
    }

    fn map(&mut self, base: Id, pairs: &[core::Pair], steps: &mut Vec<LetStep>) -> Flat<Action> {
        let base = self.single(base, steps)?;
        let pair = |pair: &core::Pair| Ok((pair.kind, self.single(pair.key, steps)?, self.single(pair.value, steps)?));
        let pairs = pairs.iter().map(pair).collect::<Flat<_>>()?;
        Ok(Action::Map { base, pairs })
    }

    fn bits(&mut self, segments: &[core::Segment], steps: &mut Vec<LetStep>) -> Flat<Action> {
        let segment = |segment: &core::Segment| {
            let (value, size) = (self.single(segment.value, steps)?, self.single(segment.size, steps)?);
            Ok(Segment { value, size, format: segment.format })
        };
        segments.iter().map(segment).collect::<Flat<_>>().map(Action::Bits)
    }

    fn fun(&mut self, fun: &core::Fun, location: Location) -> Flat<Action> {
        let name = fun.lifted.unwrap_or_else(|| self.invented());
        let lambda = self.lambda(fun, location, 1)?;
        Ok(Action::Fun(super::Fun { lambda, name }))
    }

    /// As the compiler names a fun that has no name yet.
    fn invented(&mut self) -> Atom {
        let Name { function, arity } = self.source.name;
        self.funs += 1;
        Atom::new(&format!("-{}/{arity}-fun-{}-", function.name(), self.funs - 1))
    }

    fn apply(&mut self, function: Id, args: &[Id], steps: &mut Vec<LetStep>) -> Flat<Action> {
        let function = match &self.source.node(function).expr {
            Expr::Function(name) => Callee::Local(self.called(*name, args.len())?),
            _ => Callee::Value(self.single(function, steps)?),
        };
        Ok(Action::Apply { function, args: self.singles(args, steps)? })
    }

    fn called(&self, name: Name, args: usize) -> Flat<Name> {
        match usize::from(name.arity) == args {
            true => Ok(self.scope.function(name)),
            false => Err(CoreError::new(format!("{args} arguments for {}/{}", name.function.name(), name.arity))),
        }
    }

    fn call(&mut self, module: Id, function: Id, args: &[Id], steps: &mut Vec<LetStep>) -> Flat<Action> {
        let (module, function) = (self.single(module, steps)?, self.single(function, steps)?);
        let args = self.singles(args, steps)?;
        Ok(line_mark(&module, &function, &args).unwrap_or(Action::Call { module, function, args }))
    }

    fn letrec(
        &mut self,
        functions: &[(Name, core::Fun, Location)],
        body: Id,
        goto: bool,
        count: usize,
    ) -> Flat<Action> {
        let mark = self.scope.mark();
        let names: Vec<Name> = functions.iter().map(|(name, ..)| self.scope.bind_function(*name)).collect();
        let values = if goto { count } else { 1 };
        let lambdas: Flat<Vec<Lambda>> =
            functions.iter().map(|(_, fun, location)| self.lambda(fun, *location, values)).collect();
        let functions = names.into_iter().zip(lambdas?).collect();
        let body = self.body(body, count);
        self.scope.reset(mark);
        Ok(Action::Letrec(Letrec { functions, body: body?, goto }))
    }

    fn attempt(
        &mut self,
        arg: Id,
        vars: &[Variable],
        ok: Id,
        caught: &[Variable],
        handler: Id,
        count: usize,
    ) -> Flat<Action> {
        let body = self.body(arg, vars.len())?;
        let (vars, ok) = self.abstraction(vars, ok, count)?;
        let (caught, handler) = self.abstraction(caught, handler, count)?;
        Ok(Action::Try(Box::new(Try { body, vars, ok, caught, handler })))
    }

    fn lambda(&mut self, fun: &core::Fun, location: Location, count: usize) -> Flat<Lambda> {
        let (params, body) = self.abstraction(&fun.params, fun.body, count)?;
        Ok(Lambda { params, body, location, lifted: fun.lifted })
    }

    /// Variables and the body that they are bound in.
    fn abstraction(&mut self, params: &[Variable], body: Id, count: usize) -> Flat<(Vec<Var>, Body)> {
        let mark = self.scope.mark();
        let vars: Vec<Var> = params.iter().map(|&param| self.scope.fresh(param)).collect();
        params.iter().zip(&vars).for_each(|(&param, &var)| self.scope.bind(param, var));
        let body = self.body(body, count);
        self.scope.reset(mark);
        Ok((vars, body?))
    }
}

/// The extraction marks lines by calls of a function that does not exist.
fn line_mark(module: &Value, function: &Value, args: &[Value]) -> Option<Action> {
    let named = |value: &Value, name: &str| matches!(value, Value::Literal(Term::Atom(_, atom)) if atom.name() == name);
    match args {
        [Value::Literal(Term::Int(_, line))] if named(module, "$hound") && named(function, "line") => {
            u32::try_from(*line).ok().map(Action::Line)
        }
        _ => None,
    }
}
