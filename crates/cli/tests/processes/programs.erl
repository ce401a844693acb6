%% Programs with processes, each with a defect or without: what an exploration must find or prove. A function whose name ends
%% in _ok is the twin of the one before it.
-module(programs).
-behaviour(gen_server).
-export([secret_message/1, secret_message_ok/1, secret_reply/1, secret_reply_ok/1, two_secrets/2, two_secrets_ok/2]).
-export([fig_6_2/0, fig_6_4/0, fig_6_7/0, fig_6_9/0, fig_6_11/0, ping_pong/1, ping_pong_ok/1]).
-export([order_of_senders/0, order_of_senders_ok/0, order_and_value/1, order_and_value_ok/1, overtaking/0, overtaking_ok/0]).
-export([register_race/0, register_race_ok/0, whereis_after_death/0, whereis_after_death_ok/0, send_to_name/0, send_to_name_ok/0]).
-export([lost_update/0, lost_update_ok/0, check_then_act/0, check_then_act_ok/0, counter/0, counter_ok/0, lazy_init/0, lazy_init_ok/0]).
-export([lock_order/0, lock_order_ok/0, philosophers/0, philosophers_ok/0, crossed_calls/0, crossed_calls_ok/0, lost_reply/1, lost_reply_ok/1]).
-export([selective/1, selective_ok/1, flushed/0, flushed_ok/0, late_timeout/0, late_timeout_ok/0]).
-export([trapped/1, trapped_ok/1, linked_death/1, linked_death_ok/1, monitor_late/0, monitor_late_ok/0, exit_reason/1, exit_reason_ok/1]).
-export([server_request/1, server_request_ok/1, server_state/1, server_state_ok/1, server_race/0, server_race_ok/0, server_cast/0, server_cast_ok/0]).
-export([machine_sequence/1, machine_sequence_ok/1, machine_timeout/0, machine_timeout_ok/0]).
-export([restarted/0, restarted_ok/0, too_many_restarts/0, pool/0, pool_ok/0, pipeline/1, pipeline_ok/1, fan_in/1, fan_in_ok/1]).
-export([captured/1, captured_ok/1]).
-export([unlinked_child/1, unlinked_child_ok/1, alias_late/0, alias_late_ok/0, stop_twice/0, stop_twice_ok/0, heir/1, heir_ok/1]).
-export([leaking/0, leaking_ok/0]).
-export([init/1, handle_call/3, handle_cast/2, handle_info/2]).

%% A server whose crash needs a certain message.
-spec secret_message(integer()) -> ok.
secret_message(X) ->
    S = self(),
    P = spawn(fun() -> receive {key, K} when K * 3 - 7 =:= 2018 -> S ! {bad, K}; {key, _} -> S ! good end end),
    P ! {key, X},
    receive good -> ok; {bad, K} -> error({opened_by, K}) end.

-spec secret_message_ok(integer()) -> ok.
secret_message_ok(X) ->
    S = self(),
    P = spawn(fun() -> receive {key, K} when K * 3 - 7 =:= 2019 -> S ! {bad, K}; {key, _} -> S ! good end end),
    P ! {key, X},
    receive good -> ok; {bad, K} -> error({opened_by, K}) end.

%% What comes back is divided by.
-spec secret_reply(integer()) -> number().
secret_reply(X) ->
    S = self(),
    spawn(fun() -> S ! {answer, X * 2 - 14} end),
    receive {answer, N} -> 100 div N end.

-spec secret_reply_ok(integer()) -> number().
secret_reply_ok(X) ->
    S = self(),
    spawn(fun() -> S ! {answer, X * 2 - 13} end),
    receive {answer, N} -> 100 div N end.

%% Both parts of a key must come, from two processes.
-spec two_secrets(integer(), atom()) -> ok.
two_secrets(N, A) ->
    S = self(),
    spawn(fun() -> S ! {number, N} end),
    spawn(fun() -> S ! {name, A} end),
    receive {number, M} -> receive {name, B} -> open(M, B) end end.

open(42, sesame) -> error(opened);
open(_, _) -> ok.

