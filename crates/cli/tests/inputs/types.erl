%% Judges inputs by their specs, from the abstract forms of the types alone: what the explorer has of them is not used.
-module(types).
-export([main/1]).

%% Of each job {Source, Tests, Pre}: the calls in a module of tests whose arguments the spec, or the precondition, does
%% not allow; how many calls there are.
main(Jobs) ->
    Counts = [job(Source, Tests, Pre) || {Source, Tests, Pre} <- Jobs],
    io:format("judged\t~w~n", [lists:sum(Counts)]).

job(Source, Tests, Pre) ->
    {ok, Module, Binary} = compile:file(Source, [binary, nowarn_export_all, export_all]),
    {module, Module} = code:load_binary(Module, Source, Binary),
    {ok, Forms} = epp:parse_file(Source, []),
    put({forms, Module}, Forms),
    {ok, TestForms} = epp:parse_file(Tests, []),
    Calls = lists:usort(calls(Module, TestForms)),
    Calls =/= [] orelse io:format("wrong\t~w: no calls~n", [Module]),
    [io:format("wrong\t~w:~w~0p~n", [Module, Name, Args]) || {Name, Args} <- Calls, not is_input(Module, Name, Args, Pre)],
    length(Calls).

calls(Module, {call, _, {remote, _, {atom, _, Module}, {atom, _, Name}}, Args}) ->
    [{Name, [element(2, erl_eval:expr(Arg, [])) || Arg <- Args]}];
calls(Module, Form) when is_tuple(Form) -> calls(Module, tuple_to_list(Form));
calls(Module, [Form | Forms]) -> calls(Module, Form) ++ calls(Module, Forms);
calls(_, _) -> [].

is_input(Module, Name, Args, Pre) ->
    Clauses = [Clause || {attribute, _, spec, {{N, A}, Cs}} <- get({forms, Module}), N =:= Name, A =:= length(Args), Clause <- Cs],
    (Clauses =:= [] orelse lists:any(fun(Clause) -> takes(Module, Clause, Args) end, Clauses))
        andalso (Pre =:= none orelse apply(Module, Pre, Args) =:= true).

takes(Module, {type, _, bounded_fun, [Fun, Constraints]}, Args) ->
    Bounds = [{V, T} || {type, _, constraint, [_, [{var, _, V}, T]]} <- Constraints],
    takes(Module, Fun, Args, {Module, [], Bounds});
takes(Module, Fun, Args) -> takes(Module, Fun, Args, {Module, [], []}).

takes(_, {type, _, 'fun', [{type, _, product, Types}, _]}, Args, Scope) -> all(Types, Args, Scope).

all(Types, Values, Scope) ->
    length(Types) =:= length(Values)
        andalso lists:all(fun({T, V}) -> is(T, V, Scope) end, lists:zip(Types, Values)).

%% A scope: the module, what the parameters of a type stand for, and the bounds of a spec's variables.
is({ann_type, _, [_, T]}, X, S) -> is(T, X, S);
is({paren_type, _, [T]}, X, S) -> is(T, X, S);
is({atom, _, A}, X, _) -> X =:= A;
is({var, _, '_'}, _, _) -> true;
is({var, _, V}, X, {_, Params, Bounds} = S) ->
    case {lists:keyfind(V, 1, Params), lists:keyfind(V, 1, Bounds)} of
        {{V, T, Of}, _} -> is(T, X, Of);
        {false, {V, T}} -> is(T, X, S);
        {false, false} -> true
    end;
is({user_type, _, Name, Args}, X, {Module, _, _} = S) -> named(Module, Name, Args, X, S);
is({remote_type, _, [{atom, _, Module}, {atom, _, Name}, Args]}, X, S) -> named(Module, Name, Args, X, S);
is({type, _, Name, Args}, X, S) -> type(Name, Args, X, S);
is(Constant, X, _) -> X =:= constant(Constant).

named(Module, Name, Args, X, S) ->
    [{Params, Body} | _] = [{Ps, T} || {attribute, _, Kind, {N, T, Ps}} <- forms(Module),
                                       Kind =:= type orelse Kind =:= opaque, N =:= Name, length(Ps) =:= length(Args)],
    is(Body, X, {Module, [{V, A, S} || {{var, _, V}, A} <- lists:zip(Params, Args)], []}).

forms(Module) ->
    case get({forms, Module}) of
        undefined ->
            {ok, {_, [{abstract_code, {_, Forms}}]}} = beam_lib:chunks(code:which(Module), [abstract_code]),
            put({forms, Module}, Forms),
            Forms;
        Forms -> Forms
    end.

constant(Form) ->
    {value, Value, _} = erl_eval:expr(Form, []),
    Value.

