//! Findings: defects that differ in where they happen or in the shape of their reason.

use constraint::{Path, Stimulus};
use exec::forward::{EndlessLoop, LoopCall, Place, WaitingProcess};
use serde::{Deserialize, Serialize};
use term::{Atom, Class, Exception, Mfa, Naming, Term, known};

use crate::EntryPoint;
use crate::failure_cause::FailureCause;
use crate::rank::{FindingRoot, Ranking};
use crate::schedules::Renumbering;

/// A run that ends as it should not.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Defect {
    /// A process ends with an exception.
    Crash(Exception),
    /// The call has no end: its process waits, and no other can go on.
    Deadlock(Vec<WaitingProcess>),
    /// The call has its value, and a process waits that nothing can reach.
    Leak(WaitingProcess),
    /// The call has a value that its spec does not allow.
    Contract(Term),
    /// A property gives something else than `true`.
    Property(Term),
    /// The call has no end: a loop goes round for ever.
    Loop(EndlessLoop),
}

impl Defect {
    /// Gives the processes that it names other numbers.
    pub fn renumber(&mut self, numbers: &Renumbering) {
        let waiting = match self {
            Defect::Crash(_) | Defect::Contract(_) | Defect::Property(_) | Defect::Loop(_) => &mut [][..],
            Defect::Deadlock(processes) => &mut processes[..],
            Defect::Leak(process) => std::slice::from_mut(process),
        };
        waiting.iter_mut().for_each(|process| process.number = numbers.number(process.number));
    }

    /// Returns the exception of a crash.
    pub fn exception(&self) -> Option<&Exception> {
        match self {
            Defect::Crash(exception) => Some(exception),
            Defect::Deadlock(_) | Defect::Leak(_) | Defect::Contract(_) | Defect::Property(_) | Defect::Loop(_) => None,
        }
    }

    /// Returns the reason of a crash, or the value that is a defect.
    pub fn term(&self) -> Option<&Term> {
        match self {
            Defect::Crash(exception) => Some(&exception.reason),
            Defect::Contract(value) | Defect::Property(value) => Some(value),
            Defect::Deadlock(_) | Defect::Leak(_) | Defect::Loop(_) => None,
        }
    }

    /// Returns the name of its kind.
    pub fn kind_name(&self) -> &'static str {
        match self {
            Defect::Crash(_) => "crash",
            Defect::Deadlock(_) => "deadlock",
            Defect::Leak(_) => "leak",
            Defect::Contract(_) => "contract",
            Defect::Property(_) => "property",
            Defect::Loop(_) => "loop",
        }
    }

    /// Returns its name: the class of an exception, or what it is.
    pub fn name(&self) -> String {
        match self {
            Defect::Crash(exception) => exception.class.to_string(),
            Defect::Deadlock(_) => "deadlock".to_owned(),
            Defect::Leak(_) => "leak".to_owned(),
            Defect::Contract(_) => "contract".to_owned(),
            Defect::Property(_) => "property".to_owned(),
            Defect::Loop(_) => "loop".to_owned(),
        }
    }

    /// Returns the processes that wait.
    pub fn waiting(&self) -> &[WaitingProcess] {
        match self {
            Defect::Crash(_) | Defect::Contract(_) | Defect::Property(_) | Defect::Loop(_) => &[],
            Defect::Deadlock(processes) => processes,
            Defect::Leak(process) => std::slice::from_ref(process),
        }
    }

    /// Returns it with processes and references named as far as the inputs do.
    pub fn named(self, inputs: &[Term]) -> Defect {
        match self {
            Defect::Crash(exception) => Defect::Crash(exception.named(inputs)),
            Defect::Contract(value) => Defect::Contract(Naming::keeping(inputs).name(&value)),
            Defect::Property(value) => Defect::Property(Naming::keeping(inputs).name(&value)),
            Defect::Loop(mut endless) => {
                let mut naming = Naming::keeping(inputs);
                let args = endless.calls.iter_mut().flat_map(|call| &mut call.args);
                args.for_each(|arg| *arg = naming.name(arg));
                Defect::Loop(endless)
            }
            other => other,
        }
    }
}