-spec two_secrets_ok(integer(), atom()) -> ok.
two_secrets_ok(N, A) ->
    S = self(),
    spawn(fun() -> S ! {number, abs(N)} end),
    spawn(fun() -> S ! {name, A} end),
    receive {number, M} -> receive {name, sesame} when M < 0 -> error(opened); {name, _} -> ok end end.

%% Figure 6.2: two actors; what arrives first differs, the count of pongs does not.
fig_6_2() ->
    A = self(),
    B = spawn(fun() -> actor_b(A, 2) end),
    spawn(fun() -> B ! ping end),
    spawn(fun() -> B ! pingping end),
    3 = pongs(3),
    ok.

actor_b(_, 0) -> ok;
actor_b(A, N) ->
    receive
        ping -> A ! pong;
        pingping -> A ! pong, A ! pong
    end,
    actor_b(A, N - 1).

pongs(0) -> 0;
pongs(N) -> receive pong -> 1 + pongs(N - 1) end.

%% Figure 6.4: the check is called before the count is raised.
fig_6_4() ->
    Count = 0,
    fail_if_positive(Count),
    _ = Count + 1,
    ok.

fail_if_positive(Count) when Count > 0 -> error(positive);
fail_if_positive(_) -> ok.

%% Figure 6.7: the check is a message, which is handled after the count is raised.
fig_6_7() ->
    self() ! fail_if_positive,
    Count = 0 + 1,
    receive fail_if_positive -> fail_if_positive(Count) end.

%% Figure 6.9: an error if exactly one increment comes before the check.
fig_6_9() ->
    S = self(),
    [spawn(fun() -> S ! M end) || M <- [fail_if_one, increment, increment]],
    counting(0, 3).

counting(_, 0) -> ok;
counting(Count, N) ->
    receive
        increment -> counting(Count + 1, N - 1);
        fail_if_one when Count =:= 1 -> error(one);
        fail_if_one -> counting(Count, N - 1)
    end.

%% Figure 6.11: one actor sends for ever; the other fails at the first message.
fig_6_11() ->
    P = spawn(fun() -> receive fail -> error(triggered) end end),
    spawn(fun() -> send_for_ever(P) end),
    ok.

send_for_ever(P) ->
    P ! fail,
    send_for_ever(P).

%% A ball that is played until it has a certain number.
-spec ping_pong(integer()) -> ok.
ping_pong(X) ->
    S = self(),
    P = spawn(fun() -> pong(S) end),
    P ! {ball, X},
    receive {ball, Y} when Y =:= 1000 -> error(match_ball); {ball, _} -> ok end.

pong(S) -> receive {ball, X} when X > 500 -> S ! {ball, X * 2 - 12}; {ball, X} -> S ! {ball, X} end.

-spec ping_pong_ok(integer()) -> ok.
ping_pong_ok(X) ->
    S = self(),
    P = spawn(fun() -> pong(S) end),
    P ! {ball, X},
    receive {ball, Y} when Y =:= 999 -> error(match_ball); {ball, _} -> ok end.

%% The order of two senders.
order_of_senders() ->
    S = self(),
    spawn(fun() -> S ! {set, 1} end),
    spawn(fun() -> S ! {set, 2} end),
    A = receive {set, X} -> X end,
    B = receive {set, Y} -> Y end,
    [1, 2] = [A, B].

order_of_senders_ok() ->
    S = self(),
    spawn(fun() -> S ! {set, 1} end),
    spawn(fun() -> S ! {set, 2} end),
    A = receive {set, X} -> X end,
    B = receive {set, Y} -> Y end,
    3 = A + B.

%% An order and a value together.
-spec order_and_value(integer()) -> ok.
order_and_value(X) ->
    S = self(),
    spawn(fun() -> S ! {a, X} end),
    spawn(fun() -> S ! {b, X + 1} end),
    receive {b, 77} -> error(both); {_, _} -> ok end.

-spec order_and_value_ok(integer()) -> ok.
order_and_value_ok(X) ->
    S = self(),
    spawn(fun() -> S ! {a, X} end),
    spawn(fun() -> S ! {b, X + 1} end),
    receive {a, A} -> receive {b, B} when B =:= A -> error(both); {b, _} -> ok end end.

%% A message that goes round by another process is overtaken by one that does not.
overtaking() ->
    S = self(),
    Relay = spawn(fun() -> receive M -> S ! M end end),
    spawn(fun() -> Relay ! first, S ! second end),
    receive first -> ok; second -> error(overtaken) end.

