%% Looks at a VM with a guard: what there is to refuse, and whether what is loaded is what the guard has patched.
-module(audit).
-export([exports/1, reach/3, unpatched/0]).

%% All functions of the modules that are loaded, of those that are part of the VM, and of some more.
exports(More) ->
    Modules = lists:usort(More ++ [Module || {Module, _} <- code:all_loaded()]),
    [{Module, Function, Arity} || Module <- Modules, {Function, Arity} <- exported(Module)].

exported(Module) ->
    case code:which(Module) of
        preloaded -> Module:module_info(exports);
        non_existing -> [];
        File ->
            case beam_lib:chunks(File, [exports]) of
                {ok, {_, [{exports, Exports}]}} -> Exports;
                _ -> []
            end
    end.

%% Calls a function with anything, by a name that only the run knows.
reach(Module, Function, Arity) ->
    apply(Module, Function, lists:duplicate(Arity, x)).

%% Library modules that are loaded otherwise than patched, or whose patched imports name a refused function.
unpatched() ->
    Ours = filename:dirname(code:which(hound_guard)),
    Loaded = [{Module, File} || {Module, File} <- code:all_loaded(), is_list(File), filename:dirname(File) =/= Ours,
                                lists:prefix(code:lib_dir(), File), Module =/= error_handler],
    [Module || {Module, File} <- Loaded, not hound_guard:is_trusted(Module), not is_patched(Module, File)].

is_patched(Module, File) ->
    {ok, Beam} = file:read_file(File),
    case hound_patch:beam(Beam, fun hound_guard:is_door/3, none) of
        on_load -> false;
        same -> is_clean(Module, Beam);
        New -> is_clean(Module, New)
    end.

is_clean(Module, Beam) ->
    {ok, {_, [{imports, Imports}]}} = beam_lib:chunks(Beam, [imports]),
    code:module_md5(Beam) =:= Module:module_info(md5)
        andalso not lists:any(fun({M, F, A}) -> not is_ours(M) andalso hound_guard:is_refused(M, F, A) end, Imports).

%% What patching puts in.
is_ours(Module) ->
    lists:prefix("hound_", atom_to_list(Module)).
