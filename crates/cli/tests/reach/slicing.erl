%% Ten conditionals that have nothing to do with the target, which nothing reaches.
-module(slicing).
-export([slicing/10]).

-spec slicing(integer(), integer(), integer(), integer(), integer(),
              integer(), integer(), integer(), integer(), integer()) -> term().
slicing(X1, X2, X3, X4, X5, X6, X7, X8, X9, X10) ->
    A1 = if X1 > 0 -> X1 + 1; true -> X1 - 1 end,
    A2 = if X2 > 0 -> X2 + 1; true -> X2 - 1 end,
    A3 = if X3 > 0 -> X3 + 1; true -> X3 - 1 end,
    A4 = if X4 > 0 -> X4 + 1; true -> X4 - 1 end,
    A5 = if X5 > 0 -> X5 + 1; true -> X5 - 1 end,
    A6 = if X6 > 0 -> X6 + 1; true -> X6 - 1 end,
    A7 = if X7 > 0 -> X7 + 1; true -> X7 - 1 end,
    A8 = if X8 > 0 -> X8 + 1; true -> X8 - 1 end,
    A9 = if X9 > 0 -> X9 + 1; true -> X9 - 1 end,
    A10 = if X10 > 0 -> X10 + 1; true -> X10 - 1 end,
    Y = zero(),
    case Y of
        %% Y is zero, whatever came before.
        1 ->
            hound_target(); % unreachable
        _ ->
            [A1, A2, A3, A4, A5, A6, A7, A8, A9, A10]
    end.

%% In a function of its own, so that the compiler does not see it.
zero() ->
    0.

hound_target() ->
    ok.
