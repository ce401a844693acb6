%% Ring buffers, bounded queues and sliding windows over lists and tuples.
%! new/1 declared error:badarg@new
%! push/2 bug error:badarg@push
%! at/2 bug error:badarith@at
%! drop/2 bug error:badarg@drop
%! window/2 bug error:function_clause@window
%! median/1 bug error:function_clause@median
%! merge/2 bug error:function_clause@merge
-module(ring).
-export([new/1, push/2, at/2, drop/2, window/2, median/1, merge/2]).

-type ring() :: {ring, At :: non_neg_integer(), Items :: tuple()}.

-spec new(integer()) -> ring().
new(Size) when Size > 0, Size < 100 -> {ring, 0, erlang:make_tuple(Size, 0)};
new(_) -> error(badarg). %@new

-spec push(integer(), {ring, non_neg_integer(), {integer(), integer(), integer()}}) -> ring().
push(Item, {ring, At, Items}) -> {ring, At + 1, setelement(At + 1, Items, Item)}. %@push

%% @doc The item so many steps back.
-spec at(integer(), {ring, non_neg_integer(), {} | {integer()} | {integer(), integer()}}) -> integer().
at(Back, {ring, At, Items}) ->
    Index = (At - Back) rem tuple_size(Items), %@at
    case Index >= 0 of
        true -> element(Index + 1, Items);
        false -> element(Index + 1 + tuple_size(Items), Items)
    end.

-spec drop(non_neg_integer(), [integer()]) -> [integer()].
drop(0, Items) -> Items;
drop(N, Items) -> drop(N - 1, tl(Items)). %@drop

%% @doc The sums of all runs of so many neighbours.
-spec window(1..9, [integer()]) -> [integer()].
window(Size, Items) -> [lists:sum(lists:sublist(Items, Start, Size)) || Start <- lists:seq(1, length(Items) - Size + 1)]. %@window

-spec median([integer()]) -> integer().
median(Items) -> lists:nth(length(Items) div 2 + 1, lists:sort(Items)) + 0. %@median

-spec merge([integer()], [integer()]) -> [integer()].
merge([A | As], [B | Bs]) when A < B -> [A | merge(As, [B | Bs])]; %@merge
merge([A | As], [B | Bs]) when A > B -> [B | merge([A | As], Bs)];
merge(As, []) -> As;
merge([], Bs) -> Bs.
