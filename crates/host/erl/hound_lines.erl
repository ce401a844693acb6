%% Counts the lines that calls run: by the VM's own `cover` where it is installed, else by marks in the same places.
%%
%% The counted copy of a module is loaded under the module's name, so a VM that counts should do nothing else.
-module(hound_lines).
-export([watch/3, install/1, again/0, clear/1, seen/1, count/2]).

-type counter() :: cover | marks.

%% Makes a copy of the module that counts its lines, from its compiled file (`none`: where the code path has it).
-spec watch(module(), file:filename() | none, [counter()]) -> {ok, counter(), [integer()]} | {error, binary()}.
watch(Module, none, Counters) ->
    case hound_locate:module(Module) of
        {ok, File} -> watch(Module, File, Counters);
        none -> {error, <<"it has no compiled file">>}
    end;
watch(Module, File, Counters) ->
    first(Counters, Module, File, {error, <<"there is nothing to count with">>}).

first([], _Module, _File, Failure) ->
    Failure;
first([Counter | Others], Module, File, _Failure) ->
    try counted(Counter, Module, File) of
        {Ref, Index, Binary} ->
            persistent_term:put({?MODULE, Module}, {Ref, Index, Binary}),
            {ok, Counter, lists:usort([Line || {Line, _} <- Index])}
    catch
        Class:Reason -> first(Others, Module, File, {error, text(Class, Reason)})
    end.

%% Loads the counted copies once more, now that there is a guard.
-spec again() -> ok.
again() ->
    _ = [ok = install(Module) || {{?MODULE, Module}, _} <- persistent_term:get()],
    ok.

%% Loads the copy that was made of a module. It asks for its counters at every line.
-spec install(module()) -> ok | {error, atom()}.
install(Module) ->
    {_, _, Binary} = persistent_term:get({?MODULE, Module}),
    Watched = fun(M, F, A) -> not is_counting(M, F) andalso hound_guard:is_watched(M, F, A) end,
    hound_code:install(Module, atom_to_list(Module) ++ ".counted", Binary, Watched).

%% What a copy calls at its lines: by marks, or by cover, which takes no part in a schedule.
is_counting(?MODULE, count) -> true;
is_counting(persistent_term, get) -> not hound_turn:is_enabled();
is_counting(_, _) -> false.

text(Class, Reason) ->
    unicode:characters_to_binary(io_lib:format("~w:~0tP", [Class, Reason, 20])).

%% Pairs of line and counter; cover keeps them as {{bump, Module, Function, Arity, Clause, Line}, Counter}.
counted(cover, Module, File) ->
    %% It loads the module itself, so that there may be nothing that the module runs then.
    {ok, Beam} = file:read_file(File),
    same = hound_patch:calm(Beam),
    _ = cover:start(),
    {ok, Module} = cover:compile_beam(File),
    [{_, Binary}] = ets:lookup(cover_binary_code_table, Module),
    Index = ets:select(cover_internal_mapping_table,
                       [{{{bump, Module, '_', '_', '_', '$1'}, '$2'}, [], [{{'$1', '$2'}}]}]),
    {persistent_term:get({cover, Module}), Index, Binary};
counted(marks, Module, File) ->
    {ok, Beam} = file:read_file(File),
    {ok, Forms, Options} = hound_extract:forms(Beam),
    {Marked, Lines} = hound_marks:forms(Forms),
    Index = lists:zip(Lines, lists:seq(1, length(Lines))),
    Counting = counting(Marked, Module, maps:from_list(Index)),
    {ok, Module, Binary} = compile:noenv_forms(Counting, [binary, no_spawn_compiler_process | Options]),
    {counters:new(max(1, length(Lines)), []), Index, Binary}.

%% Each mark becomes an addition to its line's counter.
counting({call, Anno, {remote, _, {atom, _, '$hound'}, {atom, _, line}}, [{integer, _, Line}]}, Module, Index) ->
    remote(Anno, ?MODULE, count, [{atom, Anno, Module}, {integer, Anno, maps:get(Line, Index)}]);
counting([Head | Tail], Module, Index) ->
    [counting(Head, Module, Index) | counting(Tail, Module, Index)];
counting(Tuple, Module, Index) when is_tuple(Tuple) ->
    list_to_tuple(counting(tuple_to_list(Tuple), Module, Index));
counting(Other, _Module, _Index) ->
    Other.

remote(Anno, Module, Function, Args) ->
    {call, Anno, {remote, Anno, {atom, Anno, Module}, {atom, Anno, Function}}, Args}.

%% Everything below does without library code, which may be what is being counted.
-spec count(module(), pos_integer()) -> ok.
count(Module, At) ->
    {Ref, _, _} = persistent_term:get({?MODULE, Module}),
    counters:add(Ref, At, 1).

-spec clear(module()) -> ok.
clear(Module) ->
    {Ref, Index, _} = persistent_term:get({?MODULE, Module}),
    zero(Ref, Index).

zero(_Ref, []) -> ok;
zero(Ref, [{_, At} | Rest]) ->
    counters:put(Ref, At, 0),
    zero(Ref, Rest).

%% The lines run since they were cleared; one may come several times.
-spec seen(module()) -> [integer()].
seen(Module) ->
    {Ref, Index, _} = persistent_term:get({?MODULE, Module}),
    ran(Ref, Index).

ran(_Ref, []) -> [];
ran(Ref, [{Line, At} | Rest]) ->
    case counters:get(Ref, At) of
        0 -> ran(Ref, Rest);
        _ -> [Line | ran(Ref, Rest)]
    end.
