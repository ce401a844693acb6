%% What a program may do on the VM: processes and messages of its own, its own state, looks at the VM.
-module(harmless).
-export([go/1, call/1, init/1, handle_call/3, handle_cast/2]).
-behaviour(gen_server).

go(spawned) -> Me = self(), [spawn(fun() -> Me ! N * N end) || N <- [1, 2, 3]], lists:sort([receive X -> X end || _ <- [1, 2, 3]]);
go(server) ->
    {ok, P} = gen_server:start_link({local, harmless_server}, ?MODULE, 1, []),
    ok = gen_server:cast(harmless_server, {add, 2}),
    Answer = gen_server:call(P, get),
    gen_server:stop(P),
    Answer;
go(supervised) ->
    {ok, S} = supervisor:start_link(?MODULE, supervisor),
    [{_, P, _, _}] = supervisor:which_children(S),
    gen_server:call(P, get);
go(monitored) -> {_, Ref} = spawn_monitor(fun() -> exit(gone) end), receive {'DOWN', Ref, _, _, Why} -> Why end;
go(trapped) -> process_flag(trap_exit, true), P = spawn_link(fun() -> receive x -> ok end end), exit(P, kill), receive {'EXIT', P, Why} -> Why end;
go(timers) -> erlang:send_after(1, self(), a), timer:send_after(1, b), [receive X -> X end || X <- [a, b]];
go(applied_later) -> Me = self(), {ok, _} = timer:apply_after(1, erlang, send, [Me, c]), receive X -> X end;
go(slept) -> timer:sleep(1);
go(output) -> io:format("~p~n", [x]), io:put_chars(user, []);
go(graph) -> G = digraph:new(), digraph:add_vertex(G, a), [a] = digraph:vertices(G), digraph:delete(G);
go(tables) -> T = ets:new(t, [named_table, public]), spawn_monitor(fun() -> ets:insert(t, {a, 1}) end), receive {'DOWN', _, _, _, _} -> ok end, ets:tab2list(T);
go(term) -> Before = persistent_term:get(harmless, none), persistent_term:put(harmless, 1), Before;
go(dictionary) -> put(a, 1), get(a);
go(settings) -> {application:get_env(kernel, nothing), is_list(application:which_applications()), is_list(application:loaded_applications())};
go(code) -> {code:is_loaded(no_module), is_list(code:which(lists)), code:ensure_loaded(lists), code:ensure_loaded(no_module)};
go(undefined) -> try no_module:nothing(1) catch error:undef:Stack -> hd(Stack) end;
go(logged) -> logger:error("x"), error_logger:info_msg("x"), logger:get_primary_config(), ok;
go(hashed) -> byte_size(crypto:hash(sha256, <<>>));
go(evaluated) -> {ok, Ts, _} = erl_scan:string("lists:sum([1, 2])."), {ok, Es} = erl_parse:parse_exprs(Ts), erl_eval:exprs(Es, []);
go(leader) ->
    Me = self(),
    L = spawn(fun() -> receive {io_request, From, Ref, _} -> From ! {io_reply, Ref, ok}, Me ! asked end end),
    group_leader(L, self()),
    io:format("x"),
    receive asked -> asked end;
go(computed) -> [apply(lists, F, [[3, 1]]) || F <- [max, min]];
go(via_fun) -> lists:map(fun erlang:abs/1, [-1]);
go(hibernated) -> P = spawn(fun() -> erlang:hibernate(?MODULE, go, [slept]) end), is_pid(P);
go(unknown_name) -> try no_process ! x catch error:Why -> Why end;
go(no_module) -> M = 1, try M:f() catch error:Why -> Why end.

call([F]) -> F().

init(supervisor) -> {ok, {#{}, [#{id => x, start => {gen_server, start_link, [?MODULE, 7, []]}}]}};
init(N) -> {ok, N}.

handle_call(get, _, N) -> {reply, N, N}.

handle_cast({add, M}, N) -> {noreply, N + M}.
