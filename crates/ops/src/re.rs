//! The functions of `re` that the VM implements. Some calls go on in Erlang code: those that repeat, and those on Unicode
//! text that has to be turned into binaries first.

use term::{Atom, Mfa, Term};

use crate::detour::{Detour, Handover, Subject, mfa};
use crate::opaque::guess;
use crate::policy::Policy;
use crate::{Environment, Operation};

pub(crate) const OPERATIONS: &[Operation] = &[
    Operation::vm("compile", 1, Policy::Pure),
    by(Operation::vm("compile", 2, Policy::Pure), compile),
    by(Operation::vm("run", 2, Policy::Pure), run).guess(guess::run),
    by(Operation::vm("run", 3, Policy::Pure), run).guess(guess::run),
    by(Operation::vm("internal_run", 4, Policy::Pure), internal_run),
];

const fn by(operation: Operation, rule: fn(&mut dyn Environment, &[Term]) -> Handover) -> Operation {
    operation.detour(Detour { rule, subject: Subject::Bits })
}

/// Returns the functions that compile patterns.
pub fn compilers() -> [Mfa; 2] {
    [1, 2].map(|arity| mfa("re", "compile", arity))
}

fn compile(_: &mut dyn Environment, args: &[Term]) -> Handover {
    let options = Options::read(&args[1])?;
    let wanted = options.unicode && !options.only_for_runs && !is_bits(&args[0]);
    wanted.then(|| (mfa("re", "ucompile", 2), args.to_vec()))
}

fn internal_run(vm: &mut dyn Environment, args: &[Term]) -> Handover {
    args[3].as_bool()?;
    run(vm, &args[..3])
}

fn run(vm: &mut dyn Environment, args: &[Term]) -> Handover {
    let (subject, pattern) = (&args[0], &args[1]);
    let nothing = Term::nil();
    let list = args.get(2).unwrap_or(&nothing);
    let options = Options::read(list)?;
    match Pattern::of(pattern)? {
        Pattern::Compiled { .. } if options.only_for_compiling => None,
        Pattern::Compiled { unicode } if unicode && options.needs_text(subject) => urun(subject, pattern, list),
        Pattern::Text if options.unicode && (!is_bits(pattern) || options.needs_text(subject)) => {
            urun(subject, pattern, list)
        }
        _ if !options.global => None,
        Pattern::Compiled { .. } => grun(subject, pattern, Term::tuple([list.clone(), Term::bool(false)])),
        Pattern::Text => {
            let compiled = compiled(vm, pattern, list)?;
            let given = Term::bool(options.only_for_compiling);
            grun(subject, &compiled, Term::tuple([list.clone(), given, pattern.clone()]))
        }
    }
}

fn urun(subject: &Term, pattern: &Term, options: &Term) -> Handover {
    Some((mfa("re", "urun", 3), vec![subject.clone(), pattern.clone(), options.clone()]))
}

fn grun(subject: &Term, pattern: &Term, options: Term) -> Handover {
    Some((mfa("re", "grun", 3), vec![subject.clone(), pattern.clone(), options]))
}

/// The pattern compiled, if it is good; what is said about a bad one is the VM's to say.
fn compiled(vm: &mut dyn Environment, pattern: &Term, options: &Term) -> Option<Term> {
    let wanted: Vec<Term> =
        options.cells().filter(|option| Kind::of(option).is_some_and(Kind::compiles)).cloned().collect();
    let answer = vm.ask(mfa("re", "compile", 2), &[pattern.clone(), Term::list(wanted)]).ok()?;
    match answer.as_tuple() {
        Some([ok, compiled]) if ok.as_atom() == Some(Atom::new("ok")) => Some(compiled.clone()),
        _ => None,
    }
}

fn is_bits(term: &Term) -> bool {
    matches!(term, Term::Bits(..))
}

enum Pattern {
    Text,
    Compiled { unicode: bool },
}

impl Pattern {
    fn of(term: &Term) -> Option<Pattern> {
        if matches!(term, Term::Bits(..) | Term::Cons(..) | Term::Nil(_)) {
            return Some(Pattern::Text);
        }
        match term.as_tuple()? {
            [tag, Term::Int(..), Term::Int(_, unicode), Term::Int(..), Term::Bits(..)]
                if tag.as_atom() == Some(Atom::new("re_pattern")) =>
            {
                Some(Pattern::Compiled { unicode: *unicode != 0 })
            }
            _ => None,
        }
    }
}

/// The options that the choice depends on.
#[derive(Default)]
struct Options {
    unicode: bool,
    global: bool,
    /// True if the last word on captures asks for lists.
    lists: bool,
    only_for_compiling: bool,
    only_for_runs: bool,
}

impl Options {
    /// Nothing where one of them is wrong.
    fn read(list: &Term) -> Option<Options> {
        let mut options = Options::default();
        for option in list.proper_list()? {
            options.add(&option, Kind::of(&option)?);
        }
        Some(options)
    }

    fn add(&mut self, option: &Term, kind: Kind) {
        self.only_for_compiling |= kind == Kind::Compile;
        self.only_for_runs |= kind == Kind::Run;
        match option.as_atom().map(Atom::name) {
            Some("unicode") => self.unicode = true,
            Some("global") => self.global = true,
            _ => {}
        }
        if let Some([name, _, rest @ ..]) = option.as_tuple()
            && name.as_atom() == Some(Atom::new("capture"))
        {
            self.lists = rest.first().is_some_and(|form| form.as_atom() == Some(Atom::new("list")));
        }
    }

    /// True if the library must make binaries of characters before the run, or characters of binaries behind it.
    fn needs_text(&self, subject: &Term) -> bool {
        !is_bits(subject) || self.lists && !self.global
    }
}

/// The use of an option.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Compile,
    Run,
    Both,
}

impl Kind {
    /// Nothing for what is no option.
    fn of(option: &Term) -> Option<Kind> {
        match option.as_atom() {
            Some(name) => Kind::of_name(name.name()),
            None => Kind::of_tuple(option.as_tuple()?),
        }
    }

    fn of_name(name: &str) -> Option<Kind> {
        match name {
            "unicode" | "caseless" | "dollar_endonly" | "dotall" | "extended" | "firstline" | "multiline" => {
                Some(Kind::Compile)
            }
            "no_auto_capture" | "dupnames" | "ungreedy" | "no_start_optimize" | "ucp" | "never_utf" => {
                Some(Kind::Compile)
            }
            "global" | "notbol" | "noteol" | "notempty" | "notempty_atstart" | "report_errors" => Some(Kind::Run),
            "anchored" | "bsr_anycrlf" | "bsr_unicode" => Some(Kind::Both),
            _ => None,
        }
    }

    fn of_tuple(parts: &[Term]) -> Option<Kind> {
        let (name, rest) = parts.split_first()?;
        match (name.as_atom()?.name(), rest) {
            ("newline", [kind]) => {
                let known = matches!(kind.as_atom()?.name(), "cr" | "crlf" | "lf" | "anycrlf" | "any");
                known.then_some(Kind::Both)
            }
            ("offset" | "match_limit" | "match_limit_recursion", [Term::Int(_, count)]) => {
                i32::try_from(*count).ok().filter(|count| *count >= 0).map(|_| Kind::Run)
            }
            ("capture", [_] | [_, _]) => Some(Kind::Run),
            _ => None,
        }
    }

    fn compiles(self) -> bool {
        self != Kind::Run
    }
}
