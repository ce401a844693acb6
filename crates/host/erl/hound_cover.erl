%% Runs a call under the VM's own `cover` and gives the lines that it counted.
-module(hound_cover).
-export([lines/2]).

%% For each module its executable lines and, of these, the lines the call ran.
-spec lines([module()], {module(), atom(), [term()]}) -> {ok, [{module(), [integer()], [integer()]}]} | {error, term()}.
lines(Modules, Call) ->
    _ = cover:start(),
    case [Failure || Module <- Modules, {error, _} = Failure <- [instrumented(Module)]] of
        [] -> {ok, counted(Modules, Call)};
        [Failure | _] -> Failure
    end.

instrumented(Module) ->
    case cover:is_compiled(Module) of
        {file, _} -> ok;
        false -> instrument(Module)
    end.

instrument(Module) ->
    case hound_locate:module(Module) of
        {ok, Path} ->
            case cover:compile_beam(Path) of
                {ok, _} -> ok;
                Other -> {error, {Module, Other}}
            end;
        none ->
            {error, {Module, no_file}}
    end.

%% The counters are read directly: asking cover would run library code, which may be what is being counted.
counted(Modules, {Module, Function, Args}) ->
    Tables = [{M, persistent_term:get({cover, M}), index(M)} || M <- Modules],
    zero_all(Tables),
    _ = (catch apply(Module, Function, Args)),
    Read = [{M, Index, read(Counters, Index)} || {M, Counters, Index} <- Tables],
    [{M, lists:usort([Line || {Line, _} <- Index]), lists:usort([Line || {Line, Count} <- Counts, Count > 0])}
     || {M, Index, Counts} <- Read].

%% Pairs of line and counter; cover keeps them as {{bump, Module, Function, Arity, Clause, Line}, Counter}.
index(Module) ->
    ets:select(cover_internal_mapping_table,
               [{{{bump, Module, '_', '_', '_', '$1'}, '$2'}, [], [{{'$1', '$2'}}]}]).

zero_all([]) -> ok;
zero_all([{_, Counters, Index} | Rest]) ->
    zero(Counters, Index),
    zero_all(Rest).

zero(_Counters, []) -> ok;
zero(Counters, [{_, At} | Rest]) ->
    counters:put(Counters, At, 0),
    zero(Counters, Rest).

read(_Counters, []) -> [];
read(Counters, [{Line, At} | Rest]) ->
    [{Line, counters:get(Counters, At)} | read(Counters, Rest)].
