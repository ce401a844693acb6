%% Properties of PropEr as functions of plain inputs.
%%
%% What a property's generators make is described in terms that are types: the input of a generator is a *seed*, and an
%% instance is built of it. Most seeds are the instances themselves; that of a ?LET is the instance of what it binds, that of
%% a union whose members are built is {Number, Seed}. A seed that fails a ?SUCHTHAT is none of the property's inputs, and
%% neither is one for which an ?IMPLIES does not hold: for these the property is true.
-module(hound_proper).
-export([describe/2, check/4, instances/4]).

%% The most generators within each other that are called to see what they make: 8. The size that generators are given which
%% depend on one: 8. Values of a generator that are drawn where it cannot be described: 12. (There are no macros here: the
%% text is compiled as it is.)

%% A description is {plain, Type}, whose seed is the instance, or says how the instance is built. Notes say what is left out.
-type description() :: tuple().

-spec describe(module(), atom()) -> {ok, [description()], [binary()]} | {error, none | binary()}.
describe(Module, Function) ->
    _ = erase(hound_notes),
    try Module:Function() of
        Test ->
            case is_test(Test) of
                true -> described(Test);
                false -> {error, none}
            end
    catch
        _:_ -> {error, none}
    end.

described(Test) ->
    try {ok, foralls(peeled(Test), 0), lists:usort(notes())}
    catch
        throw:{hound, Why} -> {error, Why};
        _:_ -> {error, <<"its generators raise an exception">>}
    end.

%% A function may be named like a property and be none.
is_test({forall, _, Fun}) -> is_function(Fun, 1);
is_test({implies, Holds, Fun}) -> is_boolean(Holds) andalso is_function(Fun, 0);
is_test({whenfail, Action, Fun}) -> is_function(Action, 0) andalso is_function(Fun, 0);
is_test({Tag, Test}) when Tag =:= trapexit; Tag =:= fails -> is_function(Test, 0) orelse is_test(Test);
is_test({timeout, _, Fun}) -> is_function(Fun, 0);
is_test({sample, _, _, Test}) -> is_boolean(Test) orelse is_function(Test, 0) orelse is_test(Test);
is_test({conjunction, Tests}) -> is_list(Tests);
is_test({Tag, _, Test}) when Tag =:= numtests; Tag =:= on_output; Tag =:= setup -> is_test(Test);
is_test(_) -> false.

notes() ->
    case get(hound_notes) of
        undefined -> [];
        Notes -> Notes
    end.

note(Note) -> put(hound_notes, [Note | notes()]).

%% The test in what says how to run it.
peeled({numtests, _, Test}) -> peeled(Test);
peeled({on_output, _, Test}) -> peeled(Test);
peeled({setup, _, Test}) -> peeled(Test);
peeled({fails, _}) -> throw({hound, <<"it is meant to fail">>});
peeled(Test) -> Test.

%% The generators of a test, the outermost first. Those inside are seen by calling it with some values.
foralls({forall, Raw, Fun}, Depth) when Depth < 8 ->
    Type = cooked(Raw),
    Description = type(Type, 0),
    Tests = [Inner || Value <- examples(Description, Type), Inner <- called(Fun, Value)],
    Inside = lists:usort([foralls(Test, Depth + 1) || Test <- Tests]),
    case Inside of
        [] -> note(<<"what a generator's values lead to was not seen">>), [Description];
        [[]] -> [Description];
        _ ->
            note(<<"generators inside others are taken as they are for some values of these">>),
            [Length | Others] = lists:usort([length(Each) || Each <- Inside]),
            _ = [throw({hound, <<"the number of its generators depends on values">>}) || Others =/= [] andalso Length > 0],
            Longest = [Each || Each <- Inside, length(Each) =:= lists:max([Length | Others])],
            [Description | [{fits, merged(Each)} || Each <- columns(Longest)]]
    end;
foralls({forall, _, _}, _) ->
    throw({hound, <<"it has too many generators">>});
