%% Functions whose Core Erlang has shapes that are easy to get wrong.
-module(flat_shapes).
-export([order/1, segments/1, sized/1, sized_twice/2, keys/2, nested_keys/1, update/2, attempt/1, after_value/1, attempt_of/1,
         nested_attempt/1, caught/1, labels/1, comprehensions/1, bits/1, shadow/1, exports/1, named_fun/1, closure/2, receiver/1,
         selective/0, records/1, guards/1, guard_case/1, strings/1, literals/0, floats/1, applied/2, chain/1, recursion/1,
         aliases/1, short/2, raise_again/1, stacked/1, float_pattern/1, no_values/1, unicode/1, big/1]).

-record(r, {a = 1, b, c = []}).

note(X) -> put(log, [X | log()]), X.
log() -> case get(log) of undefined -> []; Log -> Log end.
logged(Value) -> {Value, lists:reverse(log())}.

%% Everything is evaluated left to right, and once.
order(X) ->
    Tuple = {note(a), [note(b) | note(c)], #{note(k) => note(v), note(l) => note(w)}, <<(note(1)):(note(8)), (note(2)):16>>},
    logged({Tuple, (note(erlang)):(note(abs))(note(X)), (note(fun(A, B) -> [A, B] end))(note(d), note(e))}).

segments(Bits) ->
    case Bits of
        <<N, A:N/binary, B:N/unit:4, C/float, "ab", D:16/signed-little, Rest/bits>> -> {n, N, A, B, C, D, Rest};
        <<A:4/bits, B/utf8, C/utf16-little, D/utf32, _/binary>> -> {u, A, B, C, D};
        <<A:3/signed, _:5, Rest:2/binary-unit:3, _/bits>> when A < 0 -> {s, A, Rest};
        <<>> -> empty;
        <<Last>> -> {last, Last};
        Other -> {other, Other}
    end.

sized(<<N, M:N, Rest:(N + M)/binary, Tail/binary>>) -> {N, M, Rest, Tail};
sized(<<N:4, M:4, X:(N * M)>>) -> {N, M, X};
sized(X) -> {none, X}.

%% The name N means three things here.
sized_twice(N, <<N:8, X:N, Y/bits>>) -> F = fun(<<N:4, Z:N/bits, _/bits>>) -> {N, Z}; (_) -> no end, {X, F(Y)};
sized_twice(N, Bits) -> {N, Bits}.

keys(Map, Key) ->
    case Map of
        #{Key := Value, {Key, 1} := Other} -> {both, Value, Other};
        #{Key := Value} when is_list(Value) -> {listed, Value};
        #{{x, [Key]} := #{Key := Inner}} -> {inner, Inner};
        #{1.0 := One} -> {float, One};
        #{} -> map;
        _ -> no
    end.

nested_keys(#{a := #{b := [#{c := C} | _]}} = M) -> {C, M};
nested_keys(#{"s" := S, <<"b">> := B}) -> {S, B};
nested_keys(_) -> none.

update(Map, X) -> Map#{a => note(X), b := note(y), X => Map}.

attempt(F) ->
    try note(start), run(F) of
        ok -> note(fine);
        {N, M} when N > M -> {N, M}
    catch
        throw:X when is_atom(X) -> {thrown, X};
        throw:{X, _} -> {pair, X};
        error:{badmatch, X} -> {badmatch, X};
        error:badarith:Stack -> {badarith, length(Stack) > 0};
        exit:X:_ -> {gone, X}
    after
        note(cleanup)
    end.

run(throw) -> throw(ball);
run(pair) -> throw({a, b});
run(other) -> throw("x");
run(match) -> {ok, _} = note(no);
run(arith) -> 1 + note(a);
run(exit) -> exit(normal);
run(clause) -> run_one(note(x));
run(X) -> X.

run_one(1) -> 1.

after_value(X) -> V = try run(X) after note(done) end, logged(V).

attempt_of(X) -> try X of {ok, Y} -> throw(Y); [] -> nil catch Y -> {never, Y} end.

nested_attempt(X) ->
    try
        try run(X) catch throw:ball -> note(inner), throw({again, 1}) after note(one) end
    catch
        throw:{again, N} -> logged({N, X});
        _:_ -> logged(X)
    after
        note(two)
    end.

caught(X) ->
    R = (catch run(X)),
    case R of {'EXIT', {Reason, _}} -> {exit, Reason}; _ -> {R, catch {catch run(X), 1}} end.

%% A variable in a size after a choice: the compiler makes labels.
labels({<<N, _:(N * 2)/bits, X>>, #{x := Y}}) when X =:= Y -> {one, X};
labels({<<N, _:(N + 1)/binary>>, Y}) -> {two, N, Y};
labels({<<N, X:(N - 1)>>, _}) when X > 3 -> {three, X};
labels(Other) -> {four, Other}.

comprehensions(L) ->
    {[{X, Y} || {X, N} <- L, is_integer(N), Y <- lists:seq(1, N), keep(X, Y)],
     << <<X:N>> || {X, N} <- L, is_integer(X), is_integer(N), N > 0 >>,
     [X || <<X:2, _:1>> <= <<1, 2, 3>>, X =/= 1],
     [[Y || Y <- [X, X]] || {X, _} <- L]}.

keep(X, Y) -> X =/= Y.

bits(X) -> {<<X/integer>>, <<X:4, 0:4>>, <<X/float>>, <<X/utf8>>, <<X:16/little, X:16/native, X:3/signed>>, <<"é"/utf8, 1:1>>}.

%% The same name in clauses, funs and comprehensions.
shadow(X) ->
    F = fun(X) -> case X of {X, Y} -> {in, X, Y}; [X | _] -> X; _ -> [X || X <- [X, 1]] end end,
    Y = F(X),
    G = fun(Y) -> fun(X) -> {X, Y} end end,
    {X, Y, (G(3))(4)}.

exports(X) ->
    case X of
        1 -> A = one, B = note(two);
        2 -> {A, B} = {x, y};
        _ -> [A | B] = [p, q]
    end,
    if X > 1 -> C = A; true -> C = B end,
    {A, B, C}.

named_fun(N) ->
    Fact = fun Self(0, Acc) -> Acc; Self(M, Acc) when M > 0 -> Self(M - 1, Acc * M) end,
    {Fact(N, 1), lists:map(fun note/1, [N]), lists:foldl(fun erlang:max/2, N, [1, 2])}.

closure(X, Y) ->
    F = fun(Z) -> fun() -> {X, Y, Z} end end,
    [G() || G <- [F(1), F(note(Y))]].

receiver(Messages) ->
    [self() ! M || M <- Messages],
    receive
        {first, X} when X > 1 -> Y = X;
        second -> Y = 2
    after 0 -> Y = none
    end,
    Z = receive {other, Y} -> same; {other, W} -> {different, W} after 5 -> late end,
    {Y, Z, flush()}.

flush() -> receive M -> [M | flush()] after 0 -> [] end.

selective() ->
    Ref = make_ref(),
    self() ! noise,
    self() ! {Ref, answer},
    A = receive {Ref, X} -> X end,
    {A, flush()}.

records(R) ->
    S = R#r{b = note(2)},
    #r{a = A} = S,
    {A, S#r.b, S#r{c = [S#r.c]}, is_record(S, r)}.

guards(X) when is_list(X), length(X) > 2; tuple_size(X) =:= 2; hd(X) =:= a -> yes;
guards(X) when X#r.a =:= 1 orelse X =:= 7 andalso true -> record;
guards(X) when map_get(a, X) > 1; is_map_key(b, X), not (map_size(X) > 3) -> map;
guards(X) when (abs(X) bsl 2) rem 3 =:= 1; X + 1 == 5.0 -> number;
guards(X) when <<X:4>> =:= <<5:4>> -> bits;
guards(_) -> no.

guard_case(X) when (X > 1 andalso X < 5) or (X =:= a) -> in;
guard_case(_) -> out.

strings("prefix " ++ Rest) -> {prefix, Rest};
strings([$a, B | "cd"]) -> B;
strings("") -> empty;
strings(<<"bin", _/binary>>) -> bin;
strings(X) -> X.

literals() ->
    {#{a => [1, {2}], <<"k">> => 3.5}, <<"abc", 5:3>>, 1.0e300, -0.0, 1 bsl 100, -123456789012345678901234567890, "é\x{1F600}\n\"\\",
     'an \'atom\'', [a | b], fun lists:map/2, {}, $\s, 'ünïcode\x{3b1}', <<0:1000>>}.

floats(X) -> {X / 3, X * 1.0e308 * 10}.

applied(F, Args) -> {apply(F, Args), apply(lists, reverse, [Args]), F(1)}.

chain(X) ->
    {ok, A} = {ok, X},
    [B] = [A],
    #{c := C} = #{c => B},
    <<D>> = <<C>>,
    {E, E} = {D, X},
    E.

recursion(0) -> [];
recursion(N) -> [N | recursion(N - 1)].

aliases({a, X} = Y) -> {X, Y};
aliases([A | _] = [B, C | _] = L) -> {A, B, C, L};
aliases(#{k := {V} = W} = M) -> {V, W, M}.

short(A, B) -> {A andalso note(B), A orelse note(B), not A}.

raise_again(F) ->
    try run(F)
    catch C:R:S when R =/= normal -> erlang:raise(C, {again, R}, S)
    end.

stacked(X) ->
    try run(X) catch _:_:S -> [{M, F, if is_list(A) -> length(A); true -> A end} || {M, F, A, _} <- S, M =:= ?MODULE] end.

float_pattern(0.0) -> zero;
float_pattern(1.5) -> half;
float_pattern(1) -> one;
float_pattern(X) -> X.

no_values(X) ->
    case X of a -> note(1); b -> ok; _ -> note(2), note(3) end,
    begin note(4), note(5) end,
    logged(X).

unicode(X) -> Größe = X, 'Straße'(Größe).

'Straße'(X) -> {'straße', X}.

big(X) when X > 16#ffffffffffffffffffff -> X band 16#ff00000000000000000000;
big(16#123456789abcdef0123) -> exact;
big(X) -> X.
