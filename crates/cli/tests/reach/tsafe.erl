%% Loss of separation: where two turning aircraft are after a turn, and how near they come.
-module(tsafe).
-export([conflict/7]).

-define(DEGREE, 0.017453292519943295).
-define(GRAVITY, 32.0).

%% Turn angle, the speeds, where the other aircraft is, its heading, the bank angle; degrees, feet, feet per second.
-spec conflict(float(), float(), float(), float(), float(), float(), float()) -> atom().
conflict(Turn, Va, Vc, Xc0, Yc0, Heading, Bank) when Va > 0.0, Vc > 0.0, Bank > 0.0, Bank < 80.0,
                                                     abs(Turn) < 360.0, abs(Heading) < 360.0,
                                                     Va < 2.0e3, Vc < 2.0e3, abs(Xc0) < 1.0e6, abs(Yc0) < 1.0e6 ->
    Angle = Turn * ?DEGREE,
    Sign = if
               Angle < 0.0 ->
                   hound_target(), % reachable
                   -1.0;
               true ->
                   1.0
           end,
    Tan = math:tan(Bank * ?DEGREE),
    Ra = Va * Va / (?GRAVITY * Tan),
    Rc = Vc * Vc / (?GRAVITY * Tan),
    Time = abs(Angle) * Ra / Va,
    Turned = Time * Vc / Rc,
    Psi = Heading * ?DEGREE,
    Xa = Sign * Ra * (1.0 - math:cos(Angle)),
    Ya = Ra * Sign * math:sin(Angle),
    Xc = Xc0 + Rc * (math:cos(Psi) - math:cos(Psi + Turned)),
    Yc = Yc0 - Rc * (math:sin(Psi) - math:sin(Psi + Turned)),
    separation(Xc - Xa, Yc - Ya, math:cos(Angle) - math:cos(Psi + Turned));
conflict(_, _, _, _, _, _, _) ->
    outside.

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

hound_target() ->
    ok.