/// The kind of a defect, without the data of one run.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum DefectKind {
    Crash(Class, ReasonShape),
    Deadlock,
    Leak,
    Contract,
    Property,
    Loop,
}

impl DefectKind {
    /// True unless the call has its value, and that is what a property asks for.
    pub fn ends_the_call(&self) -> bool {
        matches!(self, DefectKind::Crash(..) | DefectKind::Deadlock | DefectKind::Property | DefectKind::Loop)
    }
}

/// Defects with the same key are one finding.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct FindingKey {
    pub kind: DefectKind,
    pub function: Option<Mfa>,
    pub line: u32,
    /// 0 when unknown: two operations on one line are two sites.
    pub column: u32,
    /// The library function that the crashing one had called, if the exception comes from there.
    pub via: Option<Mfa>,
}

/// The part of a reason that does not depend on the data.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum ReasonShape {
    Atom(Atom),
    /// A tuple by its first element and its size: `{badmatch, _}`.
    Tagged(Atom, usize),
    /// An Elixir exception.
    Struct(Atom),
    /// Of any other kind, by its name.
    Other(String),
}

/// A defect that the real VM has confirmed.
#[derive(Clone, Serialize, Deserialize)]
pub struct Finding {
    pub key: FindingKey,
    /// Which clause of the spec allows the inputs.
    pub signature: usize,
    pub stimulus: Stimulus,
    pub defect: Defect,
    /// The place of the crash, in the code under test if the stack reaches it; or where a process waits.
    pub at: Option<Place>,
    /// The decisions of the witness's run, over the expressions of its exploration: not part of the data.
    #[serde(skip)]
    pub path: Path,
    /// The VM's own text of an exception.
    pub text: String,
    /// True if the VM has shown it under its schedule, if it has one.
    pub replayed: bool,
    /// The conditions that it depends on, if they are few.
    pub cause: Option<FailureCause>,
    /// How likely it is that its author wants to hear of it.
    pub ranking: Ranking,
    /// The root that it may share with other bugs of its function.
    #[serde(default)]
    pub root: Option<FindingRoot>,
    /// The number of paths that end so.
    pub paths: u64,
}

/// A defect of our machine that the real VM does not have: a mistake of ours.
#[derive(Clone, Serialize, Deserialize)]
pub struct Unconfirmed {
    pub key: FindingKey,
    pub stimulus: Stimulus,
    pub defect: Defect,
    pub at: Option<Place>,
    /// The ending on the VM, in words.
    pub got: String,
    pub paths: u64,
}

/// Inputs that no clause of a function without spec takes: they show its domain.
#[derive(Clone, Serialize, Deserialize)]
pub struct OutsideDomain {
    pub inputs: Vec<Term>,
    pub exception: Exception,
    pub paths: u64,
}

/// The crashes that a rule of the user covers.
#[derive(Clone, Serialize, Deserialize)]
pub struct IgnoredCrashes {
    /// The rule as the user wrote it.
    pub rule: String,
    /// The number of crashes that differ in place or shape.
    pub crashes: u64,
    /// The number of paths that end so.
    pub paths: u64,
    /// The inputs of the first.
    pub inputs: Vec<Term>,
}

/// One entry of a stack trace.
#[derive(Clone)]
pub(crate) struct StackEntry {
    pub function: Mfa,
    file: String,
    pub line: u32,
}

