%% Functions that give what their specs do not have, and twins that keep them.
-module(contracts).
-export([pred/1, pred_ok/1, half/1, half_ok/1, digit/1, digit_ok/1, bytes/1, bytes_ok/1, atoms/1, atoms_ok/1]).
-export([record/1, record_ok/1, returns/1, returns_ok/1, sizes/1, sizes_ok/1, clauses/1, clauses_ok/1]).
-export([queue_ok/1, fun_ok/1, square_ok/1, process/1, process_ok/1, recursive/1, recursive_ok/1]).
-export([kinds/2, kinds_ok/1]).
-record(r, {a = 1 :: pos_integer(), b :: atom()}).

-spec pred(pos_integer()) -> pos_integer().
pred(N) -> N - 1.
-spec pred_ok(pos_integer()) -> non_neg_integer().
pred_ok(N) -> N - 1.
-spec half(integer()) -> non_neg_integer().
half(N) when N > 1000 -> N - 5000;
half(N) -> abs(N).
-spec half_ok(integer()) -> non_neg_integer().
half_ok(N) when N > 5000 -> N - 5000;
half_ok(N) -> abs(N).
-spec digit(integer()) -> {ok, 0..9} | error.
digit(N) when N >= 0, N =< 10 -> {ok, N};
digit(_) -> error.
-spec digit_ok(integer()) -> {ok, 0..9} | error.
digit_ok(N) when N >= 0, N =< 9 -> {ok, N};
digit_ok(_) -> error.
-spec bytes(<<_:16>>) -> [byte()].
bytes(<<A, B>>) -> [A, A + B].
-spec bytes_ok(<<_:16>>) -> [byte()].
bytes_ok(<<A, B>>) -> [A, (A + B) band 255].
-spec atoms(integer()) -> integer() | undefined.
atoms(777) -> nil;
atoms(X) -> X.
-spec atoms_ok(integer()) -> integer() | undefined.
atoms_ok(777) -> undefined;
atoms_ok(X) -> X.
-spec record(integer()) -> #r{}.
record(X) -> #r{a = X, b = z}.
-spec record_ok(integer()) -> #r{}.
record_ok(X) -> #r{a = max(1, X), b = z}.
-spec returns(integer()) -> no_return().
returns(5) -> ok;
returns(X) -> error(X).
-spec returns_ok(integer()) -> no_return().
returns_ok(X) -> error(X).
-spec sizes(integer()) -> #{size := non_neg_integer(), name => atom()}.
sizes(X) -> #{size => X, name => x}.
-spec sizes_ok(integer()) -> #{size := non_neg_integer(), name => atom()}.
sizes_ok(X) -> #{size => abs(X)}.
-spec clauses(integer()) -> integer(); (atom()) -> atom().
clauses(X) when is_integer(X), X < 100 -> X;
clauses(X) when is_integer(X) -> large;
clauses(X) -> X.
-spec clauses_ok(integer()) -> integer(); (atom()) -> atom().
clauses_ok(X) -> X.
-spec queue_ok(integer()) -> queue:queue(integer()).
queue_ok(X) -> queue:in(X, queue:in(X, queue:new())).
-spec fun_ok(integer()) -> fun((integer()) -> integer()).
fun_ok(X) -> fun(Y) -> X + Y end.
-spec square_ok(integer()) -> non_neg_integer().
square_ok(X) -> X * X.
-spec process(integer()) -> pos_integer().
process(X) ->
    Me = self(),
    spawn(fun() -> Me ! {sum, X * 2} end),
    receive {sum, Sum} -> Sum end.
-spec process_ok(pos_integer()) -> pos_integer().
process_ok(X) -> process(X).
-type tree() :: leaf | {tree(), pos_integer(), tree()}.
-spec recursive(integer()) -> tree().
recursive(X) -> {leaf, 1, {leaf, X, leaf}}.
-spec recursive_ok(pos_integer()) -> tree().
recursive_ok(X) -> {leaf, 1, {leaf, X, leaf}}.
-spec kinds(char() | undefined, string()) -> string().
kinds(Short, Long) -> "a required option: -" ++ [Short | " or --"] ++ Long.
-spec kinds_ok({user, binary() | integer()}) -> {ok, binary()} | none.
kinds_ok({user, X}) when is_binary(X) -> {ok, X};
kinds_ok(_) -> none.
