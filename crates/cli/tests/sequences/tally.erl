%% Counters: made by one function, changed by others, one of which may refuse.
-module(tally).
-export([start/0, up/1, down/1, read/1, fifth/1, below/1]).
-export_type([tally/0]).

-opaque tally() :: {tally, integer()}.

-spec start() -> tally().
start() -> {tally, 0}.

-spec up(tally()) -> tally().
up({tally, N}) -> {tally, N + 1}.

-spec down(tally()) -> tally() | error.
down({tally, 0}) -> error;
down({tally, N}) -> {tally, N - 1}.

-spec read(tally()) -> non_neg_integer().
read({tally, N}) when N >= 0 -> N.

-spec fifth(tally()) -> ok.
fifth({tally, 5}) -> hd([]);
fifth(_) -> ok.

%% No sequence of calls goes below zero.
-spec below(tally()) -> ok.
below({tally, N}) when N < 0 -> hd([]);
below(_) -> ok.
