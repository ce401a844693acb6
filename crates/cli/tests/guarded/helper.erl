%% A module that a program depends on, and that is not instrumented.
-module(helper).
-export([remove/1, each/1, call/3]).

remove(File) -> file:delete(File).

each(Files) -> lists:foreach(fun file:delete/1, Files).

call(M, F, [A]) -> M:F(A).
