%% Signals on their way between the processes of a conducted run, where its schedule says when each of them arrives.
%%
%% The VM delivers signals at once. So the conductor keeps links, monitors and aliases in place of the VM, with the meaning
%% that they have there: signals between two processes arrive in order, each at any time after it was sent. A process that
%% a signal stops is ended later, by the VM, with the reason of the signal.
-module(hound_flight).
-export([new/0, request/3, arrive/3, stop_reason/2, dying/2, ended/3, left/1]).
-export_type([flights/0]).

%% links: those of each process, and those that have ended with the peer; monitors: {Number, By, Shown, Tag} by reference;
%% watched: {Number, By, Ref} of those that have reached each process; aliases: {Owner, Mode, IsActive};
%% flights: {From, To, Signal} in the order of sending; ended: who is dead; stopping: the signal that stops a process;
%% dying: whose end has begun; late: the links and monitors that have come since.
-record(flights, {links = #{}, ended_links = #{}, monitors = #{}, count = 0, watched = #{}, aliases = #{}, flights = [],
                  ended = #{}, stopping = #{}, dying = #{}, late = #{}}).
-opaque flights() :: #flights{}.

-spec new() -> flights().
new() -> #flights{}.

%% A process asks for an operation. `real` if it is to be done by the VM, `wait` if that is to be so when the process ends.
-spec request(pid(), tuple(), flights()) -> {term(), flights()}.
request(From, {send, To, Message}, State) when is_pid(To) ->
    case on_the_way(From, To, State) of
        [] -> {real, State};
        _ -> {done, emit(From, To, {message, Message}, State)}
    end;
request(From, {send, Alias, Message}, #flights{aliases = Aliases} = State) ->
    case Aliases of
        #{Alias := {Owner, _, _}} -> {done, emit(From, Owner, {alias, Alias, Message}, State)};
        #{} -> {real, State}
    end;
request(From, {exit, From, Reason}, State) ->
    case process_info(From, trap_exit) of
        {trap_exit, true} when Reason =/= kill -> {real, State};
        _ -> {wait, stopping(From, own, State)}
    end;
request(From, {exit, To, Reason}, State) ->
    {done, emit(From, To, {exit, Reason}, State)};
request(From, {link, From}, State) ->
    {done, State};
request(From, {link, To}, #flights{ended = Ended} = State) ->
    case {is_map_key(To, Ended), is_linked(From, To, State)} of
        {true, _} -> {real, State};
        {false, true} -> {done, State};
        {false, false} -> {done, emit(From, To, link, linked(From, To, State))}
    end;
request(From, {unlink, To}, State) ->
    case is_linked(From, To, State) of
        true -> {done, emit(From, To, unlink, unlinked(From, To, State))};
        false -> {done, State}
    end;
request(By, {monitor, _, By, _, _, _}, State) ->
    {done, State};
request(By, {monitor, Ref, Of, Shown, Tag, Mode}, State0) ->
    State = with_alias(By, Ref, Mode, State0),
    case Of of
        none -> {done, fire(Ref, noproc, monitoring(By, Ref, Shown, Tag, State))};
        _ -> {done, emit(By, Of, {monitor, State#flights.count, Ref}, monitoring(By, Ref, Shown, Tag, State))}
    end;
request(By, {demonitor, Ref}, #flights{monitors = Monitors} = State) ->
    case Monitors of
        #{Ref := {_, By, _, _}} -> {true, without_monitor(Ref, State)};
        #{Ref := _} -> {real, State};
        #{} -> {false, without_monitor(Ref, State)}
    end;
request(Owner, {alias, Ref, Mode}, State) ->
    {done, with_alias(Owner, Ref, Mode, State)};
request(Owner, {unalias, Ref}, #flights{aliases = Aliases} = State) ->
    case Aliases of
        #{Ref := {Owner, Mode, WasActive}} -> {WasActive, State#flights{aliases = Aliases#{Ref => {Owner, Mode, false}}}};
        #{} -> {real, State}
    end;
request(Parent, {spawned, Child, IsLinked, Monitor}, State0) ->
    State = case IsLinked of
                true -> linked(Child, Parent, linked(Parent, Child, State0));
                false -> State0
            end,
    {done, case Monitor of
               none -> State;
               {Ref, Tag, Mode} ->
                   Watched = watching(Child, {State#flights.count, Parent, Ref}, State),
                   monitoring(Parent, Ref, Child, Tag, with_alias(Parent, Ref, Mode, Watched))
           end};
request(_, {info, Of, Item}, State) ->
    {info(Item, Of, State), State}.

%% Links and monitors as `process_info` lists them.
info(links, Of, #flights{links = Links}) ->
    maps:keys(maps:get(Of, Links, #{}));
info(monitors, Of, #flights{monitors = Monitors}) ->
    [{process, Shown} || {_, By, Shown, _} <- lists:sort(maps:values(Monitors)), By =:= Of];
info(monitored_by, Of, #flights{monitors = Monitors, watched = Watched}) ->
    [By || {_, By, Ref} <- lists:sort(maps:get(Of, Watched, [])), is_map_key(Ref, Monitors)].

%% The first signal from one process to another arrives, and the messages behind it. `none` if there is no signal.
-spec arrive(pid(), pid(), flights()) -> flights() | none.
arrive(From, To, State) ->
    case on_the_way(From, To, State) of
        [] -> none;
        [First | Rest] ->
            Behind = lists:takewhile(fun is_message/1, Rest),
            lists:foldl(fun arrived/2, State, [First | Behind])
    end.

is_message({_, _, {message, _}}) -> true;
is_message(_) -> false.

arrived({From, To, Signal} = Flight, #flights{flights = Flights} = State) ->
    effect(Signal, From, To, State#flights{flights = lists:delete(Flight, Flights)}).

on_the_way(From, To, #flights{flights = Flights}) ->
    [Flight || {F, T, _} = Flight <- Flights, F =:= From, T =:= To].

%% A signal to the sender itself arrives at once.
emit(Self, Self, Signal, State) -> effect(Signal, Self, Self, State);
emit(From, To, Signal, #flights{flights = Flights} = State) -> State#flights{flights = Flights ++ [{From, To, Signal}]}.

effect({message, Message}, _, To, State) ->
    To ! Message,
    State;
effect({alias, Ref, Message}, _, Owner, #flights{aliases = Aliases} = State) ->
    case Aliases of
        #{Ref := {Owner, Mode, true}} ->
            Owner ! Message,
            replied(Mode, Ref, State);
        #{} -> State
    end;
effect({exit, kill}, _, To, State) ->
    stopping(To, {exit, kill}, State);
effect({exit, Reason}, From, To, State) ->
    exit_signal(From, To, exit, Reason, State);
effect({link_exit, Reason}, From, To, #flights{ended_links = Ended} = State) ->
    case is_linked(To, From, State) of
        true ->
            Now = unlinked(To, From, State),
            Before = maps:get(To, Ended, []),
            exit_signal(From, To, link, Reason, Now#flights{ended_links = Ended#{To => [From | Before]}});
        false -> State
    end;
effect(link, From, To, #flights{ended = Ended} = State) ->
    case is_map_key(To, Ended) of
        true -> emit(To, From, {link_exit, noproc}, State);
        false ->
            case is_dying(To, State) of
                true -> late(To, {From, {link_exit, noproc}}, State);
                false -> linked(To, From, State)
            end
    end;
effect(unlink, From, To, #flights{late = Late} = State) ->
    Kept = lists:delete({From, {link_exit, noproc}}, maps:get(To, Late, [])),
    unlinked(To, From, State#flights{late = Late#{To => Kept}});
effect({monitor, Number, Ref}, By, Of, #flights{ended = Ended} = State) ->
    case is_map_key(Of, Ended) of
        true -> emit(Of, By, {down, Ref, noproc}, State);
        false ->
            case is_dying(Of, State) of
                true -> late(Of, {By, {down, Ref, noproc}}, State);
                false -> watching(Of, {Number, By, Ref}, State)
            end
    end;
effect({down, Ref, Reason}, _, _, State) ->
    fire(Ref, Reason, State).

%% The first message ends some aliases, and with one kind the monitor.
replied(reply, Ref, #flights{aliases = Aliases} = State) ->
    {Owner, Mode, _} = map_get(Ref, Aliases),
    State#flights{aliases = Aliases#{Ref => {Owner, Mode, false}}};
replied(reply_demonitor, Ref, State) -> without_monitor(Ref, State);
replied(_, _, State) -> State.

%% Kind: exit/2, or the end of a linked process, which cannot kill.
exit_signal(From, To, Kind, Reason, State) ->
    case process_info(To, trap_exit) of
        {trap_exit, true} ->
            To ! {'EXIT', From, Reason},
            State;
        _ when Reason =:= normal -> State;
        _ -> stopping(To, {Kind, Reason}, State)
    end.

%% The first signal that stops a process counts.
stopping(To, Stop, #flights{stopping = Stopping, ended = Ended} = State) ->
    case is_map_key(To, Stopping) orelse is_map_key(To, Ended) of
        true -> State;
        false -> State#flights{stopping = Stopping#{To => Stop}}
    end.

%% The signal that has stopped a process.
-spec stop_reason(pid(), flights()) -> {exit | link, term()} | own | none.
stop_reason(Pid, #flights{stopping = Stopping}) ->
    maps:get(Pid, Stopping, none).

%% The end of a process has begun: links and monitors that come now find none.
-spec dying(pid(), flights()) -> flights().
dying(Pid, #flights{dying = Dying} = State) ->
    State#flights{dying = Dying#{Pid => true}}.

is_dying(Pid, #flights{dying = Dying, stopping = Stopping}) ->
    is_map_key(Pid, Dying) orelse is_map_key(Pid, Stopping).

late(Pid, Answer, #flights{late = Late} = State) ->
    State#flights{late = Late#{Pid => maps:get(Pid, Late, []) ++ [Answer]}}.

%% A process is dead: signals go to those that are linked to it or watch it.
-spec ended(pid(), term(), flights()) -> flights().
ended(Pid, Reason, #flights{links = Links, ended_links = Before, watched = Watched, ended = Ended} = State0) ->
    Peers = lists:usort(maps:keys(maps:get(Pid, Links, #{})) ++ maps:get(Pid, Before, [])),
    State1 = lists:foldl(fun(Peer, Now) -> emit(Pid, Peer, {link_exit, Reason}, Now) end,
                         State0#flights{ended = Ended#{Pid => true}}, Peers),
    Downs = lists:sort(maps:get(Pid, Watched, [])),
    State2 = lists:foldl(fun({_, By, Ref}, Now) -> emit(Pid, By, {down, Ref, Reason}, Now) end, State1, Downs),
    {Late, Monitors} = lists:partition(fun({_, Answer}) -> element(1, Answer) =:= link_exit end,
                                         maps:get(Pid, State2#flights.late, [])),
    lists:foldl(fun({To, Answer}, Now) -> emit(Pid, To, Answer, Now) end, State2, Late ++ Monitors).

%% The receivers of signals that have not arrived.
-spec left(flights()) -> [pid()].
left(#flights{flights = Flights, ended = Ended}) ->
    [To || {_, To, _} <- Flights, not is_map_key(To, Ended)].

is_linked(Of, To, #flights{links = Links}) ->
    is_map_key(To, maps:get(Of, Links, #{})).

linked(Of, To, #flights{links = Links} = State) ->
    State#flights{links = Links#{Of => maps:put(To, true, maps:get(Of, Links, #{}))}}.

unlinked(Of, To, #flights{links = Links} = State) ->
    State#flights{links = Links#{Of => maps:remove(To, maps:get(Of, Links, #{}))}}.

with_alias(_, _, none, State) -> State;
with_alias(Owner, Ref, Mode, #flights{aliases = Aliases} = State) ->
    State#flights{aliases = Aliases#{Ref => {Owner, Mode, true}}}.

monitoring(By, Ref, Shown, Tag, #flights{monitors = Monitors, count = Count} = State) ->
    State#flights{monitors = Monitors#{Ref => {Count, By, Shown, Tag}}, count = Count + 1}.

%% The request of a monitor reaches the process.
watching(Of, Monitor, #flights{watched = Watched} = State) ->
    State#flights{watched = Watched#{Of => [Monitor | maps:get(Of, Watched, [])]}}.

fire(Ref, Reason, #flights{monitors = Monitors} = State) ->
    case Monitors of
        #{Ref := {_, By, Shown, Tag}} ->
            By ! {Tag, Ref, process, Shown, Reason},
            without_monitor(Ref, State);
        #{} -> State
    end.

%% Ends a monitor, and the alias that belongs to it.
without_monitor(Ref, #flights{monitors = Monitors, aliases = Aliases} = State) ->
    Left = case Aliases of
               #{Ref := {Owner, Mode, _}} when Mode =:= demonitor; Mode =:= reply_demonitor ->
                   Aliases#{Ref => {Owner, Mode, false}};
               #{} -> Aliases
           end,
    State#flights{monitors = maps:remove(Ref, Monitors), aliases = Left}.
