%% Services of the system, in Erlang: a run that has processes of its own has these for itself.
-module(hound_prelude_processes).

-export([start_timer_server/0, ensure_timer_server/0]).

%% The server of the module timer, which in the VM is a child of the kernel.
start_timer_server() ->
    case gen_server:start({local, timer_server}, timer, [], []) of
        {ok, Pid} -> {ok, Pid};
        {error, {already_started, Pid}} -> {ok, Pid}
    end.

ensure_timer_server() ->
    case erlang:whereis(timer_server) of
        undefined ->
            {ok, _} = start_timer_server(),
            ok;
        _ ->
            ok
    end.
