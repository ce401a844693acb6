%% Finds the files that compiled modules live in.
-module(hound_locate).
-export([module/1, reachable/1, elixir_path/0]).
-export([undefined_function/3, undefined_lambda/3]).

%% The .beam file of a module, loaded or not; none if there is no such module or it has no file.
-spec module(module()) -> {ok, file:filename()} | none.
module(Module) ->
    case found(Module) of
        none -> found_in_elixir(Module);
        Found -> Found
    end.

found(Module) ->
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

found_in_elixir(Module) ->
    case reachable(Module) of
        true -> found(Module);
        false -> none
    end.

%% Makes sure that an Elixir module can be loaded; other modules are on the code path or are not there.
-spec reachable(atom()) -> boolean().
reachable(Module) ->
    lists:prefix("Elixir.", atom_to_list(Module)) andalso elixir_path().

%% As the error handler of a process: whatever calls an Elixir module finds it, as it was found when it was extracted.
-spec undefined_function(module(), atom(), [term()]) -> term().
undefined_function(Module, Function, Args) ->
    _ = reachable(Module),
    error_handler:undefined_function(Module, Function, Args).

-spec undefined_lambda(module(), fun(), [term()]) -> term().
undefined_lambda(Module, Fun, Args) ->
    _ = reachable(Module),
    error_handler:undefined_lambda(Module, Fun, Args).

%% Puts Elixir's libraries on the code path, if Elixir is installed.
-spec elixir_path() -> boolean().
elixir_path() ->
    case code:which(elixir) of
        non_existing ->
            case elixir_root() of
                none -> false;
                Root -> ok =:= code:add_pathsz(filelib:wildcard(filename:join([Root, "lib", "*", "ebin"])))
            end;
        _ ->
            true
    end.

elixir_root() ->
    case os:find_executable("elixir") of
        false -> none;
        Command -> checked_root(filename:dirname(filename:dirname(resolved(Command, 16))))
    end.

checked_root(Root) ->
    case filelib:is_file(filename:join([Root, "lib", "elixir", "ebin", "elixir.beam"])) of
        true -> Root;
        false -> asked_root()
    end.

%% The command may be a wrapper that lives elsewhere: then Elixir itself must say where it is.
asked_root() ->
    Out = string:trim(os:cmd("elixir -e 'IO.puts(:code.lib_dir(:elixir))' 2>/dev/null")),
    case filelib:is_dir(Out) of
        true -> filename:dirname(filename:dirname(Out));
        false -> none
    end.

resolved(Path, 0) ->
    Path;
resolved(Path, Left) ->
    case file:read_link_all(Path) of
        {ok, Target} -> resolved(filename:absname(Target, filename:dirname(Path)), Left - 1);
        {error, _} -> Path
    end.
