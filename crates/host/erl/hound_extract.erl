%% From a compiled module to its Core Erlang with line marks, and what else there is to know about it.
-module(hound_extract).
-export([beam/2, core/3, forms/1, written_in/2]).

%% What the options can say: `no_marks` leaves the line marks out.
-type option() :: no_marks.
-type failure() :: not_a_beam | no_debug_info | encrypted | {no_backend, module()} | {compile, [binary()]}.

-spec beam(binary(), [option()]) -> {ok, map()} | {error, failure()}.
beam(Beam, Options) ->
    case beam_lib:chunks(Beam, [debug_info, compile_info]) of
        {ok, {Module, [{debug_info, Chunk}, {compile_info, Info}]}} ->
            from_chunk(Module, Chunk, Info, Beam, Options);
        {error, beam_lib, {missing_chunk, _, _}} ->
            {error, no_debug_info};
        {error, beam_lib, {key_missing_or_invalid, _, _}} ->
            {error, encrypted};
        {error, beam_lib, _} ->
            {error, not_a_beam}
    end.

%% The abstract code of a compiled module, and the options that it was compiled with as far as they change its meaning.
-spec forms(binary()) -> {ok, [erl_parse:abstract_form()], [term()]} | {error, term()}.
forms(Beam) ->
    case beam_lib:chunks(Beam, [debug_info, compile_info]) of
        {ok, {Module, [{debug_info, {debug_info_v1, Backend, Data}}, {compile_info, Info}]}} ->
            case debug_info(Backend, erlang_v1, Module, Data) of
                {ok, Forms} -> {ok, transformed(Forms), compile_options(Backend, Info)};
                {error, _} = Error -> Error
            end;
        _ ->
            {error, no_debug_info}
    end.

from_chunk(Module, {debug_info_v1, Backend, Data}, Info, Beam, Options) ->
    case debug_info(Backend, erlang_v1, Module, Data) of
        {ok, Forms} -> from_forms(Module, Backend, Forms, Info, Beam, Options);
        {error, {no_backend, _}} = Error -> Error;
        {error, _} -> from_core(debug_info(Backend, core_v1, Module, Data), Module, Info, Beam)
    end;
from_chunk(_, _, _, _, _) ->
    {error, no_debug_info}.

debug_info(Backend, Format, Module, Data) ->
    case is_loaded(Backend) of
        true ->
            try Backend:debug_info(Format, Module, Data, [])
            catch _:_ -> {error, unknown_format}
            end;
        false ->
            {error, {no_backend, Backend}}
    end.

is_loaded(Module) ->
    case code:ensure_loaded(Module) of
        {module, _} -> true;
        {error, _} -> false
    end.

%% Core Erlang that came as text has no lines to mark.
-spec core(module(), tuple(), binary()) -> map().
core(Module, Core, Beam) ->
    summary(Module, Core, none, [], [], Beam).

from_core({ok, Core}, Module, Info, Beam) ->
    {ok, summary(Module, Core, none, [], Info, Beam)};
from_core({error, _}, _Module, _Info, _Beam) ->
    {error, no_debug_info}.

from_forms(Module, Backend, Forms0, Info, Beam, Options) ->
    Forms = transformed(Forms0),
    {Marked, Lines} = case lists:member(no_marks, Options) of
                          true -> {Forms, []};
                          false -> hound_marks:forms(Forms)
                      end,
    case to_core(Marked, compile_options(Backend, Info)) of
        {ok, Core0} ->
            Core1 = hound_inline:core(Core0, Forms, Info),
            Core2 = with_attribute(Core1, hound_core_transform, core_transforms(Forms0, Info)),
            Core3 = with_attribute(Core2, hound_shared_records, shared_records(Forms)),
            Core = with_attribute(Core3, hound_hidden, hidden(Beam)),
            {ok, summary(Module, Core, main_file(Forms), Lines, Info, Beam)};
        {error, _} = Error -> Error
    end.

%% The forms in debug information have been transformed already: that is not done again.
transformed(Forms) ->
    [untransforming(Form) || Form <- Forms].

untransforming({attribute, Anno, compile, Options}) when is_list(Options) ->
    {attribute, Anno, compile, [Option || Option <- Options, not is_transform(Option)]};
untransforming({attribute, Anno, compile, Option} = Form) ->
    case is_transform(Option) of
        true -> {attribute, Anno, compile, []};
        false -> Form
    end;
untransforming(Form) ->
    Form.

is_transform({parse_transform, _}) -> true;
is_transform({core_transform, _}) -> true;
is_transform(_) -> false.

main_file([{attribute, _, file, {File, _}} | _]) -> File;
main_file([_ | Forms]) -> main_file(Forms);
main_file([]) -> none.

