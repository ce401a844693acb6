%% Sees to it that every module of a VM with a guard is patched, however it was loaded.
-module(hound_admit).
-export([patch_all/0, newcomers/0, beam/3, loaded/1, is_harmless/2]).

%% Patches what is loaded, from now on by calls of newcomers/0. Both are for the keeper to call.
-spec patch_all() -> ok.
patch_all() ->
    {module, _} = code:ensure_loaded(beam_opcodes),
    {hound_handler, Handler, _} = code:get_object_code(hound_handler),
    {module, _} = erlang:load_module(error_handler, hound_patch:renamed(Handler, error_handler)),
    _ = [hound_keeper:know(Module) || Module <- [error_handler | erlang:pre_loaded()]],
    _ = [gated(Module, Name) || {Module, Name} <- hound_turn:gated()],
    newcomers().

%% Patches modules that were loaded since.
-spec newcomers() -> ok.
newcomers() ->
    Loaded = erlang:loaded(),
    case length(Loaded) =:= hound_keeper:known_count() of
        true -> ok;
        false -> lists:foreach(fun(Module) -> hound_keeper:is_known(Module) orelse replace(Module) end, Loaded)
    end.

gated(Module, Name) ->
    {Module, Beam, _} = code:get_object_code(Module),
    Gated = hound_patch:beam(Beam, fun hound_guard:is_door/3, conducted),
    {module, Name} = erlang:load_module(Name, hound_patch:renamed(Gated, Name)).

replace(Module) ->
    case object(Module) of
        {Beam, File} ->
            case patched(Module, Beam, File) of
                same -> ok;
                on_load -> ok;
                New ->
                    _ = erlang:check_old_code(Module) andalso code:purge(Module),
                    {module, Module} = erlang:load_module(Module, New)
            end;
        false -> ok
    end,
    hound_keeper:know(Module).

object(Module) ->
    case code:get_object_code(Module) of
        {Module, Beam, File} -> {Beam, File};
        error -> false
    end.

%% The code of a program's module as it is to be loaded. What it runs then it runs only where there is a guard: there are
%% two versions of such a module, with that and without. Native code that is not there is refused in both.
-spec beam(module(), binary(), fun((module(), atom(), arity()) -> boolean())) ->
          {ok, binary()} | {on_load, binary(), binary()}.
beam(Module, Beam, Watched) ->
    case hound_guard:is_up() of
        true ->
            hound_keeper:ask({admit, Module}),
            guarded(Beam, Watched);
        false ->
            {ok, other(hound_patch:calm(Beam), Beam)}
    end.

guarded(Beam, Watched) ->
    case hound_patch:beam(Beam, Watched, gates(messages)) of
        on_load ->
            Stubs = fun(M, F, A) -> {M, F} =:= {erlang, nif_error} orelse Watched(M, F, A) end,
            [With, Without] = [other(hound_patch:beam(Beam, Stubs, gates(messages), OnLoad), Beam) || OnLoad <- [keep, drop]],
            {on_load, With, Without};
        New ->
            {ok, other(New, Beam)}
    end.

other(same, Beam) -> Beam;
other(New, _) -> New.

%% Loads a module of the code path that is not loaded; `on_load` if it would run something of its own then, `none` if
%% there is no such module. For the keeper to call.
-spec loaded(module()) -> boolean() | on_load | none.
loaded(Module) ->
    case object(Module) of
        {Beam, File} -> loaded(Module, Beam, File);
        false -> none
    end.

loaded(Module, Beam, File) ->
    case patched(Module, Beam, File) of
        on_load -> on_load;
        same -> code:ensure_loaded(Module), erlang:module_loaded(Module);
        New -> code:load_binary(Module, File, New), erlang:module_loaded(Module)
    end.

patched(Module, Beam, File) ->
    case place(File) of
        ours -> same;
        library -> library(Module, Beam);
        program -> hound_patch:beam(Beam, fun hound_guard:is_watched/3, gates(messages))
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
    case hound_guard:is_trusted(Module) orelse hound_patch:beam(Beam, fun hound_guard:is_door/3, library_gates(Module)) of
        true -> same;
        on_load -> same;
        New -> New
    end.

%% Where a conductor has turns taken, whatever runs takes them; else these operations need gates.
gates(Else) ->
    case hound_turn:is_enabled() of
        true -> conducted;
        false -> Else
    end.

library_gates(Module) ->
    case hound_turn:is_conducted(Module) of
        true -> gates(none);
        false -> none
    end.

%% True if nothing that a call of a module leads to needs the guard: none of the modules that it names, and that these
%% name, has a call that is watched, computed or of a fun of a watched function, or a message to send. Given: the code of
%% modules that have no file.
-spec is_harmless(module(), #{module() => binary()}) -> boolean().
is_harmless(Module, Given) ->
    is_harmless([Module], Given, maps:from_keys(erlang:pre_loaded(), true)).

is_harmless([], _, _) -> true;
is_harmless([Module | Rest], Given, Seen) when is_map_key(Module, Seen) ->
    is_harmless(Rest, Given, Seen);
is_harmless([Module | Rest], Given, Seen) ->
    case object(Module, Given) of
        false -> is_harmless(Rest, Given, Seen#{Module => true});
        {Beam, File} ->
            not hound_guard:is_trusted(Module) andalso patched(Module, Beam, File) =:= same
                andalso is_harmless(hound_patch:named(Beam) ++ Rest, Given, Seen#{Module => true})
    end.

object(Module, Given) ->
    case Given of
        #{Module := Beam} -> {Beam, "given"};
        #{} -> object(Module)
    end.
