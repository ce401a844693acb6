%% Runs of many rounds, and messages of a process to itself.
-module(long_runs).
-export([count/2, fold/2, swapped/2, first/1, asked/2]).

%% A call for each round.
-spec count(non_neg_integer(), T) -> {T, done}.
count(0, X) -> {X, done};
count(N, X) -> count(N - 1, X).

%% No call stays open.
-spec fold(non_neg_integer(), T) -> [T].
fold(N, X) ->
    lists:foreach(fun(I) -> even(I) end, lists:seq(1, N)),
    [X].

even(I) when I rem 2 =:= 0 -> yes;
even(_) -> no.

%% What is sent first is received last.
-spec swapped(X, Y) -> {X, Y}.
swapped(X, Y) ->
    self() ! {b, Y},
    erlang:send(self(), {a, X}),
    A = receive {a, V} -> V end,
    B = receive {b, W} -> W after 100 -> late end,
    {A, B}.

-spec first(X) -> {first, X}.
first(X) ->
    Me = self(),
    Me ! X,
    R = receive M -> M after 50 -> none end,
    receive never -> something after 0 -> {first, R} end.

%% The message of another process is only a value.
-spec asked(integer(), X) -> {integer(), X}.
asked(N, X) ->
    Me = self(),
    spawn(fun() -> Me ! {double, N * 2} end),
    Me ! {own, X},
    receive {double, D} -> receive {own, Y} -> {D, Y} end end.
