%% Functions to pass as arguments: each name says what it returns, for any number of arguments.
-module(hound_funs).
-compile(export_all).
-compile(nowarn_export_all).

first() -> ok.
first(A) -> A.
first(A, _) -> A.
first(A, _, _) -> A.
last() -> ok.
last(A) -> A.
last(_, B) -> B.
last(_, _, C) -> C.
less() -> true.
less(A) -> A < 5.
less(A, B) -> A =< B.
less(A, B, C) -> A =< B andalso B =< C.
odd() -> false.
odd(A) -> hash(A) rem 2 =:= 1.
odd(A, B) -> hash(A, B) rem 2 =:= 1.
odd(A, B, C) -> hash(A, B, C) rem 2 =:= 1.
yes() -> true.
yes(_) -> true.
yes(_, _) -> true.
yes(_, _, _) -> true.
no() -> false.
no(_) -> false.
no(_, _) -> false.
no(_, _, _) -> false.
small() -> true.
small(A) -> is_integer(A) andalso A < 50.
small(A, _) -> small(A).
small(A, _, _) -> small(A).
hash() -> 0.
hash(A) -> erlang:phash2(plain(A), 20).
hash(A, B) -> hash({A, B}).
hash(A, B, C) -> hash({A, B, C}).
%% Stack traces begin outside the program, so they count as nothing.
plain([{M, F, _, L} | Rest]) when is_atom(M), is_atom(F), is_list(L) -> plain(Rest);
plain([H | T]) -> [plain(H) | plain(T)];
plain(T) when is_tuple(T) -> list_to_tuple(plain(tuple_to_list(T)));
plain(X) -> X.
one() -> 1.
one(_) -> 1.
one(_, _) -> 1.
one(_, _, _) -> 1.
half() -> 0.5.
half(_) -> 0.5.
half(_, _) -> 0.5.
half(_, _, _) -> 0.5.
list() -> [].
list(A) -> [A, A].
list(A, B) -> [A | B].
list(A, B, C) -> [A, B, C].
empty() -> [].
empty(_) -> [].
empty(_, _) -> [].
empty(_, _, _) -> [].
both() -> {a, b}.
both(A) -> {A, A}.
both(A, B) -> {A, B}.
both(A, B, C) -> {A, {B, C}}.
tagged() -> {true, 1}.
tagged(A) -> {true, A}.
tagged(A, B) -> {ok, A, B}.
tagged(A, B, C) -> {C, A, B}.
halt() -> {halt, []}.
halt(A) -> {halt, A}.
halt(A, B) -> case odd(A) of true -> {halt, B}; false -> {cont, [A, B]} end.
halt(_, _, C) -> {cont, C}.
raise() -> error(raised).
raise(A) -> throw({thrown, A}).
raise(A, B) -> error({raised, A, B}).
raise(A, _, _) -> exit(A).
