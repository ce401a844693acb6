//! Reads events once more, with unknown parameters.

use std::cell::RefCell;
use std::rc::Rc;

use frontend::core::Name;
use frontend::flat::{Value, Var};
use frontend::instrument::{Called, CaseSite, EventEntry, EventTable, From, FunctionEvents};
use term::{Mfa, Term};

use crate::partial_term::PartialTerm;
use crate::sent::SentMessages;
use crate::store::{Id, Store, StoredTerm};

/// An event of a recorded run.
pub type RecordedEvent<'a> = (u32, Option<&'a Term>);

/// The variables of one call.
pub struct Env {
    /// The variables of this call: few, and a long run has many open calls.
    pub vars: RefCell<Vec<(Var, Id)>>,
    /// The variables around a local function.
    pub outer: Option<Rc<Env>>,
    /// The owner: a function of the table and a context of it.
    owner: (u32, u32),
}

/// The symbolic run: what the events alone say of result and parameters.
pub struct Symbolic {
    /// The result of the call.
    pub result: PartialTerm,
    /// The parameters of the call.
    pub params: Vec<PartialTerm>,
}

/// Parameters of runs that select another clause.
pub struct Alternative {
    /// The parameters of such runs.
    pub params: Vec<PartialTerm>,
    /// The clauses selected up to that one, from 1.
    pub trace: Vec<u32>,
    /// The argument of that case, and which clause of it is to be the first that matches.
    pub arg: Vec<PartialTerm>,
    /// The case that selects the clause.
    pub case: Rc<CaseSite>,
    /// The selected clause, from 0.
    pub clause: u32,
}

/// The clauses that a run selected, from 1.
pub fn trace(table: &EventTable, events: &[RecordedEvent<'_>]) -> Vec<u32> {
    let selected = |recorded: &RecordedEvent<'_>| match table.event(recorded.0) {
        Some((_, EventEntry::Case { clause, .. })) => Some(clause + 1),
        _ => None,
    };
    events.iter().filter_map(selected).collect()
}

/// The symbolic run of a call of a function; nothing if it has no events or they do not fit together.
pub fn symbolic(table: &EventTable, function: Name, events: &[RecordedEvent<'_>]) -> Option<Symbolic> {
    let mut folding = Folding::new(table, function)?;
    events.iter().for_each(|recorded| folding.event(*recorded));
    folding.finish()
}

/// The symbolic run of events as they come: what neither open calls nor result and parameters refer to is forgotten.
pub struct Folding<'a> {
    run: Run<'a>,
    fits: bool,
}

