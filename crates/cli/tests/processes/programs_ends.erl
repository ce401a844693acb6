%% Ends of processes, each with a defect or without: what an exploration must find or prove. A function whose name ends in _ok
%% is the twin of the one before it.
-module(programs_ends).
-behaviour(gen_server).
-export([own_exit/1, own_exit_ok/1, tagged_exit/1, tagged_exit_ok/1, signal/1, signal_ok/1, killed/1, killed_ok/1]).
-export([linked/1, linked_ok/1, trapped/1, trapped_ok/1, forgotten/0, forgotten_ok/0, stopped/1, stopped_ok/1]).
-export([watcher_gone/0, watcher_gone_ok/0, untrapped/0, untrapped_ok/0, queue/0, dictionary/0]).
-export([name_of_input/1, name_of_input_ok/1, message_to_name/1, message_to_name_ok/1, taken_name/1, late_name/1]).
-export([far_timeout/1, any_timeout/1]).
-export([grandchildren/0, semaphore/0, semaphore_ok/0, not_started/1, not_started_ok/1, third_party/0, third_party_ok/0, asked_by_third/0, asked_by_third_ok/0, linked_third_ok/0]).
-export([before_value/1, before_value_ok/1, behind_signal/0, behind_signal_ok/0, exit_before_message_ok/0]).
-export([kill_before_look/0, kill_before_look_ok/0, foreign_monitor/0, foreign_alias/0, own_monitor_ok/0]).
-export([same_time/0, same_time_wait/0, same_time_cancel/0, same_time_sender/0, same_time_name/0, same_time_name_ok/0, same_time_own_ok/0, same_time_apart_ok/0]).
-export([pids_in_order/0, refs_in_order/0, pids_sorted/0, pids_as_keys/0, pids_in_a_table/0, pids_hashed/0, pids_linked/0]).
-export([pids_equal_ok/0, keys_with_pids_ok/0, own_alias/0, own_alias_ok/0, request_option/0, request_reply_ok/0, no_request/0]).
-export([own_time/0, own_time_ok/0, own_time_through/0, no_time/0, no_time_ok/0, no_times_ok/0, timer_server/0, timer_server_ok/0, zero_or_more/1]).
-export([trapped_twice/0, trapped_twice_ok/0, deep_exit/0, deep_exit_ok/0, no_time_gone/0, no_time_gone_ok/0]).
-export([pids_mapped/1, pids_mapped_ok/1, refs_mapped_ok/0, pids_sorted_ok/0, pids_of_three_ok/0, pids_rotated/0, refs_rotated/0, pids_keyed/0, pids_of_five/0, pool_of_three_ok/1]).
-export([init/1, handle_call/3, handle_cast/2]).

%% Some reasons are those of a good end.
-spec own_exit(normal | oops) -> ok.
own_exit(R) -> spawn(fun() -> exit(R) end), ok.
-spec own_exit_ok(normal | shutdown | {shutdown, integer()}) -> ok.
own_exit_ok(R) -> spawn(fun() -> exit(R) end), ok.

-spec tagged_exit(atom()) -> ok.
tagged_exit(R) -> spawn(fun() -> exit({R, 1}) end), ok.
-spec tagged_exit_ok(integer()) -> ok.
tagged_exit_ok(N) -> spawn(fun() -> exit({shutdown, N}) end), ok.

%% A signal with the reason `normal` means nothing.
-spec signal(atom()) -> ok.
signal(R) ->
    P = spawn(fun() -> receive after 20 -> exit(lived) end end),
    exit(P, R),
    ok.
-spec signal_ok(atom()) -> ok.
signal_ok(R) ->
    P = spawn(fun() -> receive after 20 -> ok end end),
    exit(P, R),
    ok.

%% One reason cannot be trapped.
-spec killed(atom()) -> ok.
killed(R) -> got = sent_to_trapper(R), ok.
-spec killed_ok(normal | shutdown | other) -> ok.
killed_ok(R) -> got = sent_to_trapper(R), ok.

