%% Programs whose outcome depends on times that are inputs, each with a defect or without. A function whose name ends in _ok
%% is the twin of the one before it.
-module(times).
-behaviour(gen_server).
-export([two_timers/1, two_timers_ok/1, three_timers/2, three_timers_ok/2, far_timer/1, no_timer/1, no_timer_ok/1]).
-export([waits/1, waits_ok/1, wait_value/1, wait_value_ok/1, sleepers/2, sleepers_ok/2]).
-export([left/1, left_ok/1, read/1, read_ok/1, clock/1, clock_ok/1, seconds/1, seconds_ok/1, absolute/1, absolute_ok/1]).
-export([server_timeout/1, server_timeout_ok/1, call_timeout/1, call_timeout_ok/1, state_timeout/1, state_timeout_ok/1]).
-export([ticks/1, ticks_ok/1, timer_message/1, timer_message_ok/1, intervals/2, intervals_ok/2, named_timer/1, named_timer_ok/1]).
-export([init/1, callback_mode/0, handle_call/3, handle_cast/2, handle_info/2, handle_event/4]).

-type time() :: 0..100000.

%% Which of two timers strikes first; those of one time in the order of their references.
-spec two_timers(time()) -> ok.
two_timers(T) ->
    erlang:send_after(T, self(), one),
    erlang:send_after(1234, self(), two),
    receive one -> ok; two -> error(two_first) end.

-spec two_timers_ok(0..1234) -> ok.
two_timers_ok(T) -> two_timers(T).

-spec three_timers(time(), time()) -> ok.
three_timers(A, B) ->
    erlang:start_timer(A, self(), a),
    erlang:start_timer(B, self(), b),
    erlang:start_timer(300, self(), c),
    Order = [receive {timeout, _, X} -> X end || _ <- [1, 2, 3]],
    if Order =:= [b, c, a], A =:= B + 250 -> error(found); true -> ok end.

-spec three_timers_ok(time(), time()) -> ok.
three_timers_ok(A, B) ->
    erlang:start_timer(A, self(), a),
    erlang:start_timer(B, self(), b),
    erlang:start_timer(300, self(), c),
    case [receive {timeout, _, X} -> X end || _ <- [1, 2, 3]] of
        [a, b, c] when A =< B, B =< 300 -> ok;
        [a, c, b] when A =< 300, 300 < B -> ok;
        [b, a, c] when B < A, A =< 300 -> ok;
        [b, c, a] when B =< 300, 300 < A -> ok;
        [c, a, b] when 300 < A, A =< B -> ok;
        [c, b, a] when 300 < B, B < A -> ok
    end.

%% The VM has an end of time.
-spec far_timer(non_neg_integer()) -> ok.
far_timer(T) -> erlang:send_after(T, self(), x), ok.

-spec no_timer(integer() | infinity) -> ok.
no_timer(T) when T < 1000; is_atom(T) -> erlang:start_timer(T, self(), x), ok;
no_timer(_) -> ok.

-spec no_timer_ok(integer()) -> ok.
no_timer_ok(T) when T >= 0, T < 1000 -> erlang:start_timer(T, self(), x), ok;
no_timer_ok(_) -> ok.

%% A timeout and a message that comes meanwhile.
-spec waits(1..100000) -> ok.
waits(T) ->
    erlang:send_after(500, self(), answer),
    receive answer -> ok after T * 3 -> error(late) end.

-spec waits_ok(167..100000) -> ok.
waits_ok(T) -> waits(T).

-spec wait_value(integer() | infinity) -> ok.
wait_value(T) ->
    self() ! other,
    erlang:send_after(10, self(), answer),
    receive answer -> ok after T -> ok end.

