%% Results that say what went wrong, and code that does not listen.
-module(stores).
-export([total/2, apart/2, given/1, inside/2, refused/2, causes/1, two/1, tree/1, unseen/2, summed/2, bytes/2, same/1, same/2, picked/2]).

-spec total(binary(), 1..3) -> integer().
total(Text, 1) ->
    {ok, N} = number(Text),
    N;
total(Text, 2) ->
    case number(Text) of
        {ok, N} -> N
    end;
total(Text, 3) -> plus(number(Text), 1).

plus({ok, N}, M) -> N + M.

number(<<C>>) when C >= $0, C =< $9 -> {ok, C - $0};
number(_) -> {error, not_a_digit}.

%% Two kinds of errors.
-spec apart(integer(), 1..2) -> ok.
apart(N, 1) -> {ok, _} = open(N), ok;
apart(N, 2) -> {ok, _} = close(N), ok.

open(N) when N > 0 -> {ok, N};
open(_) -> {error, enoent}.

close(N) when N > 0 -> {ok, N};
close(_) -> {error, einval}.

%% The caller's own value is no result.
-spec given({ok, integer()} | {error, low | high}) -> integer().
given({ok, N}) -> N;
given({error, low}) -> {ok, N} = {error, low}, N.

%% A library that fails inside, at many places.
-spec inside(<<_:16>>, 1..3) -> binary().
inside(Text, 1) ->
    Decoded = base64:decode(Text),
    <<"1", Decoded/binary>>;
inside(Text, N) ->
    Decoded = base64:decode(Text),
    <<N, Decoded/binary>>.

%% Functions that refuse their own arguments: each call is a defect.
-spec refused([integer()], 1..2) -> integer().
refused(List, 1) -> lists:nth(3, List) + 1;
refused(List, 2) -> lists:last(List) + 1.

%% Many ways to one place.
-spec causes([integer()]) -> integer().
causes([1, N | _]) -> inverse(N);
causes([2, _, N | _]) -> inverse(N - 7);
causes([3, _, _, N | _]) -> inverse(N * 2);
causes([4, A, B | _]) -> inverse(A - B);
causes(_) -> 0.

inverse(N) -> 100 div N.

-spec two([integer()]) -> integer().
two([1, N | _]) -> inverse(N);
two([2, _, N | _]) -> inverse(N - 7);
two(_) -> 0.

%% One line, two operations.
-spec tree({integer(), integer()}) -> integer().
tree({A, B}) -> 10 div A + 20 div (B - 3).

%% A function that no solver sees into fails, wherever it is called.
-spec unseen(integer(), 1..3) -> integer().
unseen(N, 1) -> 1 + checksum(N);
unseen(N, 2) -> 2 + checksum(N + 1);
unseen(N, 3) -> 3 + checksum(N - 1).

checksum(N) when N > 0 -> N band 255.

%% Strings, of which the spec speaks and nothing takes any.
-spec summed([{atom(), integer() | string()}, ...], 1..2) -> integer().
summed([{_, N} | _], 1) -> N + 1;
summed([{_, N} | _], 2) -> N * 2.

%% Characters that are no bytes.
-spec bytes(string(), 1..2) -> integer().
bytes(Text, 1) -> iolist_size([Text]);
bytes(Text, 2) -> byte_size(iolist_to_binary([$x, Text])).

%% One value that neither spec has.
-spec same(integer()) -> ok.
same(N) -> same(N, 1).

-spec same(integer(), integer()) -> ok.
same(_, _) -> undefined.

%% A library refuses what no spec speaks of, wherever it is called.
picked(List, N) when is_integer(N), N > 3 -> {far, lists:nth(N, List)};
picked(List, N) when is_integer(N), N > 1 -> {near, lists:nth(N, List)}.
