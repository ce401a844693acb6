%% Programs whose outcome depends on when timeouts and timers strike, and one whose does not.
-module(clocks).
-export([ping/0, timer/0, cancel/0, sleepers/0, ok/0]).
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
ok() ->
    S = self(),
    R = make_ref(),
    spawn(fun() -> timer:sleep(10), S ! R end),
    receive R -> ok after 1000 -> ok end.
