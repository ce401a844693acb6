%% Operations of a conducted process that send signals or are about them, where the schedule says when signals arrive: the
%% conductor does them in place of the VM (see hound_flight), as far as they are about processes of the run.
-module(hound_signal).
-export([classes/0, operation/4]).

%% The operations, by the names that hound_turn has for them.
-spec classes() -> [atom()].
classes() ->
    [send, spawn, exit, link, unlink, monitor, demonitor, alias, unalias, process_info].

%% Does an operation; false if it is left to the VM. Ask: asks the conductor.
-spec operation(atom(), atom(), [term()], fun((term()) -> term())) -> {done, term()} | false.
operation(send, Function, [To, Message | Options], Ask) ->
    case receiver(To) of
        none -> false;
        Receiver -> done(Ask({send, Receiver, Message}), sent(Function, Message, Options))
    end;
operation(exit, _, [To, Reason], Ask) when is_pid(To) ->
    done(Ask({exit, To, Reason}), true);
operation(Class, _, [To], Ask) when Class =:= link orelse Class =:= unlink, is_pid(To) ->
    done(Ask({Class, To}), true);
operation(monitor, _, [process, Of | Options], Ask) ->
    monitor_of(receiver(Of), shown(Of), lists:append(Options), Ask);
operation(demonitor, _, [Ref | Options], Ask) when is_reference(Ref) ->
    demonitored(Ask({demonitor, Ref}), Ref, lists:append(Options));
operation(alias, _, Options, Ask) ->
    Mode = mode(lists:append(Options), explicit_unalias),
    Ref = erlang:alias([explicit_unalias]),
    done(Ask({alias, Ref, Mode}), Ref);
operation(unalias, _, [Ref], Ask) when is_reference(Ref) ->
    case Ask({unalias, Ref}) of
        real -> false;
        WasActive -> {done, WasActive}
    end;
operation(spawn, spawn_request, [M, F, Args | Options], Ask) ->
    requested([M, F, Args], lists:append(Options), Ask);
operation(spawn, Function, [M, F, Args | Options], Ask) ->
    case started([M, F, Args], by_name(Function) ++ lists:append(Options), Ask) of
        {Child, none} -> {done, Child};
        Both -> {done, Both}
    end;
operation(process_info, _, [Of, Item], Ask) when is_pid(Of), is_atom(Item) ->
    related(Of, Item, Ask);
operation(_, _, _, _) ->
    false.

%% A process or an alias that gets what is sent there.
receiver(To) when is_pid(To); is_reference(To) -> To;
receiver(undefined) -> none;
receiver(Name) when is_atom(Name) -> receiver(whereis(Name));
receiver({Name, Node}) when is_atom(Name), Node =:= node() -> receiver(Name);
receiver(_) -> none.

sent(send_nosuspend, _, _) -> true;
sent(_, Message, []) -> Message;
sent(_, _, _) -> ok.

done(done, Value) -> {done, Value};
done(real, _) -> false.

shown(Name) when is_atom(Name) -> {Name, node()};
shown(Of) -> Of.

mode(Options, Else) ->
    lists:foldl(fun({alias, Mode}, _) -> Mode;
                   (Mode, _) when Mode =:= reply; Mode =:= explicit_unalias -> Mode;
                   (_, Mode) -> Mode
                end, Else, Options).

%% A reference that can be an alias.
reference(none) -> make_ref();
reference(_) -> erlang:alias([explicit_unalias]).

monitor_of(none, _, _, _) ->
    false;
monitor_of(Of, Shown, Options, Ask) ->
    Mode = mode(Options, none),
    Ref = reference(Mode),
    done(Ask({monitor, Ref, Of, Shown, proplists:get_value(tag, Options, 'DOWN'), Mode}), Ref).

demonitored(real, _, _) ->
    false;
demonitored(Found, Ref, Options) ->
    _ = [receive {_, Ref, _, _, _} -> ok after 0 -> ok end || not Found, lists:member(flush, Options)],
    {done, Found orelse not lists:member(info, Options)}.

by_name(spawn_link) -> [link];
by_name(spawn_monitor) -> [monitor];
by_name(_) -> [].

%% The VM starts a process without link and monitor: its pid, and the reference of the monitor.
started(Call, Options, Ask) ->
    {Related, Plain} = lists:partition(fun is_relation/1, Options),
    Child = apply(erlang, spawn_opt, Call ++ [Plain]),
    Monitor = case lists:keyfind(monitor, 1, proplists:unfold(Related)) of
                  false -> none;
                  {_, true} -> {make_ref(), 'DOWN', none};
                  {_, More} ->
                      Mode = mode(More, none),
                      {reference(Mode), proplists:get_value(tag, More, 'DOWN'), Mode}
              end,
    done = Ask({spawned, Child, lists:member(link, Related), Monitor}),
    {Child, case Monitor of none -> none; {Ref, _, _} -> Ref end}.

%% The answer to a request is a message.
requested(Call, Given, Ask) ->
    {Replies, Options} = lists:partition(fun is_reply/1, Given),
    {Child, Monitor} = started(Call, Options, Ask),
    Ref = case Monitor of none -> make_ref(); _ -> Monitor end,
    _ = [self() ! {proplists:get_value(reply_tag, Replies, spawn_reply), Ref, ok, Child}
         || lists:member(proplists:get_value(reply, Replies, yes), [yes, success_only])],
    {done, Ref}.

is_reply({reply, _}) -> true;
is_reply({reply_tag, _}) -> true;
is_reply(_) -> false.

is_relation(link) -> true;
is_relation(monitor) -> true;
is_relation({monitor, _}) -> true;
is_relation(_) -> false.

related(Of, Item, Ask) when Item =:= links; Item =:= monitors; Item =:= monitored_by ->
    case is_process_alive(Of) andalso Ask({info, Of, Item}) of
        List when is_list(List) -> {done, {Item, List}};
        _ -> false
    end;
related(_, _, _) ->
    false.
