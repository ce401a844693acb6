%% Order and equality of terms of unknown kinds: comparators, mixed lists, priorities by kind, sets by `==`.
%? order
%! three_way/2 safe complete
%! three_way_exact/2 crash error:function_clause@exact complete
%! three_way_integers/2 safe complete
%! kind_rank/1 safe complete
%! largest/1 crash error:bug@largest
%! smallest/1 crash error:bug@smallest
%! find/1 crash error:{found_other,_}@find complete
%! dedupe/1 crash error:{two_meanings,_}@dedupe
%! unique/1 crash error:same_but_different@unique
%! merged/2 crash error:out_of_order@merged
%! merged_sorted/2 safe complete
%! interval/2 crash error:backwards@interval
%! stable/1 crash error:{order,_}@stable complete
%! stable_sort/1 safe complete
%! add/3 crash error:{changed,_,_}@add complete
%! newer/1 crash error:odd_patch@newer complete
%! latest/2 crash error:bug@latest complete
%! maps_order/2 crash error:{by_keys,_,_}@maps complete
%! key_order/2 crash error:integers_first@keys
%! name_or_text/1 crash error:text@name complete
%! winner/1 crash error:{won,_}@winner complete
%! schedule/1 crash error:function_clause@before
%! schedule_all/1 safe complete
%! tree/3 crash error:bug@tree complete
%! guarded/2 crash error:{equal,_,_}@guarded complete
%! bits_order/2 crash error:bug@bits complete
%! nil_tuple/1 safe complete
%! clamp/3 crash error:bad_range@clamp complete
%! closed/3 safe complete
%! keys/2 crash error:{loosely,_}@found
-module(ordering).
-export([three_way/2, three_way_exact/2, three_way_integers/2, kind_rank/1, largest/1, smallest/1]).
-export([find/1, dedupe/1, unique/1, merged/2, merged_sorted/2, interval/2, stable/1, stable_sort/1]).
-export([add/3, newer/1, latest/2, maps_order/2, key_order/2, name_or_text/1, winner/1, schedule/1]).
-export([schedule_all/1, tree/3, guarded/2, bits_order/2, nil_tuple/1, clamp/3, closed/3, keys/2]).

%% The usual three-way comparison covers every pair of terms.
-spec three_way(term(), term()) -> lt | eq | gt.
three_way(A, B) when A < B -> lt;
three_way(A, B) when A > B -> gt;
three_way(A, B) when A == B -> eq;
three_way(_, _) -> error(impossible).

%% With `=:=` it does not: 1 and 1.0 fall through.
-spec three_way_exact(term(), term()) -> lt | eq | gt.
three_way_exact(A, B) when A < B -> lt; %@exact
three_way_exact(A, B) when A > B -> gt;
three_way_exact(A, B) when A =:= B -> eq.

-spec three_way_integers(integer(), integer()) -> lt | eq | gt.
three_way_integers(A, B) when A < B -> lt;
three_way_integers(A, B) when A > B -> gt;
three_way_integers(A, B) when A =:= B -> eq.

-spec kind_rank(term()) -> 1..10.
kind_rank(T) when T < a, not is_atom(T) -> 1;
kind_rank(T) when is_atom(T) -> 2;
kind_rank(T) when is_reference(T) -> 3;
kind_rank(T) when is_function(T) -> 4;
kind_rank(T) when is_port(T) -> 5;
kind_rank(T) when is_pid(T) -> 6;
kind_rank(T) when T < #{} -> 7;
kind_rank(T) when is_map(T) -> 8;
kind_rank(T) when T < <<>> -> 9;
kind_rank(T) when is_bitstring(T) -> 10;
kind_rank(_) -> error(no_rank).

%% The largest of a mixed list is compared with a number.
-spec largest([integer() | atom() | {integer()}]) -> term().
largest([]) -> none;
largest(List) ->
    case lists:max(List) of
        N when is_integer(N), N > 100, length(List) > 1 -> error(bug); %@largest
        Max -> Max
    end.

-spec smallest([integer() | atom() | {integer()}]) -> term().
smallest([_, _ | _] = List) ->
    case lists:min(List) of
        {N} when N > 10 -> error(bug); %@smallest
        Min -> Min
    end;
smallest(_) -> none.

