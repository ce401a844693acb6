%% Operations of the VM that look into their arguments, in Erlang: what a symbolic run explores in their place.
%%
%% Each function gives what the operation gives. Where the operation fails, the function calls it, with the very
%% arguments it was called with, so that the exception is the operation's own; by then every test on which the failure
%% depends has been made here.
-module(hound_prelude).

-export([minus/2, subtract/2, max/2, min/2, keyfind/3, keymember/3, keysearch/3, member/2, from_keys/2, from_list/1]).

-compile({no_auto_import, [max/2, min/2]}).

member(Wanted, List) -> member(Wanted, List, List).

member(Wanted, [Item | Rest], List) ->
    case Item =:= Wanted of
        true -> true;
        false -> member(Wanted, Rest, List)
    end;
member(_, [], _) -> false;
member(Wanted, _, List) -> lists:member(Wanted, List).

keyfind(Key, At, List) ->
    case position(At) of
        true -> find(Key, At, List, List);
        false -> lists:keyfind(Key, At, List)
    end.

find(Key, At, [Item | Rest], List) ->
    case has(Key, At, Item) of
        true -> Item;
        false -> find(Key, At, Rest, List)
    end;
find(_, _, [], _) -> false;
find(Key, At, _, List) -> lists:keyfind(Key, At, List).

keymember(Key, At, List) ->
    case position(At) of
        true -> find_member(Key, At, List, List);
        false -> lists:keymember(Key, At, List)
    end.

find_member(Key, At, [Item | Rest], List) ->
    case has(Key, At, Item) of
        true -> true;
        false -> find_member(Key, At, Rest, List)
    end;
find_member(_, _, [], _) -> false;
find_member(Key, At, _, List) -> lists:keymember(Key, At, List).

keysearch(Key, At, List) ->
    case position(At) of
        true -> search(Key, At, List, List);
        false -> lists:keysearch(Key, At, List)
    end.

search(Key, At, [Item | Rest], List) ->
    case has(Key, At, Item) of
        true -> {value, Item};
        false -> search(Key, At, Rest, List)
    end;
search(_, _, [], _) -> false;
search(Key, At, _, List) -> lists:keysearch(Key, At, List).

%% The VM takes no position that is not one of its small integers.
position(At) -> is_integer(At) andalso At >= 1 andalso At =< 576460752303423487.

has(Key, At, Item) -> is_tuple(Item) andalso tuple_size(Item) >= At andalso element(At, Item) == Key.

max(A, B) ->
    case A < B of
        true -> B;
        false -> A
    end.

min(A, B) ->
    case B < A of
        true -> B;
        false -> A
    end.

minus(List, Unwanted) ->
    case is_proper(List) andalso is_proper(Unwanted) of
        true -> without(List, Unwanted);
        false -> List -- Unwanted
    end.

subtract(List, Unwanted) ->
    case is_proper(List) andalso is_proper(Unwanted) of
        true -> without(List, Unwanted);
        false -> erlang:subtract(List, Unwanted)
    end.

is_proper([_ | Rest]) -> is_proper(Rest);
is_proper(End) -> End =:= [].

without(List, [Item | Rest]) -> without(delete(Item, List), Rest);
without(List, []) -> List.

delete(Wanted, [Item | Rest]) ->
    case Item =:= Wanted of
        true -> Rest;
        false -> [Item | delete(Wanted, Rest)]
    end;
delete(_, []) -> [].

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
