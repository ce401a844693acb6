%% What instrumented programs tell: events, gathered in the process that runs the call and sent in frames.
%%
%% Only a process that records tells anything; others, such as those that a program starts, run silently. An event is a
%% number, seven bits a byte, the lowest first; its lowest bit says whether a value follows, with its length before it.
%% Nothing here calls a library: any module of it may be one that tells.
-module(hound_events).
-export([out/1, out/2, call/3, back/4, get/0, erase/0]).
-export([record/3, flush/0]).

-compile({no_auto_import, [get/0, erase/0]}).

-define(KEY, '$hound_events').

%% Bytes that are gathered before they are sent.
-define(FRAME, 32768).

%% The most bytes of a value that is told.
-define(LARGEST, 16777216).

%% From now on events of this process go to the port, each frame with Head before it; at most Most bytes altogether.
-spec record(port(), binary(), non_neg_integer()) -> ok.
record(Port, Head, Most) ->
    put(?KEY, {Port, Head, Most, 0, []}),
    ok.

%% Sends what is left and ends the recording.
-spec flush() -> ok.
flush() ->
    case erlang:erase(?KEY) of
        {Port, Head, _, Size, Events} when Size > 0 -> send(Port, Head, Events);
        _ -> ok
    end.

send(Port, Head, Events) ->
    true = port_command(Port, [Head | Events]),
    ok.

%% Tells an event.
-spec out(non_neg_integer()) -> ok.
out(Number) ->
    case erlang:get(?KEY) of
        undefined -> ok;
        Recording -> add(Recording, coded(Number bsl 1))
    end.

%% Tells an event with a value.
-spec out(non_neg_integer(), term()) -> ok.
out(Number, Value) ->
    case erlang:get(?KEY) of
        undefined -> ok;
        Recording -> add(Recording, [coded(Number bsl 1 bor 1) | valued(Value)])
    end.

valued(Value) ->
    Etf = case erlang:external_size(Value) > ?LARGEST of
              true -> term_to_binary('$too_large');
              false -> term_to_binary(Value)
          end,
    [coded(byte_size(Etf)), Etf].

%% A program that tells without end must be stopped, and nothing that it could catch would do.
add({Port, Head, Most, Size, Events}, Event) ->
    case Size + iolist_size(Event) of
        Sum when Sum < ?FRAME ->
            put(?KEY, {Port, Head, Most, Sum, [Events | Event]}),
            ok;
        Sum ->
            send(Port, Head, [Events | Event]),
            Most >= Sum orelse exit(self(), kill),
            put(?KEY, {Port, Head, Most - Sum, 0, []}),
            ok
    end.

coded(Number) when Number < 16#80 -> <<Number>>;
coded(Number) when Number < 16#4000 -> <<1:1, Number:7, (Number bsr 7)>>;
coded(Number) -> <<1:1, Number:7, (coded(Number bsr 7))/binary>>.

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

%% The process dictionary as the program knows it.
-spec get() -> [{term(), term()}].
get() ->
    [Pair || {Key, _} = Pair <- erlang:get(), Key =/= ?KEY].

-spec erase() -> [{term(), term()}].
erase() ->
    All = erlang:erase(),
    _ = [put(?KEY, Recording) || {?KEY, Recording} <- All],
    [Pair || {Key, _} = Pair <- All, Key =/= ?KEY].
