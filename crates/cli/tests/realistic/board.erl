%% A board game: positions, moves, dice, scores.
%! move/2 declared error:{off_board,_}@off_board
%! move/2 bug error:function_clause@step
%! column/1 bug error:badarg@column
%! roll/1 bug error:badarith@roll
%! winner/1 bug error:{case_clause,_}@winner
%! rank/1 bug error:{badmatch,_}@rank
%! undo/2 bug error:badarg@undo
%! replay/2 doubtful error:_@replay
-module(board).
-export([move/2, column/1, roll/1, winner/1, rank/1, undo/2, replay/2]).

-type position() :: {1..8, 1..8}.

-spec move(position(), [up | down | left | right | stay]) -> position().
move(Position, []) -> Position;
move(Position, [Step | Steps]) -> move(on_board(step(Step, Position)), Steps).

step(up, {X, Y}) -> {X, Y + 1}; %@step
step(down, {X, Y}) -> {X, Y - 1};
step(left, {X, Y}) -> {X - 1, Y};
step(right, {X, Y}) -> {X + 1, Y}.

on_board({X, Y}) when X >= 1, X =< 8, Y >= 1, Y =< 8 -> {X, Y};
on_board(Other) -> error({off_board, Other}). %@off_board

-spec column(0..8) -> char().
column(N) -> element(N, {$a, $b, $c, $d, $e, $f, $g, $h}). %@column

%% @doc The average of some dice, doubled for a pair.
-spec roll([1..6]) -> integer().
roll([A, A]) -> 4 * A;
roll(Dice) -> lists:sum(Dice) div length(Dice). %@roll

-spec winner(#{black := integer(), white := integer()}) -> black | white.
winner(#{black := Black, white := White}) ->
    case Black - White of %@winner
        N when N > 0 -> black;
        N when N < 0 -> white
    end.

-spec rank([{atom(), integer()}]) -> {atom(), [atom()]}.
rank(Scores) ->
    [{First, _} | Rest] = lists:reverse(lists:keysort(2, Scores)), %@rank
    {First, [Name || {Name, _} <- Rest]}.

-spec undo(non_neg_integer(), [position()]) -> [position()].
undo(0, History) -> History;
undo(N, History) -> undo(N - 1, tl(History)). %@undo

-spec replay(fun((integer(), any()) -> any()), [integer()]) -> integer().
replay(Rule, Moves) -> lists:foldl(Rule, 0, Moves) + 0. %@replay
