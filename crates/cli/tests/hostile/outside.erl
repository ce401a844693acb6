%% Reaches programs, the network, native code, the VM and other processes. ?PORT and ?UDP are open ports of this machine.
-module(outside).
-compile(export_all).
-compile(nowarn_export_all).

-define(NEW, ?F ++ "/new").

wait() -> receive after 100 -> ok end.
command() -> os:cmd("touch " ++ ?NEW).
command_detached() -> os:cmd("setsid sh -c 'sleep 60; echo hostile_was_here' >/dev/null 2>&1 &").
command_env() -> os:cmd("env").
port_spawn() -> open_port({spawn, "touch " ++ ?NEW}, []), wait().
port_executable() -> open_port({spawn_executable, "/bin/sh"}, [{args, ["-c", "touch " ++ ?NEW]}]), wait().
port_loader() -> open_port({spawn_executable, "/lib64/ld-linux-x86-64.so.2"}, [{args, ["/usr/bin/touch", ?NEW]}]), wait().
port_fd() -> P = open_port({fd, 0, 1}, [out]), port_command(P, "hostile").
port_answers() -> P = open_port({fd, 4, 4}, [out]), port_command(P, <<0, 0, 0, 9, 0:64, 6>>).
port_driver() -> open_port({spawn_driver, "ram_file_drv"}, []).
port_of_host() -> [catch port_command(P, "x") || P <- erlang:ports()], [catch port_close(P) || P <- erlang:ports()].
port_connect() -> [catch port_connect(P, self()) || P <- erlang:ports()].
port_exit() -> [catch exit(P, kill) || P <- erlang:ports()].
connect() -> gen_tcp:connect("127.0.0.1", ?PORT, [], 500).
connect_inet6() -> gen_tcp:connect({0, 0, 0, 0, 0, 16#ffff, 16#7f00, 1}, ?PORT, [inet6], 500).
connect_raw() -> {ok, S} = socket:open(inet, stream), socket:connect(S, #{family => inet, addr => {127, 0, 0, 1}, port => ?PORT}).
connect_local() -> {ok, S} = socket:open(local, stream), socket:connect(S, #{family => local, path => "/var/run/docker.sock"}).
listen() -> gen_tcp:listen(0, []).
datagram() -> {ok, S} = gen_udp:open(0), gen_udp:send(S, {127, 0, 0, 1}, ?UDP, "x").
prim_connect() -> {ok, S} = prim_inet:open(tcp, inet, stream), prim_inet:connect(S, {127, 0, 0, 1}, ?PORT).
resolve() -> inet:gethostbyname("localhost").
resolve_dns() -> inet_res:lookup("example.org", in, a, [{nameservers, [{{127, 0, 0, 1}, ?UDP}]}, {timeout, 300}]).
http() -> inets:start(), httpc:request("http://127.0.0.1:" ++ integer_to_list(?PORT)).
distribution() -> net_kernel:start([hostile, shortnames]).
node_started() -> peer:start(#{name => hostile}).
slave() -> slave:start(localhost, hostile).
ping() -> net_adm:ping('hostile@127.0.0.1').
epmd() -> erl_epmd:names().
native() -> erlang:load_nif(?F ++ "/native", 0).
driver() -> erl_ddll:load(?F, "native").
halted() -> erlang:halt(7).
halted_now() -> erlang:halt(7, [{flush, false}]).
stopped() -> init:stop().
restarted() -> init:restart().
aborted() -> erlang:halt(abort).
killed_all() -> [exit(P, kill) || P <- processes(), P =/= self()].
killed_watch() -> [exit(P, kill) || P <- processes(), P =/= self()], receive after infinity -> ok end.
suspended() -> [catch erlang:suspend_process(P) || P <- processes(), P =/= self()].
killed_system() -> os:cmd("kill -9 -1").
flags() -> erlang:system_flag(schedulers_online, 1), erlang:system_flag(backtrace_depth, 0).
cookie() -> erlang:set_cookie(node(), hostile), file:read_file(filename:join(os:getenv("HOME", "/root"), ".erlang.cookie")).
loaded() -> code:load_abs(?F ++ "/other").
loaded_binary() -> {ok, M, B} = compile:forms([{attribute, 1, module, lists}, {attribute, 1, export, [{seq, 2}]}, {function, 1, seq, 2, [{clause, 1, [{var, 1, '_'}, {var, 1, '_'}], [], [{atom, 1, hostile}]}]}]), code:load_binary(M, "lists", B), lists:seq(1, 2).
compiled() ->
    Forms = [{attribute, 1, module, made}, {attribute, 1, export, [{go, 0}]},
             {function, 1, go, 0, [{clause, 1, [], [], [{call, 1, {remote, 1, {atom, 1, file}, {atom, 1, write_file}}, [{string, 1, ?NEW}, {string, 1, "x"}]}]}]}],
    {ok, M, B} = compile:forms(Forms),
    {module, M} = erlang:load_module(M, B),
    M:go().
replaced_guard() -> {ok, M, B} = compile:forms([{attribute, 1, module, hound_guard}]), code:load_binary(M, "hound_guard", B), file:write_file(?NEW, "x").
purged_guard() -> code:delete(hound_guard), code:purge(hound_guard), file:write_file(?NEW, "x").
path_changed() -> code:add_patha(?F), other:module_info(), code:add_patha(".").
ensured() -> code:ensure_loaded(when_loaded).
signal_handler() -> os:set_signal(sigterm, ignore), wait().
environment_changed() -> os:putenv("PATH", ?F), os:putenv("ERL_FLAGS", "-pa " ++ ?F).
unregistered() -> register(hostile, self()), [catch unregister(N) || N <- erlang:registered()].
signals() -> [exit(whereis(N), kill) || N <- registered()].
shared_memory() -> file:write_file("/dev/shm/hostile_was_here", "x").
elsewhere() -> file:write_file("/var/lib/hostile_was_here", "x").
memory() -> memory(<<0:80000000>>).
memory(B) -> memory(<<B/binary, B/binary>>).
heap() -> heap(lists:seq(1, 100000)).
heap(L) -> heap(L ++ L).
atoms() -> atoms(0).
atoms(N) -> list_to_atom("hostile_" ++ integer_to_list(N)), atoms(N + 1).
forks() -> spawn(fun forks/0), spawn(fun forks/0), forks().
prints() -> io:put_chars(lists:duplicate(100000, $x)), prints().
waits() -> receive after infinity -> ok end.
