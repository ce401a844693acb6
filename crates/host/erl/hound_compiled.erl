%% Comprehensions and cases that the compiler gives another meaning than their Core Erlang has.
%%
%% Where it can say how large the result of `<< <<X:9>> || X <- L >>` will be, the compiled code asks for the length of the
%% list first, so that an improper list is a bad generator as a whole and before the first element is looked at. The Core
%% Erlang of such a function is made to do the same; of others that it has computed sizes for, it is only noted.
-module(hound_compiled).
-export([core/2]).

%% The module as it is compiled, with the functions that may differ from it as attributes.
-spec core(tuple(), binary()) -> {tuple(), [{hound_sizes | hound_negations, [{atom(), arity()}]}]}.
core({c_module, Anno, Name, Exports, Attributes, Definitions0}, Beam) ->
    Written = [Function || {{c_var, _, Function}, Fun} <- Definitions0, length(comprehensions(Fun)) > 0],
    Sized = sized(Written, Beam),
    Simple = [Function || {{c_var, _, Function}, Fun} <- Definitions0, is_map_key(Function, Sized),
                          is_clear(maps:get(Function, Sized), comprehensions(Fun))],
    Definitions = [{Var, asking(Function, Fun, Simple)} || {{c_var, _, Function} = Var, Fun} <- Definitions0],
    Negations = [Function || {{c_var, _, Function}, Fun} <- Definitions0, is_negated(Fun)],
    {{c_module, Anno, Name, Exports, Attributes, Definitions},
     [{hound_sizes, lists:sort(maps:keys(Sized) -- Simple)}, {hound_negations, Negations}]}.

%% True if it is known what the compiler has done to each comprehension of a function.
is_clear(Computed, Comprehensions) ->
    lists:all(fun is_simple/1, Comprehensions)
        andalso (Computed =:= all orelse lists:all(fun({Loop, _}) -> kind(Loop) =:= bits end, Comprehensions)).

asking(Function, Fun, Simple) ->
    case lists:member(Function, Simple) of
        true -> asking(Fun);
        false -> Fun
    end.

%% The comprehensions within an expression that make a bit string: what goes through the generator, and the generator.
comprehensions({c_let, _, [{c_var, _, Room}], {c_primop, _, {c_literal, _, bs_init_writable}, _}, Body}) ->
    [loop(Body, Room) | comprehensions(Body)];
comprehensions({c_literal, _, _}) -> [];
comprehensions(Node) when is_tuple(Node) -> comprehensions(tuple_to_list(Node));
comprehensions([Head | Tail]) -> comprehensions(Head) ++ comprehensions(Tail);
comprehensions(_) -> [].

loop({c_letrec, _, [{_, Loop}], {c_apply, _, _, [Generator, {c_var, _, Room}]}}, Room) -> {Loop, Generator};
loop({c_literal, _, _}, _) -> none;
loop(Node, Room) when is_tuple(Node) -> loop(tuple_to_list(Node), Room);
loop([Head | Tail], Room) ->
    case loop(Head, Room) of
        none -> loop(Tail, Room);
        Found -> Found
    end;
loop(_, _) -> none.

%% True for one generator whose elements are written with sizes that are constants.
is_simple({Loop, Generator}) ->
    is_plain(Generator) andalso not has_loop(Loop) andalso kind(Loop) =/= unknown
        andalso lists:all(fun is_constant/1, sizes(Loop));
is_simple(none) ->
    false.

is_plain({c_var, _, _}) -> true;
is_plain({c_literal, _, _}) -> true;
is_plain(_) -> false.

has_loop({c_letrec, _, _, _}) -> true;
has_loop({c_literal, _, _}) -> false;
has_loop(Node) when is_tuple(Node) -> has_loop(tuple_to_list(Node));
has_loop([Head | Tail]) -> has_loop(Head) orelse has_loop(Tail);
has_loop(_) -> false.

%% The size of a bit string can be had exactly if it is one, as the comprehension finds out at once.
kind({c_fun, _, [_, _], {c_case, _, _, [{c_clause, _, [{c_cons, _, _, _}, _], _, _} | _]}}) -> list;
kind({c_fun, _, [_, _], {c_case, _, _, [{c_clause, _, [{c_binary, _, _}, _], _, _} | _]}}) -> bits;
kind(_) -> unknown.

