%% From source text of any kind to a compiled module that carries its debug information.
-module(hound_compile).
-export([erl/2, erl_text/2, expression/2, core_file/2, core_text/2, messages/1]).

-type result() :: {ok, module(), binary(), [file:filename()]} | {error, {compile, [binary()]}}.

%% An .erl file; the answer lists the other files the result depends on.
-spec erl(file:filename(), [compile:option()]) -> result().
erl(Path, Options) ->
    Dir = filename:dirname(Path),
    Added = code:add_pathz(Dir),
    Includes = [{i, Dir}, {i, filename:join([Dir, "..", "include"])}],
    Result = erl(Path, Dir, Options ++ Includes, []),
    _ = [code:del_path(Dir) || Added =:= true],
    Result.

erl(Path, Dir, Options, Tried) ->
    Root = filename:rootname(Path, ".erl"),
    case compile:noenv_file(Root, [binary, debug_info, return_errors, no_spawn_compiler_process | Options]) of
        {ok, Module, Beam} ->
            {ok, Module, Beam, dependencies(Path, Beam, Options)};
        {error, Errors, _} ->
            case missing_transform(Errors, Dir, Tried) of
                {ok, Transform} -> erl(Path, Dir, Options, [Transform | Tried]);
                none -> {error, {compile, messages(Errors)}}
            end
    end.

%% A parse transform that lies as source beside the file is compiled and loaded first.
missing_transform(Errors, Dir, Tried) ->
    Missing = [T || {_, Infos} <- Errors, {_, compile, {undef_parse_transform, T}} <- Infos, not lists:member(T, Tried)],
    case Missing of
        [Transform | _] -> load_transform(Transform, filename:join(Dir, atom_to_list(Transform)));
        [] -> none
    end.

load_transform(Transform, Root) ->
    case compile:noenv_file(Root, [binary, return_errors]) of
        {ok, Transform, Beam} ->
            {module, Transform} = code:load_binary(Transform, Root ++ ".erl", Beam),
            {ok, Transform};
        _ ->
            none
    end.

%% Included files (they show as `file` attributes) and parse transforms.
dependencies(Path, Beam, Options) ->
    Forms = case beam_lib:chunks(Beam, [abstract_code]) of
                {ok, {_, [{abstract_code, {_, Code}}]}} -> Code;
                _ -> []
            end,
    Included = [File || {attribute, _, file, {File, _}} <- Forms, File =/= Path, filelib:is_regular(File)],
    Transforms = [T || {parse_transform, T} <- Options] ++ transforms_named(Path),
    Compiled = [File || T <- Transforms, File <- [code:which(T)], is_list(File), filelib:is_regular(File)],
    lists:usort([filename:absname(File) || File <- Included ++ Compiled]).

transforms_named(Path) ->
    case epp:parse_file(Path, []) of
        {ok, Forms} -> lists:append([transform_names(What) || {attribute, _, compile, What} <- Forms]);
        _ -> []
    end.

transform_names({parse_transform, T}) -> [T];
transform_names(Options) when is_list(Options) -> [T || {parse_transform, T} <- Options];
transform_names(_) -> [].

%% The text of a module without macros and includes.
-spec erl_text(string(), string()) -> result().
erl_text(File, Text) ->
    case forms(Text, {1, 1}, []) of
        {ok, Forms} -> compile_forms([{attribute, erl_anno:new(1), file, {File, 1}} | Forms], File);
        {error, Info} -> {error, {compile, [message(File, Info)]}}
    end.

forms(Text, Start, Done) ->
    case erl_scan:tokens([], Text, Start, [text]) of
        {done, {ok, Tokens, End}, Rest} ->
            case erl_parse:parse_form(Tokens) of
                {ok, Form} when is_list(Rest) -> forms(Rest, End, [Form | Done]);
                {ok, Form} -> {ok, lists:reverse(Done, [Form])};
                {error, Info} -> {error, Info}
            end;
        {done, {error, Info, _}, _} -> {error, Info};
        {done, {eof, _}, _} -> {ok, lists:reverse(Done)};
        {more, _} -> {ok, lists:reverse(Done)}
    end.

