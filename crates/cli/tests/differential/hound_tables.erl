%% Tables: rows are put, changed, looked up and listed in any order, and each step returns what it gives.
-module(hound_tables).
-export([script/3, rows/2, matches/3, selects/3, counters/3, named/2, long/2]).

-type kind() :: set | ordered_set | bag | duplicate_bag.
-type key() :: -1..3 | a | b | '_' | '$1' | {0..1, a | b} | [0..1].
-type row() :: {key(), key()} | {key(), key(), key()} | {key()} | key().
-type step() ::
    {insert | insert_new | delete_object, row() | [row()]}
    | {lookup | member | delete | take | next | prev, key()}
    | {lookup_float, -1..3}
    | {insert_float, -1..3, key()}
    | {lookup_element, key(), 0..3}
    | {update_element, key(), {1..3, key()} | [{1..3, key()}] | a}
    | {update_counter, key(), integer() | {1..3, integer()} | {1..3, -2..2, -2..2, 0..5} | [{1..3, integer()}] | a}
    | {match | match_object | match_delete, row()}
    | first | last | tab2list | size | delete_all_objects | fix | free.

-spec script(kind(), 1..2, [step()]) -> [any()].
script(Kind, Place, Steps) ->
    T = ets:new(t, [Kind, {keypos, Place}]),
    [attempt(T, Step) || Step <- Steps] ++ [ets:info(T, size)].

attempt(T, Step) ->
    try step(T, Step)
    catch error:Reason -> {failed, Reason}
    end.

step(T, first) -> ets:first(T);
step(T, last) -> ets:last(T);
step(T, tab2list) -> ets:tab2list(T);
step(T, size) -> ets:info(T, size);
step(T, delete_all_objects) -> ets:delete_all_objects(T);
step(T, fix) -> ets:safe_fixtable(T, true);
step(T, free) -> ets:safe_fixtable(T, false);
step(T, {insert, Rows}) -> ets:insert(T, Rows);
step(T, {insert_new, Rows}) -> ets:insert_new(T, Rows);
step(T, {delete_object, Row}) -> ets:delete_object(T, Row);
step(T, {lookup, Key}) -> ets:lookup(T, Key);
step(T, {lookup_float, Key}) -> ets:lookup(T, float(Key));
step(T, {insert_float, Key, Value}) -> ets:insert(T, {float(Key), Value});
step(T, {member, Key}) -> ets:member(T, Key);
step(T, {delete, Key}) -> ets:delete(T, Key);
step(T, {take, Key}) -> ets:take(T, Key);
step(T, {next, Key}) -> ets:next(T, Key);
step(T, {prev, Key}) -> ets:prev(T, Key);
step(T, {lookup_element, Key, Place}) -> ets:lookup_element(T, Key, Place);
step(T, {update_element, Key, Changes}) -> ets:update_element(T, Key, Changes);
step(T, {update_counter, Key, Changes}) -> ets:update_counter(T, Key, Changes);
step(T, {match, Pattern}) -> ets:match(T, Pattern);
step(T, {match_object, Pattern}) -> ets:match_object(T, Pattern);
step(T, {match_delete, Pattern}) -> ets:match_delete(T, Pattern).

-spec rows(kind(), [{key(), key()}]) -> {[any()], any(), [any()]}.
rows(Kind, Rows) ->
    T = ets:new(t, [Kind]),
    ets:insert(T, Rows),
    {ets:tab2list(T), ets:foldl(fun(Row, Seen) -> [Row | Seen] end, [], T), [ets:lookup(T, Key) || {Key, _} <- Rows]}.

-spec matches(kind(), [{key(), key(), key()}], {key(), key(), key()}) -> [any()].
matches(Kind, Rows, Pattern) ->
    T = ets:new(t, [Kind]),
    ets:insert(T, Rows),
    All = [ets:match(T, Pattern), ets:match_object(T, Pattern), ets:match_object(T, {'$1', '$1', '_'})],
    ets:match_delete(T, Pattern),
    [ets:info(T, size) | All].

-spec selects(kind(), [{key(), key()}], key()) -> [any()].
selects(Kind, Rows, Value) ->
    T = ets:new(t, [Kind]),
    ets:insert(T, Rows),
    Spec = [{{'$1', '$2'}, [{'>', '$2', {const, Value}}], [{{'$2', '$$'}}]}, {{'_', Value}, [], [true]}],
    Selected = [ets:select(T, Spec), ets:select_reverse(T, Spec), ets:select_count(T, Spec)],
    [ets:select_delete(T, Spec), ets:tab2list(T) | Selected].

-spec counters([key()], integer(), key()) -> [any()].
counters(Keys, By, Key) ->
    T = ets:new(t, []),
    [ets:update_counter(T, K, By, {none, 0}) || K <- Keys]
    ++ [ets:lookup(T, Key), attempt(T, {update_counter, Key, {2, By, 7, -7}}), attempt(T, {update_element, Key, {2, x}})].

-spec named(key(), key()) -> [any()].
named(Key, Value) ->
    ets:new(hound_named, [named_table, {keypos, 2}]),
    ets:insert(ets:whereis(hound_named), {Value, Key}),
    Before = ets:lookup(hound_named, Value),
    ets:rename(hound_named, hound_renamed),
    After = [ets:lookup(hound_renamed, Key), ets:whereis(hound_named), Before],
    ets:delete(hound_renamed),
    After.

%% So many rows that the VM takes them in an order of its own.
-spec long(kind(), key()) -> any().
long(Kind, Key) ->
    T = ets:new(t, [Kind]),
    ets:insert(T, [{N, Key} || N <- lists:seq(1, 150)]),
    ets:insert(T, {Key, last}),
    {ets:info(T, size), lists:sort(ets:lookup(T, Key)), ets:match_object(T, {'_', last})}.
