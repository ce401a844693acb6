%% A module whose calls return, raise, loop, fill the heap and end the VM, a line each.
-module(counted).
-export([f/1, local/1, child/1]).

f(0) ->
    zero;
f(N) when is_integer(N), N > 0 ->
    M = helper(N),
    case M of
        2 -> two;
        _ -> error({other, M})
    end;
f(loop) ->
    f(loop);
f(halt) ->
    erlang:halt(3);
f(killed) ->
    exit(self(), kill),
    never.

helper(N) ->
    Double = N * 2,
    Double.

local(L) ->
    [begin
         X + 1
     end || X <- L, is_integer(X)].

child(N) ->
    spawn(fun() -> inner(N) end),
    ok.

inner(1) ->
    one;
inner(_) ->
    other.
