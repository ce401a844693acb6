%% Finds the files that compiled modules live in.
-module(hound_locate).
-export([module/1]).

%% The .beam file of a module, loaded or not; none if there is no such module or it has no file.
-spec module(module()) -> {ok, file:filename()} | none.
module(Module) ->
    case code:which(Module) of
        non_existing -> none;
        preloaded -> preloaded(atom_to_list(Module) ++ ".beam");
        Path when is_list(Path) -> on_disk(Module, Path);
        _ -> none
    end.

%% A module that was loaded from memory may have been given any name: then its file is where the path says.
on_disk(Module, Path) ->
    case filename:extension(Path) =:= ".beam" andalso filelib:is_regular(Path) of
        true -> {ok, filename:absname(Path)};
        false -> on_path(atom_to_list(Module) ++ ".beam")
    end.

on_path(Name) ->
    case code:where_is_file(Name) of
        non_existing -> none;
        Path -> {ok, filename:absname(Path)}
    end.

%% Modules that are part of the emulator itself.
preloaded(Name) ->
    case on_path(Name) of
        none ->
            Root = code:root_dir(),
            Found = filelib:wildcard(filename:join([Root, "{.,lib}", "erts-*", "ebin", Name])),
            case Found of
                [] -> none;
                _ -> {ok, lists:last(Found)}
            end;
        Found ->
            Found
    end.
