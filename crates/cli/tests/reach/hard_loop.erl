%% A loop whose number of iterations decides: only X = 1024 makes 8192 of it, and the sine of U must be positive.
-module(hard_loop).
-export([challenges/2]).

-spec challenges(integer(), float()) -> ok | done.
challenges(X, U) ->
    Result = loop(0, X, 0),
    case Result =:= 8192 of
        true ->
            case math:sin(U) > 0 of
                true -> hound_target(); % reachable
                false -> done
            end;
        false ->
            done
    end.

loop(I, X, Result) when I < X ->
    Next = case I rem 2 of
               0 -> Result - 1;
               _ -> Result + 17
           end,
    loop(I + 1, X, Next);
loop(_, _, Result) ->
    Result.

hound_target() ->
    ok.