overtaking_ok() ->
    S = self(),
    spawn(fun() -> S ! first, S ! second end),
    receive first -> receive second -> ok end; second -> error(overtaken) end.

%% Two processes want one name.
register_race() ->
    S = self(),
    Start = fun() -> register(programs_name, self()), S ! up, receive stop -> ok end end,
    spawn(Start), spawn(Start),
    receive up -> ok end.

register_race_ok() ->
    S = self(),
    Start = fun() -> catch register(programs_name, self()), S ! up, receive stop -> ok end end,
    P = spawn(Start), Q = spawn(Start),
    receive up -> receive up -> ok end end,
    P ! stop, Q ! stop, ok.

%% A name is looked up, and its process may be gone when it is written to.
whereis_after_death() ->
    P = spawn(fun() -> receive stop -> ok end end),
    register(programs_dying, P),
    spawn(fun() -> P ! stop end),
    case whereis(programs_dying) of
        undefined -> ok;
        _ -> programs_dying ! hello, ok
    end.

whereis_after_death_ok() ->
    P = spawn(fun() -> receive stop -> ok end end),
    register(programs_dying, P),
    spawn(fun() -> P ! stop end),
    case whereis(programs_dying) of
        undefined -> ok;
        Q -> Q ! hello, ok
    end.

%% A message is sent to a name that may not be there yet.
send_to_name() ->
    spawn(fun() -> register(programs_echo, self()), receive {From, M} -> From ! M end end),
    programs_echo ! {self(), hi},
    receive hi -> ok end.

send_to_name_ok() ->
    S = self(),
    spawn(fun() -> register(programs_echo, self()), S ! ready, receive {From, M} -> From ! M end end),
    receive ready -> ok end,
    programs_echo ! {self(), hi},
    receive hi -> ok end.

%% Read, then write.
lost_update() -> added(fun(T) -> [{n, N}] = ets:lookup(T, n), ets:insert(T, {n, N + 1}) end).
lost_update_ok() -> added(fun(T) -> ets:update_counter(T, n, 1) end).

added(Add) ->
    T = ets:new(programs, [public]),
    ets:insert(T, {n, 0}),
    S = self(),
    [spawn(fun() -> Add(T), S ! done end) || _ <- [1, 2]],
    [receive done -> ok end || _ <- [1, 2]],
    [{n, 2}] = ets:lookup(T, n),
    ok.

%% A seat is free, and then it is taken.
check_then_act() -> booked(fun(T) -> ets:member(T, seat) orelse (ets:insert(T, {seat, self()}) andalso ets:update_counter(T, sold, 1)) end).
check_then_act_ok() -> booked(fun(T) -> ets:insert_new(T, {seat, self()}) andalso ets:update_counter(T, sold, 1) end).

booked(Book) ->
    T = ets:new(programs, [public]),
    ets:insert(T, {sold, 0}),
    S = self(),
    [spawn(fun() -> Book(T), S ! done end) || _ <- [1, 2]],
    [receive done -> ok end || _ <- [1, 2]],
    [{sold, 1}] = ets:lookup(T, sold),
    ok.

%% A counter that is read and written, or added to.
counter() -> counted(fun(C) -> counters:put(C, 1, counters:get(C, 1) + 1) end).
counter_ok() -> counted(fun(C) -> counters:add(C, 1, 1) end).

counted(Count) ->
    C = counters:new(1, []),
    S = self(),
    [spawn(fun() -> Count(C), S ! done end) || _ <- [1, 2]],
    [receive done -> ok end || _ <- [1, 2]],
    2 = counters:get(C, 1),
    ok.

%% A table that is made when it is first needed.
lazy_init() -> initialised(fun() -> ets:whereis(programs_lazy) =:= undefined andalso ets:new(programs_lazy, [named_table, public]) end).
lazy_init_ok() -> initialised(fun() -> catch ets:new(programs_lazy, [named_table, public]) end).

initialised(Init) ->
    S = self(),
    Work = fun() -> Init(), S ! done, receive stop -> ok end end,
    P = spawn(Work), Q = spawn(Work),
    receive done -> receive done -> ok end end,
    P ! stop, Q ! stop, ok.

