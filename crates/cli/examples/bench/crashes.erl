%% Drives PropEr: inputs generated from a function's spec for some time, each distinct crash printed once on a line.
-module(crashes).
-export([main/4]).

%% As many tests as one property usually has many times over: sizes go from small to large in each batch.
-define(BATCH, 1000).

main(Module, Function, Arity, Millis) ->
    {module, Module} = code:ensure_loaded(Module),
    End = erlang:monotonic_time(millisecond) + Millis,
    proper:global_state_init_size(10),
    proper_typeserver:start(),
    {ok, {forall, Inputs, _}} = proper_typeserver:create_spec_test({Module, Function, Arity}, 1000, []),
    spawn_link(fun() -> timer:sleep(Millis), halt(0) end),
    property(Module, Function, Inputs, End),
    halt(0).

property(Module, Function, Inputs, End) ->
    proper:quickcheck(
        proper:forall(Inputs, fun(Args) -> call(Module, Function, Args) end), [quiet, {numtests, ?BATCH}]),
    case erlang:monotonic_time(millisecond) < End of
        true -> property(Module, Function, Inputs, End);
        false -> ok
    end.

%% PropEr's own report of an exception needs a function that OTP no longer has; so no exception gets there.
call(Module, Function, Args) ->
    try apply(Module, Function, Args) of
        _ -> true
    catch
        Class:Reason:Stack -> report(Class, Reason, line(Module, Stack)), true
    end.

%% One line for each class, tag and line.
report(Class, Reason, Line) ->
    Tag = if is_tuple(Reason), tuple_size(Reason) > 0 -> element(1, Reason); true -> Reason end,
    case get({reported, Class, Tag, Line}) of
        true -> ok;
        undefined ->
            put({reported, Class, Tag, Line}, true),
            io:format("~w ~w ~w~n", [Class, Line, Reason])
    end.

%% Where the module itself was when it happened.
line(Module, Stack) ->
    Lines = [proplists:get_value(line, Place, 0) || {M, _, _, Place} <- Stack, M =:= Module],
    hd(Lines ++ [0]).
