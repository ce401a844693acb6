%% Clauses behind recursion, specs, libraries and funs.
-module(ledgers).
-export([bank/2, tok/1, tree/2, bin/1, fsm/1, sorted/1, fact/1, opt/1, key/2, fl/1, ut/1, word/1, app/2, filt/1]).
-spec bank([{dep, pos_integer()} | {wd, pos_integer()}], integer()) -> integer() | {error, any()}.
bank([], B) when B >= 100 -> rich;
bank([], B) -> B;
bank([{dep, N} | T], B) when N =< 50 -> bank(T, B + N);
bank([{dep, _} | _], _) -> {error, limit};
bank([{wd, N} | T], B) when N =< B -> bank(T, B - N);
bank([{wd, _} | _], _) -> {error, funds}.
-spec tok(string()) -> any().
tok([]) -> [];
tok([$\s | T]) -> tok(T);
tok([C | T]) when C >= $a, C =< $z -> [{w, C} | tok(T)];
tok([$( | T]) -> [open | tok(T)];
tok([C | _]) -> throw({bad, C}).
-type t() :: leaf | {node, t(), integer(), t()}.
-spec tree(integer(), t()) -> boolean().
tree(_, leaf) -> false;
tree(X, {node, L, Y, _}) when X < Y -> tree(X, L);
tree(X, {node, _, Y, R}) when X > Y -> tree(X, R);
tree(_, {node, _, _, _}) -> true.
bin(B) -> case B of <<N:8, Rest/binary>> when byte_size(Rest) =:= N -> case Rest of <<"ok", _/binary>> -> ok; _ -> {n, N} end; <<_:3>> -> three; B when is_binary(B) -> bin; _ -> not_bin end.
fsm(L) -> fsm(idle, L).
fsm(idle, [start | T]) -> fsm(run, T);
fsm(run, [stop | T]) -> fsm(idle, T);
fsm(run, [{set, N} | T]) when N > 9 -> fsm({at, N}, T);
fsm({at, N}, [N | _]) -> back;
fsm(S, []) -> S;
fsm(_, _) -> error.
sorted(L) -> case lists:sort(L) of L -> yes; [A, A | _] -> dup; _ -> no end.
fact(0) -> 1;
fact(N) when N > 0 -> N * fact(N - 1).
opt(X) -> case X of {just, Y} when is_list(Y), length(Y) =:= 2 -> pair; {just, _} -> one; nothing -> none end.
key(K, M) when is_map_key(K, M) -> case maps:get(K, M) of K -> self; V when is_atom(V) -> atom; _ -> val end;
key(K, M) when is_map(M) -> maps:put(K, 1, M);
key(_, _) -> nomap.
fl(X) when X > 1.5, X < 2.5, is_float(X) -> mid;
fl(X) when X == 3 -> three;
fl(_) -> x.
ut(<<C/utf8, _/binary>>) when C > 1000 -> big;
ut(<<C/utf8, _/binary>>) when C > 127 -> mid;
ut(<<_, _/binary>>) -> low;
ut(_) -> no.
word(A) -> case atom_to_list(A) of "ab" -> ab; [_] -> one; _ -> more end.
app(F, L) when is_function(F, 1) -> case F(L) of true -> yes; [] -> nil; _ -> no end;
app(_, _) -> nofun.
filt(L) -> case [X || X <- L, X rem 2 =:= 0, X > 4] of [] -> none; [_] -> one; [_, _ | _] -> many end.
