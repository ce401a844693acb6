%% The events of instrumented programs, gathered beside the process that runs the call and sent in frames.
%%
%% Only the process that records emits events; others, such as those that a program starts, run silently. An event is a
%% number, seven bits a byte, the lowest first; its lowest bit says whether a value follows, with its length before it.
%% Nothing here calls a library: any module of it may be one that emits events.
%%
%% Nothing is kept in the process itself, so that whatever a program does with its dictionary, and however, it finds it as
%% it left it: numbers wait in an array of integers, values in a table under their place in the array.
-module(hound_events).
-export([out/1, out/2, call/3, back/4]).
-export([open/0, record/3, flush/0, rescue/0]).
-compile({inline, [room/0, mine/2, who/0, add/2, coded/1]}).

%% The places of the array: who records, how many numbers wait, the bytes of the values that wait, the bytes that may
%% still be sent; then come the numbers.
-define(WHO, 1).
-define(COUNT, 2).
-define(BYTES, 3).
-define(LEFT, 4).
-define(FIRST, 5).

%% Numbers, and bytes of values, that are gathered before they are sent.
-define(FRAME, 8192).
-define(FRAME_BYTES, 32768).

%% The most bytes of a value that is recorded.
-define(LARGEST, 16777216).

%% Makes room for recordings; the calling process must stay alive.
-spec open() -> ok.
open() ->
    ?MODULE = ets:new(?MODULE, [named_table, public]),
    persistent_term:put(?MODULE, atomics:new(?FIRST + ?FRAME, [{signed, false}])).

%% From now on events of this process go to the port, each frame with Head before it; at most Most bytes altogether.
-spec record(port(), binary(), non_neg_integer()) -> ok.
record(Port, Head, Most) ->
    Room = persistent_term:get(?MODULE),
    true = ets:delete_all_objects(?MODULE),
    true = ets:insert(?MODULE, {port, Port, Head}),
    atomics:put(Room, ?COUNT, 0),
    atomics:put(Room, ?BYTES, 0),
    atomics:put(Room, ?LEFT, Most),
    atomics:put(Room, ?WHO, who()).

%% A process by number, from 1 on. Another has the same only if 32,768 were started between the two.
who() ->
    1 + erlang:phash2(self(), 1 bsl 32).

%% The array, if this process records.
room() ->
    case persistent_term:get(?MODULE, none) of
        none -> none;
        Room ->
            case atomics:get(Room, ?WHO) of
                0 -> none;
                Who -> mine(Room, Who =:= who())
            end
    end.

mine(Room, true) -> Room;
mine(_, false) -> none.

%% Sends what is left and ends the recording.
-spec flush() -> ok.
flush() ->
    Room = persistent_term:get(?MODULE),
    send(Room, atomics:get(Room, ?COUNT)),
    atomics:put(Room, ?WHO, 0).

%% Sends what a process that was ended has left.
-spec rescue() -> ok.
rescue() ->
    Room = persistent_term:get(?MODULE),
    case {atomics:get(Room, ?WHO), atomics:get(Room, ?COUNT)} of
        {Who, Count} when Who > 0, Count > 0 -> _ = sent(Room, Count), ok;
        _ -> ok
    end,
    atomics:put(Room, ?WHO, 0).

%% A program that emits events without end must be stopped, and nothing that it could catch would do.
send(_, 0) -> ok;
send(Room, Count) ->
    Size = sent(Room, Count),
    case atomics:get(Room, ?LEFT) of
        Left when Left >= Size -> atomics:put(Room, ?LEFT, Left - Size);
        _ -> exit(self(), kill)
    end,
    ok.

sent(Room, Count) ->
    [{_, Port, Head}] = ets:lookup(?MODULE, port),
    Frame = gathered(Room, Count, []),
    true = port_command(Port, [Head | Frame]),
    atomics:put(Room, ?COUNT, 0),
    atomics:put(Room, ?BYTES, 0),
    iolist_size(Frame).

gathered(_, 0, Events) -> Events;
gathered(Room, Place, Events) ->
    Number = atomics:get(Room, ?FIRST + Place),
    case Number band 1 of
        0 -> gathered(Room, Place - 1, [coded(Number) | Events]);
        1 ->
            [{_, Value}] = ets:take(?MODULE, Place),
            gathered(Room, Place - 1, [coded(Number), coded(byte_size(Value)), Value | Events])
    end.

%% Emits an event.
-spec out(non_neg_integer()) -> ok.
out(Number) ->
    case room() of
        none -> ok;
        Room -> add(Room, Number bsl 1)
    end.

%% Emits an event with a value.
-spec out(non_neg_integer(), term()) -> ok.
out(Number, Value) ->
    case room() of
        none -> ok;
        Room ->
            Etf = valued(Value),
            true = ets:insert(?MODULE, {atomics:get(Room, ?COUNT) + 1, Etf}),
            atomics:add(Room, ?BYTES, byte_size(Etf)),
            add(Room, Number bsl 1 bor 1)
    end.

valued(Value) ->
    case erlang:external_size(Value) > ?LARGEST of
        true -> term_to_binary('$too_large');
        false -> term_to_binary(Value)
    end.

%% Counted last: the process may be ended at any moment.
add(Room, Number) ->
    Place = atomics:get(Room, ?COUNT) + 1,
    atomics:put(Room, ?FIRST + Place, Number),
    atomics:put(Room, ?COUNT, Place),
    case Place =:= ?FRAME orelse Number band 1 =:= 1 andalso atomics:get(Room, ?BYTES) > ?FRAME_BYTES of
        true -> send(Room, Place);
        false -> ok
    end.

coded(Number) when Number < 16#80 -> Number;
coded(Number) when Number < 16#4000 -> [Number band 16#7f bor 16#80, Number bsr 7];
coded(Number) -> [Number band 16#7f bor 16#80 | [coded(Number bsr 7)]].

%% Before a call that may lead into Module: the first number if it does, the next one if not.
-spec call(non_neg_integer(), module(), term()) -> ok.
call(Number, Module, Callee) ->
    case leads_into(Module, Callee) of
        true -> out(Number);
        false -> out(Number + 1)
    end.

%% After such a call: its value, unless the call led into Module.
-spec back(non_neg_integer(), module(), term(), term()) -> ok.
back(Number, Module, Callee, Value) ->
    case leads_into(Module, Callee) of
        true -> ok;
        false -> out(Number, Value)
    end.

leads_into(Module, Fun) when is_function(Fun) -> erlang:fun_info(Fun, module) =:= {module, Module};
leads_into(Module, {Module, _}) -> true;
leads_into(_, _) -> false.
