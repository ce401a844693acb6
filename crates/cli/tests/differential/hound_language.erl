%% The language itself, one construct a function: what the compiler makes of each must run as on the VM.
-module(hound_language).
-compile(export_all).
-compile(nowarn_export_all).

-record(point, {x = 0, y = 0 :: integer(), tag}).

%%% Bitstrings: matching

-spec packet(bitstring()) -> term().
packet(<<Length:8, Body:Length/binary, Sum:16, Rest/bits>>) -> {packet, Body, Sum, Rest};
packet(<<1:1, Flag:3, Length:4, Body:Length/bits, Rest/bitstring>>) -> {odd, Flag, Body, Rest};
packet(<<"GET ", Rest/binary>>) -> {get, Rest};
packet(Other) -> {none, Other}.

-spec integers(bitstring()) -> term().
integers(<<A:3, B:5/signed, C:16/little, D:12/little-signed, E/signed, Rest/bits>>) -> {A, B, C, D, E, Rest};
integers(<<A:7/little, B:9/little-signed, _/bits>>) -> {A, B};
integers(<<A:70/big-signed>>) -> {big, A};
integers(_) -> short.

-spec wide(binary()) -> term().
wide(<<A:100/little-unsigned-integer, B:28/signed, Rest/binary>>) -> {A, B, Rest};
wide(<<A:4/unit:16, Rest/binary>>) -> {A, Rest};
wide(<<A:3/little-unit:8>>) -> A;
wide(B) -> byte_size(B).

-spec floats(bitstring()) -> term().
floats(<<F:64/float, Rest/bits>>) -> {double, F, Rest};
floats(<<F:32/float-little, Rest/bits>>) -> {single, F, Rest};
floats(<<F:16/float, _/bits>>) -> {half, F};
floats(_) -> none.

-spec small_floats(bitstring()) -> term().
small_floats(B) -> {[F || <<F:32/float>> <= B], [F || <<F:16/float-little>> <= B]}.

-spec utf(binary()) -> term().
utf(B) -> {utf8(B, []), utf16(B, []), utf32(B, [])}.

utf8(<<C/utf8, Rest/binary>>, Acc) -> utf8(Rest, [C | Acc]);
utf8(Rest, Acc) -> {Acc, Rest}.
utf16(<<C/utf16-little, Rest/binary>>, Acc) -> utf16(Rest, [C | Acc]);
utf16(Rest, Acc) -> {Acc, Rest}.
utf32(<<C/utf32, Rest/binary>>, Acc) -> utf32(Rest, [C | Acc]);
utf32(Rest, Acc) -> {Acc, Rest}.

-spec sized(term(), term()) -> term().
sized(Size, Bits) ->
    case Bits of
        <<A:Size, _/bits>> -> {int, A};
        <<A:(Size div 2)/binary, _/bits>> -> {bin, A};
        _ -> none
    end.

-spec units(bitstring()) -> term().
units(<<A/binary>>) -> {bytes, A};
units(<<A/binary-unit:3>>) -> {threes, A};
units(<<A/bits>>) -> {bits, A}.

