//! States of callback modules: those that `init/1` and earlier calls make.

use constraint::{Grammar, RuleId, SECOND, Shape};
use frontend::grammar::{Opaque, Spec, abstract_signatures};
use host::CallResult;
use ir::{CallEdge, CallGraph};
use ops::policy::{Policy, policy};
use search::{EntryFacts, EntryPoint, Signature};
use term::{Atom, Call, Mfa, Outcome, Term};

use super::driver::{CallCode, LastCall};
use super::sequences::{SequenceDomain, changed, fill_all, install, node, throw, with_old};
use super::{Domain, Types, comment_origin, is_empty, known_result};
use crate::Session;

/// The functions whose state argument is one that earlier calls make.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StateChoice {
    /// Those whose spec leaves it open, or has the module's own record.
    Open,
    /// All.
    All,
}

/// A callback that takes a state.
struct Callback {
    name: &'static str,
    arity: u8,
    /// The place of the state among its arguments.
    state: usize,
    /// Results that have the next state: the tag, and the place of the state, counted from 1.
    forms: &'static [(&'static str, usize)],
}

/// The callbacks of `gen_server`; those without forms end the server, or are no part of a run.
const SERVER: &[Callback] = &[
    Callback { name: "handle_call", arity: 3, state: 2, forms: &[("reply", 3), ("noreply", 2)] },
    Callback { name: "handle_cast", arity: 2, state: 1, forms: &[("noreply", 2)] },
    Callback { name: "handle_info", arity: 2, state: 1, forms: &[("noreply", 2)] },
    Callback { name: "terminate", arity: 2, state: 1, forms: &[] },
    Callback { name: "code_change", arity: 3, state: 1, forms: &[] },
];

/// The behaviours whose states are known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Behaviour {
    Server,
    Machine,
}

/// True if `--state` can explore a function of the module this way.
pub fn is_callback(session: &Session, function: Mfa) -> bool {
    let name = function.function.name();
    match behaviour(session, function.module) {
        Some(Behaviour::Server) => {
            (name, function.arity) == ("init", 1)
                || (name, function.arity) == CONTINUE
                || SERVER.iter().any(|it| it.is(function))
        }
        Some(Behaviour::Machine) => match mode(session, function.module) {
            Some(Mode::Events) => {
                (name, function.arity) == ("handle_event", 4) || (name, function.arity) == ("init", 1)
            }
            Some(Mode::States) => {
                function.arity == 3 && !is_other_callback(name) || (name, function.arity) == ("init", 1)
            }
            None => false,
        },
        None => false,
    }
}

/// Returns the domain of a callback whose state argument is what earlier calls of the module make; nothing if the function
/// is no callback, or its state has a type of its own.
pub fn states(session: &Session, entry: Mfa, modules: Vec<Atom>, choice: StateChoice) -> Option<SequenceDomain> {
    let exports =
        |name: &str, arity| session.module(entry.module).is_ok_and(|module| module.exports(Atom::new(name), arity));
    if !exports("init", 1) {
        return None;
    }
    let mut states = States::new(session, entry);
    match behaviour(session, entry.module)? {
        Behaviour::Server => states.server(choice, modules, &exports),
        Behaviour::Machine => states.machine(choice, modules),
    }
}

fn behaviour(session: &Session, module: Atom) -> Option<Behaviour> {
    let declared = session.module(module).ok()?.declarations();
    declared.behaviours().iter().find_map(|name| match name.name() {
        "gen_server" | "Elixir.GenServer" => Some(Behaviour::Server),
        "gen_statem" => Some(Behaviour::Machine),
        _ => None,
    })
}

/// The way in which a state machine gets its events.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mode {
    /// By `handle_event/4`.
    Events,
    /// By a function for each state.
    States,
}

