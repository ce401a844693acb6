%% A cube that must equal a sum: non-linear for a solver, easy for a search.
-module(dart).
-export([dart/2]).

-spec dart(integer(), integer()) -> ok | done.
dart(X, Y) ->
    A = X * X * X,
    B = Y + 3,
    case A =:= B of
        true -> hound_target(); % reachable
        false -> done
    end.

hound_target() ->
    ok.
