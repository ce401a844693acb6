%% Routes: patterns of paths, graphs of stops, distances.
%! match/2 bug error:badarg@atom
%! handler/2 declared error:{no_route,_}@no_route
%! distance/3 bug error:{case_clause,_}@distance
%! cheapest/1 bug error:{badmatch,_}@cheapest
%! render/2 declared error:{unbound,_}@unbound
%! clockwise/2 bug error:function_clause@turn
-module(routes).
-export([match/2, handler/2, distance/3, cheapest/1, render/2, clockwise/2]).

%% @doc Binds `:name' of a pattern: atoms of names that exist.
-spec match([string()], [string()]) -> {ok, [{atom(), string()}]} | nomatch.
match(Pattern, Path) -> match(Pattern, Path, []).

match([], [], Bound) -> {ok, lists:reverse(Bound)};
match([[$: | Name] | Pattern], [Segment | Path], Bound) ->
    match(Pattern, Path, [{list_to_existing_atom(Name), Segment} | Bound]); %@atom
match([Segment | Pattern], [Segment | Path], Bound) -> match(Pattern, Path, Bound);
match(_, _, _) -> nomatch.

-spec handler(string(), [{string(), atom()}]) -> atom().
handler(Path, Routes) ->
    case lists:keyfind(Path, 1, Routes) of
        {_, Handler} -> Handler;
        false -> error({no_route, Path}) %@no_route
    end.

-type stop() :: a | b | c | d.
-spec distance(stop(), stop(), [{stop(), stop(), pos_integer()}]) -> pos_integer() | unknown.
distance(From, To, Edges) ->
    case [N || {F, T, N} <- Edges, F =:= From, T =:= To] of %@distance
        [N] -> N;
        [] -> unknown
    end.

-spec cheapest([{stop(), integer()}]) -> stop().
cheapest(Offers) ->
    [{Stop, _} | _] = lists:keysort(2, Offers), %@cheapest
    Stop.

-spec render([string() | {param, term()}], [{string(), string()}]) -> string().
render(Parts, Bound) -> lists:append([part(Part, Bound) || Part <- Parts]).

part({param, Name}, Bound) -> bound(Name, Bound);
part(Text, _) -> Text.

bound([C | _] = Name, Bound) when is_integer(C) ->
    case lists:keyfind(Name, 1, Bound) of
        {_, Value} -> Value;
        false -> error({unbound, Name}) %@unbound
    end.

-type direction() :: north | east | south | west.
-spec clockwise(direction(), 0..3) -> direction().
clockwise(Direction, 0) -> Direction;
clockwise(Direction, N) -> clockwise(turn(Direction), N - 1).

turn(north) -> east; %@turn
turn(east) -> south;
turn(south) -> west.
