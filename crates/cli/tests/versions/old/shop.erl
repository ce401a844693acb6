%% The old version of a shop: of each function what the names of the tests say.
-module(shop).
-export([fee/1, level/1, sum/1, check/1, own/1, named/1, gone/1, kept/1, pick/1, rec/2, mkfun/1, stateful/1, tagged/1, loop/1, dyn/2]).
-record(shop, {a, b = 0}).
-spec fee(integer()) -> integer().
fee(N) when N > 100 -> N div 10;
fee(N) -> N.
-spec level(integer()) -> low | mid | high.
level(N) when N < 10 -> low;
level(N) when N < 100 -> mid;
level(_) -> high.
-spec sum(0..3) -> integer().
sum(0) -> 0;
sum(N) -> N + shop:sum(N - 1).
-spec check(integer()) -> ok.
check(N) when N < 7 -> ok;
check(N) -> throw({bad, N}).
-spec own(0..5) -> integer().
own(N) -> helper(N) + ?MODULE:kept(N).
helper(N) -> N * 2.
-spec kept(0..5) -> integer().
kept(N) -> N * 3.
-spec named(0..5) -> list().
named(N) -> lists:map(fun ?MODULE:kept/1, [N]).
-spec gone(integer()) -> integer().
gone(N) -> N.
-spec pick(boolean()) -> fun(() -> integer()).
pick(true) -> fun() -> 1 end;
pick(false) -> fun() -> 2 end.
-spec rec(0..3, 0..3) -> tuple().
rec(A, B) -> #shop{a = A, b = B}.
-spec mkfun(0..5) -> integer().
mkfun(N) -> F = fun(X) -> X + N end, F(N).
-spec stateful(0..5) -> integer().
stateful(N) -> put(x, N), get(x).
-spec tagged(atom()) -> atom().
tagged(shop) -> own;
tagged(_) -> other.
-spec loop(integer()) -> integer().
loop(N) when N > 1000 -> loop(N);
loop(N) -> N.
-spec dyn(lists | shop, 0..3) -> integer().
dyn(lists, N) -> lists:sum([N]);
dyn(M, N) -> M:kept(N).