type(union, Types, X, S) -> lists:any(fun(T) -> is(T, X, S) end, Types);
type(range, [Low, High], X, _) -> is_integer(X) andalso X >= constant(Low) andalso X =< constant(High);
type(tuple, any, X, _) -> is_tuple(X);
type(tuple, Types, X, S) -> is_tuple(X) andalso all(Types, tuple_to_list(X), S);
type(record, [{atom, _, Name} | Given], X, {Module, _, _} = S) ->
    [Fields | _] = [Fs || {attribute, _, record, {N, Fs}} <- forms(Module), N =:= Name],
    is_tuple(X) andalso tuple_size(X) =:= length(Fields) + 1 andalso element(1, X) =:= Name
        andalso lists:all(fun({Field, V}) -> field(Field, Given, V, S) end, lists:zip(Fields, tl(tuple_to_list(X))));
type(map, any, X, _) -> is_map(X);
type(map, Fields, X, S) -> is_map(X) andalso map(Fields, X, S);
type(list, [T], X, S) -> list(T, fun(End) -> End =:= [] end, X, S);
type(nonempty_list, [T], X, S) -> X =/= [] andalso type(list, [T], X, S);
type(maybe_improper_list, [T, E], X, S) -> list(T, fun(End) -> End =:= [] orelse is(E, End, S) end, X, S);
type(nonempty_maybe_improper_list, Args, X, S) -> X =/= [] andalso type(maybe_improper_list, Args, X, S);
type(nonempty_improper_list, [T, E], X, S) -> is_list(X) andalso X =/= [] andalso list(T, fun(End) -> is(E, End, S) end, X, S);
type('fun', [{type, _, any}, _], X, _) -> is_function(X);
type('fun', [{type, _, product, Types}, _], X, _) -> is_function(X, length(Types));
type('fun', [], X, _) -> is_function(X);
type(binary, [Base, Unit], X, _) -> is_bitstring(X) andalso bits(bit_size(X) - constant(Base), constant(Unit));
type(Name, [], X, S) -> plain(Name, X, S).

bits(More, 0) -> More =:= 0;
bits(More, Unit) -> More >= 0 andalso More rem Unit =:= 0.

plain(any, _, _) -> true;
plain(term, _, _) -> true;
plain(integer, X, _) -> is_integer(X);
plain(pos_integer, X, _) -> is_integer(X) andalso X > 0;
plain(neg_integer, X, _) -> is_integer(X) andalso X < 0;
plain(non_neg_integer, X, _) -> is_integer(X) andalso X >= 0;
plain(float, X, _) -> is_float(X);
plain(number, X, _) -> is_number(X);
plain(atom, X, _) -> is_atom(X);
plain(module, X, _) -> is_atom(X);
plain(boolean, X, _) -> is_boolean(X);
plain(byte, X, _) -> is_integer(X) andalso X >= 0 andalso X =< 255;
plain(arity, X, _) -> is_integer(X) andalso X >= 0 andalso X =< 255;
plain(char, X, _) -> is_integer(X) andalso X >= 0 andalso X =< 16#10ffff;
plain(timeout, X, _) -> X =:= infinity orelse is_integer(X) andalso X >= 0;
plain(mfa, X, S) -> is_tuple(X) andalso all([{type, 0, T, []} || T <- [module, atom, arity]], tuple_to_list(X), S);
plain(nil, X, _) -> X =:= [];
plain(tuple, X, _) -> is_tuple(X);
plain(map, X, _) -> is_map(X);
plain(function, X, _) -> is_function(X);
plain(pid, X, _) -> is_pid(X);
plain(reference, X, _) -> is_reference(X);
plain(binary, X, _) -> is_binary(X);
plain(bitstring, X, _) -> is_bitstring(X);
plain(list, X, _) -> is_list(X) andalso is_integer(catch length(X));
plain(string, X, S) -> type(list, [{type, 0, char, []}], X, S);
plain(nonempty_string, X, S) -> X =/= [] andalso plain(string, X, S);
plain(iodata, X, S) -> is_binary(X) orelse plain(iolist, X, S);
plain(iolist, X, S) ->
    Part = {type, 0, union, [{type, 0, T, []} || T <- [byte, binary, iolist]]},
    list(Part, fun(End) -> End =:= [] orelse is_binary(End) end, X, S).

list(T, End, [X | Xs], S) -> is(T, X, S) andalso list(T, End, Xs, S);
list(_, End, X, _) -> End(X).

field({typed_record_field, Field, T}, Given, X, {Module, _, _} = S) ->
    Name = element(3, element(3, Field)),
    case [G || {type, _, field_type, [{atom, _, N}, G]} <- Given, N =:= Name] of
        [Own] -> is(Own, X, S);
        [] -> is(T, X, {Module, [], []})
    end;
field(_, _, _, _) -> true.

map(Fields, X, S) ->
    Fits = fun({type, _, _, [K, V]}, {Key, Value}) -> is(K, Key, S) andalso is(V, Value, S) end,
    Pairs = maps:to_list(X),
    lists:all(fun(Pair) -> lists:any(fun(Field) -> Fits(Field, Pair) end, Fields) end, Pairs)
        andalso lists:all(fun(Field) -> lists:any(fun(Pair) -> Fits(Field, Pair) end, Pairs) end,
                          [Field || {type, _, map_field_exact, _} = Field <- Fields]).
