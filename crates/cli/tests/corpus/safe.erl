%% Functions that cannot fail, for reasons that need their specs.
%! head/1 safe
%! quotient/2 safe
%! small/1 safe
%! pick/1 safe
%! both/2 safe
%! never/1 safe
%! index/1 safe
%! sizes/1 safe
%! clock/0 incomplete
%! table/1 safe
-module(safe).
-export([head/1, quotient/2, small/1, pick/1, both/2, never/1, index/1, sizes/1, clock/0, table/1]).

-spec head(nonempty_list(integer())) -> integer().
head(L) -> hd(L).

-spec quotient(integer(), pos_integer()) -> integer().
quotient(X, Y) -> X div Y.

-spec small(-3..3) -> 0..9.
small(X) ->
    case X * X of
        Y when Y =< 9, Y >= 0 -> Y
    end.

-spec pick({1..3, {integer(), integer(), integer()}}) -> integer().
pick({I, T}) -> element(I, T).

-spec both(boolean(), boolean()) -> boolean().
both(A, B) -> (A and B) orelse (not A) orelse not B.

-spec never(integer()) -> no_return().
never(X) -> error({stop, X}).

-spec index(0..2) -> atom().
index(N) -> lists:nth(N + 1, [a, b, c]).

-spec sizes({integer()} | {integer(), integer()}) -> 1..2.
sizes(T) when tuple_size(T) =:= 1 -> 1;
sizes({_, _}) -> 2.

-spec clock() -> ok.
clock() ->
    case erlang:system_time() < 0 of
        true -> error(long_ago);
        false -> ok
    end.

-spec table(integer()) -> integer().
table(X) ->
    T = ets:new(t, []),
    ets:insert(T, {x, 7}),
    [{x, Y}] = ets:lookup(T, x),
    put(y, Y),
    get(y) + X.
