//! The codes of findings: what is wrong, in a word that `hound explain` takes.

use strum::{EnumIter, EnumString, IntoStaticStr};
use term::{Class, Exception};

use crate::finding::{Defect, ReasonShape};
use crate::rank::is_assertion;

/// The code of a finding; its name never changes. Exceptions of the VM have the name of their reason.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, EnumIter, EnumString, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum FindingCode {
    /// No clause of a function takes its arguments.
    FunctionClause,
    /// No clause of a `case` takes a value.
    CaseClause,
    /// No branch of an `if` is true.
    IfClause,
    /// No clause of a `try` takes the value of its body.
    TryClause,
    /// No clause of the `else` of a `maybe` takes a value.
    ElseClause,
    /// A value does not match a pattern.
    Badmatch,
    /// Arithmetic on what it is not defined for.
    Badarith,
    /// A function does not take its arguments.
    Badarg,
    /// A fun is called with another number of arguments than it takes.
    Badarity,
    /// Something is called that is no fun.
    Badfun,
    /// A map has not the key.
    Badkey,
    /// Something is used as a map that is none.
    Badmap,
    /// A tuple is used as a record that it is not.
    Badrecord,
    /// A comprehension goes over what it cannot.
    BadGenerator,
    /// A filter of a comprehension is neither true nor false.
    BadFilter,
    /// A function that is not there is called.
    Undef,
    /// A value was thrown and nothing catches it.
    Nocatch,
    /// A process that is not there is called.
    Noproc,
    /// A timeout is neither a number of milliseconds nor `infinity`.
    TimeoutValue,
    /// A limit of the VM was reached.
    SystemLimit,
    /// A check of the author failed.
    Assertion,
    /// An exception of Elixir, a struct.
    Exception,
    /// Any other error.
    Error,
    /// An exit.
    Exit,
    /// A throw.
    Throw,
    /// No process can go on.
    Deadlock,
    /// A process waits that nothing can reach.
    Leak,
    /// A value that the spec does not have.
    Contract,
    /// A property gives something else than true.
    Property,
    /// A call without an end.
    Loop,
}

impl FindingCode {
    /// The code of a defect.
    pub fn of(defect: &Defect) -> FindingCode {
        match defect {
            Defect::Crash(exception) => FindingCode::of_exception(exception),
            Defect::Deadlock(_) => FindingCode::Deadlock,
            Defect::Leak(_) => FindingCode::Leak,
            Defect::Contract(_) => FindingCode::Contract,
            Defect::Property(_) => FindingCode::Property,
            Defect::Loop(_) => FindingCode::Loop,
        }
    }

    fn of_exception(exception: &Exception) -> FindingCode {
        if is_assertion(&exception.reason) {
            return FindingCode::Assertion;
        }
        match (exception.class, ReasonShape::of(&exception.reason)) {
            (Class::Error, ReasonShape::Struct(_)) => FindingCode::Exception,
            (Class::Error, ReasonShape::Atom(name) | ReasonShape::Tagged(name, 2)) => {
                FindingCode::of_vm(name.name()).unwrap_or(FindingCode::Error)
            }
            (Class::Error, _) => FindingCode::Error,
            (Class::Exit, ReasonShape::Atom(name) | ReasonShape::Tagged(name, 2)) if name.name() == "noproc" => {
                FindingCode::Noproc
            }
            (Class::Exit, _) => FindingCode::Exit,
            (Class::Throw, _) => FindingCode::Throw,
        }
    }

    /// The code that is the name of a reason which the VM gives.
    fn of_vm(name: &str) -> Option<FindingCode> {
        let code = name.parse().ok()?;
        match code {
            FindingCode::Assertion | FindingCode::Exception | FindingCode::Error | FindingCode::Exit => None,
            FindingCode::Throw | FindingCode::Deadlock | FindingCode::Leak | FindingCode::Contract => None,
            FindingCode::Property | FindingCode::Loop => None,
            code => Some(code),
        }
    }

    /// Its name in reports and for `hound explain`.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

#[cfg(test)]
mod tests {
    use term::Term;

    use super::*;

    #[test]
    fn exceptions_of_the_vm_have_their_own_names() {
        let code = |class, reason: &str| {
            let reason = Term::read(reason).unwrap_or_else(|error| panic!("{error}"));
            FindingCode::of(&Defect::Crash(Exception { class, reason, stack: Term::nil() })).name()
        };
        assert_eq!(code(Class::Error, "function_clause"), "function_clause");
        assert_eq!(code(Class::Error, "{badmatch, 3}"), "badmatch");
        assert_eq!(code(Class::Error, "{badmatch, 3, 4}"), "error");
        assert_eq!(code(Class::Error, "{case_clause, []}"), "case_clause");
        assert_eq!(code(Class::Error, "loop"), "error");
        assert_eq!(code(Class::Error, "\"text\""), "error");
        assert_eq!(code(Class::Exit, "badarith"), "exit");
        assert_eq!(code(Class::Exit, "{noproc, x}"), "noproc");
        assert_eq!(code(Class::Throw, "x"), "throw");
        assert_eq!(code(Class::Error, "{assertEqual, [{line, 1}]}"), "assertion");
        assert_eq!(code(Class::Error, "#{'__struct__' => 'Elixir.KeyError'}"), "exception");
    }
}
