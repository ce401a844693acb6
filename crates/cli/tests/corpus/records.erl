%% Records and key-value lists.
%! discount/1 crash error:bug@discount
%! rename/2 safe
%! lookup/2 crash error:{badmatch,_}@lookup
%! option/1 crash error:bug@option
%! fields/1 crash error:{badmatch,_}@fields
%! update/2 crash error:bug@update
-module(records).
-export([discount/1, rename/2, lookup/2, option/1, fields/1, update/2]).

-record(item, {name :: atom(), price = 0 :: non_neg_integer(), tags = [] :: [atom()]}).

-spec discount(#item{}) -> integer().
discount(#item{price = P, tags = [sale | _]}) when P - 50 < 0, P > 45 -> error(bug); %@discount
discount(#item{price = P, tags = [sale | _]}) -> P - 50;
discount(#item{price = P}) -> P.

-spec rename(atom(), #item{}) -> #item{}.
rename(N, I) -> I#item{name = N}.

-spec lookup(atom(), [{atom(), integer()}]) -> integer().
lookup(K, L) ->
    {K, V} = lists:keyfind(K, 1, L), %@lookup
    V.

-spec option([{verbose, boolean()} | {level, 0..9}]) -> ok.
option(Options) ->
    case {proplists:get_value(verbose, Options, false), proplists:get_value(level, Options, 0)} of
        {true, 7} -> error(bug); %@option
        _ -> ok
    end.

-spec fields([{atom(), integer()}]) -> integer().
fields(L) ->
    [{a, A}, {b, B} | _] = orddict:from_list(L), %@fields
    A + B.

-spec update(atom(), [{atom(), integer()}]) -> [{atom(), integer()}].
update(K, D) ->
    New = lists:keystore(K, 1, D, {K, 5}),
    case New of
        [_, {K, 5}, _] -> error(bug); %@update
        _ -> New
    end.
