%% Operations of `maps` that look into their arguments, in Erlang: what a symbolic run explores in their place.
%%
%% Each function gives what the operation gives. Where the operation fails, the function calls it, with the very
%% arguments it was called with, so that the exception is the operation's own; by then every test on which the failure
%% depends has been made here.
-module(hound_prelude_maps).

-export([find/2, from_keys/2, from_list/1, take/2]).

from_list(List) -> from_list(List, #{}, List).

from_list([{Key, Value} | Rest], Map, List) ->
    from_list(Rest, maps:put(Key, Value, maps:remove(Key, Map)), List);
from_list([], Map, _) -> Map;
from_list(_, _, List) -> maps:from_list(List).

from_keys(Keys, Value) -> from_keys(Keys, Value, #{}, Keys).

from_keys([Key | Rest], Value, Map, Keys) ->
    from_keys(Rest, Value, maps:put(Key, Value, maps:remove(Key, Map)), Keys);
from_keys([], _, Map, _) -> Map;
from_keys(_, Value, _, Keys) -> maps:from_keys(Keys, Value).

find(Key, Map) ->
    case Map of
        #{Key := Value} -> {ok, Value};
        #{} -> error;
        _ -> maps:find(Key, Map)
    end.

take(Key, Map) ->
    case Map of
        #{Key := Value} -> {Value, maps:remove(Key, Map)};
        #{} -> error;
        _ -> maps:take(Key, Map)
    end.
