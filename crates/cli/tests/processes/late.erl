%% Programs that need a signal to come late, the timer server, or output through a process. Above each: its outcomes.
-module(late).
-compile([export_all, nowarn_export_all]).

down(P, R) -> receive {'DOWN', R, process, P, Reason} -> Reason end.
waits() -> receive stop -> ok end.
flushed() -> receive X -> [X | flushed()] after 0 -> [] end.

%% Late 'DOWN'.

%= down | not_yet | there
name_gone_before_down() ->
    S = self(),
    {P, R} = spawn_monitor(fun() -> register(late_name, self()), S ! ready, waits() end),
    receive ready -> ok end, P ! stop,
    X = whereis(late_name),
    Y = receive {'DOWN', R, process, P, _} -> down after 0 -> not_yet end,
    case X of P -> down_after(R, Y), there; undefined -> down_after(R, Y), Y end.

down_after(_, down) -> ok;
down_after(R, _) -> receive {'DOWN', R, process, _, _} -> ok end.

%= [a,b] | [b,a]
down_of_two() ->
    {A, Ra} = spawn_monitor(fun() -> ok end), {B, Rb} = spawn_monitor(fun() -> ok end),
    [receive {'DOWN', Ra, process, A, _} -> a; {'DOWN', Rb, process, B, _} -> b end || _ <- [1, 2]].

%= first_hears | second_hears
who_hears_first() ->
    S = self(), P = spawn(fun waits/0),
    W = fun(X) -> fun() -> R = monitor(process, P), S ! ready, down(P, R), S ! X end end,
    spawn(W(first_hears)), spawn(W(second_hears)),
    [receive ready -> ok end || _ <- [1, 2]], P ! stop,
    X = receive first_hears -> first_hears; second_hears -> second_hears end,
    receive first_hears -> ok; second_hears -> ok end, X.

%= down_first | error:{badmatch,noproc} | heard_first
heard_before_down() ->
    S = self(),
    {P, R} = spawn_monitor(fun waits/0),
    spawn(fun() -> Q = monitor(process, P), S ! ready, normal = down(P, Q), S ! heard end),
    receive ready -> ok end, P ! stop,
    X = receive heard -> heard_first; {'DOWN', R, process, P, _} -> down_first end,
    receive heard -> ok; {'DOWN', R, process, P, _} -> ok end, X.

%= [] | [down]
down_in_queue_of_the_dead() ->
    {P, _} = spawn_monitor(fun() -> ok end),
    alive_until(P), [down || {'DOWN', _, _, _, _} <- flushed()].

alive_until(P) -> case is_process_alive(P) of true -> receive {'DOWN', _, _, _, _} = D -> self() ! D, ok end; false -> ok end.

%= {noproc,there}
monitor_again_before_down() ->
    {P, R} = spawn_monitor(fun() -> exit(shutdown) end),
    Q = monitor(process, P),
    X = receive {'DOWN', Q, process, P, W} -> W end,
    Y = receive {'DOWN', R, process, P, _} -> there after 0 -> late end,
    case {X, Y} of {shutdown, _} -> {noproc, Y}; Z -> Z end.

%= false | true
demonitor_before_down() ->
    S = self(),
    {P, R} = spawn_monitor(fun() -> S ! bye end),
    receive bye -> ok end,
    false = wait_dead(P), demonitor(R, [flush, info]).

wait_dead(P) -> case is_process_alive(P) of true -> receive {'DOWN', _, _, _, _} = D -> self() ! D, false end; false -> false end.

%= [] | [tagged]
down_with_a_tag() ->
    P = spawn(fun() -> ok end),
    R = monitor(process, P, [{tag, tagged}]),
    case is_process_alive(P) of true -> receive {tagged, R, _, _, _} = M -> self() ! M end; false -> ok end,
    [element(1, M) || M <- flushed()].

%% Late exits along links.

