%% Comes to an effect by names that are computed, by funs, by data and by other processes.
-module(cunning).
-behaviour(gen_server).
-behaviour(supervisor).
-compile(export_all).
-compile(nowarn_export_all).

-define(NEW, ?F ++ "/new").

wait() -> receive after 100 -> ok end.
mod() -> list_to_atom("fi" ++ "le").
fn() -> list_to_atom("write_" ++ "file").

computed() -> (mod()):(fn())(?NEW, "x").
applied() -> apply(mod(), fn(), [?NEW, "x"]).
fun_of() -> F = fun file:write_file/2, F(?NEW, "x").
computed_fun() -> F = erlang:make_fun(mod(), fn(), 2), F(?NEW, "x").
decoded_fun() -> F = binary_to_term(term_to_binary(fun file:write_file/2)), F(?NEW, "x").
decoded_text() -> F = binary_to_term(<<131, 113, 119, 4, "file", 119, 10, "write_file", 97, 2>>), F(?NEW, "x").
closure() -> G = fun file:write_file/2, F = fun(N) -> G(N, "x") end, F(?NEW).
closure_sent() ->
    G = fun file:write_file/2,
    F = fun() -> G(?NEW, "x") end,
    (binary_to_term(term_to_binary({a, [F]})) =:= x) orelse F().
