%% Ways to an outside effect: each clause is one that a program can take.
-module(escapes).
-export([go/2, child/1, whereis_name/1, register_name/2, unregister_name/1, send/2, init/1, handle_call/3, handle_cast/2]).
-behaviour(gen_server).

-spec go(atom(), file:filename()) -> term().
go(static, File) -> file:delete(File);
go(fun_of, File) -> F = fun file:delete/1, F(File);
go(foreach, File) -> lists:foreach(fun file:delete/1, [File]);
go(map_of_funs, File) -> (maps:get(x, #{x => fun file:delete/1}))(File);
go(computed, File) -> {M, F} = names("file", "delete"), M:F(File);
go(computed_tail, File) -> {M, F} = names("file", "delete"), ok(M:F(File));
go(applied, File) -> {M, F} = names("file", "delete"), apply(M, F, lists:append([[File], []]));
go(computed_fun, File) -> {M, F} = names("file", "delete"), G = fun M:F/1, lists:map(G, [File]);
go(decoded_fun, File) -> (binary_to_term(term_to_binary(fun file:delete/1)))(File);
go(many_arguments, _) -> {M, F} = names("escapes", "eleven"), catch M:F(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11), eval("erlang:halt(3).");
go(spawned, File) -> spawn(file, delete, [File]), pause();
go(spawned_linked, File) -> spawn_link(file, delete, [File]), pause();
go(spawned_opt, File) -> spawn_opt(file, delete, [File], [monitor]), pause();
go(proc_lib, File) -> proc_lib:spawn(file, delete, [File]), pause();
go(child, File) -> spawn(?MODULE, child, [File]), pause();
go(grandchild, File) -> spawn(fun() -> spawn(fun() -> file:delete(File) end), pause() end), pause();
go(caught, File) -> try file:delete(File) catch _:_ -> caught after ok end;
go(trapping, File) -> process_flag(trap_exit, true), spawn_link(?MODULE, child, [File]), receive {'EXIT', _, _} -> survived end;
go(other_leader, File) -> group_leader(spawn(fun pause/0), self()), file:delete(File);
go(system_leader, File) -> group_leader(whereis(init), self()), file:delete(File);
go(io_request, File) -> group_leader() ! {io_request, self(), make_ref(), {put_chars, unicode, file, delete, [File]}}, pause();
go(io_user, File) -> io:request(user, {put_chars, unicode, file, delete, [File]});
go(via_server, File) -> gen_server:call({via, ?MODULE, file_server_2}, {delete, File});
go(leader_internal, File) -> erts_internal:group_leader(whereis(init), self()), file:delete(File);
go(spawned_internal, File) -> erts_internal:spawn_system_process(file, delete, [File]), pause();
go(own_guard, _) -> hound_guard:end_run(group_leader());
go(own_computed, _) -> {M, F} = names("hound_guard", "rules"), M:F([]);
go(own_leaders, File) -> catch digraph:del_vertex(own_graph('$hound_leaders'), group_leader()), file:delete(File);
go(own_leaders_added, _) -> catch digraph:add_vertex(own_graph('$hound_leaders'), whereis(init), none), init ! {stop, stop};
go(own_tables_deleted, File) -> [catch digraph:delete(own_graph(T)) || T <- ets:all()], file:delete(File);
go(own_undo, File) ->
    catch digraph:add_vertex(own_graph('$hound_undo'), rules, {term, '$hound_rules', none}),
    file:delete(File);
go(own_rules, File) -> persistent_term:erase('$hound_rules'), file:delete(File);
go(own_rules_put, File) -> persistent_term:put('$hound_rules', #{}), file:delete(File);
go(own_up, File) -> persistent_term:erase('$hound_up'), file:delete(File);
go(own_lines, File) -> persistent_term:put({hound_lines, escapes}, none), file:delete(File);
go(own_keeper_read, File) -> persistent_term:get('$hound_keeper') ! x, file:delete(File);
go(own_keeper_killed, File) -> exit(keeper(), kill), file:delete(File);
go(own_keeper_asked, File) -> keeper() ! {'$hound_keep', self(), make_ref(), {end_run, group_leader()}}, file:delete(File);
go(own_keeper_acked, File) -> proc_lib:init_ack(keeper(), {end_run, group_leader()}), file:delete(File);
go(own_keeper_state, File) -> sys:replace_state(keeper(), fun(_) -> none end), file:delete(File);
go(own_keeper_suspended, File) -> erlang:suspend_process(keeper()), file:delete(File);
go(own_decoder, File) -> (hound_table:call(<<131, 113, 119, 4, "file", 119, 6, "delete", 97, 1>>))(File);
go(own_events, _) -> hound_events:record(0, 0);
go(own_keeper, _) -> hound_keeper:ask({end_run, group_leader()});
go(own_purged, _) -> erlang:purge_module(hound_guard);
go(own_deleted, _) -> erlang:delete_module(hound_guard);
go(own_loaded, _) -> erlang:load_module(hound_guard, <<>>);
go(own_prepared, _) -> erlang:finish_loading([erlang:prepare_loading(hound_guard, <<>>)]);
go(decoded_closure, File) ->
    G = fun file:delete/1,
    (binary_to_term(term_to_binary(fun() -> G(File) end)))();
go(timer_tc, File) -> timer:tc(file, delete, [File]);
go(timer_after, File) -> timer:apply_after(0, file, delete, [File]), pause();
go(timer_own, File) -> timer:apply_after(0, ?MODULE, child, [File]), pause();
go(timer_send, _) -> timer:send_after(0, init, {stop, stop}), pause();
go(dependency, File) -> helper:remove(File);
go(dependency_fun, File) -> helper:each([File]);
go(dependency_computed, File) -> helper:call(file, delete, [File]);
go(dependency_loading, File) -> loading:remove(File);
go(callback, File) -> {ok, P} = gen_server:start_link(?MODULE, [], []), gen_server:call(P, {remove, File});
go(cast, File) -> {ok, P} = gen_server:start(?MODULE, [], []), gen_server:cast(P, {remove, File}), pause();
go(child_spec, File) ->
    {ok, S} = supervisor:start_link(?MODULE, supervisor),
    supervisor:start_child(S, #{id => x, start => {file, delete, [File]}});
go(eval, _) -> eval("os:cmd(\"true\").");
go(eval_fun, _) -> eval("(fun erlang:halt/1)(3).");
go(server_call, File) -> gen_server:call(file_server_2, {delete, File});
go(server_named, File) -> {M, F} = names("gen_server", "call"), M:F(file_server_2, {delete, File});
go(server_spawned, File) -> spawn(gen_server, call, [file_server_2, {delete, File}]), pause();
go(server_foreach, _) -> lists:foreach(fun gen_server:stop/1, [init]);
go(stop_message, _) -> init ! {stop, stop}, pause();
go(stop_send, _) -> erlang:send(init, {stop, stop}), pause();
go(stop_pid, _) -> whereis(init) ! {stop, stop}, pause();
go(stop_after, _) -> erlang:send_after(0, init, {stop, stop}), pause();
go(stop_spawned, _) -> spawn(erlang, send, [init, {stop, stop}]), pause();
go(kill_all, _) -> [exit(P, kill) || P <- processes(), P =/= self()];
go(linked_system, _) -> link(whereis(code_server)), exit(oops);
go(unregistered, _) -> unregister(init);
go(suspended, _) -> erlang:suspend_process(whereis(code_server));
go(state_replaced, _) -> sys:replace_state(application_controller, fun(_) -> broken end);
go(replied, _) -> gen_server:reply({whereis(init), stop}, stop), pause();
go(cast_by_name, File) -> gen_server:abcast(file_server_2, {delete, File});
go(tables, _) -> [ets:delete_all_objects(T) || T <- ets:all()];
go(settings_table, _) -> ets:insert(ac_tab, {{env, kernel, x}, 1});
go(terms, _) -> [persistent_term:erase(K) || {K, _} <- persistent_term:get()], halt(3);
go(given_away, _) -> ets:give_away(ets:new(t, []), whereis(init), x);
go(halt, _) -> halt(3);
go(halt_applied, _) -> apply(erlang, halt, [3]);
go(halt_computed, _) -> {M, F} = names("erlang", "halt"), M:F();
go(halt_spawned, _) -> spawn(erlang, halt, [3]), pause();
go(halt_foreach, _) -> lists:foreach(fun erlang:halt/1, [3]);
go(halt_later, _) -> timer:apply_after(0, erlang, halt, [3]), pause();
go(init_stop, _) -> init:stop();
go(command, File) -> os:cmd("rm " ++ File);
go(port, File) -> open_port({spawn, "rm " ++ File}, []), pause();
go(write, File) -> file:write_file(File, "changed");
go(opened, File) -> {ok, D} = file:open(File, [write]), file:close(D);
go(raw, File) -> prim_file:delete(File);
go(loader, File) -> erl_prim_loader:get_file(File);
go(tar, File) -> erl_tar:create(File, [{"x", <<>>}]);
go(listing, File) -> compile:forms([{attribute, 1, module, x}], ['P', {outdir, filename:dirname(File)}]);
go(tcp, _) -> gen_tcp:connect("localhost", 1, []);
go(udp, _) -> gen_udp:open(0);
go(tls, _) -> ssl:connect("localhost", 1, []);
go(load_binary, _) -> code:load_binary(no_module, "no_module", <<>>);
go(load_native, File) -> erlang:load_nif(File, 0);
go(purge, _) -> code:purge(lists);
go(settings, _) -> application:set_env(kernel, x, 1);
go(application, _) -> application:ensure_all_started(sasl);
go(flag, _) -> erlang:system_flag(backtrace_depth, 1);
go(logger, _) -> logger:set_primary_config(level, all);
go(trace, _) -> erlang:trace(all, true, [call]);
go(cookie, _) -> erlang:set_cookie(node(), x).

child(File) -> file:delete(File).

%% A graph whose every part is a table of the guard: the library writes where the graph says.
own_graph(Table) -> {digraph, Table, Table, Table, false}.

%% A process that the guard stands on.
keeper() -> ets:info('$hound_leaders', owner).

names(M, F) -> {list_to_atom(M), list_to_atom(F)}.

ok(X) -> X.

pause() -> receive '$never' -> ok after 2000 -> ok end.

eval(Text) ->
    {ok, Tokens, _} = erl_scan:string(Text),
    {ok, Exprs} = erl_parse:parse_exprs(Tokens),
    erl_eval:exprs(Exprs, []).

init(supervisor) -> {ok, {#{}, []}};
init(_) -> {ok, none}.

handle_call({remove, File}, _, State) -> {reply, file:delete(File), State}.

handle_cast({remove, File}, State) -> file:delete(File), {noreply, State}.

%% The names of a registry of its own; one of them is found only when it is asked for again.
whereis_name(changing) ->
    case put(asked, get(asked) + 1) of
        0 -> undefined;
        _ -> whereis(file_server_2)
    end;
whereis_name(Name) -> whereis(Name).

register_name(_, _) -> yes.

unregister_name(_) -> ok.

send(Name, Message) -> whereis_name(Name) ! Message.