foralls({conjunction, Tests}, Depth) ->
    _ = [throw({hound, <<"it has generators in a conjunction">>}) || {_, Test} <- Tests, foralls(forced(Test), Depth) =/= []],
    [];
foralls({implies, true, Test}, Depth) -> foralls(forced(Test), Depth);
foralls({whenfail, _, Test}, Depth) -> foralls(forced(Test), Depth);
foralls({trapexit, Test}, Depth) -> foralls(forced(Test), Depth);
foralls({timeout, _, Test}, Depth) -> foralls(forced(Test), Depth);
foralls({sample, _, _, Test}, Depth) -> foralls(forced(Test), Depth);
foralls(_, _) -> [].

%% A value for which the property is not decided shows nothing of what is inside.
called(Fun, Value) ->
    try Fun(Value) of
        {implies, false, _} -> [];
        Test -> [Test]
    catch
        _:_ -> [false]
    end.

columns([[] | _]) -> [];
columns(Rows) -> [[hd(Row) || Row <- Rows] | columns([tl(Row) || Row <- Rows])].

merged([Description]) -> Description;
merged([One, Other | Rest]) -> merged([both(One, Other) | Rest]).

%% What has all values of both; {fits, _} leaves out what is too many.
both(Same, Same) -> Same;
both({plain, One}, {plain, Other}) -> {plain, wider(One, Other)};
both({fits, One}, {fits, Other}) -> both(One, Other);
both(_, _) -> {plain, any}.

wider(Same, Same) -> Same;
wider({integer, _, _}, {integer, _, _}) -> {integer, inf, inf};
wider({literal, One}, {literal, Other}) when is_integer(One), is_integer(Other) -> {integer, inf, inf};
wider({integer, _, _}, {literal, Other}) when is_integer(Other) -> {integer, inf, inf};
wider({literal, One}, {integer, _, _}) when is_integer(One) -> {integer, inf, inf};
wider({vector, _, One}, {vector, _, Other}) -> {list, wider(One, Other)};
wider({list, One}, {list, Other}) -> {list, wider(One, Other)};
wider({list, One}, {vector, _, Other}) -> {list, wider(One, Other)};
wider({vector, _, One}, {list, Other}) -> {list, wider(One, Other)};
wider({tuple, One}, {tuple, Other}) when length(One) =:= length(Other) ->
    {tuple, [wider(A, B) || {A, B} <- lists:zip(One, Other)]};
wider(_, _) -> any.

cooked({'$type', _} = Type) -> Type;
cooked(Raw) when is_tuple(Raw) -> proper_types:tuple(tuple_to_list(Raw));
cooked(Raw) when is_list(Raw) -> proper_types:fixed_list(Raw);
cooked(Raw) -> proper_types:exactly(Raw).

prop(Name, {'$type', Props}) -> proplists:get_value(Name, Props).

%% A type of PropEr is known by its generator.
is(Type, Example) -> prop(generator, Type) =:= prop(generator, Example).

type(Type, Depth) when Depth > 8 ->
    unknown(Type, <<"a recursive generator is not followed without end">>);
type(Type, Depth) ->
    Description = unconstrained(Type, Depth),
    case prop(constraints, Type) of
        Constraints when Constraints =:= undefined; Constraints =:= [] -> Description;
        _ -> {checked, Description}
    end.

unconstrained(Type, Depth) ->
    case prop(kind, Type) of
        constructed -> constructed(Type, Depth);
        container -> container(Type, Depth);
        _ -> basic(Type, Depth)
    end.

