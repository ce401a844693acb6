%% Trees: search trees, file trees, expressions, heaps.
%! smallest/1 bug error:function_clause@smallest
%! insert/2 bug error:function_clause@insert
%! depth/1 bug error:function_clause@depth
%! weight/1 bug error:{case_clause,_}@size
%! pop/1 declared error:empty@empty
%! pop/1 bug error:{case_clause,_}@sift
%! path/2 declared throw:not_found@not_found
%! simplify/1 bug error:badarith@fold
-module(trees_text).
-export([smallest/1, insert/2, depth/1, weight/1, pop/1, path/2, simplify/1]).

-type tree() :: nil | {node, tree(), integer(), tree()}.

-spec smallest(tree()) -> integer().
smallest({node, nil, Key, _}) -> Key; %@smallest
smallest({node, Left, _, _}) -> smallest(Left).

-spec insert(integer(), tree()) -> tree().
insert(Key, nil) -> {node, nil, Key, nil}; %@insert
insert(Key, {node, Left, Other, Right}) when Key < Other -> {node, insert(Key, Left), Other, Right};
insert(Key, {node, Left, Other, Right}) when Key > Other -> {node, Left, Other, insert(Key, Right)}.

-type file() :: {file, non_neg_integer()} | {folder, [file()]} | {link, file()}.
-spec depth(file()) -> pos_integer().
depth({file, _}) -> 1; %@depth
depth({folder, Files}) -> 1 + lists:max([0 | [depth(File) || File <- Files]]).

-spec weight(file()) -> non_neg_integer().
weight(File) ->
    case File of %@size
        {file, N} -> N;
        {folder, [_ | _] = Files} -> lists:sum([weight(Inner) || Inner <- Files]);
        {link, Other} -> weight(Other)
    end.

-spec pop([integer()]) -> {integer(), [integer()]}.
pop([]) -> error(empty); %@empty
pop([Top | Rest]) -> {Top, sift(Rest)}.

sift(Items) ->
    case Items of %@sift
        [] -> [];
        [_] -> Items;
        [A, B | Rest] when A < B -> [A, B | Rest];
        [A, B | Rest] when A > B -> [B, A | Rest]
    end.

-spec path(integer(), tree()) -> [left | right].
path(_, nil) -> throw(not_found); %@not_found
path(Key, {node, Left, Other, _}) when Key < Other -> [left | path(Key, Left)];
path(Key, {node, _, Other, Right}) when Key > Other -> [right | path(Key, Right)];
path(_, _) -> [].

-type expr() :: integer() | x | {'+' | '*' | '/', expr(), expr()}.
-spec simplify(expr()) -> expr().
simplify({Op, A, B}) -> fold(Op, simplify(A), simplify(B));
simplify(Other) -> Other.

fold('+', A, B) when is_integer(A), is_integer(B) -> A + B;
fold('*', A, B) when is_integer(A), is_integer(B) -> A * B;
fold('/', A, B) when is_integer(A), is_integer(B) -> A div B; %@fold
fold(Op, A, B) -> {Op, A, B}.
