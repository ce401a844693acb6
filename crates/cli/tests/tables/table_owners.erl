%% Owners, heirs and the protection of tables: everything that one process may do with the table of another.
-module(table_owners).

-include_lib("stdlib/include/ms_transform.hrl").

-export([all/0, arrays/1]).

all() ->
    [{protection, protection()}, {ended, ended()}, {heirs, heirs()}, {gifts, gifts()}, {options, options()}]
    ++ [{names, names()}, {continuations, continuations()}, {info, info()}].

%% Each operation by the owner and by another process, for each protection.
protection() ->
    [{Protection, Who, Name, result(Protection, Who, Operation)}
     || Protection <- [public, protected, private], Who <- [owner, other], {Name, Operation} <- operations()].

result(Protection, Who, Operation) ->
    T = ets:new(t, [Protection, ordered_set]),
    ets:insert(T, [{1, 1}, {2, 2}]),
    Work = fun() -> outcome(fun() -> Operation(T) end) end,
    Result = case Who of
        owner -> Work();
        other -> by_other(Work)
    end,
    {Result, outcome(fun() -> ets:tab2list(T) end)}.

operations() ->
    [{insert, fun(T) -> ets:insert(T, {3, 3}) end},
     {insert_many, fun(T) -> ets:insert(T, [{3, 3}, {4, 4}]) end},
     {insert_bad, fun(T) -> ets:insert(T, 3) end},
     {insert_new, fun(T) -> ets:insert_new(T, {3, 3}) end},
     {lookup, fun(T) -> ets:lookup(T, 1) end},
     {member, fun(T) -> ets:member(T, 1) end},
     {delete, fun(T) -> ets:delete(T) end},
     {delete_key, fun(T) -> ets:delete(T, 1) end},
     {delete_all, fun(T) -> ets:delete_all_objects(T) end},
     {take, fun(T) -> ets:take(T, 1) end},
     {first, fun(T) -> ets:first(T) end},
     {next, fun(T) -> ets:next(T, 1) end},
     {match, fun(T) -> ets:match(T, {'$1', 1}) end},
     {select, fun(T) -> ets:select(T, [{{'$1', '_'}, [], ['$1']}]) end},
     {select_count, fun(T) -> ets:select_count(T, [{'_', [], [true]}]) end},
     {select_delete, fun(T) -> ets:select_delete(T, [{{1, '_'}, [], [true]}]) end},
     {update_counter, fun(T) -> ets:update_counter(T, 1, 5) end},
     {update_element, fun(T) -> ets:update_element(T, 1, {2, x}) end},
     {size, fun(T) -> ets:info(T, size) end},
     {rename, fun(T) -> T =:= ets:rename(T, other) end},
     {fix, fun(T) -> ets:safe_fixtable(T, true) end},
     {setopts, fun(T) -> ets:setopts(T, {protection, public}) end},
     {give_away, fun(T) -> ets:give_away(T, self(), x) end}].

%% What is left of a table when its owner has ended.
ended() ->
    T = by_other(fun() -> ets:new(of_another, [named_table, public]) end),
    U = by_other(fun() -> ets:new(of_another, [public]) end),
    [outcome(fun() -> ets:lookup(T, k) end), ets:info(T), ets:whereis(T), outcome(fun() -> ets:insert(U, {1}) end)]
    ++ [ets:info(U, size), outcome(fun() -> ets:new(of_another, [named_table]), ets:delete(of_another) end)].

heirs() ->
    Self = self(),
    Alive = by_other(fun() -> T = ets:new(t, [{heir, Self, {data, 1}}]), ets:insert(T, {k, 1}), T end),
    First = transferred(),
    Dead = by_other(fun() -> ok end, pid),
    Gone = by_other(fun() -> ets:new(t, [{heir, Dead, x}]) end),
    Changed = by_other(fun() -> T = ets:new(t, []), ets:setopts(T, {heir, Self, later}), T end),
    Second = transferred(),
    Revoked = by_other(fun() -> T = ets:new(t, [{heir, Self, x}]), ets:setopts(T, [{heir, none}]), T end),
    [{First, ets:lookup(Alive, k), ets:info(Alive, owner) =:= self()}, ets:info(Gone), {Second, ets:info(Changed, size)}]
    ++ [ets:info(Revoked), transferred(), ets:info(Alive, heir) =:= self()].