basic(Type, Depth) ->
    Known = [fun(T) -> is(T, proper_types:any()) andalso {plain, any} end,
             fun(T) -> is(T, proper_types:integer()) andalso integer(prop(env, T)) end,
             fun(T) -> is(T, proper_types:float()) andalso float_in(prop(env, T)) end,
             fun(T) -> is_exactly(T, prop(generator, T)) andalso {plain, {literal, prop(env, T)}} end,
             fun(T) -> is(T, proper_types:union([a])) andalso union(prop(env, T), Depth) end,
             fun(T) -> is(T, proper_types:weighted_union([{1, a}])) andalso union(prop(env, T), Depth) end,
             fun(T) -> is(T, proper_types:atom()) andalso {plain, atom} end,
             fun(T) -> is(T, proper_types:binary()) andalso {plain, {bits, 0, 8}} end,
             fun(T) -> is(T, proper_types:bitstring()) andalso {plain, {bits, 0, 1}} end,
             fun(T) -> is(T, proper_types:binary(1)) andalso {plain, {bits, 8 * prop(env, T), 0}} end,
             fun(T) -> is(T, proper_types:bitstring(1)) andalso {plain, {bits, prop(env, T), 0}} end,
             fun(T) -> is(T, proper_types:nat()) andalso {plain, {integer, 0, inf}} end,
             fun(T) -> is(T, proper_types:function(1, a)) andalso function(T, Depth) end],
    case first(Known, Type) of
        false -> wrapper(Type, prop(generator, Type), Depth);
        Description -> Description
    end.

%% PropEr's compiler has made several functions of this one.
is_exactly(Type, {typed, Generator}) when is_function(Generator, 1) ->
    {'$type', Props} = Type,
    prop(kind, Type) =:= basic andalso not lists:keymember(shrinkers, 1, Props) andalso lists:keymember(env, 1, Props)
        andalso Generator(Type) =:= prop(env, Type);
is_exactly(_, _) ->
    false.

first([Try | Others], Type) ->
    case Try(Type) of
        false -> first(Others, Type);
        Description -> Description
    end;
first([], _) ->
    false.

integer({Low, High}) -> {plain, {integer, Low, High}}.

float_in({inf, inf}) -> {plain, float};
float_in({Low, High}) -> {float_in, Low, High}.

union(Choices, Depth) ->
    Descriptions = [type(Choice, Depth) || Choice <- Choices],
    case [Type || {plain, Type} <- Descriptions] of
        Types when length(Types) =:= length(Descriptions) -> {plain, {union, Types}};
        _ -> {union, Descriptions}
    end.

function(Type, Depth) ->
    {Arity, Result} = prop(env, Type),
    case type(Result, Depth) of
        {plain, Plain} -> {plain, {function, Arity, Plain}};
        _ -> unknown(Type, <<"a generator of functions whose results are built">>)
    end.

%% ?LAZY, 8D and ?SHRINK have functions for generators.
wrapper(Type, Generator, Depth) when is_function(Generator, 0) ->
    wrapped(Type, none, Generator, Depth);
wrapper(Type, Generator, Depth) when is_function(Generator, 1) ->
    note(<<"a generator that depends on a size is taken as it is for one size">>),
    wrapped(Type, 8, Generator, Depth);
wrapper(Type, _, _) ->
    unknown(Type, <<"a generator that is not known">>).

wrapped(Type, Size, Generator, Depth) ->
    try made(Generator, Size) of
        Raw ->
            case proper_types:is_raw_type(Raw) of
                true -> {wrapped, Size, type(cooked(Raw), Depth + 1)};
                false -> unknown(Type, <<"a generator that is a function">>)
            end
    catch
        _:_ -> unknown(Type, <<"a generator that raises an exception">>)
    end.

made(Generator, none) -> Generator();
made(Generator, Size) -> Generator(Size).

constructed(Type, Depth) ->
    Parts = prop(parts_type, Type),
    Description = type(Parts, Depth),
    Combine = prop(combine, Type),
    Results = [Result || Value <- examples(Description, Parts), {ok, Result} <- [caught(Combine, Value)]],
    case [cooked(Result) || Result <- Results, proper_types:is_raw_type(Result)] of
        [] when Results =:= [] -> unknown(Type, <<"a ?LET whose body raises an exception">>);
        [] -> {made, Description, none};
        Types when length(Types) =:= length(Results) ->
            note(<<"generators that a ?LET makes are taken as they are for some of its values">>),
            {made, Description, {fits, merged(lists:usort([type(Each, Depth + 1) || Each <- Types]))}};
        _ -> unknown(Type, <<"a ?LET that makes a generator for some values only">>)
    end.

