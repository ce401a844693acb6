%% Collision avoidance of aircraft in full: the thresholds by layer of altitude, both biased manoeuvres, who is below
%% whom, and the test of the separation that advises to climb, to descend, or nothing.
-module(tcas_full).
-export([advise/12]).

%% Feet, and feet per minute.
-define(MOST_RATE, 600).
-define(MOST_DIFFERENCE, 600).
-define(LEAST_SEPARATION, 300).
-define(NO_CROSSING, 100).

%% What the other aircraft can do, and what it intends.
-define(TCAS, 1).
-define(OTHER, 2).
-define(NO_INTENT, 0).
-define(NO_CLIMB, 1).
-define(NO_DESCENT, 2).

-record(air, {
    separation :: integer(),
    confident :: boolean(),
    two_reports :: boolean(),
    own :: integer(),
    own_rate :: integer(),
    other :: integer(),
    layer :: 0..3,
    up :: integer(),
    down :: integer(),
    intent :: 0..2,
    capability :: 1..2,
    inhibited :: boolean()
}).

-type advice() :: climb | descend | unresolved | none.

-spec advise(integer(), 0..1, 0..1, integer(), integer(), integer(), 0..3, integer(), integer(), 0..2, 1..2, 0..1) ->
          advice() | both.
advise(Separation, Confident, Reports, Own, Rate, Other, Layer, Up, Down, Intent, Capability, Inhibited) ->
    Air = #air{
        separation = Separation,
        confident = Confident =:= 1,
        two_reports = Reports =:= 1,
        own = Own,
        own_rate = Rate,
        other = Other,
        layer = Layer,
        up = Up,
        down = Down,
        intent = Intent,
        capability = Capability,
        inhibited = Inhibited =:= 1
    },
    separation_test(Air).

%% The advice, where a conflict is possible at all.
separation_test(Air) ->
    case is_enabled(Air) andalso is_alone(Air) of
        true ->
            Climb = wants_climb(Air),
            Descent = wants_descent(Air),
            advice(Climb, Descent);
        false ->
            none
    end.

is_enabled(#air{confident = Confident, own_rate = Rate, separation = Separation}) ->
    Confident andalso Rate =< ?MOST_RATE andalso Separation > ?MOST_DIFFERENCE.

%% The other has no such system, or it has and its intent is not known.
is_alone(#air{capability = ?TCAS} = Air) ->
    is_intent_unknown(Air);
is_alone(#air{capability = ?OTHER}) ->
    true.

is_intent_unknown(#air{two_reports = true, intent = ?NO_INTENT}) -> true;
is_intent_unknown(#air{two_reports = true, intent = ?NO_CLIMB}) -> false;
is_intent_unknown(#air{two_reports = true, intent = ?NO_DESCENT}) -> false;
is_intent_unknown(#air{two_reports = false}) -> false.

advice(true, true) ->
    %% Own aircraft would be below the other and above it.
    hound_never(); % unreachable
advice(true, false) ->
    hound_target(), % reachable
    climb;
advice(false, true) ->
    hound_target(), % reachable
    descend;
advice(false, false) ->
    hound_target(), % reachable
    unresolved.

wants_climb(Air) ->
    climbs_without_crossing(Air) andalso is_below(Air).

wants_descent(Air) ->
    descends_without_crossing(Air) andalso is_above(Air).

%% A climb that keeps on this side of the other aircraft.
climbs_without_crossing(#air{separation = Separation, up = Up, down = Down} = Air) ->
    Threshold = threshold(Air),
    case prefers_up(Air) of
        true ->
            Below = is_below(Air),
            not Below orelse Down < Threshold;
        false ->
            is_above(Air) andalso
                Separation >= ?LEAST_SEPARATION andalso
                Up >= Threshold
    end.

%% A descent that does.
descends_without_crossing(#air{separation = Separation, up = Up, down = Down} = Air) ->
    Threshold = threshold(Air),
    case prefers_up(Air) of
        true ->
            is_below(Air) andalso
                Separation >= ?LEAST_SEPARATION andalso
                Down >= Threshold;
        false ->
            Above = is_above(Air),
            not Above orelse Up >= Threshold
    end.

%% Upward separation is worth more than downward, where a climb that is inhibited counts as so much worse.
prefers_up(#air{down = Down} = Air) ->
    biased_climb(Air) > Down.

biased_climb(#air{inhibited = true, up = Up}) -> Up + ?NO_CROSSING;
biased_climb(#air{inhibited = false, up = Up}) -> Up.

%% The separation that an advisory must keep, by the layer of altitude.
threshold(#air{layer = Layer}) ->
    element(Layer + 1, {400, 500, 640, 740}).

is_below(#air{own = Own, other = Other}) ->
    Own < Other.

is_above(#air{own = Own, other = Other}) ->
    Other < Own.

hound_target() ->
    ok.

hound_never() ->
    both.
