%% Functions whose Core Erlang has shapes that are easy to get wrong.
-module(flat_shapes).
-export([order/1, segments/1, sized/1, sized_twice/2, keys/2, nested_keys/1, update/2, attempt/1, after_value/1, attempt_of/1,
         nested_attempt/1, caught/1, labels/1, comprehensions/1, bits/1, shadow/1, exports/1, named_fun/1, closure/2, receiver/1,
         selective/0, records/1, guards/1, guard_case/1, strings/1, literals/0, floats/1, applied/2, chain/1, recursion/1,
         aliases/1, short/2, raise_again/1, stacked/1, float_pattern/1, no_values/1, unicode/1, big/1, odd/1, nested_funs/1, wide/1]).

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

%% Calls that can only fail, some of them known to the compiler.
odd(1) -> F = ok, F();
odd(2) -> M = 3, M:foo();
odd(3) -> (fun(A) -> A end)(1, 2);
odd(4) -> G = fun note/1, G(a, b);
odd(5) -> #{a := 1} = #{};
odd(6) -> {X, _} = note(a), X;
odd(7) -> note(a) + b;
odd(8) -> [] = [1 | note(2)];
odd(9) -> <<(note(a)):8>>;
odd(10) -> (note(#{}))#{k := 1};
odd(11) -> (note(x))#{k => 1};
odd(12) -> if false -> 1 end;
odd(13) -> (note({r, 1}))#r.b;
odd(14) -> erlang:error({oops, 1}, [arg]);
odd(15) -> catch throw(note(t)), exit(note(done)).

nested_funs(X) ->
    A = fun(F, 0) -> F(F, note(X)); (_, Y) -> fun() -> [fun(Z) -> {X, Y, Z} end || _ <- [1, 2]] end end,
    [G(z) || G <- (A(A, 0))()].

wide(X) ->
    [X, note(0), X, note(1), X, note(2), X, note(3), X, note(4), X, note(5), X, note(6), X, note(7), X, note(8), X, note(9), X, note(10), X, note(11), X, note(12), X, note(13), X, note(14), X, note(15), X, note(16), X, note(17), X, note(18), X, note(19), X, note(20), X, note(21), X, note(22), X, note(23), X, note(24), X, note(25), X, note(26), X, note(27), X, note(28), X, note(29), X, note(30), X, note(31), X, note(32), X, note(33), X, note(34), X, note(35), X, note(36), X, note(37), X, note(38), X, note(39), X, note(40), X, note(41), X, note(42), X, note(43), X, note(44), X, note(45), X, note(46), X, note(47), X, note(48), X, note(49), X, note(50), X, note(51), X, note(52), X, note(53), X, note(54), X, note(55), X, note(56), X, note(57), X, note(58), X, note(59), X, note(60), X, note(61), X, note(62), X, note(63), X, note(64), X, note(65), X, note(66), X, note(67), X, note(68), X, note(69), X, note(70), X, note(71), X, note(72), X, note(73), X, note(74), X, note(75), X, note(76), X, note(77), X, note(78), X, note(79), X, note(80), X, note(81), X, note(82), X, note(83), X, note(84), X, note(85), X, note(86), X, note(87), X, note(88), X, note(89), X, note(90), X, note(91), X, note(92), X, note(93), X, note(94), X, note(95), X, note(96), X, note(97), X, note(98), X, note(99), X, note(100), X, note(101), X, note(102), X, note(103), X, note(104), X, note(105), X, note(106), X, note(107), X, note(108), X, note(109), X, note(110), X, note(111), X, note(112), X, note(113), X, note(114), X, note(115), X, note(116), X, note(117), X, note(118), X, note(119), X, note(120), X, note(121), X, note(122), X, note(123), X, note(124), X, note(125), X, note(126), X, note(127), X, note(128), X, note(129), X, note(130), X, note(131), X, note(132), X, note(133), X, note(134), X, note(135), X, note(136), X, note(137), X, note(138), X, note(139), X, note(140), X, note(141), X, note(142), X, note(143), X, note(144), X, note(145), X, note(146), X, note(147), X, note(148), X, note(149)].
