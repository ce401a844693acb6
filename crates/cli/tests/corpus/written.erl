%% Programs that write while they work, shifts that go far, and calls by the names of modules.
%? calls
%! debug/1 crash error:bug@debug complete
%! format/1 crash error:badarg@format
%! sign/2 crash error:sign@sign error:system_limit@shift
%! back/2 crash error:back@back error:system_limit@left
%! dispatch/2 crash error:undef@dispatch error:badarith@ratio
-module(written).
-export([debug/1, format/1, sign/2, back/2, dispatch/2, ratio/1]).

-spec debug(integer()) -> ok.
debug(X) ->
    io:format("got ~p~n", [X]),
    io:put_chars("and goes on\n"),
    case X of
        77 -> error(bug); %@debug
        _ -> ok
    end.

-spec format(0..300) -> ok.
format(C) ->
    ok = io:format("~s ~w~n", [[C], C]), %@format
    ok.

-spec sign(integer(), integer()) -> ok.
sign(X, N) ->
    case X bsr N of %@shift
        -1 when N > 5000 -> error(sign); %@sign
        _ -> ok
    end.

-spec back(integer(), integer()) -> ok.
back(X, N) ->
    case X bsl N of %@left
        40 when N < -2 -> error(back); %@back
        _ -> ok
    end.

-spec dispatch(written | other, -2..2) -> float().
dispatch(Module, X) -> Module:ratio(X) + 0.0. %@dispatch

-spec ratio(integer()) -> float().
ratio(X) -> 10 / X. %@ratio
