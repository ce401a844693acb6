%% A record that only this module has; it is opened by one function with a result in a tuple.
-module(account).
-export([open/1, deposit/2, withdraw/2, monthly/1, overdrawn/1, negative/1]).

-record(account, {balance = 0 :: integer(), moves = 0 :: non_neg_integer()}).

-spec open(non_neg_integer()) -> {ok, #account{}} | {error, too_much}.
open(Sum) when Sum > 1000 -> {error, too_much};
open(Sum) -> {ok, #account{balance = Sum}}.

-spec deposit(pos_integer(), #account{}) -> #account{}.
deposit(Sum, A = #account{balance = B, moves = N}) -> A#account{balance = B + Sum, moves = N + 1}.

-spec withdraw(pos_integer(), #account{}) -> {ok, #account{}} | {error, funds}.
withdraw(Sum, #account{balance = B}) when Sum > B -> {error, funds};
withdraw(Sum, A = #account{balance = B, moves = N}) -> {ok, A#account{balance = B - Sum, moves = N + 1}}.

-spec monthly(#account{}) -> integer().
monthly(#account{balance = B, moves = N}) when B > 0 -> B div (N - 2);
monthly(_) -> 0.

-spec overdrawn(#account{}) -> boolean().
overdrawn(#account{balance = B}) -> B < 0.

%% No sequence of calls gets there.
-spec negative(#account{}) -> ok.
negative(#account{balance = B}) when B < 0 -> hd([]);
negative(_) -> ok.
