%% The programs that `make bench` runs on both machines: each takes a size and returns something that depends on all work.
-module(bench).
-export([programs/0, nrev/1, fib/1, sort/1, trees/1, parser/1, strings/1, maps/1, folds/1, dispatch/1, bigs/1, floats/1]).

%% Function, size, what it is.
programs() ->
    [{nrev, 600, "naive reverse of 600 elements, 5 times"},
     {fib, 25, "fib(25), doubly recursive"},
     {sort, 100000, "lists:sort/1 of 100,000 integers"},
     {trees, 20000, "gb_trees inserts and lookups, 20,000 keys"},
     {parser, 4000, "binary parser, 4,000 framed messages"},
     {strings, 1500, "string:split, uppercase, trim, join; 1,500 words"},
     {maps, 30000, "map updates and a maps:fold, 30,000 steps"},
     {folds, 200000, "lists:foldl with a fun, 200,000 elements"},
     {dispatch, 200000, "200,000 calls of a function with 32 clauses"},
     {bigs, 600, "factorial of 600 and its digits"},
     {floats, 100000, "100,000 steps of floating point"}].

%% Quadratic list building: calls and conses, nothing else.
nrev(N) ->
    List = lists:seq(1, N),
    lists:sum([hd(nreverse(List)) || _ <- lists:seq(1, 5)]).

nreverse([]) -> [];
nreverse([Head | Tail]) -> append(nreverse(Tail), [Head]).

append([], Ys) -> Ys;
append([X | Xs], Ys) -> [X | append(Xs, Ys)].

fib(N) when N < 2 -> N;
fib(N) -> fib(N - 1) + fib(N - 2).

sort(N) ->
    Sorted = lists:sort(random_list(N, 42, [])),
    {hd(Sorted), lists:nth(N div 2, Sorted), lists:last(Sorted)}.

%% A linear congruential generator, so that both machines see the same numbers.
random_list(0, _, List) -> List;
random_list(N, Seed, List) ->
    Next = (Seed * 1103515245 + 12345) rem 2147483648,
    random_list(N - 1, Next, [Next | List]).

trees(N) ->
    Keys = random_list(N, 7, []),
    Tree = lists:foldl(fun(Key, Acc) -> gb_trees:enter(Key, Key rem 10, Acc) end, gb_trees:empty(), Keys),
    {gb_trees:size(Tree), lists:sum([gb_trees:get(Key, Tree) || Key <- Keys])}.

%% Frames of type, flags, length and payload; the payload ends in a checksum.
parser(N) ->
    Stream = << <<(frame(I))/binary>> || I <- lists:seq(1, N) >>,
    parse(Stream, 0, 0).

frame(I) ->
    Payload = <<I:32, (I * I):64/little, (I rem 7):3, 0:5>>,
    <<(I rem 4):4, 5:4, (byte_size(Payload)):16, Payload/binary, (I band 255)>>.

parse(<<>>, Count, Sum) ->
    {Count, Sum};
parse(<<Type:4, 5:4, Length:16, Payload:Length/binary, Check, Rest/binary>>, Count, Sum) ->
    <<Id:32, Square:64/little, Small:3, _:5>> = Payload,
    Check = Id band 255,
    parse(Rest, Count + 1, Sum + Type + Small + Square - checksum(Payload, 0));
parse(<<_, Rest/binary>>, Count, Sum) ->
    parse(Rest, Count, Sum).

checksum(<<>>, Sum) -> Sum;
checksum(<<Byte, Rest/binary>>, Sum) -> checksum(Rest, (Sum * 31 + Byte) band 16#ffff).

strings(N) ->
    Text = lists:append([word(I) || I <- lists:seq(1, N)]),
    Words = string:split(Text, " ", all),
    Upper = [string:uppercase(string:trim(Word)) || Word <- Words],
    Joined = lists:join(",", Upper),
    Flat = unicode:characters_to_binary(Joined),
    {length(Words), string:length(Flat), byte_size(Flat), erlang:phash2(Flat)}.

word(I) -> integer_to_list(I) ++ lists:nth(I rem 4 + 1, ["abc ", "déf ", "Ghi\t ", "jkl "]).

maps(N) ->
    Map = count(N, #{}),
    maps:fold(fun(Key, Value, Sum) -> Key * Value + Sum end, 0, Map).

count(0, Map) -> Map;
count(N, Map) ->
    Key = (N * 7919) rem 997,
    count(N - 1, case Map of
        #{Key := Value} -> Map#{Key := Value + 1};
        #{} -> Map#{Key => 1}
    end).

folds(N) ->
    lists:foldl(fun(X, Sum) when X rem 3 =:= 0 -> Sum + X; (_, Sum) -> Sum - 1 end, 0, lists:seq(1, N)).

dispatch(N) -> dispatch(N, add, 0).

dispatch(0, _, Sum) -> Sum;
dispatch(N, Op, Sum) ->
    {Next, Value} = step(Op),
    dispatch(N - 1, Next, Sum + Value).

step(add) -> {sub, 1};
step(sub) -> {mul, 2};
step(mul) -> {divide, 3};
step(divide) -> {load, 4};
step(load) -> {store, 5};
step(store) -> {jump, 6};
step(jump) -> {call, 7};
step(call) -> {return, 8};
step(return) -> {push, 9};
step(push) -> {pop, 10};
step(pop) -> {dup, 11};
step(dup) -> {swap, 12};
step(swap) -> {over, 13};
step(over) -> {rot, 14};
step(rot) -> {nip, 15};
step(nip) -> {tuck, 16};
step(tuck) -> {1, 17};
step(1) -> {2, 18};
step(2) -> {3, 19};
step(3) -> {4, 20};
step(4) -> {5, 21};
step(5) -> {6, 22};
step(6) -> {7, 23};
step(7) -> {8, 24};
step(8) -> {{a, 1}, 25};
step({a, 1}) -> {{b, 1}, 26};
step({b, 1}) -> {{a, 2}, 27};
step({a, 2}) -> {{b, 2}, 28};
step({b, 2}) -> {[x], 29};
step([x]) -> {[y], 30};
step([y]) -> {<<"z">>, 31};
step(<<"z">>) -> {add, 32}.

bigs(N) ->
    length(integer_to_list(factorial(N, 1))).

factorial(0, Product) -> Product;
factorial(N, Product) -> factorial(N - 1, N * Product).

floats(N) -> floats(N, 1.0).

floats(0, X) -> X;
floats(N, X) -> floats(N - 1, (X * 1.000001 + 0.5) / (1.0 + X / N)).
