%% Collision avoidance of aircraft: climb, descend, or nothing, from twelve numbers.
-module(tcas).
-export([advise/12]).

-define(OLEV, 600).
-define(MAXALTDIFF, 600).
-define(MINSEP, 300).
-define(NOZCROSS, 100).

-record(in, {separation, confident, valid, own, rate, other, layer, up, down, intent, equipped, inhibited}).

-spec advise(integer(), 0..1, 0..1, integer(), integer(), integer(), 0..3, integer(), integer(), 0..2, 1..2, 0..1) ->
          climb | descend | unresolved | both | none.
advise(Separation, Confident, Valid, Own, Rate, Other, Layer, Up, Down, Intent, Equipped, Inhibited) ->
    In = #in{separation = Separation, confident = Confident, valid = Valid, own = Own, rate = Rate, other = Other,
             layer = Layer, up = Up, down = Down, intent = Intent, equipped = Equipped, inhibited = Inhibited},
    Enabled = Confident =:= 1 andalso Rate =< ?OLEV andalso Separation > ?MAXALTDIFF,
    Tcas = Equipped =:= 1,
    Unknown = Valid =:= 1 andalso Intent =:= 0,
    case Enabled andalso ((Tcas andalso Unknown) orelse not Tcas) of
        true -> resolved(climbs(In) andalso is_below(In), descends(In) andalso is_above(In));
        false -> none
    end.

resolved(true, true) ->
    %% Own aircraft would be both below and above the other.
    hound_never(); % unreachable
resolved(true, false) ->
    hound_target(), % reachable
    climb;
resolved(false, true) ->
    hound_target(), % reachable
    descend;
resolved(false, false) ->
    hound_target(), % reachable
    unresolved.

climbs(#in{down = Down, up = Up, separation = Separation} = In) ->
    case biased(In) > Down of
        true -> not is_below(In) orelse not (Down >= threshold(In));
        false -> is_above(In) andalso Separation >= ?MINSEP andalso Up >= threshold(In)
    end.

descends(#in{down = Down, up = Up, separation = Separation} = In) ->
    case biased(In) > Down of
        true -> is_below(In) andalso Separation >= ?MINSEP andalso Down >= threshold(In);
        false -> not is_above(In) orelse (is_above(In) andalso Up >= threshold(In))
    end.

%% A climb that is inhibited counts as so much worse.
biased(#in{inhibited = 1, up = Up}) -> Up + ?NOZCROSS;
biased(#in{up = Up}) -> Up.

threshold(#in{layer = 0}) -> 400;
threshold(#in{layer = 1}) -> 500;
threshold(#in{layer = 2}) -> 640;
threshold(#in{layer = 3}) -> 740.

is_below(#in{own = Own, other = Other}) -> Own < Other.

is_above(#in{own = Own, other = Other}) -> Other < Own.

hound_target() ->
    ok.

hound_never() ->
    both.
