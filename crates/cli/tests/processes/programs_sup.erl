%% A supervisor of one worker that echoes, or of as many as are started, which wait.
-module(programs_sup).
-export([init/1, start/0, start_one/1]).

init({pool, N}) ->
    {ok, {#{strategy => simple_one_for_one}, [#{id => worker, start => {?MODULE, start_one, [N]}, restart => temporary}]}};
init(Restarts) ->
    {ok, {#{strategy => one_for_one, intensity => Restarts, period => 10},
          [#{id => worker, start => {?MODULE, start, []}}]}}.

start() ->
    {ok, proc_lib:spawn_link(fun() -> register(programs_worker, self()), echo() end)}.

start_one(N) ->
    {ok, proc_lib:spawn_link(fun() -> receive N -> ok end end)}.

echo() -> receive {From, M} -> From ! M, echo() end.