caught(Combine, Value) ->
    try {ok, Combine(Value)}
    catch _:_ -> error
    end.

container(Type, Depth) ->
    case {prop(internal_type, Type), prop(internal_types, Type), prop(env, Type)} of
        {undefined, undefined, _} -> unknown(Type, <<"a generator that is not known">>);
        {Element, undefined, undefined} -> list(type(Element, Depth));
        {Element, undefined, Length} -> vector(Length, type(Element, Depth));
        {undefined, Fields, _} when is_tuple(Fields) -> tuple([type(Each, Depth) || Each <- tuple_to_list(Fields)]);
        {undefined, _, {Fields, _}} when is_list(Fields) -> fixed([type(Each, Depth) || Each <- Fields]);
        _ -> unknown(Type, <<"a generator of improper lists">>)
    end.

list({plain, Type}) -> {plain, {list, Type}};
list(Description) -> {list, Description}.

vector(Length, {plain, Type}) -> {plain, {vector, Length, Type}};
vector(Length, Description) -> {fixed, lists:duplicate(Length, Description)}.

tuple(Descriptions) ->
    case [Type || {plain, Type} <- Descriptions] of
        Types when length(Types) =:= length(Descriptions) -> {plain, {tuple, Types}};
        _ -> {tuple, Descriptions}
    end.

fixed(Descriptions) ->
    case [Type || {plain, Type} <- Descriptions] of
        Types when length(Types) =:= length(Descriptions) -> {plain, {fixed, Types}};
        _ -> {fixed, Descriptions}
    end.

%% Some values stand for a generator that is not understood.
unknown(Type, Why) ->
    note(<<Why/binary, ": only some of its values were tried">>),
    {plain, {drawn, drawn(Type)}}.

%% Some instances of a described generator.
examples(Description, Type) ->
    Built = [build(Description, Type, seed(Description, At)) || At <- lists:seq(0, 12)],
    [Instance || {ok, Instance} <- Built].

seed({plain, Type}, At) -> value(Type, At);
seed({float_in, Low, _}, _) when Low =/= inf -> Low * 1.0;
seed({float_in, _, High}, _) -> High * 1.0;
seed({checked, Description}, At) -> seed(Description, At);
seed({fits, Description}, At) -> seed(Description, At);
seed({wrapped, _, Description}, At) -> seed(Description, At);
seed({union, All}, At) -> Number = At rem length(All) + 1, {Number, seed(lists:nth(Number, All), At div length(All))};
seed({list, Description}, At) -> [seed(Description, At + Each) || Each <- lists:seq(1, At rem 4)];
seed({tuple, All}, At) -> list_to_tuple([seed(Each, At) || Each <- All]);
seed({fixed, All}, At) -> [seed(Each, At) || Each <- All];
seed({made, Description, none}, At) -> seed(Description, At);
seed({made, Description, Inner}, At) -> {seed(Description, At), seed(Inner, At)}.

