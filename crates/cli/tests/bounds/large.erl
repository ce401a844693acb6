%% Data that doubles, in every way.
-module(large).
-compile([export_all, nowarn_export_all]).
append(L) -> append(L ++ L).
build(B) -> build(<<B/binary, B/binary>>).
duplicate(N) -> lists:duplicate(N, x).
seq(N) -> lists:seq(1, N).
copy(B) -> copy(binary:copy(B, 7)).
bytes(L) -> bytes([binary_to_list(list_to_binary(L)), binary_to_list(list_to_binary(L))]).
join(L) -> join([iolist_to_binary([L, L, L])]).
tuple(T) -> L = tuple_to_list(T), tuple(list_to_tuple(L ++ L)).
dictionary(N) -> put(N, lists:seq(1, 100)), dictionary(N + 1).
stack(N) -> [N | stack(N + 1)].
digits(N) -> digits(list_to_integer(integer_to_list(N) ++ integer_to_list(N)), []).
digits(N, L) -> digits(N + 1, [integer_to_list(N bsl 100000) | L]).
