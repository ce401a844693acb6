%% Loss of separation in full: two aircraft that turn, where they are after the turn, how near they come, and what kind
%% of conflict that is.
-module(tsafe_full).
-export([conflict/7, turning/4]).

-define(DEGREE, 0.017453292519943295).
-define(GRAVITY, 32.0).

-record(craft, {speed :: float(), x :: float(), y :: float(), heading :: float(), radius :: float()}).

%% Turn angle, the speeds, where the other aircraft is, its heading, the bank angle; degrees, feet, feet per second.
-spec conflict(float(), float(), float(), float(), float(), float(), float()) -> atom().
conflict(Turn, Va, Vc, Xc, Yc, Heading, Bank) ->
    case is_flying(Va) andalso is_flying(Vc) andalso is_banked(Bank) andalso is_near(Xc, Yc) andalso
         abs(Turn) < 360.0 andalso abs(Heading) < 360.0 of
        true ->
            Own = #craft{speed = Va, x = 0.0, y = 0.0, heading = 0.0, radius = radius(Va, Bank)},
            Other = #craft{speed = Vc, x = Xc, y = Yc, heading = Heading * ?DEGREE, radius = radius(Vc, Bank)},
            after_turn(Turn * ?DEGREE, Own, Other);
        false ->
            outside
    end.

is_flying(Speed) -> Speed > 0.0 andalso Speed < 2.0e3.

is_banked(Bank) -> Bank > 0.0 andalso Bank < 80.0.

is_near(X, Y) -> abs(X) < 1.0e6 andalso abs(Y) < 1.0e6.

%% The radius of a turn at this speed and bank angle.
radius(Speed, Bank) ->
    Speed * Speed / (?GRAVITY * math:tan(Bank * ?DEGREE)).

after_turn(Angle, #craft{speed = Speed, radius = Radius} = Own, Other) ->
    Side = side(Angle),
    Time = abs(Angle) * Radius / Speed,
    {Xa, Ya} = turned(Own, Side, Angle),
    {Xc, Yc, Final} = moved(Other, Time),
    Closing = math:cos(Angle) - math:cos(Final),
    separation(Xc - Xa, Yc - Ya, Closing).

%% To the left or to the right.
side(Angle) when Angle < 0.0 ->
    hound_target(), % reachable
    -1.0;
side(_) ->
    1.0.

turned(#craft{x = X, y = Y, radius = Radius}, Side, Angle) ->
    {X + Side * Radius * (1.0 - math:cos(Angle)), Y + Side * Radius * math:sin(Angle)}.

moved(#craft{x = X, y = Y, speed = Speed, heading = Heading, radius = Radius}, Time) ->
    Final = Heading + Time * Speed / Radius,
    {X + Radius * (math:cos(Heading) - math:cos(Final)),
     Y - Radius * (math:sin(Heading) - math:sin(Final)),
     Final}.

separation(Dx, Dy, Closing) ->
    Distance = math:sqrt(Dx * Dx + Dy * Dy),
    if
        Distance < 0.0 ->
            hound_target(), % unreachable
            impossible;
        Distance < 2.0 ->
            hound_target(), % reachable
            lost;
        Distance < 100.0, Dx > 60.0, Dy > 60.0 ->
            hound_target(), % reachable
            near;
        Closing > 1.9 ->
            hound_target(), % reachable
            closing;
        true ->
            clear
    end.

%% The other way round: the turn that leads a point of the circle to an angle seen from its middle.
-spec turning(float(), float(), float(), float()) -> atom().
turning(X, Y, Dx, Dy) ->
    Before = math:atan2(Y, X),
    After = math:atan2(Dy, Dx),
    if
        After - Before > 6.3 ->
            hound_target(), % unreachable
            impossible;
        After - Before > 6.2 ->
            hound_target(), % reachable
            all_round;
        true ->
            short
    end.

hound_target() ->
    ok.
