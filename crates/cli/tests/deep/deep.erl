%% Crashes behind loops of more than a thousand rounds.
-module(deep).
-export([halved/1, counted/1]).

%% Of floats: more rounds than the bound on depth has branches.
-spec halved(float()) -> ok.
halved(X) when X > 0.0, X < 1.0e6 ->
    case rounds(X, 0) of
        1500 -> error(found);
        _ -> ok
    end;
halved(_) ->
    ok.

rounds(X, N) when X < 1000.0 -> rounds(X + 0.5, N + 1);
rounds(_, N) -> N.

%% The bound on depth alone.
-spec counted(integer()) -> ok.
counted(X) ->
    case down(X) of
        yes when X > 1100 -> error(found);
        _ -> ok
    end.

down(X) when X > 0, X < 2000 -> down(X - 1);
down(0) -> yes;
down(_) -> no.
