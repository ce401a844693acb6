%% Clauses of programs as people write them: parsers, orders, commands, configurations.
-module(orders).
-export([json/1, route/2, price/1, inv/2, retry/2, cmd/1, ip/1, roman/1, rle/1, bal/1, vis/2, merge/2, mat/1, cfg/1, calls/1, dispatch/2, after_/1, reraise/1, proc/1, big/1]).
json(<<"null", R/binary>>) -> {null, R};
json(<<"true", R/binary>>) -> {true, R};
json(<<$", R/binary>>) -> str(R, []);
json(<<C, _/binary>> = B) when C >= $0, C =< $9 -> num(B, 0);
json(<<$\s, R/binary>>) -> json(R);
json(_) -> error(bad_json).
str(<<$", R/binary>>, A) -> {lists:reverse(A), R};
str(<<$\\, C, R/binary>>, A) -> str(R, [C | A]);
str(<<C, R/binary>>, A) -> str(R, [C | A]);
str(<<>>, _) -> error(unterminated).
num(<<C, R/binary>>, N) when C >= $0, C =< $9 -> num(R, N * 10 + C - $0);
num(R, N) -> {N, R}.
route(get, ["users"]) -> list;
route(get, ["users", Id]) -> case string:to_integer(Id) of {N, []} when N > 0 -> {user, N}; {error, _} -> bad_id; _ -> odd end;
route(post, ["users" | T]) when T =/= [] -> {post, T};
route(M, P) when is_atom(M), is_list(P) -> not_found;
route(_, _) -> invalid.
price(#{items := Items} = Order) ->
    Sum = lists:foldl(fun(#{p := P, q := Q}, A) when Q > 0 -> A + P * Q; (_, A) -> A end, 0, Items),
    Rate = case Order of #{coupon := half} -> 2; #{vip := true} when Sum > 100 -> 4; _ -> 1 end,
    case Sum div Rate of 0 -> free; N when N < 10 -> cheap; _ -> full end.
inv(K, L) -> case [V || {K1, V} <- L, K1 =:= K] of [V] -> {ok, V}; [] -> none; [_ | _] -> many end.
retry(0, _) -> failed;
retry(N, F) when N > 0, N < 4 -> try F(N) of ok -> {ok, N}; again -> retry(N - 1, F) catch throw:stop -> stopped end.
cmd({add, A, B}) -> A + B;
cmd({sub, A, B}) when A >= B -> A - B;
cmd({neg, [H | _]}) -> -H;
cmd({seq, L}) when length(L) =< 2 -> [cmd(X) || X <- L];
cmd(#{op := Op} = M) when Op =:= add; Op =:= sub -> cmd({Op, maps:get(a, M, 0), maps:get(b, M, 0)});
cmd(X) -> throw({unknown, X}).
ip(<<4:4, L:4, _:16, Len:16, _/binary>> = P) when L >= 5, byte_size(P) >= Len -> v4;
ip(<<6:4, _/bits>>) -> v6;
ip(B) when is_bitstring(B) -> other.
roman(N) when N >= 10 -> [$X | roman(N - 10)];
roman(9) -> "IX";
roman(N) when N >= 5 -> [$V | roman(N - 5)];
roman(4) -> "IV";
roman(N) when N > 0 -> [$I | roman(N - 1)];
roman(0) -> [].
rle([]) -> [];
rle([A, A | T]) -> case rle([A | T]) of [{A, N} | R] -> [{A, N + 1} | R]; _ -> impossible end;
rle([A | T]) -> [{A, 1} | rle(T)].
bal(S) -> bal(S, 0).
bal([], 0) -> ok;
bal([$( | T], N) -> bal(T, N + 1);
bal([$) | T], N) when N > 0 -> bal(T, N - 1);
bal([_ | _], _) -> bad;
bal(_, _) -> open.
vis(#{x := X}, #{x := X, y := Y}) when Y > X -> up;
vis(#{x := X}, #{x := X}) -> same;
vis(#{x := A}, #{x := B}) -> {A, B};
vis(_, _) -> none.
merge([], L) -> L;
merge(L, []) -> L;
merge([A | T], [B | _] = L) when A =< B -> [A | merge(T, L)];
merge(L, [B | T]) -> [B | merge(L, T)].
mat([[A, B], [C, D]]) when A * D - B * C =:= 0 -> singular;
mat([[A, B], [C, D]]) when is_integer(A), is_integer(B), is_integer(C), is_integer(D) -> A * D - B * C;
mat(_) -> shape.
cfg(L) -> case proplists:get_value(mode, L, none) of none -> none; fast -> case proplists:get_bool(x, L) of true -> fx; false -> f end; N when is_integer(N), N bsr 2 =:= 3 -> n; _ -> o end.
calls(X) -> M = lists, F = case X of {r, _} -> reverse; {s, _} -> sort; _ -> last end, case catch M:F(element(2, X)) of [a | _] -> a; {'EXIT', _} -> crash; [] -> empty; _ -> other end.
dispatch(F, A) -> case {F, A} of {plus, {X, Y}} -> (fun erlang:'+'/2)(X, Y); {f, X} when is_function(X, 0) -> X(); {G, X} when is_function(G) -> G(X); _ -> none end.
after_(X) -> try put(k, X), case X of {ok, V} -> V; error -> throw(e) end catch throw:e -> caught after erase(k) end.
reraise(X) -> try try 1 / X catch error:badarith when X == 0 -> throw(zero); error:E -> error({again, E}) end catch throw:zero -> z; error:{again, R} -> {a, R} end.
proc(X) -> case X of _ when X =:= self() -> me; _ when is_pid(X) -> pid; _ when is_reference(X) -> ref; _ -> none end.
big(N) when N > 1 bsl 64 -> huge;
big(N) when is_integer(N), N band 16#ff =:= 16#ab -> low;
big(N) when N * N =:= 1764 -> sq;
big(_) -> no.
