%% Opaque types: those of other modules are made by their functions, so that every value is one that can be had.
%! first/1 crash error:empty@first
%! ends/1 safe_or_incomplete
%! lookup/2 crash error:function_clause@lookup
%! counted/1 safe_or_incomplete
%! both/2 crash error:bug@both
%! total/1 safe_or_incomplete
%! top/1 crash error:badarg@top complete
-module(opaque).
-export([first/1, ends/1, lookup/2, counted/1, both/2, total/1, top/1]).
-export_type([stack/0]).

-opaque stack() :: [integer()].

-spec first(queue:queue(integer())) -> integer().
first(Q) -> queue:get(Q) + 1. %@first

-spec ends(queue:queue(integer())) -> integer().
ends(Q) ->
    case queue:is_empty(Q) of
        true -> 0;
        false -> queue:get(Q) + queue:get_r(Q)
    end.

-spec lookup(atom(), gb_trees:tree(atom(), integer())) -> integer().
lookup(Key, Tree) -> gb_trees:get(Key, Tree) + 1. %@lookup

-spec counted(gb_trees:tree(atom(), integer())) -> true.
counted(Tree) -> true = gb_trees:size(Tree) =:= length(gb_trees:keys(Tree)).

-spec both(dict:dict(integer(), integer()), sets:set(atom())) -> ok.
both(Dict, Set) ->
    case {dict:is_key(1, Dict), sets:size(Set)} of
        {true, 1} -> error(bug); %@both
        _ -> ok
    end.

-spec total(array:array(integer())) -> integer().
total(Array) -> array:foldl(fun(_, Value, Sum) -> Value + Sum end, 0, Array).

-spec top(stack()) -> integer().
top(Stack) -> hd(Stack). %@top
