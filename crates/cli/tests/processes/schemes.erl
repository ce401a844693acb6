%% Programs with processes, given as terms, whose outcome no schedule changes.
-module(schemes).
-behaviour(gen_server).
-export([run/1, all/1, init/1, handle_call/3, handle_cast/2, handle_info/2, terminate/2, child/1, callback_mode/0, handle_event/4]).

%% The outcomes of all terms in a file.
all([File]) ->
    logger:set_primary_config(level, none),
    {ok, Specs} = file:consult(File),
    [io:format("~0p~n", [outcome(Spec)]) || Spec <- Specs],
    halt().

outcome(Spec) ->
    {P, R} = spawn_monitor(fun() -> exit({value, run(Spec)}) end),
    receive {'DOWN', R, process, P, {value, V}} -> V; {'DOWN', R, process, P, Why} -> {down, Why} after 20000 -> hangs end.

run({int, N}) -> N;
run({inside, Spec}) ->
    {P, R} = spawn_monitor(fun() -> exit({inside, run(Spec)}) end),
    receive {'DOWN', R, process, P, {inside, V}} -> [V] end;
run({fan, Specs}) ->
    S = self(),
    Ps = [spawn_link(fun() -> S ! {self(), run(Spec)}, receive bye -> ok end end) || Spec <- Specs],
    Vs = [receive {P, V} -> V end || P <- Ps],
    [begin unlink(P), P ! bye end || P <- Ps],
    Vs;
run({pipe, Adds, L}) ->
    S = self(),
    First = lists:foldl(fun(N, Next) -> spawn_link(fun() -> stage(N, Next) end) end, S, Adds),
    [First ! {item, X} || X <- L], First ! done,
    items();
run({select, Wanted, L}) ->
    [self() ! {n, X} || X <- L],
    Got = [receive {n, X} -> {got, X} after 0 -> {none, X} end || X <- Wanted],
    {Got, [receive {n, X} -> X end || _ <- rest(L, Got)]};
run({timeouts, L}) ->
    S = self(),
    [spawn(fun() -> receive after 25 * N -> S ! {late, N} end end) || N <- L],
    [receive {late, N} -> N after 5000 -> none end || _ <- L];
run({timers, L}) ->
    Rs = [{N, erlang:start_timer(25 * N, self(), N)} || N <- L],
    Left = [erlang:cancel_timer(R) =/= false || {N, R} <- Rs, N rem 2 =:= 1],
    {Left, [receive {timeout, _, N} -> N end || {N, _} <- lists:sort(Rs), N rem 2 =:= 0]};
run({ended, How, N}) ->
    {P, R} = spawn_monitor(fun() -> ended(How, N) end),
    receive {'DOWN', R, process, P, {Why, [_ | _]}} -> {crash, Why}; {'DOWN', R, process, P, Why} -> Why end;
run({linked, Trap, N}) ->
    {P, R} = spawn_monitor(fun() ->
        process_flag(trap_exit, Trap),
        C = spawn_link(fun() -> exit({bad, N}) end),
        receive {'EXIT', C, Why} -> exit({trapped, Why}) after 5000 -> exit(none) end
    end),
    receive {'DOWN', R, process, P, Why} -> Why end;
run({names, L}) ->
    S = self(),
    [begin
        Name = list_to_atom("schemes_" ++ integer_to_list(N)),
        P = spawn_link(fun() -> receive {ask, V} -> S ! {Name, V * N} end end),
        R = try register(Name, P) catch error:badarg -> badarg end,
        X = case R of
            true -> Name ! {ask, 3}, receive {Name, V} -> V end;
            badarg -> unlink(P), exit(P, kill), badarg
        end,
        M = monitor(process, P), receive {'DOWN', M, process, P, _} -> ok end,
        {X, whereis(Name)}
     end || N <- L];
run({dictionary, L}) ->
    put(k, outer),
    S = self(),
    [begin P = spawn(fun() -> put(k, X), S ! {self(), get(k)} end), receive {P, V} -> {V, get(k)} end end || X <- L];
run({table, Type, L}) ->
    T = ets:new(t, [Type, public]),
    Ps = [spawn_monitor(fun() -> ets:insert(T, {X, X * X}) end) || X <- L],
    [receive {'DOWN', R, process, P, normal} -> ok end || {P, R} <- Ps],
    V = {lists:sort(ets:tab2list(T)), ets:info(T, size)}, ets:delete(T), V;
