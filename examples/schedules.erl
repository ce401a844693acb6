%% Programs by which explorations of schedules are compared: the number of their schedules is known.
-module(schedules).
-export([readers_2/0, readers_8/0, readers_10/0, writers_4/0, writers_6/0, writers_7/0]).
-export([last_zero_5/0, last_zero_10/0, indexer_12/0, indexer_13/0, philosophers_2/0, philosophers_3/0, philosophers_4/0]).
-export([senders_5/0, senders_6/0, call_2/0, call_3/0]).

readers_2() -> readers(2).
readers_8() -> readers(8).
readers_10() -> readers(10).

%% One process writes what others read: 2 ^ N schedules.
readers(N) ->
    T = ets:new(t, [public]),
    ets:insert(T, {x, 0}),
    spawn(fun() -> ets:insert(T, {x, 1}) end),
    [spawn(fun() -> ets:lookup(T, I), ets:lookup(T, x) end) || I <- lists:seq(1, N)],
    ok.

writers_4() -> writers(4).
writers_6() -> writers(6).
writers_7() -> writers(7).

%% All write: N! schedules.
writers(N) ->
    T = ets:new(t, [public]),
    [spawn(fun() -> ets:insert(T, {x, I}) end) || I <- lists:seq(1, N)],
    ok.

last_zero_5() -> last_zero(5).
last_zero_10() -> last_zero(10).

%% Each process makes its cell one more than the one before; one looks for the last cell that is zero.
last_zero(N) ->
    T = ets:new(t, [public]),
    [ets:insert(T, {I, 0}) || I <- lists:seq(0, N)],
    spawn(fun() -> look(T, N) end),
    [spawn(fun() -> ets:insert(T, {I, value(T, I - 1) + 1}) end) || I <- lists:seq(1, N)],
    ok.

look(T, I) ->
    case value(T, I) of
        0 -> I;
        _ -> look(T, I - 1)
    end.

value(T, I) ->
    [{_, V}] = ets:lookup(T, I),
    V.

indexer_12() -> indexer(12).
indexer_13() -> indexer(13).

%% Processes put four messages each into one hash table of 128 places; from twelve processes on they meet.
indexer(N) ->
    T = ets:new(t, [public]),
    [spawn(fun() -> put_all(T, Id, 1) end) || Id <- lists:seq(0, N - 1)],
    ok.

put_all(_, _, 5) -> ok;
put_all(T, Id, M) ->
    W = M * 11 + Id,
    put_at(T, W * 7 rem 128, W),
    put_all(T, Id, M + 1).

put_at(T, H, W) ->
    case ets:insert_new(T, {H, W}) of
        true -> ok;
        false -> put_at(T, (H + 1) rem 128, W)
    end.

philosophers_2() -> philosophers(2).
philosophers_3() -> philosophers(3).
philosophers_4() -> philosophers(4).

%% Each takes the fork on the left, then the one on the right, but for the last, who takes them the other way round.
philosophers(N) ->
    Forks = list_to_tuple([spawn(fun() -> fork() end) || _ <- lists:seq(1, N)]),
    S = self(),
    [spawn(fun() -> eat(element(min(I, I rem N + 1), Forks), element(max(I, I rem N + 1), Forks)), S ! done end)
     || I <- lists:seq(1, N)],
    [receive done -> ok end || _ <- lists:seq(1, N)],
    [exit(element(I, Forks), kill) || I <- lists:seq(1, N)],
    ok.

fork() ->
    receive {take, P} -> P ! taken end,
    receive put -> fork() end.

eat(First, Second) ->
    take(First), take(Second),
    First ! put, Second ! put.

take(Fork) ->
    Fork ! {take, self()},
    receive taken -> ok end.

senders_5() -> senders(5).
senders_6() -> senders(6).

%% Messages from N processes to one mailbox, all of which are looked at: N! schedules.
senders(N) ->
    S = self(),
    [spawn(fun() -> S ! I end) || I <- lists:seq(1, N)],
    [receive X -> X end || _ <- lists:seq(1, N)],
    ok.

call_2() -> clients(2).
call_3() -> clients(3).

%% Clients of one server: N! schedules.
clients(N) ->
    S = self(),
    Server = spawn(fun() -> serve(N) end),
    [spawn(fun() -> Server ! {self(), I}, receive {Server, _} -> S ! I end end) || I <- lists:seq(1, N)],
    [receive I -> I end || I <- lists:seq(1, N)],
    ok.

serve(0) -> ok;
serve(N) -> receive {From, X} -> From ! {self(), X}, serve(N - 1) end.
