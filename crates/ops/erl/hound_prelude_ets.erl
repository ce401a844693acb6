%% Operations on tables that look into rows, in Erlang: what a symbolic run explores in their place.
%%
%% Each function gives what the operation gives, and leaves the table as it does. Where the operation fails, or is asked
%% for something that is not written here, the function calls it, with the very arguments it was called with.
-module(hound_prelude_ets).

-export([update_counter/3, update_counter/4, update_element/3]).
-export([match/2, match_object/2, select/2, select_count/2, select_reverse/2, select_delete/2]).

update_element(Table, Key, Changes) ->
    case found(Table, Key) of
        none -> false;
        {ok, Row} ->
            case changed(Row, ets:info(Table, keypos), listed(Changes)) of
                {ok, New} -> ets:insert(Table, New);
                error -> ets:update_element(Table, Key, Changes)
            end;
        error -> ets:update_element(Table, Key, Changes)
    end.

changed(Row, KeyPos, [{Pos, Value} | Rest]) when
    is_integer(Pos), Pos >= 1, Pos =< tuple_size(Row), Pos =/= KeyPos
->
    changed(setelement(Pos, Row, Value), KeyPos, Rest);
changed(Row, _, []) -> {ok, Row};
changed(_, _, _) -> error.

update_counter(Table, Key, Changes) ->
    case found(Table, Key) of
        {ok, Row} ->
            case counted(Table, Row, Changes) of
                {ok, Result} -> Result;
                error -> ets:update_counter(Table, Key, Changes)
            end;
        _ -> ets:update_counter(Table, Key, Changes)
    end.

update_counter(Table, Key, Changes, Default) ->
    case initial(Table, Key, Default, found(Table, Key)) of
        {ok, Row} ->
            case counted(Table, Row, Changes) of
                {ok, Result} -> Result;
                error -> ets:update_counter(Table, Key, Changes, Default)
            end;
        error -> ets:update_counter(Table, Key, Changes, Default)
    end.

%% The default must be good even if nobody needs it.
initial(Table, Key, Default, Found) ->
    KeyPos = ets:info(Table, keypos),
    case Found of
        {ok, Row} when is_tuple(Default), tuple_size(Default) >= KeyPos -> {ok, Row};
        none when is_tuple(Default), tuple_size(Default) >= KeyPos -> {ok, setelement(KeyPos, Default, Key)};
        _ -> error
    end.

counted(Table, Row, Changes) ->
    KeyPos = ets:info(Table, keypos),
    case is_integer(Changes) of
        true -> counted(Table, Row, KeyPos, [{KeyPos + 1, Changes}], [], one);
        false when is_list(Changes) -> counted(Table, Row, KeyPos, Changes, [], all);
        false -> counted(Table, Row, KeyPos, [Changes], [], one)
    end.

counted(Table, Row, KeyPos, [Change | Rest], Values, Give) ->
    case step(Row, KeyPos, Change) of
        {Pos, Value} -> counted(Table, setelement(Pos, Row, Value), KeyPos, Rest, [Value | Values], Give);
        error -> error
    end;
counted(Table, Row, _, [], Values, Give) ->
    ets:insert(Table, Row),
    case {Give, Values} of
        {one, [Value]} -> {ok, Value};
        _ -> {ok, lists:reverse(Values)}
    end;
counted(_, _, _, _, _, _) -> error.

step(Row, KeyPos, {Pos, Incr}) -> sum(Row, KeyPos, Pos, Incr);
step(Row, KeyPos, {Pos, Incr, Threshold, Set}) when is_integer(Threshold), is_integer(Set) ->
    case sum(Row, KeyPos, Pos, Incr) of
        {_, Value} when Incr >= 0, Value > Threshold -> {Pos, Set};
        {_, Value} when Incr < 0, Value < Threshold -> {Pos, Set};
        Other -> Other
    end;
step(_, _, _) -> error.

sum(Row, KeyPos, Pos, Incr) when
    is_integer(Incr), is_integer(Pos), Pos >= 1, Pos =< tuple_size(Row), Pos =/= KeyPos, is_integer(element(Pos, Row))
->
    {Pos, element(Pos, Row) + Incr};
sum(_, _, _, _) -> error.

%% The row of a key; `error` of a table that may have several.
found(Table, Key) ->
    case is_unique(Table) of
        true ->
            case ets:lookup(Table, Key) of
                [Row] -> {ok, Row};
                [] -> none
            end;
        false -> error
    end.

is_unique(Table) -> lists:member(ets:info(Table, type), [set, ordered_set]).

listed(Changes) when is_tuple(Changes) -> [Changes];
listed(Changes) -> Changes.

match_object(Table, Pattern) ->
    case Pattern of
        '_' -> ets:match_object(Table, '_');
        _ ->
            case parsed_row(Pattern) of
                error -> ets:match_object(Table, Pattern);
                Parsed -> picked(Table, [{Parsed, [], '$_'}])
            end
    end.

match(Table, Pattern) ->
    case parsed_row(Pattern) of
        error -> ets:match(Table, Pattern);
        Parsed -> picked(Table, [{Parsed, [], '$$'}])
    end.

select(Table, Spec) ->
    case parsed_spec(Spec) of
        error -> ets:select(Table, Spec);
        Parsed -> picked(Table, Parsed)
    end.

select_reverse(Table, Spec) ->
    case parsed_spec(Spec) of
        error -> ets:select_reverse(Table, Spec);
        Parsed ->
            case ets:info(Table, type) of
                ordered_set -> lists:reverse(picked(Table, Parsed));
                _ -> picked(Table, Parsed)
            end
    end.

select_count(Table, Spec) ->
    case parsed_spec(Spec) of
        error -> ets:select_count(Table, Spec);
        Parsed -> length([Row || Row <- in_any_order(Table), run(Row, Parsed) =:= {ok, true}])
    end.

select_delete(Table, Spec) ->
    case parsed_spec(Spec) of
        error -> ets:internal_select_delete(Table, Spec);
        Parsed ->
            Rows = [Row || Row <- in_any_order(Table), run(Row, Parsed) =:= {ok, true}],
            deleted(Rows, Table),
            length(Rows)
    end.

deleted([Row | Rows], Table) ->
    ets:delete_object(Table, Row),
    deleted(Rows, Table);
deleted([], _) -> ok.

%% In which order the VM lists rows matters only if there are several.
picked(Table, Parsed) ->
    case results(in_any_order(Table), Parsed) of
        [_, _ | _] -> results(ets:match_object(Table, '_'), Parsed);
        Results -> Results
    end.

in_any_order(Table) -> ets:match_object(Table, '$0').

results([Row | Rows], Parsed) ->
    case run(Row, Parsed) of
        {ok, Result} -> [Result | results(Rows, Parsed)];
        none -> results(Rows, Parsed)
    end;
results([], _) -> [].

%% What the first clause makes of a row that matches it.
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
        [$$ | [_ | _] = Digits] -> number(Digits, 0);
        _ -> none
    end.

%% More variables than anybody has are left to the VM.
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