%% Unoptimised Core: the optimiser would merge, move and drop lines.
to_core(Forms, Options) ->
    case compile:noenv_forms(Forms, [to_core0, binary, return_errors, no_spawn_compiler_process | Options]) of
        {ok, _, Core} -> {ok, Core};
        {ok, _, Core, _} -> {ok, Core};
        {error, Errors, _} -> {error, {compile, hound_compile:messages(Errors)}}
    end.

%% The options the module was compiled with, as far as they change what its code means.
compile_options(Backend, Info) ->
    Given = proplists:get_value(options, Info, []),
    [no_auto_import || Backend =:= elixir_erl] ++ [Option || Option <- Given, is_meaning(Option)].

is_meaning(strict_record_tests) -> true;
is_meaning(no_strict_record_tests) -> true;
is_meaning(no_auto_import) -> true;
is_meaning({no_auto_import, _}) -> true;
is_meaning(tuple_calls) -> true;
is_meaning(export_all) -> true;
is_meaning({feature, _, _}) -> true;
is_meaning(_) -> false.

summary(Module, Written, File, Lines, Info, Beam) ->
    {Core0, Differences} = hound_compiled:core(Written, Beam),
    Noted = [{hound_map_updates, lost_updates(Core0, Beam)} | Differences],
    Core = lists:foldl(fun({Name, Functions}, Now) -> with_attribute(Now, Name, Functions) end, Core0, Noted),
    {ok, {_, Md5}} = beam_lib:md5(Beam),
    #{module => Module,
      core => hound_trim:core(with_attribute(Core, hound_zeros, mixed_zeros(Core)), File),
      file => text(File),
      source => text(proplists:get_value(source, Info, none)),
      exports => exports(Core),
      funs => funs(Beam),
      lines => Lines,
      md5 => Md5}.

text(none) -> none;
text(Path) -> unicode:characters_to_binary(Path).

exports({c_module, _, _, Exports, _, _}) ->
    [Name || {c_var, _, Name} <- Exports].

%% The module's table of funs: name of the lifted function, arity, index, hash, number of captured values.
funs(Beam) ->
    case beam_lib:chunks(Beam, [atoms, "FunT"]) of
        {ok, {_, [{atoms, Atoms}, {"FunT", <<_:32, Table/binary>>}]}} ->
            Names = maps:from_list(Atoms),
            [{maps:get(Name, Names), Arity, Index, Uniq, Free}
             || <<Name:32, Arity:32, _Label:32, Index:32, Free:32, Uniq:32>> <= Table];
        _ ->
            []
    end.

%% A list of what the compiler may have done to the module that its Core does not show; none if it is empty.
with_attribute(Core, _Name, []) ->
    Core;
with_attribute({c_module, Anno, Name, Exports, Attributes, Definitions}, Attribute, Values) ->
    {c_module, Anno, Name, Exports, Attributes ++ [{cerl:abstract(Attribute), cerl:abstract(Values)}], Definitions}.

%% These have changed the module after its forms were written down.
core_transforms(Forms, Info) ->
    Wishes = lists:flatten([What || {attribute, _, compile, What} <- Forms]) ++ proplists:get_value(options, Info, []),
    lists:usort([Transform || {core_transform, Transform} <- Wishes]).

%% The functions that the documentation of the module hides, or the word that it hides all.
hidden(Beam) ->
    case beam_lib:chunks(Beam, ["Docs"]) of
        {ok, {_, [{_, Docs}]}} -> in_docs(binary_to_term(Docs));
        _ -> []
    end.

in_docs({docs_v1, _, _, _, hidden, _, _}) ->
    [all];
in_docs({docs_v1, _, _, _, _, _, Docs}) ->
    [{Name, Arity} || {{function, Name, Arity}, _, _, hidden, _} <- Docs];
in_docs(_) ->
    [].

%% The records that files other than the main one declare, which other modules can include too.
shared_records(Forms) ->
    Main = main_file(Forms),
    {_, Shared} = lists:foldl(fun({attribute, _, file, {File, _}}, {_, Found}) -> {File, Found};
                                 ({attribute, _, record, {Name, _}}, {File, Found}) when File =/= Main -> {File, [Name | Found]};
                                 (_, Seen) -> Seen
                              end, {Main, []}, Forms),
    lists:usort(Shared).