sent_to_trapper(R) ->
    S = self(),
    P = spawn(fun() -> process_flag(trap_exit, true), S ! ready, receive {'EXIT', S, _} -> S ! got end end),
    receive ready -> ok end,
    exit(P, R),
    receive got -> got after 50 -> none end.

%% The end of a linked process takes the caller along unless it is a normal one.
-spec linked(integer() | normal) -> ok.
linked(R) -> spawn_link(fun() -> exit(R) end), receive after 20 -> ok end.
-spec linked_ok(normal | done) -> ok.
linked_ok(R) -> spawn_link(fun() -> exit(case R of done -> normal; R -> R end) end), receive after 20 -> ok end.

-spec trapped(term()) -> ok.
trapped(R) -> true = exit_message(R) =/= {shutdown, 7}, ok.
-spec trapped_ok(term()) -> ok.
trapped_ok(R) -> true = exit_message(R) =:= R, ok.

exit_message(R) ->
    process_flag(trap_exit, true),
    P = spawn_link(fun() -> exit(R) end),
    receive {'EXIT', P, Why} -> Why end.

%% The monitor is gone before the process ends, so that no process gets the reason.
forgotten() ->
    S = self(),
    {P, R} = spawn_monitor(fun() -> S ! {self(), bye}, exit(oops) end),
    receive {P, bye} -> ok end,
    demonitor(R, [flush]),
    ok.
forgotten_ok() ->
    S = self(),
    {P, R} = spawn_monitor(fun() -> S ! {self(), bye}, exit(oops) end),
    receive {P, bye} -> ok end,
    receive {'DOWN', R, process, P, oops} -> ok end.

%% The answer of a server that stops is there before its end.
-spec stopped(normal | bad) -> ok.
stopped(R) -> {ok, P} = gen_server:start(?MODULE, [], []), ok = gen_server:call(P, {stop, R}).
-spec stopped_ok(normal | shutdown) -> ok.
stopped_ok(R) -> {ok, P} = gen_server:start(?MODULE, [], []), ok = gen_server:call(P, {stop, R}).

%% A server that does not start says why, and ends so.
-spec not_started(integer()) -> ok.
not_started(X) ->
    case gen_server:start(?MODULE, X, []) of
        {ok, P} -> gen_server:stop(P);
        {error, {too_large, _}} when X < 1000 -> ok
    end.
-spec not_started_ok(integer()) -> ok.
not_started_ok(X) ->
    case gen_server:start(?MODULE, X, []) of
        {ok, P} -> gen_server:stop(P);
        {error, {too_large, X}} -> ok
    end.

init([]) -> {ok, []};
init(X) when X > 100 -> {stop, {too_large, X}};
init(_) -> {ok, []}.
handle_call({stop, R}, _, S) -> {stop, R, ok, S}.
handle_cast(_, S) -> {noreply, S}.

%% The process that would get the reason may have ended.
watcher_gone() ->
    P = spawn(fun() -> receive go -> exit(oops) end end),
    spawn(fun() -> monitor(process, P), P ! go end),
    ok.
watcher_gone_ok() ->
    P = spawn(fun() -> receive go -> exit(oops) end end),
    spawn(fun() -> R = monitor(process, P), P ! go, receive {'DOWN', R, process, P, oops} -> ok end end),
    ok.

%% A process that no longer traps exits gets no message of them.
untrapped() ->
    process_flag(trap_exit, true),
    S = self(),
    P = spawn_link(fun() -> S ! {self(), bye}, exit(oops) end),
    receive {P, bye} -> ok end,
    process_flag(trap_exit, false),
    unlink(P),
    ok.
untrapped_ok() ->
    process_flag(trap_exit, true),
    S = self(),
    P = spawn_link(fun() -> S ! {self(), bye}, exit(oops) end),
    receive {P, bye} -> ok end,
    receive {'EXIT', P, oops} -> ok end.

%% Facts about processes that no event changes: nothing is proved by them.
queue() ->
    P = spawn(fun() -> receive stop -> ok end end),
    [spawn(fun() -> P ! X end) || X <- [a, b]],
    receive after 10 -> ok end,
    {messages, M} = process_info(P, messages),
    P ! stop,
    case M of [a, b] -> ok; [b, a] -> error(other_order) end.
