//! Flattening: from nested expressions to rows of steps.
//!
//! An expression is evaluated by appending steps to the body under construction and naming its values; so arguments
//! are evaluated left to right, each before the next, and what is left of them are values.

use ir::{Location, PairKind, Primitive};
use term::{Atom, Term};

use super::scope::Scope;
use super::{Action, Body, Callee, Function, Lambda, LetStep, Letrec, Name, Segment, Try, Value, Var};
use crate::core::node::{list, literal_atom, name, pair, record, unexpected};
use crate::core::{self, Annotation, CoreError, Definition, Files, Named, Variable, variable_or_function, variables};

pub(super) type Flat<T> = Result<T, CoreError>;

/// The flat form of one function; files that its locations name are added to `files`.
pub fn flatten(definition: &Definition, files: &mut Files) -> Result<Function, CoreError> {
    let name = definition.name;
    let mut flattener = Flattener { name, files, scope: Scope::default(), funs: 0, nesting: 0 };
    let lambda = definition.unpacked().and_then(|node| flattener.named_function(name, &node, 1));
    let lambda = lambda.map_err(|error| error.within(name))?;
    Ok(Function { name: name.function, arity: name.arity, lambda, names: flattener.scope.names })
}

pub(super) struct Flattener<'a> {
    /// The function's name.
    name: Name,
    /// The source files that annotations name.
    files: &'a mut Files,
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

