%% Maps: typed and open, known and unknown keys, defaults, counters, merges, order and equality.
%? maps
%! port/1 crash error:bug@port
%! config/1 crash error:{badkey,_}@config complete
%! typed_config/1 safe complete
%! defaults/1 crash error:bug@defaults
%! nested/1 crash error:bug@nested
%! withdraw/3 crash error:bug@withdraw
%! known_item/3 safe complete
%! count/1 crash error:bug@count
%! group/1 crash error:bug@group
%! route/2 crash error:function_clause@route
%! route_all/2 safe complete
%! shape/1 crash error:bug@shape
%! shape_area/1 safe complete
%! mixed_key/2 crash error:bug@mixed
%! rename_key/2 crash error:{badkey,_}@rename
%! conflict/2 crash error:bug@conflict
%! same/2 crash error:bug@same
%! different/1 crash error:bug@different
%! before/2 crash error:bug@before
%! total/1 crash error:bug@total
%! sized/1 crash error:bug@sized
%! put_get/3 safe complete
%! remove_get/2 crash error:{badkey,_}@removed
%! removed_twice/1 safe complete
%! not_map/1 crash error:{badmap,_}@notmap
%! first_key/1 crash error:bug@first
%! sorted_keys/2 crash error:bug@sorted
%! aliased/3 crash error:bug@aliased
%! taken/2 crash error:bug@taken
%! picked/1 crash error:bug@picked
%! inverted/1 crash error:bug@inverted
%! whole/2 crash error:bug@whole
%! empty/1 crash error:bug@empty
%! caught/2 crash error:bug@caught
%! equal/2 crash error:bug@equal
%! float_key/2 crash error:bug@float
%! key_map/2 crash error:bug@keymap complete
%! three/3 crash error:bug@three complete
%! deep_update/2 crash error:{badkey,_}@deep error:{badmap,_}@deep complete
%! crossed/3 crash error:bug@crossed complete
%! constants/1 crash error:bug@constants complete
%! grouped/1 crash error:bug@grouped
%! stepped/1 crash error:bug@stepped
%! common/2 crash error:bug@common
-module(keyed).
-export([port/1, config/1, typed_config/1, defaults/1, nested/1, withdraw/3, known_item/3, count/1, group/1]).
-export([route/2, route_all/2, shape/1, shape_area/1, mixed_key/2, rename_key/2, conflict/2, same/2, different/1]).
-export([before/2, total/1, sized/1, put_get/3, remove_get/2, removed_twice/1, not_map/1, first_key/1]).
-export([sorted_keys/2, aliased/3, taken/2, picked/1, inverted/1, whole/2, empty/1, caught/2]).
-export([equal/2, float_key/2, key_map/2, three/3, deep_update/2, crossed/3, constants/1, grouped/1, stepped/1, common/2]).

