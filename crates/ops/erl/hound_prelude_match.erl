%% Match specifications, in Erlang: what a pattern and its guards say of a row, and what a body makes of it. Only what is
%% certainly good is taken.
-module(hound_prelude_match).

-export([parsed_row/1, parsed_spec/1, run/2]).

%% The result of the first clause for a row that matches it.
run(Row, [{Pattern, Guards, Body} | Clauses]) ->
    case bound(Pattern, Row, []) of
        {ok, Bound} ->
            case holds(Guards, Row, Bound) of
                true -> {ok, value(Body, Row, Bound, body)};
                false -> run(Row, Clauses)
            end;
        no -> run(Row, Clauses)
    end;
run(_, []) -> none.

holds([Guard | Guards], Row, Bound) ->
    case try value(Guard, Row, Bound, guard) catch error:_ -> false end of
        true -> holds(Guards, Row, Bound);
        _ -> false
    end;
holds([], _, _) -> true.

%% Patterns: `any`, `{var, N}`, `{tuple, Parts}`, `{cons, Head, Tail}`, `{same, Term}`; `error` of what is not written
%% here.
parsed_row(Pattern) ->
    case parsed(Pattern) of
        {tuple, _} = Parsed -> Parsed;
        {same, Row} when is_tuple(Row) -> {same, Row};
        _ -> error
    end.

parsed(Atom) when is_atom(Atom) ->
    case Atom of
        '_' -> any;
        _ ->
            case variable(Atom) of
                none -> {same, Atom};
                Number -> {var, Number}
            end
    end;
parsed(Tuple) when is_tuple(Tuple) ->
    Parts = [parsed(Part) || Part <- tuple_to_list(Tuple)],
    case {lists:member(error, Parts), are_same(Parts)} of
        {true, _} -> error;
        {_, true} -> {same, Tuple};
        _ -> {tuple, Parts}
    end;
parsed([Head | Tail] = List) ->
    case {parsed(Head), parsed(Tail)} of
        {error, _} -> error;
        {_, error} -> error;
        {{same, _}, {same, _}} -> {same, List};
        {First, Rest} -> {cons, First, Rest}
    end;
parsed(Map) when is_map(Map) -> error;
parsed(Term) -> {same, Term}.

are_same([{same, _} | Parts]) -> are_same(Parts);
are_same([]) -> true;
are_same(_) -> false.

variable(Atom) ->
    case atom_to_list(Atom) of
        [$$, $0 | Rest] -> if Rest =:= [] -> 0; true -> none end;
        [$$ | [_ | _] = Digits] -> number(Digits, 0);
        _ -> none
    end.

%% More variables than programs have are left to the VM.
number([Digit | Digits], Number) when Digit >= $0, Digit =< $9, Number < 10000 ->
    number(Digits, 10 * Number + Digit - $0);
number([], Number) -> Number;
number(_, _) -> none.

bound(any, _, Bound) -> {ok, Bound};
bound({var, Number}, Term, Bound) -> bind(Number, Term, Bound);
bound({same, Wanted}, Term, Bound) when Term =:= Wanted -> {ok, Bound};
bound({tuple, Parts}, Term, Bound) when is_tuple(Term), tuple_size(Term) =:= length(Parts) ->
    all_bound(Parts, tuple_to_list(Term), Bound);
bound({cons, Head, Tail}, [First | Rest], Bound) ->
    case bound(Head, First, Bound) of
        {ok, More} -> bound(Tail, Rest, More);
        no -> no
    end;
bound(_, _, _) -> no.

all_bound([Part | Parts], [Term | Terms], Bound) ->
    case bound(Part, Term, Bound) of
        {ok, More} -> all_bound(Parts, Terms, More);
        no -> no
    end;
all_bound([], [], Bound) -> {ok, Bound}.

%% The bound variables are in the order of their numbers.
bind(Number, Term, [{Other, Value} | Bound]) when Number > Other ->
    case bind(Number, Term, Bound) of
        {ok, More} -> {ok, [{Other, Value} | More]};
        no -> no
    end;
bind(Number, Term, [{Number, Value} | _] = Bound) ->
    case Term =:= Value of
        true -> {ok, Bound};
        false -> no
    end;
bind(Number, Term, Bound) -> {ok, [{Number, Term} | Bound]}.

variables(any) -> [];
variables({var, Number}) -> [Number];
variables({tuple, Parts}) -> lists:append([variables(Part) || Part <- Parts]);
variables({cons, Head, Tail}) -> variables(Head) ++ variables(Tail);
variables({same, _}) -> [].

%% The clauses of a match specification that is certainly good.
parsed_spec([_ | _] = Spec) -> parsed_clauses(Spec);
parsed_spec(_) -> error.

parsed_clauses([{Pattern, Guards, [Body]} | Clauses]) when is_list(Guards) ->
    Parsed = parsed_head(Pattern),
    case Parsed =/= error andalso are_expressions([Body | Guards], variables(Parsed)) of
        true ->
            case parsed_clauses(Clauses) of
                error -> error;
                More -> [{Parsed, Guards, Body} | More]
            end;
        false -> error
    end;
parsed_clauses([]) -> [];
parsed_clauses(_) -> error.

