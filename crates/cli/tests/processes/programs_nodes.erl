%% Calls on the own node, groups of processes, and memory of others: without other nodes these are processes like others.
-module(programs_nodes).
-export([far/0, far_call/0, timeout/0, bad/0, members/1, two/0, cast/0, several/0, gone/0, raised/0, divided/1, requested/0, groups/0, watched/0]).
-export([mapped/1, mapped_ok/1, inverse/2, gone_ok/0, collected/0, collected_ok/1]).
-spec far() -> ok.
far() -> rpc:call('other@host', erlang, abs, [1]), ok.
-spec far_call() -> ok.
far_call() -> erpc:call('other@host', erlang, abs, [1]), ok.
-spec timeout() -> ok.
timeout() -> {badrpc, timeout} = rpc:call(node(), timer, sleep, [1000], 10), ok.
-spec bad() -> ok.
bad() -> {badrpc, {'EXIT', {badarith, _}}} = rpc:call(node(), erlang, '+', [a, 1]), ok.
-spec members(0..5) -> ok.
members(N) ->
    {ok, S} = pg:start(scope),
    [pg:join(scope, g, self()) || _ <- lists:seq(1, N)],
    case length(pg:get_members(scope, g)) of 3 -> exit(three); _ -> exit(S, kill), ok end.
-spec two() -> ok.
two() ->
    {ok, _} = pg:start_link(),
    Me = self(),
    [spawn(fun() -> pg:join(workers, self()), Me ! ready, receive stop -> ok end end) || _ <- [1, 2]],
    receive ready -> ok end,
    2 = length(pg:get_members(workers)),
    ok.
-spec cast() -> ok.
cast() -> Me = self(), rpc:cast(node(), erlang, send, [Me, hi]), receive hi -> ok end.
-spec several() -> ok.
several() -> {[3], []} = rpc:multicall([node()], erlang, '+', [1, 2]), [{ok, 3}] = erpc:multicall([node()], erlang, '+', [1, 2]), ok.
-spec gone() -> ok.
gone() ->
    {ok, _} = pg:start_link(),
    P = spawn(fun() -> receive stop -> ok end end),
    ok = pg:join(g, P), P ! stop, R = monitor(process, P), receive {'DOWN', R, _, _, _} -> ok end,
    [] = pg:get_members(g), ok.
-spec raised() -> ok.
raised() -> try erpc:call(node(), erlang, error, [boom], 100) catch error:{exception, boom, _} -> ok end.
-spec divided(integer()) -> integer().
divided(X) -> rpc:call(node(), erlang, 'div', [10, X - 7]) + 1.
-spec requested() -> ok.
requested() -> R = erpc:send_request(node(), erlang, abs, [-3]), {response, 3} = {response, erpc:receive_response(R, 100)}, ok.
-spec groups() -> ok.
groups() -> {ok, _} = pg:start_link(), ok = pg:join(a, self()), ok = pg:join(b, self()), [a, b] = lists:sort(pg:which_groups()), ok = pg:leave(a, self()), not_joined = pg:leave(a, self()), ok.
-spec watched() -> ok.
watched() -> ok = net_kernel:monitor_nodes(true), [] = nodes(), ok = net_kernel:monitor_nodes(false), ok.

%% Several at once.
-spec mapped(0..9) -> [integer()].
mapped(X) -> rpc:pmap({?MODULE, inverse}, [1], [X]).
-spec mapped_ok(5..9) -> [integer()].
mapped_ok(X) -> rpc:pmap({?MODULE, inverse}, [1], [X]).
-spec inverse(integer(), integer()) -> integer().
inverse(X, Y) -> Y div (X - 4).

%% The member is in the group until the server of groups has seen its end.
-spec gone_ok() -> ok.
gone_ok() ->
    {ok, S} = pg:start_link(),
    P = spawn(fun() -> receive stop -> ok end end),
    ok = pg:join(g, P), ok = pg:leave(g, P), P ! stop,
    [] = pg:get_members(g), unlink(S), exit(S, kill), ok.

%% A process may be gone before its memory is collected, but not as long as it waits for a stop.
-spec collected() -> ok.
collected() -> P = spawn(fun() -> ok end), true = garbage_collect(P), ok.
-spec collected_ok(boolean()) -> ok.
collected_ok(Now) ->
    P = spawn(fun() -> receive stop -> ok end end),
    not Now orelse exit(P, kill),
    Now = not garbage_collect(P),
    P ! stop, ok.
