%% A server that another module starts.
-module(clerk).
-behaviour(gen_server).
-export([init/1, handle_call/3, handle_cast/2]).

init([]) ->
    {ok, fun(N) ->
             case N of
                 8 -> eight; % reachable: opened({run,8})
                 _ -> other
             end
         end}.

handle_call({asks, {open, N}}, _, State) when N > 40, N < 43, N =/= 41 ->
    {reply, open, State}; % reachable: opened({open,42})
handle_call({asks, {run, N}}, _, State) ->
    {reply, State(N), State};
handle_call({asks, _}, _, State) ->
    {reply, shut, State};
handle_call(_, _, State) ->
    {reply, lost, State}. % unreachable

handle_cast(_, State) ->
    {noreply, State}. % unreachable
