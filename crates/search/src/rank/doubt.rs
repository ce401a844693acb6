//! The reasons for which a defect is doubtful.

use constraint::{Condition, Decision, Expr, Grammar, Node, RuleId, Shape, Test};
use exec::forward::Object;
use ir::ProcessOp;
use ops::Rule;
use ops::policy::{Policy, policy};
use solve::structural::accepts;
use term::{Atom, Exception, Term, known};

use super::RankedDefect;
use super::blame::{self, WidePart};
use super::parts::InputParts;
use crate::finding::{Defect, ReasonShape, StackEntry};

/// The conditions that a defect depends on, in the order of its path.
pub struct DefectConditions<'a> {
    pub needed: Vec<&'a Condition>,
    /// True if it depends on each of them: else they are those of the whole path.
    pub is_cause: bool,
    pub path: &'a [&'a Decision],
}

/// What Elixir raises for a value that no implementation of a protocol takes.
const UNKNOWN: &str = "Elixir.Protocol.UndefinedError";

impl RankedDefect<'_> {
    /// Says in words why the defect is doubtful, if it is.
    pub(super) fn doubt(&self, parts: &mut InputParts<'_>, conditions: &DefectConditions<'_>) -> Option<String> {
        let specified = self.entry_point.specified;
        let table = self.defect.exception().and_then(missing_table);
        if let Some(table) = table.filter(|table| !self.named.contains(&Object::TableName(*table))) {
            return Some(format!("the table {table} is not there: another part of the program makes it"));
        }
        if self.is_unpromised(parts, conditions) {
            return Some("it fails on a value of its own, for inputs that no spec promises to take".to_owned());
        }
        if self.entry_point.facts.is_internal && !specified && !self.inputs.is_empty() {
            return Some("no spec says what it takes, and only its own program is to call it".to_owned());
        }
        if let Some(reason) = self.of_behaviour().or_else(|| self.of_node()).or_else(|| self.of_limits()) {
            return Some(reason);
        }
        if let Defect::Contract(value) = self.defect {
            let part = self.open_value(parts, value);
            return part.map(|part| part.reason(parts, specified)).or_else(|| self.surrogate());
        }
        if let Some(part) = self.wide_part(parts, conditions) {
            return Some(part.reason(parts, specified));
        }
        let of_type = self.of_library_type(parts, conditions);
        if let Some(reason) = of_type.or_else(|| self.invented(parts)).or_else(|| self.own_module(parts, conditions)) {
            return Some(reason);
        }
        self.unmade(parts, conditions).or_else(|| self.surrogate())
    }

    /// True if it fails on a value that the program itself made, other than a number of something in its inputs, what it
    /// computes with, or the arguments of a call of its own, and no spec says what its inputs are.
    fn is_unpromised(&self, parts: &InputParts<'_>, conditions: &DefectConditions<'_>) -> bool {
        let is_own = self.operands.are_own() && !self.operands.are_of_unseen(parts.arena, &conditions.needed);
        let reason = self.defect.exception().and_then(|exception| exception.reason.as_tuple());
        let is_number = reason.and_then(|parts| parts.get(1)).is_some_and(Term::is_integer);
        let is_called = self.has_no_clause() && !self.is_from_outside() && reason.is_none();
        is_own
            && !is_number
            && !is_called
            && !self.is_arithmetic()
            && !self.entry_point.specified
            && !self.inputs.is_empty()
    }

    fn is_arithmetic(&self) -> bool {
        self.defect.exception().is_some_and(|exception| exception.reason.as_atom() == Some(known::BADARITH))
    }

    /// No clause of a callback takes what its spec has: the behaviour knows what it calls it with.
    fn of_behaviour(&self) -> Option<String> {
        let top = self.defect.exception().filter(|_| self.entry_point.facts.is_callback && self.has_no_clause())?;
        let is_own = StackEntry::read(top.stack.cells().next()?)?.function == self.entry_point.function;
        is_own.then(|| "only its behaviour calls it, and no clause is for these arguments".to_owned())
    }

    /// An operation that looks at the node does not find what an input names.
    fn of_node(&self) -> Option<String> {
        let exception = self.defect.exception()?;
        if let Some([tag, node]) = exception.reason.as_tuple().and_then(|reason| reason.first()?.as_tuple())
            && tag.as_atom().is_some_and(|tag| tag.name() == "nodedown")
        {
            return Some(format!("the node {node} is not there"));
        }
        let top = Some(exception).filter(|exception| exception.reason.as_atom() == Some(known::BADARG))?;
        let entry = top.stack.cells().next()?;
        let function = StackEntry::read(entry)?.function;
        let is_send = ops::rule(function) == Rule::Process(ProcessOp::Send);
        let to = entry.as_tuple()?.get(2)?.cells().next().filter(|to| is_send && !to.mark().is_some());
        if let Some(name) = to.and_then(Term::as_atom) {
            let is_given = self.named.contains(&Object::Name(name));
            return (!is_given)
                .then(|| format!("no process has the name {name}: another part of the program starts it"));
        }
        let is_look = policy(function, true) == Policy::Session;
        is_look.then(|| format!("what {function} takes depends on the processes and the state of the node"))
    }

    /// The VM has no room for what an input asks of it, or has to wait for what is no time and no spec says that it is.
    fn of_limits(&self) -> Option<String> {
        let reason = self.defect.exception()?.reason.as_atom()?;
        match reason.name() {
            "system_limit" if self.is_from_outside() => Some(
                "the VM has a limit there that few programs meet: on sizes, counts, or the length of atoms".to_owned(),
            ),
            "timeout_value" if !self.entry_point.specified => Some("no spec says what times it takes".to_owned()),
            _ => None,
        }
    }

    /// The part of an input that no spec narrows and that is to blame.
    fn wide_part(&self, parts: &mut InputParts<'_>, conditions: &DefectConditions<'_>) -> Option<WidePart> {
        let DefectConditions { needed, is_cause, .. } = conditions;
        let of_tuple = if self.is_element() { blame::any_tuple(parts, self.operands) } else { None };
        if of_tuple.is_some() {
            return of_tuple;
        }
        if let Some(part) = self.unknown_to_protocol().and_then(|value| blame::open_part(parts, value)) {
            return Some(part);
        }
        let blamed = blame::blamed(parts, needed, self.operands);
        let is_inside = blamed.is_some_and(|blamed| blame::asks_inside(parts, blamed, self.operands));
        let is_handed = *is_cause && self.entry_point.specified && self.is_from_outside() && !is_inside;
        if let Some(part) = is_handed.then(|| blame::unasked_part(parts, needed, self.operands)).flatten() {
            return Some(part);
        }
        match blamed {
            Some(blamed) => self.blamed_part(parts, conditions, blamed),
            None => {
                // It fails on a value of its own, but only for inputs that a library has found to be of some kind.
                let last = needed.last().filter(|_| *is_cause && self.operands.are_own());
                let last = last.filter(|last| self.is_question_of_kind(last, conditions.path));
                last.and_then(|last| self.found_kind(parts, last).or_else(|| blame::wide_part(parts, last)))
            }
        }
    }

    /// The same, given the condition that is to blame.
    fn blamed_part(
        &self,
        parts: &mut InputParts<'_>,
        conditions: &DefectConditions<'_>,
        blamed: &Condition,
    ) -> Option<WidePart> {
        if let Some(part) = blame::wide_part(parts, blamed).or_else(|| blame::improper_part(parts, blamed)) {
            return Some(part);
        }
        // Arithmetic on numbers of the right kind is the program's own.
        let are_open = !self.entry_point.specified && !self.is_arithmetic();
        let tags = if are_open { tags(parts, conditions.path) } else { Vec::new() };
        if let Some(part) = blame::record_part(parts, blamed, &self.entry_point.facts.records, &tags) {
            return Some(part);
        }
        if let Some(part) = self.part_of_operation(parts, conditions, blamed) {
            return Some(part);
        }
        let is_own_clause = self.entry_point.specified && self.has_no_clause();
        is_own_clause.then(|| blame::failed_part(parts, blamed, self.operands)).flatten()
    }

    /// The part that an operation or a library does not take.
    fn part_of_operation(
        &self,
        parts: &mut InputParts<'_>,
        conditions: &DefectConditions<'_>,
        blamed: &Condition,
    ) -> Option<WidePart> {
        let is_of_kind = self.is_question_of_kind(blamed, conditions.path);
        let of_kind = is_of_kind.then(|| self.found_kind(parts, blamed)).flatten();
        if let Some(part) = of_kind.or_else(|| self.unseen_part(parts, blamed)) {
            return Some(part);
        }
        let is_promised = self.entry_point.specified || self.is_struct();
        let is_of_library = is_promised && self.is_matter_of_library(blamed, conditions.path);
        if let Some(part) = is_of_library.then(|| blame::asked_part(parts, blamed)).flatten() {
            return Some(part);
        }
        let is_large = is_of_kind && self.is_from_outside();
        let large = is_large.then(|| blame::large_part(parts, blamed)).flatten();
        large.or_else(|| self.unfit_part(parts, conditions, blamed))
    }

    /// The number that an operation does not take where a part may be anything, be it asked about last or not: a cause
    /// needs all that it asks.
    fn unfit_part(
        &self,
        parts: &mut InputParts<'_>,
        conditions: &DefectConditions<'_>,
        blamed: &Condition,
    ) -> Option<WidePart> {
        let DefectConditions { needed, is_cause, path } = conditions;
        let asked = needed.iter().copied().filter(|condition| *is_cause || *condition == blamed);
        let mut of_kind = asked.filter(|condition| self.is_question_of_kind(condition, path));
        of_kind.find_map(|condition| {
            // Without a spec, lists of characters are as likely as those of bytes.
            let is_byte_of_unspecified =
                !self.entry_point.specified && blame::byte_asked(parts.arena, condition).is_some();
            if is_byte_of_unspecified { None } else { blame::unfit_number(parts, condition) }
        })
    }

    /// True if the VM looks for an element that a tuple does not have.
    fn is_element(&self) -> bool {
        let top = self.defect.exception().and_then(|exception| StackEntry::read(exception.stack.cells().next()?));
        let is_one = top.is_some_and(|top| matches!(ops::rule(top.function), Rule::Element | Rule::OpenTuple(..)));
        is_one && self.entry_point.specified && self.is_from_outside()
    }

    /// The value that a protocol has no implementation for, if it depends on inputs.
    fn unknown_to_protocol(&self) -> Option<Expr> {
        let reason = &self.defect.exception()?.reason;
        let is_protocol = matches!(ReasonShape::of(reason), ReasonShape::Struct(name) if name.name() == UNKNOWN);
        let value = reason.as_map().filter(|_| is_protocol)?.get(&Term::atom_named("value"))?;
        self.subject.arena().of_mark(value.mark())
    }

    /// True if a library or an operation asked: what is tested knows what its own branches took.
    pub(super) fn is_question_of_kind(&self, condition: &Condition, path: &[&Decision]) -> bool {
        let decision = path.iter().find(|decision| decision.condition == *condition);
        let is_own = |site| {
            let place = self.subject.branch(site);
            place.is_some_and(|place| self.entry_point.modules.contains(&place.function.module))
        };
        decision.is_some_and(|decision| !is_own(decision.site))
    }

    /// The part that a condition finds to be of a kind, unless the code asks for inputs of that kind.
    fn found_kind(&self, parts: &mut InputParts<'_>, condition: &Condition) -> Option<WidePart> {
        let found = blame::found_kind(parts, condition)?;
        (!self.is_wanted(parts, &found)).then_some(found)
    }

    /// The same for a condition on what a function gives that no solver can see into.
    fn unseen_part(&self, parts: &mut InputParts<'_>, condition: &Condition) -> Option<WidePart> {
        let arena = self.subject.arena();
        let is_call = |expr: Expr| matches!(arena.node(expr), Node::Opaque(..));
        let mut is_unseen = condition.test.exprs().any(is_call);
        // Without a spec, what it gives is the program's own matter.
        if self.entry_point.specified {
            arena.visit(condition.test.exprs(), |expr, _| {
                is_unseen |= is_call(expr);
                !is_unseen
            });
        }
        let asked = || blame::asked_part(parts, condition).or_else(|| blame::list_of_any(parts, condition));
        let found = is_unseen.then(asked).flatten()?;
        (!self.is_wanted(parts, &found)).then_some(found)
    }

    /// A reference, port or pid of the inputs that an operation does not know: nothing has made it.
    fn invented(&self, parts: &InputParts<'_>) -> Option<String> {
        let top = self.defect.exception()?.stack.cells().next().filter(|_| self.is_from_outside())?;
        let args = top.as_tuple()?.get(2)?.proper_list()?;
        let handles = args.into_iter().filter(|arg| matches!(arg, Term::Handle(..)));
        let mut found = handles.filter_map(|handle| parts.input(self.subject.arena().of_mark(handle.mark())?));
        found.next().map(|input| format!("argument {} has a reference, port or pid that nothing has made", input + 1))
    }

    /// A library refuses a value of its own type: what the type says is more than what the library takes.
    fn of_library_type(&self, parts: &mut InputParts<'_>, conditions: &DefectConditions<'_>) -> Option<String> {
        let library = self.raised_in().filter(|module| !self.entry_point.modules.contains(module))?;
        let blamed = blame::blamed(parts, &conditions.needed, self.operands)?;
        let asked: Vec<Expr> = blamed.test.exprs().flat_map(|expr| parts.of(expr)).collect();
        let name = asked.into_iter().find_map(|part| parts.type_of_module(part, library))?;
        Some(format!("the type {library}:{name}() has values that {library} does not take"))
    }

    /// An input that gives the name of the tested module where one is called by a name: no other is known.
    fn own_module(&self, parts: &mut InputParts<'_>, conditions: &DefectConditions<'_>) -> Option<String> {
        let DefectConditions { needed, path, .. } = conditions;
        let named = needed.iter().find_map(|condition| {
            let Test::Same(part, name) = condition.test else { return None };
            let name = parts.arena.as_literal(name)?.as_atom()?;
            let is_own = condition.holds && self.entry_point.modules.contains(&name);
            (is_own && self.is_question_of_kind(condition, path)).then_some((part, name))
        });
        let (part, name) = named?;
        let is_open = parts.type_of(part)?.has(parts.grammar, |shape| matches!(shape, Shape::Any | Shape::Atom));
        let argument = parts.input(part)? + 1;
        is_open
            .then(|| format!("{name} is called because argument {argument} names it, and the spec allows any module"))
    }

    /// True if the input with a part is what code without a spec asks for.
    fn is_wanted(&self, parts: &InputParts<'_>, found: &WidePart) -> bool {
        let Some(at) = parts.input(found.part).map(|at| at as usize) else { return false };
        let wanted = self.entry_point.facts.wanted.as_ref().and_then(|wanted| wanted.inputs.inputs.get(at));
        wanted.is_some_and(|rule| {
            let grammar = self.subject.grammar();
            let is_open = |shape: &Shape| matches!(shape, Shape::Any | Shape::AnyTuple);
            !grammar.rule(*rule).shapes.iter().any(is_open) && accepts(grammar, *rule, &self.inputs[at])
        })
    }

    /// True if a library raised the exception, and asked the question: the program has only handed it the value.
    pub(super) fn is_matter_of_library(&self, condition: &Condition, path: &[&Decision]) -> bool {
        let decision = path.iter().find(|decision| decision.condition == *condition);
        let place = decision.and_then(|decision| self.subject.place(decision.site));
        let is_own = |module: &Atom| self.entry_point.modules.contains(module);
        self.raised_in().is_some_and(|module| module.name() != "erlang" && !is_own(&module))
            && place.is_some_and(|place| !is_own(&place.function.module))
    }

    /// True for an exception of Elixir, which its library raises on purpose.
    fn is_struct(&self) -> bool {
        let reason = self.defect.exception().map(|exception| ReasonShape::of(&exception.reason));
        matches!(reason, Some(ReasonShape::Struct(_)))
    }

    /// True if no clause takes a value.
    fn has_no_clause(&self) -> bool {
        let shape = self.defect.exception().map(|exception| ReasonShape::of(&exception.reason));
        match shape {
            Some(ReasonShape::Atom(atom)) => atom.name() == "function_clause",
            Some(ReasonShape::Tagged(tag, 2)) => tag.name() == "case_clause",
            _ => false,
        }
    }

    /// True if a library, or an operation, raised the exception.
    fn is_from_outside(&self) -> bool {
        self.raised_in().is_some_and(|module| !self.entry_point.modules.contains(&module))
    }

    fn raised_in(&self) -> Option<Atom> {
        let top = self.defect.exception()?.stack.cells().next()?;
        StackEntry::read(top).map(|entry| entry.function.module)
    }

    /// The part of an input that stands where a value breaks the contract, if it may be anything.
    fn open_value(&self, parts: &mut InputParts<'_>, value: &Term) -> Option<WidePart> {
        let result = self.entry_point.signatures[self.signature].result?;
        let odd = odd_part(self.subject.grammar(), result, value);
        let expr = self.subject.arena().of_mark(odd.mark())?;
        blame::open_part(parts, expr)
    }

    /// The input is of an opaque type whose values no call makes: what its declaration says is more than there is.
    fn unmade(&self, parts: &mut InputParts<'_>, conditions: &DefectConditions<'_>) -> Option<String> {
        let unmade = &self.entry_point.facts.unmade;
        let blamed = blame::blamed(parts, &conditions.needed, self.operands)?;
        let inputs = blamed.test.exprs().flat_map(|expr| parts.of(expr)).filter_map(|part| parts.input(part));
        let names: Vec<&String> = inputs.filter_map(|input| unmade.get(input as usize)?.as_ref()).collect();
        names.first().map(|name| format!("no calls make values of {name}: they are those of its declaration"))
    }

    /// A witness, which is small, has a number for a character that is none.
    fn surrogate(&self) -> Option<String> {
        let grammar = self.subject.grammar();
        let rules = &self.entry_point.signatures[self.signature].inputs;
        let at = rules.iter().zip(self.inputs).position(|(rule, input)| {
            has_surrogate(input) && grammar.reaches(*rule, |rule| grammar.rule(rule).shapes.iter().any(is_char))
        })?;
        Some(format!("a part of argument {} is half of a surrogate pair, and no character", at + 1))
    }
}

