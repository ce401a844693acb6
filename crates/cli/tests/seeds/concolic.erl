%% What the text on concolic testing describes, in programs of our own: branches that values at random do not find, specs as
%% types of inputs, recursive types, higher-order functions, calls by name, processes.
-module(concolic).
-export([assertion/2, distance/2, walk/4, eval/1, mapped/1, named/1, units/1, called/1, arity/1, clauses/1, record/1,
         half/1, text/1, choice/2, echo/1]).
-export([step/1]).

%% A test that needs both a constant and a relation.
-spec assertion(integer(), integer()) -> ok.
assertion(X, Y) ->
    Twice = 2 * Y,
    case X =:= 100000 andalso X < Twice of
        false -> ok;
        true -> error(assertion)
    end.

%% The distance between two points along the axes; what is no number cannot come in.
-spec distance({number(), number()}, {number(), number()}) -> number().
distance(P, Q) ->
    D = abs(element(1, P) - element(1, Q)) + abs(element(2, P) - element(2, Q)),
    case D of
        7 -> exit({unlucky, P, Q});
        _ -> D
    end.

%% A walk through a small map, depth first, that forgets one of its borders.
-define(SIDE, 3).
-type point() :: {1..?SIDE, 1..?SIDE}.
-spec walk(1..?SIDE, point(), point(), [point()]) -> boolean().
walk(N, Start, End, Walls) -> search(N, Start, End, Walls, [], []).

search(_, End, End, _, _, _) -> true;
search(N, Here, End, Walls, Open, Seen) ->
    case lists:foldl(fun(P, All) -> enter(N, P, Walls, Seen, All) end, Open, around(Here)) of
        [] -> false;
        [Next | Rest] ->
            ok = inside(N, Next),
            search(N, Next, End, Walls, Rest, [Next | Seen])
    end.

around({X, Y}) -> [{X - 1, Y}, {X, Y - 1}, {X + 1, Y}, {X, Y + 1}].

enter(N, {X, Y} = P, Walls, Seen, All) ->
    case X =< N andalso Y =< N andalso Y >= 1 andalso not lists:member(P, Walls ++ Seen) of
        true -> [P | All];
        false -> All
    end.

inside(N, {X, Y}) when X >= 1, Y >= 1, X =< N, Y =< N -> ok;
inside(_, Point) -> exit({outside, Point}).

%% Expressions of numbers and truth values; the type is recursive, and not all of its terms can be evaluated.
-type expr() :: yes | no | zero | {succ, expr()} | {pred, expr()} | {is_zero, expr()} | {'if', expr(), expr(), expr()}.
-spec eval(expr()) -> boolean() | integer().
eval(yes) -> true;
eval(no) -> false;
eval(zero) -> 0;
eval({succ, E}) -> number(eval(E)) + 1;
eval({pred, E}) -> case number(eval(E)) of 0 -> 0; N -> N - 1 end;
eval({is_zero, E}) -> number(eval(E)) =:= 0;
eval({'if', C, T, E}) -> case eval(C) of true -> eval(T); false -> eval(E) end.

number(N) when is_integer(N) -> N.

%% Functions as values, and a call by name.
-spec mapped([integer()]) -> [integer()].
mapped(L) -> lists:map(fun ?MODULE:step/1, L).

step(42) -> exit(forty_two);
step(N) -> N + 1.

-spec named([integer()]) -> integer().
named(Args) -> apply(?MODULE, step, Args).

%% Unions of bitstrings, funs that take funs, funs of any arity.
-spec units(<<_:_*4>> | <<_:_*6>>) -> non_neg_integer().
units(B) ->
    case bit_size(B) of
        20 -> exit(fours);
        30 -> exit(sixes);
        N when N rem 4 =/= 0, N rem 6 =/= 0 -> exit(never);
        N -> N
    end.

-spec called(fun((fun((integer()) -> integer())) -> integer())) -> integer().
called(F) ->
    case F(fun(X) -> X * 2 end) of
        77 -> exit(seventy_seven);
        N -> N
    end.

-spec arity(fun((...) -> 0..9)) -> 0..9.
arity(F) when is_function(F, 2) -> case F(a, b) of 7 -> exit(seven); N -> N end;
arity(F) when is_function(F, 0) -> F();
arity(_) -> 0.

%% Overloaded specs, records, floats, text.
-spec clauses(a) -> 1; (b) -> 2.
clauses(a) -> 1;
clauses(b) -> 2;
clauses(_) -> error(never).

-record(item, {name :: atom(), count = 0 :: 0..100}).
-spec record(#item{}) -> integer().
record(#item{count = 99}) -> exit(ninety_nine);
record(#item{count = N}) -> N.

-spec half(float()) -> float().
half(X) when X * 2 =:= 5.0 -> exit(half);
half(X) -> X.

-spec text(string()) -> ok.
text("abc" ++ [C | _]) when C > $x -> exit({text, C});
text(_) -> ok.

-spec choice(boolean(), nonempty_list(integer())) -> integer().
choice(true, [X, X | _]) when X > 1000 -> exit(twins);
choice(_, [X | _]) -> X.

%% The crash needs what the other process sends back.
-spec echo(integer()) -> ok.
echo(N) ->
    Me = self(),
    Pid = spawn(fun() -> receive {From, M} -> From ! {self(), M * 3} end end),
    Pid ! {Me, N},
    receive {Pid, 126} -> error(answer); {Pid, _} -> ok end.
