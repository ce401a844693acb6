%% Programs that never come to rest: timers that start timers, and processes that wait again and again. A state that recurs is the
%% end of what there is to see; everything that changes from one time to the next must be seen until it does. A function whose
%% name ends in _ok is the twin of the one before it.
-module(programs_ticks).
-behaviour(gen_server).
-export([ticking/1, ticking_ok/1, server/0, server_ok/0, far/0, far_ok/0, clock/0, kept/0, kept_ok/0, row/0, row_ok/0]).
-export([workers/0, workers_ok/0, input/1, input_ok/1, inbox/0, inbox_ok/0, two/0, two_ok/0, asked/0, counter/0, counter_ok/0]).
-export([float/0, named/0, named_ok/0, references_ok/0, polling_ok/0, polling_server/1, polling_server_ok/1]).
-export([beside_ticks/0, beside_ticks_ok/0, beside_interval/0, beside_ball/0, beside_names/0, beside_counting/1]).
-export([interval/0, interval_ok/0]).
-export([init/1, handle_call/3, handle_cast/2, handle_info/2]).

after_each(Time, State, Step) -> receive after Time -> after_each(Time, Step(State), Step) end.

%% A message that starts the next timer.
-spec ticking(0..9) -> ok.
ticking(Last) -> spawn(fun() -> tick(0, Last) end), ok.
tick(N, 7) when N > 5 -> error(seven);
tick(N, Last) -> erlang:send_after(10, self(), tick), receive tick -> tick((N + 1) rem 9, Last) end.
-spec ticking_ok(0..6) -> ok.
ticking_ok(Last) -> spawn(fun() -> tick(0, Last) end), ok.

-spec server() -> ok.
server() -> {ok, P} = gen_server:start(?MODULE, 0, []), 0 = gen_server:call(P, get), ok.
-spec server_ok() -> ok.
server_ok() -> {ok, P} = gen_server:start(?MODULE, 1, []), 1 = gen_server:call(P, get), ok.
init(N) -> erlang:send_after(5, self(), tick), {ok, N}.
handle_call(get, _, N) -> {reply, N, N}.
handle_cast(_, N) -> {noreply, N}.
handle_info(tick, 4) -> error(four);
handle_info(tick, N) -> erlang:send_after(5, self(), tick), {noreply, (N + 2) rem 6}.

%% A state that is the same for long but for one number.
-spec far() -> ok.
far() -> spawn(fun() -> after_each(10, 0, fun(300) -> error(far); (N) -> N + 1 end) end), ok.
-spec far_ok() -> ok.
far_ok() -> spawn(fun() -> after_each(10, 0, fun(301) -> error(far); (N) -> (N + 1) rem 300 end) end), ok.

%% Nothing changes but the time.
-spec clock() -> ok.
clock() ->
    End = erlang:monotonic_time(millisecond) + 700,
    spawn(fun() -> after_each(10, ok, fun(ok) -> case erlang:monotonic_time(millisecond) of T when T > End -> error(late); _ -> ok end end) end),
    ok.

%% States in the process dictionary, in a table, in a counter.
-spec kept() -> ok.
kept() -> spawn(fun() -> put(n, 0), after_each(10, ok, fun(ok) -> case put(n, get(n) + 1) of 20 -> error(kept); _ -> ok end end) end), ok.
-spec kept_ok() -> ok.
kept_ok() -> spawn(fun() -> put(n, 0), after_each(10, ok, fun(ok) -> 0 = get(n), ok end) end), ok.

-spec row() -> ok.
row() -> rows(fun(N) -> N + 1 end).
-spec row_ok() -> ok.
row_ok() -> rows(fun(N) -> (N + 1) rem 5 end).
rows(Next) ->
    spawn(fun() ->
        T = ets:new(t, []),
        ets:insert(T, {n, 0}),
        after_each(10, ok, fun(ok) -> [{n, N}] = ets:lookup(T, n), true = N < 20, ets:insert(T, {n, Next(N)}), ok end)
    end),
    ok.

-spec counter() -> ok.
counter() -> counts(0).
-spec counter_ok() -> ok.
counter_ok() -> counts(-1).
counts(Back) ->
    C = counters:new(1, []),
    spawn(fun() -> after_each(10, ok, fun(ok) -> counters:add(C, 1, 1), true = counters:get(C, 1) < 20, counters:add(C, 1, Back) end) end),
    ok.

%% Every time others are started, whose messages come in either order.
-spec workers() -> ok.
workers() -> spawn(fun() -> after_each(10, 0, fun(N) -> work(N, 1), (N + 1) rem 2 end) end), ok.
-spec workers_ok() -> ok.
workers_ok() -> spawn(fun() -> after_each(10, 0, fun(N) -> work(N, 2), (N + 1) rem 2 end) end), ok.
work(N, Last) ->
    S = self(),
    [A, B] = [spawn(fun() -> S ! {self(), done} end) || _ <- [1, 2]],
    receive {B, done} when N =:= Last -> error(second_first); {A, done} -> ok; {B, done} -> ok end,
    receive {_, done} -> ok end.

%% The same for some inputs and not for others.
-spec input(integer()) -> ok.
input(X) -> spawn(fun() -> after_each(10, 0, fun(N) when N =:= X -> error(equal); (N) -> (N + 3) rem 11 end) end), ok.
-spec input_ok(integer()) -> ok.
input_ok(X) -> spawn(fun() -> after_each(10, X, fun(N) when is_integer(N) -> N end) end), ok.

