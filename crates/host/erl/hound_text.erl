%% Values and exceptions as the Erlang shell prints them.
-module(hound_text).
-export([term/1, exception/3]).

-define(WIDTH, 80).

-spec term(term()) -> binary().
term(Term) ->
    unicode:characters_to_binary(io_lib:format("~tp", [Term])).

-spec exception(error | exit | throw, term(), erlang:stacktrace()) -> binary().
exception(Class, Reason, Stack) ->
    Print = fun(Term, Column) -> pretty(Term, Column) end,
    Hide = fun(Module, _, _) -> Module =:= erl_eval orelse Module =:= hound_run end,
    Text = erl_error:format_exception(length("** ") + 1, Class, Reason, Stack, Hide, Print, unicode),
    unicode:characters_to_binary(["** ", Text]).

pretty(Term, Column) ->
    io_lib_pretty:print(Term, [{column, Column}, {line_length, ?WIDTH}, {encoding, unicode}, {strings, true}]).
