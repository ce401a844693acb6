%% A bag of numbers by name, whose type says nothing: it is what calls make, and no term that only looks like one.
-module(bag).
-export([new/0, put/3, total/1, size/1]).
-export_type([bag/0]).
-type bag() :: term().

-spec new() -> bag().
new() -> {0, []}.

-spec put(atom(), integer() | [integer()], bag()) -> bag().
put(Name, Number, {Count, Bag}) when is_integer(Number) -> {Count + 1, [{Name, [Number]} | Bag]};
put(Name, Numbers, {Count, Bag}) -> {Count + 1, [{Name, [Numbers]} | Bag]}.

%% Fails on what was put in as a list.
-spec total(bag()) -> integer().
total({_, Bag}) -> lists:sum([lists:sum(Numbers) || {_, Numbers} <- Bag]).

-spec size(bag()) -> non_neg_integer().
size({Count, Bag}) -> Count = length(Bag).
