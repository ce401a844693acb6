%% Sorting and searching with mistakes at the edges.
%! nth/2 crash error:function_clause@nth
%! binary_search/2 crash error:badarg@search
%! insert/2 crash error:unsorted@insert
%! maximum/1 crash error:function_clause@max
%! sorted/1 safe
%! merge/2 crash error:lost@merge
-module(searching).
-export([nth/2, binary_search/2, insert/2, maximum/1, sorted/1, merge/2]).

-spec nth(pos_integer(), [atom()]) -> atom().
nth(1, [X | _]) -> X; %@nth
nth(N, [_ | T]) -> nth(N - 1, T).

%% The upper end should be one less.
-spec binary_search(integer(), {integer(), integer(), integer()}) -> boolean().
binary_search(X, T) -> search(X, T, 1, tuple_size(T) + 1).
search(_, _, Low, High) when Low > High -> false;
search(X, T, Low, High) ->
    Mid = (Low + High) div 2,
    case element(Mid, T) of %@search
        X -> true;
        Y when Y < X -> search(X, T, Mid + 1, High);
        _ -> search(X, T, Low, Mid - 1)
    end.

-spec insert(integer(), [integer()]) -> [integer()].
insert(X, L) ->
    R = put_in(X, L),
    case L =:= lists:sort(L) andalso R =/= lists:sort(R) of
        true -> error(unsorted); %@insert
        false -> R
    end.
put_in(X, []) -> [X];
put_in(X, [Y | T]) when X < Y -> [X, Y | T];
put_in(X, [Y, Z | T]) when X > Z -> [Y, Z, X | T];
put_in(X, [Y | T]) -> [Y | put_in(X, T)].

-spec maximum([integer()]) -> integer().
maximum([X]) -> X; %@max
maximum([X, Y | T]) when X > Y -> maximum([X | T]);
maximum([_ | T]) -> maximum(T).

-spec sorted([0..3]) -> boolean().
sorted([A, B, C]) -> A =< B andalso B =< C;
sorted(_) -> true.

%% Equal heads lose one of them.
-spec merge([integer()], [integer()]) -> [integer()].
merge(A, B) ->
    M = both(A, B),
    case length(M) =:= length(A) + length(B) of
        true -> M;
        false -> error(lost) %@merge
    end.
both([], B) -> B;
both(A, []) -> A;
both([X | A], [Y | B]) when X < Y -> [X | both(A, [Y | B])];
both([X | A], [Y | B]) when X > Y -> [Y | both([X | A], B)];
both([X | A], [_ | B]) -> [X | both(A, B)].
