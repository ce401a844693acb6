%% Code that leans on the standard library.
%! rotate/1 crash error:bug@rotate
%! tree/1 crash error:bug@tree
%! queue/1 crash error:empty@queue
%! unique/1 crash error:bug@unique
%! merged/2 crash error:bug@merged
%! last/1 crash error:function_clause@last
%! zip/2 crash error:function_clause@zip
%! options/1 crash error:bug@options
%! reversed/1 crash error:bug@reversed
%! sets/2 crash error:bug@sets
%! suffix/1 crash error:bug@suffix
-module(libraries).
-export([rotate/1, tree/1, queue/1, unique/1, merged/2, last/1, zip/2, options/1, reversed/1, sets/2, suffix/1]).

-spec rotate([integer()]) -> [integer()].
rotate(L) ->
    case lists:reverse(L) of
        [3, X | _] when X > 3 -> error(bug); %@rotate
        R -> R
    end.

-spec tree([{1..9, atom()}]) -> ok.
tree(L) ->
    T = lists:foldl(fun({K, V}, Acc) -> gb_trees:enter(K, V, Acc) end, gb_trees:empty(), L),
    case gb_trees:lookup(7, T) of
        {value, ok} -> error(bug); %@tree
        _ -> ok
    end.

-spec queue([{in, integer()} | out]) -> term().
queue(Cs) -> queue(Cs, queue:new()).
queue([], Q) -> queue:to_list(Q);
queue([{in, X} | T], Q) -> queue(T, queue:in(X, Q));
queue([out | T], Q) -> queue(T, queue:drop(Q)). %@queue

-spec unique([integer()]) -> ok.
unique(L) ->
    case length(lists:usort(L)) =:= length(L) orelse length(L) < 3 of
        true -> ok;
        false -> error(bug) %@unique
    end.

-spec merged([{atom(), integer()}], [{atom(), integer()}]) -> ok.
merged(A, B) ->
    D = orddict:merge(fun(_, X, Y) -> X + Y end, orddict:from_list(A), orddict:from_list(B)),
    case orddict:find(k, D) of
        {ok, 99} -> error(bug); %@merged
        _ -> ok
    end.

-spec last([atom()]) -> {ok, atom()}.
last(L) -> {ok, lists:last(L)}. %@last

-spec zip([integer()], [integer()]) -> {zipped, [{integer(), integer()}]}.
zip(A, B) -> {zipped, lists:zip(A, B)}. %@zip

-spec options([{atom(), boolean()}]) -> ok.
options(L) ->
    case proplists:get_value(debug, L) of
        true when length(L) > 1 -> error(bug); %@options
        _ -> ok
    end.

-spec reversed([0..9]) -> ok.
reversed(L) ->
    case L =:= lists:reverse(L) andalso length(L) > 2 of
        true -> error(bug); %@reversed
        false -> ok
    end.

-spec sets([1..5], [1..5]) -> ok.
sets(A, B) ->
    case ordsets:intersection(ordsets:from_list(A), ordsets:from_list(B)) of
        [2, 4 | _] -> error(bug); %@sets
        _ -> ok
    end.

-spec suffix([char()]) -> ok.
suffix(S) ->
    case lists:suffix(".go", S) of
        true -> error(bug); %@suffix
        false -> ok
    end.
