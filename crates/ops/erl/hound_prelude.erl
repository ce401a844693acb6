%% Operations of the VM that look into their arguments, in Erlang: what a symbolic run explores in their place.
%%
%% Each function gives what the operation gives. Where the operation fails, the function calls it, with the very
%% arguments it was called with, so that the exception is the operation's own; by then every test on which the failure
%% depends has been made here.
-module(hound_prelude).

-export([minus/2, subtract/2, max/2, min/2, keyfind/3, keymember/3, keysearch/3, member/2]).
-export([find/2, from_keys/2, from_list/1, take/2]).
-export([integer_to_list/1, integer_to_list/2, list_to_integer/1, list_to_integer/2]).

-compile({no_auto_import, [max/2, min/2, integer_to_list/1, integer_to_list/2, list_to_integer/1, list_to_integer/2]}).

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

integer_to_list(Number) ->
    case is_integer(Number) of
        true -> text(Number, 10);
        false -> erlang:integer_to_list(Number)
    end.

integer_to_list(Number, Base) ->
    case is_integer(Number) andalso base(Base) of
        true -> text(Number, Base);
        false -> erlang:integer_to_list(Number, Base)
    end.

text(Number, Base) when Number < 0 -> [$- | text(-Number, Base, [])];
text(Number, Base) -> text(Number, Base, []).

text(Number, Base, Text) when Number < Base -> [character(Number) | Text];
text(Number, Base, Text) -> text(Number div Base, Base, [character(Number rem Base) | Text]).

character(Digit) when Digit < 10 -> $0 + Digit;
character(Digit) -> $A + Digit - 10.

list_to_integer(Text) ->
    case number(Text, 10) of
        none -> erlang:list_to_integer(Text);
        Number -> Number
    end.

list_to_integer(Text, Base) ->
    case base(Base) andalso number(Text, Base) of
        Number when is_integer(Number) -> Number;
        _ -> erlang:list_to_integer(Text, Base)
    end.

base(Base) -> is_integer(Base) andalso Base >= 2 andalso Base =< 36.

number([$- | Digits], Base) ->
    case digits(Digits, Base) of
        none -> none;
        Number -> -Number
    end;
number([$+ | Digits], Base) -> digits(Digits, Base);
number(Digits, Base) -> digits(Digits, Base).

digits([First | Rest], Base) -> digits(Rest, Base, digit(First, Base));
digits(_, _) -> none.

digits(_, _, none) -> none;
digits([], _, Number) -> Number;
digits([Next | Rest], Base, Number) ->
    case digit(Next, Base) of
        none -> none;
        Digit -> digits(Rest, Base, Number * Base + Digit)
    end;
digits(_, _, _) -> none.

%% Each character is asked about no more than the base needs.
digit(C, Base) when Base =< 10, is_integer(C), C >= $0, C < $0 + Base -> C - $0;
digit(C, Base) when Base > 10, is_integer(C), C >= $0, C =< $9 -> C - $0;
digit(C, Base) when Base > 10, is_integer(C), C >= $A, C < $A + Base - 10 -> C - $A + 10;
digit(C, Base) when Base > 10, is_integer(C), C >= $a, C < $a + Base - 10 -> C - $a + 10;
digit(_, _) -> none.

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
