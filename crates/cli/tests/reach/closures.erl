%% Funs: made here, stored, chosen by an input, called through variables, folded with.
-module(closures).
-export([apply_all/2, choose/2, fold/1, compose/2]).

-spec apply_all(integer(), integer()) -> atom().
apply_all(A, B) ->
    Add = fun(X) -> X + A end,
    Twice = fun(F, X) -> F(F(X)) end,
    case Twice(Add, B) of
        100 when A > 30 ->
            hundred; % reachable
        Same when Same =/= B + A + A ->
            wrong; % unreachable
        _ ->
            other
    end.

-spec choose(plus | times | minus, integer()) -> atom().
choose(Name, N) ->
    Operation = operation(Name),
    case Operation(N, 6) of
        42 when Name =:= times ->
            answer; % reachable
        R when R > N, Name =:= minus ->
            more; % unreachable
        _ ->
            other
    end.

operation(plus) -> fun(A, B) -> A + B end;
operation(times) -> fun(A, B) -> A * B end;
operation(minus) -> fun(A, B) -> A - B end.

-spec fold([integer()]) -> atom().
fold(List) ->
    Count = fun(X, {Odd, Even}) when X rem 2 =:= 0 -> {Odd, Even + 1};
               (_, {Odd, Even}) -> {Odd + 1, Even}
            end,
    case lists:foldl(Count, {0, 0}, List) of
        {2, 2} ->
            balanced; % reachable
        {Odd, _} when Odd < 0 ->
            negative; % unreachable, by induction
        _ ->
            other
    end.

-spec compose(fun((integer()) -> integer()), integer()) -> atom().
compose(F, X) ->
    case F(F(X) + 1) of
        Y when Y =:= 77, X =/= 77 ->
            found; % reachable
        _ ->
            other
    end.
