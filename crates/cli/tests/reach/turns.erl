%% Mutual recursion: even and odd, a grammar of two functions, three that pass a value round.
-module(turns).
-export([parity/1, balanced/1, rounds/1]).

-spec parity(non_neg_integer()) -> atom().
parity(N) when N < 30 ->
    case is_even(N) of
        true when N rem 2 =:= 1 ->
            odd; % unreachable, by induction
        true when N > 20 ->
            large; % reachable
        _ ->
            other
    end;
parity(_) ->
    far.

is_even(0) -> true;
is_even(N) -> is_odd(N - 1).

is_odd(0) -> false;
is_odd(N) -> is_even(N - 1).

-spec balanced([open | close]) -> atom().
balanced(Tokens) ->
    case outside(Tokens, 0) of
        {ok, 3} ->
            nested; % reachable
        {ok, Depth} when Depth < 0 ->
            below; % unreachable, by induction
        _ ->
            other
    end.

outside([], Deepest) -> {ok, Deepest};
outside([open | Rest], Deepest) -> inside(Rest, 1, max(Deepest, 1));
outside([close | _], _) -> error.

inside([open | Rest], Depth, Deepest) -> inside(Rest, Depth + 1, max(Deepest, Depth + 1));
inside([close | Rest], 1, Deepest) -> outside(Rest, Deepest);
inside([close | Rest], Depth, Deepest) -> inside(Rest, Depth - 1, Deepest);
inside([], _, _) -> error.

-spec rounds([integer()]) -> atom().
rounds(List) -> first(List, 0).

first([X | Rest], Sum) when X > 10 -> second(Rest, Sum + X);
first(_, _) -> stopped.

second([X | Rest], Sum) when X < 0 -> third(Rest, Sum - X);
second(_, _) -> stopped.

third([Sum | _], Sum) ->
    equal; % reachable
third(_, Sum) when Sum < 12 ->
    small; % unreachable, by induction
third(Rest, Sum) ->
    first(Rest, Sum).
