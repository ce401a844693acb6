%% Which version of a module is loaded: the original, or one that replaces it.
-module(hound_code).
-export([new/0, load/4, use/2, again/1, originals/1, install/4]).

%% originals: modules that have no file of their own to be loaded from; replacements: what `call` runs instead.
-record(code, {originals = #{}, replacements = #{}, using = replacement}).

-type role() :: original | replacement.
-opaque code() :: #code{}.
-export_type([code/0]).

-spec new() -> code().
new() -> #code{}.

-spec load(role(), module(), binary(), code()) -> {ok | {error, atom()}, code()}.
load(original, Module, Beam, #code{originals = Originals} = Code) ->
    After = Code#code{originals = Originals#{Module => Beam}},
    case shown(Module, Code) of
        original -> {install_other(Module, Beam), After};
        replacement -> {ok, After}
    end;
load(replacement, Module, Beam, #code{replacements = Replacements, using = Using} = Code) ->
    After = Code#code{replacements = Replacements#{Module => Beam}},
    case is_needed(Module) of
        true -> {{error, in_use}, Code};
        false when Using =:= replacement -> {install(Module, Beam), After};
        false -> {ok, After}
    end.

%% True if processes of the VM itself stand in a module: to be loaded and loaded again would be their end, and the VM's.
%% This process, which asks, stands in whatever it asks with.
is_needed(Module) ->
    lists:any(fun(Pid) -> stands_in(Module, process_info(Pid, current_stacktrace)) end, processes() -- [self()]).

stands_in(Module, {current_stacktrace, Stack}) -> lists:keymember(Module, 1, Stack);
stands_in(_, undefined) -> false.

shown(Module, #code{using = replacement, replacements = Replacements}) when is_map_key(Module, Replacements) ->
    replacement;
shown(_, _) ->
    original.

%% Switches every replaced module to the given version.
-spec use(role(), code()) -> code().
use(Role, #code{using = Role} = Code) ->
    Code;
use(replacement, #code{replacements = Replacements} = Code) ->
    maps:foreach(fun install/2, Replacements),
    Code#code{using = replacement};
use(original, #code{replacements = Replacements} = Code) ->
    maps:foreach(fun(Module, _) -> restore(Module, Code) end, Replacements),
    Code#code{using = original}.

restore(Module, #code{originals = Originals}) ->
    case Originals of
        #{Module := Beam} -> install(Module, Beam);
        #{} -> reload(Module)
    end.

reload(Module) ->
    case hound_locate:module(Module) of
        {ok, Path} ->
            {ok, Beam} = file:read_file(Path),
            install(Module, Path, Beam);
        none ->
            code:purge(Module),
            code:delete(Module),
            code:purge(Module)
    end.

%% The code of modules that have no file.
-spec originals(code()) -> #{module() => binary()}.
originals(#code{originals = Originals}) ->
    Originals.

%% Loads every given module once more, now that there is a guard.
-spec again(code()) -> ok.
again(#code{originals = Originals, replacements = Replacements} = Code) ->
    Shown = [Pair || {Module, _} = Pair <- maps:to_list(Originals), shown(Module, Code) =:= original]
        ++ [Pair || {Module, _} = Pair <- maps:to_list(Replacements), shown(Module, Code) =:= replacement],
    lists:foreach(fun({Module, Beam}) -> install(Module, Beam) end, Shown).

%% What is there already need not be loaded again: it may be a module that everything else uses.
install_other(Module, Beam) ->
    _ = code:ensure_loaded(Module),
    {ok, {_, Md5}} = beam_lib:md5(Beam),
    %% A module made of Core Erlang may lack module_info/1.
    case erlang:module_loaded(Module) andalso erlang:get_module_info(Module, md5) of
        Md5 -> ok;
        _ -> install(Module, Beam)
    end.

install(Module, Beam) ->
    install(Module, atom_to_list(Module) ++ ".memory", Beam).

install(Module, File, Beam) ->
    install(Module, File, Beam, fun hound_guard:is_watched/3).

%% Loads a module of the program, guarded if there is a guard.
-spec install(module(), file:filename(), binary(), fun((module(), atom(), arity()) -> boolean())) -> ok | {error, atom()}.
install(Module, File, Beam, Watched) ->
    code:purge(Module),
    case hound_admit:beam(Module, Beam, Watched) of
        {ok, Admitted} ->
            loaded(Module, File, Admitted);
        {on_load, With, Without} ->
            case hound_run:on_load(Module, With) of
                true -> ok;
                false -> loaded(Module, File, Without)
            end
    end.

loaded(Module, File, Beam) ->
    case code:load_binary(Module, File, Beam) of
        {module, _} -> ok;
        {error, Reason} -> {error, Reason}
    end.
