%% Runs a small program with processes that is given as data; the logs of its processes are the outcome.
-module(interpreter).
-export([run/2, start/3, steps/4]).

run(Count, Programs) ->
    Root = self(),
    Pids = [spawn(?MODULE, start, [I, Ops, Root]) || {I, Ops} <- Programs],
    [Pid ! {pids, Pids} || Pid <- Pids],
    receive after 1000 -> ok end,
    [receive {log, I, Log} -> Log after 0 -> none end || I <- lists:seq(1, Count)].

start(I, Ops, Root) ->
    receive {pids, Pids} -> steps(I, Ops, Root, Pids) end.

steps(I, Ops, Root, Pids) ->
    [put({pid, Pid}, N) || {N, Pid} <- lists:zip(lists:seq(1, length(Pids)), Pids)],
    steps(I, Ops, Root, Pids, []).

steps(I, [], Root, _Pids, Log) -> Root ! {log, I, lists:reverse(Log)};
steps(I, [{exit, Reason}], Root, Pids, Log) -> steps(I, [], Root, Pids, Log), exit(Reason);
steps(I, [Op | Ops], Root, Pids, Log) ->
    case step(Op, I, Root, Pids) of
        nothing -> steps(I, Ops, Root, Pids, Log);
        Value -> steps(I, Ops, Root, Pids, [Value | Log])
    end.

step({send, To, V}, I, _, Pids) -> pid(To, Pids) ! {m, I, V}, nothing;
step({send_name, Name, V}, I, _, _) ->
    try Name ! {m, I, V}, nothing catch error:badarg -> badarg end;
step({take, What, Time}, _, _, _) -> take(What, Time);
step({register, Name}, _, _, _) -> try register(Name, self()) catch error:badarg -> badarg end;
step({unregister, Name}, _, _, _) -> try unregister(Name) catch error:badarg -> badarg end;
step({whereis, Name}, _, _, _) -> index(whereis(Name));
step({table, Name}, _, _, _) -> try ets:new(Name, [named_table, public]), made catch error:badarg -> badarg end;
step({insert, Name, V}, _, _, _) -> try ets:insert(Name, {k, V}), nothing catch error:badarg -> badarg end;
step({lookup, Name}, _, _, _) -> try ets:lookup(Name, k) catch error:badarg -> badarg end;
step({link, To}, _, _, Pids) -> try link(pid(To, Pids)), nothing catch error:noproc -> noproc end;
step({unlink, To}, _, _, Pids) -> unlink(pid(To, Pids)), nothing;
step({monitor, To}, _, _, Pids) -> put(monitor, monitor(process, pid(To, Pids))), nothing;
step({demonitor, Options}, _, _, _) -> demonitor(get(monitor), Options);
step({kill, To, Reason}, _, _, Pids) -> exit(pid(To, Pids), Reason), nothing;
step({trap, Flag}, _, _, _) -> process_flag(trap_exit, Flag), nothing;
step({alive, To}, _, _, Pids) -> is_process_alive(pid(To, Pids));
step({queue, To}, _, _, Pids) ->
    case process_info(pid(To, Pids), message_queue_len) of undefined -> undefined; {_, N} -> N end;
step({later, To, Time, V}, I, _, Pids) -> put(timer, erlang:send_after(Time, pid(To, Pids), {m, I, V})), nothing;
step(cancel, _, _, _) -> case erlang:cancel_timer(get(timer)) of false -> false; Left -> {left, Left} end;
step({spawn, How, Id, Ops}, _, Root, Pids) ->
    Args = [Id, Ops, Root, Pids],
    {Pid, _} = case How of
        plain -> {spawn(?MODULE, steps, Args), none};
        link -> {spawn_link(?MODULE, steps, Args), none};
        monitor -> spawn_monitor(?MODULE, steps, Args)
    end,
    put({pid, Pid}, Id),
    nothing.

take({value, V}, Time) -> receive {m, _, V} = M -> M after Time -> timeout end;
take({from, I}, Time) -> receive {m, I, _} = M -> M after Time -> timeout end;
take(message, Time) -> receive {m, _, _} = M -> M after Time -> timeout end;
take(down, Time) -> receive {'DOWN', _, process, Pid, Reason} -> {down, index(Pid), Reason} after Time -> timeout end;
take(any, Time) ->
    receive
        {m, _, _} = M -> M;
        {'EXIT', Pid, Reason} -> {exit, index(Pid), Reason};
        {'DOWN', _, process, Pid, Reason} -> {down, index(Pid), Reason}
    after Time -> timeout
    end.

pid(I, Pids) -> lists:nth(I, Pids).

index(undefined) -> undefined;
index(Pid) -> get({pid, Pid}).
