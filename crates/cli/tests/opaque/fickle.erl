%% Functions that do not keep their word.
-module(fickle).
-export([counted/1, clocked/1]).

%% Every call gives another answer.
next(_) ->
    N = case get(count) of undefined -> 0; Count -> Count end,
    put(count, N + 1),
    N.

-spec counted(integer()) -> ok.
counted(X) ->
    case {next(X), next(X)} of
        {A, A} -> error(bug);
        _ -> ok
    end.

now_and_then(_) -> erlang:unique_integer([positive, monotonic]).

-spec clocked(integer()) -> ok.
clocked(X) ->
    case now_and_then(X) =:= now_and_then(X) of
        true -> error(bug);
        false -> ok
    end.
