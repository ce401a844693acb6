%% The turns of a process whose run follows a schedule: it stops at a gate before each operation that other processes can
%% see, before each look at messages that does not wait forever, and before its end.
%%
%% At a gate it asks the conductor, which is the process that waits for the run, and goes on when it is answered. What
%% waits for a message without a time needs no gate: whenever it looks, it takes the same message.
-module(hound_turn).
-export([enable/0, is_enabled/0, gated/0, is_conducted/1, is_visible/2, class/1]).
-export([turn/3, operation/1, send/2, look/0, await/1, sleep/1, is_up/0, begun/3, root/1, outside/1]).

-define(CONDUCTED, '$hound_conducted').

%% The module io with gates: what is printed to a process of the run is an event, unlike the rest of what io does.
-define(GATED_IO, hound_gated_io).

%% Modules of the library that serve every process alike: what they do is no event.
-define(SERVING, [io, io_lib, code, code_server, error_handler, error_logger, file, file_server, file_io_server, group,
                  init, user, user_drv, application_controller, application_master, erl_eval, kernel, inet_db]).

%% True for a time that no `receive` can wait.
-define(IS_BAD(Time), not is_integer(Time) orelse Time < 0 orelse Time > 16#ffffffff).

%% Milliseconds of a timer that does not strike while a run lasts; the VM knows if it can be started.
-define(FAR, 1 bsl 40).

%% The schedulers that are online in a run under a schedule, on our machine as well.
-define(SCHEDULERS, 2).

%% From now on modules are loaded with gates.
-spec enable() -> ok.
enable() ->
    persistent_term:put(?CONDUCTED, true).

%% Modules that are loaded under another name too, with gates.
-spec gated() -> [{module(), module()}].
gated() ->
    [{io, ?GATED_IO} || is_enabled()].

-spec is_enabled() -> boolean().
is_enabled() ->
    persistent_term:get(?CONDUCTED, false).

%% True if what a module of the library does counts as events.
-spec is_conducted(module()) -> boolean().
is_conducted(Module) ->
    not lists:member(Module, ?SERVING) andalso not lists:prefix("logger", atom_to_list(Module)).

%% True if other processes can see what a function does.
-spec is_visible(module(), atom()) -> boolean().
is_visible(erlang, Function) ->
    is_enabled() andalso (Function =:= system_info orelse is_map_key(Function, visible()));
is_visible(supervisor, Function) ->
    is_enabled() andalso Function =:= start_child;
is_visible(Module, _) ->
    is_enabled() andalso lists:member(Module, [ets, persistent_term, atomics, counters, io]).

%% Functions of `erlang` that other processes can see, with the name that they share with others alike.
visible() ->
    #{'!' => send, send => send, send_nosuspend => send,
      spawn => spawn, spawn_link => spawn, spawn_monitor => spawn, spawn_opt => spawn, spawn_request => spawn,
      spawn_request_abandon => spawn_request_abandon,
      link => link, unlink => unlink, monitor => monitor, demonitor => demonitor, alias => alias, unalias => unalias,
      exit => exit, exit_signal => exit, process_flag => process_flag, register => register, unregister => unregister,
      whereis => whereis, registered => registered, processes => processes, is_process_alive => is_process_alive,
      process_info => process_info, group_leader => group_leader, send_after => send_after, start_timer => start_timer,
      cancel_timer => cancel_timer, read_timer => read_timer, monotonic_time => monotonic_time, yield => yield,
      hibernate => hibernate, garbage_collect => garbage_collect, bump_reductions => bump_reductions}.

%% The name that a function of `erlang` shares with others alike.
-spec class(atom()) -> atom().
class(Function) ->
    maps:get(Function, visible(), Function).

%% Waits for the turn of a call: what is to be done then, or its value.
-spec turn(module(), atom(), [term()]) -> {do, atom(), [term()]} | {done, term()} | false.
turn(erlang, exit, [_]) ->
    false;
