%% Programs with processes whose outcome no schedule changes.
-module(basics).
-compile([export_all, nowarn_export_all]).

all() ->
    [{F, outcome(F)} || {F, 0} <- lists:sort(?MODULE:module_info(exports)), lists:prefix("t_", atom_to_list(F))].

%% Each in a process of its own, so that nothing is left over for the next.
outcome(F) ->
    {Pid, Ref} = spawn_monitor(fun() -> exit({value, ?MODULE:F()}) end),
    receive {'DOWN', Ref, process, Pid, {value, Value}} -> Value;
            {'DOWN', Ref, process, Pid, {Reason, [{M, G, _, _} | _]}} -> {crash, Reason, M, G};
            {'DOWN', Ref, process, Pid, Reason} -> {crash, Reason}
    after 20000 -> hangs
    end.

t_ping() ->
    Self = self(),
    Pid = spawn(fun() -> echo(Self) end),
    [Pid ! {ping, I} || I <- lists:seq(1, 20)],
    [receive {pong, I} -> I end || I <- lists:seq(20, 1, -1)].

echo(To) -> receive {ping, I} -> To ! {pong, I}, echo(To) end.

t_selective() ->
    self() ! a, self() ! b, self() ! c,
    B = receive b -> got_b end,
    {B, receive X -> X end, receive Y -> Y after 0 -> none end, receive _ -> some after 0 -> none end}.

t_timers() ->
    erlang:send_after(2000, self(), b),
    erlang:start_timer(10, self(), a),
    {timeout, _, X} = receive M -> M end,
    Y = receive M2 -> M2 after 20 -> none end,
    {X, Y, receive M3 -> M3 end}.

t_cancel() ->
    Ref = erlang:send_after(100000, self(), never),
    Left = erlang:cancel_timer(Ref),
    {is_integer(Left), erlang:cancel_timer(Ref), erlang:read_timer(Ref)}.

t_timeout_value() -> catch receive x -> ok after -1 -> ok end.

t_link() ->
    process_flag(trap_exit, true),
    Pid = spawn_link(fun() -> error(boom) end),
    receive {'EXIT', Pid, {R, [{M, _, _, _} | _]}} -> {R, M} end.

t_link_kills() ->
    Outer = self(),
    {Pid, Ref} = spawn_monitor(fun() -> spawn_link(fun() -> exit(oops) end), receive never -> Outer ! no end end),
    receive {'DOWN', Ref, process, Pid, Reason} -> Reason end.

t_link_normal() ->
    Self = self(),
    spawn_link(fun() -> Self ! done end),
    receive done -> ok end,
    receive X -> X after 10 -> nothing end.

t_link_dead() ->
    Pid = spawn(fun() -> ok end),
    Ref = monitor(process, Pid),
    receive {'DOWN', Ref, _, _, _} -> ok end,
    A = (catch link(Pid)),
    process_flag(trap_exit, true),
    B = link(Pid),
    {element(1, element(2, A)), B, receive {'EXIT', Pid, R} -> R end}.

t_unlink() ->
    Pid = spawn_link(fun() -> receive stop -> exit(bad) end end),
    unlink(Pid),
    Ref = monitor(process, Pid),
    Pid ! stop,
    receive {'DOWN', Ref, _, _, R} -> R end.

t_monitor() ->
    {Pid, Ref} = spawn_monitor(fun() -> exit(bye) end),
    receive {'DOWN', Ref, process, Pid, W} -> W end.

t_monitor_name() ->
    Ref = monitor(process, no_such_name),
    receive {'DOWN', Ref, process, What, Why} -> {What, Why} end.

t_demonitor() ->
    {_, Ref} = spawn_monitor(fun() -> ok end),
    timer:sleep(5),
    {demonitor(Ref, [flush, info]), receive X -> X after 0 -> none end}.

t_order_of_ends() ->
    process_flag(trap_exit, true),
    Pid = spawn_link(fun() -> receive go -> exit(why) end end),
    Ref = monitor(process, Pid),
    Pid ! go,
    timer:sleep(5),
    A = receive M -> element(1, M) end,
    B = receive N -> element(1, N) end,
    {A, B, is_reference(Ref)}.

