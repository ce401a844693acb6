%% Properties: what holds, what does not, and what raises.
-module(laws).
-export([round_trip/1, sorted/1, narrow/2, always/0, never/0, silly/1, picky/1, checks/1, bare/1, within/1, echo/1, doubled/1,
         unchecked/1, age/1, report/1]).
-compile({nowarn_unused_function, [hidden/1]}).
-include_lib("eunit/include/eunit.hrl").

-spec round_trip([{atom(), 0..300}]) -> boolean().
round_trip(Pairs) -> decode(encode(Pairs)) =:= Pairs.

encode(Pairs) -> [<<N, (atom_to_binary(Key))/binary>> || {Key, N} <- Pairs].
decode(Rows) -> [{binary_to_atom(Key), N} || <<N, Key/binary>> <- Rows].

-spec sorted([integer()]) -> boolean().
sorted(List) -> is_sorted(sort(List)).

sort([Pivot | Rest]) -> sort([X || X <- Rest, X < Pivot]) ++ [Pivot] ++ sort([X || X <- Rest, X >= Pivot]);
sort([]) -> [].

is_sorted([A, B | Rest]) -> A =< B andalso is_sorted([B | Rest]);
is_sorted(_) -> true.

%% A value that is no branch of the program: the solver has to make it false.
-spec narrow(integer(), integer()) -> boolean().
narrow(A, B) -> A * 7 + B =/= 123456.

always() -> true.
never() -> almost.

-spec silly(1..9) -> term().
silly(N) -> N.

-spec picky(integer()) -> boolean().
picky(N) when N > 1000 -> error({too_large, N});
picky(_) -> true.

-spec checks(integer()) -> ok.
checks(N) ->
    ?assertEqual(42, half(N)),
    ok.

half(84) -> 42;
half(N) -> N div 2.

bare(List) -> lists:reverse(List) =:= List.

-spec within(0..100) -> boolean().
within(N) -> N * 2 =< 200.

-spec echo(boolean()) -> boolean().
echo(Value) -> Value.

%% A list that has to be long.
-spec doubled([integer()]) -> boolean().
doubled(List) -> length(List) =< 12.

unchecked(X) ->
    ?assert(is_integer(X)),
    X.

%% What it gives is not in its spec; what calls it does not care.
-spec age(integer()) -> non_neg_integer().
age(Year) -> 2026 - Year.

-spec report(integer()) -> string().
report(Year) -> integer_to_list(age(Year)).

-spec hidden(0..10) -> boolean().
hidden(N) -> N < 10.