-spec literal_segments(binary()) -> term().
literal_segments(<<16#FF, 2.0/float, Rest/binary>>) -> {a, Rest};
literal_segments(<<"äö"/utf8, Rest/binary>>) -> {b, Rest};
literal_segments(<<0:16/little, X, X, Rest/binary>>) -> {c, X, Rest};
literal_segments(_) -> d.

-spec tlv(binary()) -> term().
tlv(<<T, L, V:L/binary, Rest/binary>>) -> [{T, V} | tlv(Rest)];
tlv(<<>>) -> [];
tlv(Junk) -> {junk, Junk}.

%%% Bitstrings: construction

-spec build(term(), term(), term()) -> term().
build(A, B, C) ->
    <<A:16, B:7/little, C/binary, (A + 1):13/signed-little>>.

-spec build_sized(integer(), 0..80, bitstring()) -> term().
build_sized(Value, Size, Bits) ->
    <<Value:Size, Bits/bits, Value:Size/little, (bit_size(Bits)):8>>.

-spec build_float(number(), 0..70) -> term().
build_float(F, Size) -> <<F/float, F:32/float-little, F:Size/float>>.

-spec build_utf(term()) -> term().
build_utf(C) -> <<C/utf8, C/utf16, C/utf16-little, C/utf32, C/utf32-little>>.

-spec build_part(binary(), integer()) -> term().
build_part(B, N) -> <<B:N/binary, N:8, B:2/binary-unit:4>>.

-spec grow([byte()]) -> term().
grow(L) -> lists:foldl(fun(B, Acc) -> <<Acc/binary, B, 1:2, 0:6>> end, <<>>, L).

-spec bit_comprehension(bitstring(), [integer()]) -> term().
bit_comprehension(B, L) ->
    {<< <<(X + 1):5>> || <<X:3>> <= B >>, [{X, Y} || X <- L, <<Y:4>> <= B, Y > X], << <<X/utf8>> || X <- L >>}.

%%% Maps

-spec config(#{atom() => term()}) -> term().
config(#{a := A, b := {B, _}} = M) -> {A, B, map_size(M)};
config(#{ok := _, true := true}) -> flagged;
config(#{} = M) when map_size(M) > 2 -> big;
config(M) when is_map(M) -> M#{added => 1};
config(_) -> none.

-spec update(term(), term(), term()) -> term().
update(M, K, V) -> {catch M#{K := V}, catch M#{K => V, {K} => V}, catch M#{a := 1, b => 2}}.

-spec keyed(term(), map()) -> term().
keyed(K, M) ->
    case M of
        #{K := V} -> {found, V};
        #{{K, 1} := V} -> {pair, V};
        _ -> #{K => M, 1.0 => x, 1 => y}
    end.

-spec big_map([{term(), term()}]) -> term().
big_map(Pairs) ->
    M = maps:from_list(Pairs ++ [{{pad, N}, N} || N <- lists:seq(1, 40)]),
    {maps:size(M), maps:to_list(M), maps:fold(fun(K, _, Acc) -> [K | Acc] end, [], M), maps:keys(maps:filter(fun(_, V) -> is_integer(V) end, M))}.

%%% Clauses, guards, order

-spec classify(term()) -> atom().
classify(X) when is_integer(X), X > 0, X rem 2 =:= 0 -> even;
classify(X) when is_integer(X); is_float(X) andalso X > 1.5 -> number;
classify(X) when is_atom(X) orelse is_binary(X) -> name;
classify(X) when is_function(X, 1) -> unary;
classify(X) when hd(X) =:= a; element(1, X) =:= b -> tagged;
classify(X) when length(X) > 2 -> long;
classify([_ | _]) -> list;
classify(X) when tuple_size(X) =:= 2, not (element(2, X) == 1) -> pair;
classify(X) when is_map_key(a, X), map_get(a, X) > 1 -> keyed;
classify(X) when bit_size(X) rem 8 =/= 0 -> unaligned;
classify(#point{x = X}) when X >= 0 -> point;
classify(_) -> other.

-spec equalities(term(), term()) -> term().
equalities(A, B) ->
    {A == B, A =:= B, A < B, A =< B, A > B, A >= B, A /= B, A =/= B, max(A, B), min(A, B)}.

-spec choose(term()) -> term().
choose(X) ->
    if X > 10 -> big; X < 0, is_integer(X) -> negative; X == 5.0 -> five end.

-spec same(term(), term()) -> term().
same(X, X) -> same;
same({X, Y}, [Y, X | _]) -> swapped;
same(_, _) -> differ.

-spec literals(term()) -> term().
literals(1) -> one;
literals(1.0) -> one_float;
literals("abc") -> string;
literals(<<"abc">>) -> binary;
literals({a, [1, 2.5]}) -> nested;
literals(#{}) -> map;
literals([]) -> nil;
literals(123456789012345678901234567890) -> bignum;
literals(X) -> {X, fun lists:reverse/1, #{a => [1], 2 => <<5:3>>}}.

-spec wide_switch(integer() | atom()) -> term().
wide_switch(0) -> zero;
wide_switch(1) -> one;
wide_switch(a) -> a;
wide_switch(2) -> two;
wide_switch(N) when N =:= 7 -> seven;
wide_switch(3) -> three;
wide_switch(b) -> b;
wide_switch(10) -> ten;
wide_switch(-1) -> minus;
wide_switch(ok) -> ok;
wide_switch(_) -> other.

%%% Exceptions

-spec attempt(term(), term()) -> term().
attempt(F, X) ->
    try F(X) of
        1 -> one;
        Y when Y > 5 -> {big, Y}
    catch
        error:badarith -> arith;
        error:{badmatch, V} -> {badmatch, V};
        throw:T when is_atom(T) -> {thrown, T};
        exit:{R, _} -> {exited, R};
        Class:{case_clause, V}:Stack -> {Class, V, is_list(Stack)}
    after
        put(after_ran, true)
    end.

-spec nested_try(term()) -> term().
nested_try(X) ->
    try
        try 10 div X
        catch error:badarith when X =:= 0 -> throw(zero)
        after put(inner, X)
        end
    catch
        C:R -> {C, R, get(inner)}
    end.

-spec reraise(term()) -> term().
reraise(X) ->
    try hd(X)
    catch error:R:S -> erlang:raise(exit, {R, is_list(S)}, S)
    end.

-spec caught(term()) -> term().
caught(X) -> {catch throw(X), catch exit(X), element(1, catch error(X)), catch X}.

-spec after_raises(term()) -> term().
after_raises(X) ->
    try throw(first) after length(X) end.

-spec matches(term()) -> term().
matches(X) ->
    {A, [B | C]} = X,
    #{k := D} = A,
    {B, C, D}.

-spec from_try(term()) -> term().
from_try(L) ->
    Sum = try lists:sum(L) catch _:_ -> none end,
    case Sum of none -> 0; N -> N + 1 end.

-spec raise_kinds(1..10, term()) -> term().
raise_kinds(1, X) -> error(X);
raise_kinds(2, X) -> error(X, [a]);
raise_kinds(3, X) -> exit(X);
raise_kinds(4, X) -> throw(X);
raise_kinds(5, X) -> X();
raise_kinds(6, X) -> X:f(1);
raise_kinds(7, X) -> lists:X(1);
raise_kinds(8, X) -> apply(X, [1]);
raise_kinds(9, X) -> apply(X, f, [1]);
raise_kinds(10, X) -> nosuchmodule:f(X).

%%% Funs

-spec closures(integer(), [integer()]) -> term().
closures(N, L) ->
    Add = fun(X) -> X + N end,
    Twice = fun(F) -> fun(X) -> F(F(X)) end end,
    Fact = fun Fact(0) -> 1; Fact(K) when K > 0, K < 50 -> K * Fact(K - 1) end,
    {lists:map(Twice(Add), L), catch Fact(N), [(fun(X, Y) -> X * Y end)(A, B) || A <- L, B <- L, A < B]}.

-spec fun_values(term(), term()) -> term().
fun_values(F, X) ->
    Fs = [fun erlang:abs/1, fun ?MODULE:classify/1, fun choose/1, F],
    [try G(X) catch C:R -> {C, strip(R)} end || G <- Fs].

strip({badarity, {_, Args}}) -> {badarity, Args};
strip({badfun, _}) -> badfun;
strip(R) -> R.

-spec is_fun(term()) -> term().
is_fun(F) ->
    {is_function(F), is_function(F, 1), catch is_function(F, a), is_function(fun is_fun/1, 1), erlang:fun_info(fun lists:map/2, arity)}.

-spec dynamic(atom(), term()) -> term().
dynamic(Name, X) ->
    M = case X of 1 -> lists; _ -> erlang end,
    {catch M:Name(X), catch apply(M, Name, [X, X])}.

%%% Comprehensions, records, deep and long things

-spec comprehend([term()], [integer()]) -> term().
comprehend(L, M) ->
    {[X || X <- L, is_integer(X), X > 1], [{X, Y} || {X, _} <- L, Y <- M, Y rem 2 =:= 0], [X || [X | _] <- L], [ok || _ <- M, true]}.

-spec bad_generator(term()) -> term().
bad_generator(L) -> [X || X <- L].

-spec bad_filter(term()) -> term().
bad_filter(F) -> [X || X <- [1, 2], F].

-spec records(term(), integer()) -> term().
records(T, N) ->
    P = #point{y = N, tag = T},
    Q = P#point{x = N + 1},
    {P, Q#point.x, #point.tag, is_record(Q, point), catch T#point.x, catch T#point{y = 1}}.

-spec count(0..20000) -> term().
count(N) -> count(N, 0).
count(0, Acc) -> Acc;
count(N, Acc) -> count(N - 1, Acc + N).

-spec deep(0..20000) -> term().
deep(0) -> 0;
deep(N) -> 1 + deep(N - 1).

-spec mutual(0..3000) -> boolean().
mutual(0) -> true;
mutual(N) -> not mutual2(N - 1).
mutual2(0) -> false;
mutual2(N) -> not mutual(N - 1).

-spec boolean(term(), term()) -> term().
boolean(A, B) -> {catch A and B, catch A or B, catch A xor B, catch not A, catch (A andalso B), catch (A orelse B)}.

-spec arithmetic(term(), term()) -> term().
arithmetic(A, B) ->
    [catch bare(F, A, B) || F <- ['+', '-', '*', '/', 'div', 'rem', 'band', 'bor', 'bxor']].

bare(F, A, B) -> try erlang:F(A, B) catch C:R -> {C, R} end.

-spec signs(term()) -> term().
signs(A) -> {catch element(1, {+A}), catch element(1, {-A}), catch element(1, {+(-A)}), [+X || X <- [A], is_float(X)]}.

-spec shifts(integer(), -200..200) -> term().
shifts(A, B) -> {A bsl B, A bsr B, bnot A, -A, +A, A * A * A}.

-spec concat(term(), term()) -> term().
concat(A, B) -> {catch element(1, {A ++ B}), catch element(1, {A -- B}), ["lit" ++ Rest || Rest <- [A], is_list(Rest)]}.

-spec prefix(string()) -> term().
prefix("abc" ++ Rest) -> {abc, Rest};
prefix([$x, Y | _]) -> Y;
prefix(_) -> none.

-spec maybe_receive(term()) -> term().
maybe_receive(X) ->
    case X of
        never_this_atom -> receive Y -> Y end;
        _ -> done
    end.
