%% A function with three feasible paths, one of which fails.
%! foo/2 crash error:assertion@bug complete paths=3
-module(toy).
-export([foo/2]).

-spec foo(integer(), integer()) -> ok.
foo(X, Y) ->
    Z = 2 * Y,
    case X =:= 100000 andalso X < Z of
        true -> error(assertion); %@bug
        false -> ok
    end.
