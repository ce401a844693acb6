%% Properties as PropEr's macros make them.
-module(generated).
-export([prop_less/0, prop_longer/0, prop_even/0, prop_choice/0, prop_filled/0, prop_inner/0, prop_vectors/0,
         prop_sorted/0, prop_maps/0, prop_called/0, prop_bits/0, prop_raises/0, prop_made/0, prop_tree/0,
         prop_holds/0, prop_implied/0, prop_pairs_hold/0, prop_meant_to_fail/0, prop_stateful/0, prop_list/0]).

-define(FORALL(X, Type, Test), proper:forall(Type, fun(X) -> Test end)).
-define(IMPLIES(Holds, Test), proper:implies(Holds, fun() -> Test end)).
-define(LET(X, Type, Made), proper_types:bind(Type, fun(X) -> Made end, false)).
-define(SUCHTHAT(X, Type, Holds), proper_types:add_constraint(Type, fun(X) -> Holds end, true)).
-define(SIZED(Size, Type), proper_types:sized(fun(Size) -> Type end)).
-define(LAZY(Type), proper_types:lazy(fun() -> Type end)).

%% Broken ones.
prop_less() -> ?FORALL(X, proper_types:integer(), X < 100).

prop_longer() ->
    Letters = proper_types:list(proper_types:oneof([a, b, proper_types:boolean()])),
    ?FORALL({N, L}, {proper_types:range(1, 5), Letters}, ?IMPLIES(L =/= [], length(L) >= N)).

prop_even() ->
    Even = ?SUCHTHAT(N, proper_types:nat(), N rem 2 =:= 0),
    ?FORALL({N, _}, ?LET(N, Even, {N, N + 1}), N < 10).

prop_choice() ->
    Numbered = ?LET(N, proper_types:nat(), {n, N}),
    ?FORALL(X, proper_types:oneof([Numbered, proper_types:frequency([{1, z}, {2, w}])]), X =/= {n, 7}).

prop_filled() ->
    proper:numtests(10, ?FORALL(L, proper_types:non_empty(proper_types:list(proper_types:integer())), hd(L) =/= 77)).

prop_inner() -> ?FORALL(X, proper_types:any(), ?FORALL(Y, proper_types:range(1, 3), {X, Y} =/= {a, 2})).

prop_vectors() ->
    ?FORALL(N, proper_types:range(1, 4), ?FORALL(L, proper_types:vector(N, proper_types:boolean()), length(L) < 4)).

prop_sorted() -> ?FORALL(L, proper_types:orderedlist(proper_types:range(0, 9)), L =/= [3, 4]).

prop_maps() ->
    Pairs = proper_types:list({proper_types:atom(), proper_types:integer()}),
    ?FORALL(M, ?LET(L, Pairs, maps:from_list(L)), maps:get(z, M, 0) =/= 3).

prop_called() -> ?FORALL(F, proper_types:function(1, proper_types:integer()), F(1) =/= 5).

prop_bits() ->
    Types = {proper_types:binary(2), proper_types:string(), proper_types:float(0.0, 1.0)},
    ?FORALL({B, S, F}, Types, byte_size(B) =:= 2 andalso S =/= "ab" andalso F >= 0.0).

prop_raises() -> ?FORALL(X, ?SUCHTHAT(Y, proper_types:integer(), Y > 5), 10 div (X - 6) < 11).

prop_made() -> ?FORALL(L, ?LET(N, proper_types:range(1, 3), proper_types:vector(N, N)), length(L) < 3).

prop_tree() -> ?FORALL(T, ?SIZED(Size, tree(Size)), depth(T) < 3).

tree(0) -> leaf;
tree(Size) -> proper_types:oneof([leaf, ?LAZY({node, tree(Size div 2), tree(Size div 2)})]).

depth(leaf) -> 0;
depth({node, Left, Right}) -> 1 + max(depth(Left), depth(Right)).

%% What holds.
prop_holds() -> ?FORALL(X, proper_types:range(0, 10), X * 2 =< 20).

prop_implied() -> ?FORALL(X, proper_types:integer(), ?IMPLIES(X > 0, X * X > 0 orelse X =:= 1)).

prop_pairs_hold() ->
    ?FORALL({A, B}, {proper_types:range(0, 9), ?SUCHTHAT(N, proper_types:range(0, 9), N > 4)}, A + B >= 5).

%% What is not translated.
prop_meant_to_fail() -> proper:fails(?FORALL(X, proper_types:integer(), X > 3)).

prop_stateful() -> ?FORALL(L, proper_types:shrink_list([1, 2, 3]), length(L) < 9).

%% A function that is named like a property.
prop_list() -> [{a, 1}].
