%% Maps: keys that must be there, values that depend on each other, updates.
-module(settings).
-export([check/1, merge/2]).

-spec check(#{mode => fast | safe, level => integer(), _ => _}) -> atom().
check(#{mode := fast, level := Level}) when Level > 9, Level rem 7 =:= 3 ->
    fast; % reachable
check(#{mode := Mode} = Map) when not is_map_key(mode, Map) ->
    Mode; % unreachable
check(#{mode := safe} = Map) ->
    case maps:get(level, Map, 0) of
        0 when map_size(Map) > 2 ->
            default; % reachable
        Level when Level < 0, Level > -2, Level =/= -1 ->
            between; % unreachable
        _ ->
            safe
    end;
check(_) ->
    none.

-spec merge(#{atom() => integer()}, [{atom(), integer()}]) -> term().
merge(Map, Pairs) ->
    New = add(Map, Pairs),
    case New of
        #{total := Total, count := Count} when Count =/= 0, Total div Count =:= 21 ->
            average; % reachable
        _ ->
            New
    end.

add(Map, []) -> Map;
add(Map, [{Key, Value} | Rest]) ->
    case Map of
        #{Key := Old} -> add(Map#{Key := Old + Value}, Rest);
        #{} -> add(Map#{Key => Value}, Rest)
    end.