/// The mode that the module says; nothing if it wants calls at the entry of states, which are no part of sequences.
fn mode(session: &Session, module: Atom) -> Option<Mode> {
    let call = Call { module, function: Atom::new("callback_mode"), args: Vec::new() };
    let CallResult::Ended(Outcome::Value(value)) = session.host().confirm(&call) else { return None };
    let mode = match value.proper_list() {
        Some(items) if items.len() == 1 => items.into_iter().next()?,
        Some(_) => return None,
        None => value,
    };
    match mode.as_atom()?.name() {
        "handle_event_function" => Some(Mode::Events),
        "state_functions" => Some(Mode::States),
        _ => None,
    }
}

const CONTINUE: (&str, u8) = ("handle_continue", 2);

fn is_other_callback(name: &str) -> bool {
    matches!(name, "terminate" | "code_change" | "format_status")
}

impl Callback {
    fn is(&self, function: Mfa) -> bool {
        function.function.name() == self.name && function.arity == self.arity
    }
}

/// True if nothing that the module calls itself remembers what was done: its states alone do.
fn is_pure(session: &Session, functions: &[(Mfa, String)]) -> bool {
    let callees = |name: Mfa| {
        let unit = session.unit(name, true).ok()?;
        let graph = CallGraph::new(&unit);
        let all = unit.functions.iter().flat_map(|it| graph.callees(it.name)).filter_map(CallEdge::name);
        Some(all.collect::<Vec<Mfa>>())
    };
    let mut callees = functions.iter().filter_map(|(name, _)| callees(*name)).flatten();
    callees.all(|callee| matches!(policy(callee, true), Policy::Pure | Policy::Code))
}

/// The functions of a module that its callbacks can reach, as text.
fn functions(session: &Session, module: Atom) -> Vec<(Mfa, String)> {
    let Ok(loaded) = session.module(module) else { return Vec::new() };
    let exported = loaded.exported().into_iter();
    let names = exported.map(|name| Mfa { module, function: name.function, arity: name.arity });
    let callbacks = names.filter(|name| is_callback(session, *name));
    let mut reached: Vec<Mfa> = callbacks.flat_map(|name| session.reachable(name)).collect();
    reached.sort_by_key(|name| (name.function.name(), name.arity));
    reached.dedup();
    reached.into_iter().filter_map(|name| Some((name, session.unit(name, true).ok()?.to_string()))).collect()
}

/// One clause of a function's spec, or what the behaviour says.
#[derive(Clone)]
struct Clause {
    params: Vec<RuleId>,
    result: Option<RuleId>,
    no_return: bool,
}

/// The states of one module, while they are built.
struct States<'a> {
    session: &'a Session,
    entry: Mfa,
    types: Types<'a>,
    grammar: Grammar,
    code: CallCode,
    opaques: Vec<Opaque>,
    any: RuleId,
    from: RuleId,
    /// The rule of states.
    state: RuleId,
    /// The functions of the module, as text.
    functions: Vec<(Mfa, String)>,
    /// True if nothing but the state remembers what calls did.
    is_pure: bool,
}

