//! Exceptions in a few words: Erlang's reasons are terms, Elixir's exceptions have names.

use search::{Defect, Finding};
use session::job::FindingDetail;
use term::{Class, Exception, Map, Notation, Term};

/// The reason of a crash, for a line that says what it is: `badarith`, `(ArithmeticError) bad argument in arithmetic
/// expression`. Elixir's words are known only where the VM has given them; else there is the name.
pub(crate) fn reason(notation: Notation<'_>, finding: &Finding, detail: Option<&FindingDetail>) -> String {
    let Defect::Crash(exception) = &finding.defect else { return String::new() };
    if !notation.is_elixir() || exception.class != Class::Error {
        return notation.shown(&exception.reason);
    }
    let native = detail.and_then(|detail| detail.native.as_deref());
    let first = native.and_then(|text| text.lines().next());
    let words = first.map(|line| line.trim_start_matches("** ").trim_end().trim_end_matches(':').to_owned());
    words.unwrap_or_else(|| format!("({})", exception_name(notation, exception)))
}

/// The exception of Elixir that a reason becomes where it is rescued.
pub(crate) fn exception_name(notation: Notation<'_>, Exception { reason, .. }: &Exception) -> String {
    if let Some(module) = reason.as_map().and_then(Map::struct_module) {
        return notation.module(module);
    }
    let tag = match reason {
        Term::Tuple(_, items) => items.first().and_then(Term::as_atom),
        reason => reason.as_atom(),
    };
    let size = reason.as_tuple().map_or(1, <[Term]>::len);
    let name = match (tag.map_or("", |tag| tag.name()), size) {
        ("badarith", 1) => "ArithmeticError",
        ("badarg", 1) => "ArgumentError",
        ("system_limit", 1) => "SystemLimitError",
        ("cond_clause", 1) => "CondClauseError",
        ("undef", 1) => "UndefinedFunctionError",
        ("function_clause", 1) => "FunctionClauseError",
        ("badmatch", 2) => "MatchError",
        ("case_clause", 2) => "CaseClauseError",
        ("with_clause", 2) => "WithClauseError",
        ("try_clause", 2) => "TryClauseError",
        ("badstruct", 3) => "BadStructError",
        ("badmap", 2) => "BadMapError",
        ("badbool", 3) => "BadBooleanError",
        ("badkey", 2 | 3) => "KeyError",
        ("badfun", 2) => "BadFunctionError",
        ("badarity", 2) => "BadArityError",
        _ => "ErlangError",
    };
    name.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use term::Language;

    #[test]
    fn reasons_have_the_names_of_elixirs_exceptions() {
        let notation = Notation { language: Language::Elixir, ..Notation::ERLANG };
        let name = |reason: &str| exception_name(notation, &Exception::error(Term::read(reason).expect(reason)));
        assert_eq!(name("badarith"), "ArithmeticError");
        assert_eq!(name("{badmatch,1}"), "MatchError");
        assert_eq!(name("{badkey,a,#{}}"), "KeyError");
        assert_eq!(name("{badmatch,1,2}"), "ErlangError");
        assert_eq!(name("[1]"), "ErlangError");
        let item = "#{'__struct__' => 'Elixir.A'}";
        assert_eq!(name(&format!("#{{'__struct__' => 'Elixir.Shop.Error', item => {item}}}")), "Shop.Error");
        assert_eq!(name(&format!("{{item, {item}}}")), "ErlangError");
    }
}
