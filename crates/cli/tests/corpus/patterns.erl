%% Nested patterns, repeated variables, literals deep inside.
%! nested/1 crash error:function_clause@nested
%! twice/2 crash error:bug@twice complete
%! deep/1 crash error:bug@deep
%! strings/1 crash error:bug@strings
%! alias/1 safe
%! tags/1 safe
%! order/2 crash error:bug@order
%! sized/1 crash error:bug@sized complete
%! second/1 crash error:badarg@second complete paths=2
%! place/2 crash error:badarg@place error:bug@seven complete
%! inside/2 safe
%! tagged/1 crash error:bug@tagged complete
%! joined/2 crash error:bug@joined complete
-module(patterns).
-export([nested/1, twice/2, deep/1, strings/1, alias/1, tags/1, order/2,
         sized/1, second/1, place/2, inside/2, tagged/1, joined/2]).

-spec nested({a | b, [integer()]} | {c, {integer(), integer()}}) -> integer().
nested({a, []}) -> 0; %@nested
nested({a, [X | _]}) -> X;
nested({b, [X, Y | _]}) -> X + Y;
nested({c, {X, _}}) -> X.

-spec twice(integer(), [integer()]) -> ok.
twice(X, [X, Y]) when Y > X -> error(bug); %@twice
twice(_, _) -> ok.

-spec deep([[{atom(), integer()}]]) -> ok.
deep([_, [{key, 42}, _ | _] | _]) -> error(bug); %@deep
deep(_) -> ok.

-spec strings(string()) -> ok.
strings("open" ++ [$: | Rest]) when Rest =/= [] -> error(bug); %@strings
strings(_) -> ok.

-spec alias({ok, integer()} | error) -> integer().
alias({ok, N} = Whole) when N > 10 -> element(2, Whole) - tuple_size(Whole);
alias({ok, N}) -> N;
alias(error) -> 0.

-spec tags(a | b | {c, boolean()}) -> 1..4.
tags(a) -> 1;
tags(b) -> 2;
tags({c, true}) -> 3;
tags({c, false}) -> 4.

-spec order(integer() | atom(), integer()) -> ok.
order(X, Y) when X > Y, X < a, Y > 7, X < 10 -> error(bug); %@order
order(_, _) -> ok.

-spec sized(tuple()) -> ok.
sized(T) when tuple_size(T) > 2, element(2, T) =:= x -> error(bug); %@sized
sized(_) -> ok.

-spec second(tuple()) -> term().
second(T) -> element(2, T). %@second

-spec place(pos_integer(), {a, b, 1..9}) -> ok.
place(N, T) ->
    case element(N, T) of %@place
        7 -> error(bug); %@seven
        _ -> ok
    end.

-spec inside(1..3, {a, b, 1..9}) -> tuple().
inside(N, T) -> setelement(N, T, element(N, T)).

-spec tagged(term()) -> ok.
tagged(T) when element(1, T) =:= pair, tuple_size(T) =:= 3 -> error(bug); %@tagged
tagged(_) -> ok.

-spec joined([], [integer()]) -> ok.
joined(Left, Right) ->
    case Left ++ Right of
        [7 | _] -> error(bug); %@joined
        _ -> ok
    end.
