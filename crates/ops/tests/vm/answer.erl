%% Answers calls for the differential tests: a request is {M, F, Args}, an answer {value, V} or {raised, Class, Reason}.
-module(answer).
-export([start/0, course/1, funs/1]).

start() ->
    Port = open_port({fd, 0, 1}, [binary, {packet, 4}, eof]),
    serve(Port).

serve(Port) ->
    receive
        {Port, {data, Data}} ->
            Port ! {self(), {command, term_to_binary(answer(binary_to_term(Data)))}},
            serve(Port);
        {Port, eof} ->
            halt(0)
    end.

%% Every call has a process of its own, so that nothing one leaves behind is seen by another.
answer({M, F, Args}) ->
    {Pid, Ref} = spawn_monitor(fun() -> exit({answer, call(M, F, Args)}) end),
    receive
        {'DOWN', Ref, process, Pid, {answer, Answer}} -> Answer;
        {'DOWN', Ref, process, Pid, Reason} -> {died, Reason}
    after 20000 ->
        exit(Pid, kill),
        erlang:demonitor(Ref, [flush]),
        {died, timeout}
    end.

call(M, F, Args) ->
    try {value, apply(M, F, Args)}
    catch Class:Reason -> {raised, Class, Reason}
    end.

%% Calls of functions of this module's own process, one after the other.
course(Calls) ->
    erase(),
    [apply(erlang, F, Args) || {F, Args} <- Calls].

%% Closures over a value: what they say of themselves and their hashes.
funs(Value) ->
    Funs = [fun() -> Value end, fun(X) -> {X, Value} end, fun(X, Y) -> {X, Y} end, fun() -> {Value, Value, []} end],
    [{[element(2, erlang:fun_info(F, Item)) || Item <- [module, name, arity, index, uniq, env]], erlang:phash2({x, F})}
     || F <- Funs].
