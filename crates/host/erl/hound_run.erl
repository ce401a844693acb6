%% Runs calls in processes of their own, under limits of time, reductions and memory.
-module(hound_run).
-export([call/3, observed_call/4, guarded_call/3, conducted_call/3, session/2, session_call/3, apart/1, sweep/1, on_load/2]).
-export([work/3, session_loop/1]).

-define(VALUE, 0).
-define(RAISED, 1).
-define(TIMED_OUT, 2).
-define(OUT_OF_REDUCTIONS, 3).
-define(OUT_OF_MEMORY, 4).
-define(KILLED, 5).
-define(TOO_LARGE, 7).
-define(FAILED, 8).
-define(NO_SESSION, 9).
-define(REFUSED, 11).
-define(WAITED, 12).
-define(CONDUCTED, 13).
-define(STRAYED, 14).

%% The most bytes an answer may have; what is larger is reported as such, not sent.
-define(LARGEST, 268435456).

%% The time between looks at a long call, in milliseconds.
-define(GLANCE, 5).

%% The time that all processes of a guarded run may wait for messages together, in milliseconds.
-define(PATIENCE, 500).

%% The time that a call which is over waits for processes that it is linked to, in milliseconds.
-define(SETTLING, 100).

%% The time that code may take which a module runs when it is loaded, in milliseconds.
-define(LOADING, 2000).

%% Bytes of tables that are not those of a run.
-define(TABLES, 16777216).

%% The most processes that there may be while a guarded run is on.
-define(PROCESSES, 20000).

%% deadline: in monotonic milliseconds; reductions: the count at which to stop; binaries: bytes likewise.
%% leader: the group leader of a guarded run; before: who was there before it;
%% calm: what its processes had done when they were seen to wait, and since when.
-record(limits, {deadline, reductions, binaries, leader = none, before = [], calm = none}).

%% The number of the request that events answer, and the most bytes of them.
-type recording() :: {non_neg_integer(), non_neg_integer()}.

%% Runs {Module, Function, Args} in a fresh process whose output goes to Io.
-spec call(binary(), binary(), pid()) -> {byte(), iodata()}.
call(Limits, Etf, Io) ->
    run(Limits, Etf, Io, none).

%% The same; the events of instrumented modules in that process go to the port.
-spec observed_call(binary(), binary(), pid(), recording()) -> {byte(), iodata()}.
observed_call(Limits, Etf, Io, Recording) ->
    run(Limits, Etf, Io, Recording).

run(<<Millis:64, Reductions:64, Words:64>>, Etf, Io, Recording) ->
    Processes = erlang:system_info(process_count),
    {Pid, Ref} = spawn_opt(?MODULE, work, [Io, Etf, Recording], [monitor | heap(Words)]),
    Answer = await(Pid, Ref, limits(Millis, Reductions, Words)),
    _ = [hound_events:rescue() || Recording =/= none],
    _ = [sweep(Io) || erlang:system_info(process_count) > Processes],
    Answer.

