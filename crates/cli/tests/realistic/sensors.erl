%% Readings of sensors: units, calibration, alarms, batches.
%! celsius/1 bug error:{case_clause,_}@unit
%! calibrate/2 bug error:badarith@calibrate
%! alarm/1 bug error:function_clause@alarm
%! batch/1 bug error:{badmatch,_}@batch
%! trend/1 bug error:badarith@trend
%! parse/1 bug error:function_clause@reading
%! parse/1 declared throw:bad_checksum@checksum
-module(sensors).
-export([celsius/1, calibrate/2, alarm/1, batch/1, trend/1, parse/1, store/3]).

-spec celsius({integer(), c | f | k}) -> integer().
celsius({Value, Unit}) ->
    case Unit of %@unit
        c -> Value;
        f -> (Value - 32) * 5 div 9
    end.

-spec calibrate(integer(), {Low :: integer(), High :: integer()}) -> integer().
calibrate(Raw, {Low, High}) -> (Raw - Low) * 100 div (High - Low). %@calibrate

-spec alarm([{temperature | humidity | pressure, integer()}]) -> [atom()].
alarm(Readings) -> [Name || {Name, Value} <- Readings, Value > limit(Name)].

limit(temperature) -> 40; %@alarm
limit(humidity) -> 90.

%% @doc Pairs of a time and a value, as many as the count says.
-spec batch([integer()]) -> [{integer(), integer()}].
batch([]) -> [];
batch([0 | _]) -> [];
batch([Count | Rest]) ->
    [Time, Value | More] = Rest, %@batch
    [{Time, Value} | batch([Count - 1 | More])].

%% @doc By how many percent the last value is above the first.
-spec trend([integer(), ...]) -> integer().
trend([Only]) -> Only - Only;
trend([First | Rest]) -> (lists:last(Rest) - First) * 100 div First. %@trend

-spec parse(binary()) -> [{atom(), byte()}] | more.
parse(<<Count, Sum, Data:Count/binary>>) ->
    Sum =:= lists:sum(binary_to_list(Data)) rem 256 orelse throw(bad_checksum), %@checksum
    readings(Data);
parse(_) -> more.

readings(<<>>) -> []; %@reading
readings(<<1, Value, Rest/binary>>) -> [{temperature, Value} | readings(Rest)];
readings(<<2, Value, Rest/binary>>) -> [{humidity, Value} | readings(Rest)].

-spec store(term(), integer(), tuple()) -> tuple().
store(Slot, Value, Slots) -> setelement(Slot, Slots, Value).
