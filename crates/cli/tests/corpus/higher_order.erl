%% Code with known funs and comprehensions.
%? funs
%! apply_all/1 crash error:badarith@apply
%! compose/1 crash error:bug@compose
%! filtered/1 crash error:bug@filtered
%! pairs/2 crash error:bug@pairs
%! partition/1 crash error:bug@partition
%! table/1 safe
%! every/1 crash error:bug@every
-module(higher_order).
-export([apply_all/1, compose/1, filtered/1, pairs/2, partition/1, table/1, every/1]).

-spec apply_all([integer()]) -> [integer()].
apply_all(L) -> lists:map(fun(X) -> 100 div (X - 4) end, L). %@apply

-spec compose(integer()) -> integer().
compose(X) ->
    F = fun(A) -> A * 3 end,
    G = fun(A) -> F(A) - 5 end,
    case G(F(X)) of
        40 -> error(bug); %@compose
        R -> R
    end.

-spec filtered([integer()]) -> [integer()].
filtered(L) ->
    case [X * 2 || X <- L, X > 10, X < 20] of
        [24, 36 | _] -> error(bug); %@filtered
        R -> R
    end.

-spec pairs([1..5], [1..5]) -> ok.
pairs(A, B) ->
    case [{X, Y} || X <- A, Y <- B, X + Y =:= 9, X < Y] of
        [] -> ok;
        [_ | _] -> error(bug) %@pairs
    end.

-spec partition([integer()]) -> ok.
partition(L) ->
    case lists:partition(fun(X) -> X > 0 end, L) of
        {[_, _], [_]} -> error(bug); %@partition
        _ -> ok
    end.

-spec table(add | sub | neg) -> integer().
table(Op) ->
    Fs = [{add, fun(X) -> X + 1 end}, {sub, fun(X) -> X - 1 end}, {neg, fun(X) -> -X end}],
    {Op, F} = lists:keyfind(Op, 1, Fs),
    F(5).

-spec every([integer()]) -> ok.
every(L) ->
    case length(L) > 1 andalso lists:all(fun(X) -> X rem 3 =:= 1 end, L) of
        true -> error(bug); %@every
        false -> ok
    end.