impl FindingKey {
    /// The kind of a defect, and where it happened; `trace` has the columns of the places of an exception's stack.
    pub fn of(defect: &Defect, trace: &[Place], entry_point: &EntryPoint) -> (FindingKey, Option<Place>) {
        let kind = match defect {
            Defect::Crash(exception) => return FindingKey::of_exception(exception, trace, entry_point),
            Defect::Loop(endless) => return FindingKey::of_loop(endless, entry_point),
            Defect::Deadlock(_) => DefectKind::Deadlock,
            Defect::Leak(_) => DefectKind::Leak,
            Defect::Contract(_) => return FindingKey::of_value(DefectKind::Contract, trace, entry_point),
            Defect::Property(_) => return FindingKey::of_value(DefectKind::Property, trace, entry_point),
        };
        let is_tested = |place: &&Place| entry_point.modules.contains(&place.function.module);
        let mut places = defect.waiting().iter().flat_map(|process| &process.stack);
        let at = places.clone().find(is_tested).or_else(|| places.next()).cloned();
        let place = at.as_ref();
        let (line, column) = place.map_or((0, 0), |place| (place.line, place.column));
        (FindingKey { kind, function: place.map(|place| place.function), line, column, via: None }, at)
    }

    /// The same for a value that the function must not give.
    fn of_value(kind: DefectKind, trace: &[Place], entry_point: &EntryPoint) -> (FindingKey, Option<Place>) {
        let function = Some(entry_point.function);
        (FindingKey { kind, function, line: 0, column: 0, via: None }, trace.first().cloned())
    }

    /// The same for a loop: the first of its functions that is under test is its head.
    fn of_loop(endless: &EndlessLoop, entry_point: &EntryPoint) -> (FindingKey, Option<Place>) {
        let at = loop_head(endless, entry_point).map(|call| call.at.clone());
        let place = at.as_ref();
        let (line, column) = place.map_or((0, 0), |place| (place.line, place.column));
        let function = place.map(|place| place.function);
        (FindingKey { kind: DefectKind::Loop, function, line, column, via: None }, at)
    }

    /// The same for an exception.
    fn of_exception(exception: &Exception, trace: &[Place], entry_point: &EntryPoint) -> (FindingKey, Option<Place>) {
        let mut frames: Vec<StackEntry> = exception.stack.cells().filter_map(StackEntry::read).collect();
        let is_tested = |frame: &StackEntry| frame.is_in(entry_point);
        // A function that does not exist stands nowhere, and its name may be data: its caller is the site, also where
        // the call was the last thing it did, so that the stack does not show it.
        if is_undefined(exception) && frames.first().is_some_and(|missing| missing.line == 0) {
            frames.remove(0);
            if !frames.iter().any(is_tested) {
                let caller = trace.iter().find(|place| entry_point.modules.contains(&place.function.module));
                frames.splice(0..0, caller.map(StackEntry::of));
            }
        }
        let placed = frames.iter().position(|frame| is_tested(frame) && frame.line > 0);
        let tested = placed.or_else(|| frames.iter().position(is_tested));
        let at = tested.unwrap_or(0);
        let frame = frames.get(at);
        let via = tested.and_then(|at| at.checked_sub(1)).map(|above| frames[above].function);
        // Functions of the VM itself have no line: their caller has one.
        let has_line = |frame: &&StackEntry| frame.line > 0;
        let placed = frames.iter().skip(at).find(has_line).or_else(|| frames.iter().find(has_line)).or(frame);
        let place = placed.cloned().map(|frame| frame.place(trace));
        let key = FindingKey {
            kind: DefectKind::Crash(exception.class, ReasonShape::of(&exception.reason)),
            function: frame.map(|frame| frame.function),
            line: frame.map_or(0, |frame| frame.line),
            column: place.as_ref().map_or(0, |place| place.column),
            via,
        };
        (key, place)
    }
}

impl ReasonShape {
    /// The shape of a reason.
    pub fn of(reason: &Term) -> ReasonShape {
        let other = |kind: &str| ReasonShape::Other(kind.to_owned());
        match reason {
            Term::Atom(_, atom) => ReasonShape::Atom(*atom),
            Term::Tuple(_, items) => match items.first().and_then(Term::as_atom) {
                Some(tag) => ReasonShape::Tagged(tag, items.len()),
                None => other("tuple"),
            },
            Term::Map(..) => elixir_struct(reason).map_or(other("map"), ReasonShape::Struct),
            Term::Nil(_) | Term::Cons(..) => other("list"),
            Term::Float(..) => other("float"),
            Term::Bits(..) => other("bitstring"),
            Term::Fun(..) => other("fun"),
            reason if reason.is_integer() => other("integer"),
            _ => other("handle"),
        }
    }
}