dictionary() ->
    P = spawn(fun() -> put(x, 1), receive stop -> ok end end),
    {dictionary, D} = process_info(P, dictionary),
    P ! stop,
    true = lists:keymember(x, 1, D),
    ok.

%% What is sent after a monitor or a link is queued behind it, whichever process sends it.
third_party() ->
    P = spawn(fun() -> receive go -> exit(shutdown) end end),
    spawn(fun() -> P ! go end),
    R = monitor(process, P),
    receive {'DOWN', R, process, P, Why} -> shutdown = Why end,
    ok.
third_party_ok() ->
    P = spawn(fun() -> receive go -> exit(shutdown) end end),
    R = monitor(process, P),
    spawn(fun() -> P ! go end),
    receive {'DOWN', R, process, P, Why} -> shutdown = Why end,
    ok.
asked_by_third() ->
    P = spawn(fun() -> receive go -> exit(shutdown) end end),
    Q = spawn(fun() -> receive {ask, X} -> X ! go end end),
    Q ! {ask, P},
    R = monitor(process, P),
    receive {'DOWN', R, process, P, Why} -> shutdown = Why end,
    ok.
asked_by_third_ok() ->
    P = spawn(fun() -> receive go -> exit(shutdown) end end),
    Q = spawn(fun() -> receive {ask, X} -> X ! go end end),
    R = monitor(process, P),
    Q ! {ask, P},
    receive {'DOWN', R, process, P, Why} -> shutdown = Why end,
    ok.
linked_third_ok() ->
    process_flag(trap_exit, true),
    P = spawn(fun() -> receive go -> exit(shutdown) end end),
    link(P),
    spawn(fun() -> P ! go end),
    receive {'EXIT', P, Why} -> shutdown = Why end,
    ok.

%% What is added to and subtracted from is never more than one at a time, or so it seems.
semaphore() ->
    A = atomics:new(1, []),
    [spawn(fun() -> 1 = atomics:add_get(A, 1, 1), atomics:sub(A, 1, 1) end) || _ <- [1, 2]],
    ok.
semaphore_ok() ->
    A = atomics:new(1, []),
    S = self(),
    [spawn(fun() -> true = 3 > atomics:add_get(A, 1, 1), atomics:sub_get(A, 1, 1), S ! done end) || _ <- [1, 2]],
    [receive done -> ok end || _ <- [1, 2]],
    0 = atomics:get(A, 1),
    ok.

%% Processes that are started by others than the call.
grandchildren() ->
    S = self(),
    [spawn(fun() -> spawn(fun() -> S ! X end) end) || X <- [first, second]],
    receive second -> error(second_first); first -> ok end.

%% A name that is an input: it counts which of the registered ones it is.
-spec name_of_input(atom()) -> ok.
name_of_input(N) ->
    register(programs_ends_me, self()),
    true = whereis(N) =/= self(),
    ok.
-spec name_of_input_ok(atom()) -> ok.
name_of_input_ok(N) ->
    register(programs_ends_me, self()),
    true = (whereis(N) =:= self()) =:= (N =:= programs_ends_me),
    ok.
-spec message_to_name(atom()) -> ok.
message_to_name(N) ->
    P = spawn(fun() -> receive hit -> error(hit) after 10 -> ok end end),
    register(programs_ends_target, P),
    case N of init -> ok; logger -> ok; _ -> catch N ! hit, ok end.
-spec message_to_name_ok(ok | other | error) -> ok.
message_to_name_ok(N) ->
    P = spawn(fun() -> receive hit -> error(hit) after 10 -> ok end end),
    register(programs_ends_target, P),
    catch N ! hit,
    ok.
-spec taken_name(atom()) -> ok.
taken_name(N) ->
    register(programs_ends_taken, self()),
    P = spawn(fun() -> receive after 10 -> ok end end),
    case N of undefined -> ok; _ -> register(N, P), ok end.
