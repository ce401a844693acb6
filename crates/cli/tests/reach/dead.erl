%% Code that nothing reaches, for reasons of every kind, beside code that looks alike and is reached.
-module(dead).
-export([guards/1, spec/1, arithmetic/2, patterns/1, constants/1, lists/1, uncalled/1, helper/2]).

-spec guards(term()) -> atom().
guards(X) when is_atom(X) ->
    case X of
        N when N > 5, is_integer(N) ->
            integer; % unreachable
        _ when X < zebra, X > zeal ->
            between; % reachable
        _ ->
            atom
    end;
guards(X) when is_list(X) ->
    case X of
        {_, _} ->
            pair; % unreachable
        [_ | _] ->
            list;
        [] ->
            empty
    end;
guards(_) ->
    other.

-spec spec(1..5) -> atom().
spec(N) when N > 5 ->
    large; % unreachable
spec(N) when is_float(N) ->
    float; % unreachable
spec(3) ->
    three; % reachable
spec(_) ->
    other.

-spec arithmetic(integer(), integer()) -> atom().
arithmetic(X, Y) ->
    if
        2 * X + 4 * Y =:= 7 ->
            odd; % unreachable
        2 * X + 4 * Y =:= 18, X > Y, Y > 0 ->
            even; % reachable
        X * X < 0 ->
            square; % unreachable
        X > Y, Y > X + 1 ->
            both; % unreachable
        X band 1 =:= 2 ->
            bit; % unreachable
        true ->
            none
    end.

-spec patterns({ok, integer()} | {error, atom()}) -> atom().
patterns({ok, N}) ->
    wrap(abs(N));
patterns({error, Reason}) when is_integer(Reason) ->
    number; % unreachable
patterns({error, _}) ->
    error;
patterns({_, _, _}) ->
    triple. % unreachable

wrap(N) when N >= 0 -> natural;
wrap(_) ->
    negative. % unreachable

-spec constants(boolean()) -> atom().
constants(Flag) ->
    Mode = mode(Flag),
    case {Mode, Flag} of
        {on, true} ->
            on; % reachable
        {on, false} ->
            mixed; % unreachable
        {off, true} ->
            mixed; % unreachable
        {off, false} ->
            off
    end.

mode(true) -> on;
mode(false) -> off.

-spec lists([integer()]) -> atom().
lists(List) ->
    Squares = [X * X || X <- List, X > 1],
    case Squares of
        [] -> none;
        [S | _] when S < 4 ->
            small; % unreachable, by induction
        [49, 4] ->
            found; % reachable
        _ when length(Squares) > length(List) ->
            longer; % unreachable, by induction
        _ ->
            other
    end.

-spec uncalled(integer()) -> integer().
uncalled(X) -> helper(X, up).

%% Exported, so that other directions than `up` come from outside only within the spec.
-spec helper(integer(), up | down) -> integer().
helper(X, up) -> X + 1;
helper(X, down) -> X - 1;
helper(_, sideways) ->
    0. % unreachable