%% Two locks in different orders.
lock_order() -> locked([a, b], [b, a]).
lock_order_ok() -> locked([a, b], [a, b]).

locked(First, Second) ->
    Locks = [{Name, spawn(fun() -> lock() end)} || Name <- [a, b]],
    S = self(),
    [spawn(fun() -> [take(proplists:get_value(L, Locks)) || L <- Order],
                    [proplists:get_value(L, Locks) ! free || L <- Order], S ! done end) || Order <- [First, Second]],
    [receive done -> ok end || _ <- [1, 2]],
    [exit(L, kill) || {_, L} <- Locks],
    ok.

lock() -> receive {take, P} -> P ! taken, receive free -> lock() end end.
take(L) -> L ! {take, self()}, receive taken -> ok end.

%% Three at a table, each with the fork on the left first, or one the other way round.
philosophers() -> eating([{1, 2}, {2, 3}, {3, 1}]).
philosophers_ok() -> eating([{1, 2}, {1, 2}]).

eating(Pairs) ->
    Forks = list_to_tuple([spawn(fun() -> lock() end) || _ <- [1, 2, 3]]),
    S = self(),
    [spawn(fun() -> take(element(L, Forks)), take(element(R, Forks)),
                    element(R, Forks) ! free, element(L, Forks) ! free, S ! fed end) || {L, R} <- Pairs],
    [receive fed -> ok end || _ <- Pairs],
    [exit(F, kill) || F <- tuple_to_list(Forks)],
    ok.

%% Each asks the other before it answers.
crossed_calls() ->
    S = self(),
    P = spawn(fun() -> asking(S) end),
    Q = spawn(fun() -> asking(S) end),
    P ! {peer, Q}, Q ! {peer, P},
    receive done -> receive done -> ok end end.

asking(S) ->
    Peer = receive {peer, P} -> P end,
    Peer ! {ask, self()},
    receive {answer, Peer} -> ok end,
    receive {ask, From} -> From ! {answer, self()} end,
    S ! done.

crossed_calls_ok() ->
    S = self(),
    P = spawn(fun() -> answering(S) end),
    Q = spawn(fun() -> answering(S) end),
    P ! {peer, Q}, Q ! {peer, P},
    receive done -> receive done -> ok end end.

answering(S) ->
    Peer = receive {peer, P} -> P end,
    Peer ! {ask, self()},
    receive {ask, From} -> From ! {answer, self()} end,
    receive {answer, Peer} -> ok end,
    S ! done.

%% A request that is not answered.
-spec lost_reply(atom()) -> ok.
lost_reply(X) ->
    S = self(),
    P = spawn(fun() -> receive ping -> S ! pong; forget -> ok; _ -> S ! pong end end),
    P ! X,
    receive pong -> ok end.

-spec lost_reply_ok(atom()) -> ok.
lost_reply_ok(X) ->
    S = self(),
    P = spawn(fun() -> receive ping -> S ! pong; forget -> S ! pong; _ -> S ! pong end end),
    P ! X,
    receive pong -> ok end.

%% Messages are taken out of turn.
-spec selective([integer()]) -> ok.
selective(L) ->
    [self() ! {n, X} || X <- lists:sublist(L, 2)],
    self() ! last,
    receive last -> ok end,
    case [receive {n, X} -> X end || _ <- lists:sublist(L, 2)] of
        [5, 7] -> error(in_order);
        _ -> ok
    end.

-spec selective_ok(integer()) -> ok.
selective_ok(X) ->
    self() ! {n, X}, self() ! {n, X + 1},
    A = receive {n, M} -> M end,
    B = receive {n, N} -> N end,
    true = A < B,
    ok.

%% A mailbox is emptied before everything has come.
flushed() ->
    S = self(),
    spawn(fun() -> S ! junk, S ! ready end),
    flush(),
    receive ready -> ok end,
    receive junk -> error(left_over) after 0 -> ok end.

flushed_ok() ->
    S = self(),
    spawn(fun() -> S ! junk, S ! ready end),
    receive ready -> ok end,
    flush(),
    receive junk -> error(left_over) after 0 -> ok end.

flush() -> receive junk -> flush() after 0 -> ok end.

