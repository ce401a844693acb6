%% State machines over lists of commands.
%! ride/1 crash error:too_high@high exit:{basement,_}@low
%! traffic/1 crash error:function_clause@traffic
%! vending/2 crash error:negative_stock@stock
%! door/1 crash error:jammed@jammed
%! tape/2 crash error:{badmatch,_}@tape
%! schedule/2 crash error:badarith@slot
%! session/1 crash throw:locked@locked
%! turnstile/1 safe_or_incomplete
-module(elevator).
-export([ride/1, traffic/1, vending/2, door/1, tape/2, schedule/2, session/1, turnstile/1]).

-define(TOP, 4).
-type cmd() :: up | down | {goto, 0..4}.
-spec ride([cmd()]) -> integer().
ride(Cmds) -> lists:foldl(fun move/2, 0, Cmds).
move(up, ?TOP) -> error(too_high); %@high
move(up, F) -> F + 1;
move(down, F) when F > -1 -> F - 1;
move(down, F) -> exit({basement, F}); %@low
move({goto, F}, _) -> F.

-spec traffic([tick | fault | reset]) -> red | green | amber | off.
traffic(Events) -> run(red, Events).
run(S, []) -> S;
run(S, [E | Es]) -> run(step(S, E), Es).
step(red, tick) -> green; %@traffic
step(green, tick) -> amber;
step(amber, tick) -> red;
step(off, reset) -> red;
step(_, fault) -> off;
step(S, reset) when S =/= off -> S.

-spec vending(0..3, [{coin, 10 | 20 | 50} | buy | refund]) -> {integer(), integer()}.
vending(Stock, Events) -> vending(Stock, 0, Events).
vending(Stock, Credit, []) -> {Stock, Credit};
vending(Stock, _, _) when Stock < 0 -> error(negative_stock); %@stock
vending(Stock, Credit, [{coin, C} | T]) -> vending(Stock, Credit + C, T);
vending(Stock, Credit, [buy | T]) when Credit >= 50 -> vending(Stock - 1, Credit - 50, T);
vending(Stock, Credit, [buy | T]) -> vending(Stock, Credit, T);
vending(Stock, _, [refund | T]) -> vending(Stock, 0, T).

-spec door([open | close | lock | unlock | kick]) -> atom().
door(Es) -> closed(Es).
closed([]) -> closed;
closed([open | T]) -> open(T);
closed([lock | T]) -> locked(T);
closed([_ | T]) -> closed(T).
open([]) -> open;
open([close | T]) -> closed(T);
open([_ | T]) -> open(T).
locked([]) -> locked;
locked([unlock | T]) -> closed(T);
locked([kick, kick, kick | _]) -> error(jammed); %@jammed
locked([_ | T]) -> locked(T).

-spec tape([left | right | {write, 0..1}], [0..1]) -> [0..1].
tape(Program, Cells) -> tape(Program, [], Cells).
tape([], L, R) -> lists:reverse(L, R);
tape([left | P], [C | L], R) -> tape(P, L, [C | R]);
tape([left | P], [], R) -> tape(P, [], [0 | R]);
tape([right | P], L, R) -> [C | R1] = R, tape(P, [C | L], R1); %@tape
tape([{write, B} | P], L, [_ | R]) -> tape(P, L, [B | R]);
tape([{write, B} | P], L, []) -> tape(P, L, [B]).

-type task() :: {Id :: atom(), Cost :: 1..10, Prio :: low | high}.
-spec schedule([task()], pos_integer()) -> integer().
schedule(Tasks, Slots) ->
    {High, Low} = lists:partition(fun({_, _, P}) -> P =:= high end, Tasks),
    Cost = total(High) * 2 - total(Low),
    Slots * 100 div (Cost + 7). %@slot
total(Ts) -> lists:foldl(fun({_, C, _}, Acc) -> Acc + C end, 0, Ts).

-spec session([{login, Pin :: 0..9999} | logout]) -> in | out.
session(Es) -> session(out, 0, Es).
session(S, _, []) -> S;
session(_, 3, _) -> throw(locked); %@locked
session(out, _, [{login, 4711} | T]) -> session(in, 0, T);
session(out, N, [{login, _} | T]) -> session(out, N + 1, T);
session(in, _, [logout | T]) -> session(out, 0, T);
session(S, N, [_ | T]) -> session(S, N, T).

-spec turnstile([coin | push]) -> locked | unlocked.
turnstile(Es) ->
    lists:foldl(fun(coin, _) -> unlocked; (push, _) -> locked end, locked, Es).
