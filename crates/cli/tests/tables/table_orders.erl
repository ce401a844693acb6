%% Small programs of processes that share a table, an array and persistent terms, drawn by a seed: every order of their
%% operations by enumeration.
-module(table_orders).

-export([claims/2]).

%% The text of functions that claim something of programs: `all_N` holds, `no_N_K` does not.
claims(From, To) -> [claims(Seed) || Seed <- lists:seq(From, To)].

claims(Seed) ->
    Outcomes = lists:usort(outcomes(program(Seed), 1) ++ outcomes(program(Seed), 2)),
    Step = max(1, length(Outcomes) div 3),
    Some = lists:sublist([{N, lists:nth(N, Outcomes)} || N <- lists:seq(1, length(Outcomes), Step)], 3),
    [io_lib:format("-spec all_~w(1..2) -> term().\nall_~w(X) -> within(~w, X).\n", [Seed, Seed, Seed])
     | [io_lib:format("-spec no_~w_~w(1..2) -> term().\nno_~w_~w(X) -> without(~w, ~w, X).\n",
            [Seed, N, Seed, N, Seed, Outcome]) || {N, Outcome} <- Some]].

within(Seed, X) ->
    Program = program(Seed),
    Outcome = outcome(Program, X),
    lists:member(Outcome, outcomes(Program, X)) orelse error({impossible, Outcome}).

without(Seed, Outcome, X) -> outcome(program(Seed), X) =/= Outcome orelse error(found).

%% Two or three processes of one to three operations each.
program(Seed) ->
    {Count, S1} = draw(2, (Seed * 7919 + 17) rem 2147483647),
    {Kind, S2} = pick([set, ordered_set, bag], S1),
    {Processes, _} = lists:mapfoldl(fun(_, S) ->
        {Length, T1} = draw(case Count of 0 -> 3; 1 -> 2 end, S),
        lists:mapfoldl(fun(_, T) -> operation(T) end, T1, lists:seq(0, Length))
    end, S2, lists:seq(0, Count + 1)),
    {Kind, Processes}.

operation(S0) ->
    {Key, S1} = pick([1, 2, 10, 24, x], S0),
    {Value, S2} = draw(3, S1),
    {Which, S3} = draw(20, S2),
    {{Which, Key, Value}, S3}.

pick(List, S0) ->
    {N, S1} = draw(length(List), S0),
    {lists:nth(N + 1, List), S1}.

draw(Below, S) ->
    S1 = (S * 48271) rem 2147483647,
    {(S1 div 101) rem Below, S1}.

%% What the processes see, and what is left.
outcome({Kind, Processes}, X) ->
    Shared = shared(Kind),
    Self = self(),
    Pids = [spawn(fun() -> Self ! {self(), [do(Operation, Shared, X) || Operation <- Operations]} end) || Operations <- Processes],
    Results = [receive {Pid, Seen} -> Seen end || Pid <- Pids],
    {Results, left(Shared)}.

%% The outcomes of all orders.
outcomes({Kind, Processes}, X) ->
    Numbered = lists:zip(lists:seq(1, length(Processes)), Processes),
    lists:usort([in_order(Kind, Order, length(Processes), X) || Order <- orders(Numbered)]).

orders(Processes) ->
    case [P || {_, [_ | _]} = P <- Processes] of
        [] -> [[]];
        Left -> [[{N, Operation} | Order] || {N, [Operation | Rest]} <- Left,
                    Order <- orders(lists:keyreplace(N, 1, Left, {N, Rest}))]
    end.

in_order(Kind, Order, Count, X) ->
    Shared = shared(Kind),
    Done = [{N, do(Operation, Shared, X)} || {N, Operation} <- Order],
    {[[Result || {M, Result} <- Done, M =:= N] || N <- lists:seq(1, Count)], left(Shared)}.

shared(Kind) ->
    T = ets:new(t, [Kind, public]),
    ets:insert(T, {1, 0}),
    [persistent_term:erase({table_orders, Key}) || Key <- [1, 2, 10, 24]],
    {T, atomics:new(24, [])}.

left({T, A}) ->
    Integers = [atomics:get(A, N) || N <- [1, 2, 10, 24]],
    Terms = [persistent_term:get({table_orders, N}, none) || N <- [1, 2, 10, 24]],
    Rows = ets:tab2list(T),
    ets:delete(T),
    {Rows, Integers, Terms}.

do({Which, x, Value}, Shared, X) -> do({Which, X, Value}, Shared, X);
do({Which, Key, Value}, {T, A}, _) ->
    try step(Which, Key, Value, T, A) catch error:Reason -> Reason end.

step(0, Key, Value, T, _) -> ets:insert(T, {Key, Value});
step(1, Key, Value, T, _) -> ets:insert(T, {Key, Value});
step(2, Key, Value, T, _) -> ets:insert_new(T, {Key, Value});
step(3, Key, _, T, _) -> ets:lookup(T, Key);
step(4, Key, _, T, _) -> ets:lookup(T, Key);
step(5, Key, _, T, _) -> ets:member(T, Key);
step(6, Key, _, T, _) -> ets:delete(T, Key);
step(7, Key, _, T, _) -> ets:take(T, Key);
step(8, Key, Value, T, _) -> ets:update_counter(T, Key, Value + 1, {Key, 5});
step(9, Key, Value, T, _) -> ets:update_element(T, Key, {2, Value});
step(10, _, _, T, _) -> ets:info(T, size);
step(11, _, _, T, _) -> ets:tab2list(T);
step(12, Key, _, T, _) -> ets:match(T, {Key, '$1'});
step(13, _, Value, T, _) -> ets:select_delete(T, [{{'_', Value}, [], [true]}]);
step(14, Key, Value, _, A) -> atomics:put(A, Key, Value);
step(15, Key, Value, _, A) -> atomics:add_get(A, Key, Value + 1);
step(16, Key, _, _, A) -> atomics:get(A, Key);
step(17, Key, Value, _, A) -> atomics:compare_exchange(A, Key, 0, Value + 1);
step(18, Key, Value, _, _) -> persistent_term:put({table_orders, Key}, Value);
step(19, Key, _, _, _) -> persistent_term:get({table_orders, Key}, none).
