%% The process that keeps the state of the guard, in tables which no other process can write.
%%
%% Processes of a run ask for what they need by messages. Nothing is done that would let a run out, however asked: a leader
%% is a process of the run itself, what is to be undone is looked up here, and a module is loaded as the guard wants it. The
%% beginning and the end of a run are asked for by the loop that answers requests, and by no other process.
-module(hound_keeper).
-export([start/0, pid/0, ask/1, is_leader/1, run_of/1, leaders/1, know/1, is_known/1, known_count/0, is_ours/1]).

-define(LEADERS, '$hound_leaders').
-define(UNDO, '$hound_undo').
-define(KNOWN, '$hound_known').
-define(KEEPER, '$hound_keeper').

%% Keys of persistent terms that the guard, the events and the counters of lines stand on.
-define(TERMS, ['$hound_rules', '$hound_up', '$hound_operations', '$hound_conducted', ?KEEPER, hound_events]).

%% Starts it for the calling process, which alone begins and ends runs. The VM does not go on without it.
-spec start() -> ok.
start() ->
    Loop = self(),
    Ready = make_ref(),
    {Keeper, _} = spawn_opt(fun() -> init(Loop, Ready) end, [monitor, {priority, high}]),
    receive Ready -> persistent_term:put(?KEEPER, Keeper) end,
    _ = spawn_opt(fun() -> watch(Keeper) end, [{priority, max}]),
    ok.

watch(Keeper) ->
    Ref = monitor(process, Keeper),
    receive {'DOWN', Ref, process, _, _} -> erlang:halt(0, [{flush, false}]) end.

init(Loop, Ready) ->
    process_flag(trap_exit, true),
    _ = [ets:new(Table, [named_table, protected]) || Table <- [?LEADERS, ?UNDO, ?KNOWN]],
    Loop ! Ready,
    loop(Loop).

loop(Loop) ->
    receive
        {'$hound_keep', From, Ref, Request} when is_pid(From) ->
            From ! {Ref, answer(Request, From, From =:= Loop)},
            loop(Loop);
        _ ->
            loop(Loop)
    end.

answer(Request, From, IsLoop) ->
    try kept(Request, From, IsLoop)
    catch _:Reason -> {'$hound_failed', Reason}
    end.

-spec pid() -> pid().
pid() ->
    persistent_term:get(?KEEPER).

%% Has the keeper do something; itself, it does it at once.
-spec ask(term()) -> term().
ask(Request) ->
    case pid() of
        Keeper when Keeper =:= self() -> kept(Request, Keeper, false);
        Keeper ->
            Ref = make_ref(),
            Keeper ! {'$hound_keep', self(), Ref, Request},
            receive {Ref, Answer} -> done(Answer) end
    end.

done({'$hound_failed', Reason}) -> error(Reason);
done(Answer) -> Answer.

%% A run whose processes have that group leader begins; From waits for it.
kept({begin_run, Leader}, Loop, true) ->
    ok = hound_admit:newcomers(),
    true = ets:insert(?LEADERS, {Leader, Leader, Loop}),
    ok;
%% Undoes what would show in the next run. Its leaders stay known: whatever is left of a run never goes unguarded.
kept({end_run, Leader}, Loop, true) ->
    _ = [undo(What) || {_, What} <- ets:tab2list(?UNDO)],
    kept({keep_run, Leader}, Loop, true);
%% Leaves it as it is.
kept({keep_run, Leader}, _, true) ->
    ets:delete_all_objects(?UNDO),
    true = ets:update_element(?LEADERS, Leader, {3, none}),
    ok;
kept(raise, _, true) ->
    hound_admit:patch_all();
kept({admit, Module}, _, true) ->
    know(Module);
%% A process of a run leads others of it from now on.
kept({lead, Leader}, From, _) ->
    case {run_of(leader(From)), run_of(leader(Leader))} of
        {{Run, Waiting}, {Run, Waiting}} ->
            ets:insert_new(?LEADERS, {Leader, Run, Waiting}) andalso
                ets:insert(?LEADERS, {{more, Run}, lists:delete(Run, [Leader | leaders(Run)])});
        _ ->
            false
    end;
kept({term, Key}, _, _) ->
    Before = try {value, persistent_term:get(Key)} catch error:badarg -> none end,
    not is_ours(Key) andalso ets:insert_new(?UNDO, {{term, Key}, {term, Key, Before}});
kept({timer, Ref}, _, _) ->
    ets:insert(?UNDO, {{timer, Ref}, {timer, Ref}});
kept({load, Module}, _, _) when is_atom(Module) ->
    Loaded = hound_admit:loaded(Module),
    _ = is_boolean(Loaded) andalso know(Module),
    Loaded.

undo({term, Key, none}) -> persistent_term:erase(Key);
undo({term, Key, {value, Value}}) -> persistent_term:put(Key, Value);
undo({timer, Ref}) when is_reference(Ref) -> erlang:cancel_timer(Ref);
undo({timer, Ref}) -> timer:cancel(Ref).

leader(Pid) ->
    case is_pid(Pid) andalso process_info(Pid, group_leader) of
        {group_leader, Leader} -> Leader;
        _ -> none
    end.

%% True if processes that a process leads are guarded.
-spec is_leader(term()) -> boolean().
is_leader(Pid) ->
    ets:member(?LEADERS, Pid).

%% The first leader of the run that a process leads, and who waits for that run.
-spec run_of(term()) -> {pid(), pid() | none} | none.
run_of(Leader) ->
    case ets:lookup(?LEADERS, Leader) of
        [{_, Run, From}] -> {Run, From};
        _ -> none
    end.

%% The group leaders of a run's processes.
-spec leaders(pid()) -> [pid()].
leaders(Run) ->
    [Run | [One || {_, More} <- ets:lookup(?LEADERS, {more, Run}), One <- More]].

%% Notes that a module is loaded as the guard wants it, which only the keeper can.
-spec know(module()) -> true.
know(Module) ->
    ets:insert(?KNOWN, {Module}).

%% True if a module is loaded as the guard wants it; the number of those.
-spec is_known(module()) -> boolean().
is_known(Module) ->
    ets:member(?KNOWN, Module).

-spec known_count() -> non_neg_integer().
known_count() ->
    ets:info(?KNOWN, size).

%% True if no run may read or write that persistent term.
-spec is_ours(term()) -> boolean().
is_ours({hound_lines, _}) -> true;
is_ours(Key) -> lists:member(Key, ?TERMS).