%% The functions with a constant 0.0 or -0.0, in a module that has both: where they are equal, the compiler makes one
%% constant of what differs in them alone.
mixed_zeros({c_module, _, _, _, _, Definitions}) ->
    case list_to_float("0.0") =:= list_to_float("-0.0") of
        true ->
            Signs = [{Name, Found} || {{c_var, _, Name}, Fun} <- Definitions, Found <- [signs(Fun, #{})], Found =/= []],
            case lists:usort(lists:append([Found || {_, Found} <- Signs])) of
                [_, _] -> [Name || {Name, _} <- Signs];
                _ -> []
            end;
        false ->
            []
    end.

%% The signs of all constants that are zero; Known has the variables that stand for constants.
signs({c_let, _, [{c_var, _, Var}], Arg, Body}, Known) ->
    Inside = case constant(Arg, Known) of
                 {ok, Value} -> Known#{Var => Value};
                 error -> Known
             end,
    lists:usort(signs(Arg, Known) ++ signs(Body, Inside));
signs({c_literal, _, Value}, _) ->
    lists:usort(zeros(Value));
signs({c_call, _, Module, Name, Args} = Call, Known) ->
    case constant(Call, Known) of
        {ok, Value} -> lists:usort(zeros(Value));
        error -> signs([Module, Name | Args], Known)
    end;
signs([Head | Tail], Known) ->
    lists:usort(signs(Head, Known) ++ signs(Tail, Known));
signs({Left, Right}, Known) ->
    lists:usort(signs(Left, Known) ++ signs(Right, Known));
signs(Node, Known) when is_tuple(Node), tuple_size(Node) > 2 ->
    [_Tag, _Anno | Parts] = tuple_to_list(Node),
    signs(Parts, Known);
signs(_, _) ->
    [].

%% The value of an expression that the compiler evaluates.
constant({c_literal, _, Value}, _) ->
    {ok, Value};
constant({c_var, _, Name}, Known) ->
    maps:find(Name, Known);
constant({c_call, _, {c_literal, _, erlang}, {c_literal, _, Name}, Args}, Known) ->
    Values = [Value || Arg <- Args, {ok, Value} <- [constant(Arg, Known)]],
    case lists:member(Name, ['-', '+', '*', '/', float, abs]) andalso length(Values) =:= length(Args) of
        true ->
            try {ok, apply(erlang, Name, Values)}
            catch error:_ -> error
            end;
        false ->
            error
    end;
constant(_, _) ->
    error.

zeros(Float) when is_float(Float), Float == 0 ->
    <<Sign:1, _:63>> = <<Float/float>>,
    [Sign];
zeros([Head | Tail]) -> zeros(Head) ++ zeros(Tail);
zeros(Tuple) when is_tuple(Tuple) -> zeros(tuple_to_list(Tuple));
zeros(Map) when is_map(Map) -> zeros(maps:to_list(Map));
zeros(_) -> [].

%% The functions that have fewer updates of map keys once they are compiled: the compiler forgets those whose value is not
%% needed, and their exceptions with them.
lost_updates({c_module, _, _, _, _, Definitions}, Beam) ->
    case [{Name, Count} || {{c_var, _, Name}, Fun} <- Definitions, Count <- [updates(Fun)], Count > 0] of
        [] ->
            [];
        Written ->
            Compiled = compiled_updates(beam_disasm:file(Beam)),
            %% Of a function that is not there its callers have copies.
            [Name || {Name, Count} <- Written, maps:get(Name, Compiled, Count) < Count]
    end.

updates({c_map_pair, _, {c_literal, _, exact}, Key, Value}) -> 1 + updates(Key) + updates(Value);
updates({c_literal, _, _}) -> 0;
updates({c_map, _, _, _, true}) -> 0;
updates(Node) when is_tuple(Node) -> updates(tuple_to_list(Node));
updates([Head | Tail]) -> updates(Head) + updates(Tail);
updates(_) -> 0.

%% By the function in which they are written, whatever the compiler has lifted out of it.
compiled_updates({beam_file, _, _, _, _, Functions}) ->
    lists:foldl(fun({function, Name, Arity, _, Code}, Counts) ->
                        Count = lists:sum([length(Pairs) div 2 || {put_map_exact, _, _, _, _, {list, Pairs}} <- Code]),
                        maps:update_with(written_in(Name, Arity), fun(Known) -> Known + Count end, Count, Counts)
                end, #{}, Functions);
compiled_updates(_) ->
    #{}.

%% The function in which one that the compiler has lifted out is written.
-spec written_in(atom(), arity()) -> {atom(), arity()}.
written_in(Name, Arity) ->
    case re:run(atom_to_list(Name), "^-(.+)/([0-9]+)-", [{capture, all_but_first, list}, unicode, ungreedy]) of
        {match, [Outer, Digits]} -> {list_to_atom(Outer), list_to_integer(Digits)};
        nomatch -> {Name, Arity}
    end.