impl<'a> Folding<'a> {
    /// A call of a function before its first event; nothing if the table has no events of it.
    pub fn new(table: &'a EventTable, function: Name) -> Option<Folding<'a>> {
        Some(Folding { run: Run::new(table, function, None)?, fits: true })
    }

    /// Adds an event.
    pub fn event(&mut self, recorded: RecordedEvent<'_>) {
        self.fits = self.fits && self.run.event(recorded).is_some();
        if self.run.store.is_large() {
            self.run.forget();
        }
    }

    /// The result and the parameters, if the events fit together.
    pub fn finish(self) -> Option<Symbolic> {
        let Run { store, result, params, .. } = self.run;
        let mut answers = store.answers(&[&[result], &params[..]].concat()).into_iter();
        let result = answers.next()?;
        self.fits.then(|| Symbolic { result, params: answers.collect() })
    }
}

/// All answers: the parameters of this run and of those that select another clause somewhere, each with the clauses
/// selected up to there, in the order of these.
pub fn answers(table: &EventTable, function: Name, events: &[RecordedEvent<'_>]) -> Vec<(Vec<PartialTerm>, Vec<u32>)> {
    let mut all: Vec<(Vec<PartialTerm>, Vec<u32>)> =
        alternatives(table, function, events).into_iter().map(|other| (other.params, other.trace)).collect();
    all.extend(symbolic(table, function, events).map(|run| (run.params, trace(table, events))));
    all.sort_by(|(_, a), (_, b)| a.cmp(b));
    all
}

/// The parameters of runs that go as this one did up to some case and select another clause there.
pub fn alternatives(table: &EventTable, function: Name, events: &[RecordedEvent<'_>]) -> Vec<Alternative> {
    let mut found = Vec::new();
    let mut trace: Vec<u32> = Vec::new();
    for (at, recorded) in events.iter().enumerate() {
        let Some((_, EventEntry::Case { clause, case, .. })) = table.event(recorded.0) else { continue };
        for other in (0..case.alternatives.len() as u32).filter(|other| other != clause) {
            let path = trace.iter().copied().chain([other + 1]).collect();
            found.extend(alternative(table, function, &events[..=at], other, path));
        }
        trace.push(clause + 1);
    }
    found
}

/// The last of the events is a case, which is to select another clause.
pub fn alternative(
    table: &EventTable,
    function: Name,
    events: &[RecordedEvent<'_>],
    clause: u32,
    trace: Vec<u32>,
) -> Option<Alternative> {
    let mut run = Run::new(table, function, Some((events.len() - 1, clause)))?;
    for recorded in events {
        run.event(*recorded)?;
    }
    let (case, arg) = run.asked.take()?;
    let all: Vec<Id> = run.params.iter().chain(&arg).copied().collect();
    let mut params = run.store.answers(&all);
    let arg = params.split_off(run.params.len());
    Some(Alternative { params, trace, arg, case, clause })
}

/// A call that has not returned.
enum Frame {
    /// It has emitted nothing yet: its arguments, where its value goes, and the variables around it.
    Called { args: Vec<Id>, result: Option<Id>, around: Option<Rc<Env>> },
    /// It leads outside, to that function if it is known.
    Outside { function: Option<Mfa>, args: Vec<Id> },
    /// It has emitted events.
    Running { env: Rc<Env>, result: Id },
}

struct Run<'a> {
    table: &'a EventTable,
    store: Store,
    frames: Vec<Frame>,
    sent: SentMessages,
    params: Vec<Id>,
    result: Id,
    /// The event that is flipped, and its other clause.
    flip: Option<(usize, u32)>,
    asked: Option<(Rc<CaseSite>, Vec<Id>)>,
    at: usize,
}

impl<'a> Run<'a> {
    fn new(table: &'a EventTable, function: Name, flip: Option<(usize, u32)>) -> Option<Run<'a>> {
        let params = table.function(function)?.contexts.first()?.params.len();
        let mut store = Store::default();
        let params: Vec<Id> = (0..params).map(|_| store.unknown()).collect();
        let result = store.unknown();
        let first = Frame::Called { args: params.clone(), result: Some(result), around: None };
        let sent = SentMessages::default();
        Some(Run { table, store, frames: vec![first], sent, params, result, flip, asked: None, at: 0 })
    }

    /// Forgets the terms that nothing refers to any more.
    fn forget(&mut self) {
        let asked = self.asked.iter().flat_map(|(_, args)| args);
        let mut roots: Vec<Id> = self.params.iter().chain(asked).chain(self.sent.ids()).copied().collect();
        roots.push(self.result);
        let mut envs = Vec::new();
        for frame in &self.frames {
            match frame {
                Frame::Called { args, result, around } => {
                    roots.extend(args.iter().chain(result));
                    envs.extend(around.clone());
                }
                Frame::Outside { args, .. } => roots.extend(args),
                Frame::Running { env, result } => {
                    roots.push(*result);
                    envs.push(Rc::clone(env));
                }
            }
        }
        self.store.keep_only(roots, envs);
    }

    fn event(&mut self, recorded: RecordedEvent<'_>) -> Option<()> {
        let (function, event) = self.table.event(recorded.0)?;
        let index = self.table.functions.partition_point(|it| it.first <= function.first) as u32 - 1;
        let owner = (index, event.context());
        self.come_back(owner, recorded.1);
        let (env, result) = self.enter(function, owner)?;
        let at = self.at;
        self.at += 1;
        match event {
            EventEntry::Call { binds, called, args, .. } => self.call(called, args, binds, &env),
            EventEntry::Exit { values, .. } => {
                self.frames.pop();
                if let [value] = &values[..] {
                    let value = self.store.value(value, &env);
                    self.same(result, value)?;
                }
            }
            EventEntry::Raised { .. } => drop(self.frames.pop()),
            EventEntry::Bind { binds, from, .. } => self.bind(binds, from, recorded.1, &env)?,
            EventEntry::Case { clause, case, .. } => {
                let clause = self.flip.filter(|(flipped, _)| *flipped == at).map_or(*clause, |(_, other)| other);
                let arg: Vec<Id> = case.args.iter().map(|arg| self.store.value(arg, &env)).collect();
                let selected = case.alternatives.get(clause as usize)?;
                for (arg, pattern) in arg.iter().zip(&selected.patterns) {
                    let pattern = self.store.pattern(pattern, &env);
                    self.same(*arg, pattern)?;
                }
                for (a, b) in &selected.equal {
                    let (a, b) = (self.store.value(a, &env), self.store.value(b, &env));
                    self.same(a, b)?;
                    if self.store.is_endless(a) {
                        return None;
                    }
                }
                self.asked = Some((Rc::clone(case), arg));
            }
            EventEntry::ExitCase { binds, values, .. } => self.bind_values(binds, values, &env)?,
        }
        Some(())
    }

    fn same(&mut self, a: Id, b: Id) -> Option<()> {
        self.store.unify(a, b).then_some(())
    }

    /// The call that an event belongs to. What was begun above it and never closed is over: an exception has ended it.
    fn enter(&mut self, function: &FunctionEvents, owner: (u32, u32)) -> Option<(Rc<Env>, Id)> {
        let is_mine = |frame: &Frame| matches!(frame, Frame::Running { env, .. } if env.owner == owner);
        match self.frames.last() {
            Some(Frame::Called { .. } | Frame::Outside { .. }) => {}
            _ => {
                let mine = self.frames.iter().rposition(is_mine);
                if let Some(mine) = mine {
                    self.frames.truncate(mine + 1);
                }
            }
        }
        if let Some(Frame::Running { env, result }) = self.frames.last().filter(|frame| is_mine(frame)) {
            return Some((Rc::clone(env), *result));
        }
        self.begin(function, owner)
    }

    /// Ends a call outside, if the event is its caller's.
    fn come_back(&mut self, owner: (u32, u32), given: Option<&Term>) {
        if self.is_back(owner)
            && let Some(Frame::Outside { function: Some(function), args }) = self.frames.pop()
        {
            self.sent.note(&self.store, function, &args, given);
        }
    }

    /// True if an event after a call that has emitted nothing comes from its caller: a call outside has ended.
    fn is_back(&self, owner: (u32, u32)) -> bool {
        let [.., Frame::Running { env, .. }, Frame::Outside { .. }] = &self.frames[..] else { return false };
        env.owner == owner
    }

    /// The first event of a call: its parameters are the arguments, if they are known.
    fn begin(&mut self, function: &FunctionEvents, owner: (u32, u32)) -> Option<(Rc<Env>, Id)> {
        let params = &function.contexts.get(owner.1 as usize)?.params;
        let (args, result, around) = match self.frames.last() {
            Some(Frame::Called { args, result, around }) if args.len() == params.len() => {
                let called = (args.clone(), *result, around.clone());
                self.frames.pop();
                called
            }
            _ => (params.iter().map(|_| self.store.unknown()).collect(), None, None),
        };
        let result = result.unwrap_or_else(|| self.store.unknown());
        let vars = params.iter().copied().zip(args).collect();
        let env = Rc::new(Env { vars: RefCell::new(vars), outer: around, owner });
        for (a, b) in &function.contexts.get(owner.1 as usize)?.same {
            let (a, b) = (self.store.variable(*a, &env), self.store.variable(*b, &env));
            self.same(a, b)?;
        }
        self.frames.push(Frame::Running { env: Rc::clone(&env), result });
        Some((env, result))
    }

    fn call(&mut self, called: &Called, args: &[Value], binds: &[Var], env: &Rc<Env>) {
        let result = binds.first().map(|var| self.store.variable(*var, env));
        let values: Vec<Id> = args.iter().map(|arg| self.store.value(arg, env)).collect();
        let around = match called {
            Called::Own(_) => None,
            Called::Local(context) => self.around(*context, env),
            Called::Inside(callee) => {
                let callee = callee.as_ref().map(|callee| self.store.value(callee, env));
                callee.and_then(|callee| match self.store.node(callee) {
                    StoredTerm::Fun(around) => Some(Rc::clone(around)),
                    _ => None,
                })
            }
            Called::Outside(function) => {
                return self.frames.push(Frame::Outside { function: *function, args: values });
            }
        };
        self.frames.push(Frame::Called { args: values, result, around });
    }

    /// The variables around a local function: those of the context that defines it.
    fn around(&self, context: u32, env: &Rc<Env>) -> Option<Rc<Env>> {
        let function = self.table.functions.get(env.owner.0 as usize)?;
        let outer = function.contexts.get(context as usize)?.outer?;
        let mut at = Some(env);
        while let Some(here) = at {
            if here.owner == (env.owner.0, outer) {
                return Some(Rc::clone(here));
            }
            at = here.outer.as_ref();
        }
        None
    }

    fn bind_values(&mut self, binds: &[Var], values: &[Value], env: &Rc<Env>) -> Option<()> {
        for (var, value) in binds.iter().zip(values) {
            let (var, value) = (self.store.variable(*var, env), self.store.value(value, env));
            self.same(var, value)?;
        }
        Some(())
    }

    fn bind(&mut self, binds: &[Var], from: &From, recorded: Option<&Term>, env: &Rc<Env>) -> Option<()> {
        if let From::Result = from
            && let Some(Frame::Called { .. }) = self.frames.last()
        {
            self.frames.pop();
        }
        let node = match from {
            From::Values(values) => return self.bind_values(binds, values, env),
            From::Known { module, function, args } => {
                let args = args.iter().map(|arg| self.store.value(arg, env)).collect();
                StoredTerm::Applied(format!("{module}:{}", Term::atom(*function)), args)
            }
            From::Fun(_) => StoredTerm::Fun(Rc::clone(env)),
            From::Message if let Some(own) = recorded.and_then(|message| self.sent.take(message)) => {
                return self.bind_to(binds, own, env);
            }
            From::Result | From::Message => {
                recorded.map_or(StoredTerm::Other("value"), |value| StoredTerm::Literal(value.clone()))
            }
            From::Caught => return self.caught(binds, recorded, env),
            From::Map { base, pairs } => {
                let base = self.store.value(base, env);
                let pairs =
                    pairs.iter().map(|(_, key, value)| (self.store.value(key, env), self.store.value(value, env)));
                let pairs = pairs.collect::<Vec<_>>();
                self.updated(base, pairs)
            }
            From::Bits(segments) => {
                let segments = segments.iter().map(|segment| {
                    let value = self.store.value(&segment.value, env);
                    self.store.segment(value, &segment.size, segment.format, env)
                });
                StoredTerm::Bits(segments.collect())
            }
            From::Primop { .. } => StoredTerm::Other("primop"),
        };
        let value = self.store.add(node);
        self.bind_to(binds, value, env)
    }

    /// Binds variables to one term.
    fn bind_to(&mut self, binds: &[Var], value: Id, env: &Rc<Env>) -> Option<()> {
        for var in binds {
            let var = self.store.variable(*var, env);
            self.same(var, value)?;
        }
        Some(())
    }

    /// A map with these keys put in; nothing is known of it where it is not known which keys those are.
    fn updated(&mut self, base: Id, new: Vec<(Id, Id)>) -> StoredTerm {
        let Some((mut pairs, open)) = self.store.map(base) else { return StoredTerm::Other("map") };
        for (key, value) in new {
            match self.store.value_of_key(&pairs, key) {
                Ok(Some(_)) => {
                    let wanted = self.store.ground(key);
                    pairs.retain(|(key, _)| self.store.ground(*key) != wanted);
                    pairs.push((key, value));
                }
                Ok(None) => pairs.push((key, value)),
                Err(()) => return StoredTerm::Other("map"),
            }
        }
        StoredTerm::Map { pairs, open }
    }

    /// Class and reason of an exception, or what `catch` makes of them; only the run knows the stack.
    fn caught(&mut self, binds: &[Var], recorded: Option<&Term>, env: &Rc<Env>) -> Option<()> {
        let nodes = match (recorded.and_then(Term::as_tuple), binds) {
            (Some([class, reason]), [_, _]) => {
                vec![StoredTerm::Literal(class.clone()), StoredTerm::Literal(reason.clone())]
            }
            (Some([class, reason]), [_]) => vec![self.value_of_catch(class, reason)],
            _ => binds.iter().map(|_| StoredTerm::Other("exception")).collect(),
        };
        for (var, node) in binds.iter().zip(nodes) {
            let (var, value) = (self.store.variable(*var, env), self.store.add(node));
            self.same(var, value)?;
        }
        Some(())
    }

    fn value_of_catch(&mut self, class: &Term, reason: &Term) -> StoredTerm {
        let exit = StoredTerm::Literal(Term::atom_named("EXIT"));
        match class.as_atom().map(|class| class.name()) {
            Some("throw") => StoredTerm::Literal(reason.clone()),
            Some("exit") => {
                let parts = [exit, StoredTerm::Literal(reason.clone())];
                StoredTerm::Tuple(parts.map(|part| self.store.add(part)).to_vec())
            }
            _ => {
                let inner =
                    [StoredTerm::Literal(reason.clone()), StoredTerm::Other("stack")].map(|part| self.store.add(part));
                let parts = [exit, StoredTerm::Tuple(inner.to_vec())];
                StoredTerm::Tuple(parts.map(|part| self.store.add(part)).to_vec())
            }
        }
    }
}
