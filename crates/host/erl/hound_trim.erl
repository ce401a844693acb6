%% Makes Core Erlang small: keeps the annotations that mean something to us and drops the rest.
-module(hound_trim).
-export([core/2]).

%% File is the module's main file: where an annotation names that file it is left out.
-spec core(tuple(), none | string()) -> tuple().
core({c_module, _Anno, Name, Exports, Attributes, Definitions}, File) ->
    Kept = [Attribute || Attribute <- Attributes, not is_file(Attribute)],
    {c_module, [], walk(Name, 0, File), walk(Exports, 0, File), walk(Kept, 0, File), walk(Definitions, 0, File)}.

is_file({{c_literal, _, file}, _}) -> true;
is_file(_) -> false.

%% Line is that of the nearest node around that has one: on that line a literal needs no place of its own, and most
%% nodes are literals. Variables never need one.
walk({c_literal, Anno, Value}, Line, File) ->
    {c_literal, literal_annotations(Anno, Line, File), Value};
walk({c_var, _, Name}, _Line, _File) ->
    {c_var, [], Name};
walk([Head | Tail], Line, File) ->
    [walk(Head, Line, File) | walk(Tail, Line, File)];
walk({Left, Right}, Line, File) ->
    {walk(Left, Line, File), walk(Right, Line, File)};
walk(Node, Line, File) when is_tuple(Node), tuple_size(Node) > 2 ->
    [Tag, Anno | Parts] = tuple_to_list(Node),
    Kept = annotations(Anno, File),
    Inside = line(Kept, Line),
    list_to_tuple([Tag, Kept | [walk(Part, Inside, File) || Part <- Parts]]);
walk(Other, _Line, _File) ->
    Other.

literal_annotations(Annotations, Line, File) ->
    case [Kept || Kept <- annotations(Annotations, File), Kept =/= compiler_generated] of
        [{Line, Column}] when is_integer(Column) -> [];
        [Line] -> [];
        Kept -> Kept
    end.

line([{Line, Column} | _], _) when is_integer(Line), is_integer(Column) -> Line;
line([Line | _], _) when is_integer(Line) -> Line;
line([_ | Rest], Line) -> line(Rest, Line);
line([], Line) -> Line.

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
