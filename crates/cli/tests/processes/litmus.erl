%% Small questions about the order of signals. Above each program: the outcomes that it can have.
-module(litmus).
-compile([export_all, nowarn_export_all]).

%% Runs the programs again and again on the VM; prints each outcome once.
main(Names) ->
    logger:set_primary_config(level, none),
    [spawn(fun noise/0) || _ <- [1, 2]],
    [io:format("~s ~0p~n", [Name, X]) || Name <- Names, X <- seen(list_to_atom(Name))],
    halt().

noise() -> [ok || _ <- lists:seq(1, rand:uniform(3000))], erlang:yield(), noise().

seen(F) -> seen(F, #{}, 300, erlang:monotonic_time(millisecond) + 120).

seen(F, Seen, N, Until) ->
    case N =:= 0 orelse erlang:monotonic_time(millisecond) > Until of
        true -> maps:keys(Seen);
        false ->
            {P, R} = spawn_monitor(fun() -> exit({outcome, ?MODULE:F()}) end),
            X = receive {'DOWN', R, process, P, {outcome, O}} -> O; {'DOWN', R, process, P, O} -> O after 4000 -> hangs end,
            free(),
            seen(F, Seen#{X => true}, N - 1, Until)
    end.

%% What one run has left behind is gone when the next begins.
free() ->
    case {whereis(litmus_name), ets:whereis(litmus_table)} of
        {undefined, undefined} -> ok;
        {undefined, _} -> free();
        {P, _} -> exit(P, kill), free()
    end.

down(P) -> down(P, monitor(process, P)).
down(P, R) -> receive {'DOWN', R, process, P, Reason} -> Reason end.
waits() -> receive stop -> ok end.
table() -> ets:new(t, [public]).
mark(T) -> ets:insert(T, {marked, true}).
is_marked(T) -> ets:lookup(T, marked) =/= [].

%% Messages.

%= [a,b]
pair_keeps_order() -> S = self(), spawn(fun() -> S ! a, S ! b end), [receive X -> X end || _ <- [1, 2]].

%= [a,b] | [b,a]
two_senders() -> S = self(), [spawn(fun() -> S ! X end) || X <- [a, b]], [receive X -> X end || _ <- [1, 2]].

%= 1 | 2 | 3
first_of_three() -> S = self(), [spawn(fun() -> S ! X end) || X <- [1, 2, 3]], receive X -> X end.

%= [x,y]
heard_by_another() ->
    S = self(),
    B = spawn(fun() -> receive go -> S ! y end end),
    spawn(fun() -> S ! x, B ! go end),
    [receive X -> X end || _ <- [1, 2]].

%= [b,a]
selective() -> S = self(), spawn(fun() -> S ! a, S ! b end), [receive X -> X end || X <- [b, a]].

%= [1,2,3] | [1,3,2] | [3,1,2]
two_and_one() ->
    S = self(),
    spawn(fun() -> S ! 1, S ! 2 end),
    spawn(fun() -> S ! 3 end),
    [receive X -> X end || _ <- [1, 2, 3]].

%= got | none
look_once() -> S = self(), spawn(fun() -> S ! m end), receive m -> got after 0 -> none end.

%= got
look_once_when_there() ->
    S = self(), spawn(fun() -> S ! m, S ! ok end),
    receive ok -> ok end, receive m -> got after 0 -> none end.

%= got
look_once_when_heard() ->
    S = self(),
    B = spawn(fun() -> receive go -> S ! ok end end),
    spawn(fun() -> S ! m, B ! go end),
    receive ok -> ok end, receive m -> got after 0 -> none end.

%= got
to_itself() -> self() ! m, receive m -> got after 0 -> none end.

%= [a,b]
skipped_stay_in_order() ->
    S = self(), spawn(fun() -> S ! a, S ! b, S ! c end),
    receive c -> ok end, [receive X -> X end || _ <- [1, 2]].

%= [d,f]
direct_first() ->
    S = self(), B = spawn(fun() -> receive X -> S ! X end end),
    spawn(fun() -> S ! d, B ! f end), [receive X -> X end || _ <- [1, 2]].

%= [d,f] | [f,d]
forwarded_first() ->
    S = self(), B = spawn(fun() -> receive X -> S ! X end end),
    spawn(fun() -> B ! f, S ! d end), [receive X -> X end || _ <- [1, 2]].

%= [1,2] | [2,1]
two_clients() ->
    S = self(),
    Server = spawn(fun() -> [receive {ask, X} -> S ! X end || _ <- [1, 2]] end),
    [spawn(fun() -> Server ! {ask, X} end) || X <- [1, 2]],
    [receive X -> X end || _ <- [1, 2]].

%= got
long_timeout() -> S = self(), spawn(fun() -> receive after 1 -> S ! m end end), receive m -> got after 3000 -> none end.

%= lost
to_the_dead() -> P = spawn(fun() -> ok end), down(P), P ! m, receive m -> got after 0 -> lost end.

%% Links and exits.

%= shutdown
link_takes_along() ->
    {P, R} = spawn_monitor(fun() -> spawn_link(fun() -> exit(shutdown) end), waits() end),
    down(P, R).

%= shutdown
trapped() -> process_flag(trap_exit, true), P = spawn_link(fun() -> exit(shutdown) end), receive {'EXIT', P, R} -> R end.

%= [m,exit]
message_before_exit() ->
    process_flag(trap_exit, true),
    S = self(),
    P = spawn_link(fun() -> S ! m, exit(shutdown) end),
    [receive m -> m; {'EXIT', P, _} -> exit end || _ <- [1, 2]].

%= got | killed
message_and_exit_by_link() ->
    S = self(),
    {P, R} = spawn_monitor(fun() ->
        Me = self(),
        spawn_link(fun() -> Me ! m, exit(shutdown) end),
        receive m -> S ! got, waits() end
    end),
    shutdown = down(P, R),
    receive got -> got after 0 -> killed end.

%= killed
kill_cannot_be_trapped() ->
    S = self(),
    {P, R} = spawn_monitor(fun() -> process_flag(trap_exit, true), S ! ready, waits() end),
    receive ready -> ok end, exit(P, kill), down(P, R).

%= alive
exit_normal_is_ignored() ->
    S = self(),
    P = spawn(fun() -> receive {ask, A} -> S ! A, waits() end end),
    exit(P, normal), P ! {ask, alive}, receive A -> A end.

%= normal
exit_normal_is_trapped() ->
    S = self(),
    P = spawn(fun() -> process_flag(trap_exit, true), S ! ready, receive {'EXIT', S, R} -> S ! R end end),
    receive ready -> ok end, exit(P, normal), receive R -> R end.

%= normal
exit_self_normal() -> {P, R} = spawn_monitor(fun() -> exit(self(), normal), waits() end), down(P, R).

%= killed
exit_self_kill() -> {P, R} = spawn_monitor(fun() -> exit(self(), kill), waits() end), down(P, R).

%= kill
link_does_not_kill() ->
    process_flag(trap_exit, true), P = spawn_link(fun() -> exit(kill) end), receive {'EXIT', P, R} -> R end.

%= [exit,m]
exit_before_message() ->
    S = self(),
    P = spawn(fun() ->
        process_flag(trap_exit, true), S ! ready,
        S ! [receive {'EXIT', S, _} -> exit; m -> m end || _ <- [1, 2]]
    end),
    receive ready -> ok end, exit(P, shutdown), P ! m, receive L when is_list(L) -> L end.

%= dead
exit_hides_message() ->
    S = self(),
    {P, R} = spawn_monitor(fun() -> receive m -> S ! got end end),
    exit(P, shutdown), P ! m, shutdown = down(P, R), receive got -> got after 0 -> dead end.

%= got | killed
message_then_kill() ->
    S = self(),
    {P, R} = spawn_monitor(fun() -> receive m -> S ! got, waits() end end),
    P ! m, exit(P, kill), killed = down(P, R), receive got -> got after 0 -> killed end.

%= {shutdown,a} | {shutdown,b}
two_exits() ->
    {P, R} = spawn_monitor(fun waits/0),
    [spawn(fun() -> exit(P, {shutdown, X}) end) || X <- [a, b]], down(P, R).

%= {shutdown,a}
two_exits_of_one() -> {P, R} = spawn_monitor(fun waits/0), [exit(P, {shutdown, X}) || X <- [a, b]], down(P, R).

%= killed | normal
end_or_kill() -> {P, R} = spawn_monitor(fun() -> ok end), exit(P, kill), down(P, R).

%= shutdown
chain() ->
    {P, R} = spawn_monitor(fun() ->
        spawn_link(fun() -> spawn_link(fun() -> exit(shutdown) end), waits() end), waits()
    end),
    down(P, R).

%= shutdown
chain_stops_where_trapped() ->
    S = self(),
    {_, R} = spawn_monitor(fun() ->
        process_flag(trap_exit, true),
        P = spawn_link(fun() -> spawn_link(fun() -> exit(shutdown) end), waits() end),
        receive {'EXIT', P, Why} -> S ! {why, Why} end
    end),
    receive {why, Why} -> receive {'DOWN', R, process, _, normal} -> Why end end.

%= killed | message
trap_on() ->
    S = self(),
    {P, R} = spawn_monitor(fun() -> process_flag(trap_exit, true), receive {'EXIT', S, _} -> exit({shutdown, message}) end end),
    exit(P, shutdown),
    case down(P, R) of shutdown -> killed; {shutdown, X} -> X end.

%= message
trap_on_before() ->
    S = self(),
    {P, R} = spawn_monitor(fun() -> process_flag(trap_exit, true), S ! ready, receive {'EXIT', S, _} -> exit({shutdown, message}) end end),
    receive ready -> ok end, exit(P, shutdown), {shutdown, X} = down(P, R), X.

%= killed | message
trap_off() ->
    S = self(),
    {P, R} = spawn_monitor(fun() ->
        process_flag(trap_exit, true), S ! ready, process_flag(trap_exit, false),
        receive {'EXIT', S, _} -> exit({shutdown, message}) end
    end),
    receive ready -> ok end, exit(P, shutdown),
    case down(P, R) of shutdown -> killed; {shutdown, X} -> X end.

%% The signal was sent before the flag was set, and arrives later.
%= early | killed | message
trap_on_when_sent() ->
    S = self(), T = table(),
    {P, R} = spawn_monitor(fun() ->
        case is_marked(T) of
            false -> exit({shutdown, early});
            true -> process_flag(trap_exit, true), receive {'EXIT', S, _} -> exit({shutdown, message}) end
        end
    end),
    exit(P, shutdown), mark(T),
    case down(P, R) of shutdown -> killed; {shutdown, X} -> X end.

%= different | same
works_on() ->
    T = table(),
    P = spawn(fun() -> mark(T) end),
    exit(P, kill),
    X = is_marked(T), case is_marked(T) of X -> same; _ -> different end.

%% Names, tables and lives of those that end.

%= false
kill_then_alive() -> P = spawn(fun waits/0), exit(P, kill), is_process_alive(P).

%= gone | there
kill_then_name() ->
    P = named(), exit(P, kill), case whereis(litmus_name) of undefined -> gone; P -> there end.

%= badarg | true
kill_then_register() -> P = named(), exit(P, kill), try register(litmus_name, self()) catch error:badarg -> badarg after down(P) end.

%= gone | there
kill_then_table() ->
    S = self(),
    P = spawn(fun() -> ets:new(litmus_table, [named_table]), S ! ready, waits() end),
    receive ready -> ok end, exit(P, kill),
    X = case ets:whereis(litmus_table) of undefined -> gone; _ -> there end, down(P), X.

%= gone
alive_then_name() ->
    P = named(), exit(P, kill), false = is_process_alive(P), case whereis(litmus_name) of undefined -> gone; P -> there end.

%= early | gone | there
table_then_name() ->
    S = self(),
    P = spawn(fun() -> ets:new(litmus_table, [named_table]), register(litmus_name, self()), S ! ready, waits() end),
    receive ready -> ok end, P ! stop,
    X = case ets:whereis(litmus_table) of
        undefined -> case whereis(litmus_name) of undefined -> gone; P -> there end;
        _ -> early
    end,
    down(P), X.

%= early | gone
name_then_table() ->
    S = self(),
    P = spawn(fun() -> ets:new(litmus_table, [named_table]), register(litmus_name, self()), S ! ready, waits() end),
    receive ready -> ok end, P ! stop,
    X = case whereis(litmus_name) of
        undefined -> case ets:whereis(litmus_table) of undefined -> gone; _ -> there end;
        _ -> early
    end,
    down(P), X.

%= {undefined,undefined,false}
down_then_all() ->
    S = self(),
    {P, R} = spawn_monitor(fun() -> ets:new(litmus_table, [named_table]), register(litmus_name, self()), S ! ready end),
    receive ready -> ok end, down(P, R),
    {whereis(litmus_name), ets:whereis(litmus_table), is_process_alive(P)}.

%= alive | missing | there
dead_without_down() ->
    {P, R} = spawn_monitor(fun() -> ok end),
    case is_process_alive(P) of
        true -> alive;
        false -> receive {'DOWN', R, process, P, _} -> there after 0 -> missing end
    end.

%= false | true
alive_or_not() -> P = spawn(fun() -> ok end), is_process_alive(P).

%= 2
queue_of_own_messages() ->
    P = spawn(fun waits/0), P ! a, P ! b, {_, N} = process_info(P, message_queue_len), N.

%= 1 | 2
queue_of_others() ->
    P = spawn(fun waits/0), spawn(fun() -> P ! a end), P ! b, {_, N} = process_info(P, message_queue_len), N.

%= undefined
info_after_kill() -> P = spawn(fun waits/0), exit(P, kill), process_info(P, message_queue_len).

%% Monitors.

%= normal
monitor_then_message() -> P = spawn(fun waits/0), R = monitor(process, P), P ! stop, down(P, R).

%= noproc | normal
monitor_or_end() -> P = spawn(fun() -> ok end), down(P).

%= noproc
monitor_the_dead() -> P = spawn(fun() -> ok end), down(P), down(P).

%= [m,down]
message_before_down() ->
    S = self(), {_, R} = spawn_monitor(fun() -> S ! m end),
    [receive m -> m; {'DOWN', R, process, _, _} -> down end || _ <- [1, 2]].

%= down | heard
down_of_two_watchers() ->
    S = self(), P = spawn(fun waits/0),
    spawn(fun() -> R = monitor(process, P), S ! ready, receive {'DOWN', R, process, P, _} -> S ! heard end end),
    receive ready -> ok end,
    R = monitor(process, P), P ! stop,
    receive {'DOWN', R, process, P, _} -> down; heard -> heard end.

%= [exit,down]
exit_before_down() ->
    process_flag(trap_exit, true),
    {P, R} = spawn_opt(fun() -> exit(shutdown) end, [link, monitor]),
    [receive {'EXIT', P, _} -> exit; {'DOWN', R, process, P, _} -> down end || _ <- [1, 2]].

%= normal
spawn_monitor_is_never_late() -> {P, R} = spawn_monitor(fun() -> ok end), down(P, R).

%= normal
spawn_link_is_never_late() -> process_flag(trap_exit, true), P = spawn_link(fun() -> ok end), receive {'EXIT', P, R} -> R end.

%= none
demonitor_flush() ->
    {P, R} = spawn_monitor(fun() -> ok end), demonitor(R, [flush]), receive {'DOWN', R, process, P, _} -> there after 5 -> none end.

%= {false,there} | {true,none}
demonitor_info() ->
    {P, R} = spawn_monitor(fun() -> ok end),
    X = demonitor(R, [info]), {X, receive {'DOWN', R, process, P, _} -> there after 5 -> none end}.

%= alive | {false,there} | {true,none}
demonitor_the_dead() ->
    {P, R} = spawn_monitor(fun() -> ok end),
    case is_process_alive(P) of
        true -> alive;
        false -> X = demonitor(R, [info]), {X, receive {'DOWN', R, process, P, _} -> there after 5 -> none end}
    end.

%= none
monitor_itself() -> R = monitor(process, self()), receive {'DOWN', R, _, _, _} -> there after 0 -> none end.

%= 2
two_monitors() ->
    P = spawn(fun waits/0), Rs = [monitor(process, P) || _ <- [1, 2]], P ! stop,
    length([receive {'DOWN', R, process, P, normal} -> ok end || R <- Rs]).

%= noproc | normal
monitor_name() ->
    S = self(),
    {P, R} = spawn_monitor(fun() -> register(litmus_name, self()), S ! ready end),
    receive ready -> ok end,
    M = monitor(process, litmus_name),
    X = receive {'DOWN', M, process, _, Why} -> Why end, down(P, R), X.

%= noproc
kill_then_monitor() -> P = spawn(fun waits/0), exit(P, kill), down(P).

%= noproc
kill_then_link() ->
    process_flag(trap_exit, true),
    P = spawn(fun waits/0), exit(P, kill), link(P),
    receive {'EXIT', P, Why} -> Why end.

%= killed | noproc
kill_or_monitor() ->
    P = spawn(fun waits/0), spawn(fun() -> exit(P, kill) end), down(P).

%% Links and their ends.

%= none | there
unlink_or_exit() ->
    process_flag(trap_exit, true),
    P = spawn_link(fun() -> exit(shutdown) end), unlink(P), receive {'EXIT', P, _} -> there after 5 -> none end.

%= none
unlink_and_flush() ->
    process_flag(trap_exit, true),
    P = spawn_link(fun() -> exit(shutdown) end),
    unlink(P), receive {'EXIT', P, _} -> ok after 0 -> ok end, receive {'EXIT', P, _} -> there after 5 -> none end.

%= normal
unlink_before_end() ->
    {P, R} = spawn_monitor(fun() ->
        C = spawn_link(fun() -> waits(), exit(shutdown) end),
        unlink(C), C ! stop, down(C)
    end),
    down(P, R).

%= normal | shutdown
unlink_at_end() ->
    {P, R} = spawn_monitor(fun() -> C = spawn_link(fun() -> exit(shutdown) end), unlink(C), down(C) end), down(P, R).

%= none
unlinked_by_the_other() ->
    process_flag(trap_exit, true),
    S = self(),
    P = spawn_link(fun() -> unlink(S), exit(shutdown) end), down(P),
    receive {'EXIT', P, _} -> there after 0 -> none end.

%= {noproc,noproc}
link_the_dead() ->
    P = spawn(fun() -> ok end), down(P),
    X = try link(P) catch error:E -> E end,
    process_flag(trap_exit, true), link(P), {X, receive {'EXIT', P, Why} -> Why end}.

%= caught | noproc | shutdown
link_or_end() ->
    C = spawn(fun() -> exit(shutdown) end),
    {P, R} = spawn_monitor(fun() -> try link(C), waits() catch error:noproc -> exit({shutdown, caught}) end end),
    case down(P, R) of {shutdown, X} -> X; X -> X end.

%= 1
linked_by_both() ->
    process_flag(trap_exit, true),
    S = self(),
    P = spawn(fun() -> link(S), S ! ready, waits(), exit(shutdown) end),
    receive ready -> ok end, link(P), P ! stop, exits(P, 0).

exits(P, N) -> receive {'EXIT', P, shutdown} -> exits(P, N + 1) after 5 -> N end.

%= shutdown
link_then_message() ->
    process_flag(trap_exit, true),
    P = spawn(fun() -> waits(), exit(shutdown) end), link(P), P ! stop, receive {'EXIT', P, R} -> R end.

%% Names.

named() ->
    S = self(),
    P = spawn(fun() -> register(litmus_name, self()), S ! ready, waits() end),
    receive ready -> P end.

%= [badarg,true] | [true,badarg]
register_twice() ->
    S = self(),
    Ps = [spawn(fun() -> S ! {X, try register(litmus_name, self()) catch error:badarg -> badarg end}, waits() end) || X <- [1, 2]],
    L = [receive {X, R} -> R end || X <- [1, 2]], [begin P ! stop, down(P) end || P <- Ps], L.

%= [badarg,true] | [true,badarg]
unregister_twice() ->
    P = named(), S = self(),
    [spawn(fun() -> S ! {X, try unregister(litmus_name) catch error:badarg -> badarg end} end) || X <- [1, 2]],
    L = [receive {X, R} -> R end || X <- [1, 2]], P ! stop, down(P), L.

%= found | undefined
whereis_or_register() ->
    P = spawn(fun() -> register(litmus_name, self()), waits() end),
    X = case whereis(litmus_name) of undefined -> undefined; P -> found end, P ! stop, down(P), X.

%= badarg | sent
send_or_register() ->
    P = spawn(fun() -> register(litmus_name, self()), waits() end),
    X = try litmus_name ! hello, sent catch error:badarg -> badarg end, P ! stop, down(P), X.

%= true
register_after_down() -> P = named(), P ! stop, down(P), R = register(litmus_name, self()), unregister(litmus_name), R.

%= got | lost
send_to_name_of_killed() ->
    S = self(),
    P = spawn(fun() -> register(litmus_name, self()), S ! ready, receive {m, A} -> S ! A end end),
    receive ready -> ok end, R = monitor(process, P),
    spawn(fun() -> exit(P, kill) end), catch litmus_name ! {m, got}, down(P, R),
    receive got -> got after 0 -> lost end.

%% Aliases.

%= got
alias_message() -> A = alias(), spawn(fun() -> A ! m end), receive m -> got end.

%= none
alias_after_unalias() ->
    A = alias(), P = spawn(fun() -> waits(), A ! m end), unalias(A), P ! stop, down(P), receive m -> got after 0 -> none end.

%= dropped | early | there
alias_message_on_its_way() ->
    T = table(), A = alias(),
    spawn(fun() -> A ! m, mark(T) end),
    case is_marked(T) of false -> early; true -> unalias(A), receive m -> there after 5 -> dropped end end.

%= [a]
alias_takes_one_reply() ->
    A = alias([reply]), P = spawn(fun() -> A ! a, A ! b end), down(P), flushed().

flushed() -> receive X -> [X | flushed()] after 0 -> [] end.

%= {reply,none}
reply_ends_monitor() ->
    P = spawn(fun() -> receive {ask, A} -> A ! reply end end),
    R = monitor(process, P, [{alias, reply_demonitor}]), P ! {ask, R},
    X = receive reply -> reply; {'DOWN', R, process, P, _} -> down end,
    {X, receive {'DOWN', R, process, P, _} -> down after 5 -> none end}.

%= normal
no_reply() ->
    P = spawn(fun() -> receive {ask, _} -> ok end end),
    R = monitor(process, P, [{alias, reply_demonitor}]), P ! {ask, R}, down(P, R).

%= {none,none} | {none,reply} | {reply,none}
late_reply() ->
    P = spawn(fun() -> receive {ask, A} -> A ! reply end end),
    R = monitor(process, P, [{alias, reply_demonitor}]), P ! {ask, R},
    X = receive reply -> reply after 0 -> none end,
    demonitor(R, [flush]), {X, receive reply -> reply after 5 -> none end}.

%% Timers and starts.

%= [a,b]
timers_in_order() -> erlang:send_after(60, self(), b), erlang:send_after(1, self(), a), [receive X -> X end || _ <- [1, 2]].

%= {true,none}
cancelled() ->
    R = erlang:send_after(5000, self(), m), {is_integer(erlang:cancel_timer(R)), receive m -> m after 0 -> none end}.

%= {false,m}
cancelled_late() ->
    R = erlang:send_after(1, self(), m), X = receive m -> m end, {erlang:cancel_timer(R), X}.

%= normal
spawned_by_request() ->
    R = spawn_request(fun() -> ok end, [monitor]),
    receive {spawn_reply, R, ok, P} -> down(P, R) end.

%= 1 | 2
children_start_in_any_order() -> S = self(), [spawn(fun() -> S ! X end) || X <- [1, 2]], receive X -> X end.

%= woken
hibernated() ->
    S = self(), P = spawn(fun() -> erlang:hibernate(?MODULE, woken, [S]) end), P ! go, receive X -> X end.

woken(S) -> receive go -> S ! woken end.

%% Arrays of numbers that are made, and heaps that are collected, while others run.

%= 1 | 2
counted_by_both() ->
    S = self(), P = spawn(fun() -> receive C -> counters:put(C, 1, counters:get(C, 1) + 1), S ! done end end),
    C = counters:new(1, []), P ! C, counters:put(C, 1, counters:get(C, 1) + 1), receive done -> counters:get(C, 1) end.

%= 1 | 2
counted_in_parts() ->
    S = self(), P = spawn(fun() -> receive C -> counters:sub(C, 1, -1), S ! done end end),
    C = counters:new(1, [write_concurrency]), P ! C,
    X = counters:get(C, 1), counters:put(C, 1, X + 1), receive done -> counters:get(C, 1) end.

%= 1 | 2
exchanged() ->
    S = self(), P = spawn(fun() -> receive A -> erlang:garbage_collect(), S ! atomics:add_get(A, 1, 1) end end),
    A = atomics:new(1, []), P ! A, erlang:garbage_collect(), atomics:sub(A, 1, -1), receive X -> X end.
