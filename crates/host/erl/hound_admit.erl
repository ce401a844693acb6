%% Sees to it that every module of a VM with a guard is patched, however it was loaded.
-module(hound_admit).
-export([everybody/0, newcomers/0, beam/2, load/1]).

-define(KNOWN, '$hound_known').

%% Patches what is loaded, from now on by calls of newcomers/0.
-spec everybody() -> ok.
everybody() ->
    _ = [ets:new(?KNOWN, [named_table, public]) || ets:whereis(?KNOWN) =:= undefined],
    {module, _} = code:ensure_loaded(beam_opcodes),
    {hound_handler, Handler, _} = code:get_object_code(hound_handler),
    {module, _} = erlang:load_module(error_handler, hound_patch:renamed(Handler, error_handler)),
    true = ets:insert(?KNOWN, [{Module} || Module <- [error_handler | erlang:pre_loaded()]]),
    newcomers().

%% Patches modules that were loaded since.
-spec newcomers() -> ok.
newcomers() ->
    Loaded = erlang:loaded(),
    case length(Loaded) =:= ets:info(?KNOWN, size) of
        true -> ok;
        false -> lists:foreach(fun(Module) -> ets:member(?KNOWN, Module) orelse replace(Module) end, Loaded)
    end.

replace(Module) ->
    case object(Module) of
        {Beam, File} ->
            case patched(Module, Beam, File) of
                same -> ok;
                on_load -> ok;
                New -> {module, Module} = erlang:load_module(Module, New)
            end;
        false -> ok
    end,
    ets:insert(?KNOWN, {Module}).

object(Module) ->
    case code:get_object_code(Module) of
        {Module, Beam, File} -> {Beam, File};
        error -> false
    end.

%% The code of a program's module as it is to be loaded. What it runs then it runs only where there is a guard: there are
%% two versions of such a module, with that and without. Native code that is not there is refused in both.
-spec beam(module(), binary()) -> {ok, binary()} | {on_load, binary(), binary()}.
beam(Module, Beam) ->
    case hound_guard:is_up() of
        true ->
            ets:insert(?KNOWN, {Module}),
            guarded(Beam);
        false ->
            {ok, other(hound_patch:calm(Beam), Beam)}
    end.

guarded(Beam) ->
    case hound_patch:beam(Beam, fun hound_guard:is_watched/3, true) of
        on_load ->
            Watched = fun(M, F, A) -> {M, F} =:= {erlang, nif_error} orelse hound_guard:is_watched(M, F, A) end,
            [With, Without] = [other(hound_patch:beam(Beam, Watched, true, OnLoad), Beam) || OnLoad <- [keep, drop]],
            {on_load, With, Without};
        New ->
            {ok, other(New, Beam)}
    end.

other(same, Beam) -> Beam;
other(New, _) -> New.

%% Loads a module of the code path that is not loaded; `on_load` if it would run something of its own then.
-spec load(module()) -> boolean() | on_load.
load(Module) ->
    case object(Module) of
        {Beam, File} -> load(Module, Beam, File);
        false -> false
    end.

load(Module, Beam, File) ->
    case patched(Module, Beam, File) of
        on_load -> on_load;
        same -> code:ensure_loaded(Module), known(Module);
        New -> code:load_binary(Module, File, New), known(Module)
    end.

known(Module) ->
    ets:insert(?KNOWN, {Module}),
    erlang:module_loaded(Module).

patched(Module, Beam, File) ->
    case place(File) of
        ours -> same;
        library -> library(Module, Beam);
        program -> hound_patch:beam(Beam, fun hound_guard:is_watched/3, true)
    end.

place(File) ->
    Folder = filename:dirname(File),
    case Folder =:= filename:dirname(code:which(?MODULE)) of
        true -> ours;
        false ->
            case lists:prefix(code:lib_dir() ++ "/", Folder) of
                true -> library;
                false -> program
            end
    end.

%% What a library module runs when it is loaded needs that very module.
library(Module, Beam) ->
    case hound_guard:is_trusted(Module) orelse hound_patch:beam(Beam, fun hound_guard:is_door/3, false) of
        true -> same;
        on_load -> same;
        New -> New
    end.
