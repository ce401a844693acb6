%% Replays a schedule: the processes of a guarded run pass gates in the order in which they did on our machine.
%%
%% A process that comes to a gate (hound_turn) waits there until it is answered. Time passes when the schedule says so:
%% timers and clocks are the conductor's. Signals arrive as the VM delivers them, at once, or else when the schedule says so.
-module(hound_conductor).
-export([play/4]).

%% The first element of what processes at gates send.
-define(ASKED, hound_turn).

%% The longest wait for a process to come to the next gate, in milliseconds.
-define(PATIENCE, 1000).

%% The time for which all processes must be at rest when the schedule is over, in milliseconds.
-define(REST, 20).

%% A step of a schedule: the number of the process, its gate, and the processes that end with it.
-type step() :: {non_neg_integer(), gate(), [non_neg_integer()]}.
-type gate() :: {operation, module(), atom()} | {operation, module(), atom(), non_neg_integer()}
              | {start, non_neg_integer()} | message | timed | look | up | wake | release | exit
              | hold_signals | {arrive, non_neg_integer()} | stopped | gone | strike | {clock, non_neg_integer()} | stop.

%% root: the process of the call; pids and numbers: the processes; queues: their gates to come;
%% held: who stands at a gate, with the reference to answer; answers: the last answer to each;
%% now: milliseconds since the beginning; timers: {When, Count, Ref, To, Message, Number};
%% doomed: who is ended by others; stops: whether all that is left stays at its gates;
%% flights: signals on their way, if the schedule says when they arrive;
%% outcome: that of the call; crashes: the reasons with which others have ended, the newest first; gone: who has ended, and
%% the reason.
-record(play, {root, pids = #{}, numbers = #{}, queues = #{}, held = #{}, answers = #{}, now = 0, count = 0, timers = [],
               doomed = #{}, stops = false, flights = none, outcome = none, crashes = [], gone = #{}, spawned = #{}}).

%% Has a process that waits for `Go` make its call, and the processes of the call go through these steps. Its outcome, the
%% reasons with which others have crashed, and where those that are left wait; or why the schedule was left.
-spec play(pid(), term(), [step()], integer()) ->
          {ok, {term(), [term()], [{non_neg_integer(), term()}]}} | {strayed, iodata()} | late.
play(Root, Go, Given, Deadline) ->
    Steps = [named(Step) || Step <- Given],
    1 = erlang:trace(Root, true, [procs, set_on_spawn]),
    Queues = lists:foldr(fun queued/2, #{}, Steps),
    Doomed = maps:from_keys([One || {Number, Gate, Ended} <- Steps, One <- Ended, One =/= Number orelse Gate =:= stopped],
                            true),
    Stops = lists:keymember(stop, 2, Steps),
    Flights = case lists:keymember(hold_signals, 2, Steps) of true -> hound_flight:new(); false -> none end,
    Play = #play{root = Root, pids = #{0 => Root}, numbers = #{Root => 0}, queues = Queues, doomed = Doomed, stops = Stops,
                 flights = Flights},
    Root ! Go,
    try
        Played = lists:foldl(fun(Step, Now) -> step(Step, Now, Deadline) end, Play, Steps),
        {ok, ended(rested(Played, Deadline))}
    catch
        throw:{strayed, Text} -> {strayed, Text};
        throw:late -> late
    end.

%% Functions that are alike have one name.
named({Number, {operation, erlang, Function}, Ended}) -> {Number, {operation, hound_turn:class(Function)}, Ended};
named({Number, {operation, erlang, Function, Timer}, Ended}) -> {Number, {timer, Function, Timer}, Ended};
named({Number, {operation, erts_internal, Function}, Ended}) -> {Number, {operation, of_array(Function)}, Ended};
named({Number, {operation, _, Function}, Ended}) -> {Number, {operation, Function}, Ended};
named(Step) -> Step.

%% The function of atomics or counters that is an internal one of the VM.
of_array(Function) ->
    case string:split(atom_to_list(Function), "_") of
        [Module, Name] when Module =:= "atomics"; Module =:= "counters" -> list_to_atom(Name);
        _ -> Function
    end.

queued({_, {clock, _}, _}, Queues) -> Queues;
queued({_, {arrive, _}, _}, Queues) -> Queues;
queued({_, Gate, _}, Queues)
  when Gate =:= strike; Gate =:= stop; Gate =:= hold_signals; Gate =:= stopped; Gate =:= gone -> Queues;
queued({Number, Gate, _}, Queues) -> Queues#{Number => [Gate | maps:get(Number, Queues, [])]}.

step({_, {clock, Now}, _}, Play, Deadline) ->
    settled(fired(Play#play{now = Now}), Deadline);
step({_, Gate, _}, Play, _) when Gate =:= stop; Gate =:= hold_signals ->
    Play;
step({From, {arrive, To}, _}, #play{flights = Flights, pids = Pids} = Play, Deadline) ->
    case hound_flight:arrive(maps:get(From, Pids, none), maps:get(To, Pids, none), Flights) of
        none -> throw({strayed, io_lib:format("process ~p has sent process ~p no signal", [From, To])});
        Now -> settled(Play#play{flights = Now}, Deadline)
    end;
step({Number, stopped, Ended}, #play{flights = Flights, pids = Pids} = Play, Deadline) ->
    Pid = maps:get(Number, Pids, none),
    case hound_flight:stop_reason(Pid, Flights) of
        none -> throw({strayed, io_lib:format("no signal has stopped process ~p", [Number])});
        Stop ->
            ended_by(Stop, Pid, Play),
            settled(gone(Ended, Play, Deadline), Deadline)
    end;
step({Number, gone, _}, #play{flights = Flights, pids = Pids, gone = Gone} = Play, Deadline) ->
    case Pids of
        #{Number := Pid} when is_map_key(Pid, Gone) ->
            settled(Play#play{flights = hound_flight:ended(Pid, map_get(Pid, Gone), Flights)}, Deadline);
        #{} -> throw({strayed, io_lib:format("process ~p has not ended", [Number])})
    end;
step({Number, strike, _}, #play{timers = Timers} = Play, Deadline) ->
    case lists:keyfind(Number, 6, Timers) of
        false -> throw({strayed, io_lib:format("timer ~p is not there", [Number])});
        {_, _, _, To, Message, _} ->
            sent(To, Message),
            settled(Play#play{timers = lists:keydelete(Number, 6, Timers)}, Deadline)
    end;
step({_, Gate, Ended}, Play, Deadline) when Gate =:= message; Gate =:= timed; Gate =:= wake ->
    gone(Ended, Play, Deadline);
step({Number, Gate, Ended}, Play0, Deadline) ->
    {Pid, Play1} = arrived(Number, Gate, Play0, patience(Deadline)),
    Play2 = dying(Pid, Gate, opened(Pid, Gate, Play1)),
    Play3 = case Gate of
                {start, Child} -> started(Pid, Child, Play2, patience(Deadline));
                _ -> Play2
            end,
    settled(gone(Ended, Play3, Deadline), Deadline).

dying(Pid, Gate, #play{flights = Flights} = Play) when Flights =/= none, Gate =:= exit orelse Gate =:= release ->
    Play#play{flights = hound_flight:dying(Pid, Flights)};
dying(_, _, Play) ->
    Play.

patience(Deadline) ->
    min(Deadline, erlang:monotonic_time(millisecond) + ?PATIENCE).

%% Waits until a process stands at its gate.
arrived(Number, Gate, #play{pids = Pids, held = Held} = Play, Until) ->
    case Pids of
        #{Number := Pid} when is_map_key(Pid, Held) -> {Pid, Play};
        #{} ->
            Wanted = fun() -> io_lib:format("process ~p does not come to ~p", [Number, Gate]) end,
            arrived(Number, Gate, heard(Play, Until, Wanted), Until)
    end.

opened(Pid, Gate, #play{held = Held, queues = Queues, numbers = Numbers, answers = Answers, spawned = Spawned} = Play) ->
    Number = maps:get(Pid, Numbers),
    Rest = case waiting_for(Number, Play) of
               [Gate | Others] -> Others;
               _ -> throw({strayed, io_lib:format("process ~p stands at another gate than ~p", [Number, Gate])})
           end,
    answer(Pid, maps:get(Pid, Held), word(Gate, Gate, Play)),
    Play#play{held = maps:remove(Pid, Held), queues = Queues#{Number => Rest}, answers = Answers#{Pid => Gate},
              spawned = maps:remove(Pid, Spawned)}.

answer(Pid, Ref, Word) ->
    Pid ! {Ref, Word},
    ok.

%% The answer at the gate of an operation that is about signals, or another.
word({operation, Name}, Word, #play{flights = Flights}) ->
    case Flights =/= none andalso lists:member(Name, hound_signal:classes()) of
        true -> held;
        false -> Word
    end;
word({start, _}, Word, Play) -> word({operation, spawn}, Word, Play);
word(_, Word, _) -> Word.

started(Pid, Child, #play{spawned = Spawned, pids = Pids, numbers = Numbers} = Play, Until) ->
    case Spawned of
        #{Pid := New} ->
            Play#play{spawned = maps:remove(Pid, Spawned), pids = Pids#{Child => New}, numbers = Numbers#{New => Child}};
        #{} ->
            Wanted = fun() -> io_lib:format("process ~p is not started", [Child]) end,
            started(Pid, Child, heard(Play, Until, Wanted), Until)
    end.

%% Waits for the ends of processes.
gone(Ended, Play, Deadline) ->
    lists:foldl(fun(Number, Now) -> gone_one(Number, Now, patience(Deadline)) end, Play, Ended).

gone_one(Number, #play{pids = Pids, gone = Gone} = Play, Until) ->
    case Pids of
        #{Number := Pid} when not is_map_key(Pid, Gone) ->
            Wanted = fun() -> io_lib:format("process ~p does not end", [Number]) end,
            gone_one(Number, heard(Play, Until, Wanted), Until);
        #{} ->
            Play
    end.

%% Waits until all processes stand at gates, or wait.
settled(Play, Deadline) ->
    receive
        Message when element(1, Message) =:= ?ASKED; element(1, Message) =:= trace ->
            settled(noted(Message, Play), Deadline)
    after 0 ->
        case is_busy(Play) of
            false -> asked_last(Play, Deadline);
            true ->
                _ = erlang:monotonic_time(millisecond) >= Deadline andalso throw(late),
                receive
                    Message when element(1, Message) =:= ?ASKED; element(1, Message) =:= trace ->
                        settled(noted(Message, Play), Deadline)
                after 1 ->
                    settled(Play, Deadline)
                end
        end
    end.

%% Whatever they have asked before they came to rest is there now.
asked_last(Play, Deadline) ->
    receive
        Message when element(1, Message) =:= ?ASKED; element(1, Message) =:= trace ->
            settled(noted(Message, Play), Deadline)
    after 0 ->
        Play
    end.

is_busy(#play{numbers = Numbers, gone = Gone}) ->
    lists:any(fun(Pid) -> not is_map_key(Pid, Gone) andalso is_running(Pid) end, maps:keys(Numbers)).

is_running(Pid) ->
    case process_info(Pid, status) of
        {status, waiting} -> false;
        undefined -> false;
        _ -> true
    end.

%% All have been at rest for a while.
rested(Play, Deadline) ->
    Now = settled(Play, Deadline),
    receive
        Message when element(1, Message) =:= ?ASKED; element(1, Message) =:= trace -> rested(noted(Message, Now), Deadline)
    after ?REST ->
        Now
    end.

%% Waits for the next word of a process; if none comes the schedule is left.
heard(Play, Until, Wanted) ->
    receive
        Message when element(1, Message) =:= ?ASKED; element(1, Message) =:= trace -> noted(Message, Play)
    after max(0, Until - erlang:monotonic_time(millisecond)) ->
        throw({strayed, [Wanted(), case maps:to_list(Play#play.held) of
                                       [] -> "";
                                       Held -> io_lib:format(" (~p at gates)", [length(Held)])
                                   end]})
    end.

noted({trace, Pid, spawn, Child, _}, #play{spawned = Spawned} = Play) ->
    Play#play{spawned = Spawned#{Pid => Child}};
noted({trace, Pid, exit, Reason}, #play{gone = Gone, root = Root, crashes = Crashes} = Play) ->
    More = [without_own(Reason) || Pid =/= Root, is_crash(Reason)],
    Outcome = case {Pid, Play#play.outcome} of
                  {Root, none} -> {killed, Reason};
                  {Root, {value, _}} -> {killed, Reason};
                  {_, Known} -> Known
              end,
    %% A process has its name and its tables a moment longer; this waits for the whole of its end.
    false = is_process_alive(Pid),
    Play#play{gone = Gone#{Pid => without_own(Reason)}, crashes = More ++ Crashes, outcome = Outcome};
noted({?ASKED, Pid, Ref, {outcome, Outcome}}, Play) ->
    answer(Pid, Ref, ok),
    Play#play{outcome = Outcome};
noted({?ASKED, Pid, Ref, {signal, Request}}, #play{flights = Flights, numbers = Numbers} = Play) ->
    {Answer, Now} = case is_of_run(Request, Numbers) of
                        true -> hound_flight:request(Pid, Request, Flights);
                        false -> {real, Flights}
                    end,
    case Answer of
        wait -> Play#play{flights = Now, held = (Play#play.held)#{Pid => Ref}};
        _ ->
            answer(Pid, Ref, Answer),
            Play#play{flights = Now}
    end;
noted({?ASKED, Pid, Ref, now}, Play) ->
    answer(Pid, Ref, Play#play.now),
    Play;
noted({?ASKED, Pid, Ref, {start_timer, Time, Absolute, To, What}}, Play) ->
    #play{now = Now, count = Count, timers = Timers} = Play,
    Timer = make_ref(),
    When = case Absolute of
               true -> max(Now, Time + 576460751000);
               false -> Now + Time
           end,
    Message = case What of
                  {send, Sent} -> Sent;
                  {timeout, Sent} -> {timeout, Timer, Sent}
              end,
    answer(Pid, Ref, Timer),
    Number = case Play#play.answers of
                 #{Pid := {timer, _, Given}} -> Given;
                 #{} -> none
             end,
    Play#play{count = Count + 1, timers = lists:sort([{When, Count, Timer, To, Message, Number} | Timers])};
noted({?ASKED, Pid, Ref, {Asked, Timer}}, #play{timers = Timers, now = Now} = Play)
  when Asked =:= cancel_timer; Asked =:= read_timer ->
    case lists:keyfind(Timer, 3, Timers) of
        {When, _, _, _, _, _} ->
            answer(Pid, Ref, max(0, When - Now)),
            Play#play{timers = case Asked of cancel_timer -> lists:keydelete(Timer, 3, Timers); read_timer -> Timers end};
        false ->
            answer(Pid, Ref, false),
            Play
    end;
noted({?ASKED, Pid, Ref, {gate, is_up}}, #play{answers = Answers} = Play) ->
    answer(Pid, Ref, not lists:member(maps:get(Pid, Answers, go), [go, waits])),
    Play;
noted({?ASKED, Pid, Ref, {gate, Asked}}, #play{numbers = Numbers, held = Held, queues = Queues, answers = Answers} = Play) ->
    case Numbers of
        #{Pid := Number} ->
            Queue = waiting_for(Number, Play),
            Now = Play#play{queues = Queues#{Number => Queue}},
            case met(Asked, Queue, Play#play.stops orelse is_map_key(Number, Play#play.doomed)) of
                stray -> throw({strayed, io_lib:format("process ~p ends before ~p", [Number, hd(Queue)])});
                hold -> Now#play{held = Held#{Pid => Ref}};
                go ->
                    answer(Pid, Ref, go),
                    %% One with no event to come would wait for its time.
                    Answer = case Queue of [] -> waits; _ -> go end,
                    Now#play{queues = Queues#{Number => tl_of(Queue)}, answers = Answers#{Pid => Answer}};
                pass ->
                    answer(Pid, Ref, word(Asked, ok, Play)),
                    Now
            end;
        #{} ->
            %% It was started just now, or by what is no event. It can be here before the trace of its start is.
            Delivered = erlang:trace_delivered(all),
            receive {trace_delivered, all, Delivered} -> ok end,
            self() ! {?ASKED, Pid, Ref, {gate_of_unknown, Asked}},
            Play
    end;
noted({?ASKED, Pid, Ref, {gate_of_unknown, Asked}}, #play{numbers = Numbers, spawned = Spawned} = Play) ->
    case is_map_key(Pid, Numbers) orelse lists:member(Pid, maps:values(Spawned)) of
        true -> self() ! {?ASKED, Pid, Ref, {gate, Asked}};
        false -> answer(Pid, Ref, ok)
    end,
    Play;
noted(_, Play) ->
    Play.

%% The gates of a process to come, without those that it has passed unasked.
waiting_for(Number, #play{queues = Queues}) ->
    lists:dropwhile(fun(Gate) -> Gate =:= message orelse Gate =:= wake end, maps:get(Number, Queues, [])).

tl_of([]) -> [];
tl_of([_ | Rest]) -> Rest.

%% Whether a process that asks is to wait for its turn, goes on to wait for a message, or does what is no event. What will
%% be ended by others does nothing more when its events are over.
met(_, [], true) -> hold;
met({operation, spawn}, [{start, _} | _], _) -> hold;
met({operation, Name}, [{operation, Name} | _], _) -> hold;
met({operation, Name}, [{timer, Name, _} | _], _) -> hold;
met({operation, _}, _, _) -> pass;
met(look, [look | _], _) -> hold;
met(look, _, _) -> pass;
met({await, _}, [timed | _], _) -> go;
met({await, _}, [], _) -> go;
met({await, _}, [Gate | _], _) when Gate =:= up; Gate =:= look -> hold;
met({await, _}, _, _) -> pass;
met(exit, [Gate | _], _) when Gate =:= exit; Gate =:= release -> hold;
met(exit, [], _) -> hold;
met(exit, _, _) -> stray.

%% True if the conductor knows the process that a request is about.
is_of_run({spawned, _, _, _}, _) -> true;
is_of_run({monitor, _, Of, _, _, _}, Numbers) -> is_map_key(Of, Numbers);
is_of_run(Request, Numbers) -> not is_pid(element(2, Request)) orelse is_map_key(element(2, Request), Numbers).

%% Ends a process with the signal that has stopped it: the end of a linked process cannot kill.
ended_by(own, Pid, #play{held = Held}) ->
    answer(Pid, map_get(Pid, Held), real);
ended_by({exit, Reason}, Pid, _) ->
    exit(Pid, Reason);
ended_by({link, Reason}, Pid, _) ->
    _ = spawn(fun() -> link(Pid), exit(Reason) end),
    ok.

%% Sends the messages of timers whose time has come, but for those that strike as the schedule says.
fired(#play{timers = Timers, now = Now} = Play) ->
    {Due, Rest} = lists:partition(fun({When, _, _, _, _, Number}) -> When =< Now andalso Number =:= none end, Timers),
    _ = [sent(To, Message) || {_, _, _, To, Message, _} <- Due],
    Play#play{timers = Rest}.

sent(To, Message) ->
    _ = [catch To ! Message || is_pid(To) orelse is_pid(whereis(To))],
    ok.

%% A reason whose stack has none of our frames.
without_own({Reason, [Frame | _] = Stack}) when tuple_size(Frame) =:= 4, length(Stack) > 0 ->
    {Reason, hound_turn:outside(Stack)};
without_own(Reason) ->
    Reason.

is_crash(normal) -> false;
is_crash(shutdown) -> false;
is_crash({shutdown, _}) -> false;
is_crash(killed) -> false;
is_crash(_) -> true.

%% The end: nothing stands at a gate that the schedule would have opened.
ended(#play{outcome = Outcome, crashes = Crashes, pids = Pids, gone = Gone, held = Held, answers = Answers} = Play) ->
    _ = [throw({strayed, io_lib:format("process ~p waits for time to pass", [Number])})
         || not Play#play.stops, {Number, Pid} <- maps:to_list(Pids), not is_map_key(Pid, Gone),
            maps:get(Pid, Answers, none) =:= waits],
    _ = [throw({strayed, io_lib:format("process ~p could go on to ~p", [Number, Gate])})
         || {Number, Pid} <- maps:to_list(Pids), is_map_key(Pid, Held), not is_map_key(Pid, Gone),
            Gate <- lists:sublist(waiting_for(Number, Play), 1)],
    _ = [throw({strayed, "signals have not arrived"})
         || Play#play.flights =/= none, not Play#play.stops, hound_flight:left(Play#play.flights) =/= []],
    Left = [Number || {Number, Pid} <- lists:sort(maps:to_list(Pids)), not is_map_key(Pid, Gone)],
    {Outcome, lists:reverse(Crashes), Left}.
