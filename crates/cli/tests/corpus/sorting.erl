%% Sorting and searching, with the usual slips.
%! insert/2 safe_or_incomplete
%! msort/1 crash error:bug@msort
%! qsort/1 crash error:{lost,_}@lost
%! nth/2 crash error:function_clause@nth
%! kth/2 crash error:badarg@kth
%! minmax/1 crash error:function_clause@minmax
%! bubble/1 crash error:unsorted@unsorted
%! median/1 crash error:function_clause@median
%! dutch/1 crash error:{case_clause,_}@dutch
%! merge/2 crash error:function_clause@merge
%! find_first/2 crash throw:not_found@notfound
%! bsearch/2 crash error:badarg@bsearch loop:_@round
-module(sorting).
-export([bsearch/2, insert/2, msort/1, qsort/1, nth/2, kth/2, minmax/1, bubble/1, median/1, dutch/1, merge/2, find_first/2]).

-spec bsearch(integer(), {integer(), integer(), integer()}) -> pos_integer() | none.
bsearch(X, T) -> bsearch(X, T, 1, tuple_size(T)).
bsearch(_, _, Lo, Hi) when Lo > Hi + 1 -> none; %@round
bsearch(X, T, Lo, Hi) ->
    Mid = (Lo + Hi) div 2,
    case element(Mid, T) of %@bsearch
        X -> Mid;
        Y when Y < X -> bsearch(X, T, Mid + 1, Hi);
        _ -> bsearch(X, T, Lo, Mid - 1)
    end.

-spec insert(integer(), [integer()]) -> [integer()].
insert(X, []) -> [X];
insert(X, [Y | T]) when X =< Y -> [X, Y | T];
insert(X, [Y | T]) -> [Y | insert(X, T)].

-spec msort([integer()]) -> [integer()].
msort([]) -> [];
msort([X]) -> [X];
msort(L) ->
    {A, B} = lists:split(length(L) div 2, L),
    case {msort(A), msort(B)} of
        {[5, 7], [6 | _]} -> error(bug); %@msort
        {SA, SB} -> lists:merge(SA, SB)
    end.

-spec qsort([integer()]) -> [integer()].
qsort(L) ->
    S = quick(L),
    case length(S) =:= length(L) of
        true -> S;
        false -> error({lost, length(L) - length(S)}) %@lost
    end.
quick([]) -> [];
quick([P | T]) -> quick([X || X <- T, X < P]) ++ [P] ++ quick([X || X <- T, X > P]).

-spec nth(0..5, [atom(), ...]) -> atom().
nth(0, [H | _]) -> H; %@nth
nth(N, [_ | T]) -> nth(N - 1, T).

-spec kth(1..4, {integer(), integer(), integer()}) -> integer().
kth(K, T) -> element(K, list_to_tuple(lists:sort(tuple_to_list(T)))). %@kth

-spec minmax([integer()]) -> {integer(), integer()}.
minmax([H | T]) -> minmax(T, H, H). %@minmax
minmax([], Lo, Hi) -> {Lo, Hi};
minmax([X | T], Lo, Hi) when X < Lo -> minmax(T, X, Hi);
minmax([X | T], Lo, Hi) when X > Hi -> minmax(T, Lo, X);
minmax([_ | T], Lo, Hi) -> minmax(T, Lo, Hi).

-spec bubble([integer()]) -> [integer()].
bubble(L) ->
    case pass(pass(L)) of
        S -> case sorted(S) of true -> S; false -> error(unsorted) end %@unsorted
    end.
pass([A, B | T]) when A > B -> [B | pass([A | T])];
pass([A | T]) -> [A | pass(T)];
pass([]) -> [].
sorted([A, B | T]) -> A =< B andalso sorted([B | T]);
sorted(_) -> true.

-spec median([integer()]) -> {median, integer()}.
median(L) -> {median, lists:nth(length(L) div 2 + 1, lists:sort(L))}. %@median

-spec dutch([red | white | blue]) -> [red | white | blue].
dutch(L) ->
    Count = fun(C) -> length([X || X <- L, X =:= C]) end,
    case {Count(red), Count(white), Count(blue)} of %@dutch
        {0, _, _} -> L;
        {R, W, B} when R =< W, W =< B -> lists:duplicate(R, red) ++ lists:duplicate(W, white) ++ lists:duplicate(B, blue);
        {R, W, _} when R > W -> lists:reverse(lists:sort(L))
    end.

-spec merge([integer()], [integer()]) -> [integer()].
merge([], B) -> B; %@merge
merge([X | A], [Y | B]) when X < Y -> [X | merge(A, [Y | B])];
merge([X | A], [Y | B]) -> [Y | merge([X | A], B)].

-spec find_first(fun((integer()) -> boolean()) | integer(), [integer()]) -> integer().
find_first(X, [X | _]) -> X;
find_first(X, [_ | T]) -> find_first(X, T);
find_first(_, []) -> throw(not_found). %@notfound
