%% Numbers that are others in every run: what is only sent and given back decides nothing, and what is asked of them is proved by
%% nothing but what they all have in common.
-module(programs_numbers).
-export([labels/0, labels_ok/0, distinct_ok/0, rising_ok/0, rising/0, even/0, guessed/1, named/0, returned_ok/0]).
-export([schedulers_ok/1, two_schedulers/0, chunks_ok/1, chunks/1, any_number/0, split_ok/1, processes/0, hashed_ok/1, hashed/1, as_keys_ok/0, in_a_table_ok/1, in_a_table/1]).

%% Requests with labels.
-spec labels() -> ok.
labels() -> [{_, 2}, {_, 1}] = answers(), ok.
-spec labels_ok() -> ok.
labels_ok() -> [{A, _}, {B, _}] = answers(), true = A =/= B, ok.

answers() ->
    S = self(),
    Labels = [{erlang:unique_integer(), I} || I <- [1, 2]],
    [spawn(fun() -> S ! {Label, I} end) || {Label, I} <- Labels],
    [receive {Label, I} -> true = lists:member({Label, I}, Labels), {Label, I} end || _ <- Labels].

-spec distinct_ok() -> ok.
distinct_ok() ->
    S = self(),
    [spawn(fun() -> S ! {id, erlang:unique_integer([positive])} end) || _ <- [1, 2]],
    [A, B] = [receive {id, N} when is_integer(N), N > 0 -> N end || _ <- [1, 2]],
    false = A == B,
    ok.

-spec rising_ok() -> ok.
rising_ok() -> true = erlang:unique_integer([monotonic]) < erlang:unique_integer([monotonic]), ok.
%% Others need not rise.
-spec rising() -> ok.
rising() -> true = is_boolean(erlang:unique_integer() < erlang:unique_integer()), ok.

-spec even() -> ok.
even() -> case erlang:unique_integer([positive]) rem 2 of 0 -> ok; 1 -> ok end.
-spec guessed(integer()) -> ok.
guessed(N) -> false = N =:= erlang:unique_integer(), ok.
-spec named() -> ok.
named() -> Name = list_to_atom("w" ++ integer_to_list(erlang:unique_integer([positive]))), true = is_atom(Name), ok.
-spec returned_ok() -> pos_integer().
returned_ok() -> erlang:unique_integer([positive]).

-spec schedulers_ok(pos_integer()) -> pos_integer().
schedulers_ok(N) -> true = erlang:system_info(schedulers_online) >= 1, N + erlang:system_info(schedulers_online).
-spec two_schedulers() -> ok.
two_schedulers() -> case erlang:system_info(schedulers_online) of 77 -> error(found); _ -> ok end.
%% A branch on their number is taken both ways.
-spec chunks_ok(integer()) -> [integer()].
chunks_ok(X) ->
    S = self(),
    N = erlang:system_info(schedulers_online),
    [spawn(fun() -> S ! {I, X + I} end) || I <- lists:seq(1, min(N, 2))],
    [receive {I, Y} -> Y - X end || I <- lists:seq(1, min(2, N))].
-spec chunks(integer()) -> ok.
chunks(X) -> case length(chunks_ok(X)) of L when L * X =:= 16 -> error(sixteen); _ -> ok end.
-spec any_number() -> pos_integer().
any_number() -> lists:sum(lists:seq(1, erlang:system_info(schedulers_online))).
%% Beside a number other branches are solved as ever.
-spec split_ok(integer()) -> integer().
split_ok(X) -> N = erlang:system_info(schedulers), true = N =:= erlang:system_info(schedulers), case X of 5 -> 5; _ -> 100 div (X - 5) end.
-spec processes() -> ok.
processes() -> true = erlang:system_info(process_count) < 1000000, ok.

%% A hash with one value.
-spec hashed_ok(atom()) -> 0.
hashed_ok(A) -> 0 = erlang:phash2({A, self()}, 1).
-spec hashed(atom()) -> ok.
hashed(A) -> true = erlang:phash2({A, self()}, 2) < 2, ok.

-spec as_keys_ok() -> ok.
as_keys_ok() ->
    [A, B] = [erlang:unique_integer() || _ <- [1, 2]],
    #{A := a, B := b} = #{A => a, B => b},
    ok.
-spec in_a_table_ok(atom()) -> ok.
in_a_table_ok(A) -> [{_, A}] = kept(A), ok.
-spec in_a_table(atom()) -> ok.
in_a_table(A) -> [{_, B}] = kept(A), true = B =/= other, ok.

kept(A) ->
    T = ets:new(t, []),
    N = erlang:unique_integer(),
    ets:insert(T, {A, N}), ets:insert(T, {b, N}),
    [{A, M}] = ets:lookup(T, A),
    [{M, A} || M =:= N].