parsed_head(Pattern) ->
    case parsed(Pattern) of
        any -> any;
        {var, Number} -> {var, Number};
        _ -> parsed_row(Pattern)
    end.

are_expressions([Expression | Rest], Variables) ->
    is_expression(Expression, Variables) andalso are_expressions(Rest, Variables);
are_expressions([], _) -> true;
are_expressions(_, _) -> false.

is_expression(Atom, Variables) when is_atom(Atom) ->
    case variable(Atom) of
        none -> true;
        Number -> lists:member(Number, Variables)
    end;
is_expression({const, _}, _) -> true;
is_expression({Tuple}, Variables) when is_tuple(Tuple) -> are_expressions(tuple_to_list(Tuple), Variables);
is_expression({Name, A}, Variables) -> lists:member(Name, unary()) andalso is_expression(A, Variables);
is_expression({Name, A, B}, Variables) ->
    lists:member(Name, binary()) andalso are_expressions([A, B], Variables);
is_expression(Tuple, _) when is_tuple(Tuple) -> false;
is_expression([_ | _] = List, Variables) -> are_expressions(List, Variables);
is_expression(Map, _) when is_map(Map) -> false;
is_expression(_, _) -> true.

unary() ->
    [is_atom, is_float, is_integer, is_list, is_number, is_tuple, is_map, is_binary, 'not', abs, hd, tl, length, round]
    ++ [trunc, size, map_size, byte_size, bit_size, 'bnot'].

binary() ->
    ['>', '>=', '<', '=<', '=:=', '==', '=/=', '/=', '+', '-', '*', 'div', 'rem', 'band', 'bor', 'bxor', 'bsl', 'bsr']
    ++ [element, 'and', 'or', 'xor', 'andalso', 'orelse'].

%% A guard fails as a whole; in a body it is the call that gives `'EXIT'`.
value('$_', Row, _, _) -> Row;
value('$$', _, Bound, _) -> [Value || {_, Value} <- Bound];
value(Atom, _, Bound, _) when is_atom(Atom) ->
    case variable(Atom) of
        none -> Atom;
        Number -> {_, Value} = lists:keyfind(Number, 1, Bound), Value
    end;
value({const, Value}, _, _, _) -> Value;
value({Tuple}, Row, Bound, In) when is_tuple(Tuple) ->
    list_to_tuple([value(Part, Row, Bound, In) || Part <- tuple_to_list(Tuple)]);
value(Call, Row, Bound, guard) when is_tuple(Call) -> called(Call, Row, Bound, guard);
value(Call, Row, Bound, body) when is_tuple(Call) ->
    try called(Call, Row, Bound, body) catch error:_ -> 'EXIT' end;
value([Head | Tail], Row, Bound, In) -> [value(Head, Row, Bound, In) | value(Tail, Row, Bound, In)];
value(Term, _, _, _) -> Term.

called({Name, A}, Row, Bound, In) -> unary(Name, value(A, Row, Bound, In));
called({'andalso', A, B}, Row, Bound, In) ->
    case value(A, Row, Bound, In) of
        true -> value(B, Row, Bound, In);
        false -> false
    end;
called({'orelse', A, B}, Row, Bound, In) ->
    case value(A, Row, Bound, In) of
        true -> true;
        false -> value(B, Row, Bound, In)
    end;
called({Name, A, B}, Row, Bound, In) -> binary(Name, value(A, Row, Bound, In), value(B, Row, Bound, In)).

unary(is_atom, A) -> is_atom(A);
unary(is_float, A) -> is_float(A);
unary(is_integer, A) -> is_integer(A);
unary(is_list, A) -> is_list(A);
unary(is_number, A) -> is_number(A);
unary(is_tuple, A) -> is_tuple(A);
unary(is_map, A) -> is_map(A);
unary(is_binary, A) -> is_binary(A);
unary('not', A) -> not A;
unary(abs, A) -> abs(A);
unary(hd, A) -> hd(A);
unary(tl, A) -> tl(A);
unary(length, A) -> length(A);
unary(round, A) -> round(A);
unary(trunc, A) -> trunc(A);
unary(size, A) -> size(A);
unary(map_size, A) -> map_size(A);
unary(byte_size, A) -> byte_size(A);
unary(bit_size, A) -> bit_size(A);
unary('bnot', A) -> bnot A.

binary('>', A, B) -> A > B;
binary('>=', A, B) -> A >= B;
binary('<', A, B) -> A < B;
binary('=<', A, B) -> A =< B;
binary('=:=', A, B) -> A =:= B;
binary('==', A, B) -> A == B;
binary('=/=', A, B) -> A =/= B;
binary('/=', A, B) -> A /= B;
binary('+', A, B) -> A + B;
binary('-', A, B) -> A - B;
binary('*', A, B) -> A * B;
binary('div', A, B) -> A div B;
binary('rem', A, B) -> A rem B;
binary('band', A, B) -> A band B;
binary('bor', A, B) -> A bor B;
binary('bxor', A, B) -> A bxor B;
binary('bsl', A, B) -> A bsl B;
binary('bsr', A, B) -> A bsr B;
binary(element, A, B) -> element(A, B);
binary('and', A, B) -> A and B;
binary('or', A, B) -> A or B;
binary('xor', A, B) -> A xor B.