%% Binary search on a tuple of terms that is in order.
-spec find(term()) -> 1..5 | none.
find(Key) -> find(Key, {3, b, {}, [], <<"k">>}, 1, 5).
find(_, _, Low, High) when Low > High -> none;
find(Key, Table, Low, High) ->
    Middle = (Low + High) div 2,
    case element(Middle, Table) of
        Entry when Key == Entry, Key =/= Entry -> error({found_other, Key}); %@find
        Entry when Key == Entry -> Middle;
        Entry when Key < Entry -> find(Key, Table, Low, Middle - 1);
        _ -> find(Key, Table, Middle + 1, High)
    end.

-spec dedupe([1 | a | float()]) -> [term()].
dedupe(List) ->
    Loose = lists:usort(List),
    case length(Loose) =/= length(sets:to_list(sets:from_list(List, [{version, 2}]))) of
        true -> error({two_meanings, List}); %@dedupe
        false -> Loose
    end.

-spec unique([term()]) -> [term()].
unique(List) -> unique(List, []).
unique([X | Rest], Seen) ->
    case [S || S <- Seen, S == X] of
        [] -> unique(Rest, [X | Seen]);
        [S] when S =:= X -> unique(Rest, Seen);
        [_] -> error(same_but_different) %@unique
    end;
unique([], Seen) -> lists:reverse(Seen).

-spec merged([integer() | atom()], [integer() | atom()]) -> list().
merged(A, B) ->
    Merged = lists:merge(A, B),
    case Merged =:= lists:sort(Merged) of
        true -> Merged;
        false -> error(out_of_order) %@merged
    end.

-spec merged_sorted([1..3 | a], [1..3 | a]) -> list().
merged_sorted([A, B], [C, D]) when A =< B, C =< D ->
    [W, X, Y, Z] = lists:merge([A, B], [C, D]),
    true = W =< X andalso X =< Y andalso Y =< Z,
    [W, X, Y, Z];
merged_sorted(_, _) -> [].

%% Intervals [From, To) over any terms.
-spec interval(term(), [{term(), term(), atom()}]) -> atom().
interval(Key, [{From, To, Name} | _]) when Key >= From, Key < To -> Name;
interval(Key, [{From, To, _} | _]) when From > To, is_tuple(Key), Key > From -> error(backwards); %@interval
interval(Key, [_ | Rest]) -> interval(Key, Rest);
interval(_, []) -> none.

-spec stable([{1..2, a | b}]) -> list().
stable([A, B, C]) ->
    Sorted = lists:keysort(1, [A, B, C]),
    case Sorted of
        [{K, b}, {K, a}, {2, b}] -> error({order, Sorted}); %@stable
        _ -> Sorted
    end;
stable(List) -> List.

-spec stable_sort({0..1, 0..1, 0..1}) -> list().
stable_sort({A, B, C}) ->
    [{_, X}, {_, Y}, {_, Z}] = lists:keysort(1, [{A, 1}, {B, 2}, {C, 3}]),
    case A == B andalso B == C of
        true -> [1, 2, 3] = [X, Y, Z];
        false -> [X, Y, Z]
    end.

%% A set by ==.
-spec add(term(), term(), term()) -> list().
add(A, B, C) ->
    Set = ordsets:from_list([A, B]),
    Next = ordsets:add_element(C, Set),
    case {length(Set), length(Next), lists:member(C, Set)} of
        {2, 2, false} -> error({changed, C, Set}); %@add
        _ -> Next
    end.

-spec newer({non_neg_integer(), non_neg_integer(), non_neg_integer()}) -> atom().
newer(Version) when Version >= {2, 10, 0}, Version < {2, 10, 5} ->
    case Version of
        {_, _, Patch} when Patch rem 2 =:= 1 -> error(odd_patch); %@newer
        _ -> supported
    end;
newer(Version) when Version < {2, 10, 0} -> old;
newer(_) -> future.

%% Versions of different lengths: a shorter tuple comes first, whatever is in it.
-spec latest(tuple(), tuple()) -> tuple().
latest(A, B) ->
    case max(A, B) of
        {1} -> error(bug); %@latest
        Max when tuple_size(Max) < tuple_size(A) -> error(never);
        Max -> Max
    end.