%% Messages that nothing takes pile up.
-spec inbox() -> ok.
inbox() -> piles(fun() -> more end).
-spec inbox_ok() -> ok.
inbox_ok() -> piles(fun() -> receive more -> more end end).
piles(Take) ->
    spawn(fun() -> after_each(10, ok, fun(ok) -> self() ! more, Take(), {_, N} = process_info(self(), message_queue_len), true = N < 20, ok end) end),
    ok.

%% Two of different times come together again and again, in either order.
-spec two() -> ok.
two() -> both(8).
-spec two_ok() -> ok.
two_ok() -> both(9).
both(Last) ->
    S = spawn(fun() -> in_turn(none, 0, Last) end),
    [spawn(fun() -> after_each(T, ok, fun(ok) -> S ! T, ok end) end) || T <- [2, 3]],
    ok.
in_turn(Before, N, Last) ->
    receive
        Before when N =:= Last -> error(twice);
        T -> in_turn(T, (N + 1) rem 10, Last)
    end.

%% The messages of a caller that has its value, as another process sees them.
-spec asked() -> ok.
asked() ->
    S = self(),
    spawn(fun() -> after_each(10, ok, fun(ok) -> S ! more, {_, N} = process_info(S, message_queue_len), true = N < 20, ok end) end),
    ok.

%% Equal numbers that are not the same.
-spec float() -> ok.
float() -> spawn(fun() -> after_each(10, 0.0, fun(X) when X > 5 -> error(far); (X) -> X + 0.5 end) end), ok.

%% A name that goes from one process to the next.
-spec named() -> ok.
named() -> spawn(fun() -> after_each(10, 0, fun(N) -> name(N, 3) end) end), ok.
-spec named_ok() -> ok.
named_ok() -> spawn(fun() -> after_each(10, 0, fun(N) -> name(N, 4) end) end), ok.
name(N, Last) ->
    case whereis(it) of
        undefined -> ok;
        P -> M = monitor(process, P), P ! stop, receive {'DOWN', M, process, _, _} -> ok end
    end,
    case N of
        Last -> error(last);
        _ -> register(it, spawn(fun() -> receive stop -> ok end end)), (N + 1) rem 4
    end.

%% References that are others each time.
-spec references_ok() -> ok.
references_ok() ->
    spawn(fun() -> after_each(10, #{}, fun(Old) -> [erlang:cancel_timer(T) || T <- maps:keys(Old)], #{erlang:start_timer(100, self(), x) => 1} end) end),
    ok.

%% Waiting for what another does.
-spec polling_ok() -> ok.
polling_ok() ->
    T = ets:new(t, [public]),
    spawn(fun() -> receive after 50 -> ets:insert(T, {done, true}) end end),
    poll(T).
poll(T) -> case ets:lookup(T, done) of [] -> receive after 10 -> poll(T) end; _ -> ok end.

-spec polling_server(0..20) -> ok.
polling_server(N) -> polls(N, 13).
-spec polling_server_ok(0..20) -> ok.
polling_server_ok(N) -> polls(N, 21).
polls(N, Bad) ->
    P = spawn(fun() -> after_each(10, N, fun(Bad0) when Bad0 =:= Bad -> error(bad); (M) -> M end) end),
    true = is_pid(P),
    ok.

%% An order of messages, beside what never comes to rest.
-spec beside_ticks() -> ok.
beside_ticks() -> spawn(fun() -> after_each(1000, ok, fun(ok) -> ok end) end), race(2).
-spec beside_ticks_ok() -> ok.
beside_ticks_ok() -> spawn(fun() -> after_each(1000, ok, fun(ok) -> ok end) end), race(3).
-spec beside_interval() -> ok.
beside_interval() -> {ok, _} = timer:send_interval(100, tick), race(2).
-spec beside_ball() -> ok.
beside_ball() -> [A, B] = [spawn(fun ball/0) || _ <- [1, 2]], A ! {ball, B}, race(2).
ball() -> receive {ball, P} -> P ! {ball, self()}, ball() end.
-spec beside_names() -> ok.
beside_names() -> spawn(fun ask/0), race(2).
ask() -> case whereis(never) of undefined -> ask(); _ -> ok end.
race(Bad) ->
    S = self(),
    [spawn(fun() -> S ! N end) || N <- [1, 2]],
    receive Bad -> error(bad); N when is_integer(N) -> ok end.

-spec beside_counting(integer()) -> ok.
beside_counting(N) ->
    S = self(),
    P = spawn(fun() -> after_each(1000, 0, fun(M) -> M + 1 end) end),
    spawn(fun() -> S ! {P, N * 2} end),
    receive {P, 2468} -> error(bad); {P, _} -> ok end.

%% Ticks of the timer server.
-spec interval() -> ok.
interval() -> spawn(fun() -> {ok, _} = timer:send_interval(10, tick), at_ticks(0, fun(20) -> error(twenty); (N) -> N + 1 end) end), ok.
-spec interval_ok() -> ok.
interval_ok() -> spawn(fun() -> {ok, _} = timer:send_interval(10, tick), at_ticks(0, fun(20) -> error(twenty); (N) -> (N + 1) rem 3 end) end), ok.
at_ticks(State, Step) -> receive tick -> at_ticks(Step(State), Step) end.
