%% Ten conditionals add to Y; behind Y > 0 it is never 0.
-module(unreach).
-export([unreachable/10]).

-spec unreachable(integer(), integer(), integer(), integer(), integer(),
                  integer(), integer(), integer(), integer(), integer()) -> ok | done.
unreachable(X1, X2, X3, X4, X5, X6, X7, X8, X9, X10) ->
    Y1 = if X1 > 0 -> 1; true -> 2 end,
    Y2 = if X2 > 0 -> Y1 + 1; true -> Y1 + 2 end,
    Y3 = if X3 > 0 -> Y2 + 1; true -> Y2 + 2 end,
    Y4 = if X4 > 0 -> Y3 + 1; true -> Y3 + 2 end,
    Y5 = if X5 > 0 -> Y4 + 1; true -> Y4 + 2 end,
    Y6 = if X6 > 0 -> Y5 + 1; true -> Y5 + 2 end,
    Y7 = if X7 > 0 -> Y6 + 1; true -> Y6 + 2 end,
    Y8 = if X8 > 0 -> Y7 + 1; true -> Y7 + 2 end,
    Y9 = if X9 > 0 -> Y8 + 1; true -> Y8 + 2 end,
    Y10 = if X10 > 0 -> Y9 + 1; true -> Y9 + 2 end,
    case Y10 > 0 of
        true ->
            case Y10 =:= 0 of
                true -> hound_target(); % unreachable
                false -> done
            end;
        false ->
            done
    end.

hound_target() ->
    ok.
