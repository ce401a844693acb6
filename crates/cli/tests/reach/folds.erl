%% Loops whose number of rounds decides, written with folds, comprehensions and maps of the library.
-module(folds).
-export([folded/2, captured/2, summed/1, filtered/2, mapped/1, nested/1, paired/1, keyed/1]).

-spec folded(integer(), float()) -> ok | done.
folded(X, U) ->
    Step = fun(I, Sum) ->
                   case I rem 2 of
                       0 -> Sum - 1;
                       _ -> Sum + 17
                   end
           end,
    case lists:foldl(Step, 0, lists:seq(0, X - 1)) of
        8192 ->
            case math:sin(U) > 0 of
                true ->
                    hound_target(); % reachable
                false -> done
            end;
        _ ->
            done
    end.

%% The fun captures an argument.
-spec captured(integer(), 1..9) -> ok | done.
captured(X, Y) ->
    Sum = lists:foldr(fun(I, Sum) -> Sum + I rem 3 + Y end, 7, lists:seq(1, X)),
    if
        Sum > 4000, Sum rem 5 =:= 1, Y > 2 ->
            hound_target(); % reachable
        true -> done
    end.

-spec summed(integer()) -> ok | done.
summed(X) ->
    Sum = lists:sum([I * 3 - 1 || I <- lists:seq(1, X), I rem 4 =/= 2]),
    if
        Sum > 500000, Sum < 505000 ->
            hound_target(); % reachable
        true -> done
    end.

-spec filtered(integer(), float()) -> ok | done.
filtered(X, U) ->
    Odd = length([I || I <- lists:seq(1, X), I band 1 =:= 1]),
    if
        Odd =:= 777, U > 3.5 ->
            hound_target(); % reachable
        true -> done
    end.

-spec mapped(integer()) -> ok | done.
mapped(X) ->
    Map = maps:from_list([{I, I rem 7} || I <- lists:seq(1, X)]),
    case maps:fold(fun(_, Value, Sum) -> Sum + Value end, 0, Map) of
        Sum when Sum > 3000, Sum < 3010 ->
            hound_target(); % reachable
        _ -> done
    end.

%% A fold in a fold.
-spec nested(integer()) -> ok | done.
nested(X) ->
    Row = fun(I, Sum) -> lists:foldl(fun(J, Inner) -> Inner + J rem 2 end, Sum, lists:seq(1, I rem 5)) end,
    Sum = lists:foldl(Row, 0, lists:seq(1, X)),
    if
        Sum =:= 1200 ->
            hound_target(); % reachable
        true -> done
    end.

hound_target() ->
    ok.

%% A comprehension with two generators, and a number of elements that it never has.
-spec paired(integer()) -> ok | done.
paired(X) ->
    case length([{I, J} || I <- lists:seq(1, X), J <- lists:seq(1, 3), (I + J) rem 2 =:= 0]) of
        1201 -> done;
        1200 ->
            hound_target(); % reachable
        _ -> done
    end.

-spec keyed(integer()) -> ok | done.
keyed(X) ->
    case maps:size(maps:from_list([{I, I * I} || I <- lists:seq(1, X)])) of
        900 ->
            hound_target(); % reachable
        _ -> done
    end.