-spec maps_order(#{a | b => 0..1}, #{a | b => 0..1}) -> atom().
maps_order(A, B) when map_size(A) < map_size(B), A > B -> error(never);
maps_order(#{a := X} = A, #{b := Y} = B) when map_size(A) =:= 1, map_size(B) =:= 1, X > Y, A > B -> error(never);
maps_order(#{a := X} = A, #{b := Y} = B) when map_size(A) =:= 1, map_size(B) =:= 1, X > Y -> error({by_keys, A, B}); %@maps
maps_order(_, _) -> ok.

%% Integers come before floats among the keys of maps that are compared.
-spec key_order(#{number() => a}, #{number() => a}) -> atom().
key_order(A, B) ->
    case {maps:keys(A), maps:keys(B)} of
        {[I], [F]} when is_integer(I), is_float(F), I > F, A < B -> error(integers_first); %@keys
        {[I], [F]} when is_integer(I), is_float(F), A > B -> error(never);
        _ -> ok
    end.

-spec name_or_text(atom() | string()) -> atom().
name_or_text(X) when X > zzz, X < "b" ->
    case X of
        [$a, $b | _] -> error(text); %@name
        _ -> text
    end;
name_or_text(X) when X =< zzz, is_list(X) -> error(never);
name_or_text(_) -> name.

-spec winner({term(), term(), term(), term()}) -> term().
winner({A, B, C, D}) ->
    Final = {play(A, B), play(C, D)},
    case play(element(1, Final), element(2, Final)) of
        {cup, N} = Best when N > A, is_integer(A) -> error({won, Best}); %@winner
        Best when Best < A; Best < B; Best < C; Best < D -> error(never);
        Best -> Best
    end.
play(X, Y) when X >= Y -> X;
play(_, Y) -> Y.

%% A comparator with a hole: equal priorities are not ordered by anything.
-type job() :: {low | high, integer() | atom()}.
-spec schedule([job()]) -> [job()].
schedule(Jobs) -> lists:sort(fun before/2, Jobs).
before({high, _}, {low, _}) -> true; %@before
before({low, _}, {high, _}) -> false;
before({_, A}, {_, B}) when is_integer(A), is_integer(B) -> A =< B;
before({_, A}, {_, B}) when is_atom(A), is_atom(B) -> A =< B;
before({_, A}, {_, _}) when is_integer(A) -> true.

-spec schedule_all([job()]) -> [job()].
schedule_all([A, B, C]) ->
    [X, Y, Z] = lists:sort(fun before_all/2, [A, B, C]),
    true = before_all(X, Y) andalso before_all(Y, Z),
    [X, Y, Z];
schedule_all(Jobs) -> Jobs.
before_all({P, _}, {P, _}) -> true;
before_all({high, _}, {low, _}) -> true;
before_all({low, _}, {high, _}) -> false.

-spec tree(term(), term(), term()) -> term().
tree(A, B, C) ->
    Tree = lists:foldl(fun(K, T) -> gb_trees:enter(K, K, T) end, gb_trees:empty(), [A, B, C]),
    case {gb_trees:size(Tree), gb_trees:smallest(Tree)} of
        {3, {[], _}} -> error(bug); %@tree
        {Size, _} -> Size
    end.

-spec guarded(term(), term()) -> atom().
guarded(X, X) -> same;
guarded(X, Y) when X == Y -> error({equal, X, Y}); %@guarded
guarded(_, _) -> other.

-spec bits_order(bitstring(), bitstring()) -> atom().
bits_order(A, B) when A < B, bit_size(A) > bit_size(B), bit_size(B) > 3 -> error(bug); %@bits
bits_order(_, _) -> ok.

-spec nil_tuple(list() | tuple()) -> atom().
nil_tuple(X) when X > {}, X < [] -> tuple;
nil_tuple(X) when X > [] -> list;
nil_tuple([]) -> nil;
nil_tuple({}) -> empty;
nil_tuple(_) -> error(never).

-spec clamp(term(), term(), term()) -> term().
clamp(X, Low, High) when Low =< High ->
    case min(max(X, Low), High) of
        Y when Y < Low; Y > High -> error(never);
        Y -> Y
    end;
clamp(_, _, _) -> error(bad_range). %@clamp

-spec closed(term(), term(), term()) -> boolean().
closed(A, B, C) when A < B, B < C, C < A -> error(never);
closed(A, B, C) when A < B, B < C -> true;
closed(_, _, _) -> false.

-spec keys([{term(), integer()}], term()) -> integer().
keys(List, Key) ->
    case {lists:keyfind(Key, 1, List), proplists:get_value(Key, List)} of
        {{_, V}, undefined} when V > 5 -> error({loosely, V}); %@found
        {{_, V}, _} -> V;
        {false, _} -> 0
    end.