%% The name is registered by another process, before it is looked up or after.
-spec late_name(a | programs_ends_late) -> ok.
late_name(N) ->
    S = self(),
    spawn(fun() -> register(programs_ends_late, self()), S ! done, receive after 10 -> ok end end),
    case whereis(N) of undefined -> ok; P when is_pid(P) -> error(there) end.

%% Times that no `receive` can wait.
-spec far_timeout(0..5000000000) -> ok.
far_timeout(T) -> spawn(fun() -> receive x -> ok after T -> ok end end), ok.
-spec any_timeout(any()) -> ok.
any_timeout(T) -> spawn(fun() -> receive x -> ok after T -> ok end end), ok.

%% A signal ends the caller while it works on its value.
-spec before_value(integer()) -> ok.
before_value(X) ->
    P = self(),
    spawn(fun() -> X =:= 31 andalso exit(P, foo) end),
    3 = length(lists:seq(1, 3)),
    ok.
-spec before_value_ok(integer()) -> ok.
before_value_ok(X) ->
    P = self(),
    spawn(fun() -> X =:= 31 andalso exit(P, normal) end),
    3 = length(lists:seq(1, 3)),
    ok.

%% A message behind a signal keeps its place before what was sent because of it.
-spec behind_signal() -> ok.
behind_signal() ->
    Me = self(),
    F = spawn(fun() -> receive M -> Me ! M end end),
    spawn(fun() -> monitor(process, Me), F ! 2, Me ! 1 end),
    receive X -> 1 = X end,
    ok.
-spec behind_signal_ok() -> ok.
behind_signal_ok() ->
    Me = self(),
    F = spawn(fun() -> receive M -> Me ! M end end),
    spawn(fun() -> monitor(process, Me), Me ! 1, F ! 2 end),
    receive X -> 1 = X end,
    ok.
-spec exit_before_message_ok() -> ok.
exit_before_message_ok() ->
    Me = self(),
    P = spawn(fun() -> process_flag(trap_exit, true), Me ! ready, receive M -> {'EXIT', Me, boo} = M end end),
    receive ready -> ok end,
    Q = spawn(fun() -> receive go -> P ! hello end end),
    exit(P, boo),
    Q ! go,
    ok.

%% A process that knows of the kill works on until it looks for messages.
-spec kill_before_look() -> ok.
kill_before_look() ->
    A = atomics:new(1, []),
    P = spawn(fun() -> atomics:get(A, 1) =:= 1 andalso error(lived) end),
    exit(P, kill),
    atomics:put(A, 1, 1).
-spec kill_before_look_ok() -> ok.
kill_before_look_ok() ->
    A = atomics:new(1, []),
    P = spawn(fun() -> atomics:get(A, 1) =:= 1 andalso (receive never -> ok after 0 -> error(lived) end) end),
    exit(P, kill),
    atomics:put(A, 1, 1).

%% Monitors and aliases of other processes cannot be ended.
-spec foreign_monitor() -> ok.
foreign_monitor() ->
    Me = self(),
    spawn(fun() -> Me ! monitor(process, Me), receive never -> ok after 10 -> ok end end),
    false = receive Ref -> demonitor(Ref) end,
    ok.
-spec foreign_alias() -> ok.
foreign_alias() ->
    Me = self(),
    spawn(fun() -> Me ! alias(), receive never -> ok after 10 -> ok end end),
    true = receive Ref -> unalias(Ref) end,
    ok.
%% Nor has a process that watches itself an alias.
-spec own_monitor_ok() -> ok.
own_monitor_ok() ->
    Ref = monitor(process, self(), [{alias, explicit_unalias}]),
    Ref ! hello,
    receive hello -> error(came) after 0 -> ok end,
    false = unalias(Ref),
    ok.

%% What happens at the same time happens in any order; but timers of a process strike as it has started them, and before
%% it goes on.
-spec same_time() -> ok.
same_time() ->
    Me = self(),
    spawn(fun() -> erlang:send_after(3, Me, 2) end),
    erlang:yield(),
    erlang:send_after(3, self(), 1),
    receive A -> 1 = A end,
    ok.
