%% Calls that end with another process, or while others end.
-module(ends).
-export([signal/0, killed/0, busy/0, linked/0, gone/0, waits/0, others/0]).
-export([overflow/0, worker/0, named/0, trapped/0, leak/0]).

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

%% One process alone, which waits for time to pass.
waits() -> receive after 10 -> ok end, error(waited).

%% Processes crash of which the call does not hear.
others() ->
    spawn(fun() -> error(oops) end),
    spawn(fun() -> exit(bad) end),
    spawn(fun() -> exit(normal) end),
    receive after 10 -> ok end.

%% A linked process crashes and takes the call along.
overflow() ->
    spawn_link(fun() -> error(overflow) end),
    receive after 30 -> ok end.

%% The call crashes because another has.
worker() ->
    {_, Ref} = spawn_monitor(fun() -> error(oops) end),
    receive {'DOWN', Ref, _, _, _} -> error(worker_died) end.

%% The name of a process goes with it.
named() ->
    register(ends_name, spawn(fun() -> receive tick -> exit(ticked) end end)),
    erlang:send_after(10, ends_name, tick),
    receive after 20 -> ok end,
    ends_name ! stop,
    ok.

%% An exit that is trapped is no crash; then all wait.
trapped() ->
    process_flag(trap_exit, true),
    Pid = spawn_link(fun() -> exit(crash) end),
    receive {'EXIT', Pid, crash} -> ok end,
    spawn(fun() -> receive never -> ok end end),
    receive never -> ok end.

leak() ->
    spawn(fun() -> receive never -> ok end end),
    ok.
