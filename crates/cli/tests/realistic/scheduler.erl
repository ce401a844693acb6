%% Schedules: cron fields, intervals, priorities, retries.
%! field/2 bug error:badarg@field
%! field/2 declared error:{bad_range,_,_}@bad_range
%! next/2 bug error:function_clause@next
%! overlap/2 declared error:badarg@backwards
%! priority/1 bug error:{case_clause,_}@priority
%! retry/2 bug error:badarith@retry
%! spread/2 bug error:badarith@spread
%! order/1 bug error:{badmatch,_}@order
-module(scheduler).
-export([field/2, next/2, overlap/2, priority/1, retry/2, spread/2, order/1]).

%% @doc The values of a field: `*', `5', `1-5'.
-spec field(string(), pos_integer()) -> [integer()].
field("*", Max) -> lists:seq(0, min(Max, 59));
field(Text, Max) ->
    case string:split(Text, "-") of
        [From, To] -> range(number(From), number(To), Max);
        [One] -> [number(One)]
    end.

number(Text) -> list_to_integer(Text). %@field

range(From, To, Max) when From =< To, To =< Max -> lists:seq(From, To);
range(From, To, _) -> error({bad_range, From, To}). %@bad_range

%% @doc The first of some minutes that is not before now, else the first of the next hour.
-spec next([0..59], 0..59) -> 0..119.
next(Minutes, Now) ->
    case [M || M <- Minutes, M >= Now] of
        [] -> lists:min(Minutes) + 60; %@next
        Later -> lists:min(Later)
    end.

-type interval() :: {integer(), integer()}.
-spec overlap(interval(), interval()) -> boolean().
overlap({A, B}, {C, D}) when A =< B, C =< D -> A =< D andalso C =< B;
overlap(_, _) -> erlang:error(badarg). %@backwards

-spec priority(0..10) -> low | normal | high.
priority(N) ->
    case N of %@priority
        N when N < 3 -> low;
        N when N < 7 -> normal;
        N when N > 7 -> high
    end.

%% @doc Milliseconds until the next try.
-spec retry(non_neg_integer(), non_neg_integer()) -> integer().
retry(Try, Most) when Try > Most -> 0;
retry(Try, Most) -> 60000 div (Most - Try). %@retry

%% @doc Tasks by worker: the one with least work takes the next.
-spec spread([pos_integer()], [atom()]) -> integer().
spread(Tasks, Workers) -> lists:sum(Tasks) div length(Workers). %@spread

-type task() :: a | b | c.
-spec order([{task(), [task()]}]) -> [task()].
order([]) -> [];
order(Tasks) ->
    {[{First, _} | Others], Rest} = lists:partition(fun({_, Needs}) -> Needs =:= [] end, Tasks), %@order
    [First | order(Others ++ [{Task, Needs -- [First]} || {Task, Needs} <- Rest])].
