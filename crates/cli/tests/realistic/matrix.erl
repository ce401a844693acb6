%% Vectors and matrices as lists, statistics, colours.
%! dot/2 bug error:function_clause@dot
%! row/2 bug error:function_clause@row
%! determinant/1 bug error:function_clause@determinant
%! mean/1 bug error:badarith@mean
%! normalize/1 bug error:badarith@normalize
%! percentile/2 bug error:function_clause@percentile
%! colour/1 bug error:badarg@colour
%! histogram/2 bug error:badarith@histogram
-module(matrix).
-export([dot/2, row/2, determinant/1, mean/1, normalize/1, percentile/2, colour/1, histogram/2]).

-type vector() :: [integer()].

-spec dot(vector(), vector()) -> integer().
dot([A | As], [B | Bs]) -> A * B + dot(As, Bs); %@dot
dot([], []) -> 0.

-spec row(pos_integer(), [vector()]) -> vector().
row(N, Rows) -> Row = lists:nth(N, Rows), Row ++ []. %@row

-spec determinant([vector()]) -> integer().
determinant([[A]]) -> A; %@determinant
determinant([[A, B], [C, D]]) -> A * D - B * C.

-spec mean([integer()]) -> float().
mean(Numbers) -> lists:sum(Numbers) / length(Numbers). %@mean

%% @doc Scaled so that the largest is 100.
-spec normalize([non_neg_integer()]) -> [integer()].
normalize([]) -> [];
normalize(Numbers) ->
    Max = lists:max(Numbers),
    [N * 100 div Max || N <- Numbers]. %@normalize

-spec percentile(0..100, [integer(), ...]) -> integer().
percentile(P, Numbers) ->
    Sorted = lists:sort(Numbers),
    lists:nth(length(Sorted) * P div 100, Sorted) + 0. %@percentile

%% @doc `#ff8000' as a triple.
-spec colour(string()) -> {0..255, 0..255, 0..255} | none.
colour([$#, A, B, C, D, E, F]) -> {hex([A, B]), hex([C, D]), hex([E, F])};
colour(_) -> none.

hex(Digits) -> list_to_integer(Digits, 16). %@colour

-spec histogram([non_neg_integer()], non_neg_integer()) -> #{integer() => pos_integer()}.
histogram(Numbers, Width) ->
    Add = fun(N, Acc) -> maps:update_with(N div Width, fun(Count) -> Count + 1 end, 1, Acc) end, %@histogram
    lists:foldl(Add, #{}, Numbers).