%% An answer after the time.
late_timeout() ->
    S = self(),
    spawn(fun() -> timer:sleep(200), S ! answer end),
    receive answer -> ok after 100 -> error(timeout) end.

late_timeout_ok() ->
    S = self(),
    spawn(fun() -> timer:sleep(50), S ! answer end),
    receive answer -> ok after 100 -> error(timeout) end.

%% The reason of an exit that is trapped.
-spec trapped(integer()) -> ok.
trapped(X) ->
    process_flag(trap_exit, true),
    P = spawn_link(fun() -> exit({code, X rem 10}) end),
    receive {'EXIT', P, {code, 7}} -> error(seven); {'EXIT', P, _} -> ok end.

-spec trapped_ok(integer()) -> ok.
trapped_ok(X) ->
    process_flag(trap_exit, true),
    P = spawn_link(fun() -> exit({code, X rem 10}) end),
    receive {'EXIT', P, {code, 17}} -> error(seventeen); {'EXIT', P, _} -> ok end.

%% A linked process takes the caller along.
-spec linked_death(integer()) -> ok.
linked_death(X) ->
    spawn_link(fun() -> if X =:= 3 -> exit(three); true -> ok end end),
    receive after 10 -> ok end.

-spec linked_death_ok(integer()) -> ok.
linked_death_ok(X) ->
    spawn_link(fun() -> if X =:= 3 -> exit(normal); true -> ok end end),
    receive after 10 -> ok end.

%% A monitor that may come after the end.
monitor_late() ->
    P = spawn(fun() -> exit(done) end),
    R = monitor(process, P),
    receive {'DOWN', R, process, P, done} -> ok; {'DOWN', R, process, P, noproc} -> error(too_late) end.

monitor_late_ok() ->
    {P, R} = spawn_monitor(fun() -> exit(done) end),
    receive {'DOWN', R, process, P, done} -> ok; {'DOWN', R, process, P, noproc} -> error(too_late) end.

%% The reason says what was computed.
-spec exit_reason(integer()) -> ok.
exit_reason(X) ->
    {P, R} = spawn_monitor(fun() -> exit({sum, X + X}) end),
    receive {'DOWN', R, process, P, {sum, 18}} -> error(eighteen); {'DOWN', R, _, _, _} -> ok end.

-spec exit_reason_ok(integer()) -> ok.
exit_reason_ok(X) ->
    {P, R} = spawn_monitor(fun() -> exit({sum, X + X}) end),
    receive {'DOWN', R, process, P, {sum, 17}} -> error(seventeen); {'DOWN', R, _, _, _} -> ok end.

%% Requests to a gen_server.
init(State) -> {ok, State}.

handle_call({divide, N}, _, State) -> {reply, State div N, State};
handle_call({divide_safely, 0}, _, State) -> {reply, none, State};
handle_call({divide_safely, N}, _, State) -> {reply, State div N, State};
handle_call(push, _, N) -> {reply, ok, N + 1};
handle_call(pop, _, N) when N > 0 -> {reply, ok, N - 1};
handle_call(pop_safely, _, 0) -> {reply, empty, 0};
handle_call(pop_safely, _, N) -> {reply, ok, N - 1};
handle_call(get, _, State) -> {reply, State, State};
handle_call({set, State}, _, _) -> {reply, ok, State}.

handle_cast({add, N}, State) -> {noreply, State + N};
handle_cast({double}, State) -> {noreply, State * 2}.

handle_info(_, State) -> {noreply, State}.

with_server(State, Use) ->
    {ok, P} = gen_server:start(?MODULE, State, []),
    Result = Use(P),
    gen_server:stop(P),
    Result.

-spec server_request(integer()) -> integer().
server_request(N) -> with_server(100, fun(P) -> gen_server:call(P, {divide, N - 4}) end).

-spec server_request_ok(integer()) -> integer() | none.
server_request_ok(N) -> with_server(100, fun(P) -> gen_server:call(P, {divide_safely, N - 4}) end).

-spec server_state([push | pop]) -> ok.
server_state(L) -> with_server(0, fun(P) -> [gen_server:call(P, X) || X <- lists:sublist(L, 3)], ok end).

