%% A cache with a bound and ages, as a plain data structure.
%! put/3 bug error:badarg@evict
%! get/2 declared error:{not_found,_}@not_found
%! expire/2 bug error:function_clause@newest
%! hit_rate/1 bug error:badarith@rate
%! update/3 doubtful error:badarith@update
-module(cache).
-export([put/3, get/2, expire/2, hit_rate/1, update/3]).

-record(cache, {max :: non_neg_integer(), order = [] :: [integer()], items = #{} :: #{integer() => integer()}}).
-type cache() :: #cache{}.

%% @doc The oldest key goes when there are more than `max'.
-spec put(integer(), integer(), cache()) -> cache().
put(Key, Value, #cache{max = Max, order = Order, items = Items} = Cache) when map_size(Items) >= Max ->
    {Oldest, Kept} = last(Order),
    put(Key, Value, Cache#cache{order = Kept, items = maps:remove(Oldest, Items), max = Max + 1});
put(Key, Value, #cache{order = Order, items = Items} = Cache) ->
    Cache#cache{order = [Key | Order], items = Items#{Key => Value}}.

last(Order) ->
    {Kept, [Oldest]} = lists:split(length(Order) - 1, Order), %@evict
    {Oldest, Kept}.

-spec get(integer(), #{integer() => integer()}) -> integer().
get(Key, Items) when is_map_key(Key, Items) -> maps:get(Key, Items);
get(Key, _) -> error({not_found, Key}). %@not_found

%% @doc Forgets what is older than `Age' before the newest time.
-spec expire(pos_integer(), [{integer(), integer()}]) -> [{integer(), integer()}].
expire(Age, Entries) ->
    Newest = newest(Entries),
    [Entry || {Time, _} = Entry <- Entries, Time > Newest - Age].

newest([{Time, _}]) -> Time; %@newest
newest([{Time, _} | Rest]) -> max(Time, newest(Rest)).

-spec hit_rate({Hits :: non_neg_integer(), Misses :: non_neg_integer()}) -> float().
hit_rate({Hits, Misses}) -> Hits / (Hits + Misses). %@rate

%% @doc Counters and sums share one table.
-spec update(integer(), number(), #{integer() => term()}) -> #{integer() => term()}.
update(Key, By, Table) ->
    case Table of
        #{Key := Old} -> Table#{Key := Old + By}; %@update
        #{} -> Table#{Key => By}
    end.
