%% Programs whose outcome depends on when timeouts and timers strike, and one whose does not.
-module(clocks).
-export([ping/0, timer/0, cancel/0, sleepers/0, alone/1, alone_wait/1, alone_ok/1, shown/1, looks/0, passed_over/1, ok/0]).
-export([before_look/0, before_end/0, after_end/0]).
ping() ->
    S = self(),
    spawn(fun() -> S ! pong end),
    receive pong -> ok after 1000 -> error(no_pong) end.
timer() ->
    erlang:send_after(100, self(), late),
    S = self(), spawn(fun() -> timer:sleep(10), S ! early end),
    receive early -> ok; late -> error(late_first) end.
cancel() ->
    R = erlang:start_timer(100, self(), x),
    S = self(), spawn(fun() -> S ! go end),
    receive go -> ok end,
    case erlang:cancel_timer(R) of false -> error(fired); _ -> ok end.
sleepers() ->
    S = self(),
    [spawn(fun() -> timer:sleep(N), S ! N end) || N <- [10, 20]],
    receive 10 -> ok; 20 -> error(twenty) end.
-spec alone(0..999) -> ok.
alone(T) ->
    erlang:send_after(T, self(), one),
    erlang:send_after(1000, self(), two),
    receive one -> ok; two -> error(two_first) end.
-spec alone_wait(51..1000) -> ok.
alone_wait(T) ->
    erlang:send_after(50, self(), answer),
    receive answer -> ok after T -> error(late) end.
-spec alone_ok(0..1000) -> ok.
alone_ok(T) ->
    erlang:send_after(T, self(), one),
    erlang:send_after(500, self(), two),
    receive one -> receive two -> ok end; two -> receive one -> ok end end.
-spec shown(0..100000) -> ok.
shown(T) ->
    R = erlang:send_after(5000, self(), x),
    timer:sleep(T),
    case erlang:read_timer(R) of false when T < 5000 -> error(early); 4999 when T =/= 1 -> error(wrong); _ -> ok end.
looks() ->
    Begin = erlang:monotonic_time(millisecond),
    timer:sleep(10),
    case erlang:monotonic_time(millisecond) - Begin of 11 -> error(eleven); _ -> ok end.
-spec passed_over(1) -> ok.
passed_over(T) ->
    S = self(),
    R = erlang:send_after(T, S, one),
    erlang:send_after(3, S, two),
    erlang:send_after(T + 2, S, three),
    Seen = [erlang:read_timer(R) =:= T || _ <- [1, 2]],
    Two = receive two -> two after T -> none end,
    case {Seen, Two, rest()} of {[true, false], none, [three, one | _]} -> error(three_first); _ -> ok end.
rest() -> receive X -> [X | rest()] after 100 -> [] end.
ok() ->
    S = self(),
    R = make_ref(),
    spawn(fun() -> timer:sleep(10), S ! R end),
    receive R -> ok after 1000 -> ok end.
before_look() ->
    S = self(),
    P = spawn(fun() -> receive stop -> S ! stopped after 0 -> S ! none end end),
    erlang:send_after(10, P, stop),
    receive stopped -> error(stopped); none -> ok end.
before_end() ->
    P = spawn(fun() -> receive go -> ok end, receive stop -> error(stopped) after 0 -> ok end end),
    erlang:send_after(5, P, stop),
    P ! go,
    ok.
after_end() ->
    P = spawn(fun() -> receive go -> ok end, receive stop -> ok after 0 -> ok end end),
    erlang:send_after(5, P, stop),
    P ! go,
    ok.