-spec same_time_wait() -> ok.
same_time_wait() ->
    P = spawn(fun() -> receive x -> error(came) after 3 -> ok end end),
    erlang:send_after(3, P, x),
    ok.
-spec same_time_cancel() -> ok.
same_time_cancel() ->
    P = spawn(fun() -> receive {M, R} -> timer:sleep(3), M ! {left, erlang:cancel_timer(R)} end end),
    R = erlang:send_after(3, self(), x),
    P ! {self(), R},
    receive {left, false} -> ok end.
-spec same_time_sender() -> ok.
same_time_sender() ->
    Me = self(),
    spawn(fun() -> timer:sleep(3), Me ! x end),
    receive x -> error(came) after 3 -> ok end.
-spec same_time_name() -> ok.
same_time_name() ->
    spawn(fun() ->
        timer:sleep(3),
        register(ends_late_name, self()),
        receive x -> error(came) after 10 -> ok end
    end),
    erlang:send_after(3, ends_late_name, x),
    ok.
-spec same_time_name_ok() -> ok.
same_time_name_ok() ->
    erlang:send_after(3, ends_late_name, x),
    timer:sleep(3),
    spawn(fun() -> register(ends_late_name, self()), receive x -> error(came) after 10 -> ok end end),
    ok.
-spec same_time_own_ok() -> ok.
same_time_own_ok() ->
    erlang:send_after(3, self(), 1),
    erlang:send_after(3, self(), 2),
    receive 2 -> error(second); 1 -> ok after 3 -> receive 2 -> error(second); 1 -> ok end end.
-spec same_time_apart_ok() -> ok.
same_time_apart_ok() ->
    P = spawn(fun() -> receive x -> ok end end),
    erlang:send_after(3, P, x),
    erlang:send_after(3, self(), y),
    receive y -> ok end.

%% Which of two processes or references is the greater is another matter in the next run.
two_pids() ->
    Me = self(),
    [spawn(fun() -> Me ! {I, spawn(fun() -> ok end)} end) || I <- [1, 2]],
    [receive {I, P} -> P end || I <- [1, 2]].
-spec pids_in_order() -> ok.
pids_in_order() -> [A, B] = two_pids(), true = A < B, ok.
-spec refs_in_order() -> ok.
refs_in_order() ->
    Me = self(),
    [spawn(fun() -> Me ! {I, make_ref()} end) || I <- [1, 2]],
    [A, B] = [receive {I, R} -> {ref, R} end || I <- [1, 2]],
    A = min(A, B),
    ok.
