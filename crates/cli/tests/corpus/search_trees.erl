%% Search trees, heaps and tries: recursive types with arithmetic over them.
%! insert/2 safe_or_incomplete
%! height/1 crash error:unbalanced@unbalanced
%! delete_min/1 crash error:function_clause@delmin
%! sum_paths/2 crash error:{target,_}@target
%! rotate/1 crash error:function_clause@rotate
%! heap_pop/1 crash error:{badmatch,_}@pop
%! is_bst/1 crash error:not_bst@bst
%! trie/2 crash error:bug@trie
%! fold/1 crash error:badarith@fold
%! rose/1 crash error:deep@deep
%! depth/1 safe complete
%! ratio/1 crash error:badarith@ratio
-module(search_trees).
-export([insert/2, height/1, delete_min/1, sum_paths/2, rotate/1, heap_pop/1, is_bst/1, trie/2, fold/1, rose/1, depth/1, ratio/1]).
-export_type([tree/1]).

-type tree(K) :: leaf | {node, tree(K), K, tree(K)}.
-type heap() :: nil | {pos_integer(), integer(), heap(), heap()}.
-type rose(T) :: {T, [rose(T)]}.
-type trie() :: #{char() => trie()} | stop.

-spec insert(K, tree(K)) -> tree(K) when K :: integer().
insert(X, leaf) -> {node, leaf, X, leaf};
insert(X, {node, L, Y, R}) when X < Y -> {node, insert(X, L), Y, R};
insert(X, {node, L, Y, R}) when X > Y -> {node, L, Y, insert(X, R)};
insert(_, T) -> T.

-spec height(tree(atom())) -> non_neg_integer().
height(leaf) -> 0;
height({node, L, _, R}) ->
    case {height(L), height(R)} of
        {A, B} when abs(A - B) > 1 -> error(unbalanced); %@unbalanced
        {A, B} -> 1 + max(A, B)
    end.

-spec delete_min(tree(integer())) -> {integer(), tree(integer())}.
delete_min({node, leaf, K, R}) -> {K, R}; %@delmin
delete_min({node, L, K, R}) -> {M, L1} = delete_min(L), {M, {node, L1, K, R}}.

-spec sum_paths(tree(integer()), integer()) -> boolean().
sum_paths(leaf, Sum) -> Sum =:= 0;
sum_paths({node, leaf, K, leaf}, Sum) when K * 3 =:= Sum, K > 20 -> error({target, K}); %@target
sum_paths({node, L, K, R}, Sum) -> sum_paths(L, Sum - K) orelse sum_paths(R, Sum - K).

-spec rotate(tree(1..3)) -> tree(1..3).
rotate({node, {node, A, X, B}, Y, C}) -> {node, A, X, {node, B, Y, C}}; %@rotate
rotate({node, leaf, _, _} = T) -> T.

-spec heap_pop(heap()) -> {integer(), heap()}.
heap_pop(H) -> {_, K, L, R} = H, {K, join(L, R)}. %@pop
join(nil, H) -> H;
join(H, nil) -> H;
join({_, A, L1, R1}, {_, B, _, _} = H2) when A =< B -> make(A, L1, join(R1, H2));
join(H1, {_, B, L2, R2}) -> make(B, L2, join(H1, R2)).
make(K, L, R) -> case {rank(L), rank(R)} of {A, B} when A >= B -> {B + 1, K, L, R}; {A, _} -> {A + 1, K, R, L} end.
rank(nil) -> 0;
rank({N, _, _, _}) -> N.

-spec is_bst(tree(integer())) -> true.
is_bst(T) -> case between(T, -1000, 1000) of true -> true; false -> error(not_bst) end. %@bst
between(leaf, _, _) -> true;
between({node, L, K, R}, Lo, Hi) -> Lo < K andalso K < Hi andalso between(L, Lo, K) andalso between(R, K, Hi).

-spec trie(string(), trie()) -> boolean().
trie([], stop) -> true;
trie([], T) -> maps:is_key($., T);
trie("ab", stop) -> error(bug); %@trie
trie(_, stop) -> false;
trie([C | Cs], T) -> case T of #{C := Sub} -> trie(Cs, Sub); _ -> false end.

-type expr() :: {num, integer()} | {add | sub | mul | 'div', expr(), expr()} | {neg, expr()}.
-spec fold(expr()) -> integer().
fold({num, N}) -> N;
fold({neg, E}) -> -fold(E);
fold({add, A, B}) -> fold(A) + fold(B);
fold({sub, A, B}) -> fold(A) - fold(B);
fold({mul, A, B}) -> fold(A) * fold(B);
fold({'div', A, B}) -> fold(A) div fold(B). %@fold

-spec rose(rose(atom())) -> non_neg_integer().
rose({_, []}) -> 1;
rose({deep, [_, {_, [_ | _]}]}) -> error(deep); %@deep
rose({_, Kids}) -> 1 + lists:max([rose(K) || K <- Kids]).

-spec depth({} | {a | b, {} | {c, boolean()}}) -> 0..2.
depth({}) -> 0;
depth({_, {}}) -> 1;
depth({_, {c, B}}) when is_boolean(B) -> 2.

-spec ratio(tree(0..9)) -> integer().
ratio(T) -> {S, N} = count(T), S div (N - 2). %@ratio
count(leaf) -> {0, 0};
count({node, L, K, R}) -> {S1, N1} = count(L), {S2, N2} = count(R), {S1 + S2 + K, N1 + N2 + 1}.