run({server, Ops}) ->
    {ok, P} = gen_server:start_link(?MODULE, server, []),
    Vs = [request(P, Op) || Op <- Ops],
    V = {Vs, gen_server:call(P, get)}, gen_server:stop(P), {V, is_process_alive(P)};
run({machine, Events}) ->
    {ok, P} = gen_statem:start_link(?MODULE, machine, []),
    V = [gen_statem:call(P, E) || E <- Events], gen_statem:stop(P), V;
run({supervised, L}) ->
    {ok, Sup} = supervisor:start_link(?MODULE, supervisor),
    Vs = [begin
        {ok, C} = supervisor:start_child(Sup, [N]),
        V = gen_server:call(C, get),
        N rem 2 =:= 0 andalso supervisor:terminate_child(Sup, C),
        {V, is_process_alive(C)}
    end || N <- L],
    Count = proplists:get_value(active, supervisor:count_children(Sup)),
    unlink(Sup), M = monitor(process, Sup), exit(Sup, shutdown),
    receive {'DOWN', M, process, Sup, Why} -> {Vs, Count, Why} end;
run({started, How, N}) ->
    process_flag(trap_exit, true),
    V = case proc_lib:start_link(erlang, apply, [fun() -> started(How, N) end, []]) of
        {ok, P, X} -> P ! stop, {ok, X};
        Other -> Other
    end,
    process_flag(trap_exit, false),
    {V, receive {'EXIT', _, Why} -> Why after 20 -> none end}.

rest(L, Got) -> lists:seq(1, length(L) - length([1 || {got, _} <- Got])).

stage(N, Next) -> receive {item, X} -> Next ! {item, X + N}, stage(N, Next); done -> Next ! done end.

items() -> receive {item, X} -> [X | items()]; done -> [] end.

ended(normal, _) -> ok;
ended(exit, N) -> exit({why, N});
ended(error, N) -> error({why, N});
ended(throw, N) -> throw({why, N});
ended(kill, _) -> exit(self(), kill), receive never -> ok end;
ended(badarith, N) -> N + list_to_atom("a").

started(ok, N) -> proc_lib:init_ack({ok, self(), N}), receive stop -> ok end;
started(exit, N) -> exit({why, N});
started(error, N) -> proc_lib:init_ack({error, N}).

request(P, {add, N}) -> gen_server:cast(P, {add, N});
request(P, {put, K}) -> gen_server:call(P, {put, K});
request(P, {info, N}) -> P ! {add, N}, sent;
request(P, {later, N}) -> gen_server:call(P, {later, N});
request(P, {timeout, _}) -> try gen_server:call(P, silent, 20) catch exit:{timeout, _} -> timed_out end.

init(server) -> {ok, {0, []}};
init(machine) -> {ok, idle, 0};
init(supervisor) ->
    Child = #{id => c, start => {gen_server, start_link, [?MODULE]}, restart => temporary},
    {ok, {#{strategy => simple_one_for_one}, [Child#{start => {?MODULE, child, []}}]}};
init(N) when is_integer(N) -> {ok, {N, []}}.

handle_call(get, _, S) -> {reply, S, S};
handle_call({put, K}, _, {N, L}) -> {reply, length(L), {N, [K | L]}};
handle_call({later, X}, From, {N, L}) -> self() ! {reply, From, X + N}, {noreply, {N, L}};
handle_call(silent, _, S) -> {noreply, S}.

handle_cast({add, X}, {N, L}) -> {noreply, {N + X, L}}.

handle_info({add, X}, {N, L}) -> {noreply, {N - X, L}};
handle_info({reply, From, X}, S) -> gen_server:reply(From, X), {noreply, S}.

terminate(_, _) -> ok.

callback_mode() -> handle_event_function.

handle_event({call, From}, E, State, N) ->
    case {State, E} of
        {idle, go} -> {next_state, busy, N + 1, [{reply, From, went}]};
        {busy, go} -> {keep_state, N + 2, [{reply, From, {busy, N}}]};
        {busy, stop} -> {next_state, idle, N, [{reply, From, stopped}]};
        {busy, wait} -> {next_state, waiting, From, [{state_timeout, 10, up}]};
        {_, E} -> {keep_state_and_data, [{reply, From, {no, E, State}}]}
    end;
handle_event(state_timeout, up, waiting, From) -> {next_state, idle, 0, [{reply, From, up}]}.

child(N) -> gen_server:start_link(?MODULE, N, []).
