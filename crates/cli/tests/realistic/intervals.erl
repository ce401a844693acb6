%% Intervals of time as records: overlaps, gaps, slots of a calendar.
%! slots/2 bug loop:_
%! middle/1 bug error:{badmatch,_}@middle
%! load/2 bug error:badarith@load
%! gap/2 bug error:if_clause@gap
%! cut/2 declared throw:outside@outside
-module(intervals).
-export([overlaps/2, slots/2, middle/1, load/2, gap/2, cut/2]).

-record(interval, {from :: integer(), to :: integer()}).
-type interval() :: #interval{}.

-spec overlaps(interval(), interval()) -> boolean().
overlaps(#interval{from = F1, to = T1}, #interval{from = F2, to = T2}) -> F1 < T2 andalso F2 < T1.

%% @doc The beginnings of the slots of a length that an interval has.
-spec slots(Length :: 0..1000, {0..10, 0..10}) -> [integer()].
slots(Length, {From, To}) -> slots(Length, From, To).

slots(_, At, To) when At >= To -> [];
slots(Length, At, To) -> [At | slots(Length, At + Length, To)].

%% @doc The one in the middle of an odd number of them.
-spec middle([interval(), ...]) -> interval().
middle(Intervals) ->
    Half = length(Intervals) div 2,
    {_, [Middle]} = lists:split(Half, lists:sort(Intervals)), %@middle
    Middle.

%% @doc Seconds of work for each second of an interval.
-spec load(Work :: non_neg_integer(), interval()) -> float().
load(Work, #interval{from = From, to = To}) -> Work / (To - From). %@load

-spec gap(interval(), interval()) -> integer().
gap(#interval{to = To}, #interval{from = From}) ->
    if %@gap
        From > To -> From - To;
        From < To -> 0
    end.

-spec cut(interval(), integer()) -> {interval(), interval()}.
cut(#interval{from = From, to = To}, At) when At < From; At > To -> throw(outside); %@outside
cut(#interval{} = Interval, At) -> {Interval#interval{to = At}, Interval#interval{from = At}}.