value(any, At) -> lists:nth(At rem 4 + 1, [0, a, [], {1}]);
value({integer, inf, inf}, At) -> At * At;
value({integer, inf, High}, At) -> High - At;
value({integer, Low, inf}, At) -> Low + At;
value({integer, Low, High}, At) -> min(Low + At, High);
value(float, At) -> At / 2;
value(atom, At) -> lists:nth(At rem 3 + 1, [a, b, c]);
value({bits, Base, 0}, _) -> <<0:Base>>;
value({bits, Base, Unit}, At) -> <<0:(Base + Unit * (At rem 3))>>;
value({literal, Value}, _) -> Value;
value({drawn, Values}, At) -> lists:nth(At rem length(Values) + 1, Values);
value({union, Types}, At) -> value(lists:nth(At rem length(Types) + 1, Types), At div length(Types));
value({list, Type}, At) -> [value(Type, At + Each) || Each <- lists:seq(1, At rem 4)];
value({vector, Length, Type}, At) -> [value(Type, At + Each) || Each <- lists:seq(1, Length)];
value({tuple, Types}, At) -> list_to_tuple([value(Type, At) || Type <- Types]);
value({fixed, Types}, At) -> [value(Type, At) || Type <- Types];
value({function, 0, Type}, At) -> Value = value(Type, At), fun() -> Value end;
value({function, 1, Type}, At) -> Value = value(Type, At), fun(_) -> Value end;
value({function, 2, Type}, At) -> Value = value(Type, At), fun(_, _) -> Value end;
value({function, 3, Type}, At) -> Value = value(Type, At), fun(_, _, _) -> Value end;
value({function, _, _}, _) -> throw({hound, <<"a generator of functions with many arguments">>}).

drawn(Type) ->
    Draw = fun(At) ->
               try proper_gen:pick(Type, At, {At, At * At, 7}) of
                   {ok, Value} -> [Value];
                   _ -> []
               catch _:_ -> []
               end
           end,
    lists:usort(lists:append([Draw(At) || At <- lists:seq(1, 12)])).

%% The value of a property for seeds.
-spec check(module(), atom(), [description()], [term()]) -> term().
check(Module, Function, Descriptions, Seeds) ->
    holds(peeled(Module:Function()), Descriptions, Seeds).

holds({forall, Raw, Fun}, [Description | Descriptions], [Seed | Seeds]) ->
    case build(Description, Raw, Seed) of
        {ok, Instance} -> holds(Fun(Instance), Descriptions, Seeds);
        none -> true
    end;
holds({forall, _, _}, [], _) -> unforeseen();
holds({implies, true, Test}, Descriptions, Seeds) -> holds(forced(Test), Descriptions, Seeds);
holds({implies, false, _}, _, _) -> true;
holds({whenfail, _, Test}, Descriptions, Seeds) -> holds(forced(Test), Descriptions, Seeds);
holds({trapexit, Test}, Descriptions, Seeds) -> holds(forced(Test), Descriptions, Seeds);
holds({timeout, _, Test}, Descriptions, Seeds) -> holds(forced(Test), Descriptions, Seeds);
holds({sample, _, _, Test}, Descriptions, Seeds) -> holds(forced(Test), Descriptions, Seeds);
holds({conjunction, Tests}, Descriptions, Seeds) -> all(Tests, Descriptions, Seeds);
holds(Value, _, _) -> Value.

all([{_, Test} | Tests], Descriptions, Seeds) ->
    case holds(forced(Test), Descriptions, Seeds) of
        true -> all(Tests, Descriptions, Seeds);
        Other -> Other
    end;
all([], _, _) -> true.

forced(Test) when is_function(Test, 0) -> Test();
forced(Test) -> Test.

%% The instances of a counterexample, as `proper:check/2` takes them.
-spec instances(module(), atom(), [description()], [term()]) -> [term()].
instances(Module, Function, Descriptions, Seeds) ->
    bound(peeled(Module:Function()), Descriptions, Seeds).

bound({forall, Raw, Fun}, [Description | Descriptions], [Seed | Seeds]) ->
    {ok, Instance} = build(Description, Raw, Seed),
    [Instance | case Descriptions of
                    [] -> [];
                    _ -> bound(Fun(Instance), Descriptions, Seeds)
                end];
