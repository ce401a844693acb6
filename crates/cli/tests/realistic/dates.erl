%% Dates and times: reading, weekdays, differences, durations.
%! parse/1 bug error:{badmatch,_}@split
%! parse/1 bug error:badarg@number x3
%! month_name/1 bug error:badarg@name
%! day_of_year/3 bug error:function_clause@days
%! weekday/1 bug error:function_clause@weekday
%! duration/1 bug error:function_clause@unit
%! duration/1 declared error:badarg@negative
%! add_months/2 bug error:function_clause@clamp
-module(dates).
-export([parse/1, month_name/1, day_of_year/3, weekday/1, duration/1, add_months/2]).

-spec parse(string()) -> calendar:date().
parse(Text) ->
    [Year, Month, Day] = string:split(Text, "-", all), %@split
    {number(Year), number(Month), number(Day)}.

number(Text) -> list_to_integer(Text). %@number

-spec month_name(integer()) -> string().
month_name(Month) -> element(Month, {"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"}). %@name

-spec day_of_year(1970..2100, 1..12, 1..31) -> 1..366.
day_of_year(Year, Month, Day) -> lists:sum([days(Year, M) || M <- lists:seq(1, Month - 1)]) + Day.

%% December is never added, November is.
days(Year, 2) when Year rem 4 =:= 0 -> 29; %@days
days(_, 2) -> 28;
days(_, Month) when Month =:= 4; Month =:= 6; Month =:= 9 -> 30;
days(_, Month) when Month =:= 1; Month =:= 3; Month =:= 5; Month =:= 7; Month =:= 8; Month =:= 10 -> 31.

-type weekday() :: mon | tue | wed | thu | fri | sat | sun.
-spec weekday(weekday()) -> 1..7.
weekday(mon) -> 1; %@weekday
weekday(tue) -> 2;
weekday(wed) -> 3;
weekday(thu) -> 4;
weekday(fri) -> 5;
weekday(sat) -> 6.

%% @doc Seconds of durations such as `{90, minutes}'.
-spec duration([{integer(), seconds | minutes | hours | days}]) -> integer().
duration(Parts) -> lists:foldl(fun({N, Unit}, Sum) -> Sum + positive(N) * unit(Unit) end, 0, Parts).

positive(N) when N < 0 -> error(badarg); %@negative
positive(N) -> N.

unit(seconds) -> 1; %@unit
unit(minutes) -> 60;
unit(hours) -> 3600.

-spec add_months({1970..2100, 1..12, 1..31}, 0..100) -> calendar:date().
add_months({Year, Month, Day}, N) ->
    Total = Month + N,
    clamp({Year + Total div 12, Total rem 12, Day}).

clamp({Year, Month, Day}) when Month >= 1, Month =< 12 -> {Year, Month, min(Day, last(Month))}. %@clamp

last(2) -> 28;
last(Month) when Month =:= 4; Month =:= 6; Month =:= 9; Month =:= 11 -> 30;
last(_) -> 31.
