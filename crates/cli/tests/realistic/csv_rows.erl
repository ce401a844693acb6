%% Rows of comma-separated values: columns by name, sums, averages, joins.
%! column/2 declared error:{no_column,_}@no_column
%! column/2 bug error:function_clause@nth
%! total/2 bug error:badarg@cell
%! average/1 bug error:badarith@average
%! widest/1 bug error:function_clause
%! transpose/1 bug error:badarg@transpose
%! pivot/1 bug error:{badmatch,_}@pivot
-module(csv_rows).
-export([column/2, total/2, average/1, widest/1, transpose/1, pivot/1]).

-type row() :: [string()].

-spec column(string(), [row()]) -> [string()].
column(Name, [Head | Rows]) ->
    At = index(Name, Head, 1),
    [lists:nth(At, Row) || Row <- Rows]; %@nth
column(Name, []) -> error({no_column, Name}).

index(Name, [Name | _], At) -> At;
index(Name, [_ | Names], At) -> index(Name, Names, At + 1);
index(Name, [], _) -> error({no_column, Name}). %@no_column

-spec total(pos_integer(), [row()]) -> integer().
total(At, Rows) -> lists:sum([cell(lists:nth(At, Row)) || Row <- Rows, length(Row) >= At]).

cell("") -> 0;
cell([$- | Text]) -> -list_to_integer(Text); %@cell
cell(Text) -> case lists:all(fun is_digit/1, Text) of true -> list_to_integer(Text); false -> 0 end.

is_digit(C) -> C >= $0 andalso C =< $9.

-spec average([integer()]) -> float().
average(Numbers) -> lists:sum(Numbers) / length([N || N <- Numbers, N =/= 0]). %@average

-spec widest([row()]) -> non_neg_integer().
widest(Rows) -> lists:max([length(Row) || Row <- Rows]).

-spec transpose([[integer()]]) -> [[integer()]].
transpose([]) -> [];
transpose([[] | _]) -> [];
transpose(Rows) -> [[hd(Row) || Row <- Rows] | transpose([tl(Row) || Row <- Rows])]. %@transpose

%% @doc Groups `[Key, Value]' rows by key.
-spec pivot([row()]) -> #{string() => [string()]}.
pivot(Rows) ->
    Add = fun(Row, Acc) ->
        [Key, Value] = Row, %@pivot
        maps:update_with(Key, fun(Values) -> [Value | Values] end, [Value], Acc)
    end,
    lists:foldl(Add, #{}, Rows).
