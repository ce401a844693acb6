%% Control flow: what runs in which order, what an exception passes on its way, what is left of the state behind it.
-module(hound_control).
-compile(export_all).
-compile(nowarn_export_all).

%%% Order of evaluation and of cleaning up

note(X) ->
    put(notes, [X | case get(notes) of undefined -> []; Old -> Old end]),
    X.

noted(Fun) ->
    erase(notes),
    Result = try {value, Fun()} catch Class:Reason -> {Class, Reason} end,
    {Result, lists:reverse(case erase(notes) of undefined -> []; Notes -> Notes end)}.

-spec ordering(term(), term(), term()) -> term().
ordering(A, B, C) ->
    noted(fun() -> {note(A), [note(B) | note(C)], #{note(A) => note(B)}, <<(note(1)):8, (note(2)):8>>, note(A) + note(B)} end).

-type ending() :: value | error | exit | throw | arith | clause.

-spec cleaning(ending(), ending(), ending()) -> term().
cleaning(Body, Handler, After) ->
    noted(fun() ->
        try
            note({body, leave(Body)})
        of
            Value -> note({'of', Value}), leave(Handler)
        catch
            throw:X -> note({thrown, X}), leave(Handler);
            error:X -> note({failed, X}), leave(Handler)
        after
            note({'after', leave(After)})
        end
    end).

leave(value) -> 1;
leave(error) -> error(failed);
leave(exit) -> exit(left);
leave(throw) -> throw(ball);
leave(arith) -> 1 + list_to_atom("a");
leave(clause) -> case self() of none -> ok end;
leave(Other) -> Other.

-spec nested([ending()]) -> term().
nested(Endings) -> noted(fun() -> layers(Endings) end).

layers([]) -> note(bottom);
layers([Ending | Rest]) ->
    try layers(Rest) of
        V -> note({of_layer, V}), leave(Ending)
    catch
        exit:X when X =/= left -> note({exit, X});
        error:X -> note({error, X}), leave(Ending);
        throw:X -> note({throw, X}), throw({Ending, X})
    after
        note({done, Ending})
    end.

-spec catching(term(), ending()) -> term().
catching(X, E) ->
    {catch leave(E), is_tuple(catch error(X)), [catch throw(X) | catch leave(value)], #{k => catch exit(X)},
     length([catch leave(E), catch leave(E)]), catch (catch leave(E)), element(1, {catch throw({X})})}.

-spec dictionary_survives(term(), ending()) -> term().
dictionary_survives(X, E) ->
    put(before, X),
    R = (catch begin put(inside, X), leave(E), put(behind, X) end),
    {R =:= X, get(before), erase(inside), erase(behind), put(before, 2), erase(before)}.

-spec reasons(term()) -> term().
reasons(X) ->
    [try F() catch C:R -> {C, R} end
     || F <- [fun() -> {X} = [X] end, fun() -> case X of {impossible, Y, Y} -> Y end end,
              fun() -> if X =:= {none} -> X end end, fun() -> (fun(1) -> 1 end)(X) end, fun() -> X + 1 end,
              fun() -> X#{a => 1} end, fun() -> #{b := 1} = X end, fun() -> [Z || Z <- X] end,
              fun() -> << <<Z>> || <<Z>> <= X >> end, fun() -> <<X:8>> end, fun() -> <<X/binary>> end,
              fun() -> not X end, fun() -> X andalso true end, fun() -> X() end, fun() -> hd(X) end,
              fun() -> element(X, {a}) end, fun() -> apply(X, X, X) end, fun() -> X:X() end,
              fun() -> [1 || X] end, fun() -> binary_part(X, 1, 1) end]].

%% No function has so many arguments: what a trace has of them, and where it is too much.
-spec many_arguments(250..260 | 1019..1026) -> term().
many_arguments(N) ->
    Args = lists:duplicate(N, a),
    [try F() catch C:R:S -> {M, G, A, _} = hd(S), {C, R, M, G, length(A)} end
     || F <- [fun() -> apply(?MODULE, nowhere, Args) end, fun() -> apply(nowhere, f, Args) end]]
    ++ [try F() catch C:R -> {C, R} end
        || F <- [fun() -> apply(no_fun, Args) end, fun() -> apply({a, b}, Args) end, fun() -> apply("x", f, Args) end]].

-spec raising(error | exit | throw | term(), term(), term()) -> term().
raising(Class, Reason, Stack) ->
    try erlang:raise(Class, Reason, Stack) catch C:R -> {C, R} end.

-spec again(ending()) -> term().
again(E) ->
    try
        try leave(E) catch C:R:S -> put(seen, {C, R}), erlang:raise(C, R, S) end
    catch
        C2:R2 -> {C2, R2, get(seen)}
    end.

%%% Deep and long

-spec unwind(0..100000, ending()) -> term().
unwind(N, E) -> try dive(N, E) catch C:R -> {C, R} end.

dive(0, E) -> leave(E);
dive(N, E) -> 1 + dive(N - 1, E).

-spec unwind_after(0..5000, ending()) -> term().
unwind_after(N, E) ->
    put(count, 0),
    R = (catch guarded(N, E)),
    {is_integer(R) orelse element(1, {R}), get(count)}.

guarded(0, E) -> leave(E);
guarded(N, E) -> try 1 + guarded(N - 1, E) after put(count, get(count) + 1) end.

-spec rebuild(0..50000) -> term().
rebuild(N) ->
    L = lists:seq(1, N),
    T = list_to_tuple(L),
    {lists:sum(copy(L)), tuple_size(T), lists:foldl(fun(X, A) -> X - A end, 0, tuple_to_list(T)), length(lists:reverse(L) -- [N, N - 1])}.

copy([H | T]) -> [H | copy(T)];
copy([]) -> [].

-spec nest(0..20000) -> term().
nest(N) ->
    T = lists:foldl(fun(X, A) -> {X, [A]} end, leaf, lists:seq(1, N)),
    {depth(T, 0), T =:= T, T < {N}, erlang:phash2(T) >= 0, erts_debug:flat_size(T) > 0 orelse N =:= 0}.

depth({_, [T]}, N) -> depth(T, N + 1);
depth(leaf, N) -> N.

-spec ackermann(0..2, 0..5) -> integer().
ackermann(0, N) -> N + 1;
ackermann(M, 0) -> ackermann(M - 1, 1);
ackermann(M, N) -> ackermann(M - 1, ackermann(M, N - 1)).

%%% Guards that fail inside, and everything that may stand in one

-spec guards(term(), term()) -> term().
guards(X, Y) ->
    [if length(X) > 1 -> long; true -> no end,
     if hd(X) > Y; is_tuple(Y) -> hd_or_tuple; true -> no end,
     if element(1, X) + 1 > 2, is_integer(Y) -> element; true -> no end,
     if (X > Y) xor (Y > X) -> ordered; true -> no end,
     if not is_atom(X) andalso (is_list(X) orelse tuple_size(X) =:= 2) -> shape; true -> no end,
     if map_get(Y, X) =:= Y -> self; is_map_key(Y, X) -> key; true -> no end,
     if abs(X) > 2, round(X) =:= trunc(X) -> whole; true -> no end,
     if X div Y > 1 -> division; X rem Y =:= 0 -> multiple; true -> no end,
     if bit_size(X) > 8, byte_size(X) < 100 -> bits; binary_part(X, 0, 1) =:= Y -> part; true -> no end,
     if X band 3 =:= 1 -> masked; X bsl 2 =:= Y -> shifted; true -> no end,
     if is_function(X, Y) -> fits; is_function(X) -> function; true -> no end,
     if float(X) == Y -> float; X / Y > 1 -> ratio; true -> no end,
     if self() =:= X; node() =:= X -> own; true -> no end,
     if (X =:= a andalso hd(Y) =:= b) or (Y =:= b) -> or_strict; true -> no end,
     if ceil(X) - floor(X) =:= 1 -> broken; true -> no end,
     if size(X) =:= Y; tl(X) =:= Y -> size; true -> no end].

-spec case_guard(term()) -> term().
case_guard(X) ->
    case X of
        {A, B} when A > B, A - B > 1; B =:= none -> first;
        {A, A} -> equal;
        [A, B | _] when A + B > 3 -> sum;
        [_ | T] when length(T) > 1 -> long;
        #{a := A} when A > 1; map_size(X) > 3 -> map;
        <<A, _/binary>> when A > $a -> letter;
        A when is_number(A), A * 0 == 0 -> number;
        "abc" -> abc;
        _ -> other
    end.

-spec switch_strings(string() | binary() | atom() | float()) -> term().
switch_strings("") -> empty;
switch_strings("a") -> a;
switch_strings("ab" ++ _) -> ab;
switch_strings(<<"a">>) -> bin_a;
switch_strings(<<"ab", R/binary>>) -> {bin_ab, R};
switch_strings(<<>>) -> bin_empty;
switch_strings('Ünï') -> unicode_atom;
switch_strings('日本') -> japan;
switch_strings('x y') -> spaced;
switch_strings('') -> nameless;
switch_strings(0.0) -> zero;
switch_strings(1.0) -> one;
switch_strings(X) -> X.