-spec server_state_ok(push | pop_safely) -> ok.
server_state_ok(X) -> with_server(0, fun(P) -> [gen_server:call(P, Y) || Y <- [X, push, X]], ok end).

server_race() ->
    with_server(0, fun(P) -> added_to(P, fun() -> V = gen_server:call(P, get), gen_server:call(P, {set, V + 1}) end) end).

server_race_ok() ->
    with_server(0, fun(P) -> added_to(P, fun() -> gen_server:call(P, push) end) end).

added_to(P, Add) ->
    S = self(),
    [spawn(fun() -> Add(), S ! done end) || _ <- [1, 2]],
    [receive done -> ok end || _ <- [1, 2]],
    2 = gen_server:call(P, get),
    ok.

server_cast() ->
    with_server(1, fun(P) ->
        S = self(),
        spawn(fun() -> gen_server:cast(P, {add, 3}), S ! a end),
        spawn(fun() -> gen_server:cast(P, {double}), S ! b end),
        receive a -> ok end, receive b -> ok end,
        8 = gen_server:call(P, get), ok end).

server_cast_ok() ->
    with_server(1, fun(P) ->
        S = self(),
        spawn(fun() -> gen_server:cast(P, {add, 3}), S ! a end),
        spawn(fun() -> gen_server:cast(P, {add, 4}), S ! b end),
        receive a -> ok end, receive b -> ok end,
        8 = gen_server:call(P, get), ok end).

%% A state machine that a certain sequence of commands breaks.
-spec machine_sequence([open | close | kick]) -> ok.
machine_sequence(L) -> with_machine(fun(P) -> [gen_statem:call(P, X) || X <- lists:sublist(L, 4)], ok end).

-spec machine_sequence_ok(open | close) -> ok.
machine_sequence_ok(X) -> with_machine(fun(P) -> [gen_statem:call(P, Y) || Y <- [X, open, X]], ok end).

with_machine(Use) ->
    {ok, P} = gen_statem:start(programs_door, [], []),
    Result = Use(P),
    gen_statem:stop(P),
    Result.

machine_timeout() ->
    {ok, P} = gen_statem:start(programs_door, [], []),
    gen_statem:call(P, open),
    timer:sleep(2000),
    closed = gen_statem:call(P, state),
    timer:sleep(2000),
    open = gen_statem:call(P, state).

machine_timeout_ok() ->
    with_machine(fun(P) ->
        gen_statem:call(P, open),
        open = gen_statem:call(P, state),
        timer:sleep(2000),
        closed = gen_statem:call(P, state), ok end).

%% A worker that a supervisor starts again.
restarted() ->
    {ok, Sup} = supervisor:start_link(programs_sup, 3),
    exit(whereis(programs_worker), kill),
    programs_worker ! {self(), hello},
    Answer = receive hello -> ok after 100 -> lost end,
    unlink(Sup), exit(Sup, shutdown),
    ok = Answer.

restarted_ok() ->
    {ok, Sup} = supervisor:start_link(programs_sup, 3),
    [{worker, Old, _, _}] = supervisor:which_children(Sup),
    exit(Old, kill),
    timer:sleep(10),
    [{worker, New, _, _}] = supervisor:which_children(Sup),
    true = Old =/= New,
    unlink(Sup), exit(Sup, shutdown),
    ok.

too_many_restarts() ->
    process_flag(trap_exit, true),
    {ok, Sup} = supervisor:start_link(programs_sup, 0),
    exit(whereis(programs_worker), kill),
    receive {'EXIT', Sup, shutdown} -> error(gave_up) after 1000 -> ok end.

%% A pool with one worker that is given out twice.
pool() -> pooled(fun(Pool) -> Pool ! {look, self()}, receive {free, W} -> Pool ! {take, W}, W; none -> none end end).
pool_ok() -> pooled(fun(Pool) -> Pool ! {check_out, self()}, receive {free, W} -> W; none -> none end end).

pooled(Get) ->
    Pool = spawn(fun() -> pool_loop([w]) end),
    S = self(),
    [spawn(fun() -> S ! {got, Get(Pool)} end) || _ <- [1, 2]],
    Got = [receive {got, W} -> W end || _ <- [1, 2]],
    exit(Pool, kill),
    [none, w] = lists:sort(Got),
    ok.

