%% A module that does something when it is loaded.
-module(loading).
-export([remove/1]).
-on_load(first/0).

first() -> file:delete("victim"), ok.

remove(File) -> File.
