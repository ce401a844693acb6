%% Triangles by their sides: 1 scalene, 2 isosceles, 3 equilateral, 4 none.
-module(trityp).
-export([classify/3]).

-spec classify(integer(), integer(), integer()) -> 1..4.
classify(I, J, K) when I =< 0; J =< 0; K =< 0 ->
    4;
classify(I, J, K) ->
    T1 = if I =:= J -> 1; true -> 0 end,
    T2 = if I =:= K -> T1 + 2; true -> T1 end,
    T3 = if J =:= K -> T2 + 3; true -> T2 end,
    sides(T3, I, J, K).

sides(0, I, J, K) ->
    if
        I + J =< K; J + K =< I; I + K =< J -> 4;
        true ->
            hound_target(), % reachable
            1
    end;
sides(T, I, J, K) ->
    if
        T > 3 ->
            hound_target(), % reachable
            3;
        T =:= 1, I + J > K -> 2;
        T =:= 2, I + K > J ->
            hound_target(), % reachable
            2;
        T =:= 3, J + K > I -> 2;
        true -> 4
    end.

hound_target() ->
    ok.
