%% Other things that are bounded: columns, levels of a map, sums with a carry, codes of a tree, digits in text.
%! same/1 crash error:badmatch@same
%! pairwise/2 crash error:badmatch@pairwise
%! ascending/1 crash error:badmatch@ascending
%! columns/1 crash error:badmatch@columns
%! codes/1 crash error:badmatch@codes
%! chained/1 crash error:badmatch@chained
%! digits/1 crash error:badmatch@digits
%! disjoint/1 crash error:badmatch@disjoint
%! open_tags/1 crash error:badmatch@open_tags
%! open_tags_ok/1 safe_or_incomplete
%! googol/1 crash error:badmatch@googol
%! fibonacci/1 crash error:badmatch@fibonacci
%! fibonacci_ok/1 safe_or_incomplete
-module(kinds).
-export([same/1, pairwise/2, ascending/1, columns/1, codes/1, chained/1, digits/1, disjoint/1, open_tags/1,
         open_tags_ok/1, googol/1, fibonacci/1, fibonacci_ok/1]).

%% Equal elements.
-spec same([integer()]) -> map().
same(Items) ->
    Count = fun(Item, Counts) -> maps:update_with(Item, fun(N) -> N + 1 end, 1, Counts) end,
    Counts = lists:foldl(Count, #{}, Items),
    true = lists:all(fun(N) -> N < 40 end, maps:values(Counts)), %@same
    Counts.

%% Two lists whose lengths are not too different.
-spec pairwise([integer()], [integer()]) -> [integer()].
pairwise([A | As], [B | Bs]) -> [A + B | pairwise(As, Bs)];
pairwise(As, Bs) ->
    true = abs(length(As) - length(Bs)) < 25, %@pairwise
    As ++ Bs.

%% A list in order.
-spec ascending([integer()]) -> boolean().
ascending(Items) ->
    Is = Items =:= lists:usort(Items),
    true = not Is orelse length(Items) < 21, %@ascending
    Is.

%% Rows of a table.
-spec columns(binary()) -> [[binary()]].
columns(Text) ->
    Rows = [binary:split(Row, <<",">>, [global]) || Row <- binary:split(Text, <<"\n">>, [global])],
    [true = length(Row) =< 40 || Row <- Rows], %@columns
    Rows.

%% The codes of a tree's leaves, with their lengths in four bits.
-type tree() :: {leaf, char()} | {node, tree(), tree()}.
-spec codes(tree()) -> [{char(), 0..15}].
codes(Tree) -> codes(Tree, 0).

codes({leaf, Char}, Length) ->
    <<Length:4>> = <<Length:4>>, %@codes
    [{Char, Length}];
codes({node, Left, Right}, Length) -> codes(Left, Length + 1) ++ codes(Right, Length + 1).

%% Maps in maps.
-type link() :: #{next => link(), value => integer()}.
-spec chained(link()) -> non_neg_integer().
chained(#{next := Next}) ->
    N = chained(Next),
    true = N < 21, %@chained
    N + 1;
chained(_) -> 0.

%% A number in text, of 63 bits.
-spec digits(string()) -> non_neg_integer() | bad.
digits(Text) -> digits(Text, 0).

digits([C | Text], N) when C >= $0, C =< $9 -> digits(Text, N * 10 + C - $0);
digits([], N) ->
    true = N < 1 bsl 63, %@digits
    N;
digits(_, _) -> bad.

%% Intervals of which no two meet.
-spec disjoint([{non_neg_integer(), pos_integer()}]) -> [{non_neg_integer(), pos_integer()}].
disjoint(Intervals) -> lists:foldl(fun add/2, [], Intervals).

add({From, Length}, Known) ->
    case [found || {Other, To} <- Known, Other < From + Length, From < To] of
        [] ->
            true = length(Known) < 25, %@disjoint
            [{From, From + Length} | Known];
        _ -> Known
    end.

%% Tags of one letter that are closed in order.
-spec open_tags(string()) -> ok | error.
open_tags(Text) -> tags(Text, [], 19).

-spec open_tags_ok(string()) -> ok | error.
open_tags_ok(Text) -> tags(Text, [], infinity).

tags([], [], _) -> ok;
tags([$<, $/, C, $> | Text], [C | Open], Most) -> tags(Text, Open, Most);
tags([$<, C, $> | Text], Open, Most) when C >= $a, C =< $z ->
    true = length(Open) < Most, %@open_tags
    tags(Text, [C | Open], Most);
tags([C | Text], Open, Most) when C =/= $< -> tags(Text, Open, Most);
tags(_, _, _) -> error.

%% A number of a hundred digits.
-spec googol(integer()) -> string().
googol(N) ->
    Digits = integer_to_list(N),
    true = length(Digits) < 101, %@googol
    Digits.

%% Numbers that need more than 64 bits.
-spec fibonacci(0..10000) -> non_neg_integer().
fibonacci(N) -> fibonacci(N, 0, 1).

fibonacci(0, A, _) ->
    true = A < 1 bsl 64, %@fibonacci
    A;
fibonacci(N, A, B) -> fibonacci(N - 1, B, A + B).

-spec fibonacci_ok(0..90) -> non_neg_integer().
fibonacci_ok(N) -> fibonacci(N, 0, 1).