sizes({c_bitstr, _, Value, Size, _, _, _}) -> [Size | sizes(Value)];
sizes({c_literal, _, _}) -> [];
sizes(Node) when is_tuple(Node) -> sizes(tuple_to_list(Node));
sizes([Head | Tail]) -> sizes(Head) ++ sizes(Tail);
sizes(_) -> [].

%% `all` stands for what there is already.
is_constant({c_literal, _, Size}) -> is_integer(Size) orelse Size =:= all;
is_constant(_) -> false.

%% The functions with computed sizes; whether all are computed.
sized([], _) -> #{};
sized(Written, Beam) ->
    {beam_file, _, _, _, _, Functions} = beam_disasm:file(Beam),
    Found = lists:foldl(fun({function, Name, Arity, _, Code}, Known) ->
                                maps:update_with(hound_extract:written_in(Name, Arity),
                                                 fun(More) -> More ++ rooms(Code, none) end, rooms(Code, none), Known)
                        end, #{}, Functions),
    maps:from_list([{Function, all_or_some(Rooms)} || Function <- Written, Rooms <- [maps:get(Function, Found, [])],
                                                      lists:member(computed, Rooms)]).

all_or_some(Rooms) ->
    case lists:member(constant, Rooms) of
        true -> some;
        false -> all
    end.

%% The sizes that room is made for, in order: each stands in the register x0.
rooms([{move, {integer, _}, {x, 0}} | Code], _) -> rooms(Code, constant);
rooms([bs_init_writable | Code], Size) -> [room(Size) | rooms(Code, none)];
rooms([{bs_init_writable} | Code], Size) -> [room(Size) | rooms(Code, none)];
rooms([{move, _, {x, 0}} | Code], _) -> rooms(Code, computed);
rooms([_ | Code], Size) -> rooms(Code, Size);
rooms([], _) -> [].

room(constant) -> constant;
room(_) -> computed.

%% Asks for the length of each list that a comprehension goes through.
asking({c_letrec, Anno, [{_, Loop}] = Loops, {c_apply, _, _, [List, {c_var, _, _}]} = Body} = Node) ->
    case kind(Loop) of
        list -> {c_seq, [], asked(List), Node};
        _ -> {c_letrec, Anno, asking(Loops), asking(Body)}
    end;
asking({c_literal, _, _} = Literal) -> Literal;
asking(Node) when is_tuple(Node) -> list_to_tuple(asking(tuple_to_list(Node)));
asking([Head | Tail]) -> [asking(Head) | asking(Tail)];
asking(Other) -> Other.

asked(List) ->
    Names = [{c_var, [], Name} || Name <- ['_hound_length', '_hound_class', '_hound_reason', '_hound_trace']],
    [Length, Class, Reason, Trace] = Names,
    Error = call(error, [{c_tuple, [], [{c_literal, [], bad_generator}, List]}]),
    {c_try, [], call(length, [List]), [Length], Length, [Class, Reason, Trace], Error}.

call(Name, Args) ->
    {c_call, [], {c_literal, [], erlang}, {c_literal, [], Name}, Args}.

%% True if a case with guards looks at a comparison and has clauses for one outcome only: in the exception that no clause
%% matches, the compiled code may name the other.
is_negated({c_case, _, {c_call, _, {c_literal, _, erlang}, {c_literal, _, Name}, [_, _]}, Clauses} = Case) ->
    Own = [Clause || {c_clause, Anno, _, _, _} = Clause <- Clauses, not lists:member(compiler_generated, Anno)],
    Outcomes = lists:usort([Value || {c_clause, _, [{c_literal, _, Value}], _, _} <- Own]),
    Guarded = lists:any(fun({c_clause, _, _, Guard, _}) -> not is_true(Guard) end, Own),
    Open = lists:any(fun({c_clause, _, [Pattern], Guard, _}) -> element(1, Pattern) =:= c_var andalso is_true(Guard) end, Own),
    (lists:member(Name, ['<', '>', '=<', '>=', '==', '/=', '=:=', '=/='])
     andalso Guarded andalso not Open andalso length(Outcomes) < 2)
        orelse is_negated(tl(tuple_to_list(Case)));
is_negated({c_literal, _, _}) -> false;
is_negated(Node) when is_tuple(Node) -> is_negated(tuple_to_list(Node));
is_negated([Head | Tail]) -> is_negated(Head) orelse is_negated(Tail);
is_negated(_) -> false.

is_true({c_literal, _, true}) -> true;
is_true(_) -> false.
