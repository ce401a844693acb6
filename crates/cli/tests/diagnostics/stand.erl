%% A stand with mistakes whose reports need care: records, texts, large values, long lines, specs of several lines.
-module(stand).
-export([close/1, label/1, tag/1, pack/1, count/2, fill/1, wide/3, first/1, open/1]).

-record(stand, {name = "" :: string(), stock = 0 :: integer()}).

%% Records.
-spec close({ok, #stand{}}) -> ok.
close({ok, #stand{stock = Stock}}) ->
    1 = Stock,
    ok.

%% Texts.
-spec label(string()) -> ok.
label(Text) -> true = length(Text) < 2, ok.

-spec tag(binary()) -> ok.
tag(Text) -> true = byte_size(Text) < 3, ok.

%% Large values.
-spec pack([0..9]) -> ok.
pack(List) when length(List) =:= 60 -> error(full);
pack(_) -> ok.

%% A spec of two clauses.
-spec count(a, integer()) -> integer();
           (b,
            integer()) -> integer().
count(a, N) -> N;
count(b, N) -> 10 div N.

-spec fill(0..1) -> ok.
fill(0) -> ok;
fill(N) ->	ok = check(N, "a text that makes the line long", "and another one, with (brackets", [1, 2, 3, 4, 5, 6, 7, 8]), ok.

check(_, _, _, _) -> no.

-spec wide(0..1, atom(), [{atom(), integer(), binary()}]) -> {ok, integer(), [{atom(), integer(), binary()}]} | {error, atom()}.
wide(0, _, _) -> {error, none};
wide(1, Name, List) -> {ok, 10 div (length(List) - 1), [{Name, 1, <<>>} | List]}.

%% Without a spec, and on purpose.
first([X | _]) -> X + 1.

-spec open(atom()) -> ok.
open(closed) -> throw({closed, "since \"yesterday\""});
open(_) -> ok.
