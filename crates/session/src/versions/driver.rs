//! The driver of a comparison: a module that calls both versions of a function and holds their outcomes to each other.

use term::{Atom, Mfa};

/// The exception where only one version, or neither, gives a value: `{Tag, Old, New}` with `{Class, Reason}` or `{value, Value}`.
/// What is different about outcomes has a tag each, so that each is a finding of its own.
pub(super) const DIFFERENT: [&str; 4] =
    ["$hound_values", "$hound_new_exception", "$hound_no_exception", "$hound_exceptions"];

/// The exception where outcomes differ and funs, processes or references are in them, which are others in every run.
pub(super) const INCOMPARABLE: &str = "$hound_incomparable";

/// The driver of a function.
pub(super) fn driver_name(function: Mfa) -> Mfa {
    let text = format!("hound_versions {}:{}/{}", function.module.name(), function.function.name(), function.arity);
    Mfa { module: Atom::new(&text), function: Atom::new("compared"), arity: function.arity }
}

/// The source of the driver of a function and its old version. `made/N` gives the inputs, as in drivers that make them.
pub(super) fn driver_source(function: Mfa, old: Mfa) -> String {
    let arity = function.arity;
    let names = (1..=arity).map(|at| format!("X{at}")).collect::<Vec<_>>().join(", ");
    let call = |callee: Mfa| format!("{}:{}({names})", callee.module, callee.function);
    format!(
        "-module({name}).
-export([compared/{arity}, made/{arity}]).

compared({names}) ->
    Old = try {{value, {old_call}}} catch C1:R1 -> {{C1, R1}} end,
    New = try {{value, {new_call}}} catch C2:R2 -> {{C2, R2}} end,
    agree(Old, New).

made({names}) -> {{{names}}}.

{HELPERS}",
        name = driver_name(function).module,
        old_call = call(old),
        new_call = call(function),
    )
}

/// Functions of every driver: outcomes that are not the same, and what is compared of them.
const HELPERS: &str = "agree(Same, Same) -> same;
agree({value, _} = Old, {value, _} = New) -> plain('$hound_values', Old, New);
agree({value, _} = Old, New) -> plain('$hound_new_exception', Old, New);
agree(Old, {value, _} = New) -> plain('$hound_no_exception', Old, New);
agree(Old, New) -> plain('$hound_exceptions', Old, New).

plain(Tag, Old, New) ->
    case is_plain(Old) andalso is_plain(New) of
        true -> erlang:error({Tag, Old, New});
        false -> erlang:exit('$hound_incomparable')
    end.

is_plain(Term) when is_function(Term); is_pid(Term); is_port(Term); is_reference(Term) -> false;
is_plain([Head | Tail]) -> is_plain(Head) andalso is_plain(Tail);
is_plain(Term) when is_tuple(Term) -> is_plain(tuple_to_list(Term));
is_plain(Term) when is_map(Term) -> is_plain(maps:to_list(Term));
is_plain(_) -> true.
";