t_kill() ->
    process_flag(trap_exit, true),
    Pid = spawn(fun() -> process_flag(trap_exit, true), receive never -> ok end end),
    Ref = monitor(process, Pid),
    exit(Pid, kill),
    receive {'DOWN', Ref, _, _, W} -> {W, is_process_alive(Pid)} end.

t_trap() ->
    Self = self(),
    Pid = spawn(fun() -> process_flag(trap_exit, true), Self ! ready, receive X -> Self ! {got, X} end end),
    receive ready -> ok end,
    exit(Pid, hello),
    receive {got, {'EXIT', From, R}} -> {From =:= Self, R} end.

t_exit_normal() ->
    Self = self(),
    Pid = spawn(fun() -> receive X -> Self ! X end end),
    exit(Pid, normal),
    Pid ! alive,
    receive X -> X end.

t_exit_self() -> exit(self(), normal), receive never -> ok end.

t_exit_self_trapped() ->
    process_flag(trap_exit, true),
    exit(self(), normal),
    receive {'EXIT', P, R} -> {P =:= self(), R} end.

t_crash() -> receive X -> X after 0 -> 1 + a end.

t_throw() ->
    {Pid, Ref} = spawn_monitor(fun() -> throw(x) end),
    receive {'DOWN', Ref, process, Pid, {R, _}} -> R end.

t_undef() ->
    {Pid, Ref} = spawn_monitor(no_such_module, f, [1]),
    receive {'DOWN', Ref, process, Pid, {R, [{M, F, A, _} | _]}} -> {R, M, F, A} end.

t_names() ->
    register(basics_name, self()),
    basics_name ! hi,
    X = receive Y -> Y end,
    Z = {X, whereis(basics_name) =:= self(), catch_class(fun() -> no_such_name ! x end),
         catch_class(fun() -> register(basics_name, self()) end), {no_such_name, node()} ! y},
    {Z, unregister(basics_name), whereis(basics_name), catch_class(fun() -> unregister(basics_name) end)}.

catch_class(F) -> try F() catch C:R -> {C, R} end.

t_name_of_the_dead() ->
    Self = self(),
    Pid = spawn(fun() -> register(basics_dead, self()), Self ! up, receive stop -> ok end end),
    receive up -> ok end,
    Ref = monitor(process, basics_dead),
    basics_dead ! stop,
    receive {'DOWN', Ref, process, {Name, _}, R} -> {Name, R, whereis(basics_dead), is_process_alive(Pid)} end.

t_alias() ->
    A = alias([reply]),
    A ! one, A ! two,
    receive one -> ok end,
    receive two -> two after 0 -> none end.

t_alias_monitor() ->
    Self = self(),
    Pid = spawn(fun() -> receive {M, go} -> M ! {answer, M}, Self ! sent, receive never -> ok end end end),
    M = monitor(process, Pid, [{alias, reply_demonitor}]),
    Pid ! {M, go},
    receive sent -> ok end,
    R = receive {answer, M} -> ok after 0 -> none end,
    exit(Pid, kill),
    timer:sleep(5),
    {R, receive X -> X after 0 -> none end}.

t_info() ->
    self() ! a,
    {process_info(self(), registered_name), process_info(self(), message_queue_len),
     process_info(self(), [messages, trap_exit]), process_info(spawn(fun() -> ok end), links) =:= undefined orelse ok}.

t_dictionary() ->
    put(a, 1),
    Self = self(),
    spawn(fun() -> Self ! {get(a), put(a, 2)} end),
    {receive X -> X end, get(a)}.

t_spawn_opt() ->
    {Pid, Ref} = spawn_opt(fun() -> exit(opt) end, [monitor, {priority, high}]),
    {catch_class(fun() -> spawn_opt(fun() -> ok end, [nonsense]) end), receive {'DOWN', Ref, process, Pid, R} -> R end}.

t_spawn_request() ->
    R = spawn_request(fun() -> ok end, [{reply_tag, tag}]),
    receive {tag, R, ok, Pid} -> is_pid(Pid) end.

