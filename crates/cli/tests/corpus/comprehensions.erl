%% Comprehensions: nested, with filters, patterns and generators that depend on each other.
%! pythagoras/1 crash error:{found,_}@pyth complete
%! cross/2 crash error:bug@cross
%! transpose/1 crash error:function_clause@hd
%! inverse/1 crash error:badarith@inverse
%! pairs/1 crash error:{duplicate,_}@duplicate
%! life/1 crash error:lonely@lonely
%! flatten/1 crash error:bug@flatten
%! select/1 crash error:bad_filter@select
%! triangle/1 safe complete
%! unzip/1 crash error:bug@unzip
%! evens/1 crash error:odd_sum@oddsum
%! matrix/2 crash error:shape@shape error:{trace,_}@trace
-module(comprehensions).
-export([pythagoras/1, cross/2, transpose/1, evens/1, inverse/1, pairs/1, life/1, matrix/2, queens/1, flatten/1, select/1, triangle/1, unzip/1]).

-spec pythagoras(1..13) -> list().
pythagoras(N) ->
    case [{A, B, C} || A <- lists:seq(1, N), B <- lists:seq(A, N), C <- lists:seq(B, N), A * A + B * B =:= C * C] of
        [_, _ | _] = L -> error({found, L}); %@pyth
        L -> L
    end.

-spec cross([1..5], [a | b | c]) -> list().
cross(A, B) ->
    Pairs = [{X, Y} || X <- A, Y <- B, X > 2, Y =/= a],
    case Pairs of
        [{3, b}, {5, b}] -> error(bug); %@cross
        _ -> Pairs
    end.

-spec transpose([[integer()]]) -> [[integer()]].
transpose([[] | _]) -> []; %@hd
transpose([[_ | _] | _] = M) -> [[H || [H | _] <- M] | transpose([T || [_ | T] <- M])].

-spec evens([integer()]) -> [integer()].
evens(L) ->
    Es = [X || X <- L, X rem 2 =:= 0, X > 0],
    case lists:sum(L) rem 2 of
        1 when length(Es) =:= 2 -> error(odd_sum); %@oddsum
        _ -> Es
    end.

-spec inverse([{ok, integer()} | {error, atom()}]) -> [integer()].
inverse(L) -> [1000 div (X - 10) || {ok, X} <- L, X > 5]. %@inverse

-spec pairs([{atom(), integer()}]) -> ok.
pairs(L) ->
    case [K || {K, V} <- L, {K2, V2} <- L, K =:= K2, V < V2] of
        [] -> ok;
        [K | _] -> error({duplicate, K}) %@duplicate
    end.

-type cell() :: {0..2, 0..2}.
-spec life([cell()]) -> [cell()].
life(Cells) ->
    Alive = fun(C) -> lists:member(C, Cells) end,
    Neighbours = fun({X, Y}) ->
        length([1 || DX <- [-1, 0, 1], DY <- [-1, 0, 1], {DX, DY} =/= {0, 0}, Alive({X + DX, Y + DY})])
    end,
    Next = [C || C <- Cells, N <- [Neighbours(C)], N =:= 2 orelse N =:= 3],
    case {Cells, Next} of
        {[_, _, _], [_]} -> error(lonely); %@lonely
        _ -> Next
    end.

-type row() :: {integer(), integer()}.
-spec matrix([row()], [row()]) -> [row()].
matrix(A, B) when length(A) =/= length(B) -> error(shape); %@shape
matrix(A, B) ->
    Sum = [{X1 + X2, Y1 + Y2} || {{X1, Y1}, {X2, Y2}} <- lists:zip(A, B)],
    case Sum of
        [{X, _}, {_, Y}] when X + Y =:= 100, X > Y -> error({trace, X + Y}); %@trace
        _ -> Sum
    end.

-spec queens([1..4]) -> boolean().
queens(Qs) ->
    Indexed = lists:zip(lists:seq(1, length(Qs)), Qs),
    Clash = [1 || {I, Q} <- Indexed, {J, R} <- Indexed, I < J, Q =:= R orelse abs(Q - R) =:= J - I],
    case Clash =:= [] andalso length(Qs) =:= 4 of
        true -> error({solved, Qs});
        false -> false
    end.

-type deep() :: integer() | [deep()].
-spec flatten(deep()) -> [integer()].
flatten(D) ->
    case flat(D) of
        [1, 2, 3] when is_list(hd(D)) -> error(bug); %@flatten
        L -> L
    end.
flat(N) when is_integer(N) -> [N];
flat(L) -> lists:append([flat(X) || X <- L]).

-spec select([{atom(), term()}]) -> [atom()].
select(L) -> [K || {K, V} <- L, check(V)].
check(V) when is_integer(V) -> V > 0;
check([_ | _]) -> true;
check({bad, N}) when N >= 10 -> error(bad_filter); %@select
check(_) -> false.

-spec triangle(0..6) -> [pos_integer()].
triangle(0) -> [1];
triangle(N) -> P = triangle(N - 1), lists:zipwith(fun(A, B) -> A + B end, [0 | P], P ++ [0]).

-spec unzip([{boolean(), 0..3}]) -> {[boolean()], [0..3]}.
unzip(L) ->
    case {[A || {A, _} <- L], [B || {_, B} <- L]} of
        {[true, false, true], [B, B, B]} when B > 1 -> error(bug); %@unzip
        R -> R
    end.
