%% Operations of a session in place of the VM, where the VM would let state out of the session, or forget it too early.
-module(hound_state).
-export([call/3, kept/1]).

-define(TERMS, '$hound_terms').
-define(KEPT, '$hound_kept').

-spec call(module(), atom(), [term()]) -> term().
call(persistent_term, Function, Args) -> persistent(Function, Args);
call(io, Function, [Device | Args]) when Device =:= user; Device =:= standard_error -> io(Function, Device, Args);
call(erlang, display, [Term]) -> shown(io:format("~0tp~n", [Term]));
call(erlang, display_string, [Text]) -> shown(io:put_chars(Text));
call(erlang, display_nl, []) -> shown(io:nl());
call(Module, Function, Args) -> apply(Module, Function, Args).

shown(ok) -> true.

%% Output to the VM's own devices would not be captured.
io(Function, Device, Args) ->
    case takes_device(Function, length(Args)) of
        true -> apply(io, Function, [standard_io | Args]);
        false -> apply(io, Function, [Device | Args])
    end.

takes_device(nl, 0) -> true;
takes_device(columns, 0) -> true;
takes_device(rows, 0) -> true;
takes_device(getopts, 0) -> true;
takes_device(setopts, 1) -> true;
takes_device(put_chars, 1) -> true;
takes_device(write, 1) -> true;
takes_device(format, 2) -> true;
takes_device(fwrite, 2) -> true;
takes_device(_, _) -> false.

%% Persistent terms belong to the whole VM: what a session changes lies over them, and goes with the session.
persistent(put, [Key, Value]) -> lay(Key, {value, Value});
persistent(erase, [Key]) ->
    Had = found(Key) =/= none,
    lay(Key, none),
    Had;
persistent(get, [Key]) ->
    case found(Key) of
        {value, Value} -> Value;
        none -> erlang:error(badarg, [Key])
    end;
persistent(get, [Key, Default]) ->
    case found(Key) of
        {value, Value} -> Value;
        none -> Default
    end;
persistent(get, []) ->
    Laid = laid(),
    [Pair || {Key, _} = Pair <- persistent_term:get(), not is_map_key(Key, Laid)]
        ++ [{Key, Value} || {Key, {value, Value}} <- maps:to_list(Laid)];
persistent(Function, Args) ->
    apply(persistent_term, Function, Args).

found(Key) ->
    case laid() of
        #{Key := Found} -> Found;
        #{} -> beneath(Key)
    end.

beneath(Key) ->
    try {value, persistent_term:get(Key)}
    catch error:badarg -> none
    end.

lay(Key, Found) ->
    put(?TERMS, maps:put(Key, Found, laid())),
    ok.

laid() ->
    case get(?TERMS) of
        undefined -> #{};
        Laid -> Laid
    end.

%% References that stand for counters, compiled match specifications and the like lose what they stand for when no process of
%% the VM holds them, and the caller, who does, is not one.
-spec kept(Value) -> Value.
kept(Value) ->
    _ = [put(?KEPT, [Value | kept()]) || refers(Value, 3)],
    Value.

kept() ->
    case get(?KEPT) of
        undefined -> [];
        Kept -> Kept
    end.

refers(Value, _) when is_reference(Value) -> true;
refers(Value, Depth) when is_tuple(Value), tuple_size(Value) =< 16, Depth > 0 ->
    lists:any(fun(Element) -> refers(Element, Depth - 1) end, tuple_to_list(Value));
refers(Value, Depth) when is_map(Value), map_size(Value) =< 16, Depth > 0 ->
    lists:any(fun(Element) -> refers(Element, Depth - 1) end, maps:values(Value));
refers(_, _) -> false.