-spec port(map()) -> integer().
port(#{port := Port, host := "h"}) when Port > 1000, Port rem 7 =:= 3 -> error(bug); %@port
port(#{port := Port}) when is_integer(Port) -> Port;
port(_) -> 0.

-spec config(#{host => atom(), port => 1..9}) -> {atom(), integer()}.
config(Config) ->
    Port = maps:get(port, Config, 80),
    {maps:get(host, Config), Port}. %@config

-spec typed_config(#{host := atom(), port => 1..9}) -> {atom(), integer()}.
typed_config(#{host := Host} = Config) ->
    {Host, 10 - maps:get(port, Config, 4)}.

-spec defaults(#{size => integer(), color => red | blue, atom() => integer()}) -> ok.
defaults(Given) ->
    Config = maps:merge(#{size => 3, color => red, depth => 1}, Given),
    case Config of
        #{size := 3, color := blue, depth := D} when D > 40 -> error(bug); %@defaults
        _ -> ok
    end.

-spec nested(#{user => #{name => atom(), limits => #{daily => integer()}}}) -> integer().
nested(#{user := #{name := root, limits := #{daily := Daily}}}) when Daily * 2 =:= 84 -> error(bug); %@nested
nested(#{user := User}) -> map_size(User);
nested(_) -> 0.

-spec withdraw(atom(), pos_integer(), #{atom() => non_neg_integer()}) -> map() | missing | short.
withdraw(Item, Amount, Stock) ->
    case Stock of
        #{Item := Left} when Left > Amount -> Stock#{Item := Left - Amount};
        #{Item := Left} when Left =:= Amount, Left > 9 -> error(bug); %@withdraw
        #{Item := _} -> short;
        #{} -> missing
    end.

-spec known_item(atom(), pos_integer(), #{atom() => non_neg_integer()}) -> non_neg_integer().
known_item(Item, Amount, Stock) ->
    case maps:is_key(Item, Stock) of
        true ->
            More = maps:update_with(Item, fun(Left) -> Left + Amount end, Stock),
            maps:get(Item, More);
        false -> 0
    end.

-spec count([atom()]) -> integer().
count(Words) ->
    Counted = lists:foldl(fun(Word, Acc) -> maps:update_with(Word, fun(N) -> N + 1 end, 1, Acc) end, #{}, Words),
    case maps:values(Counted) of
        [2, 1] -> error(bug); %@count
        _ -> map_size(Counted)
    end.

-spec group([{a | b | c, integer()}]) -> map().
group(Pairs) ->
    Grouped = lists:foldr(fun({Key, Value}, Acc) -> Acc#{Key => [Value | maps:get(Key, Acc, [])]} end, #{}, Pairs),
    case Grouped of
        #{a := [X, Y], c := [Z]} when X + Y =:= Z, X > Y -> error(bug); %@group
        _ -> Grouped
    end.

-spec route([atom()], #{atom() => fun_name | #{atom() => fun_name}}) -> atom().
route([], _) -> root;
route([Name | Rest], Table) ->
    case Table of
        #{Name := Next} -> follow(Rest, Next);
        #{} -> not_found
    end.

follow([], Target) when is_atom(Target) -> Target; %@route
follow([Name], Table) when is_map(Table) -> maps:get(Name, Table, not_found);
follow([_, _ | _], Table) when is_map(Table) -> too_deep.

-spec route_all(atom(), #{get => integer(), put => integer()}) -> integer().
route_all(Method, Table) ->
    case maps:find(Method, Table) of
        {ok, Target} when Method =:= get; Method =:= put -> Target;
        error -> -1
    end.

-spec shape(#{kind := circle, r := integer()} | #{kind := box, w := integer(), h := integer()}) -> integer().
shape(#{kind := circle, r := R}) when R > 100 -> R;
shape(#{kind := box, w := W, h := H}) when W * H =:= 221, W > H, H > 1 -> error(bug); %@shape
shape(#{}) -> 0.

-spec shape_area(#{kind := circle, r := 0..9} | #{kind := box, w := 0..9, h := 0..9}) -> integer().
shape_area(#{kind := circle, r := R}) -> R * R;
shape_area(#{kind := box, w := W, h := H}) -> W * H.

-spec mixed_key(integer() | atom() | {atom(), integer()}, #{integer() => a, atom() => b, {atom(), integer()} => c}) -> ok.
mixed_key(Key, Map) ->
    case maps:get(Key, Map, none) of
        c when element(2, Key) =:= 17 -> error(bug); %@mixed
        b when Key =:= seven -> ok;
        _ -> ok
    end.

-spec rename_key(atom(), #{atom() => integer()}) -> map().
rename_key(New, Map) ->
    Value = map_get(old, Map), %@rename
    maps:put(New, Value, maps:remove(old, Map)).

-spec conflict(#{a | b | c => 0..9}, #{a | b | c => 0..9}) -> ok.
conflict(M1, M2) ->
    Merged = maps:merge_with(fun(_, X, Y) -> X + Y end, M1, M2),
    case Merged of
        #{a := 12, b := 3} -> error(bug); %@conflict
        _ -> ok
    end.

-spec same(#{atom() => integer()}, #{atom() => integer()}) -> ok.
same(M1, M2) when map_size(M1) > 1, M1#{x => 1} =:= M2 -> error(bug); %@same
same(_, _) -> ok.

-spec different(#{a := 1..2, b := 1..2}) -> ok.
different(M) when M =/= #{a => 1, b => 1}, M =/= #{a => 2, b => 1}, M /= #{a => 1, b => 2} -> error(bug); %@different
different(_) -> ok.

-spec before(#{1..3 => 0..3}, #{1..3 => 0..3}) -> ok.
before(M1, M2) when map_size(M1) =:= 2, map_size(M2) =:= 2 ->
    case M1 < M2 of
        true ->
            case {M1, M2} of
                {#{1 := X}, #{1 := Y}} when X > Y -> error(bug); %@before
                _ -> ok
            end;
        false -> ok
    end;
before(_, _) -> ok.

-spec total(#{atom() => integer()}) -> ok.
total(Prices) ->
    case maps:fold(fun(_, Price, Sum) -> Price + Sum end, 0, Prices) of
        77 when map_size(Prices) =:= 2 -> error(bug); %@total
        _ -> ok
    end.

-spec sized(map()) -> ok.
sized(M) when map_size(M) > 3, is_map_key({x, 1}, M), not is_map_key(y, M) -> error(bug); %@sized
sized(_) -> ok.

-spec put_get(term(), integer(), map()) -> integer().
put_get(Key, Value, Map) ->
    #{Key := Got} = Map#{Key => Value},
    Got - Value.

-spec remove_get(atom(), #{atom() => integer()}) -> integer().
remove_get(Key, Map) ->
    map_get(Key, maps:remove(key, Map)). %@removed

-spec removed_twice(#{atom() => integer()}) -> error.
removed_twice(Map) -> maps:find(key, maps:remove(key, maps:without([key, other], Map))).

-spec not_map([integer()] | #{atom() => integer()}) -> map().
not_map(M) -> M#{a => 1}. %@notmap

-spec first_key(#{integer() => atom()}) -> ok.
first_key(M) ->
    case maps:to_list(M) of
        [{K, v}, {L, w}] when K > 10, L - K =:= 5 -> error(bug); %@first
        _ -> ok
    end.

-spec sorted_keys(integer(), integer()) -> ok.
sorted_keys(A, B) ->
    case maps:keys(#{A => 1, B => 2, 10 => 3}) of
        [10, A, B] -> error(bug); %@sorted
        _ -> ok
    end.

-spec aliased(atom(), atom(), #{atom() => integer()}) -> ok.
aliased(K, L, Map) ->
    case Map of
        #{K := 1, L := 2} -> ok;
        #{K := V, L := W} when V =:= 3, W =:= 3, K =/= L -> error(bug); %@aliased
        _ -> ok
    end.

-spec taken(atom(), #{atom() => integer()}) -> ok.
taken(Key, Map) ->
    case maps:take(Key, Map) of
        {5, Rest} when map_size(Rest) =:= 2 -> error(bug); %@taken
        _ -> ok
    end.

-spec picked(#{atom() => integer()}) -> ok.
picked(Map) ->
    case maps:filter(fun(_, V) -> V > 5 end, maps:with([a, b, c], Map)) of
        #{a := A, c := C} = M when map_size(M) =:= 2, A =:= C -> error(bug); %@picked
        _ -> ok
    end.

-spec inverted(#{atom() => a | b}) -> ok.
inverted(Map) ->
    Inverted = maps:from_list([{V, K} || {K, V} <- maps:to_list(Map)]),
    case Inverted of
        #{a := x, b := y} -> error(bug); %@inverted
        _ -> ok
    end.

-spec whole(any(), integer()) -> ok.
whole({ok, #{n := N} = M}, N) when M =:= #{n => N, m => [N]} -> error(bug); %@whole
whole(_, _) -> ok.

-spec empty(any()) -> ok.
empty([M, #{}]) when M =:= #{} -> error(bug); %@empty
empty(_) -> ok.

-spec caught(atom(), #{atom() => integer()}) -> ok.
caught(Key, Map) ->
    try map_get(Key, Map) of
        _ -> ok
    catch
        error:{badkey, missing} -> error(bug); %@caught
        error:{badkey, _} -> ok
    end.

-spec equal(#{a => number()}, #{a => number()}) -> ok.
equal(A, B) when A == B, A =/= B -> error(bug); %@equal
equal(_, _) -> ok.

-spec float_key(number(), #{number() => atom()}) -> ok.
float_key(Key, Map) ->
    case Map of
        #{Key := x, 1.0 := y} when Key == 1 -> error(bug); %@float
        _ -> ok
    end.

-spec key_map(#{a := 0..5}, #{#{a := 0..5} => atom()}) -> ok.
key_map(Key, Map) ->
    case Map of
        #{Key := hit} when map_get(a, Key) =:= 3 -> error(bug); %@keymap
        _ -> ok
    end.

-spec three(#{a => 1, b => 1}, #{a => 2, c => 2}, #{b => 3, c => 3}) -> ok.
three(A, B, C) ->
    case maps:merge(maps:merge(A, B), C) of
        Map when Map =:= #{a => 2, b => 1, c => 2} -> error(bug); %@three
        _ -> ok
    end.

-spec deep_update(any(), integer()) -> {updated, map()}.
deep_update(Map, Value) ->
    {updated, Map#{a := (maps:get(a, Map))#{b := Value}}}. %@deep

-spec crossed(atom(), atom(), #{atom() => #{atom() => integer()}}) -> ok.
crossed(A, B, Map) ->
    case Map of
        #{A := #{B := V}, B := #{A := W}} when V + W =:= 50, A =/= B -> error(bug); %@crossed
        _ -> ok
    end.

-spec constants(any()) -> term().
constants(Key) ->
    case #{1 => one, two => 2, "three" => 3, {4} => four} of
        #{Key := four} -> error(bug); %@constants
        #{Key := Value} -> Value;
        _ -> none
    end.

-spec grouped([integer()]) -> ok.
grouped(List) ->
    case maps:groups_from_list(fun(X) -> X rem 3 end, List) of
        #{0 := [A, B], 2 := [_]} when A > B -> error(bug); %@grouped
        _ -> ok
    end.

-spec stepped(#{atom() => integer()}) -> ok.
stepped(Map) ->
    case maps:next(maps:iterator(Map)) of
        {Key, Value, Rest} when Value > 3 ->
            case maps:next(Rest) of
                {_, Value, none} when Key =/= a -> error(bug); %@stepped
                _ -> ok
            end;
        _ -> ok
    end.

-spec common(#{atom() => integer()}, #{atom() => integer()}) -> ok.
common(A, B) ->
    case maps:intersect_with(fun(_, X, Y) -> X - Y end, A, B) of
        #{k := 9} -> error(bug); %@common
        _ -> ok
    end.