in_table() -> T = ets:new(t, []), ets:insert(T, {f, fun file:write_file/2}), (ets:lookup_element(T, f, 2))(?NEW, "x").
in_term() -> persistent_term:put(hostile, fun file:write_file/2), (persistent_term:get(hostile))(?NEW, "x").
in_dictionary() -> put(f, fun file:write_file/2), (get(f))(?NEW, "x").
in_message() -> self() ! fun file:write_file/2, receive F -> F(?NEW, "x") end.
mapped() -> lists:map(fun(N) -> file:write_file(N, "x") end, [?NEW]).
folded_table() -> T = ets:new(t, []), ets:insert(T, {?NEW, "x"}), ets:foldl(fun({N, X}, _) -> file:write_file(N, X) end, ok, T).
sorted() -> lists:sort(fun file:write_file/2, [?NEW, "x"]).
map_of() -> maps:map(fun file:write_file/2, #{?NEW => "x"}).
map_external() -> maps:foreach(fun file:write_file/2, #{?NEW => "x"}).
replaced() -> re:replace("a", "a", "b", []), lists:foreach(fun(N) -> file:write_file(N, "x") end, [?NEW]).
format_control() -> io_lib:format("~p", [file:write_file(?NEW, "x")]).
format_fun() -> io_lib:format("~s", [[fun file:write_file/2]]).
spawned() -> spawn(file, write_file, [?NEW, "x"]), wait().
spawned_fun() -> spawn(fun() -> file:write_file(?NEW, "x") end), wait().
spawned_request() -> erlang:spawn_request(file, write_file, [?NEW, "x"], []), wait().
spawned_opt() -> spawn_opt(file, write_file, [?NEW, "x"], [monitor]), wait().
hibernating() -> spawn(fun() -> erlang:hibernate(file, write_file, [?NEW, "x"]) end), wait().
proc_lib() -> proc_lib:start(file, write_file, [?NEW, "x"], 100).
timer_apply() -> timer:apply_after(0, file, write_file, [?NEW, "x"]), wait().
timer_interval() -> timer:apply_interval(1, file, write_file, [?NEW, "x"]), wait().
timer_message() -> erlang:send_after(0, whereis(timer_server), {apply_after, 0, {file, write_file, [?NEW, "x"]}}), wait().
via() -> gen_server:call({via, ?MODULE, timer_server}, {apply_once, {erlang:monotonic_time(), 0, {file, write_file, [?NEW, "x"]}}}, 100).
via_cast() -> gen_server:cast({via, ?MODULE, file_server_2}, {write_file, ?NEW, "x"}).
via_file() -> gen_server:call({via, ?MODULE, file_server_2}, {open, ?NEW, [write]}, 100).
whereis_name(N) -> whereis(N).
register_name(_, _) -> yes.
unregister_name(_) -> ok.
send(N, M) -> whereis(N) ! M.
io_user() -> io:request(user, {put_chars, unicode, file, write_file, [?NEW, "x"]}).
io_user_sent() -> user ! {io_request, self(), make_ref(), {put_chars, unicode, file, write_file, [?NEW, "x"]}}, wait().
io_error() -> io:request(standard_error, {put_chars, unicode, file, write_file, [?NEW, "x"]}).
io_until() -> io:request(user, {get_until, unicode, "", file, write_file, ["x"]}).
io_leader() -> io:request(group_leader(), {put_chars, unicode, file, write_file, [?NEW, "x"]}).
leader_of_init() -> group_leader(whereis(init), self()), file:write_file(?NEW, "x").
leader_internal() -> erts_internal:group_leader(whereis(init), self()), file:write_file(?NEW, "x").
leader_ref() -> erts_internal:group_leader(whereis(init), self(), make_ref()), file:write_file(?NEW, "x").
leader_child() -> P = spawn(fun() -> receive go -> file:write_file(?NEW, "x") end end), erts_internal:group_leader(whereis(init), P), P ! go, wait().
internal_spawn() -> erts_internal:spawn_system_process(file, write_file, [?NEW, "x"]), wait().
internal_init() -> erts_internal:spawn_init({file, write_file, [?NEW, "x"]}), wait().
internal_task() -> erts_internal:request_system_task(whereis(init), normal, {x, y}), wait().
init_run() -> init ! {self(), {stop, 0}}, wait().
own_table() -> [catch ets:insert(T, {group_leader(), group_leader(), none}) || T <- ets:all()], [catch ets:delete_all_objects(T) || T <- ets:all()], file:write_file(?NEW, "x").
own_guard() -> catch (list_to_atom("hound_" ++ "guard")):end_run(group_leader()), file:write_file(?NEW, "x").
own_rules() -> catch (list_to_atom("hound_" ++ "guard")):rules([]), file:write_file(?NEW, "x").
own_gate() -> catch hound_gate:apply(?NEW, "x", file, write_file), ok.
own_run() -> catch hound_run:apart(fun() -> file:write_file(?NEW, "x") end), ok.
own_state() -> catch persistent_term:erase('$hound_rules'), file:write_file(?NEW, "x").
own_graph(T) -> {digraph, T, T, T, false}.
own_leaders() -> catch digraph:del_vertex(own_graph('$hound_leaders'), group_leader()), file:write_file(?NEW, "x").
own_leaders_added() -> catch digraph:add_vertex(own_graph('$hound_leaders'), whereis(init), none), init ! {stop, stop}, wait().
own_tables() -> [catch digraph:delete(own_graph(T)) || T <- ets:all()], file:write_file(?NEW, "x").
own_undo() -> catch digraph:add_vertex(own_graph('$hound_undo'), x, {term, '$hound_rules', none}), ok.
own_up() -> catch persistent_term:erase('$hound_up'), file:write_file(?NEW, "x").
own_terms() -> [catch persistent_term:erase(K) || {K, _} <- persistent_term:get()], file:write_file(?NEW, "x").
own_keeper() -> catch persistent_term:get('$hound_keeper') ! {'$hound_keep', self(), make_ref(), {end_run, group_leader()}}, file:write_file(?NEW, "x").
own_keeper_found() -> [P ! {'$hound_keep', self(), make_ref(), {end_run, group_leader()}} || P <- processes()], file:write_file(?NEW, "x").
own_keeper_killed() -> catch exit(ets:info('$hound_leaders', owner), kill), file:write_file(?NEW, "x").
own_keeper_linked() -> catch link(ets:info('$hound_leaders', owner)), exit(kill).
own_keeper_acked() -> catch proc_lib:init_ack(ets:info('$hound_leaders', owner), x), file:write_file(?NEW, "x").
own_keeper_state() -> catch sys:replace_state(ets:info('$hound_leaders', owner), fun(_) -> file:write_file(?NEW, "x") end).
own_heir() -> ets:new(x, [{heir, ets:info('$hound_leaders', owner), x}]), file:write_file(?NEW, "x").
own_decoder() -> (hound_table:call(<<131, 113, 119, 4, "file", 119, 10, "write_file", 97, 2>>))(?NEW, "x").
own_events() -> catch hound_events:record(0, 0), catch hound_events:open(x), file:write_file(?NEW, "x").
own_room() -> catch atomics:put(element(1, persistent_term:get(hound_events)), 1, 0), file:write_file(?NEW, "x").
own_purged() -> catch erlang:purge_module(hound_guard), catch erlang:delete_module(hound_guard), file:write_file(?NEW, "x").
own_loaded() -> catch erlang:load_module(hound_keeper, <<>>), catch code:load_abs(?F ++ "/hound_keeper"), file:write_file(?NEW, "x").
own_door() -> catch 'hound door of file':write_file(?NEW, "x").
handler_of_doors() -> process_flag(error_handler, ?MODULE), catch 'hound door of file':write_file(?NEW, "x"), file:write_file(?NEW, "x").
handler_installed() -> process_flag(error_handler, ?MODULE), catch no_such_module:f(), file:write_file(?NEW, "x").
undefined_function(_, _, _) -> file:write_file(?NEW, "x").
undefined_lambda(_, _, _) -> file:write_file(?NEW, "x").
log_handler() -> logger:add_handler(hostile, ?MODULE, #{}), logger:error("x"), wait().
log(_, _) -> file:write_file(?NEW, "x").
log_filter() -> logger:add_primary_filter(hostile, {fun(_, _) -> file:write_file(?NEW, "x"), stop end, []}), logger:error("x").
log_formatter() -> logger:update_formatter_config(default, #{template => []}), logger:error("x", #{report_cb => fun(_) -> file:write_file(?NEW, "x"), {"", []} end}).
log_fun() -> logger:macro_log(#{}, error, fun file:delete/1, ?F ++ "/victim").
log_lazily() -> logger:error(fun file:delete/1, ?F ++ "/victim").
log_lazily_halted() -> logger:log(warning, fun erlang:halt/1, 3).
log_lazily_own() -> logger:notice(fun ?MODULE:writes/1, x).
log_halted() -> logger:macro_log(#{}, error, fun erlang:halt/1, 3).
log_own() -> logger:macro_log(#{}, error, fun ?MODULE:writes/1, x).
writes(_) -> file:write_file(?NEW, "x"), {"", []}.
log_within() -> logger:macro_log(#{}, error, "~p", [x], #{report_cb => fun ?MODULE:writes/1, domain => [fun erlang:halt/0]}).
log_metadata() -> logger:macro_log(#{}, error, fun(X) -> file:write_file(?NEW, X) end, "x").
kept_fun() -> T = ets:new(t, []), ets:insert(T, {f, {fun file:write_file/2, [?NEW, "x"]}}), [{_, {F, A}}] = ets:lookup(T, f), apply(F, A).
event_handler() -> gen_event:add_handler(erl_signal_server, ?MODULE, []), wait().
sys_replace() -> sys:replace_state(code_server, fun(S) -> file:write_file(?NEW, "x"), S end).
sys_install() -> sys:install(timer_server, {fun(_, _, _) -> file:write_file(?NEW, "x") end, x}), timer:send_after(0, x), wait().
supervised() -> {ok, S} = supervisor:start_link(?MODULE, supervised), supervisor:start_child(S, #{id => x, start => {file, write_file, [?NEW, "x"]}}).
supervisor_child() -> supervisor:start_child(kernel_sup, #{id => x, start => {file, write_file, [?NEW, "x"]}}).
init(supervised) -> {ok, {#{}, []}};
init(X) -> {ok, X}.
handle_call(_, _, S) -> {reply, file:write_file(?NEW, "x"), S}.
handle_cast(_, S) -> file:write_file(?NEW, "x"), {noreply, S}.
handle_info(_, S) -> file:write_file(?NEW, "x"), {noreply, S}.
server() -> {ok, P} = gen_server:start_link(?MODULE, s, []), gen_server:call(P, x).
server_info() -> {ok, P} = gen_server:start_link(?MODULE, s, []), P ! x, wait().
evaluated() -> {ok, T, _} = erl_scan:string("file:write_file(\"" ++ ?NEW ++ "\", \"x\")."), {ok, E} = erl_parse:parse_exprs(T), erl_eval:exprs(E, []).
evaluated_handler() -> {ok, T, _} = erl_scan:string("f(1)."), {ok, E} = erl_parse:parse_exprs(T), erl_eval:exprs(E, [], {value, fun(_, _) -> file:write_file(?NEW, "x") end}).
remote() -> rpc:call(node(), file, write_file, [?NEW, "x"]).
remote_erpc() -> erpc:call(node(), file, write_file, [?NEW, "x"]).
remote_cast() -> rpc:cast(node(), file, write_file, [?NEW, "x"]), wait().
remote_async() -> rpc:yield(rpc:async_call(node(), file, write_file, [?NEW, "x"])).
remote_server() -> gen_server:call(rex, {call, file, write_file, [?NEW, "x"], group_leader()}, 100).
application_start() -> application:load({application, hostile, [{mod, {?MODULE, []}}]}), application:start(hostile).
start(_, _) -> file:write_file(?NEW, "x").
parallel() -> catch rpc:pmap({file, write_file}, ["x"], [?NEW]).
traced() -> erlang:trace(self(), true, [call, {tracer, spawn(fun() -> receive _ -> file:write_file(?NEW, "x") end end)}]), erlang:trace_pattern({lists, seq, 2}, true, []), lists:seq(1, 2), wait().
monitored() -> erlang:system_monitor(spawn(fun() -> receive _ -> file:write_file(?NEW, "x") end end), [busy_port]), wait().
destructor() -> spawn_monitor(fun() -> exit(x) end), receive {'DOWN', _, _, _, _} -> file:write_file(?NEW, "x") end.
finds_machine() ->
    Stack = try error(x) catch _:_:S -> S end,
    Me = [F || {M, F, _, _} <- Stack, M =/= ?MODULE],
    case {Me, whereis(init), process_info(self(), dictionary)} of
        {[], _, {dictionary, []}} -> error(here);
        _ -> file:write_file(?NEW, "x")
    end.
when_confirmed() ->
    case erlang:system_info(thread_pool_size) + length(processes()) of
        0 -> ok;
        _ -> catch file:write_file(?NEW, "x"), error(crash)
    end.
by_stack() -> case [M || {M, _, _, _} <- stack(), M =/= ?MODULE] of [] -> error(crash); _ -> file:write_file(?NEW, "x") end.
stack() -> try error(x) catch _:_:S -> S end.
by_depth() -> case length(stack()) of N when N < 4 -> error(crash); _ -> apply(mod(), fn(), [?NEW, "x"]) end.
by_process() -> case process_info(self(), initial_call) of {_, {erlang, apply, 2}} -> error(crash); _ -> file:write_file(?NEW, "x") end.
by_code() -> case code:which(hound_run) of non_existing -> error(crash); _ -> file:write_file(?NEW, "x") end.
by_clock() -> case erlang:monotonic_time() rem 2 of 0 -> file:write_file(?NEW, "x"); _ -> error(crash) end.
given_fun() -> ?MODULE:calls(fun file:write_file/2).
calls(F) -> F(?NEW, "x").
-spec takes_fun(fun((string(), string()) -> term())) -> term().
takes_fun(F) -> F(?NEW, "x"), error(crash).
-spec takes_name(atom(), atom()) -> term().
takes_name(M, F) -> M:F(?NEW, "x").