t_hibernate() ->
    Self = self(),
    Pid = proc_lib:spawn(fun() -> proc_lib:hibernate(?MODULE, woken, [Self]) end),
    Ref = monitor(process, Pid),
    timer:sleep(1),
    Pid ! go,
    receive {woken, X} -> ok end,
    receive {'DOWN', Ref, _, _, W} -> {X, W} end.

woken(To) -> receive M -> To ! {woken, M} end.

t_busy() ->
    Pid = spawn(fun F() -> F() end),
    X = is_process_alive(Pid),
    exit(Pid, kill),
    {X, is_process_alive(Pid)}.

t_tasks() ->
    Self = self(),
    Refs = [begin R = make_ref(), spawn(fun() -> Self ! {R, I * I} end), R end || I <- lists:seq(1, 10)],
    [receive {R, V} -> V end || R <- Refs].

t_table_of_the_dead() ->
    Self = self(),
    {Pid, Ref} = spawn_monitor(fun() -> T = ets:new(x, [public]), Self ! {table, T}, receive stop -> ok end end),
    T = receive {table, T0} -> T0 end,
    ets:insert(T, {a, 1}),
    A = ets:lookup(T, a),
    Pid ! stop,
    receive {'DOWN', Ref, _, _, _} -> ok end,
    {A, catch_class(fun() -> ets:lookup(T, a) end), ets:info(T)}.

t_protected_table() ->
    Self = self(),
    spawn(fun() ->
              T = ets:new(x, [protected]), P = ets:new(y, [private]),
              ets:insert(T, {a, 1}), ets:insert(P, {a, 1}),
              Self ! {tables, T, P}, receive stop -> ok end
          end),
    {T, P} = receive {tables, T0, P0} -> {T0, P0} end,
    {ets:lookup(T, a), catch_class(fun() -> ets:insert(T, {b, 2}) end), catch_class(fun() -> ets:lookup(P, a) end),
     ets:info(T, owner) =:= self(), ets:info(T, size)}.

t_proc_lib() ->
    {ok, Pid} = proc_lib:start_link(?MODULE, started, [self()]),
    unlink(Pid),
    sys:get_state(Pid, 100).

started(Parent) ->
    proc_lib:init_ack(Parent, {ok, self()}),
    receive {system, From, Request} ->
        sys:handle_system_msg(Request, From, Parent, ?MODULE, sys:debug_options([]), {state, 7})
    end.

system_continue(_, _, _) -> done.
system_get_state(State) -> {ok, State}.

t_timer_module() ->
    {ok, _} = timer:send_after(20, self(), tick),
    receive tick -> ok end,
    {ok, T} = timer:send_interval(10, x),
    receive x -> receive x -> ok end end,
    timer:cancel(T).

t_server() ->
    {ok, Pid} = gen_server:start({local, basics_server}, basics_server, 0, []),
    A = gen_server:call(Pid, {add, 5}),
    gen_server:cast(basics_server, {add, 1}),
    B = gen_server:call(basics_server, {add, 5}),
    {error, {already_started, Same}} = gen_server:start({local, basics_server}, basics_server, 0, []),
    {'EXIT', {{badarith, _}, {gen_server, call, _}}} = (catch gen_server:call(basics_server, crash)),
    {A, B, Same =:= Pid, whereis(basics_server), catch_class(fun() -> gen_server:call(basics_server, x) end)}.

t_server_timeout() ->
    {ok, Pid} = gen_server:start(basics_server, 0, []),
    {catch_class(fun() -> gen_server:call(Pid, never, 20) end) =/= ok, gen_server:stop(Pid)}.

t_server_stop() ->
    {ok, Pid} = gen_server:start(basics_server, 3, []),
    Ref = monitor(process, Pid),
    {gen_server:call(Pid, stop), receive {'DOWN', Ref, _, _, R} -> R end}.

t_machine() ->
    {ok, Pid} = gen_statem:start(basics_machine, 0, []),
    A = gen_statem:call(Pid, push),
    B = gen_statem:call(Pid, push),
    gen_statem:call(Pid, push),
    timer:sleep(200),
    {A, B, gen_statem:call(Pid, get)}.

