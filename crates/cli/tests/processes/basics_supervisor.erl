%% A supervisor with one child.
-module(basics_supervisor).
-behaviour(supervisor).
-export([init/1]).

init(_) ->
    Child = #{id => a, start => {basics_server, start_link, []}},
    {ok, {#{strategy => one_for_one, intensity => 3, period => 5}, [Child]}}.
