//! Printing what a step computes.

use ir::{Location, PairKind, Primitive};
use term::{Atom, Term};

use super::{Printer, literal, name_pair};
use crate::flat::{Action, Callee, Case, Clause, Fun, Letrec, Try, Value};

impl Printer<'_> {
    /// Prints an action.
    pub fn action(&mut self, action: &Action, location: Location) {
        match action {
            Action::Values(values) => self.values(values),
            Action::Apply { function, args } => self.plain(location, |printer| printer.apply(function, args)),
            Action::Call { module, function, args } => {
                self.plain(location, |printer| printer.call(module, function, args));
            }
            Action::Primop { op, args } => {
                let annotations = self.clause_owner(*op, args);
                self.annotated(&annotations, location, |printer| printer.primop(op.name().name(), args));
            }
            Action::Case(case) => self.case(case),
            Action::Fun(fun) => self.fun(fun),
            Action::Letrec(letrec) => self.letrec(letrec),
            Action::Try(attempt) => self.attempt(attempt),
            Action::Catch(body) => {
                self.text("catch");
                self.indented(|printer| printer.body(body));
            }
            Action::Map { base, pairs } => self.plain(location, |printer| printer.map(base, pairs)),
            Action::Bits(segments) => self.plain(location, |printer| {
                printer.segments(segments, |printer, segment| {
                    printer.value(&segment.value);
                    (segment.size.clone(), segment.format)
                });
            }),
            Action::Line(line) => self.text(&format!("call '$hound':'line' ({line})")),
        }
    }

    fn plain(&mut self, location: Location, inside: impl FnOnce(&mut Self)) {
        self.annotated(&[], location, inside);
    }

    fn args(&mut self, args: &[Value]) {
        self.text(" (");
        self.separated(args, |printer, arg| printer.value(arg));
        self.text(")");
    }

    fn apply(&mut self, function: &Callee, args: &[Value]) {
        self.text("apply ");
        match function {
            Callee::Local(name) => self.name(*name),
            Callee::Value(value) => self.value(value),
        }
        self.args(args);
    }

    fn call(&mut self, module: &Value, function: &Value, args: &[Value]) {
        self.text("call ");
        self.value(module);
        self.text(":");
        self.value(function);
        self.args(args);
    }

    fn primop(&mut self, name: &str, args: &[Value]) {
        self.text("primop ");
        self.atom(name);
        self.args(args);
    }

    /// The compiler must know that a `function_clause` is about the function it stands in.
    fn clause_owner(&self, op: Primitive, args: &[Value]) -> Vec<String> {
        let tag = args.first().and_then(Value::tag);
        match self.owner {
            Some(owner) if op == Primitive::MatchFail && tag == Some(term::known::FUNCTION_CLAUSE) => {
                vec![format!("{{'function',{}}}", name_pair(owner))]
            }
            _ => Vec::new(),
        }
    }

    fn map(&mut self, base: &Value, pairs: &[(PairKind, Value, Value)]) {
        self.text("~{");
        self.separated(pairs, |printer, (kind, key, value)| {
            printer.value(key);
            printer.text(if *kind == PairKind::Put { "=>" } else { ":=" });
            printer.value(value);
        });
        if !matches!(base, Value::Literal(Term::Map(_, map)) if map.is_empty()) {
            self.text("|");
            self.value(base);
        }
        self.text("}~");
    }

    fn case(&mut self, case: &Case) {
        self.text("case ");
        self.values(&case.args);
        self.text(" of");
        self.indent += 1;
        for clause in &case.clauses {
            self.newline();
            match clause.generated {
                true => self.generated(clause),
                false => self.clause(clause),
            }
        }
        self.indent -= 1;
        self.newline();
        self.text("end");
    }

    fn generated(&mut self, clause: &Clause) {
        self.text("( ");
        self.clause(clause);
        self.newline();
        self.text("  -| ['compiler_generated'] )");
    }

    fn clause(&mut self, clause: &Clause) {
        self.text("<");
        self.separated(&clause.patterns, |printer, pattern| printer.pattern(pattern));
        self.text("> when");
        match clause.guard.steps.is_empty() {
            true => {
                self.text(" ");
                self.body(&clause.guard);
            }
            false => {
                self.indent += 1;
                self.indented(|printer| printer.body(&clause.guard));
                self.indent -= 1;
            }
        }
        self.text(" ->");
        self.indented(|printer| printer.body(&clause.body));
    }

    fn fun(&mut self, fun: &Fun) {
        let owner = self.owner.take();
        let labels = std::mem::replace(&mut self.labels, false);
        self.annotated(&[id(fun.name)], fun.lambda.location, |printer| printer.lambda(&fun.lambda));
        (self.owner, self.labels) = (owner, labels);
    }

    fn letrec(&mut self, letrec: &Letrec) {
        let annotations: &[&str] = if letrec.goto { &["'letrec_goto'", "'no_inline'"] } else { &[] };
        let annotations: Vec<String> = annotations.iter().map(|text| text.to_string()).collect();
        self.annotated(&annotations, Location::NONE, |printer| printer.open_letrec(letrec));
    }

    fn open_letrec(&mut self, letrec: &Letrec) {
        let owner = if letrec.goto { self.owner } else { None };
        let outer = std::mem::replace(&mut self.owner, owner);
        let labels = std::mem::replace(&mut self.labels, letrec.goto);
        self.text("letrec");
        self.indent += 1;
        for (name, lambda) in &letrec.functions {
            self.newline();
            self.name(*name);
            self.text(" =");
            let annotations: Vec<String> = lambda.lifted.into_iter().map(id).collect();
            self.indented(|printer| {
                printer.annotated(&annotations, lambda.location, |printer| printer.lambda(lambda));
            });
        }
        self.indent -= 1;
        self.owner = outer;
        self.newline();
        self.text("in");
        self.labels |= labels;
        self.indented(|printer| printer.body(&letrec.body));
        self.labels = labels;
    }

    fn attempt(&mut self, attempt: &Try) {
        let added = self.added(&attempt.handler);
        self.text(&format!("try{added}"));
        self.indented(|printer| printer.body(&attempt.body));
        self.newline();
        self.text("of <");
        self.vars(&attempt.vars);
        self.text(&format!("> ->{added}"));
        self.indented(|printer| printer.body(&attempt.ok));
        self.text(added);
        self.newline();
        self.text("catch <");
        self.vars(&attempt.caught);
        self.text(&format!("> ->{added}"));
        self.indented(|printer| printer.body(&attempt.handler));
        self.text(added);
    }
}

fn id(name: Atom) -> String {
    format!("{{'id',{{0,0,{}}}}}", literal::atom(name.name()))
}
