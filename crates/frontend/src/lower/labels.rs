//! Local functions that are only labels: meant as such, and used by nothing but tail calls that stay within the function
//! and the handlers around their definition, so that a call of them is a jump. Others are functions even if a jump would
//! do: the VM makes functions of them, which stack traces show.

use rustc_hash::FxHashSet;

use super::is_tail;
use crate::flat::{Action, Body, Callee, Lambda, Letrec, Name, Value};

/// The definitions, by address, whose functions are all labels.
pub struct Labels(FxHashSet<usize>);

impl Labels {
    /// The labels of a function body.
    pub fn of(lambda: &Lambda) -> Labels {
        let mut scan = Scan::default();
        scan.lambda(lambda);
        scan.spread();
        let all = std::mem::take(&mut scan.all);
        Labels(all.into_iter().filter(|id| !scan.bad.contains(id)).collect())
    }

    /// True if the functions of a `letrec` are labels.
    pub fn has(&self, letrec: &Letrec) -> bool {
        self.0.contains(&id(letrec))
    }
}

fn id(letrec: &Letrec) -> usize {
    std::ptr::from_ref(letrec).addr()
}

#[derive(Default)]
struct Scan {
    /// Local functions in scope with their definition.
    scope: Vec<(Name, usize)>,
    /// Functions below this place in the scope were defined outside of what surrounds us, so that a jump cannot leave.
    barrier: usize,
    /// Definitions inside whose functions we are, with the size that the scope had before them.
    inside: Vec<(usize, usize)>,
    all: Vec<usize>,
    bad: FxHashSet<usize>,
    /// The first is a label only if the second is.
    needs: Vec<(usize, usize)>,
}

impl Scan {
    /// Marks labels as bad that jump out of a function that is no label.
    fn spread(&mut self) {
        let mut found = true;
        while found {
            found = false;
            for (label, around) in &self.needs {
                found |= self.bad.contains(around) && self.bad.insert(*label);
            }
        }
    }

    fn place(&self, name: Name) -> Option<usize> {
        self.scope.iter().rposition(|(known, _)| *known == name)
    }

    /// A use that is no tail call.
    fn plain_use(&mut self, name: Name) {
        if let Some(at) = self.place(name) {
            self.bad.insert(self.scope[at].1);
        }
    }

    fn jump(&mut self, name: Name) {
        let Some(at) = self.place(name) else { return };
        let label = self.scope[at].1;
        if at < self.barrier {
            self.bad.insert(label);
        }
        let around = self.inside.iter().filter(|(_, before)| *before >= at);
        self.needs.extend(around.map(|(id, _)| (label, *id)));
    }

    fn apart(&mut self, scan: impl FnOnce(&mut Self)) {
        let before = std::mem::replace(&mut self.barrier, self.scope.len());
        scan(self);
        self.barrier = before;
    }

    fn lambda(&mut self, lambda: &Lambda) {
        self.apart(|scan| scan.body(&lambda.body));
    }

    fn body(&mut self, body: &Body) {
        term::deeper(|| {
            let Some((last, rest)) = body.steps.split_last() else { return self.values(&body.result) };
            rest.iter().for_each(|step| self.apart(|scan| scan.action(&step.action)));
            if is_tail(last, body) {
                self.action(&last.action);
            } else {
                self.apart(|scan| scan.action(&last.action));
            }
            self.values(&body.result);
        });
    }

    fn values<'v>(&mut self, values: impl IntoIterator<Item = &'v Value>) {
        let mut open: Vec<&Value> = values.into_iter().collect();
        while let Some(value) = open.pop() {
            match value {
                Value::Var(_) | Value::Literal(_) => {}
                Value::Cons(pair) => open.extend([&pair.0, &pair.1]),
                Value::Tuple(items) => open.extend(items),
                Value::Function(name) => self.plain_use(*name),
            }
        }
    }

    fn action(&mut self, action: &Action) {
        self.values(action.values());
        match action {
            Action::Apply { function: Callee::Local(name), .. } => self.jump(*name),
            Action::Catch(body) => self.apart(|scan| scan.body(body)),
            Action::Case(case) => {
                for clause in &case.clauses {
                    self.apart(|scan| scan.body(&clause.guard));
                    self.body(&clause.body);
                }
            }
            Action::Fun(fun) => self.lambda(&fun.lambda),
            Action::Letrec(letrec) => self.letrec(letrec),
            Action::Try(part) => {
                self.apart(|scan| scan.body(&part.body));
                self.body(&part.ok);
                self.body(&part.handler);
            }
            _ => {}
        }
    }

    fn letrec(&mut self, letrec: &Letrec) {
        let (id, before) = (id(letrec), self.scope.len());
        if letrec.goto {
            self.all.push(id);
        } else {
            self.bad.insert(id);
        }
        self.scope.extend(letrec.functions.iter().map(|(name, _)| (*name, id)));
        self.inside.push((id, before));
        letrec.functions.iter().for_each(|(_, lambda)| self.body(&lambda.body));
        self.inside.pop();
        self.body(&letrec.body);
        self.scope.truncate(before);
    }
}
