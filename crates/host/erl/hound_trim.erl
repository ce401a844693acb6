%% Makes Core Erlang small: keeps the annotations that mean something to us and drops the rest.
-module(hound_trim).
-export([core/2]).

%% File is the module's main file: where an annotation names that file it is left out.
-spec core(tuple(), none | string()) -> tuple().
core({c_module, _Anno, Name, Exports, Attributes, Definitions}, File) ->
    Kept = [Attribute || Attribute <- Attributes, not is_file(Attribute)],
    {c_module, [], walk(Name, File), walk(Exports, File), walk(Kept, File), walk(Definitions, File)}.

is_file({{c_literal, _, file}, _}) -> true;
is_file(_) -> false.

walk({c_literal, Anno, Value}, File) ->
    {c_literal, annotations(Anno, File), Value};
walk({c_var, Anno, Name}, _File) ->
    {c_var, [compiler_generated || lists:member(compiler_generated, Anno)], Name};
walk([Head | Tail], File) ->
    [walk(Head, File) | walk(Tail, File)];
walk({Left, Right}, File) ->
    {walk(Left, File), walk(Right, File)};
walk(Node, File) when is_tuple(Node), tuple_size(Node) > 2 ->
    [Tag, Anno | Parts] = tuple_to_list(Node),
    list_to_tuple([Tag, annotations(Anno, File) | [walk(Part, File) || Part <- Parts]]);
walk(Other, _File) ->
    Other.

annotations(Annotations, File) ->
    lists:filtermap(fun(Annotation) -> annotation(Annotation, File) end, Annotations).

annotation(0, _) -> false;
annotation(Line, _) when is_integer(Line) -> true;
annotation({Line, Column}, _) when is_integer(Line), is_integer(Column) -> true;
annotation({id, _}, _) -> true;
annotation({function, _}, _) -> true;
annotation({eval_failure, _}, _) -> true;
annotation({file, File}, File) -> false;
annotation({file, _}, _) -> true;
annotation(compiler_generated, _) -> true;
annotation(letrec_goto, _) -> true;
annotation(result_not_wanted, _) -> true;
annotation([{location, Location} | _], File) -> located(Location, File);
annotation(_, _) -> false.

located(0, _) -> false;
located(Location, _) -> {true, Location}.
