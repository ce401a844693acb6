%% Functions whose number of feasible paths is known: one more or fewer means that the search lost or invented one.
%! three/3 safe complete paths=8
%! day/1 safe complete paths=3
%! order/1 safe complete paths=6
%! shape/1 safe complete paths=5
%! inner/1 safe complete paths=2
%! colours/2 safe complete paths=2
%! fizz/1 safe complete paths=4
%! upto/1 safe complete paths=4
%! tagged/1 safe complete paths=6
-module(counted).
-export([three/3, day/1, order/1, shape/1, inner/1, colours/2, fizz/1, upto/1, tagged/1]).

%% Two answers for each of three.
-spec three(boolean(), boolean(), boolean()) -> 0..3.
three(A, B, C) -> one(A) + one(B) + one(C).
one(true) -> 1;
one(false) -> 0.

-spec day(1..7) -> atom().
day(6) -> saturday;
day(7) -> sunday;
day(_) -> weekday.

%% As many as three things have orders.
-spec order({1..3, 1..3, 1..3}) -> {1..3, 1..3, 1..3}.
order({A, B, C}) when A =< B, B =< C -> {A, B, C};
order({A, B, C}) when A =< B, A =< C -> {A, C, B};
order({A, B, C}) when A =< B -> {C, A, B};
order({A, B, C}) when A =< C -> {B, A, C};
order({A, B, C}) when B =< C -> {B, C, A};
order({A, B, C}) -> {C, B, A}.

%% One leaf, or two times two things below a node.
-type low() :: leaf | {node, leaf, leaf}.
-spec shape(leaf | {node, low(), low()}) -> pos_integer().
shape(leaf) -> 1;
shape({node, L, R}) -> shape(L) + shape(R).

%% The inner question has only one answer.
-spec inner(integer()) -> small | large.
inner(X) when X > 10 ->
    case X < 5 of
        true -> error(impossible);
        false -> large
    end;
inner(_) -> small.

-spec colours(red | green | blue, red | green | blue) -> same | different.
colours(C, C) -> same;
colours(_, _) -> different.

-spec fizz(0..100) -> atom() | 0..100.
fizz(N) when N rem 3 =:= 0, N rem 5 =:= 0 -> fizzbuzz;
fizz(N) when N rem 3 =:= 0 -> fizz;
fizz(N) when N rem 5 =:= 0 -> buzz;
fizz(N) -> N.

%% None to three, one inside the other.
-spec upto([] | {a, [] | {a, [] | {a, []}}}) -> 0..3.
upto([]) -> 0;
upto({a, Rest}) -> 1 + upto(Rest).

%% Each clause once; parts that are not looked at do not count.
-spec tagged(none | {one, integer()} | {two, boolean(), boolean()} | [a]) -> 0..4.
tagged(none) -> 0;
tagged({one, _}) -> 1;
tagged({two, true, _}) -> 2;
tagged({two, false, _}) -> 3;
tagged([]) -> 4;
tagged([_ | _]) -> 4.