%= exit | not_yet | still_alive
dead_without_exit() ->
    process_flag(trap_exit, true),
    P = spawn_link(fun() -> exit(shutdown) end),
    case is_process_alive(P) of
        true -> receive {'EXIT', P, _} -> still_alive end;
        false -> receive {'EXIT', P, _} -> exit after 0 -> not_yet end
    end.

%= done | killed
works_on_after_link_exit() ->
    T = ets:new(t, [public]),
    {P, R} = spawn_monitor(fun() -> C = spawn_link(fun() -> exit(shutdown) end), works(T, C) end),
    case down(P, R) of normal -> ok; shutdown -> ok end,
    case ets:lookup(T, done) of [] -> killed; _ -> done end.

works(T, _) -> _ = whereis(no_name), ets:insert(T, {done, true}).

%= exit | linked_first
link_on_its_way() ->
    process_flag(trap_exit, true),
    S = self(),
    P = spawn(fun() -> S ! here end),
    receive here -> ok end,
    try link(P) of true -> receive {'EXIT', P, noproc} -> exit; {'EXIT', P, normal} -> linked_first end
    catch error:E -> {caught, E} end.

%= killed | unlinked
unlink_too_late() ->
    {P, R} = spawn_monitor(fun() ->
        C = spawn_link(fun() -> exit(shutdown) end),
        unlink(C), waits_a_little()
    end),
    case down(P, R) of normal -> unlinked; shutdown -> killed end.

waits_a_little() -> receive never -> ok after 5 -> ok end.

%= exit:other | killed
unlink_by_the_child() ->
    {P, R} = spawn_monitor(fun() ->
        S = self(),
        spawn_link(fun() -> spawn(fun() -> exit(S, shutdown) end), unlink(S), exit(other) end),
        waits_a_little()
    end),
    case down(P, R) of normal -> normal; shutdown -> killed end.

%= [m,x] | [x,m]
exit_and_message_of_others() ->
    process_flag(trap_exit, true),
    S = self(),
    P = spawn_link(fun waits/0),
    spawn(fun() -> P ! stop, S ! m end),
    [receive m -> m; {'EXIT', P, _} -> x end || _ <- [1, 2]].

%= kill
link_exit_of_kill() ->
    {P, R} = spawn_monitor(fun() -> spawn_link(fun() -> exit(kill) end), waits() end), down(P, R).

%= {boom,late} | {boom,none}
crash_reason_along_links() ->
    S = self(),
    {P, R} = spawn_monitor(fun() ->
        spawn_link(fun() -> exit(boom) end),
        receive late -> ok after 0 -> S ! late end, waits()
    end),
    boom = down(P, R), {boom, receive late -> late after 0 -> none end}.

%% Messages behind signals.

%= error:noproc | got | none
message_behind_link() ->
    S = self(), T = ets:new(t, [public]),
    P = spawn(fun() -> receive ask -> X = receive m -> got after 0 -> none end, S ! X end end),
    spawn(fun() -> link(P), P ! m, ets:insert(T, {sent, 1}), P ! ask2, waits_a_little() end),
    P ! ask, receive X -> X end.

%= [] | [m]
message_behind_exit() ->
    S = self(), T = ets:new(t, [public]),
    P = spawn(fun() -> process_flag(trap_exit, true), S ! ready, receive look -> S ! {saw, [m || m <- flushed()]} end end),
    receive ready -> ok end,
    spawn(fun() -> exit(P, hello), P ! m, S ! sent end),
    receive sent -> ok end, ets:insert(T, {x}), P ! look, receive {saw, L} -> L end.

%% Aliases.

%= [a,b] | [b,a]
alias_and_message() ->
    S = self(), A = alias(), T = ets:new(t, [public]),
    P = spawn(fun() -> A ! a, ets:insert(T, {sent}), waits() end),
    Q = spawn(fun() -> waits_for(T), S ! b end),
    L = [receive X -> X end || _ <- [1, 2]], P ! stop, _ = Q, L.

waits_for(T) -> case ets:lookup(T, sent) of [] -> ok; _ -> ok end.

