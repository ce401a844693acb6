%% Data that grows without end from symbolic inputs.
-module(growing).
-compile([export_all, nowarn_export_all]).
-spec append([integer()]) -> no_return().
append(L) -> append([1 | L] ++ L).
-spec build(binary()) -> no_return().
build(B) -> build(<<1, B/binary, B/binary>>).
-spec copy(binary()) -> no_return().
copy(B) -> copy(binary:copy(<<1, B/binary>>, 7)).
-spec maps(integer()) -> no_return().
maps(N) -> maps(N, #{}).
maps(N, M) -> maps(N + 1, M#{N => M}).
-spec recurse(integer()) -> no_return().
recurse(N) -> [N | recurse(N + 1)].
-spec rows(integer()) -> no_return().
rows(N) -> T = ets:new(t, []), rows(T, N).
rows(T, N) -> ets:insert(T, {N, lists:seq(1, 100)}), rows(T, N + 1).
-spec dictionary(integer()) -> no_return().
dictionary(N) -> put(N, lists:seq(1, 100)), dictionary(N + 1).
-spec count([integer()]) -> integer().
count([]) -> 0;
count([X | T]) when X > 3 -> 1 + count(T);
count([_ | T]) -> count(T).
-spec tuple(tuple()) -> no_return().
tuple(T) -> L = [1 | tuple_to_list(T)], tuple(list_to_tuple(L ++ L)).
-spec digits(integer()) -> no_return().
digits(N) -> digits(N, []).
digits(N, L) -> digits(N + 1, [integer_to_list(N bsl 100000) | L]).
-spec sum(integer(), integer()) -> no_return().
sum(N, S) -> sum(N + S + 1, S * 2 + N).
-spec nothing(integer()) -> ok.
nothing(_) -> ok.
