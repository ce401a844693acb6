%% The absolute value of a 32-bit integer is negative for exactly one of them.
-module(narrow).
-export([narrow/1]).

-spec narrow(-16#80000000..16#7fffffff) -> ok | done.
narrow(X) ->
    Y = if
            X >= 0 -> X;
            true -> wrap(-X)
        end,
    case Y < 0 of
        true ->
            hound_target(); % reachable
        false ->
            done
    end.

%% Two's complement, 32 bits wide.
wrap(N) ->
    case N band 16#ffffffff of
        Low when Low >= 16#80000000 -> Low - 16#100000000;
        Low -> Low
    end.

hound_target() ->
    ok.