%% Runs a call whose processes may do nothing but what the guard lets pass.
-spec guarded_call(binary(), binary(), none | recording()) -> {byte(), iodata()}.
guarded_call(<<Millis:64, Reductions:64, Words:64>>, Etf, Recording) ->
    Io = hound_io:start_guarded(),
    ok = hound_keeper:ask({begin_run, Io}),
    Before = processes(),
    {Pid, Ref} = spawn_opt(?MODULE, work, [Io, Etf, Recording], [monitor | heap(Words)]),
    Limits = limits(Millis, Reductions, Words),
    Answer = await(Pid, Ref, Limits#limits{leader = Io, before = Before}),
    _ = [hound_events:rescue() || Recording =/= none],
    exit(Io, kill),
    sweep_all(Io, Before),
    hound_keeper:ask({end_run, Io}),
    receive
        {'$hound_refused', Io, Call} -> {?REFUSED, term_to_binary(Call)}
    after 0 -> Answer
    end.

%% Runs a guarded call whose processes take turns as a schedule says.
-spec conducted_call(binary(), binary(), binary()) -> {byte(), iodata()}.
conducted_call(<<Millis:64, _:64, Words:64>>, Steps, Etf) ->
    Io = hound_io:start_guarded(),
    ok = hound_keeper:ask({begin_run, Io}),
    Before = processes(),
    {Pid, Ref} = spawn_opt(?MODULE, work, [Io, Etf, conducted], [monitor | heap(Words)]),
    Deadline = erlang:monotonic_time(millisecond) + Millis,
    Answer = case hound_conductor:play(Pid, '$hound_go', binary_to_term(Steps), Deadline) of
                 {ok, Played} -> encoded(?CONDUCTED, Played);
                 {strayed, Why} -> {?STRAYED, term_to_binary(unicode:characters_to_binary(Why))};
                 late -> {?TIMED_OUT, <<>>}
             end,
    exit(Io, kill),
    sweep_all(Io, Before),
    demonitor(Ref, [flush]),
    hound_keeper:ask({end_run, Io}),
    flush_reports(),
    receive
        {'$hound_refused', Io, Call} -> {?REFUSED, term_to_binary(Call)}
    after 0 -> Answer
    end.

%% Loads a module that runs something then, as a guarded run; whether that went well.
-spec on_load(module(), binary()) -> boolean().
on_load(Module, Beam) ->
    Io = hound_io:start_guarded(),
    ok = hound_keeper:ask({begin_run, Io}),
    Before = processes(),
    {Pid, Ref} = spawn_monitor(fun() ->
                                   group_leader(Io, self()),
                                   {error, on_load} = erlang:load_module(Module, Beam),
                                   exit({'$on_load', erlang:call_on_load_function(Module)})
                               end),
    Loaded = receive
                 {'DOWN', Ref, process, _, Reason} -> Reason =:= {'$on_load', ok}
             after ?LOADING ->
                 {_, _} = stopped(Pid, Ref, ?TIMED_OUT),
                 false
             end,
    true = erlang:finish_after_on_load(Module, Loaded),
    exit(Io, kill),
    sweep_all(Io, Before),
    hound_keeper:ask({keep_run, Io}),
    flush_reports(),
    receive {'$hound_refused', Io, _} -> false after 0 -> Loaded end.

%% Ends all processes of a guarded run, and those that they start meanwhile.
sweep_all(Io, Before) ->
    case of_run(Io, Before) of
        [] -> ok;
        Left ->
            end_all(Left),
            sweep_all(Io, Before)
    end.

of_run(Io, Before) ->
    Leaders = hound_keeper:leaders(Io),
    [Pid || Pid <- processes() -- Before, {_, Leader} <- [process_info(Pid, group_leader)], lists:member(Leader, Leaders)].

heap(0) -> [];
heap(Words) -> [{max_heap_size, #{size => Words, kill => true, error_logger => true}}].

limits(Millis, Reductions, Words) ->
    #limits{deadline = erlang:monotonic_time(millisecond) + Millis,
            reductions = Reductions,
            binaries = Words * erlang:system_info(wordsize)}.

%% The process ends with its answer, so that one signal brings both.
-spec work(pid(), binary(), none | conducted | recording()) -> no_return().
work(Io, Etf, conducted) ->
    receive '$hound_go' -> ok end,
    prepare(Io),
    {Module, Function, Args} = hound_table:call(Etf),
    _ = hound_guard:admit(Args),
    hound_turn:root(fun() -> hound_guard:door(Module, Function, Args) end);
work(Io, Etf, none) ->
    prepare(Io),
    exit({'$hound', settled(outcome(Etf))});
work(Io, Etf, {Request, Most}) ->
    prepare(Io),
    hound_events:record(Request, Most),
    Outcome = outcome(Etf),
    hound_events:flush(),
    exit({'$hound', settled(Outcome)}).

prepare(Io) ->
    group_leader(Io, self()).

%% Whether a linked process that is about to end takes the caller along must not depend on who is faster: a call is over
%% when the processes that it is linked to wait or have ended.
settled(Outcome) ->
    settled(Outcome, erlang:monotonic_time(millisecond) + ?SETTLING).

settled(Outcome, Deadline) ->
    {links, Links} = process_info(self(), links),
    case [Pid || Pid <- Links, is_pid(Pid), process_info(Pid, status) =/= {status, waiting}] of
        [] -> Outcome;
        _ ->
            receive after 1 -> ok end,
            case erlang:monotonic_time(millisecond) < Deadline of
                true -> settled(Outcome, Deadline);
                false -> Outcome
            end
    end.

outcome(Etf) ->
    outcome(Etf, fun plainly/3).

%% A function of our own: erlang:apply/3 as a fun would leave a frame in the stack.
plainly(Module, Function, Args) ->
    apply(Module, Function, Args).

outcome(Etf, Apply) ->
    try hound_table:call(Etf) of
        {Module, Function, Args} -> applied(Apply, Module, Function, Args)
    catch
        error:badarg -> {?FAILED, term_to_binary(<<"malformed call">>)}
    end.

applied(Apply, Module, Function, Args) ->
    _ = hound_guard:is_up() andalso hound_guard:admit(Args),
    try Apply(Module, Function, Args) of
        Value -> encoded(?VALUE, Value)
    catch
        Class:Reason:Stack -> encoded(?RAISED, {Class, Reason, outside(Stack)})
    end.

%% The stack without our own frames at its bottom.
outside(Stack) ->
    [Frame || Frame <- Stack, not lists:member(element(1, Frame), [?MODULE, hound_state, hound_guard, hound_gate, hound_keeper, hound_turn])].

%% Sharing is lost on the wire: a small term may be a huge message.
encoded(Tag, Term) ->
    case erlang:external_size(Term) > ?LARGEST of
        true -> {?TOO_LARGE, <<>>};
        false -> {Tag, term_to_binary(Term)}
    end.

await(Pid, Ref, Limits) ->
    receive
        {'DOWN', Ref, process, _, {'$hound', Answer}} -> flush_reports(), Answer;
        {'DOWN', Ref, process, _, Reason} -> ended(Pid, Reason);
        {'$hound', Ref, Answer} -> demonitor(Ref, [flush]), flush_reports(), Answer;
        {'$hound_refused', Leader, Call} when Leader =:= Limits#limits.leader ->
            {_, _} = stopped(Pid, Ref, ?REFUSED),
            {?REFUSED, term_to_binary(Call)}
    after wait(Limits) ->
        case exceeded(Pid, Limits) of
            no -> glanced(Pid, Ref, Limits);
            ?OUT_OF_REDUCTIONS ->
                Functions = functions(process_info(Pid, current_stacktrace)),
                {Tag, _} = stopped(Pid, Ref, ?OUT_OF_REDUCTIONS),
                {Tag, term_to_binary(Functions)};
            Tag -> stopped(Pid, Ref, Tag)
        end
    end.

%% The functions of a stack, the one that runs first.
functions({current_stacktrace, Stack}) -> [{M, F, A} || {M, F, A, _} <- Stack];
functions(undefined) -> [].

%% True if the whole run waits, and the time for which it has.
glanced(Pid, Ref, #limits{leader = none} = Limits) ->
    await(Pid, Ref, Limits);
glanced(Pid, Ref, #limits{calm = Calm} = Limits) ->
    Now = erlang:monotonic_time(millisecond),
    case {waiting(Pid, Limits), Calm} of
        {busy, _} -> await(Pid, Ref, Limits#limits{calm = none});
        {Done, {Done, Since}} when Now - Since >= ?PATIENCE ->
            stopped(Pid, Ref, ?WAITED);
        {Done, {Done, _}} -> await(Pid, Ref, Limits);
        {Done, _} -> await(Pid, Ref, Limits#limits{calm = {Done, Now}})
    end.

%% The work of the processes of a run, if all of them wait.
waiting(Pid, #limits{leader = Io, before = Before}) ->
    case process_info(Pid, status) of
        {status, waiting} ->
            %% A run waits for nothing while a module is loaded for it.
            Loading = [hound_keeper:pid(), whereis(code_server)],
            Seen = [{One, process_info(One, [status, reductions])} || One <- Loading ++ of_run(Io, Before)],
            case [busy || {_, [{status, Status}, _]} <- Seen, Status =/= waiting] of
                [] -> Seen;
                _ -> busy
            end;
        _ ->
            busy
    end.

wait(#limits{deadline = Deadline}) ->
    max(0, min(?GLANCE, Deadline - erlang:monotonic_time(millisecond))).

exceeded(Pid, #limits{deadline = Deadline} = Limits) ->
    case erlang:monotonic_time(millisecond) >= Deadline of
        true -> ?TIMED_OUT;
        false -> exceeded_work(Pid, Limits)
    end.

exceeded_work(Pid, #limits{reductions = Most, binaries = Bytes} = Limits) ->
    case process_info(Pid, reductions) of
        {reductions, Done} when Most > 0, Done > Most -> ?OUT_OF_REDUCTIONS;
        _ ->
            case Bytes > 0 andalso (erlang:memory(binary) > Bytes orelse erlang:memory(ets) > Bytes + ?TABLES) of
                true -> ?OUT_OF_MEMORY;
                false -> exceeded_together(Limits)
            end
    end.

%% The processes of a guarded run share its memory.
exceeded_together(#limits{leader = none}) -> no;
exceeded_together(#limits{binaries = Bytes}) ->
    Much = Bytes > 0 andalso erlang:memory(processes) > 2 * Bytes,
    case Much orelse erlang:system_info(process_count) > ?PROCESSES of
        true -> ?OUT_OF_MEMORY;
        false -> no
    end.

%% An answer that was on its way when the limit struck does not count.
stopped(Pid, Ref, Tag) ->
    exit(Pid, kill),
    receive {'DOWN', Ref, process, _, _} -> ok end,
    receive {'$hound', Ref, _} -> ok after 0 -> ok end,
    flush_reports(),
    {Tag, <<>>}.

%% The report about a full heap may come after the news of the death: the collector that noticed has a thread of its own.
ended(Pid, killed) ->
    Answer = receive
                 {log, _, _, _, #{pid := Pid}} -> {?OUT_OF_MEMORY, <<>>}
             after 100 ->
                 {?KILLED, term_to_binary(killed)}
             end,
    flush_reports(),
    Answer;
ended(_Pid, noproc) ->
    {?NO_SESSION, <<>>};
ended(_Pid, Reason) ->
    flush_reports(),
    encoded(?KILLED, Reason).

flush_reports() ->
    receive {log, _, _, _, _} -> flush_reports() after 0 -> ok end.

%% Ends the processes that a call left behind: they share its group leader.
-spec sweep(pid()) -> ok.
sweep(Io) ->
    Left = [Pid || Pid <- processes(), process_info(Pid, group_leader) =:= {group_leader, Io}],
    end_all(Left).

%% A signal takes its time: the next call must not find them any more.
end_all(Pids) ->
    Refs = [monitor(process, Pid) || Pid <- Pids],
    lists:foreach(fun(Pid) -> exit(Pid, kill) end, Pids),
    lists:foreach(fun(Ref) -> receive {'DOWN', Ref, process, _, _} -> ok after 1000 -> demonitor(Ref, [flush]) end end, Refs).

%% A process that runs one call after another; its tables and its dictionary live as long as it does.
-spec session({non_neg_integer(), non_neg_integer(), non_neg_integer()}, pid()) -> pid().
session({_Millis, _Reductions, Words}, Io) ->
    spawn_opt(?MODULE, session_loop, [Io], heap(Words)).

-spec session_loop(pid()) -> no_return().
session_loop(Io) ->
    prepare(Io),
    session_wait().

session_wait() ->
    receive
        {'$hound', call, From, Ref, Etf} ->
            Answer = outcome(Etf, fun in_session/3),
            From ! {'$hound', Ref, Answer},
            session_wait()
    end.

in_session(Module, Function, Args) ->
    hound_state:kept(hound_state:call(Module, Function, Args)).

-spec session_call(pid(), binary(), binary()) -> {byte(), iodata()}.
session_call(Pid, <<Millis:64, Reductions:64, Words:64>>, Etf) ->
    Ref = monitor(process, Pid),
    Done = case process_info(Pid, reductions) of
               {reductions, N} -> N;
               undefined -> 0
           end,
    Pid ! {'$hound', call, self(), Ref, Etf},
    Most = case Reductions of
               0 -> 0;
               _ -> Done + Reductions
           end,
    await(Pid, Ref, limits(Millis, Most, Words)).

%% Work of our own in a process of its own: garbage goes with it, and so does any harm it does to the process.
-spec apart(fun(() -> Result)) -> Result.
apart(Fun) ->
    {_, Ref} = spawn_monitor(fun() -> exit({'$done', Fun()}) end),
    receive
        {'DOWN', Ref, process, _, {'$done', Result}} -> flush_reports(), Result;
        {'DOWN', Ref, process, _, Reason} -> flush_reports(), error(Reason)
    end.