%% One word of a transfer, if there is one.
transferred() ->
    receive {'ETS-TRANSFER', _, Pid, Data} when is_pid(Pid) -> Data after 0 -> none end.

gifts() ->
    Self = self(),
    T = ets:new(t, []),
    ets:insert(T, {k, 1}),
    Other = spawn(fun() ->
        receive {'ETS-TRANSFER', Given, From, gift} ->
            ets:insert(Given, {l, 2}),
            Self ! {From =:= Self, ets:info(Given, owner) =:= self(), ets:tab2list(Given)},
            ets:give_away(Given, Self, back)
        end
    end),
    Bad = [outcome(fun() -> ets:give_away(T, Pid, x) end) || Pid <- [self(), x]],
    true = ets:give_away(T, Other, gift),
    Kept = receive {_, _, _} = Result -> Result end,
    receive {'ETS-TRANSFER', T, Other, back} -> ok end,
    [Bad, Kept, ets:insert(T, {m, 3}), ets:info(T, size)].

options() ->
    [outcome(fun() -> ets:delete(ets:new(t, Options)) end) || Options <- [
        [], [set, bag], [bag, set], [{keypos, 0}], [{keypos, 2}], [{keypos, a}], [x], x, [set | x], [{heir, none}],
        [{heir, self(), d}], [{heir, x, d}], [{read_concurrency, true}], [{read_concurrency, x}], [compressed],
        [{write_concurrency, auto}], [{write_concurrency, x}], [{decentralized_counters, true}], [public, private]
    ]]
    ++ [outcome(fun() -> ets:setopts(ets:new(t, []), Options) end) || Options <- [
        {heir, none}, [{heir, none}, {protection, private}], {protection, x}, [{heir, none}, {heir, none}], x, []
    ]]
    ++ [outcome(fun() -> ets:new(x, [named_table]), ets:new(x, [named_table]) end), ets:delete(x)]
    ++ [outcome(fun() -> ets:new("x", []) end)].

names() ->
    a = ets:new(a, [named_table, bag]),
    Tid = ets:whereis(a),
    ets:insert(Tid, {k, 1}),
    b = ets:rename(Tid, b),
    Unnamed = ets:new(b, []),
    Same = Unnamed =:= ets:rename(Unnamed, c),
    Results = [ets:lookup(b, k), ets:whereis(a), ets:whereis(b) =:= Tid, Same, ets:info(Unnamed, name)]
        ++ [outcome(fun() -> ets:rename(b, "x") end), outcome(fun() -> ets:whereis(1) end), ets:info(Tid, name)]
        ++ [outcome(fun() -> ets:info(1) end), ets:info(no_such_table), outcome(fun() -> ets:lookup(no_such_table, 1) end)]
        ++ [lists:member(b, ets:all()), lists:member(Unnamed, ets:all()), lists:member(a, ets:all())],
    ets:delete(b),
    Results ++ [ets:whereis(b), outcome(fun() -> ets:first(Tid) end)].

%% Searches go on, with compiled match specifications too.
continuations() ->
    T = ets:new(t, [ordered_set]),
    ets:insert(T, [{N, N rem 3} || N <- lists:seq(1, 9)]),
    Spec = [{{'$1', 1}, [], ['$1']}],
    {First, Rest} = ets:select(T, Spec, 2),
    {Second, Last} = ets:select(ets:repair_continuation(Rest, Spec)),
    Compiled = ets:match_spec_compile(Spec),
    [First, Second, Last, ets:select(Last), ets:is_compiled_ms(Compiled), ets:is_compiled_ms(x)]
    ++ [ets:match_spec_run([{5, 1}, {6, 2}, {7, 1}], Compiled), outcome(fun() -> ets:match_spec_compile([x]) end)]
    ++ [outcome(fun() -> ets:select(x) end), ets:fun2ms(fun({A, B}) when B > 1 -> A end)].