/// The head of a loop: the first of its calls in code under test, if there is one.
pub fn loop_head<'e>(endless: &'e EndlessLoop, entry_point: &EntryPoint) -> Option<&'e LoopCall> {
    let is_tested = |call: &&LoopCall| entry_point.modules.contains(&call.at.function.module);
    endless.calls.iter().find(is_tested).or_else(|| endless.calls.first())
}

fn is_undefined(exception: &Exception) -> bool {
    exception.class == Class::Error && exception.reason.as_atom() == Some(known::UNDEF)
}

/// The module of an Elixir struct.
pub(crate) fn elixir_struct(reason: &Term) -> Option<Atom> {
    reason.as_map()?.struct_module()
}

impl StackEntry {
    /// `{M, F, ArityOrArgs, Location}`; entries of another form are skipped.
    pub fn read(entry: &Term) -> Option<StackEntry> {
        let [module, function, arity, location] = entry.as_tuple()? else { return None };
        let arity = match arity.as_i64() {
            Some(arity) => arity,
            None => arity.proper_list()?.len() as i64,
        };
        let function =
            Mfa { module: module.as_atom()?, function: function.as_atom()?, arity: u8::try_from(arity).ok()? };
        let file = property(location, "file").and_then(|file| text(&file)).unwrap_or_default();
        let line = property(location, "line").and_then(|line| line.as_i64()).unwrap_or(0);
        Some(StackEntry { function, file, line: u32::try_from(line).unwrap_or(0) })
    }

    /// True if it is code under test.
    pub fn is_in(&self, entry_point: &EntryPoint) -> bool {
        entry_point.modules.contains(&self.function.module)
    }

    fn of(place: &Place) -> StackEntry {
        StackEntry { function: place.function, file: place.file.clone(), line: place.line }
    }

    fn place(self, trace: &[Place]) -> Place {
        let here = |place: &&Place| place.function == self.function && place.line == self.line;
        // The run knows the file as people find it; the stack has the name that the compiler was given.
        match trace.iter().find(here) {
            Some(place) => place.clone(),
            None => Place { function: self.function, file: self.file, line: self.line, column: 0 },
        }
    }
}

fn property(list: &Term, name: &str) -> Option<Term> {
    list.cells().find_map(|item| match item.as_tuple()? {
        [key, value] if key.as_atom()?.name() == name => Some(value.clone()),
        _ => None,
    })
}

fn text(chars: &Term) -> Option<String> {
    chars.cells().map(|char| char.as_i64().and_then(|char| char::from_u32(u32::try_from(char).ok()?))).collect()
}

