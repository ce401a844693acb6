%% Structures: search trees, tagged tuples and records, several calls deep.
-module(trees).
-export([find/2, depth/1, price/2]).

-record(item, {name :: atom(), cents :: integer(), tags = [] :: [atom()]}).

-type tree() :: leaf | {node, tree(), integer(), tree()}.

-spec find(integer(), tree()) -> atom().
find(Key, Tree) ->
    case lookup(Key, Tree) of
        {found, 3} when Key > 100 ->
            deep; % reachable
        {found, Level} when Level < 0 ->
            negative; % unreachable, by induction
        {found, _} ->
            shallow;
        none ->
            none
    end.

lookup(Key, Tree) -> lookup(Key, Tree, 0).

lookup(_, leaf, _) -> none;
lookup(Key, {node, _, Key, _}, Level) -> {found, Level};
lookup(Key, {node, Left, Other, _}, Level) when Key < Other -> lookup(Key, Left, Level + 1);
lookup(Key, {node, _, _, Right}, Level) -> lookup(Key, Right, Level + 1).

-spec depth(tree()) -> non_neg_integer() | full.
depth(leaf) ->
    0;
depth({node, {node, _, A, _}, B, {node, _, C, _}} = Tree) when A < B, B < C, C < A + 3 ->
    {node, _, _, {node, _, _, Last}} = Tree,
    case Last of
        leaf -> 2;
        {node, leaf, D, leaf} when D =:= A * B ->
            full; % reachable
        _ -> 3
    end;
depth({node, Left, _, Right}) ->
    1 + max(height(Left), height(Right));
depth(_) ->
    %% Not a tree, which the spec rules out.
    broken. % unreachable

height(leaf) -> 0;
height({node, Left, _, Right}) -> 1 + max(height(Left), height(Right)).

-spec price([#item{}], integer()) -> integer() | atom().
price(Items, Limit) ->
    Total = total(Items, 0),
    if
        Total > Limit, Limit > 5000, length(Items) =:= 3 ->
            over; % reachable
        Total < Limit, Total > Limit ->
            never; % unreachable
        true ->
            Total
    end.

total([], Sum) -> Sum;
total([#item{cents = Cents, tags = [free | _]} | Rest], Sum) when Cents > 0 -> total(Rest, Sum);
total([#item{cents = Cents} | Rest], Sum) -> total(Rest, Sum + Cents).
