%% Small functions, one construct each; graph_shapes.ir holds the graph of each.
-module(graph_shapes).
-compile([export_all, nowarn_export_all]).
-record(r, {a, b}).

%% Clauses are tried in order, each part revealed by the test before it.
clauses([{ok, X} | _], _) -> X;
clauses([_ | T], N) -> clauses(T, N);
clauses([], N) -> {none, N}.

literals(a) -> 1;
literals(1.5) -> 2;
literals({a, "bc"}) -> 3;
literals(<<"bin">>) -> 4.

aliases([_ | T] = L, {_, B} = P) -> {L, T, P, B}.

%% Tests that cannot fail branch; what can fail is called under a handler.
guard_tests(X, Y) when is_integer(X), X > 3; Y =:= X -> 1;
guard_tests(X, Y) when not is_atom(X) andalso (X == Y orelse is_list(Y)) -> 2;
guard_tests(X, Y) when X =/= Y -> 3.

guard_calls(X) when hd(X) > 1 -> 1;
guard_calls(X) when tuple_size(X) =:= 2, element(1, X) =:= a; map_size(X) > 0 -> 2;
guard_calls(X) when X -> 3.

guard_record(X) when is_record(X, r), X#r.a > 1 -> X#r.b.

%% A boolean that is only looked at once decides the branch itself.
boolean_case(X, Y) ->
    case X > Y of
        true -> a;
        false -> b
    end.

boolean_value(X, Y) ->
    Z = X > Y,
    {Z, X =:= Y, is_atom(X)}.

boolean_and(X, Y) ->
    case X > Y andalso f(X) of
        true -> a;
        false -> b
    end.

conditions(X) ->
    if
        X > 3 -> big;
        X < 0; is_float(X) -> other
    end.

badmatch(X) ->
    {ok, Y} = f(X),
    Y.

%% Tail calls only where nothing is left to do.
tail_calls(X, F) when is_function(F, 1) -> F(X);
tail_calls(X, M) when is_atom(M) -> M:g(X);
tail_calls(X, _) -> f(X) + 1.

protected(X) ->
    try f(X) of
        {ok, Y} -> f(Y);
        Z -> Z
    catch
        throw:T -> T;
        error:E:S when E =/= badarg -> {E, S}
    end.

after_all(X) ->
    try
        f(X)
    after
        g()
    end.

nested(X) ->
    try
        try f(X) catch throw:_ -> f(1) end
    catch
        exit:R -> R
    end.

caught(X) ->
    (catch f(X)).

caught_inside(X) ->
    Y = (catch f(X)),
    {Y, g()}.

%% Funs capture; local functions of comprehensions are lifted.
funs(A, B) ->
    F = fun(X) -> X + A + B end,
    G = fun Loop(0) -> A; Loop(N) -> Loop(N - 1) end,
    {F, G, fun f/1, fun lists:map/2}.

comprehension(L, K) ->
    [{K, X} || {X, Y} <- L, Y > K].

binary_comprehension(B) ->
    << <<(X + 1)>> || <<X>> <= B >>.

bits(<<A:8, B:A/binary, R/bits>>) -> {A, B, R};
bits(<<"ab", X/float-little>>) -> X;
bits(<<X/utf8, _:3/unit:4, Y:4/signed>>) -> {X, Y};
bits(<<>>) -> empty.

build_bits(A, B, N) ->
    <<A:N/little, "xy", B/binary, A/utf8, 1.0:32/float>>.

maps(M, K) ->
    case M of
        #{a := X, {K} := Y} -> M#{a := Y, b => X};
        #{} -> #{K => 1}
    end.

values(X) ->
    {A, B} =
        case X of
            a -> {1, 2};
            _ -> {X, [X | "tail"]}
        end,
    [A, B | {A, 1}].

receiving(X) ->
    receive
        {X, Y} -> Y;
        stop -> stop
    after 100 -> timeout
    end.

f(X) -> X.

g() -> ok.
