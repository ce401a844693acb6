%% Processes that crash, and others that crash because of it, or for a reason of their own.
-module(roots).
-export([no_server/1, no_table/1, no_named_table/1, no_name/1, down/1, reply/1, chain/1]).
-export([apart/1, same_reason/1, by_chance/1, after_restart/1, new_name/1, no_child/2, start_child/1]).
-export([init/1, handle_call/3, handle_cast/2]).

-spec init(term()) -> term().
init(supervisor) ->
    {ok, {#{strategy => simple_one_for_one}, [#{id => child, start => {?MODULE, start_child, []}}]}};
init(State) -> {ok, State}.
-spec handle_call(term(), term(), term()) -> term().
handle_call(get, _, State) -> {reply, State, State}.
-spec handle_cast(term(), term()) -> term().
handle_cast({divide, X}, State) -> {noreply, State div X}.

%% The client calls a server that is gone.
-spec no_server(integer()) -> integer().
no_server(X) ->
    {ok, Server} = gen_server:start(?MODULE, 1, []),
    gen_server:cast(Server, {divide, X}),
    Value = gen_server:call(Server, get),
    gen_server:stop(Server),
    Value.

%% The table goes with the process of the call.
-spec no_table(integer()) -> ok.
no_table(X) ->
    Table = ets:new(rows, [public]),
    spawn(fun() -> ets:insert(Table, {a, 1}) end),
    X =:= 7 andalso error(seven),
    ok.

-spec no_named_table(integer()) -> ok.
no_named_table(X) ->
    ets:new(rows, [public, named_table]),
    spawn(fun() -> ets:insert(rows, {a, 1}) end),
    X =:= 7 andalso error(seven),
    ok.

-spec no_name(integer()) -> ok.
no_name(X) ->
    Self = self(),
    spawn(fun() -> register(named, self()), Self ! ready, divider() end),
    receive ready -> ok end,
    named ! {divide, X},
    spawn(fun() -> named ! {divide, 1} end),
    ok.

divider() -> receive {divide, Y} -> 1 div Y, divider() end.

%% A supervisor ends with the exit of the call, which has started it.
-spec no_child(integer(), integer()) -> integer().
no_child(X, Y) ->
    {ok, Supervisor} = supervisor:start_link(?MODULE, supervisor),
    {ok, Child} = supervisor:start_child(Supervisor, [X]),
    {ok, Other} = supervisor:start_child(Supervisor, [Y]),
    Value = gen_server:call(Child, get) + gen_server:call(Other, get),
    unlink(Supervisor),
    exit(Supervisor, shutdown),
    Value.
-spec start_child(term()) -> term().
start_child(7) -> ignore;
start_child(X) -> gen_server:start_link(?MODULE, X, []).

%% A process that watches another says in its own words that it is gone.
-spec down(integer()) -> ok.
down(X) ->
    {Pid, Ref} = spawn_monitor(fun() -> 1 div X end),
    receive
        {'DOWN', Ref, process, Pid, normal} -> ok;
        {'DOWN', Ref, process, Pid, _} -> error(worker_died)
    end.

%% The reason comes to a third process in a message.
-spec reply(integer()) -> ok.
reply(X) ->
    Self = self(),
    spawn(fun() ->
                  {_, Ref} = spawn_monitor(fun() -> 1 div X end),
                  receive {'DOWN', Ref, _, _, Reason} -> Self ! {ended, Reason} end
          end),
    receive
        {ended, normal} -> ok;
        {ended, Why} -> error({failed, Why})
    end.

%% What follows from a consequence does from its root.
-spec chain(integer()) -> ok.
chain(X) ->
    {Pid, Ref} = spawn_monitor(fun() -> down(X) end),
    receive
        {'DOWN', Ref, process, Pid, normal} -> ok;
        {'DOWN', Ref, process, Pid, _} -> error(watcher_died)
    end.

%% Two processes that know nothing of each other.
-spec apart(integer()) -> ok.
apart(X) ->
    spawn(fun() -> X > 5 andalso error(a) end),
    spawn(fun() -> X > 5 andalso error({b, a}) end),
    ok.

-spec same_reason(integer()) -> ok.
same_reason(X) ->
    spawn(fun() -> X > 5 andalso error(a) end),
    spawn(fun() -> X > 5 andalso error(a) end),
    ok.

%% The second comes later, and its reason has the first; but nothing has brought it there.
-spec by_chance(integer()) -> ok.
by_chance(X) ->
    spawn(fun() -> X =:= 3 andalso error(a) end),
    receive after 10 -> ok end,
    spawn(fun() -> X =:= 3 andalso error({b, a}) end),
    ok.

%% A process that has heard of a crash, goes on, and crashes for a reason of its own.
-spec after_restart(integer()) -> ok.
after_restart(X) ->
    {_, Ref} = spawn_monitor(fun() -> 1 div X end),
    receive {'DOWN', Ref, _, _, _} -> ok end,
    Self = self(),
    spawn(fun() -> Self ! {value, X} end),
    receive {value, 0} -> error(none); {value, _} -> ok end.

%% One that takes the name of a crashed process over, and crashes for a reason of its own.
-spec new_name(integer()) -> ok.
new_name(X) ->
    {_, Ref} = spawn_monitor(fun() -> register(named, self()), 1 div X end),
    receive {'DOWN', Ref, _, _, _} -> ok end,
    spawn(fun() -> register(named, self()), X =:= 0 andalso error(other) end),
    ok.
