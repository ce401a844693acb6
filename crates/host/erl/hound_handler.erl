%% Takes the place of `error_handler` in a VM with a guard: the VM asks it for functions that are not there.
-module(hound_handler).
-export([undefined_function/3, undefined_lambda/3, breakpoint/3, raise_undef_exception/3, stub_function/3]).

-spec undefined_function(module(), atom(), [term()]) -> term().
undefined_function(hound_gate, 'apply', Args) ->
    {Rest, [M, F]} = lists:split(length(Args) - 2, Args),
    hound_guard:door(M, F, Rest);
undefined_function(Module, Function, Args) ->
    case hound_patch:behind(Module) of
        {ok, Behind} -> hound_guard:door(Behind, Function, Args);
        none -> loaded(Module, Function, Args)
    end.

loaded(Module, Function, Args) ->
    case hound_guard:ensure_loaded(Module) of
        {module, Module} ->
            case erlang:function_exported(Module, Function, length(Args)) of
                true -> apply(Module, Function, Args);
                false -> unknown(Module, Function, Args)
            end;
        _ ->
            undefined(Module, Function, Args)
    end.

unknown(Module, Function, Args) ->
    case erlang:function_exported(Module, '$handle_undefined_function', 2) of
        true -> Module:'$handle_undefined_function'(Function, Args);
        false -> undefined(Module, Function, Args)
    end.

-spec undefined_lambda(module(), fun(), [term()]) -> term().
undefined_lambda(Module, Fun, Args) ->
    case hound_guard:ensure_loaded(Module) of
        {module, Module} -> apply(Fun, Args);
        _ -> undefined(Fun, Args)
    end.

-spec breakpoint(module(), atom(), [term()]) -> term().
breakpoint(Module, Function, Args) ->
    undefined(Module, Function, Args).

-spec raise_undef_exception(module(), atom(), [term()]) -> no_return().
raise_undef_exception(Module, Function, Args) ->
    undefined(Module, Function, Args).

-spec stub_function(module(), atom(), [term()]) -> no_return().
stub_function(Module, Function, Args) ->
    undefined(Module, Function, Args).

%% The exception names what was called, and not this module.
undefined(Module, Function, Args) ->
    raise({Module, Function, Args, []}).

undefined(Fun, Args) ->
    raise({Fun, Args, []}).

raise(Frame) ->
    try
        erlang:error(undef)
    catch
        error:undef:Stack -> erlang:raise(error, undef, [Frame | tl(Stack)])
    end.