info() ->
    T = ets:new(t, [bag, public, {keypos, 2}]),
    ets:insert(T, [{1, a}, {2, a}]),
    lists:keydelete(id, 1, lists:keydelete(owner, 1, ets:info(T)))
    ++ [ets:info(T, owner) =:= self(), ets:info(T, fixed), outcome(fun() -> ets:info(T, x) end), ets:info(T, binary)].

by_other(Work) -> by_other(Work, result).

%% The result of another process that has ended, or its pid.
by_other(Work, Wanted) ->
    {Pid, Monitor} = spawn_monitor(fun() -> exit({done, Work()}) end),
    receive {'DOWN', Monitor, process, Pid, {done, Result}} ->
        case Wanted of
            result -> Result;
            pid -> Pid
        end
    end.

outcome(Work) ->
    try Work() catch Class:Reason -> {Class, Reason} end.

%% Operations on atomics, counters and persistent terms, drawn by a seed.
arrays(Seed) ->
    [array(Kind, Seed + N) || Kind <- [signed, unsigned, counters, spread], N <- lists:seq(1, 60)]
    ++ [outcome(Work) || Work <- [
        fun() -> persistent_term:get({?MODULE, Seed}, none) end,
        fun() -> persistent_term:put({?MODULE, Seed}, {1, x}) end,
        fun() -> persistent_term:get({?MODULE, Seed}) end,
        fun() -> persistent_term:erase({?MODULE, Seed}) end,
        fun() -> persistent_term:erase({?MODULE, Seed}) end,
        fun() -> persistent_term:get({?MODULE, Seed}) end,
        fun() -> atomics:new(0, []) end,
        fun() -> atomics:new(1 bsl 70, []) end,
        fun() -> atomics:new(a, []) end,
        fun() -> atomics:get(make_ref(), 1) end,
        fun() -> counters:new(1, [x]) end
    ]].

array(Kind, Seed) ->
    Array = array(Kind),
    Drawn = (Seed * 48271) rem 2147483647,
    {Kind, array_steps(Kind, Array, 12, Drawn, [array_info(Kind, Array)])}.

array(signed) -> atomics:new(3, []);
array(unsigned) -> atomics:new(3, [{signed, false}]);
array(counters) -> counters:new(3, []);
array(spread) -> counters:new(3, [write_concurrency]).

array_steps(_, _, 0, _, Results) -> Results;
array_steps(Kind, Array, Left, Drawn, Results) ->
    Next = (Drawn * 48271) rem 2147483647,
    Most = (1 bsl 63) - 1,
    Values = [0, 1, -1, 5, Most + 1, Most, -Most - 1, (1 bsl 64) - 1, 1 bsl 64, x, 1.0, -Most - 2, 1 bsl 62],
    Value = lists:nth(1 + (Next div 7) rem length(Values), Values),
    Expected = lists:nth(1 + (Next div 91) rem 4, [0, 1, Most, 5]),
    Index = lists:nth(1 + (Next div 1001) rem 6, [1, 2, 3, 1, 4, 0]),
    Step = fun() -> array_step(Kind, (Next div 3) rem 7, Array, Index, Value, Expected) end,
    array_steps(Kind, Array, Left - 1, Next, [outcome(Step) | Results]).

array_step(Kind, Step, Array, Index, Value, Expected) when Kind =:= signed; Kind =:= unsigned ->
    case Step of
        0 -> atomics:put(Array, Index, Value);
        1 -> atomics:get(Array, Index);
        2 -> atomics:add(Array, Index, Value);
        3 -> atomics:add_get(Array, Index, Value);
        4 -> atomics:exchange(Array, Index, Value);
        5 -> atomics:compare_exchange(Array, Index, Expected, Value);
        6 -> atomics:sub_get(Array, Index, Value)
    end;
array_step(_, Step, Array, Index, Value, _) ->
    case Step of
        0 -> counters:put(Array, Index, Value);
        1 -> counters:get(Array, Index);
        2 -> counters:add(Array, Index, Value);
        _ -> counters:sub(Array, Index, Value), counters:get(Array, Index)
    end.

array_info(Kind, Array) when Kind =:= signed; Kind =:= unsigned -> atomics:info(Array);
array_info(_, Array) -> maps:remove(memory, counters:info(Array)).
