%% Calls a module whose code cannot be looked into: `vendor.erl`, compiled without debug information.
-module(caller).
-export([same/2]).

-spec same(integer(), integer()) -> ok.
same(X, Y) ->
    case vendor:code(Y) of
        X when Y =:= 10 -> error(bug);
        _ -> ok
    end.