bound({implies, true, Test}, Descriptions, Seeds) -> bound(forced(Test), Descriptions, Seeds);
bound({whenfail, _, Test}, Descriptions, Seeds) -> bound(forced(Test), Descriptions, Seeds);
bound({trapexit, Test}, Descriptions, Seeds) -> bound(forced(Test), Descriptions, Seeds);
bound({timeout, _, Test}, Descriptions, Seeds) -> bound(forced(Test), Descriptions, Seeds);
bound({sample, _, _, Test}, Descriptions, Seeds) -> bound(forced(Test), Descriptions, Seeds);
bound(_, _, _) -> [].

%% The instance of a generator for a seed.
build({plain, _}, _, Seed) ->
    {ok, Seed};
build({float_in, Low, High}, _, Seed) ->
    case (Low =:= inf orelse Low =< Seed) andalso (High =:= inf orelse Seed =< High) of
        true -> {ok, Seed};
        false -> none
    end;
build({fits, Description}, Raw, Seed) ->
    case build(Description, Raw, Seed) of
        {ok, Instance} ->
            case fits(Instance, cooked(Raw)) of
                true -> {ok, Instance};
                _ -> none
            end;
        none -> none
    end;
build({checked, Description}, Raw, Seed) ->
    case build(Description, Raw, Seed) of
        {ok, Instance} ->
            case meets(prop(constraints, cooked(Raw)), Instance) of
                true -> {ok, Instance};
                false -> none
            end;
        none -> none
    end;
build({union, Descriptions}, Raw, {Number, Seed}) ->
    build(lists:nth(Number, Descriptions), lists:nth(Number, prop(env, cooked(Raw))), Seed);
build({list, Description}, Raw, Seeds) ->
    Element = prop(internal_type, cooked(Raw)),
    build_all([{Description, Element, Seed} || Seed <- Seeds], []);
build({tuple, Descriptions}, Raw, Seeds) ->
    Fields = tuple_to_list(prop(internal_types, cooked(Raw))),
    case build_all(lists:zip3(Descriptions, Fields, tuple_to_list(Seeds)), []) of
        {ok, Instances} -> {ok, list_to_tuple(Instances)};
        none -> none
    end;
build({fixed, Descriptions}, Raw, Seeds) ->
    Type = cooked(Raw),
    Fields = case prop(internal_type, Type) of
                 undefined -> prop(internal_types, Type);
                 Element -> [Element || _ <- Descriptions]
             end,
    build_all(lists:zip3(Descriptions, Fields, Seeds), []);
build({wrapped, Size, Description}, Raw, Seed) ->
    build(Description, made(prop(generator, cooked(Raw)), Size), Seed);
build({made, Description, none}, Raw, Seed) ->
    Type = cooked(Raw),
    case build(Description, prop(parts_type, Type), Seed) of
        {ok, Instance} ->
            Result = (prop(combine, Type))(Instance),
            case proper_types:is_raw_type(Result) of
                true -> unforeseen();
                false -> {ok, Result}
            end;
        none -> none
    end;
build({made, Description, Result}, Raw, {Seed, Inner}) ->
    Type = cooked(Raw),
    case build(Description, prop(parts_type, Type), Seed) of
        {ok, Instance} -> build(Result, (prop(combine, Type))(Instance), Inner);
        none -> none
    end.

%% What has no test of its own was built as its generator says.
fits(Instance, Type) ->
    try prop(is_instance, Type) of
        {typed, Test} -> Test(Type, Instance);
        undefined -> true;
        Test -> Test(Instance)
    catch
        _:_ -> false
    end.

%% There is a generator here for some values that was not seen for others. What waits for ever decides nothing.
-spec unforeseen() -> no_return().
unforeseen() ->
    receive after infinity -> ok end.

build_all([{Description, Type, Seed} | Rest], Done) ->
    case build(Description, Type, Seed) of
        {ok, Instance} -> build_all(Rest, [Instance | Done]);
        none -> none
    end;
build_all([], Done) ->
    {ok, lists:reverse(Done)}.

meets([{Constraint, _} | Constraints], Instance) ->
    case Constraint(Instance) of
        true -> meets(Constraints, Instance);
        _ -> false
    end;
meets([], _) ->
    true.
