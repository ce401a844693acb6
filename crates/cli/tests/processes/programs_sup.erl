%% A supervisor of one worker that echoes.
-module(programs_sup).
-export([init/1, start/0]).

init(Restarts) ->
    {ok, {#{strategy => one_for_one, intensity => Restarts, period => 10},
          [#{id => worker, start => {?MODULE, start, []}}]}}.

start() ->
    {ok, proc_lib:spawn_link(fun() -> register(programs_worker, self()), echo() end)}.

echo() -> receive {From, M} -> From ! M, echo() end.