turn(erlang, process_flag, [monitor_nodes, _]) ->
    false;
turn(erlang, system_info, [schedulers_online]) ->
    {done, ?SCHEDULERS};
turn(erlang, system_info, _) ->
    false;
turn(io, Function, Args) ->
    case is_printed_to_run(Args) of
        true -> {done, apply(?GATED_IO, Function, Args)};
        false -> false
    end;
turn(supervisor, start_child, [kernel_sup, Spec]) ->
    timer_server(Spec);
turn(supervisor, start_child, [kernel_safe_sup, Spec]) ->
    timer_server(Spec);
turn(supervisor, start_child, _) ->
    false;
turn(erlang, Function, Args) ->
    Class = class(Function),
    case operation(Class) of
        held when Class =:= spawn -> held(spawn, Function, wrapped(Args));
        held -> held(Class, Function, Args);
        _ -> in_turn(Class, Function, Args)
    end;
turn(_, Function, _) ->
    operation(added(Function)),
    false.

%% To subtract is to add, in the modules of atomics and counters themselves.
added(sub) -> add;
added(sub_get) -> add_get;
added(Function) -> Function.

%% The server of timer, which the VM starts when it is needed: a run has one of its own.
timer_server(#{id := timer_server}) -> {done, gen_server:start({local, timer_server}, timer, [], [])};
timer_server({timer_server, _, _, _, _, _}) -> timer_server(#{id => timer_server});
timer_server(_) -> false.

%% True if a function of io with these arguments prints to a process of the run.
is_printed_to_run([Device | _]) when Device =:= standard_error; Device =:= user -> false;
is_printed_to_run([Device | _]) when is_pid(Device) ->
    case process_info(Device, group_leader) of
        {group_leader, Leader} -> hound_keeper:is_leader(Leader);
        undefined -> true
    end;
is_printed_to_run(_) ->
    {Run, _} = hound_keeper:run_of(group_leader()),
    group_leader() =/= Run.

%% An operation whose signals the conductor holds back.
held(Class, Function, Args) ->
    case hound_signal:operation(Class, Function, Args, fun(Request) -> ask({signal, Request}) end) of
        false when Class =:= spawn -> {do, Function, Args};
        Done -> Done
    end.

in_turn(spawn, Function, Args) -> {do, Function, wrapped(Args)};
in_turn(hibernate, Function, [_, _, _] = Call) -> {do, Function, [?MODULE, begun, Call]};
in_turn(send_after, _, [Time, To, Message | Options]) -> timer(Time, To, {send, Message}, Options);
in_turn(start_timer, _, [Time, To, Message | Options]) -> timer(Time, To, {timeout, Message}, Options);
in_turn(cancel_timer, Function, [Ref | Options]) when is_reference(Ref) ->
    answered(Function, Ref, ask({cancel_timer, Ref}), lists:append(Options));
in_turn(read_timer, Function, [Ref | Options]) when is_reference(Ref) ->
    answered(Function, Ref, ask({read_timer, Ref}), lists:append(Options));
in_turn(monotonic_time, _, []) -> {done, clock(native)};
in_turn(monotonic_time, _, [Unit]) -> {done, clock(Unit)};
in_turn(_, _, _) -> false.

%% A process that is started comes to a gate before it ends.
wrapped([Fun]) when is_function(Fun, 0) -> begun_by(erlang, apply, [Fun, []], []);
wrapped([Fun, Options]) when is_function(Fun, 0), is_list(Options) -> begun_by(erlang, apply, [Fun, []], [Options]);
wrapped([M, F, As | Options]) when is_atom(M), is_atom(F), is_list(As) -> begun_by(M, F, As, Options);
wrapped([Node | Args]) when Node =:= node(), Args =/= [] -> wrapped(Args);
wrapped(Args) -> Args.

begun_by(M, F, As, Options) ->
    [?MODULE, begun, [M, F, As] | Options].

-spec begun(module(), atom(), [term()]) -> term().
begun(M, F, As) ->
    try hound_guard:door(M, F, As) of
        _ -> exits()
    catch
        Class:Reason:Stack ->
            exits(),
            erlang:raise(Class, Reason, outside(Stack))
    end.

%% Comes to its end; the schedule may have it give up its tables before. The data that an heir is to get is not known.
exits() ->
    case gate(exit) of
        release ->
            _ = [ets:delete(Table) || Table <- ets:all(), ets:info(Table, owner) =:= self(), ets:info(Table, heir) =:= none],
            exits();
        Word -> Word
    end.

%% The process of the call: it lives on when the call has its value.
-spec root(fun(() -> term())) -> no_return().
root(Call) ->
    try Call() of
        Value ->
            ask({outcome, {value, Value}}),
            receive after infinity -> ok end
    catch
        Class:Reason:Stack ->
            ask({outcome, {Class, Reason, outside(Stack)}}),
            exits(),
            erlang:raise(Class, Reason, outside(Stack))
    end.

%% The stack without our own frames.
-spec outside([tuple()]) -> [tuple()].
outside(Stack) ->
    Own = [?MODULE, hound_signal, hound_gate, hound_guard, hound_run],
    [case Frame of
         {?GATED_IO, Function, Arity, At} -> {io, Function, Arity, At};
         _ -> Frame
     end || Frame <- Stack, not lists:member(element(1, Frame), Own)].

timer(Time, To, What, Options) ->
    Absolute = lists:member({abs, true}, lists:append(Options)),
    case is_integer(Time) andalso (Time >= 0 orelse Absolute) andalso Time < ?FAR andalso (is_pid(To) orelse is_atom(To)) of
        true -> {done, ask({start_timer, Time, Absolute, To, What})};
        false -> false
    end.

answered(Function, Ref, Left, Options) ->
    Later = lists:member({async, true}, Options),
    Silent = lists:member({info, false}, Options),
    _ = [self() ! {Function, Ref, Left} || Later, not Silent],
    {done, case Later orelse Silent of true -> ok; false -> Left end}.

clock(Unit) ->
    Nanoseconds = -576460751 * 1000000000 + ask(now) * 1000000,
    erlang:convert_time_unit(Nanoseconds, nanosecond, case Unit of native -> nanosecond; _ -> Unit end).

%% Sends a message in its turn; false if the VM is to do it.
-spec send(term(), term()) -> boolean().
send(To, Message) ->
    operation(send) =:= held andalso held(send, send, [To, Message]) =/= false.

%% Comes to the gate of an operation; what it is let through for.
-spec operation(atom()) -> term().
operation(Name) ->
    case is_turned() of
        true -> gate({operation, Name});
        false -> ok
    end.

-spec look() -> ok.
look() ->
    _ = is_turned() andalso gate(look),
    ok.

-spec await(timeout()) -> up | wait.
await(infinity) -> wait;
await(Time) ->
    case is_turned() andalso gate({await, Time}) of
        _ when ?IS_BAD(Time) -> error(timeout_value);
        up -> up;
        _ -> wait
    end.

-spec sleep(Time) -> Time | timeout().
sleep(infinity) -> infinity;
sleep(Time) ->
    case is_turned() andalso gate({await, Time}) of
        _ when ?IS_BAD(Time) -> error(timeout_value);
        false -> Time;
        go -> infinity;
        _ -> 0
    end.

-spec is_up() -> boolean().
is_up() ->
    not is_turned() orelse gate(is_up).

is_turned() ->
    is_enabled() andalso hound_keeper:is_leader(group_leader()).

gate(What) ->
    ask({gate, What}).

ask(What) ->
    case hound_keeper:run_of(group_leader()) of
        {_, Conductor} when is_pid(Conductor) ->
            Ref = make_ref(),
            Conductor ! {?MODULE, self(), Ref, What},
            receive {Ref, Answer} -> Answer end;
        _ ->
            receive after infinity -> ok end
    end.
