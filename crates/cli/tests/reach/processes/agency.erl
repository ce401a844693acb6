%% Functions that are called by names which are inputs, or which only a server of the library calls.
-module(agency).
-export([given/1, started/1, timed/0]).

-spec given(atom()) -> pid().
given(Module) ->
    proc_lib:spawn(Module, given, []).

-spec started(atom()) -> pid().
started(Module) ->
    spawn(Module, started, []).

timed() ->
    timer:apply_after(10, list_to_atom("agent"), timed, []),
    timer:sleep(20).
