%% Calls that end with another process, or while others end.
-module(ends).
-export([signal/0, killed/0, busy/0, linked/0, gone/0]).

%% Another process, which is not linked, ends that of the call and waits.
signal() ->
    Self = self(),
    spawn(fun() -> exit(Self, late), receive never -> ok end end),
    receive after 30 -> ok end.

killed() ->
    Self = self(),
    spawn(fun() -> exit(Self, kill), receive never -> ok end end),
    receive after 30 -> ok end.

%% The other goes on for ever.
busy() ->
    Self = self(),
    spawn(fun() -> exit(Self, late), loop() end),
    receive after 30 -> ok end.

loop() -> self() ! a, receive a -> loop() end.

%% A linked process ends while a third waits.
linked() ->
    spawn(fun() -> receive never -> ok end end),
    spawn_link(fun() -> exit(late) end),
    receive after 30 -> ok end.

%% An exit signal that arrives before the next look at a name.
gone() ->
    Self = self(),
    Pid = spawn(fun() -> register(ends_name, self()), Self ! ready, receive never -> ok end end),
    receive ready -> ok end,
    exit(Pid, kill),
    whereis(ends_name) =:= undefined andalso error(gone),
    ok.
