%% The events of instrumented programs, gathered beside the process that runs the call and sent in frames.
%%
%% Only the process that records emits events; others, such as those that a program starts, run silently. An event is a
%% number, seven bits a byte, the lowest first; its lowest bit says whether a value follows, with its length before it.
%% Nothing here calls a library: any module of it may be one that emits events.
%%
%% Nothing is kept in the process itself, so that whatever a program does with its dictionary, and however, it finds it as
%% it left it, nor in a table, which a program could write: numbers and the bytes of values wait in an array of integers.
-module(hound_events).
-export([out/1, out/2, call/3, back/4]).
-export([open/1, record/2, flush/0, rescue/0]).
-compile({inline, [room/0, mine/2, who/0, add/2, coded/1]}).

%% The places of the array: who records, for which request, how many numbers wait, how many words of values wait, the bytes
%% that may still be sent; then come the numbers, and then the values, each behind a word with its size.
-define(WHO, 1).
-define(REQUEST, 2).
-define(COUNT, 3).
-define(USED, 4).
-define(LEFT, 5).
-define(NUMBERS, 5).
-define(VALUES, (?NUMBERS + ?FRAME)).

%% Numbers, and words of values, that are gathered before they are sent.
-define(FRAME, 8192).
-define(WORDS, 4096).

%% The most bytes of a value that is recorded.
-define(LARGEST, 16777216).

%% The kind of answer that a frame of events is.
-define(EVENTS, 10).

%% Makes room for recordings that go to the port.
-spec open(port()) -> ok.
open(Port) ->
    persistent_term:put(?MODULE, {atomics:new(?VALUES + ?WORDS, [{signed, false}]), Port}).

%% From now on events of this process go to the port as answers to a request; at most Most bytes altogether.
-spec record(non_neg_integer(), non_neg_integer()) -> ok.
record(Request, Most) ->
    {Room, _} = persistent_term:get(?MODULE),
    atomics:put(Room, ?REQUEST, Request),
    atomics:put(Room, ?COUNT, 0),
    atomics:put(Room, ?USED, 0),
    atomics:put(Room, ?LEFT, Most),
    atomics:put(Room, ?WHO, who()).

%% A process by number, from 1 on. Another has the same only if 32,768 were started between the two.
who() ->
    1 + erlang:phash2(self(), 1 bsl 32).

%% The array, if this process records.
room() ->
    case persistent_term:get(?MODULE, none) of
        none -> none;
        {Room, _} ->
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
    {Room, _} = persistent_term:get(?MODULE),
    send(Room),
    atomics:put(Room, ?WHO, 0).

%% Sends what a process that was ended has left.
-spec rescue() -> ok.
rescue() ->
    {Room, _} = persistent_term:get(?MODULE),
    case {atomics:get(Room, ?WHO), atomics:get(Room, ?COUNT)} of
        {Who, Count} when Who > 0, Count > 0 -> _ = sent(Room, waiting(Room)), ok;
        _ -> ok
    end,
    atomics:put(Room, ?WHO, 0).

send(Room) ->
    case atomics:get(Room, ?COUNT) of
        0 -> ok;
        _ -> send(Room, waiting(Room))
    end.

%% A program that emits events without end must be stopped, and nothing that it could catch would do.
send(Room, Events) ->
    Size = sent(Room, Events),
    case atomics:get(Room, ?LEFT) of
        Left when Left >= Size -> atomics:put(Room, ?LEFT, Left - Size);
        _ -> exit(self(), kill)
    end,
    ok.

sent(Room, Events) ->
    {_, Port} = persistent_term:get(?MODULE),
    true = port_command(Port, [<<(atomics:get(Room, ?REQUEST)):64, ?EVENTS>> | Events]),
    atomics:put(Room, ?COUNT, 0),
    atomics:put(Room, ?USED, 0),
    iolist_size(Events).

%% The events that wait.
waiting(Room) ->
    waiting(Room, 1, atomics:get(Room, ?COUNT), ?VALUES + 1).

waiting(Room, Place, Count, At) when Place =< Count ->
    Number = atomics:get(Room, ?NUMBERS + Place),
    case Number band 1 of
        0 -> [coded(Number) | waiting(Room, Place + 1, Count, At)];
        1 ->
            Size = atomics:get(Room, At),
            Value = bytes(Room, At + 1, Size),
            [coded(Number), coded(Size), Value | waiting(Room, Place + 1, Count, At + words(Size))]
    end;
waiting(_, _, _, _) ->
    [].

bytes(_, _, 0) -> [];
bytes(Room, At, Size) when Size < 8 -> [<<(atomics:get(Room, At)):Size/unit:8>>];
bytes(Room, At, Size) -> [<<(atomics:get(Room, At)):64>> | bytes(Room, At + 1, Size - 8)].

%% The words that a value takes, its size included.
words(Size) ->
    1 + (Size + 7) div 8.

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
        Room -> valued(Room, Number bsl 1 bor 1, etf(Value))
    end.

etf(Value) ->
    case erlang:external_size(Value) > ?LARGEST of
        true -> term_to_binary('$too_large');
        false -> term_to_binary(Value)
    end.

%% What is too large to wait is sent at once.
valued(Room, Number, Etf) ->
    Size = byte_size(Etf),
    Used = atomics:get(Room, ?USED),
    case words(Size) of
        Words when Used + Words =< ?WORDS ->
            At = ?VALUES + 1 + Used,
            atomics:put(Room, At, Size),
            put_bytes(Room, At + 1, Etf),
            atomics:put(Room, ?USED, Used + Words),
            add(Room, Number);
        Words when Words =< ?WORDS ->
            send(Room),
            valued(Room, Number, Etf);
        _ ->
            send(Room),
            send(Room, [coded(Number), coded(Size), Etf])
    end.

put_bytes(Room, At, <<Word:64, Rest/binary>>) ->
    atomics:put(Room, At, Word),
    put_bytes(Room, At + 1, Rest);
put_bytes(_, _, <<>>) ->
    ok;
put_bytes(Room, At, Rest) ->
    Size = bit_size(Rest),
    <<Word:Size>> = Rest,
    atomics:put(Room, At, Word).

%% Counted last: the process may be ended at any moment.
add(Room, Number) ->
    Place = atomics:get(Room, ?COUNT) + 1,
    atomics:put(Room, ?NUMBERS + Place, Number),
    atomics:put(Room, ?COUNT, Place),
    case Place of
        ?FRAME -> send(Room);
        _ -> ok
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
