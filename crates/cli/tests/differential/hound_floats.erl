%% Numbers of both kinds: every operation on floats beside the numbers at which rounding, overflow and order change.
-module(hound_floats).
-compile(export_all).
-compile(nowarn_export_all).

%% Far larger ones only cost time.
-define(SMALL(X), X < 1 bsl 2000, X > -(1 bsl 2000)).

numbers() ->
    [0, 1, -1, 3, -7, 0.0, -0.0, 1.0, -1.0, 0.1, 1.5, -2.5, 0.5, 36.6, 1.0e16, 9007199254740991.0, 9007199254740992.0,
     (1 bsl 53) - 1, 1 bsl 53, (1 bsl 53) + 1, (1 bsl 54) + 3, -(1 bsl 53) - 1, 1.0e300, 1.0e308, -1.0e308,
     1.7976931348623157e308, -1.7976931348623157e308, 2.2250738585072014e-308, 5.0e-324, -5.0e-324, 1.0e-310,
     (1 bsl 64) + 1, 1 bsl 1023, (1 bsl 1024) - (1 bsl 970) - 1, (1 bsl 1024) - (1 bsl 970), 1 bsl 1024, -(1 bsl 1024),
     1 bsl 1100].

%% What F gives, or why it gives nothing. It is part of what every function here gives, whose expression is held to it.
seen(F) ->
    try F()
    catch
        Class:Reason -> {Class, Reason}
    end.

-spec sums(number()) -> term().
sums(X) when ?SMALL(X) -> [{seen(fun() -> X + N end), seen(fun() -> N + X end)} || N <- numbers()];
sums(_) -> large.

-spec differences(number()) -> term().
differences(X) when ?SMALL(X) -> [{seen(fun() -> X - N end), seen(fun() -> N - X end)} || N <- numbers()];
differences(_) -> large.

-spec products(number()) -> term().
products(X) when ?SMALL(X) -> [{seen(fun() -> X * N end), seen(fun() -> N * X end)} || N <- numbers()];
products(_) -> large.

-spec quotients(number()) -> term().
quotients(X) when ?SMALL(X) -> [{seen(fun() -> X / N end), seen(fun() -> N / X end)} || N <- numbers()];
quotients(_) -> large.

-spec of_two(number(), number()) -> term().
of_two(X, Y) when ?SMALL(X), ?SMALL(Y) ->
    [seen(F) || F <- [fun() -> X + Y end, fun() -> X - Y end, fun() -> X * Y end, fun() -> X / Y end, fun() -> X + X * Y end,
                      fun() -> (X + Y) / 2 end, fun() -> X div Y end, fun() -> X rem Y end, fun() -> X band Y end,
                      fun() -> max(X, Y) end, fun() -> min(X, Y) end, fun() -> {X < Y, X == Y, X =:= Y, X >= Y} end,
                      fun() -> math:pow(X, Y) end, fun() -> math:atan2(X, Y) end, fun() -> math:fmod(X, Y) end]];
of_two(_, _) -> large.

-spec of_anything(term(), term()) -> term().
of_anything(X, Y) ->
    [seen(F) || F <- [fun() -> X + Y end, fun() -> X * 1.5 end, fun() -> 1 / Y end, fun() -> float(X) end, fun() -> trunc(Y) end,
                      fun() -> -X end, fun() -> abs(Y) end, fun() -> math:sqrt(X) end, fun() -> is_float(X) end,
                      fun() -> is_number(Y) end, fun() -> {X < 1.5, 2.0 == Y, Y =< (1 bsl 53) + 1} end]].

-spec compared(number()) -> term().
compared(X) when ?SMALL(X) -> [{X < N, X =< N, X == N, X /= N, X =:= N, X =/= N, X > N, X >= N, N < X, max(X, N), min(N, X)} || N <- numbers()];
compared(_) -> large.

-spec whole(number()) -> term().
whole(X) when ?SMALL(X) ->
    [seen(F) || F <- [fun() -> trunc(X) end, fun() -> round(X) end, fun() -> floor(X) end, fun() -> ceil(X) end,
                      fun() -> float(X) end, fun() -> abs(X) end, fun() -> -X end, fun() -> +X end, fun() -> trunc(X * 100) end,
                      fun() -> round(X / 3) end, fun() -> X - trunc(X) end, fun() -> trunc(X) rem 7 end, fun() -> bnot X end]];
whole(_) -> large.

-spec functions(number()) -> term().
functions(X) when ?SMALL(X) ->
    Names = [acos, acosh, asin, asinh, atan, atanh, ceil, cos, cosh, erf, erfc, exp, floor, log, log10, log2, sin, sinh, sqrt,
             tan, tanh],
    [seen(fun() -> math:Name(X) end) || Name <- Names];
