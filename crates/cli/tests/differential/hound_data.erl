%% Data: records in records, wide tuples, comprehensions over everything, funs kept in data, names in every script.
-module(hound_data).
-compile(export_all).
-compile(nowarn_export_all).

-record(inner, {a = 1, b = [] :: list()}).
-record(outer, {in = #inner{}, many = [], name = 'näme' :: atom()}).

%%% Records

-spec records(term(), term()) -> term().
records(A, B) ->
    O = #outer{many = [#inner{a = A}, #inner{b = [B]}]},
    O2 = O#outer{in = (O#outer.in)#inner{a = B}, name = other},
    O3 = O2#outer{many = [I#inner{b = [I#inner.a | I#inner.b]} || I <- O2#outer.many]},
    {O3, (O3#outer.in)#inner.a, [X || #inner{a = X, b = [_ | _]} <- O3#outer.many], #outer.many, record_info(size, outer),
     record_info(fields, inner), #outer{_ = A}}.

-spec record_errors(term()) -> term().
record_errors(X) ->
    [try F() catch C:R -> {C, R} end
     || F <- [fun() -> X#outer.in end, fun() -> X#outer{name = 1} end, fun() -> #inner{a = A} = X, A end,
              fun() -> (X#outer.in)#inner.a end, fun() -> is_record(X, outer) andalso X#outer.name end,
              fun() -> is_record(X, inner, 3) end]].

-spec record_cases(term()) -> term().
record_cases(#outer{in = #inner{a = A, b = []}, many = M}) when A > 0 -> {plain, M};
record_cases(#outer{in = #inner{b = B}}) -> {listed, B};
record_cases(#inner{a = #inner{a = A}}) -> {nested, A};
record_cases(R) when is_record(R, inner) -> inner;
record_cases(_) -> none.

%%% Wide and long

-spec wide(1..300, term()) -> term().
wide(N, X) ->
    T = erlang:make_tuple(300, 0, [{N, X}]),
    T2 = setelement(301 - N, T, {X}),
    {element(N, T2), element(301 - N, T2), tuple_size(T2), T2 =:= T, T2 > T, erlang:append_element(T2, N) > T2}.

-spec literals(1..6) -> term().
literals(1) -> {1, 2.5, <<"bin">>, "list", #{a => [1 | 2]}, atom, [], {}, <<1:3>>, 'Ünï', -0.0};
literals(2) -> #{1 => a, 1.0 => b, "s" => c, <<"b">> => d, {t} => e, [] => f, #{} => g};
literals(3) -> [16#FFFFFFFFFFFFFFFFFFFF, -(1 bsl 64), $\x{1F600}, 2#1011, 36#ZZ, 1.0e-300, $\n];
literals(4) -> "日本語 ünï" ++ [0, 16#10FFFF];
literals(5) -> [fun lists:map/2, fun ?MODULE:wide/2];
literals(6) -> {'日本', 'a b', 'A', 'it\'s', 'new\nline', '', '\x{1F600}', '_x', 'end'}.

-spec atoms(atom(), string()) -> term().
atoms(A, S) ->
    {atom_to_list(A), atom_to_binary(A), catch list_to_atom(S), catch element(1, {binary_to_atom(unicode:characters_to_binary(S))}),
     A < 'Ünï', A =:= 'näme', lists:sort(['日本', b, A, 'B', 'é']), io_lib:format("~w ~p ~ts", [A, A, A])}.

%%% Comprehensions

-spec nested(bitstring(), [term()], #{term() => term()}) -> term().
nested(Bits, List, Map) ->
    {[{X, Y, Z} || <<X:2, R:2/bits>> <= Bits, <<Y:1>> <= R, Z <- [X, Y], Z =:= Y],
     << <<(length([Y || Y <- List, Y =:= X])):8, X:4>> || <<X:4>> <= Bits >>,
     [[{K, V} || {K, V} <- maps:to_list(Map), K =:= X] || X <- List],
     [[Y || Y <- lists:seq(1, X)] || X <- List, is_integer(X), X < 5],
     << <<B/binary>> || B <- List, is_binary(B) >>,
     [X || <<X/utf8>> <= << <<(abs(C) rem 55000)/utf8>> || C <- List, is_integer(C) >>],
     [{A, B} || {A, B} <- List, A < B] ++ [A || [A | _] <- List, begin T = A, is_atom(T) end],
     << <<X:N>> || X <- [1, 2, 3], N <- [1, 2] >>}.

-spec shadowed(term(), [term()]) -> term().
shadowed(X, L) ->
    Y = X,
    {[X || X <- L], [{X, Y} || X <- L, Y <- [X]], (fun(X) -> X end)(Y), (fun(_) -> X end)(Y), [case Z of X -> same; _ -> other end || Z <- L], [Y || Y <- L, Y =:= X]}.

-spec filters([term()], term()) -> term().
filters(L, F) ->
    {[X || X <- L, hd(X) =:= a], catch [X || X <- L, is_integer(X), F], [X || X <- L, X > 1, X < 100], [X || {ok, X} <- L] ++ [X || X = [_] <- L],
     try [X || X <- L, erlang:element(1, X) =:= F] catch C:R -> {C, R} end}.

%%% Funs

-spec kept(term(), [integer()]) -> term().
kept(X, L) ->
    Table = #{add => fun(Y) -> {X, Y} end, sub => fun Loop([]) -> X; Loop([_ | T]) -> Loop(T) end, const => fun() -> X end},
    Stack = [{N, fun(M) -> {N, M, X} end} || N <- L],
    #{add := Add} = Table,
    {Add(1), (maps:get(sub, Table))(L), (maps:get(const, Table))(), [F(N) || {N, F} <- Stack],
     lists:foldl(fun(F, A) -> F(A) end, 0, [fun(A) -> A + N end || N <- L]), catch (maps:get(add, Table))(1, 2),
     is_function(Add, 1), erlang:fun_info(Add, arity), (element(2, {x, fun ?MODULE:twice/1}))(L)}.

twice(X) -> {X, X}.

-spec named(0..30, term()) -> term().
named(N, X) ->
    F = fun Even(0) -> {true, X}; Even(M) -> (fun Odd(0) -> {false, X}; Odd(K) -> Even(K - 1) end)(M - 1) end,
    Fib = fun Fib(0) -> 0; Fib(1) -> 1; Fib(M) when M < 15 -> Fib(M - 1) + Fib(M - 2); Fib(_) -> many end,
    {F(N), catch Fib(N), (fun Self() -> is_function(Self, 0) end)()}.

-spec curried(integer(), integer(), integer()) -> term().
curried(A, B, C) ->
    Add = fun(X) -> fun(Y) -> fun(Z) -> {X + Y * Z, A, B, C} end end end,
    Compose = fun(Fs) -> lists:foldr(fun(F, G) -> fun(X) -> F(G(X)) end end, fun(X) -> X end, Fs) end,
    Y = fun(F) -> (fun(X) -> F(fun(V) -> (X(X))(V) end) end)(fun(X) -> F(fun(V) -> (X(X))(V) end) end) end,
    Sum = Y(fun(Self) -> fun([]) -> 0; ([H | T]) -> H + Self(T) end end),
    {((Add(A))(B))(C), (Compose([fun(X) -> X + 1 end, fun(X) -> X * 2 end]))(A), Sum([A, B, C]), Add =:= Add}.

-spec sorted_by([term()], term()) -> term().
sorted_by(L, Pivot) ->
    {lists:sort(fun(A, B) -> {A < Pivot, A} =< {B < Pivot, B} end, L), lists:partition(fun(X) -> X < Pivot end, L),
     lists:keysort(1, [{X, N} || {X, N} <- lists:zip(L, lists:seq(1, length(L)))]), lists:usort([{X =:= Pivot, X} || X <- L]),
     lists:foldl(fun(X, Acc) -> Acc#{X => maps:get(X, Acc, 0) + 1} end, #{}, L)}.

%%% Maps as patterns and in patterns

-spec map_shapes(term(), term()) -> term().
map_shapes(#{a := #{b := [#{c := C} | _]}}, _) -> {deep, C};
map_shapes(#{1 := X, 1.0 := Y}, _) -> {both, X, Y};
map_shapes(#{{a, b} := X} = M, K) -> {pair, X, maps:remove(K, M)};
map_shapes(M, K) when is_map(M), not is_map_key(K, M) -> {added, M#{K => #{K => M}}};
map_shapes(M, K) when is_map(M) -> #{K := V} = M, {updated, M#{K := {V}}, maps:without([K], M)};
map_shapes([#{} = A, #{} = B], _) -> maps:merge(A, B);
map_shapes(_, _) -> none.

-spec map_growth([term()]) -> term().
map_growth(L) ->
    M = lists:foldl(fun({N, X}, Acc) -> Acc#{{N rem 37, X} => N, N => X} end, #{}, lists:zip(lists:seq(1, length(L)), L)),
    M2 = maps:filter(fun(K, _) -> is_integer(K) end, M),
    {map_size(M), maps:to_list(M2), M =:= maps:merge(M, M2), maps:fold(fun(K, _, A) -> maps:remove(K, A) end, M, M), M2 < M,
     lists:sort(maps:values(M2)) =:= lists:sort(L)}.

-spec equal_keys(term(), term()) -> term().
equal_keys(A, B) ->
    M = #{A => 1, B => 2, {A} => 3, [B] => 4},
    {map_size(M), M, maps:get(A, M), A == B, A =:= B, maps:find({B}, M), #{A => x} =:= #{B => x}, #{A => x} == #{B => x}, {A} < {B}, [A] =< [B]}.

%%% Binaries

-spec parts(binary(), integer(), integer()) -> term().
parts(B, From, Len) ->
    {catch binary_part(B, From, Len), catch binary:part(B, {From, Len}), case B of <<_:From/binary, P:Len/binary, R/bits>> -> {P, R}; _ -> none end,
     catch split_binary(B, From), [X || <<X:Len/binary>> <= B, Len > 0], catch <<B:From/binary, 0:Len>>}.

-spec mixed_build(integer(), bitstring(), float()) -> term().
mixed_build(N, B, F) ->
    X = <<N:13, B/bits, F/float, "text", "ünï"/utf8, N:9/little-signed, (-N):3/unit:7>>,
    <<A:13, Rest/bits>> = X,
    S = bit_size(B),
    <<C:S/bits, D/float, _:4/binary, E:5/binary, G:9/little-signed, H:21/signed>> = Rest,
    {A, C =:= B, D =:= F, E, G, H, <<Rest/bits, 1:1>>, erlang:crc32(<<X/bits, 0:((8 - bit_size(X) rem 8) rem 8)>>)}.

-spec reversed(bitstring()) -> term().
reversed(B) -> {reverse_bits(B, <<>>), [X || <<X:1>> <= B], << <<(X bxor 1):1>> || <<X:1>> <= B >>}.

reverse_bits(<<X:1, R/bits>>, Acc) -> reverse_bits(R, <<X:1, Acc/bits>>);
reverse_bits(<<>>, Acc) -> Acc.

-spec long_names(250..260, 0..1100, binary()) -> term().
long_names(N, M, B) ->
    Long = binary:copy(<<"n">>, N),
    [try size(atom_to_binary(binary_to_atom(X))) catch error:R -> R end
     || X <- [Long, <<Long/binary, B/binary>>, <<B/binary, Long/binary>>, <<Long:254/binary, 16#C3, 16#A9>>,
              <<Long:254/binary, 16#C0, Long/binary>>, <<16#C0, (binary:copy(<<"x">>, M))/binary>>]].

-spec large_sizes(binary(), integer(), integer()) -> term().
large_sizes(B, M, N) ->
    Sizes = [{X, Y} || X <- [M, -1, a, 1 bsl 58, 1 bsl 59, 1 bsl 64], Y <- [N, -1, a, 1 bsl 64], X =:= -1 orelse X =:= a orelse Y < 0 orelse Y > 1 bsl 59],
    [try size(F(X, Y)) catch error:R -> R end
     || {X, Y} <- Sizes, F <- [fun(P, Q) -> <<B:P/binary, 0:Q>> end, fun(P, Q) -> <<0:Q, B:P/binary>> end, fun(P, Q) -> <<0:P, B:Q/binary>> end]].
