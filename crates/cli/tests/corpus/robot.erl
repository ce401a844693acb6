%% A robot that looks for a way through a map, with a bound check missing on one side.
%! solve/4 crash exit:{invalid_point,_}@bug
%! solve/4 crash exit:{invalid_point,_}@bug pre=valid/4
-module(robot).
-export([solve/4, valid/4]).

-define(MAP_SIZE, 8).
-type map_size() :: 1..?MAP_SIZE.
-type coordinate() :: 1..?MAP_SIZE.
-type point() :: {coordinate(), coordinate()}.

%% What the spec cannot say: both ends lie on the map, and the way is not blocked where it begins.
-spec valid(map_size(), point(), point(), [point()]) -> boolean().
valid(N, {X1, Y1}, {X2, Y2}, Obstacles) ->
    X1 =< N andalso Y1 =< N andalso X2 =< N andalso Y2 =< N
        andalso not lists:member({X1, Y1}, Obstacles) andalso not lists:member({X2, Y2}, Obstacles).

-spec solve(map_size(), point(), point(), [point()]) -> boolean().
solve(N, Start, End, Obstacles) -> walk(N, Start, End, Obstacles, [], []).

walk(_N, End, End, _Obstacles, _Pending, _Visited) -> true;
walk(N, Here, End, Obstacles, Pending, Visited) ->
    case moves(N, Here, Obstacles, Pending, Visited) of
        [] -> false;
        [Next | Rest] ->
            ok = validate(Next, N),
            walk(N, Next, End, Obstacles, Rest, [Next | Visited])
    end.

validate({X, Y}, N) when X > 0, Y > 0, X =< N, Y =< N -> ok;
validate(Point, _N) -> exit({invalid_point, Point}). %@bug

moves(N, {X, Y}, Obstacles, Pending, Visited) ->
    lists:foldl(
        fun(Move, Acc) ->
            case free(N, Move, Obstacles) andalso not seen(Move, Visited) of
                true -> [Move | Acc];
                false -> Acc
            end
        end,
        Pending,
        [{X - 1, Y}, {X, Y - 1}, {X + 1, Y}, {X, Y + 1}]
    ).

free(N, {X, Y}, _) when X > N; Y > N -> false;
free(_, {_, Y}, _) when Y < 1 -> false;
free(_, Point, Obstacles) -> not seen(Point, Obstacles).

seen(_, []) -> false;
seen(X, [X | _]) -> true;
seen(X, [_ | L]) -> seen(X, L).
