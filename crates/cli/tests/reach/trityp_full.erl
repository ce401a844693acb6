%% The kind of a triangle by its sides, with the comparisons written out: 1 scalene, 2 isosceles, 3 equilateral, 4 none.
-module(trityp_full).
-export([classify/3]).

-define(SCALENE, 1).
-define(ISOSCELES, 2).
-define(EQUILATERAL, 3).
-define(NONE, 4).

-spec classify(integer(), integer(), integer()) -> 1..4.
classify(A, B, C) ->
    case is_positive(A) andalso is_positive(B) andalso is_positive(C) of
        true -> by_equals(equals(A, B, C), A, B, C);
        false -> ?NONE
    end.

is_positive(Side) when Side > 0 -> true;
is_positive(_) -> false.

%% Which sides are equal, as a sum: 1 for the first pair, 2 for the outer pair, 3 for the last.
equals(A, B, C) ->
    First = weight(A =:= B, 1),
    Outer = weight(A =:= C, 2),
    Last = weight(B =:= C, 3),
    First + Outer + Last.

weight(true, Weight) -> Weight;
weight(false, _) -> 0.

by_equals(0, A, B, C) ->
    case is_flat(A, B, C) orelse is_flat(B, C, A) orelse is_flat(A, C, B) of
        true ->
            ?NONE;
        false ->
            hound_target(), % reachable
            ?SCALENE
    end;
by_equals(Sum, _, _, _) when Sum > 3 ->
    hound_target(), % reachable
    ?EQUILATERAL;
by_equals(1, A, B, C) ->
    isosceles(not is_flat(A, B, C));
by_equals(2, A, B, C) ->
    isosceles(not is_flat(A, C, B));
by_equals(3, A, B, C) ->
    isosceles(not is_flat(B, C, A)).

%% Two sides are no longer than the third.
is_flat(A, B, C) ->
    A + B =< C.

isosceles(true) ->
    hound_target(), % reachable
    ?ISOSCELES;
isosceles(false) ->
    ?NONE.

hound_target() ->
    ok.