t_event() ->
    {ok, Pid} = gen_event:start(),
    ok = gen_event:add_handler(Pid, basics_event, self()),
    gen_event:notify(Pid, hello),
    gen_event:sync_notify(Pid, there),
    R = gen_event:call(Pid, basics_event, get),
    gen_event:stop(Pid),
    {R, receive A -> A end}.

t_supervisor() ->
    process_flag(trap_exit, true),
    {ok, Sup} = supervisor:start_link(basics_supervisor, []),
    A = gen_server:call(basics_worker, {add, 3}),
    Old = whereis(basics_worker),
    {'EXIT', _} = (catch gen_server:call(basics_worker, crash)),
    restarted(Old),
    B = gen_server:call(basics_worker, {add, 4}),
    Counts = supervisor:count_children(Sup),
    exit(Sup, shutdown),
    receive {'EXIT', Sup, W} -> {A, B, lists:sort(Counts), W, whereis(basics_worker)} end.

restarted(Old) ->
    case whereis(basics_worker) of
        New when is_pid(New), New =/= Old -> ok;
        _ -> timer:sleep(1), restarted(Old)
    end.

%% The words by which texts of errors say why an operation on a table failed.
t_table_causes() ->
    Set = ets:new(set, []), Bag = ets:new(bag, [bag]), Gone = ets:new(gone, []),
    ets:delete(Gone),
    ets:insert(Set, {a, 1, x}), ets:insert(Bag, {a, 1}),
    Self = self(),
    Other = spawn_link(fun() ->
                               Self ! {tables, [ets:new(other, [Access]) || Access <- [private, protected, public]]},
                               receive stop -> ok end
                       end),
    [Private, Protected, Public] = receive {tables, Tables} -> Tables end,
    ets:new(causes_name, [named_table]),
    Calls = [{insert, [Gone, {a}]}, {insert, [no_such_table, {a}]}, {insert, [1, {a}]}, {insert, [Set, x]},
             {lookup_element, [Set, b, 2]}, {lookup_element, [Set, a, 9]}, {lookup_element, [Set, b, 0]},
             {lookup_element, [Gone, a, 0]}, {lookup_element, [Private, a, 1]}, {update_counter, [Set, b, 1]},
             {update_counter, [Set, a, {1, 1}]}, {update_counter, [Set, a, {9, 1}]}, {update_counter, [Set, a, {3, 1}]},
             {update_counter, [Set, a, x]}, {update_counter, [Set, b, x]}, {update_counter, [Bag, a, 1]},
             {update_counter, [Set, b, {9, 1}, {b, 1}]}, {update_counter, [Set, b, {1, 1}, {b, 1}]},
             {update_counter, [Set, a, [{2, 1}, {1, 1}]]}, {update_counter, [Set, a, [{3, 1}, {1, 1}]]},
             {update_element, [Set, a, {1, 1}]}, {update_element, [Set, a, {9, 1}]}, {update_element, [Set, a, x]},
             {update_element, [Bag, a, {2, 1}]}, {update_element, [Set, a, [{9, 1}, {1, 1}]]},
             {update_element, [Set, a, [{1, 1}, {9, 1}]]}, {give_away, [Set, Self, x]}, {give_away, [Protected, Other, x]},
             {give_away, [Public, Self, x]}, {give_away, [Set, foo, x]}, {new, [causes_name, [named_table]]},
             {new, [causes_name, [x]]}, {lookup, [Private, a]}, {insert, [Protected, {a}]}, {next, [Set, zzz]},
             {delete, [Public]}, {delete, [Protected]}, {rename, [Set, 1]}, {first, [Gone]}],
    Causes = [cause(F, Args) || {F, Args} <- Calls],
    unlink(Other), Other ! stop,
    Causes.

cause(F, Args) ->
    try apply(ets, F, Args) of
        _ -> {F, done}
    catch
        error:Reason:Stack ->
            [{ets, F, _, Info} | _] = Stack,
            {F, Reason, maps:get(cause, proplists:get_value(error_info, Info, #{}), none)}
    end.
