//! Reading expressions: one record, one node of the function's table.

use ir::{Location, PairKind};
use term::Term;

use super::annotation::Annotation;
use super::node::{
    Named, function, list, literal_atom, name, pair, record, unexpected, variable, variable_or_function,
};
use super::{Clause, CoreError, Expr, Files, Fun, Id, LocatedExpr, Name, Pair, Segment, Variable};

type Read<T> = Result<T, CoreError>;

/// Reads Core Erlang from terms into nodes.
pub struct Reader<'a> {
    /// The nodes read so far.
    pub nodes: Vec<LocatedExpr>,
    /// The source files that annotations name.
    pub files: &'a mut Files,
}

impl<'a> Reader<'a> {
    /// A reader without nodes.
    pub fn new(files: &'a mut Files) -> Self {
        Reader { nodes: Vec::new(), files }
    }

    /// The annotation of a node.
    pub fn annotation(&mut self, term: &Term) -> Annotation {
        let list = term.as_tuple().and_then(|fields| fields.get(1));
        list.map(|list| Annotation::read(list, self.files)).unwrap_or_default()
    }

    /// Reads an expression.
    pub fn expr(&mut self, term: &Term) -> Read<Id> {
        let annotation = self.annotation(term);
        let location = annotation.location;
        let expr = self.node(term, &annotation).map_err(|error| error.at(location.line))?;
        let at = u32::try_from(self.nodes.len()).map_err(|_| CoreError::new("the function is too big"))?;
        self.nodes.push(LocatedExpr { expr, location });
        Ok(Id(at))
    }

    fn node(&mut self, term: &Term, annotation: &Annotation) -> Read<Expr> {
        match name(term) {
            "c_literal" => record(term, "c_literal").map(|[_, value]| Expr::Literal(value.clone())),
            "c_var" => variable_or_function(term).map(named),
            name => term::deeper(|| self.inner(term, name, annotation)),
        }
    }

    /// A node with others inside.
    fn inner(&mut self, term: &Term, name: &str, annotation: &Annotation) -> Read<Expr> {
        match name {
            "c_cons" => self.cons(term),
            "c_tuple" => self.tuple(term),
            "c_map" => self.map(term),
            "c_binary" => self.binary(term),
            "c_values" => self.values(term),
            "c_let" => self.bind(term),
            "c_seq" => self.seq(term),
            "c_letrec" => self.letrec(term, annotation.goto),
            "c_fun" => self.fun(term).map(|(fun, _)| Expr::Fun(fun)),
            "c_apply" => self.apply(term),
            "c_call" => self.call(term),
            "c_primop" => self.primop(term),
            "c_case" => self.case(term),
            "c_try" => self.attempt(term),
            "c_catch" => self.catch(term),
            "c_receive" => self.receive(term),
            _ => Err(unexpected("an expression", term)),
        }
    }

    /// Reads a list of expressions.
    pub fn exprs(&mut self, term: &Term) -> Read<Vec<Id>> {
        list(term, "expressions")?.into_iter().map(|item| self.expr(item)).collect()
    }

    fn cons(&mut self, term: &Term) -> Read<Expr> {
        let [_, head, tail] = record(term, "c_cons")?;
        Ok(Expr::Cons { head: self.expr(head)?, tail: self.expr(tail)? })
    }

    fn tuple(&mut self, term: &Term) -> Read<Expr> {
        let [_, items] = record(term, "c_tuple")?;
        self.exprs(items).map(Expr::Tuple)
    }

    fn values(&mut self, term: &Term) -> Read<Expr> {
        let [_, items] = record(term, "c_values")?;
        self.exprs(items).map(Expr::Values)
    }

    fn map(&mut self, term: &Term) -> Read<Expr> {
        let [_, base, pairs, _] = record(term, "c_map")?;
        let base = self.expr(base)?;
        let pairs = list(pairs, "map pairs")?.into_iter().map(|pair| self.pair(pair)).collect::<Read<_>>()?;
        Ok(Expr::Map { base, pairs })
    }

    fn pair(&mut self, term: &Term) -> Read<Pair> {
        let [_, op, key, value] = record(term, "c_map_pair")?;
        let kind = match literal_atom(op)?.name() {
            "assoc" => PairKind::Put,
            "exact" => PairKind::Update,
            other => return Err(CoreError::new(format!("`{other}` is no kind of map pair"))),
        };
        Ok(Pair { kind, key: self.expr(key)?, value: self.expr(value)? })
    }

    fn binary(&mut self, term: &Term) -> Read<Expr> {
        let [_, segments] = record(term, "c_binary")?;
        let segments = list(segments, "segments")?;
        segments.into_iter().map(|segment| self.segment(segment)).collect::<Read<_>>().map(Expr::Binary)
    }

    fn segment(&mut self, term: &Term) -> Read<Segment> {
        let [_, value, size, unit, kind, flags] = record(term, "c_bitstr")?;
        let format = super::pattern::format(unit, kind, flags)?;
        Ok(Segment { value: self.expr(value)?, size: self.expr(size)?, format })
    }