%= dropped | early | got
alias_of_monitor_late() ->
    T = ets:new(t, [public]),
    P = spawn(fun() -> receive {ask, A} -> A ! m, ets:insert(T, {sent}) end, waits() end),
    R = monitor(process, P, [{alias, demonitor}]), P ! {ask, R},
    X = case ets:lookup(T, sent) of
        [] -> early;
        _ -> demonitor(R, [flush]), receive m -> got after 0 -> dropped end
    end,
    X.

%% A server dies between a request and its answer.

%= {ok,1}
call_and_end() ->
    P = spawn(fun() -> receive {ask, F, A} -> A ! {A, 1}, F end end),
    R = monitor(process, P, [{alias, reply_demonitor}]),
    P ! {ask, self(), R},
    receive {R, X} -> {ok, X}; {'DOWN', R, process, P, W} -> {down, W} end.

%% The server of timer.

%= [applied]
timer_applies() ->
    {ok, _} = timer:apply_after(10, erlang, send, [self(), applied]), [receive X -> X end].

%= [tick,tick,tick]
timer_ticks() ->
    {ok, T} = timer:send_interval(10, tick),
    L = [receive X -> X end || _ <- [1, 2, 3]], {ok, cancel} = timer:cancel(T), L.

%= [a,b]
timer_order() ->
    S = self(), register(late_name, S),
    {ok, _} = timer:send_after(20, late_name, b), {ok, _} = timer:apply_after(10, ?MODULE, sends, [S, a]),
    [receive X -> X end || _ <- [1, 2]].

sends(To, X) -> To ! X.

%= cancelled
timer_cancelled() ->
    {ok, T} = timer:apply_after(10, ?MODULE, sends, [self(), late]),
    {ok, cancel} = timer:cancel(T), receive late -> late after 50 -> cancelled end.

%= {shutdown,timeout}
timer_exits() ->
    {P, R} = spawn_monitor(fun waits/0), {ok, _} = timer:exit_after(10, P, {shutdown, timeout}), down(P, R).

%= killed
timer_kills() -> {P, R} = spawn_monitor(fun waits/0), {ok, _} = timer:kill_after(10, P), down(P, R).

%= [1,2] | [2,1]
timers_of_two() ->
    S = self(),
    [spawn(fun() -> {ok, _} = timer:apply_after(10, ?MODULE, sends, [S, X]), waits() end) || X <- [1, 2]],
    [receive X -> X end || _ <- [1, 2]].

%= [5,5]
timer_interval_of_calls() ->
    {ok, T} = timer:apply_interval(5, ?MODULE, sends, [self(), 5]),
    L = [receive X -> X end || _ <- [1, 2]], timer:cancel(T), L.

%% Output through a process.

%= [<<"hello\n">>]
prints_to_a_process() ->
    S = self(),
    L = spawn(fun() -> leader(S) end),
    group_leader(L, self()), io:format("hello~n"), L ! stop, receive {printed, X} -> X end.

leader(To) -> leader(To, []).
leader(To, Printed) ->
    receive
        {io_request, From, Ref, {put_chars, _, M, F, A}} ->
            From ! {io_reply, Ref, ok}, leader(To, Printed ++ [unicode:characters_to_binary(apply(M, F, A))]);
        {io_request, From, Ref, {put_chars, _, Text}} ->
            From ! {io_reply, Ref, ok}, leader(To, Printed ++ [unicode:characters_to_binary(Text)]);
        stop -> To ! {printed, Printed}
    end.

%= [<<"a">>,<<"b">>] | [<<"b">>,<<"a">>]
two_print_to_a_process() ->
    S = self(),
    L = spawn(fun() -> leader(S) end),
    [spawn(fun() -> group_leader(L, self()), io:put_chars(X), S ! done end) || X <- ["a", "b"]],
    [receive done -> ok end || _ <- [1, 2]],
    L ! stop, receive {printed, X} -> X end.

%= {error,terminated}
prints_to_the_dead() ->
    {L, R} = spawn_monitor(fun() -> receive {io_request, _, _, _} -> ok end end),
    X = try io:put_chars(L, "a") catch error:E -> {error, E} end, down(L, R), X.
