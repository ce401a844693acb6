%% A user of another module's opaque type.
-module(stack_user).
-export([drain/1, keep/1]).

-spec drain(stack:stack()) -> integer().
drain(S) ->
    case stack:size(S) of
        2 -> {ok, X, Rest} = stack:pop(S), {ok, Y, _} = stack:pop(Rest), 100 div (X - Y - 5);
        _ -> 0
    end.

-spec keep(stack:stack()) -> stack:stack().
keep(S) -> S.