/// The tuples whose tags the program has asked for.
fn tags(parts: &InputParts<'_>, path: &[&Decision]) -> Vec<Expr> {
    let asked = path.iter().filter(|decision| decision.condition.holds);
    let asked = asked.filter_map(|decision| match decision.condition.test {
        Test::Same(tag, name) if parts.arena.as_literal(name)?.as_atom().is_some() => match parts.arena.node(tag) {
            Node::Element(tuple, 0) => Some(*tuple),
            _ => None,
        },
        _ => None,
    });
    asked.collect()
}

/// The name of the table that an operation of `ets` did not find.
fn missing_table(exception: &Exception) -> Option<Atom> {
    let [module, _, args, location] = exception.stack.cells().next()?.as_tuple()? else { return None };
    let name = args.cells().next().filter(|table| !table.mark().is_some())?.as_atom()?;
    let info = location.cells().find_map(|item| match item.as_tuple()? {
        [tag, info] if tag.as_atom()?.name() == "error_info" => info.as_map(),
        _ => None,
    })?;
    let cause = info.get(&Term::atom_named("cause"))?.as_atom()?;
    (module.as_atom()?.name() == "ets" && cause.name() == "id").then_some(name)
}

/// The part of a value that a rule does not have, as deep as the rule says one thing only.
fn odd_part<'t>(grammar: &Grammar, rule: RuleId, value: &'t Term) -> &'t Term {
    let inside = term::deeper(|| match value {
        Term::Tuple(_, items) => {
            let mut tuples = grammar.rule(rule).shapes.iter().filter_map(|shape| match shape {
                Shape::Tuple(rules) if fits(grammar, rules, items) => Some(rules),
                _ => None,
            });
            let (rules, None) = (tuples.next()?, tuples.next()) else { return None };
            odd_item(grammar, rules.iter().zip(items.iter()))
        }
        Term::Map(_, map) => {
            let mut maps = grammar.rule(rule).shapes.iter().filter_map(|shape| match shape {
                Shape::Map(fields) => Some(fields),
                _ => None,
            });
            let (fields, None) = (maps.next()?, maps.next()) else { return None };
            let field_of = |key: &Term| fields.iter().find(|field| accepts(grammar, field.key, key));
            let known = map.iter().filter_map(|(key, value)| Some((&field_of(key)?.value, value)));
            odd_item(grammar, known)
        }
        Term::Cons(..) => {
            let mut cells = grammar.rule(rule).shapes.iter().filter_map(|shape| match shape {
                Shape::Cons(head, _) => Some(head),
                _ => None,
            });
            let (head, None) = (cells.next()?, cells.next()) else { return None };
            odd_item(grammar, value.cells().map(|item| (head, item)))
        }
        _ => None,
    });
    inside.filter(|_| !value.mark().is_some()).unwrap_or(value)
}

