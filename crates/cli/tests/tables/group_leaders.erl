%% Group leaders that are processes of the program, and devices to which it prints.
-module(group_leaders).
-export([all/0]).

all() ->
    [{printed, printed()}, {device, device()}, {inherited, inherited()}]
    ++ [{bad, bad()}, {of_another, of_another()}, {ended, ended()}].

printed() ->
    Old = group_leader(),
    P = spawn(fun() -> collect([]) end),
    true = group_leader(P, self()),
    io:format("a ~w ~s", [1, "b"]),
    io:put_chars("c"),
    io:nl(),
    io:write({x, 1}),
    R = {group_leader() =:= P, text(P)},
    group_leader(Old, self()),
    R.

device() ->
    P = spawn(fun() -> collect([]) end),
    ok = io:format(P, "to ~p", [device]),
    io:nl(P),
    ok = io:put_chars(P, <<"bytes">>),
    text(P).

inherited() ->
    P = spawn(fun() -> collect([]) end),
    Old = group_leader(),
    group_leader(P, self()),
    S = self(),
    spawn(fun() -> io:format("child"), S ! {done, group_leader() =:= P} end),
    R = receive {done, X} -> X end,
    group_leader(Old, self()),
    {R, text(P)}.

bad() ->
    Dead = spawn(fun() -> ok end),
    M = monitor(process, Dead),
    receive {'DOWN', M, _, _, _} -> ok end,
    [try group_leader(A, B) catch C:R -> {C, R} end || {A, B} <- [{x, self()}, {self(), x}, {self(), Dead}]].

of_another() ->
    P = spawn(fun() -> collect([]) end),
    Other = spawn(fun() -> receive go -> io:format("other") end, receive stop -> ok end end),
    group_leader(P, Other),
    Other ! go,
    M = monitor(process, Other),
    Other ! stop,
    receive {'DOWN', M, _, _, Why} -> ok end,
    {text(P), Why, group_leader() =:= P}.

ended() ->
    P = spawn(fun() -> exit(gone) end),
    M = monitor(process, P),
    receive {'DOWN', M, _, _, _} -> ok end,
    Old = group_leader(),
    group_leader(P, self()),
    R = try io:format("x") catch C:E -> {C, E} end,
    group_leader(Old, self()),
    R.

text(P) ->
    P ! {text, self()},
    receive {text, T} -> T end.

collect(Acc) ->
    receive
        {io_request, From, As, {put_chars, _, Chars}} ->
            From ! {io_reply, As, ok},
            collect([Acc, Chars]);
        {io_request, From, As, {put_chars, _, M, F, A}} ->
            From ! {io_reply, As, ok},
            collect([Acc, apply(M, F, A)]);
        {io_request, From, As, Other} ->
            From ! {io_reply, As, {error, {unknown, Other}}},
            collect(Acc);
        {text, From} ->
            From ! {text, lists:flatten([binary_to_list(iolist_to_binary(Acc))])}
    end.
