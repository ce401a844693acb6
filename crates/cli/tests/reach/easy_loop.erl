%% A loop that counts an input down, and a sum that must come out right.
-module(easy_loop).
-export([easy_loop/2]).

-spec easy_loop(integer(), integer()) -> ok | done.
easy_loop(X, Y) ->
    case X > 0 andalso X < 5000 of
        true ->
            {Left, Sum} = down(X, Y),
            if
                Left =:= 0, Sum =:= 700 ->
                    %% Any X with Y = 700 - X will do.
                    hound_target(); % reachable
                true ->
                    done
            end;
        false ->
            done
    end.

down(X, Sum) when X > 0 -> down(X - 1, Sum + 1);
down(X, Sum) -> {X, Sum}.

hound_target() ->
    ok.
