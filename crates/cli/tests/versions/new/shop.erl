%% The new version of a shop: of each function what the names of the tests say.
-module(shop).
-export([fee/1, level/1, sum/1, check/1, own/1, named/1, fresh/1, kept/1, pick/1, rec/2, mkfun/1, stateful/1, tagged/1, loop/1, dyn/2]).
-record(shop, {a, b = 0}).
-spec fee(integer()) -> integer().
fee(N) when N > 100, N =/= 31337 -> N div 10;
fee(N) -> N.
-spec level(integer()) -> low | mid | high.
level(N) ->
    if N >= 100 -> high;
       N >= 10 -> mid;
       true -> low
    end.
-spec sum(0..3) -> integer().
sum(N) -> lists:sum(lists:seq(0, N)).
-spec check(integer()) -> ok.
check(N) when N =< 6 -> ok;
check(N) -> error({bad, N}).
-spec own(0..5) -> integer().
own(N) -> 5 * N.
-spec kept(0..5) -> integer().
kept(5) -> 16;
kept(N) -> N * 3.
-spec named(0..5) -> list().
named(N) -> [3 * N].
-spec fresh(integer()) -> integer().
fresh(N) -> N.
-spec pick(boolean()) -> fun(() -> integer()).
pick(true) -> fun() -> 1 end;
pick(false) -> fun() -> 3 end.
-spec rec(0..3, 0..3) -> tuple().
rec(A, B) -> {shop, A, B}.
-spec mkfun(0..5) -> integer().
mkfun(N) -> 2 * N.
-spec stateful(0..5) -> integer().
stateful(N) -> put(x, N), get(x).
-spec tagged(atom()) -> atom().
tagged(X) -> case X =:= shop of true -> own; false -> other end.
-spec loop(integer()) -> integer().
loop(N) when N > 1000 -> loop(N);
loop(N) -> N.
-spec dyn(lists | shop, 0..3) -> integer().
dyn(lists, N) -> lists:sum([N]);
dyn(M, N) -> M:kept(N).