/// The arguments of a call of the function under test that no clause of it takes, if the exception is that.
pub fn unmatched_args(exception: &Exception, entry: Mfa) -> Option<Vec<Term>> {
    if exception.class != Class::Error || exception.reason.as_atom() != Some(known::FUNCTION_CLAUSE) {
        return None;
    }
    let top = exception.stack.cells().next()?;
    StackEntry::read(top).filter(|frame| frame.function == entry)?;
    top.as_tuple()?.get(2)?.proper_list()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry_point() -> EntryPoint {
        let entry = Mfa { module: Atom::new("m"), function: Atom::new("f"), arity: 1 };
        EntryPoint {
            function: entry,
            signatures: Vec::new(),
            specified: true,
            modules: vec![Atom::new("m")],
            facts: crate::subject::EntryFacts::default(),
        }
    }

    fn raised(reason: &str, stack: &str) -> Exception {
        let read = |text| Term::read(text).unwrap_or_else(|e| panic!("{e}"));
        Exception { class: Class::Error, reason: read(reason), stack: read(stack) }
    }

    #[test]
    fn data_in_the_reason_makes_no_new_finding() {
        let stack = "[{m, f, 1, [{file, \"m.erl\"}, {line, 7}]}]";
        let key = |reason| FindingKey::of_exception(&raised(reason, stack), &[], &entry_point()).0;
        assert_eq!(key("{badmatch, 1}"), key("{badmatch, [x]}"));
        assert_ne!(key("{badmatch, 1}"), key("{case_clause, 1}"));
        assert_ne!(key("{badmatch, 1}"), key("badmatch"));
    }

    #[test]
    fn the_site_is_the_first_frame_under_test() {
        let library =
            "[{lists, nth, [0, []], [{file, \"lists.erl\"}, {line, 170}]}, {m, g, 2, [{file, \"m.erl\"}, {line, 5}]}]";
        let (key, at) = FindingKey::of_exception(&raised("function_clause", library), &[], &entry_point());
        assert_eq!((key.line, key.via.map(|via| via.to_string())), (5, Some("lists:nth/2".into())));
        assert_eq!(at.map(|at| (at.file, at.line)), Some(("m.erl".into(), 5)));
    }

    #[test]
    fn two_columns_of_a_line_are_two_sites() {
        let raised = raised("badarith", "[{m, f, 1, [{file, \"m.erl\"}, {line, 7}]}]");
        let place = |line, column| Place { function: entry_point().function, file: "m.erl".into(), line, column };
        let column = |trace: &[Place]| FindingKey::of_exception(&raised, trace, &entry_point()).0.column;
        assert_eq!(column(&[place(6, 1), place(7, 9), place(7, 2)]), 9);
        assert_eq!(column(&[place(6, 1)]), 0);
    }

    #[test]
    fn the_name_of_a_missing_function_makes_no_new_finding() {
        let last =
            |name: &str| raised("undef", &format!("[{{{name}, f, [], []}}, {{shell, exprs, 7, [{{line, 9}}]}}]"));
        let place = Place { function: entry_point().function, file: "m.erl".into(), line: 7, column: 9 };
        let (key, at) = FindingKey::of_exception(&last("a"), std::slice::from_ref(&place), &entry_point());
        assert_eq!((key.line, key.column, at.as_ref()), (7, 9, Some(&place)));
        assert_eq!(key, FindingKey::of_exception(&last("m"), std::slice::from_ref(&place), &entry_point()).0);
        let inside = |name: &str| raised("undef", &format!("[{{{name}, f, [], []}}, {{m, g, 1, [{{line, 4}}]}}]"));
        let (key, _) = FindingKey::of_exception(&inside("a"), std::slice::from_ref(&place), &entry_point());
        assert_eq!((key.line, key.via), (4, None));
        assert_eq!(key, FindingKey::of_exception(&inside("b"), &[place], &entry_point()).0);
    }

    #[test]
    fn without_a_frame_under_test_the_top_one_is_the_site() {
        let (key, _) = FindingKey::of_exception(&raised("badarg", "[{lists, x, 2, [{line, 9}]}]"), &[], &entry_point());
        assert_eq!((key.line, key.via), (9, None));
        assert_eq!(FindingKey::of_exception(&raised("badarg", "[]"), &[], &entry_point()).0.function, None);
    }

    #[test]
    fn only_the_entry_itself_shows_its_domain() {
        let unmatched = |stack| unmatched_args(&raised("function_clause", stack), entry_point().function);
        assert_eq!(unmatched("[{m, f, [1], [{line, 3}]}]"), Some(vec![Term::int(1)]));
        assert_eq!(unmatched("[{m, f, 1, [{line, 3}]}]"), None);
        assert_eq!(unmatched("[{m, g, [1], []}, {m, f, 1, []}]"), None);
        assert_eq!(unmatched("[{lists, f, [1], []}]"), None);
    }
}
