%% Targets in processes that a call starts; what a comment says after `reachable` is the call that gets there, and the turns
%% of the processes if they matter.
-module(office).
-export([child/1, letter/2, counter/1, race/0, race/1, carried/1, trapped/1, square/1, queue/1, waits/0, rings/1, opened/1]).
-export([early/0, last/0, crash/1, handed/1, stored/0, ended/0, link/0, signal/0, named/0, returned/0]).

%% A spawned fun with conditions on data.
-spec child(integer()) -> pid().
child(X) ->
    spawn(fun() ->
              case X * 3 of
                  39 -> thirteen; % reachable: child(13)
                  40 -> never; % unreachable
                  _ -> ok
              end
          end).

%% The content of a message.
-spec letter(atom(), integer()) -> ok.
letter(Kind, N) ->
    Pid = spawn(fun tray/0),
    Pid ! {Kind, N},
    ok.

tray() ->
    receive
        {bill, N} when N > 1000 -> pay(N);
        {bill, _} -> later;
        _ -> bin
    end.

pay(N) when N rem 7 =:= 3 ->
    large; % reachable: letter(bill, 1004)
pay(N) when N < 5 ->
    small; % unreachable
pay(_) ->
    medium.

%% A loop with state.
-spec counter(integer()) -> integer().
counter(X) ->
    Me = self(),
    Pid = spawn_link(fun() -> count(Me, 0) end),
    Pid ! {add, X},
    Pid ! {add, 5},
    Pid ! stop,
    receive {total, Total} -> Total end.

count(Client, 12) ->
    Client ! {total, twelve}; % reachable: counter(12)
count(Client, Sum) ->
    receive
        {add, N} -> count(Client, Sum + N);
        stop -> Client ! {total, Sum}
    end.

%% Schedules alone, and with data.
race() ->
    Me = self(),
    spawn(fun() -> Me ! one end),
    spawn(fun() -> Me ! two end),
    receive
        one -> one; % reachable: race()
        two -> two; % reachable: race() under 0,0,2
        three -> three % unreachable
    end.

-spec race(integer()) -> atom().
race(N) ->
    Me = self(),
    spawn(fun() -> Me ! {a, N} end),
    spawn(fun() -> Me ! {b, N + 1} end),
    receive {Who, Value} -> first(Who, Value) end.

first(b, 100) ->
    both; % reachable: race(99) under 0,0,2
first(_, _) ->
    other.

%% Started by module, function and arguments, in another module.
-spec carried(integer()) -> pid().
carried(X) ->
    spawn(porter, carry, [X, far]).

%% A linked process that traps exits.
-spec trapped(integer()) -> pid().
trapped(X) ->
    spawn(fun() ->
              process_flag(trap_exit, true),
              Child = spawn_link(fun() -> exit(X) end),
              receive
                  {'EXIT', Child, 9} -> nine; % reachable: trapped(9)
                  {'EXIT', Child, killed} -> killed; % unreachable
                  {'EXIT', Child, _} -> other
              end
          end).

%% No data gets there.
-spec square(integer()) -> pid().
square(X) ->
    Y = X * X,
    spawn(fun() -> sign(Y, X) end).

sign(Y, X) when Y =:= 49, X < 0 ->
    seven; % reachable: square(-7)
sign(Y, X) when Y =:= X, X > 1 ->
    equal; % unreachable
sign(_, _) ->
    ok.

%% No order of messages gets there: those of one process keep theirs.
-spec queue(integer()) -> ok.
queue(N) ->
    Pid = spawn(fun() -> receive X -> receive Y -> ordered(X, Y) end end end),
    Pid ! N,
    Pid ! N + 1,
    ok.

ordered(X, Y) when X > Y ->
    turned; % unreachable
ordered(_, _) ->
    as_sent. % reachable: queue(0)

%% The call itself never ends.
waits() ->
    spawn(fun() ->
              timer:sleep(10),
              awake() % reachable: waits()
          end),
    receive never -> ok end.

awake() ->
    ok.

%% A timeout strikes when nothing else can go on.
-spec rings(0..20) -> atom().
rings(T) ->
    Me = self(),
    spawn(fun() -> timer:sleep(10), Me ! ring end),
    receive
        ring -> answered % reachable: rings(10) under 0,t,1,1
    after T ->
        missed % reachable: rings(0)
    end.

%% A clause of a server that needs a certain request.
-spec opened(term()) -> term().
opened(Request) ->
    {ok, Clerk} = gen_server:start(clerk, [], []),
    gen_server:call(Clerk, {asks, Request}).

%% Before and after the end of another process.
early() ->
    Pid = spawn(fun() ->
                    receive
                        go -> went % unreachable
                    end
                end),
    exit(Pid, kill),
    Pid ! go.

%% A message that the process would take, but for its end; the clauses share a line.
last() ->
    Pid = spawn(fun() -> receive {last, 5} -> taken(); _ -> ok end end),
    Pid ! {last, 5},
    exit(Pid, kill).

taken() ->
    ok. % reachable: last() under 0,0,1

%% The call has crashed already.
-spec crash(integer()) -> no_return().
crash(N) ->
    spawn(fun() -> timer:sleep(10), after_crash(N) end),
    error(crash).

after_crash(5) ->
    five; % reachable: crash(5)
after_crash(_) ->
    other.

%% Funs that get to other processes: as messages, in tables, in reasons of exits and their stack traces, in signals.
-spec handed(integer()) -> term().
handed(N) ->
    Pid = spawn(fun() -> receive {F, X} -> F(X) end end),
    Pid ! {fun(Y) ->
               case Y of
                   6 -> six; % reachable: handed(6)
                   _ -> other
               end
           end, N}.

stored() ->
    Table = ets:new(table, [public]),
    ets:insert(Table, {key, fun(Y) ->
                                case Y of
                                    1 -> one; % reachable: stored()
                                    _ -> other % unreachable
                                end
                            end}),
    spawn(fun() -> [{_, F}] = ets:lookup(Table, key), F(1) end).

ended() ->
    {Pid, Ref} = spawn_monitor(fun() ->
                                   exit({why, fun(Y) ->
                                                  case Y of
                                                      1 -> one; % reachable: ended()
                                                      _ -> other % unreachable
                                                  end
                                              end})
                               end),
    receive {'DOWN', Ref, process, Pid, {why, F}} -> F(1) end.

link() ->
    process_flag(trap_exit, true),
    spawn_link(fun() ->
                   only(fun(Y) ->
                            case Y of
                                1 -> one; % reachable: link()
                                _ -> other % unreachable
                            end
                        end)
               end),
    receive {'EXIT', _, {function_clause, [{_, _, [F], _} | _]}} -> F(1) end.

only(x) ->
    x. % unreachable

signal() ->
    Me = self(),
    Pid = spawn(fun() ->
                    process_flag(trap_exit, true),
                    Me ! ready,
                    receive {'EXIT', _, F} -> F(1) end
                end),
    receive ready -> ok end,
    exit(Pid, fun(Y) ->
                  case Y of
                      1 -> one; % reachable: signal()
                      _ -> other % unreachable
                  end
              end).

%% Names that are values.
named() ->
    spawn(list_to_atom("porter"), list_to_atom("computed"), []).

%% Funs that funs return in another process.
returned() ->
    Me = self(),
    spawn(fun() ->
              Me ! fun() ->
                       fun(Y) ->
                           case Y of
                               1 -> one; % reachable: returned()
                               _ -> other % unreachable
                           end
                       end
                   end
          end),
    receive F -> G = F(), G(1) end.