impl<'a> States<'a> {
    fn new(session: &'a Session, entry: Mfa) -> States<'a> {
        let mut grammar = Grammar::default();
        let any = grammar.intern(vec![Shape::Any]);
        let pid = grammar.intern(vec![Shape::Pid]);
        let from = grammar.intern(vec![Shape::Tuple(vec![pid, any])]);
        let state = grammar.reserve();
        let (types, code, opaques) = (Types::new(session), CallCode::new(), Vec::new());
        let functions = functions(session, entry.module);
        let is_pure = is_pure(session, &functions);
        States { session, entry, types, grammar, code, opaques, any, from, state, functions, is_pure }
    }

    /// True if a callback may give a result with that tag: its own code names it, or code that is no callback's, or none.
    fn gives(&self, function: Mfa, tag: &str) -> bool {
        let is_helper = |name: Mfa| !SERVER.iter().any(|callback| callback.is(name)) && name.function.name() != "init";
        let named: Vec<Mfa> = self.functions.iter().filter(|(_, text)| text.contains(tag)).map(|it| it.0).collect();
        named.is_empty() || named.iter().any(|name| *name == function || is_helper(*name))
    }

    /// The domain of a callback of a server.
    fn server(
        &mut self,
        choice: StateChoice,
        modules: Vec<Atom>,
        exports: &dyn Fn(&str, u8) -> bool,
    ) -> Option<SequenceDomain> {
        let module = self.entry.module;
        let is_continue = (self.entry.function.name(), self.entry.arity) == CONTINUE;
        let place = match SERVER.iter().find(|it| it.is(self.entry)) {
            Some(callback) => callback.state,
            None if is_continue => 1,
            None => return None,
        };
        let (mut clauses, specified) = self.clauses(self.entry);
        if choice == StateChoice::Open && !clauses.iter().all(|clause| self.is_open(clause.params[place])) {
            return None;
        }
        let has_continue = exports(CONTINUE.0, CONTINUE.1);
        let (mut shapes, mut continued) = (Vec::new(), Vec::new());
        let init = Mfa { module, function: Atom::new("init"), arity: 1 };
        let callbacks = SERVER.iter().filter(|it| !it.forms.is_empty() && exports(it.name, it.arity));
        let callbacks: Vec<&Callback> = callbacks.collect();
        self.nodes(init, None, &[("ok", 2)], has_continue, &mut shapes, &mut continued);
        for callback in callbacks {
            let function = Mfa { module, function: Atom::new(callback.name), arity: callback.arity };
            self.nodes(function, Some(callback.state), callback.forms, has_continue, &mut shapes, &mut continued);
        }
        self.grammar.fill(self.state, shapes);
        let mut code = None;
        for clause in &mut clauses {
            clause.params[place] = self.state;
        }
        if is_continue {
            let pair = self.grammar.intern(continued);
            let second = self.grammar.intern(vec![Shape::Literal(Term::atom_named(SECOND))]);
            clauses.iter_mut().for_each(|clause| clause.params = vec![pair, second]);
            code =
                Some(format!("begin {{Continue, State}} = X1, _ = X2, {module}:handle_continue(Continue, State) end"));
        }
        self.domain(clauses, (specified, code), modules)
    }

    /// The calls of a callback that make states, and those that make a server continue.
    fn nodes(
        &mut self,
        function: Mfa,
        state: Option<usize>,
        forms: &[(&str, usize)],
        has_continue: bool,
        shapes: &mut Vec<Shape>,
        continued: &mut Vec<Shape>,
    ) {
        let args: Vec<String> = (1..=function.arity).map(|at| format!("#{at}")).collect();
        let call = format!("{}:{}({})", function.module, function.function, args.join(", "));
        let forms: Vec<_> = forms.iter().filter(|(tag, _)| self.gives(function, tag)).copied().collect();
        let is_pure = self.is_pure;
        let made = state.map_or_else(|| call.clone(), |place| with_old(&call, place + 1));
        let changing = |body: String| match state {
            Some(place) if is_pure => changed(place + 1, &body),
            Some(place) => format!("begin Old = #{}, {body} end", place + 1),
            None => body,
        };
        for clause in self.clauses(function).0 {
            let mut params = clause.params;
            if let Some(place) = state {
                params[place] = self.state;
            }
            for (tag, at) in &forms {
                let blank = "_, ".repeat(at - 2);
                let body = format!(
                    "case {made} of {{{tag}, {blank}Made}} -> Made; {{{tag}, {blank}_, {{continue, _}}}} -> {throw}; \
                     {{{tag}, {blank}Made, _}} -> Made; _ -> {throw} end",
                    throw = throw()
                );
                shapes.push(self.node(&format!("element({at}, {call})"), &changing(body), &params));
                if !has_continue {
                    continue;
                }
                let asked = format!("{{{tag}, {blank}State, {{continue, Continue}}}}");
                let (asking, next) = (format!("element(2, element({}, R))", at + 1), format!("element({at}, R)"));
                let handler = format!("{}:handle_continue", function.module);
                let body = format!(
                    "case {made} of {asked} -> case {handler}(Continue, State) of {{noreply, Made}} -> Made; \
                     {{noreply, _, {{continue, _}}}} -> {throw}; {{noreply, Made, _}} -> Made; _ -> {throw} end; \
                     _ -> {throw} end",
                    throw = throw()
                );
                let template = format!("{call} => element(2, {handler}({asking}, {next}))");
                shapes.push(self.node(&template, &changing(body), &params));
                let body = format!("case {call} of {asked} -> {{Continue, State}}; _ -> {} end", throw());
                continued.push(self.node(&format!("{call} => {asking} & {next}"), &body, &params));
            }
        }
    }

    /// The domain of a callback of a state machine.
    fn machine(&mut self, choice: StateChoice, modules: Vec<Atom>) -> Option<SequenceDomain> {
        let Mfa { module, function, arity } = self.entry;
        let mode = mode(self.session, module)?;
        let is_entry = match mode {
            Mode::Events => (function.name(), arity) == ("handle_event", 4),
            Mode::States => arity == 3 && !is_other_callback(function.name()),
        };
        let (mut clauses, specified) = self.clauses(self.entry);
        let is_open = |states: &Self, clause: &Clause| clause.params[2..].iter().all(|param| states.is_open(*param));
        if !is_entry || choice == StateChoice::Open && !clauses.iter().all(|clause| is_open(self, clause)) {
            return None;
        }
        if mode == Mode::States && choice == StateChoice::Open && specified {
            return None;
        }
        let init = Mfa { module, function: Atom::new("init"), arity: 1 };
        let mut shapes = Vec::new();
        for clause in self.clauses(init).0 {
            let body = format!(
                "case {module}:init(#1) of {{ok, State, Data}} -> {{State, Data}}; \
                 {{ok, State, Data, Actions}} -> acted(Actions, {{State, Data}}); _ -> {} end",
                throw()
            );
            let template = format!("{module}:init(#1) => element(2, R) & element(3, R)");
            shapes.push(self.node(&template, &body, &clause.params));
        }
        let types = self.event_types();
        let contents = if mode == Mode::Events {
            clauses.iter().map(|it| Shape::Rule(it.params[1])).collect()
        } else {
            vec![Shape::Any]
        };
        let content = self.grammar.intern(contents);
        let (shown, made) = match mode {
            Mode::Events => (
                format!("{module}:handle_event(#1, #2, #3s, #3d)"),
                format!("{module}:handle_event(#1, #2, State, Data)"),
            ),
            Mode::States => (format!("{module}:(#3s)(#1, #2, #3d)"), format!("{module}:State(#1, #2, Data)")),
        };
        let forms = [
            ("element(2, R) & element(3, R)", "next_state, NextState, NextData", "{NextState, NextData}"),
            ("#3s & element(2, R)", "keep_state, NextData", "{State, NextData}"),
        ];
        for (parts, form, pair) in forms {
            let body = format!(
                "begin {{State, Data}} = Old, case {made} of {{{form}}} -> {pair}; \
                 {{{form}, Actions}} -> acted(Actions, {pair}); _ -> {} end end",
                throw()
            );
            let body = if self.is_pure { changed(3, &body) } else { format!("begin Old = #3, {body} end") };
            shapes.push(self.node(&format!("{shown} => {parts}"), &body, &[types, content, self.state]));
        }
        self.grammar.fill(self.state, shapes);
        let second = self.grammar.intern(vec![Shape::Literal(Term::atom_named(SECOND))]);
        for clause in &mut clauses {
            let content = if mode == Mode::Events || specified { clause.params[1] } else { content };
            clause.params = vec![types, content, self.state];
            clause.params.extend((mode == Mode::Events).then_some(second));
        }
        let code = match mode {
            Mode::Events => {
                format!("begin {{State, Data}} = X3, _ = X4, {module}:handle_event(X1, X2, State, Data) end")
            }
            Mode::States => format!(
                "case X3 of {{{function}, Data}} -> {module}:{function}(X1, X2, Data); _ -> {} end",
                Atom::new(search::OUTSIDE)
            ),
        };
        self.domain(clauses, (specified, Some(code)), modules)
    }

    /// The types of events that come from outside.
    fn event_types(&mut self) -> RuleId {
        let atom = |name| Shape::Literal(Term::atom_named(name));
        let call = self.grammar.intern(vec![atom("call")]);
        let plain = "cast info".split(' ').map(atom);
        self.grammar.intern(plain.chain([Shape::Tuple(vec![call, self.from])]).collect())
    }

    /// The parameters of a callback by its spec, or by its behaviour; and true if there is a spec.
    fn clauses(&mut self, function: Mfa) -> (Vec<Clause>, bool) {
        let found = abstract_signatures(&mut self.grammar, &mut self.types, function, false);
        if let Some(Spec { signatures, opaques, .. }) = found
            && !signatures.is_empty()
        {
            self.opaques.extend(opaques);
            let clause = |clause: frontend::grammar::SpecClause| Clause {
                params: clause.params,
                result: Some(clause.result),
                no_return: false,
            };
            return (signatures.into_iter().map(clause).collect(), true);
        }
        let mut params = vec![self.any; usize::from(function.arity)];
        if function.function.name() == "handle_call" {
            params[1] = self.from;
        }
        (vec![Clause { params, result: None, no_return: false }], false)
    }

    /// True if a spec leaves a parameter open, or has a type that only the module can make.
    fn is_open(&self, mut rule: RuleId) -> bool {
        loop {
            if self.opaques.iter().any(|opaque| opaque.is(rule) && opaque.module == self.entry.module) {
                return true;
            }
            match &self.grammar.rule(rule).shapes[..] {
                [Shape::Any] => return true,
                [Shape::Rule(next)] => rule = *next,
                _ => return false,
            }
        }
    }

    fn node(&mut self, template: &str, body: &str, params: &[RuleId]) -> Shape {
        node(&mut self.grammar, template, body, params, &mut self.code)
    }

    fn domain(
        &mut self,
        clauses: Vec<Clause>,
        (specified, code): (bool, Option<String>),
        modules: Vec<Atom>,
    ) -> Option<SequenceDomain> {
        let opaques = std::mem::take(&mut self.opaques);
        let mut names = vec![format!("states of {}", self.entry.module)];
        names.extend(fill_all(&mut self.grammar, &opaques, &mut self.code).into_iter().map(|(_, name)| name));
        names.truncate(1);
        let known = |clause: &Clause| known_result(&self.grammar, &opaques, clause.result?);
        let known: Vec<Option<RuleId>> = clauses.iter().map(known).collect();
        let inputs: Vec<RuleId> = (0..usize::from(self.entry.arity))
            .map(|at| clauses.iter().map(|clause| Shape::Rule(clause.params[at])).collect())
            .map(|shapes| self.grammar.intern(shapes))
            .collect();
        self.grammar.close();
        let last = LastCall { function: self.entry, inputs, code };
        let driver = install(self.session, &self.grammar, &self.code, &last)?;
        let signatures = clauses
            .into_iter()
            .zip(known)
            .map(|(clause, result)| Signature {
                result,
                no_return: clause.no_return || clause.result.is_some_and(|it| is_empty(&self.grammar, it)),
                inputs: clause.params,
            })
            .collect();
        let target = EntryPoint { function: self.entry, signatures, specified, modules, facts: EntryFacts::default() };
        let grammar = std::mem::take(&mut self.grammar);
        let origin = comment_origin(&mut Types::new(self.session), self.entry);
        let domain = Domain { target, grammar, warnings: Vec::new(), sampled: Vec::new(), origin };
        Some(SequenceDomain { domain, driver, names, is_typed: false })
    }
}