-spec wait_value_ok(0..16#ffffffff | infinity) -> ok.
wait_value_ok(T) -> wait_value(T).

%% The process that comes first has not slept longer.
-spec sleepers(time(), time()) -> ok.
sleepers(A, B) ->
    case first_of(A, B) of
        a when A < B -> ok;
        b when B < A -> ok;
        _ -> error(both)
    end.

-spec sleepers_ok(time(), time()) -> ok.
sleepers_ok(A, B) ->
    case first_of(A, B) of
        a when A =< B -> ok;
        b when B =< A -> ok;
        _ -> error(wrong)
    end.

first_of(A, B) ->
    S = self(),
    spawn(fun() -> timer:sleep(A), S ! a end),
    spawn(fun() -> timer:sleep(B), S ! b end),
    receive X -> receive _ -> X end end.

%% The time that is left.
-spec left(time()) -> ok.
left(T) ->
    R = erlang:send_after(T, self(), x),
    timer:sleep(100),
    case erlang:cancel_timer(R) of 4077 -> error(found); _ -> ok end.

-spec left_ok(time()) -> ok.
left_ok(T) ->
    R = erlang:send_after(T, self(), x),
    timer:sleep(100),
    case erlang:cancel_timer(R) of
        false when T =< 100 -> receive x -> ok end;
        Left when Left =:= T - 100, Left > 0 -> receive x -> error(struck) after 100000 -> ok end
    end.

-spec read(time()) -> ok.
read(T) ->
    R = erlang:send_after(5000, self(), x),
    timer:sleep(T),
    case erlang:read_timer(R) of 77 -> error(found); _ -> ok end.

-spec read_ok(time()) -> ok.
read_ok(T) ->
    R = erlang:send_after(5000, self(), x),
    timer:sleep(T),
    case erlang:read_timer(R) of
        false when T >= 5000 -> ok;
        Left when Left + T =:= 5000 -> ok
    end.

%% The clock after a sleep.
-spec clock(time()) -> ok.
clock(T) ->
    Begin = erlang:monotonic_time(millisecond),
    timer:sleep(T),
    timer:sleep(T),
    case erlang:monotonic_time(millisecond) - Begin of 4322 -> error(found); _ -> ok end.

-spec clock_ok(time()) -> ok.
clock_ok(T) ->
    Begin = erlang:monotonic_time(),
    timer:sleep(T),
    timer:sleep(5),
    true = erlang:monotonic_time() - Begin =:= (T + 5) * 1000000,
    ok.

-spec seconds(time()) -> ok.
seconds(T) ->
    Begin = erlang:monotonic_time(second),
    timer:sleep(T),
    case erlang:monotonic_time(second) - Begin of 4 -> error(found); _ -> ok end.

-spec seconds_ok(time()) -> ok.
seconds_ok(T) ->
    Begin = erlang:monotonic_time(second),
    timer:sleep(T),
    true = erlang:monotonic_time(second) - Begin =:= T div 1000,
    ok.

-spec absolute(-1000..1000) -> ok.
absolute(T) ->
    erlang:start_timer(erlang:monotonic_time(millisecond) + T, self(), one, [{abs, true}]),
    erlang:start_timer(700, self(), two),
    receive {timeout, _, one} -> ok; {timeout, _, two} -> error(two_first) end.

-spec absolute_ok(-1000..699) -> ok.
absolute_ok(T) -> absolute(T).

%% A server that acts when no request comes.
-spec server_timeout(time()) -> ok.
server_timeout(T) ->
    {ok, P} = gen_server:start(times, T, []),
    ok = gen_server:call(P, begins),
    timer:sleep(300),
    Answer = gen_server:call(P, ask),
    gen_server:stop(P),
    case Answer of busy -> ok; idle -> error(idle) end.

-spec server_timeout_ok(301..100000) -> ok.
server_timeout_ok(T) -> server_timeout(T).

%% A call that does not wait long enough.
-spec call_timeout(time()) -> ok.
call_timeout(T) ->
    {ok, P} = gen_server:start(times, T, []),
    ok = gen_server:call(P, sleep, T),
    gen_server:stop(P).

-spec call_timeout_ok(251..100000) -> ok.
call_timeout_ok(T) -> call_timeout(T).

%% A state that is left in time.
-spec state_timeout(time()) -> ok.
state_timeout(T) ->
    {ok, P} = gen_statem:start(times, {machine, T}, []),
    ok = gen_statem:call(P, begins),
    timer:sleep(400),
    State = gen_statem:call(P, state),
    gen_statem:stop(P),
    case State of {working, T} -> ok; {over, T} -> error(over) end.

-spec state_timeout_ok(401..100000) -> ok.
state_timeout_ok(T) -> state_timeout(T).

%% Messages of the module timer.
%% Ticks of the timer server beside a time that is an input: the tick of the last millisecond may come before or after it.
-spec ticks(0..500) -> ok.
ticks(T) ->
    {ok, S} = gen_server:start(?MODULE, ticks, []),
    timer:sleep(T),
    true = gen_server:call(S, ticks) < 5,
    gen_server:stop(S).

-spec ticks_ok(401..499) -> ok.
ticks_ok(T) -> ticks(T).

-spec timer_message(1..100000) -> ok.
timer_message(T) ->
    {ok, _} = timer:send_after(T, self(), one),
    {ok, _} = timer:send_after(600, self(), two),
    receive one -> ok; two -> error(two_first) end.

-spec timer_message_ok(1..599) -> ok.
timer_message_ok(T) -> timer_message(T).

%% Times one after the other.
-spec intervals(time(), time()) -> ok.
intervals(A, B) ->
    S = self(),
    spawn(fun() -> timer:sleep(A), S ! a, timer:sleep(B), S ! b end),
    timer:sleep(1000),
    receive b -> ok after 0 -> receive a when A + B =:= 1017 -> error(found) after 0 -> ok end end.

-spec intervals_ok(time(), time()) -> ok.
intervals_ok(A, B) ->
    S = self(),
    spawn(fun() -> timer:sleep(A), S ! a, timer:sleep(B), S ! b end),
    timer:sleep(1000),
    receive b when A + B =< 1000 -> ok after 0 ->
        receive b when A + B =/= 1000 -> error(wrong) after 0 -> true = A + B >= 1000, ok end
    end.

%% A timer that finds its receiver by name.
-spec named_timer(time()) -> ok.
named_timer(T) ->
    erlang:send_after(T, times_name, hello),
    timer:sleep(200),
    register(times_name, self()),
    timer:sleep(200000),
    unregister(times_name),
    receive hello -> ok after 0 -> error(lost) end.

-spec named_timer_ok(201..100000) -> ok.
named_timer_ok(T) -> named_timer(T).

init(ticks) -> {ok, _} = timer:send_interval(100, tick), {ok, 0};
init({machine, T}) -> {ok, waiting, T};
init(T) -> {ok, {T, busy}}.

handle_call(ticks, _, N) -> {reply, N, N};
handle_call(begins, _, {T, S}) -> {reply, ok, {T, S}, T};
handle_call(sleep, _, S) -> timer:sleep(250), {reply, ok, S};
handle_call(ask, _, {T, S}) -> {reply, S, {T, S}}.

handle_cast(_, S) -> {noreply, S}.

handle_info(tick, N) -> {noreply, N + 1};
handle_info(timeout, {T, busy}) -> {noreply, {T, idle}}.

callback_mode() -> handle_event_function.

handle_event({call, From}, begins, waiting, T) ->
    {next_state, working, T, [{reply, From, ok}, {state_timeout, T, over}]};
handle_event(state_timeout, over, working, T) -> {next_state, over, T};
handle_event({call, From}, state, State, T) -> {keep_state, T, [{reply, From, {State, T}}]}.