compile_forms(Forms, File) ->
    case compile:noenv_forms(Forms, [binary, debug_info, return_errors, no_spawn_compiler_process]) of
        {ok, Module, Beam} -> {ok, Module, Beam, []};
        {error, Errors, _} -> {error, {compile, messages([{File, Infos} || {_, Infos} <- Errors])}}
    end.

%% One or more expressions as the body of Module:main/0.
-spec expression(string(), module()) -> result().
expression(Text, Module) ->
    case erl_scan:string(Text, {1, 1}) of
        {ok, Tokens, End} -> expression_tokens(ended(Tokens, End), Module);
        {error, Info, _} -> {error, {compile, [message("", Info)]}}
    end.

ended([], End) -> [{dot, End}];
ended(Tokens, End) ->
    case lists:last(Tokens) of
        {dot, _} -> Tokens;
        _ -> Tokens ++ [{dot, End}]
    end.

expression_tokens(Tokens, Module) ->
    case erl_parse:parse_exprs(Tokens) of
        {ok, Exprs} -> expression_forms(Exprs, Module);
        {error, Info} -> {error, {compile, [message("", Info)]}}
    end.

expression_forms(Exprs, Module) ->
    A = erl_anno:new(1),
    Forms = [{attribute, A, file, {"expression", 1}},
             {attribute, A, module, Module},
             {attribute, A, export, [{main, 0}]},
             {function, A, main, 0, [{clause, A, [], [], Exprs}]}],
    case compile:noenv_forms(Forms, [binary, debug_info, return_errors, no_spawn_compiler_process]) of
        {ok, Module, Beam} -> {ok, Module, Beam, []};
        {error, Errors, _} -> {error, {compile, messages([{"", Infos} || {_, Infos} <- Errors])}}
    end.

%% A .core file.
-spec core_file(file:filename(), [compile:option()]) ->
          {ok, tuple(), module(), binary()} | {error, {compile, [binary()]}}.
core_file(Path, Options) ->
    case file:read_file(Path) of
        {ok, Text} -> core_text(Path, binary_to_list(Text), Options);
        {error, Reason} -> {error, {compile, [iolist_to_binary([Path, ": ", file:format_error(Reason)])]}}
    end.

%% Core Erlang as text, each character a byte, as the scanner takes them; the answer holds both its tree and its
%% compiled form.
-spec core_text(string(), [compile:option()]) -> {ok, tuple(), module(), binary()} | {error, {compile, [binary()]}}.
core_text(Text, Options) ->
    core_text("", Text, Options).

core_text(File, Text, Options) ->
    case core_scan:string(Text) of
        {ok, Tokens, _} ->
            case core_parse:parse(Tokens) of
                {ok, Core} -> core_tree(File, Core, Options);
                {error, Info} -> {error, {compile, [message(File, Info)]}}
            end;
        {error, Info, _} ->
            {error, {compile, [message(File, Info)]}}
    end.

core_tree(File, Core, Options) ->
    Flags = [from_core, binary, clint0, return_errors, no_spawn_compiler_process | Options],
    case compile:noenv_forms(Core, Flags) of
        {ok, Module, Beam} -> {ok, Core, Module, Beam};
        {error, Errors, _} -> {error, {compile, messages([{File, Infos} || {_, Infos} <- Errors])}}
    end.

%% The compiler's own messages, one line each: file:line:column: text.
-spec messages([{file:filename(), [tuple()]}]) -> [binary()].
messages(Errors) ->
    [message(File, Info) || {File, Infos} <- Errors, Info <- Infos].

message(File, {none, Module, Description}) ->
    line([alone(File), Module:format_error(Description)]);
message(File, {Location, Module, Description}) ->
    line([prefix(File), location(Location), ": ", Module:format_error(Description)]);
message(File, {Module, Description}) ->
    line([alone(File), Module:format_error(Description)]);
message(File, Other) ->
    line([prefix(File), io_lib:format("~tp", [Other])]).

line(Text) -> unicode:characters_to_binary(Text).

alone("") -> "";
alone(File) when File =/= "" -> [File, ": "].

prefix("") -> "";
prefix(File) when File =/= "" -> [File, ":"].

location({Line, Column}) -> io_lib:format("~w:~w", [Line, Column]);
location(Line) -> io_lib:format("~w", [Line]).
