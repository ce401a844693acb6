%% Operations of `lists` that look into their arguments, in Erlang: what a symbolic run explores in their place.
%%
%% Each function gives what the operation gives. Where the operation fails, the function calls it, with the very
%% arguments it was called with, so that the exception is the operation's own; by then every test on which the failure
%% depends has been made here.
-module(hound_prelude_lists).

-export([keyfind/3, keymember/3, keysearch/3, member/2]).

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