pool_loop(Free) ->
    receive
        {look, P} -> P ! case Free of [W | _] -> {free, W}; [] -> none end, pool_loop(Free);
        {take, W} -> pool_loop(lists:delete(W, Free));
        {check_out, P} ->
            case Free of
                [W | Rest] -> P ! {free, W}, pool_loop(Rest);
                [] -> P ! none, pool_loop([])
            end
    end.

%% What goes through three stages.
-spec pipeline(integer()) -> ok.
pipeline(X) -> piped(X, 31).
-spec pipeline_ok(integer()) -> ok.
pipeline_ok(X) -> piped(X, 32).

piped(X, Wrong) ->
    S = self(),
    Third = spawn(fun() -> receive N -> S ! {result, N + 1} end end),
    Second = spawn(fun() -> receive N -> Third ! N * 3 end end),
    First = spawn(fun() -> receive N -> Second ! N * 2 end end),
    First ! X,
    receive {result, N} when N =:= Wrong -> error({wrong, N}); {result, _} -> ok end.

%% Results of workers, added up in the order in which they come.
-spec fan_in(integer()) -> ok.
fan_in(X) ->
    case gathered(X) of [A, B] when A > B, A =:= 10 -> error(backwards); _ -> ok end.

-spec fan_in_ok(integer()) -> ok.
fan_in_ok(X) ->
    [A, B] = gathered(X),
    true = A + B =:= X + X + 1,
    ok.

gathered(X) ->
    S = self(),
    [spawn(fun() -> S ! {part, X + I} end) || I <- [0, 1]],
    [receive {part, N} -> N end || _ <- [0, 1]].

%% A crash that nothing is linked to.
-spec unlinked_child(integer()) -> ok.
unlinked_child(X) -> spawn(fun() -> true = X < 1000 end), ok.
-spec unlinked_child_ok(integer()) -> ok.
unlinked_child_ok(X) -> spawn(fun() -> true = is_integer(X) end), ok.

%% A fun that has captured an input starts a process of proc_lib.
-spec captured(integer()) -> ok.
captured(X) -> started(fun() -> 7 div (X - 70) end).
-spec captured_ok(integer()) -> ok.
captured_ok(X) -> started(fun() -> 7 div (abs(X) + 1) end).

started(Fun) ->
    S = self(),
    proc_lib:spawn(fun() -> S ! {result, Fun()} end),
    receive {result, _} -> ok after 100 -> ok end.

%% An answer to an alias that is no longer one.
alias_late() ->
    S = self(),
    A = alias(),
    spawn(fun() -> S ! started, A ! answer end),
    receive started -> ok end,
    unalias(A),
    receive answer -> error(came) after 0 -> ok end.

alias_late_ok() ->
    S = self(),
    A = alias(),
    unalias(A),
    spawn(fun() -> A ! answer, S ! done end),
    receive done -> ok end,
    receive answer -> error(came) after 0 -> ok end.

%% Two processes stop one server.
stop_twice() ->
    {ok, P} = gen_server:start(?MODULE, 0, []),
    S = self(),
    spawn(fun() -> gen_server:stop(P), S ! done end),
    gen_server:stop(P),
    receive done -> ok end.

stop_twice_ok() ->
    {ok, P} = gen_server:start(?MODULE, 0, []),
    S = self(),
    spawn(fun() -> catch gen_server:stop(P), S ! done end),
    catch gen_server:stop(P),
    receive done -> ok end.

%% A table that is given on.
-spec heir(integer()) -> ok.
heir(X) -> [{v, N}] = inherited(X), true = N =/= 55, ok.
-spec heir_ok(integer()) -> ok.
heir_ok(X) -> [{v, N}] = inherited(X), true = N =:= X, ok.

inherited(X) ->
    S = self(),
    spawn(fun() -> T = ets:new(programs, [{heir, S, x}]), ets:insert(T, {v, X}) end),
    receive {'ETS-TRANSFER', T, _, x} -> ets:lookup(T, v) end.

%% A process that waits for a message that nothing can send.
leaking() -> spawn(fun() -> receive never -> ok end end), ok.
leaking_ok() -> P = spawn(fun() -> receive stop -> ok end end), P ! stop, ok.