functions(_) -> large.

-spec powers(number()) -> term().
powers(X) when ?SMALL(X) ->
    [{seen(fun() -> math:pow(X, N) end), seen(fun() -> math:pow(N, X) end), seen(fun() -> math:fmod(X, N) end),
      seen(fun() -> math:fmod(N, X) end), seen(fun() -> math:atan2(X, N) end)} || N <- numbers()];
powers(_) -> large.

-spec written(number()) -> term().
written(X) when ?SMALL(X) ->
    [seen(F) || F <- [fun() -> <<X/float>> end, fun() -> <<X:32/float>> end, fun() -> <<X:16/float>> end,
                      fun() -> <<X/float-little>> end, fun() -> <<X:32/float-little>> end, fun() -> <<X:16/float-little>> end,
                      fun() -> <<3:4, X/float>> end, fun() -> <<X:8/float>> end,
                      fun() -> <<Y/float>> = <<X/float>>, Y end, fun() -> <<Y:32/float>> = <<X:32/float>>, Y end,
                      fun() -> <<Y/float-little>> = <<X/float-little>>, Y end, fun() -> <<N:64>> = <<X/float>>, N end,
                      fun() -> <<A, _:56>> = <<X/float>>, A end]];
written(_) -> large.

-spec read(binary()) -> term().
read(B) ->
    [seen(F) || F <- [fun() -> <<Y/float, _/binary>> = B, Y end, fun() -> <<Y:32/float, _/binary>> = B, Y end,
                      fun() -> <<Y:16/float, _/binary>> = B, Y end, fun() -> <<Y/float-little, _/binary>> = B, Y end,
                      fun() -> <<Y:32/float-little, _/binary>> = B, Y end, fun() -> <<Y:16/float-little, _/binary>> = B, Y end]].

%% All bits of a float, those of no number among them.
-spec read_bits(0..2047, 0..15, boolean()) -> term().
read_bits(Exponent, Fraction, Little) ->
    Bits = <<1:1, Exponent:11, Fraction:4, 0:48>>,
    Swapped = list_to_binary(lists:reverse(binary_to_list(Bits))),
    case if Little -> Swapped; true -> Bits end of
        <<X/float-little>> when Little -> {little, X};
        <<X/float>> when not Little -> {big, X};
        _ -> none
    end.

-spec texts(number()) -> term().
texts(X) when ?SMALL(X) ->
    [seen(F) || F <- [fun() -> float_to_list(X) end, fun() -> float_to_list(X, [{decimals, 2}]) end,
                      fun() -> float_to_list(X, [{decimals, 20}]) end, fun() -> float_to_list(X, [{decimals, 0}, compact]) end,
                      fun() -> float_to_binary(X, [{decimals, 4}, compact]) end, fun() -> float_to_binary(X, [short]) end,
                      fun() -> float_to_binary(X, [{scientific, 3}]) end, fun() -> list_to_float(float_to_list(X)) end,
                      fun() -> binary_to_float(float_to_binary(X, [short])) end]];
texts(_) -> large.

-spec read_texts(string(), binary(), 0..9, 0..99) -> term().
read_texts(S, B, D, E) ->
    [seen(F) || F <- [fun() -> list_to_float(S) end, fun() -> binary_to_float(B) end, fun() -> string:to_float(S) end,
                      fun() -> string:to_float(B) end, fun() -> list_to_float([$0 + D, $., $0 + D | S]) end,
                      fun() -> list_to_float(integer_to_list(E) ++ [$., $0 + D, $e, $- | integer_to_list(E)]) end,
                      fun() -> binary_to_float(<<($0 + D), ".25e+", (integer_to_binary(E * 4))/binary>>) end,
                      fun() -> string:to_float([$-, $0 + D, $., $0 + D, $e | S]) end]].

-spec guarded(number()) -> term().
guarded(X) when X / 2 > 1.0e307 -> large;
guarded(X) when abs(X) * 3.0 < 1 -> small;
guarded(X) when trunc(X) =:= X -> whole;
guarded(X) when X - trunc(X) == 0.5 -> half;
guarded(X) when is_float(X), round(X) > 100; is_integer(X) -> other;
guarded(X) -> {float, X}.

-spec statistics([number()]) -> term().
statistics(L) ->
    seen(fun() ->
                 Mean = lists:sum(L) / length(L),
                 {Mean, math:sqrt(lists:sum([(X - Mean) * (X - Mean) || X <- L]) / length(L))}
         end).
