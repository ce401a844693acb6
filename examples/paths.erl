%% Programs about structure, for `make bench` to count paths on: lists, commands, trees, atoms, records, tuples.
-module(paths).
-export([sorted/1, groups/1, run/1, fold/1, route/1, price/1, match/2]).

-spec sorted([integer()]) -> yes | {no, pos_integer()}.
sorted(List) -> sorted(List, 1).

sorted([A, B | Rest], At) when A =< B -> sorted([B | Rest], At + 1);
sorted([_, _ | _], At) -> {no, At};
sorted(_, _) -> yes.

-spec groups([integer()]) -> [{integer(), pos_integer()}].
groups([]) -> [];
groups([First | Rest]) -> groups(Rest, First, 1).

groups([Same | Rest], Same, Count) -> groups(Rest, Same, Count + 1);
groups([Next | Rest], Last, Count) -> [{Last, Count} | groups(Rest, Next, 1)];
groups([], Last, Count) -> [{Last, Count}].

-type command() :: {push, term()} | pop | dup | swap | drop.

-spec run([command()]) -> [term()] | underflow.
run(Commands) -> run(Commands, []).

run([], Stack) -> Stack;
run([{push, Value} | Rest], Stack) -> run(Rest, [Value | Stack]);
run([pop | Rest], [_ | Stack]) -> run(Rest, Stack);
run([dup | Rest], [Top | Stack]) -> run(Rest, [Top, Top | Stack]);
run([swap | Rest], [A, B | Stack]) -> run(Rest, [B, A | Stack]);
run([drop | Rest], [_, _ | Stack]) -> run(Rest, Stack);
run(_, _) -> underflow.

-type tree() :: yes | no | {'not', tree()} | {'and' | 'or', tree(), tree()}.

-spec fold(tree()) -> yes | no.
fold({'not', Tree}) ->
    case fold(Tree) of
        yes -> no;
        no -> yes
    end;
fold({'and', Left, Right}) ->
    case fold(Left) of
        yes -> fold(Right);
        no -> no
    end;
fold({'or', Left, Right}) ->
    case fold(Left) of
        no -> fold(Right);
        yes -> yes
    end;
fold(Leaf) -> Leaf.

-spec route([north | east | south | west | stay]) -> home | away | lost.
route(Moves) -> route(Moves, home).

route([], Where) -> Where;
route([stay | Rest], Where) -> route(Rest, Where);
route([north | Rest], home) -> route(Rest, away);
route([south | Rest], away) -> route(Rest, home);
route([east, west | Rest], Where) -> route(Rest, Where);
route([_ | _], _) -> lost.

-record(item, {kind :: book | food | other, price :: 0..1000, gift = false :: boolean()}).

-spec price([#item{}]) -> non_neg_integer().
price(Items) -> lists:foldl(fun add/2, 0, Items).

add(#item{kind = book, price = Price}, Sum) -> Sum + Price;
add(#item{kind = food, price = Price, gift = true}, Sum) when Price > 100 -> Sum + Price - 10;
add(#item{gift = true, price = Price}, Sum) -> Sum + Price + 5;
add(#item{price = Price}, Sum) -> Sum + Price.

-type shape() :: any | {leaf, atom()} | {pair, shape(), shape()}.
-type value() :: atom() | {value(), value()}.

-spec match(shape(), value()) -> boolean().
match(any, _) -> true;
match({leaf, Atom}, Atom) -> true;
match({pair, A, B}, {X, Y}) -> match(A, X) andalso match(B, Y);
match(_, _) -> false.
