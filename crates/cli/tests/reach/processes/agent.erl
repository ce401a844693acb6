%% Functions that are called by name.
-module(agent).
-export([given/0, started/0, timed/0]).

given() ->
    ok. % reachable: given(agent)

started() ->
    ok. % open

timed() ->
    ok. % reachable: timed()
