%% Functions that processes of another module begin with.
-module(porter).
-export([carry/2, computed/0]).

carry(77, far) ->
    found; % reachable: carried(77)
carry(78, near) ->
    lost; % unreachable
carry(_, _) ->
    ok.

computed() ->
    ok. % reachable: named()