fn odd_item<'r, 't>(grammar: &Grammar, mut items: impl Iterator<Item = (&'r RuleId, &'t Term)>) -> Option<&'t Term> {
    let (rule, item) = items.find(|(rule, item)| !accepts(grammar, **rule, item))?;
    Some(odd_part(grammar, *rule, item))
}

/// True if a tuple has the size and the tag of a rule's tuples.
fn fits(grammar: &Grammar, rules: &[RuleId], items: &[Term]) -> bool {
    let has_tag = |tag: &Term| tag.as_atom().is_none() || accepts(grammar, rules[0], tag);
    rules.len() == items.len() && items.first().is_none_or(has_tag)
}

fn is_char(shape: &Shape) -> bool {
    let is = |bound: &Option<num_bigint::BigInt>, wanted: u32| bound.as_ref().is_some_and(|it| *it == wanted.into());
    matches!(shape, Shape::Integer { low, high } if is(low, 0) && is(high, u32::from(char::MAX)))
}

/// True if a term has the number of half a surrogate pair.
fn has_surrogate(term: &Term) -> bool {
    term::deeper(|| match term {
        Term::Cons(..) => term.cells().any(has_surrogate),
        Term::Tuple(_, items) => items.iter().any(has_surrogate),
        Term::Map(_, map) => map.iter().any(|(key, value)| has_surrogate(key) || has_surrogate(value)),
        term => matches!(term.as_i64(), Some(0xD800..=0xDFFF)),
    })
}
