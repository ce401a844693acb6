%% Work that takes longer than any test can wait.
-module(slow).
-compile([export_all, nowarn_export_all]).
-spec collatz(pos_integer()) -> non_neg_integer().
collatz(N) when N > 0 -> collatz(N, 0).
collatz(1, S) -> S;
collatz(N, S) when N rem 2 =:= 0 -> collatz(N div 2, S + 1);
collatz(N, S) -> collatz(3 * N + 1, S + 1).
grow(0, L) -> L;
grow(K, L) -> grow(K - 1, [L, L]).
-spec doubled(binary()) -> no_return().
doubled(B) -> doubled(<<B/binary, B/binary>>).
-spec size(integer()) -> integer().
size(N) -> iolist_size(grow(40, [<<N:8>>])).
-spec leaves(integer()) -> integer().
leaves(_) -> iolist_size(grow(40, [<<1>>])).
-spec equal(integer()) -> boolean().
equal(_) -> grow(40, [1]) == grow(40, [1]).
-spec hash(integer()) -> integer().
hash(_) -> erlang:phash2(grow(40, [1])).
-spec reason(integer()) -> ok.
reason(N) when N > 3 -> error(grow(40, [N]));
reason(_) -> ok.
-spec large(integer()) -> integer().
large(N) -> squared(N * N + 3).
squared(X) -> squared(X * X rem ((1 bsl 1000000) + 12345)).
-spec options(binary()) -> [term()].
options(<<>>) -> [];
options(<<T:8, L:8, V:L/binary, R/binary>>) when T < 16 -> [option(T, V) | options(R)];
options(<<L:16/little, V:L/binary, R/binary>>) -> [options(V) | options(R)].
option(0, <<N:8, B:N/binary, M:8, C:M/binary-unit:4, _/bits>>) -> {B, C};
option(1, V) -> options(V);
option(T, V) -> case V of <<A:T, L:4, X:L/bits, R/bits>> -> {A, X, option(L, R)}; _ -> binary_to_list(V) end.
-spec ackermann(non_neg_integer(), non_neg_integer()) -> integer().
ackermann(0, N) -> N + 1;
ackermann(M, 0) -> ackermann(M - 1, 1);
ackermann(M, N) -> ackermann(M - 1, ackermann(M, N - 1)).
-spec cubes(integer(), integer()) -> integer().
cubes(X, N) when X * X * X + N * N * N =:= 33, X < N -> error(cubes);
cubes(X, _) -> X.
-spec follow(atom(), #{atom() => atom()}) -> atom().
follow(Key, Map) -> case Map of #{Key := Next} -> follow(Next, Map); _ -> Key end.
