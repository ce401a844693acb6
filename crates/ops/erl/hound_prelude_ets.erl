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

%% The default must be good even if it is not needed.
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
            case hound_prelude_match:parsed_row(Pattern) of
                error -> ets:match_object(Table, Pattern);
                Parsed -> picked(Table, [{Parsed, [], '$_'}])
            end
    end.

match(Table, Pattern) ->
    case hound_prelude_match:parsed_row(Pattern) of
        error -> ets:match(Table, Pattern);
        Parsed -> picked(Table, [{Parsed, [], '$$'}])
    end.

select(Table, Spec) ->
    case hound_prelude_match:parsed_spec(Spec) of
        error -> ets:select(Table, Spec);
        Parsed -> picked(Table, Parsed)
    end.

select_reverse(Table, Spec) ->
    case hound_prelude_match:parsed_spec(Spec) of
        error -> ets:select_reverse(Table, Spec);
        Parsed ->
            case ets:info(Table, type) of
                ordered_set -> lists:reverse(picked(Table, Parsed));
                _ -> picked(Table, Parsed)
            end
    end.

select_count(Table, Spec) ->
    case hound_prelude_match:parsed_spec(Spec) of
        error -> ets:select_count(Table, Spec);
        Parsed -> length([Row || Row <- in_any_order(Table), hound_prelude_match:run(Row, Parsed) =:= {ok, true}])
    end.

select_delete(Table, Spec) ->
    case hound_prelude_match:parsed_spec(Spec) of
        error -> ets:internal_select_delete(Table, Spec);
        Parsed ->
            Rows = [Row || Row <- in_any_order(Table), hound_prelude_match:run(Row, Parsed) =:= {ok, true}],
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
    case hound_prelude_match:run(Row, Parsed) of
        {ok, Result} -> [Result | results(Rows, Parsed)];
        none -> results(Rows, Parsed)
    end;
results([], _) -> [].
