%% Values and exceptions as the Erlang shell prints them, and exceptions as Elixir's does.
-module(hound_text).
-export([term/1, exception/3, banner/3]).

%% The shell's own measures: columns of a screen, characters of a line without its indentation, depth of a term.
-define(WIDTH, 80).
-define(RIBBON, 60).
-define(DEPTH, 30).

%% A value is printed whole: unlike the shell's reader, ours may be a program.
-spec term(term()) -> binary().
term(Term) ->
    unicode:characters_to_binary(pretty(Term, 1, -1)).

-spec exception(error | exit | throw, term(), erlang:stacktrace()) -> binary().
exception(Class, Reason, Stack) ->
    Print = fun(Term, Column) -> pretty(Term, Column, ?DEPTH) end,
    Hide = fun(Module, _, _) -> Module =:= erl_eval orelse Module =:= hound_run end,
    Text = erl_error:format_exception(length("** ") + 1, Class, Reason, Stack, Hide, Print, unicode),
    unicode:characters_to_binary(["** ", Text]).

%% Fails where Elixir is not installed.
-spec banner(error | exit | throw, term(), erlang:stacktrace()) -> binary().
banner(Class, Reason, Stack) ->
    'Elixir.Exception':format_banner(Class, Reason, Stack).

pretty(Term, Column, Depth) ->
    io_lib_pretty:print(Term, [{column, Column}, {line_length, ?WIDTH}, {line_max_chars, ?RIBBON}, {depth, Depth},
                               {strings, true}, {encoding, unicode}]).