-spec pids_sorted() -> ok.
pids_sorted() -> Pids = two_pids(), Pids = lists:sort(Pids), ok.
-spec pids_as_keys() -> ok.
pids_as_keys() -> [A, B] = two_pids(), [1, 2] = maps:values(#{A => 1, B => 2}), ok.
-spec pids_in_a_table() -> ok.
pids_in_a_table() ->
    [A, B] = two_pids(),
    T = ets:new(t, [ordered_set]),
    ets:insert(T, [{A, 1}, {B, 2}]),
    [{_, 1}, {_, 2}] = ets:tab2list(T),
    ok.
-spec pids_hashed() -> ok.
pids_hashed() ->
    T = ets:new(t, []),
    ets:insert(T, [{self(), 1}, {x, 2}]),
    case ets:first(T) of x -> ok; _ -> ok end.
-spec pids_linked() -> ok.
pids_linked() ->
    [A, B] = [spawn_link(fun() -> receive stop -> ok end end) || _ <- [1, 2]],
    {links, [A, B]} = process_info(self(), links),
    [P ! stop || P <- [A, B]],
    ok.
-spec pids_equal_ok() -> ok.
pids_equal_ok() ->
    [A, B] = two_pids(),
    T = ets:new(t, []),
    ets:insert(T, [{A, 1}, {B, 2}]),
    [{A, 1}] = ets:lookup(T, A),
    [[B]] = ets:match(T, {'$1', 2}),
    #{A := 1} = #{A => 1, B => 2},
    false = {A, 1} < {b, 0},
    false = A =:= B,
    ok.
-spec keys_with_pids_ok() -> ok.
keys_with_pids_ok() -> [self, x] = maps:values(#{self() => self, <<"x">> => x}), ok.

%% A message to an alias of one's own is lost if that ends before the process looks at its messages.
-spec own_alias() -> ok.
own_alias() ->
    A = alias(),
    A ! a,
    unalias(A),
    receive a -> ok after 0 -> error(lost) end.
-spec own_alias_ok() -> ok.
own_alias_ok() ->
    A = alias(),
    A ! a,
    receive a -> ok after 0 -> error(lost) end.

%% A request with a bad option fails by a message; where there is none, such options are bad.
-spec request_option() -> ok.
request_option() ->
    R = spawn_request(fun() -> ok end, [{reply_tag, tag}, unknown]),
    receive {tag, R, error, Reason} -> error(Reason) end.
-spec request_reply_ok() -> ok.
request_reply_ok() ->
    R = spawn_request(fun() -> ok end, [{reply, error_only}]),
    receive {_, R, _, _} -> error(reply) after 0 -> ok end.
-spec no_request() -> ok.
no_request() -> P = spawn_opt(fun() -> ok end, [{reply, no}]), true = is_pid(P), ok.

%% A process whose peer has ended ends as it would have before, but without a message about it.
-spec trapped_twice() -> ok.
trapped_twice() -> ended_by(fun() -> process_flag(trap_exit, true), process_flag(trap_exit, true) end).
-spec trapped_twice_ok() -> ok.
trapped_twice_ok() -> ended_by(fun() -> ok end, fun() -> process_flag(trap_exit, true), process_flag(trap_exit, true) end).
ended_by(Flags) -> ended_by(Flags, fun() -> ok end).
ended_by(Flags, Before) ->
    {_, R} = spawn_monitor(fun() -> Before(), spawn_link(fun() -> exit(oops) end), Flags(), receive _ -> ok after 50 -> ok end end),
    receive {'DOWN', R, _, _, oops} -> error(ended); {'DOWN', R, _, _, _} -> ok end.

%% A timer of one's own and a wait of the same time: a millisecond may begin between them.
-spec own_time() -> ok.
own_time() -> erlang:send_after(10, self(), a), receive a -> error(struck) after 10 -> ok end.
-spec own_time_ok() -> ok.
own_time_ok() -> erlang:send_after(11, self(), a), receive a -> error(struck) after 10 -> ok end.
-spec own_time_through() -> ok.
own_time_through() ->
    S = self(),
    P = spawn(fun() -> receive a -> S ! a end end),
    erlang:send_after(10, P, a),
    receive a -> error(struck) after 10 -> ok end.

%% A timer for which no time has to pass strikes at any time, but after what its process has sent before.
-spec no_time() -> ok.
no_time() ->
    S = self(),
    spawn(fun() -> erlang:send_after(0, S, t), S ! m end),
    receive m -> receive t -> error(struck) after 0 -> ok end end.
-spec no_time_ok() -> ok.
no_time_ok() ->
    S = self(),
    spawn(fun() -> S ! m, erlang:send_after(0, S, t) end),
    receive X -> m = X end,
    receive t -> ok end.
-spec no_times_ok() -> ok.
no_times_ok() ->
    [erlang:send_after(0, self(), N) || N <- [1, 2]],
    receive X -> 1 = X end,
    receive Y -> 2 = Y end,
    ok.
-spec zero_or_more(0..3) -> ok.
zero_or_more(T) ->
    erlang:send_after(T, self(), t),
    receive t -> error({at_once, T}) after 0 -> ok end.

%% The timer server strikes when a wait of the same time ends, or a moment later.
-spec timer_server() -> ok.
timer_server() ->
    P = spawn(fun() -> receive x -> error(got) after 20 -> ok end end),
    {ok, _} = timer:apply_after(20, erlang, send, [P, x]),
    ok.
-spec timer_server_ok() -> ok.
timer_server_ok() ->
    P = spawn(fun() -> receive x -> error(got) after 20 -> ok end end),
    {ok, _} = timer:apply_after(30, erlang, send, [P, x]),
    ok.

%% An exit goes from link to link, to a process that traps it or to none.
deep_exit() ->
    spawn(fun() -> spawn_link(fun() -> exit(deep) end), receive after 10 -> ok end end),
    ok.
deep_exit_ok() ->
    process_flag(trap_exit, true),
    P = spawn_link(fun() -> spawn_link(fun() -> exit(deep) end), receive after 10 -> ok end end),
    receive {'EXIT', P, Why} when Why =:= deep; Why =:= normal -> ok end.

%% A timer of 0 milliseconds may strike while its receiver still looks.
no_time_gone() -> strikes_late(0).
no_time_gone_ok() -> strikes_late(1).

strikes_late(Time) ->
    S = self(),
    P = spawn(fun() -> receive x -> S ! struck after 0 -> ok end end),
    spawn(fun() -> erlang:send_after(Time, P, x) end),
    receive struck -> error(struck) after 10 -> ok end.

%% Of two processes or references either may be the greater.
-spec pids_mapped(integer()) -> ok.
pids_mapped(X) -> true = lists:sum(answers(X)) =/= 43, ok.
-spec pids_mapped_ok(integer()) -> ok.
pids_mapped_ok(X) -> true = lists:sum(answers(X)) =:= 2 * X + 1, ok.

answers(X) ->
    S = self(),
    Workers = maps:from_list([{spawn(fun() -> receive N -> S ! {answer, N + I} end end), I} || I <- [0, 1]]),
    maps:foreach(fun(P, _) -> P ! X end, Workers),
    [receive {answer, N} -> N end || _ <- maps:keys(Workers)].

-spec refs_mapped_ok() -> ok.
refs_mapped_ok() ->
    Downs = maps:from_list([{element(2, spawn_monitor(fun() -> ok end)), I} || I <- [1, 2]]),
    3 = lists:sum(maps:values(maps:map(fun(R, I) -> receive {'DOWN', R, process, _, normal} -> I end end, Downs))),
    ok.

-spec pids_sorted_ok() -> ok.
pids_sorted_ok() -> Pids = two_pids(), 2 = length(lists:usort(Pids ++ Pids)), ok.
%% Of three or four all orders are explored; the VM shows none but its own.
-spec pids_of_three_ok() -> ok.
pids_of_three_ok() -> 3 = length(lists:usort([self() | two_pids()])), ok.
-spec pids_rotated() -> ok.
pids_rotated() -> Me = self(), [A, B] = two_pids(), case lists:sort([B, A, Me]) of [B, Me, A] -> error(rotated); _ -> ok end.
-spec refs_rotated() -> ok.
refs_rotated() -> [A, B, C] = [make_ref() || _ <- [1, 2, 3]], case lists:sort([A, B, C]) of [C, A, B] -> error(rotated); _ -> ok end.
%% One key has one of them many times.
-spec pids_keyed() -> ok.
pids_keyed() ->
    Me = self(), [A, B] = two_pids(),
    Keys = maps:keys(maps:from_list([{{[Me, Me, Me, Me, Me, Me], A}, 1}, {{[Me], B}, 2}, {{A}, 3}, {{B}, 4}, {{Me}, 5}])),
    case [P || {P} <- Keys] of [B, Me, A] -> error(rotated); _ -> ok end.
-spec pids_of_five() -> ok.
pids_of_five() -> 5 = length(lists:usort([self() | two_pids() ++ two_pids()])), ok.

-spec pool_of_three_ok(0..3) -> ok.
pool_of_three_ok(N) ->
    {ok, Sup} = supervisor:start_link(programs_sup, {pool, N}),
    [supervisor:start_child(Sup, []) || _ <- [1, 2, 3]],
    [{active, 3}, {specs, 1}] = lists:sort([It || {K, _} = It <- supervisor:count_children(Sup), K =:= active orelse K =:= specs]),
    unlink(Sup), exit(Sup, shutdown),
    ok.
