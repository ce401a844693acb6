%% Loops that carry a value along.
%! sum/1 crash error:bug@sum
%! count/2 crash error:bug@count
%! longest/1 crash error:bug@longest
%! average/1 crash error:badarith@average
%! bounded/1 safe
%! drop/2 crash error:function_clause@drop
-module(accumulators).
-export([sum/1, count/2, longest/1, average/1, bounded/1, drop/2]).

-spec sum([integer()]) -> integer().
sum(L) ->
    case lists:foldl(fun(X, Acc) -> X + Acc end, 0, L) of
        1234 when length(L) > 2 -> error(bug); %@sum
        S -> S
    end.

-spec count(atom(), [atom()]) -> non_neg_integer().
count(X, L) -> count(X, L, 0).
count(_, _, 3) -> error(bug); %@count
count(_, [], N) -> N;
count(X, [X | T], N) -> count(X, T, N + 1);
count(X, [_ | T], N) -> count(X, T, N).

-spec longest([[integer()]]) -> non_neg_integer().
longest(Ls) -> longest(Ls, 0).
longest([], N) when N > 2 -> error(bug); %@longest
longest([], N) -> N;
longest([L | Ls], N) -> longest(Ls, max(N, length(L))).

-spec average([number()]) -> number().
average(L) -> lists:sum(L) / length(L). %@average

-spec bounded([boolean()]) -> 0..3.
bounded([A, B, C]) -> lists:sum([one(A), one(B), one(C)]);
bounded(_) -> 0.
one(true) -> 1;
one(false) -> 0.

-spec drop(non_neg_integer(), [integer()]) -> [integer()].
drop(0, L) -> L; %@drop
drop(N, [_ | T]) -> drop(N - 1, T).
