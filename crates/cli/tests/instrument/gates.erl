%% Clauses that patterns and guards of all kinds select: numbers, maps, bitstrings, records, strings, exceptions.
-module(gates).
-export([n/1, both/2, shape/1, conf/1, packet/1, parse/1, rec/1, total/1, safe/1, twice/2, look/2, nested/2, str/1, calc/1, either/1, state/1]).
-record(user, {name, age = 0, role}).
n(N) when N > 41, N rem 7 =:= 0 -> hit;
n(N) when is_integer(N), N < -1000 -> low;
n(N) when is_float(N) -> float;
n(_) -> miss.
both(A, B) when A + B =:= 100, A > B * 2 -> lopsided;
both(A, B) when is_integer(A) andalso is_integer(B) -> other;
both(A, _) when is_atom(A) orelse is_binary(A) -> name;
both(_, _) -> none.
shape({circle, R}) when R > 0 -> 3 * R * R;
shape({rect, W, H}) when W > 0, H > 0 -> W * H;
shape([{circle, R} | _]) -> R;
shape(X) when is_tuple(X), tuple_size(X) > 3 -> big;
shape(_) -> bad.
conf(#{mode := fast, level := L}) when L >= 3 -> {fast, L};
conf(#{mode := slow}) -> slow;
conf(#{level := L} = M) when map_size(M) > 1 -> {level, L};
conf(M) when is_map(M) -> other;
conf(_) -> no.
packet(<<1, Len, Body:Len/binary, _/binary>>) when Len > 2 -> {body, Body};
packet(<<2, N:16/little>>) when N > 500 -> {num, N};
packet(<<T:4, 0:4, Rest/bits>>) when T > 9 -> {tag, T, bit_size(Rest)};
packet(<<>>) -> empty;
packet(_) -> bad.
parse("get " ++ Rest) -> {get, Rest};
parse([C | T]) when C >= $0, C =< $9 -> {digit, C - $0, parse(T)};
parse([]) -> done;
parse(_) -> other.
rec(#user{age = A, role = admin}) when A >= 18 -> admin;
rec(#user{name = N, role = R}) when N =:= R -> same;
rec(#user{}) -> user;
rec(_) -> none.
total(L) -> total(L, 0).
total([], S) when S > 10 -> big;
total([], 0) -> zero;
total([], S) -> {small, S};
total([X | T], S) when is_integer(X), X > 0 -> total(T, S + X);
total([_ | T], S) -> total(T, S).
safe(X) -> try inner(X) of 7 -> seven; V -> {ok, V} catch throw:{no, Y} -> {thrown, Y}; error:badarith -> arith; error:_ -> err; exit:E -> {exit, E} end.
inner({t, X}) -> throw({no, X});
inner({e, X}) -> exit(X);
inner({d, X}) -> 10 div X;
inner({h, X}) -> hd(X);
inner(X) -> X.
twice(F, X) -> G = fun(Y) when Y > 5 -> big; (Y) -> F + Y end, case G(X) of big -> G(X - 1); N when N > 3 -> more; _ -> less end.
look(K, L) -> case lists:keyfind(K, 1, L) of false -> none; {_, V} when V > 3 -> {big, V}; {_, V} -> {some, V} end.
nested(A, B) -> case A of {x, N} -> case B of N -> same; M when M > N -> more; _ -> less end; _ -> case B of ok -> fine; _ -> no end end.
str(S) when length(S) > 2 -> case lists:reverse(S) of [$! | _] -> loud; _ -> long end;
str(S) -> case S of "" -> empty; _ -> short end.
calc(X) -> case catch (100 div X) of {'EXIT', {badarith, _}} -> bad; 5 -> five; N when is_integer(N), N > 50 -> large; _ -> other end.
either(X) -> if X > 10, X < 20; X =:= 42 -> in; is_list(X) -> list; true -> out end.
state(M) -> case maps:get(kind, M, none) of none -> none; K -> case M of #{K := V} when V =/= K -> {V, K}; _ -> alone end end.
