%% Recursive trees with arithmetic over them.
%! depth/1 crash error:too_deep@depth
%! total/1 crash error:bug@total
%! insert/2 safe_or_incomplete
%! calc/1 crash error:badarith@calc
%! leftmost/1 crash error:function_clause@leftmost
%! balanced/1 crash error:bug@balanced
-module(trees).
-export([depth/1, total/1, insert/2, calc/1, leftmost/1, balanced/1]).

-type tree() :: leaf | {node, tree(), integer(), tree()}.
-type calc() :: integer() | {add | mul | divide, calc(), calc()}.

-spec depth(tree()) -> non_neg_integer().
depth(T) ->
    case height(T) of
        H when H > 2 -> error(too_deep); %@depth
        H -> H
    end.
height(leaf) -> 0;
height({node, L, _, R}) -> 1 + max(height(L), height(R)).

-spec total(tree()) -> integer().
total(T) ->
    case add(T) of
        77 when T =/= leaf -> error(bug); %@total
        S -> S
    end.
add(leaf) -> 0;
add({node, L, X, R}) -> add(L) + X + add(R).

-spec insert(integer(), tree()) -> tree().
insert(X, leaf) -> {node, leaf, X, leaf};
insert(X, {node, L, Y, R}) when X < Y -> {node, insert(X, L), Y, R};
insert(X, {node, L, Y, R}) -> {node, L, Y, insert(X, R)}.

-spec calc(calc()) -> integer().
calc(N) when is_integer(N) -> N;
calc({add, A, B}) -> calc(A) + calc(B);
calc({mul, A, B}) -> calc(A) * calc(B);
calc({divide, A, B}) -> calc(A) div calc(B). %@calc

-spec leftmost(tree()) -> integer().
leftmost({node, leaf, X, _}) -> X; %@leftmost
leftmost({node, L, _, _}) -> leftmost(L).

-spec balanced(tree()) -> boolean().
balanced({node, {node, leaf, X, leaf}, Y, {node, leaf, Z, leaf}}) when X < Y, Y < Z, X + Z =:= 2 * Y + 1 -> error(bug); %@balanced
balanced(_) -> true.