    fn bind(&mut self, term: &Term) -> Read<Expr> {
        let [_, vars, arg, body] = record(term, "c_let")?;
        Ok(Expr::Let { vars: variables(vars)?, arg: self.expr(arg)?, body: self.expr(body)? })
    }

    fn seq(&mut self, term: &Term) -> Read<Expr> {
        let [_, first, then] = record(term, "c_seq")?;
        Ok(Expr::Seq { first: self.expr(first)?, then: self.expr(then)? })
    }

    fn letrec(&mut self, term: &Term, goto: bool) -> Read<Expr> {
        let [_, functions, body] = record(term, "c_letrec")?;
        let functions = list(functions, "local functions")?;
        let functions = functions.into_iter().map(|item| self.local(item)).collect::<Read<_>>()?;
        Ok(Expr::Letrec { functions, body: self.expr(body)?, goto })
    }

    fn local(&mut self, term: &Term) -> Read<(Name, Fun, Location)> {
        let (name, fun) = pair(term, "a local function")?;
        let name = function(name)?;
        let (fun, location) = self.fun(fun)?;
        match fun.params.len() == usize::from(name.arity) {
            true => Ok((name, fun, location)),
            false => Err(CoreError::new(format!("{}/{} has other parameters", name.function.name(), name.arity))),
        }
    }

    /// Reads a `fun` with its location.
    pub fn fun(&mut self, term: &Term) -> Read<(Fun, Location)> {
        let [_, params, body] = record(term, "c_fun")?;
        let annotation = self.annotation(term);
        let fun = Fun { params: variables(params)?, body: self.expr(body)?, lifted: annotation.lifted };
        if fun.params.len() > 255 {
            return Err(CoreError::new("a `c_fun` node has more than 255 parameters"));
        }
        Ok((fun, annotation.location))
    }

    fn apply(&mut self, term: &Term) -> Read<Expr> {
        let [_, function, args] = record(term, "c_apply")?;
        Ok(Expr::Apply { function: self.expr(function)?, args: self.exprs(args)? })
    }

    fn call(&mut self, term: &Term) -> Read<Expr> {
        let [_, module, function, args] = record(term, "c_call")?;
        Ok(Expr::Call { module: self.expr(module)?, function: self.expr(function)?, args: self.exprs(args)? })
    }

    fn primop(&mut self, term: &Term) -> Read<Expr> {
        let [_, name, args] = record(term, "c_primop")?;
        Ok(Expr::Primop { name: literal_atom(name)?, args: self.exprs(args)? })
    }

    fn case(&mut self, term: &Term) -> Read<Expr> {
        let [_, arg, clauses] = record(term, "c_case")?;
        let arg = self.expr(arg)?;
        let clauses = self.clauses(clauses)?;
        match clauses.is_empty() {
            true => Err(CoreError::new("a `c_case` node has no clauses")),
            false => Ok(Expr::Case { arg, clauses }),
        }
    }

    fn clauses(&mut self, term: &Term) -> Read<Vec<Clause>> {
        list(term, "clauses")?.into_iter().map(|clause| self.clause(clause)).collect()
    }

    fn clause(&mut self, term: &Term) -> Read<Clause> {
        let [_, patterns, guard, body] = record(term, "c_clause")?;
        let Annotation { location, generated, .. } = self.annotation(term);
        let patterns = list(patterns, "patterns")?.into_iter().map(|item| self.pattern(item)).collect::<Read<_>>()?;
        Ok(Clause { patterns, guard: self.expr(guard)?, body: self.expr(body)?, location, generated })
    }

    fn attempt(&mut self, term: &Term) -> Read<Expr> {
        let [_, arg, vars, body, caught, handler] = record(term, "c_try")?;
        let (vars, caught) = (variables(vars)?, variables(caught)?);
        if !matches!(caught.len(), 2 | 3) {
            return Err(CoreError::new("a `c_try` node catches with other than two or three variables"));
        }
        Ok(Expr::Try { arg: self.expr(arg)?, vars, body: self.expr(body)?, caught, handler: self.expr(handler)? })
    }

    fn catch(&mut self, term: &Term) -> Read<Expr> {
        let [_, body] = record(term, "c_catch")?;
        self.expr(body).map(Expr::Catch)
    }

    fn receive(&mut self, term: &Term) -> Read<Expr> {
        let [_, clauses, timeout, action] = record(term, "c_receive")?;
        let clauses = self.clauses(clauses)?;
        Ok(Expr::Receive { clauses, timeout: self.expr(timeout)?, action: self.expr(action)? })
    }
}

fn named(named: Named) -> Expr {
    match named {
        Named::Variable(variable) => Expr::Variable(variable),
        Named::Function(name) => Expr::Function(name),
    }
}

fn variables(term: &Term) -> Read<Vec<Variable>> {
    list(term, "variables")?.into_iter().map(variable).collect()
}
