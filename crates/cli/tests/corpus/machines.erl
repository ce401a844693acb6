%% State machines over lists of commands.
%! door/1 crash error:broken@door
%! stack/1 crash error:function_clause@stack
%! account/1 crash error:overdrawn@account
%! light/1 safe
%! turnstile/1 crash exit:jammed@turnstile
-module(machines).
-export([door/1, stack/1, account/1, light/1, turnstile/1]).

-spec door([open | close | lock | kick]) -> atom().
door(Cs) -> door(Cs, closed).
door([], S) -> S;
door([open | T], closed) -> door(T, open);
door([close | T], open) -> door(T, closed);
door([lock | T], closed) -> door(T, locked);
door([kick | _], locked) -> error(broken); %@door
door([_ | T], S) -> door(T, S).

-spec stack([{push, integer()} | pop | add]) -> [integer()].
stack(Cs) -> stack(Cs, []).
stack([], S) -> S; %@stack
stack([{push, X} | T], S) -> stack(T, [X | S]);
stack([pop | T], [_ | S]) -> stack(T, S);
stack([add | T], [X, Y | S]) -> stack(T, [X + Y | S]).

-spec account([{deposit | withdraw, pos_integer()}]) -> integer().
account(Ts) -> account(Ts, 100).
account(_, B) when B < 0 -> error(overdrawn); %@account
account([], B) -> B;
account([{deposit, N} | T], B) -> account(T, B + N);
account([{withdraw, N} | T], B) -> account(T, B - N).

-spec light({red | green | amber, 0..2}) -> red | green | amber.
light({S, 0}) -> S;
light({red, N}) -> light({green, N - 1});
light({green, N}) -> light({amber, N - 1});
light({amber, N}) -> light({red, N - 1}).

-spec turnstile([coin | push]) -> atom().
turnstile(Es) -> turnstile(Es, locked, 0).
turnstile([], S, _) -> S;
turnstile(_, unlocked, 3) -> exit(jammed); %@turnstile
turnstile([coin | T], _, N) -> turnstile(T, unlocked, N + 1);
turnstile([push | T], unlocked, _) -> turnstile(T, locked, 0);
turnstile([push | T], locked, N) -> turnstile(T, locked, N).