impl Flattener<'_> {
    /// The annotations of a node.
    pub fn annotation(&mut self, node: &Term) -> Annotation {
        Annotation::of(node, self.files)
    }

    /// Appends what evaluates the expression and returns its values.
    pub fn expr(&mut self, node: &Term, want: Want, steps: &mut Vec<LetStep>) -> Flat<Vec<Value>> {
        let mark = self.scope.mark();
        let values = term::deeper(|| self.open(node, want, steps));
        self.scope.reset(mark);
        values
    }

    /// Like [`Flattener::expr`] for an expression with one value.
    pub fn single(&mut self, node: &Term, steps: &mut Vec<LetStep>) -> Flat<Value> {
        // Most arguments are these, and need nothing more.
        if let "c_literal" | "c_var" = name(node) {
            return self.value(node, steps).map_err(|error| error.at(self.annotation(node).location.line));
        }
        let mut values = self.expr(node, Want::Values(1), steps)?;
        values.pop().ok_or_else(|| CoreError::new("an expression without a value stands where one is needed"))
    }

    /// Flattens a list of expressions that give one value each.
    pub fn singles(&mut self, nodes: &Term, steps: &mut Vec<LetStep>) -> Flat<Vec<Value>> {
        list(nodes, "expressions")?.into_iter().map(|node| self.single(node, steps)).collect()
    }

    /// A body of its own for an expression with `count` values.
    pub fn body(&mut self, node: &Term, count: usize) -> Flat<Body> {
        let mut steps = Vec::new();
        let result = self.expr(node, Want::Values(count), &mut steps);
        // Built before the error is looked at: freeing deep steps is the body's business.
        let body = Body::new(steps, Vec::new());
        result.map(|result| {
            let mut body = body;
            body.result = result;
            body
        })
    }

    /// Walks down a chain of `let` and `do` without recursion; what they bind stays in scope.
    fn open(&mut self, mut node: &Term, want: Want, steps: &mut Vec<LetStep>) -> Flat<Vec<Value>> {
        let mut line = 0;
        loop {
            let annotation = self.annotation(node);
            line = if annotation.location.line == 0 { line } else { annotation.location.line };
            let rest = match name(node) {
                "c_let" => self.bind(node, annotation.location, steps),
                "c_seq" => self.first(node, steps),
                _ => return self.last(node, &annotation, want, steps).map_err(|error| error.at(line)),
            };
            node = rest.map_err(|error| error.at(line))?;
        }
    }

    /// Evaluates the first part of a `do` and returns the second.
    fn first<'t>(&mut self, node: &'t Term, steps: &mut Vec<LetStep>) -> Flat<&'t Term> {
        let [_, first, then] = record(node, "c_seq")?;
        self.expr(first, Want::Nothing, steps)?;
        Ok(then)
    }

    /// Binds the variables of a `let` and returns its body.
    fn bind<'t>(&mut self, node: &'t Term, location: Location, steps: &mut Vec<LetStep>) -> Flat<&'t Term> {
        let [_, vars, arg, body] = record(node, "c_let")?;
        let vars = variables(vars)?;
        let values = self.expr(arg, Want::Named(&vars), steps)?;
        let (mut binds, mut rest) = (Vec::new(), Vec::new());
        let mut bound = Vec::new();
        for (variable, value) in vars.into_iter().zip(values) {
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
        Ok(body)
    }

    /// An expression that is neither `let` nor `do`: values, or one last step.
    fn last(&mut self, node: &Term, annotation: &Annotation, want: Want, steps: &mut Vec<LetStep>) -> Flat<Vec<Value>> {
        let values = match name(node) {
            "c_values" => record(node, "c_values").and_then(|[_, items]| self.singles(items, steps))?,
            "c_literal" | "c_var" | "c_cons" | "c_tuple" => vec![self.value(node, steps)?],
            _ => return self.step(node, annotation, want, steps),
        };
        match values.len() == want.count() {
            true => Ok(values),
            false => Err(CoreError::new(format!("{} values stand where {} should", values.len(), want.count()))),
        }
    }

    fn step(&mut self, node: &Term, annotation: &Annotation, want: Want, steps: &mut Vec<LetStep>) -> Flat<Vec<Value>> {
        let action = self.action(node, annotation, want.count(), steps)?;
        let location = annotation.location;
        if let Action::Line(_) = action {
            steps.push(LetStep { binds: Vec::new(), action, location });
            return Ok(vec![Value::Literal(Term::atom(term::known::OK)); want.count()]);
        }
        let binds: Vec<Var> = match want {
            Want::Nothing => Vec::new(),
            Want::Values(count) => (0..count).map(|_| self.scope.nameless()).collect(),
            Want::Named(vars) => vars.iter().map(|&variable| self.scope.fresh(variable)).collect(),
        };
        let values = binds.iter().map(|&var| Value::Var(var)).collect();
        steps.push(LetStep { binds, action, location });
        Ok(values)
    }

    /// `count`: how many values it has, where its parts decide that.
    fn action(&mut self, node: &Term, annotation: &Annotation, count: usize, steps: &mut Vec<LetStep>) -> Flat<Action> {
        match name(node) {
            "c_map" => self.map(node, steps),
            "c_binary" => self.bits(node, steps),
            "c_fun" => self.fun(node, annotation),
            "c_apply" => self.apply(node, steps),
            "c_call" => self.call(node, steps),
            "c_primop" => self.primop(node, steps),
            "c_case" => self.case(node, count, steps),
            "c_letrec" => self.letrec(node, annotation.goto, count),
            "c_try" => self.attempt(node, count),
            "c_catch" => record(node, "c_catch").and_then(|[_, body]| self.body(body, 1)).map(Action::Catch),
            "c_receive" => Err(CoreError::new("a `receive` of a compiler before OTP 24")),
            _ => Err(unexpected("an expression", node)),
        }
    }

    fn map(&mut self, node: &Term, steps: &mut Vec<LetStep>) -> Flat<Action> {
        let [_, base, pairs, _] = record(node, "c_map")?;
        let base = self.single(base, steps)?;
        let pairs = list(pairs, "map pairs")?.into_iter().map(|pair| self.pair(pair, steps)).collect::<Flat<_>>()?;
        Ok(Action::Map { base, pairs })
    }

    fn pair(&mut self, node: &Term, steps: &mut Vec<LetStep>) -> Flat<(PairKind, Value, Value)> {
        let [_, op, key, value] = record(node, "c_map_pair")?;
        let kind = match literal_atom(op)?.name() {
            "assoc" => PairKind::Put,
            "exact" => PairKind::Update,
            other => return Err(CoreError::new(format!("`{other}` is no kind of map pair"))),
        };
        Ok((kind, self.single(key, steps)?, self.single(value, steps)?))
    }

    fn bits(&mut self, node: &Term, steps: &mut Vec<LetStep>) -> Flat<Action> {
        let [_, segments] = record(node, "c_binary")?;
        let segment = |segment: &Term| {
            let [_, value, size, unit, kind, flags] = record(segment, "c_bitstr")?;
            let format = core::format(unit, kind, flags)?;
            Ok(Segment { value: self.single(value, steps)?, size: self.single(size, steps)?, format })
        };
        list(segments, "segments")?.into_iter().map(segment).collect::<Flat<_>>().map(Action::Bits)
    }

    fn fun(&mut self, node: &Term, annotation: &Annotation) -> Flat<Action> {
        let name = annotation.lifted.unwrap_or_else(|| self.invented());
        let lambda = self.lambda(node, 1)?;
        Ok(Action::Fun(super::Fun { lambda, name }))
    }

    /// As the compiler names a fun that has no name yet.
    fn invented(&mut self) -> Atom {
        let Name { function, arity } = self.name;
        self.funs += 1;
        Atom::new(&format!("-{}/{arity}-fun-{}-", function.name(), self.funs - 1))
    }

    fn apply(&mut self, node: &Term, steps: &mut Vec<LetStep>) -> Flat<Action> {
        let [_, function, args] = record(node, "c_apply")?;
        let function = match name(function) {
            "c_var" => match variable_or_function(function)? {
                Named::Function(name) => Callee::Local(self.called(name, args)?),
                Named::Variable(_) => Callee::Value(self.single(function, steps)?),
            },
            _ => Callee::Value(self.single(function, steps)?),
        };
        Ok(Action::Apply { function, args: self.singles(args, steps)? })
    }

    fn called(&self, name: Name, args: &Term) -> Flat<Name> {
        match list(args, "expressions")?.len() {
            args if args == usize::from(name.arity) => Ok(self.scope.function(name)),
            args => Err(CoreError::new(format!("{args} arguments for {}/{}", name.function.name(), name.arity))),
        }
    }

    fn call(&mut self, node: &Term, steps: &mut Vec<LetStep>) -> Flat<Action> {
        let [_, module, function, args] = record(node, "c_call")?;
        let (module, function) = (self.single(module, steps)?, self.single(function, steps)?);
        let args = self.singles(args, steps)?;
        Ok(line_mark(&module, &function, &args).unwrap_or(Action::Call { module, function, args }))
    }

    fn primop(&mut self, node: &Term, steps: &mut Vec<LetStep>) -> Flat<Action> {
        let [_, name, args] = record(node, "c_primop")?;
        let (name, args) = (literal_atom(name)?, self.singles(args, steps)?);
        Ok(Action::Primop { op: Primitive::named(name, args.len()), args })
    }

    fn letrec(&mut self, node: &Term, goto: bool, count: usize) -> Flat<Action> {
        let [_, functions, body] = record(node, "c_letrec")?;
        let functions = list(functions, "local functions")?.into_iter().map(local).collect::<Flat<Vec<_>>>()?;
        let mark = self.scope.mark();
        let names: Vec<Name> = functions.iter().map(|(name, _)| self.scope.bind_function(*name)).collect();
        let values = if goto { count } else { 1 };
        let lambdas: Flat<Vec<Lambda>> =
            functions.iter().map(|(name, fun)| self.named_function(*name, fun, values)).collect();
        let functions = names.into_iter().zip(lambdas?).collect();
        let body = self.body(body, count);
        self.scope.reset(mark);
        Ok(Action::Letrec(Letrec { functions, body: body?, goto }))
    }

    fn named_function(&mut self, name: Name, node: &Term, count: usize) -> Flat<Lambda> {
        let lambda = self.lambda(node, count)?;
        match lambda.params.len() == usize::from(name.arity) {
            true => Ok(lambda),
            false => Err(CoreError::new(format!("{}/{} has other parameters", name.function.name(), name.arity))),
        }
    }

    fn attempt(&mut self, node: &Term, count: usize) -> Flat<Action> {
        let [_, arg, vars, ok, caught, handler] = record(node, "c_try")?;
        let (vars, caught) = (variables(vars)?, variables(caught)?);
        if !matches!(caught.len(), 2 | 3) {
            return Err(CoreError::new("a `c_try` node catches with other than two or three variables"));
        }
        let body = self.body(arg, vars.len())?;
        let (vars, ok) = self.abstraction(&vars, ok, count)?;
        let (caught, handler) = self.abstraction(&caught, handler, count)?;
        Ok(Action::Try(Box::new(Try { body, vars, ok, caught, handler })))
    }

    fn lambda(&mut self, node: &Term, count: usize) -> Flat<Lambda> {
        let [_, params, body] = record(node, "c_fun")?;
        let Annotation { location, lifted, .. } = self.annotation(node);
        let params = variables(params)?;
        if params.len() > 255 {
            return Err(CoreError::new("a `c_fun` node has more than 255 parameters"));
        }
        let (params, body) = self.abstraction(&params, body, count)?;
        Ok(Lambda { params, body, location, lifted })
    }

    /// Variables and the body that they are bound in.
    fn abstraction(&mut self, params: &[Variable], body: &Term, count: usize) -> Flat<(Vec<Var>, Body)> {
        let mark = self.scope.mark();
        let vars: Vec<Var> = params.iter().map(|&param| self.scope.fresh(param)).collect();
        params.iter().zip(&vars).for_each(|(&param, &var)| self.scope.bind(param, var));
        let body = self.body(body, count);
        self.scope.reset(mark);
        Ok((vars, body?))
    }
}

/// The name and the `c_fun` node of a local function.
fn local(term: &Term) -> Flat<(Name, &Term)> {
    let (name, fun) = pair(term, "a local function")?;
    Ok((core::function(name)?, fun))
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
