%% Functions that receive messages, with crashes that depend on them.
-module(receivers).
-export([sum/2, asked/1, own/1, late/2, time/1, nested/1, kept/1, stuck/1, caught/1, account/1]).

-spec sum(0..20, [0..9]) -> integer().
sum(Limit, Xs) ->
    [self() ! {item, X} || X <- Xs],
    self() ! done,
    sum_of(Limit, 0).
sum_of(Limit, Sum) ->
    receive
        {item, X} when X + Sum > Limit -> error({over, X});
        {item, X} -> sum_of(Limit, Sum + X);
        done when Sum =:= 7 -> exit(seven);
        done -> Sum
    end.

-spec asked(0..99) -> ok.
asked(N) ->
    Me = self(),
    Ref = make_ref(),
    spawn_link(fun() -> Me ! {Ref, N * 3} end),
    receive
        {Ref, 42} -> error(bug);
        {Ref, _} -> ok
    end.

-spec own(integer()) -> ok.
own(N) ->
    self() ! {self(), N},
    Me = self(),
    receive
        {Me, 1234} -> error(own);
        {Me, _} -> ok
    end.

-spec late(integer(), integer()) -> ok.
late(N, M) ->
    receive
        never -> ok
    after 0 ->
        if N =:= M + 5 -> error(found); true -> ok end
    end.

-spec time(0..2 | word) -> ok.
time(T) -> receive after T -> ok end.

-spec nested(atom()) -> atom() | {second, atom()}.
nested(X) ->
    self() ! a,
    self() ! X,
    receive
        b -> first;
        a -> receive c -> error(c); Y -> {second, Y} after 0 -> none end
    end.

-spec kept([integer()]) -> ok.
kept(Xs) ->
    [self() ! X || X <- Xs],
    F = fun(Y) -> receive Z when Z > Y, Z < Y + 3 -> Z after 0 -> none end end,
    case F(100) of
        102 -> throw(second);
        _ -> ok
    end.

-spec stuck(integer()) -> ok.
stuck(12) -> receive never -> ok end;
stuck(N) when N > 100 -> error(large);
stuck(_) -> ok.

-spec caught({integer(), integer()}) -> number() | ok.
caught({A, B}) ->
    self() ! A,
    try receive X when X > 10 -> 1 / (X - B) after 0 -> ok end
    catch error:badarith when A > 50 -> exit(divided)
    end.

-spec account([{put, 1..9} | {take, 1..9}]) -> ok.
account(Ops) ->
    Pid = spawn_link(fun() -> balance(0) end),
    lists:foreach(fun(Op) -> ok = request(Pid, Op) end, Ops).
balance(B) ->
    receive
        {From, Ref, {put, N}} -> From ! {Ref, ok}, balance(B + N);
        {From, Ref, {take, N}} when N =< B -> From ! {Ref, ok}, balance(B - N);
        {From, Ref, {take, _}} -> From ! {Ref, poor}, balance(B)
    end.
request(Pid, Op) ->
    Ref = make_ref(),
    Pid ! {self(), Ref, Op},
    receive
        {Ref, poor} -> exit(poor);
        {Ref, Answer} -> Answer
    end.
