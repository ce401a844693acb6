%% Floats: bounds, conversions, rounding, overflow, order beside integers, fields of bitstrings, roots and means.
%? floats
%! thermostat/2 crash error:stuck@thermostat complete
%! roots/3 crash error:bug@roots
%! cents/1 crash error:bug@cents complete
%! clamp/3 safe complete
%! clamp_wrong/3 crash error:bug@clamp_wrong
%! average/1 crash error:badarith@average
%! doubled/1 crash error:badarith@doubled complete
%! halved/1 safe complete
%! lossy/1 crash error:bug@lossy complete
%! exact/1 safe complete
%! kinds/1 crash error:bug@kinds complete
%! same/2 crash error:bug@same
%! sensor/1 crash error:bug@sensor
%! little/1 crash error:bug@little
%! celsius/1 crash error:bug@celsius complete
%! spread/1 crash error:bug@spread
%! distance/2 crash error:bug@distance
%! percent/2 crash error:bug@percent error:badarith@percent_zero
%! mixed/1 crash error:bug@mixed
%! growth/1 safe complete
%! logarithm/1 crash error:badarith@logarithm
%! divided/2 crash error:badarith@divided complete
%! ratio/2 crash error:bug@ratio
%! rounding/1 crash error:bug@rounding complete
%! floors/1 safe complete
%! sloped/1 safe complete
%! nothing/1 safe complete
%! caught/1 safe complete
%! interest/2 crash error:bug@interest
%! never/2 safe complete
%! tax/1 crash error:bug@tax complete
-module(floats).
-export([thermostat/2, roots/3, cents/1, clamp/3, clamp_wrong/3, average/1, doubled/1, halved/1, lossy/1, exact/1, kinds/1,
         same/2, sensor/1, little/1, celsius/1, spread/1, distance/2, percent/2, mixed/1, growth/1, logarithm/1, divided/2,
         ratio/2, rounding/1, floors/1, sloped/1, nothing/1, caught/1, interest/2, never/2, tax/1]).

%% Between two thresholds it does what it did before.
-spec thermostat(on | off, float()) -> on | off.
thermostat(_, T) when T < 18.5 -> on;
thermostat(_, T) when T > 21.25 -> off;
thermostat(on, T) when T =:= 19.75 -> error(stuck); %@thermostat
thermostat(State, _) -> State.

-spec roots(float(), float(), float()) -> [float()].
roots(A, B, C) when A >= 1.0, A =< 4.0, abs(B) =< 100.0, abs(C) =< 100.0 ->
    D = B * B - 4 * A * C,
    if
        D < 0 -> [];
        D == 0 -> [-B / (2 * A)];
        true ->
            case (-B + math:sqrt(D)) / (2 * A) of
                2.0 -> error(bug); %@roots
                X -> [X, (-B - math:sqrt(D)) / (2 * A)]
            end
    end;
roots(_, _, _) -> [].

-spec cents(float()) -> integer().
cents(Price) when Price >= 0.0, Price < 1.0e6 ->
    case round(Price * 100) of
        1999 -> error(bug); %@cents
        Cents -> Cents
    end;
cents(_) -> 0.

-spec clamp(float(), float(), float()) -> float().
clamp(X, Low, High) when Low =< High ->
    case max(Low, min(X, High)) of
        Y when Y < Low -> error(bug);
        Y when Y > High -> error(bug);
        Y -> Y
    end;
clamp(X, _, _) -> X.

%% The bounds are not looked at.
-spec clamp_wrong(float(), float(), float()) -> float().
clamp_wrong(X, Low, High) ->
    case max(Low, min(X, High)) of
        Y when Y > High -> error(bug); %@clamp_wrong
        Y -> Y
    end.

-spec average([0..100]) -> float().
average(Marks) -> lists:sum(Marks) / length(Marks). %@average

-spec doubled(float()) -> float().
doubled(X) -> X * 2.0. %@doubled

-spec halved(float()) -> float().
halved(X) -> X / 2.0.

%% A float has no room for all digits of an integer.
-spec lossy(integer()) -> ok.
lossy(N) when N > 9007199254740992, N < 9007199254741000 ->
    case trunc(float(N)) of
        M when M < N -> error(bug); %@lossy
        _ -> ok
    end;
lossy(_) -> ok.

%% An integer is compared as it is.
-spec exact(integer()) -> ok.
exact(N) when N > 9007199254740992, N == 9007199254740992.0 -> error(bug);
exact(N) when N < 9007199254740993, N > 9007199254740992.0 -> error(bug);
exact(_) -> ok.

-spec kinds(number()) -> atom().
kinds(X) when X =:= 1 -> integer;
kinds(X) when X == 1, is_float(X) -> error(bug); %@kinds
kinds(_) -> other.

-spec same(number(), number()) -> boolean().
same(X, Y) when X == Y, X =/= Y, X > 1000 -> error(bug); %@same
same(X, Y) -> X == Y.

-spec sensor(binary()) -> term().
sensor(<<16#a5, Id, Value/float, Rest/binary>>) when Id > 3, Value > 99.5, Value < 100.25, byte_size(Rest) =:= 1 ->
    error(bug); %@sensor
sensor(<<16#a5, _, _/float, _/binary>>) -> value;
sensor(_) -> none.

-spec little(binary()) -> term().
little(<<Value:32/float-little>>) when Value < -2 -> error(bug); %@little
little(_) -> ok.

-spec celsius(-1000..1000) -> atom().
celsius(F) ->
    C = (F - 32) * 5 / 9,
    if
        C == 37.0 -> error(odd);
        C == 35.0 -> error(bug); %@celsius
        C < -273.15 -> impossible;
        true -> fine
    end.

-spec spread([float()]) -> float().
spread([A, B, C] = L) when A >= 0.0, A =< B, B =< C, C =< 100.0 ->
    Mean = lists:sum(L) / 3,
    Variance = lists:sum([(X - Mean) * (X - Mean) || X <- L]) / 3,
    if
        Variance > 50.0, Mean > 20.0 -> error(bug); %@spread
        true -> Variance
    end;
spread(_) -> 0.0.

-spec distance({float(), float()}, {float(), float()}) -> near | far.
distance({X1, Y1}, {X2, Y2}) when abs(X1) < 100.0, abs(Y1) < 100.0, abs(X2) < 100.0, abs(Y2) < 100.0 ->
    DX = X1 - X2,
    DY = Y1 - Y2,
    case math:sqrt(DX * DX + DY * DY) of
        D when D > 5.0, D < 5.5, DX > 3.0 -> error(bug); %@distance
        D when D < 1.0 -> near;
        _ -> far
    end;
distance(_, _) -> far.

-spec percent(0..1000, 0..1000) -> float().
percent(Part, Whole) ->
    case 100 * Part / Whole of %@percent_zero
        P when P > 33.3, P < 33.4 -> error(bug); %@percent
        P -> P
    end.

-spec mixed([number()]) -> number().
mixed(L) ->
    case total(L, 0) of
        2.75 -> error(bug); %@mixed
        Sum -> Sum
    end.

total([X | Rest], Sum) when is_integer(X), X > 0, X < 10 -> total(Rest, Sum + X);
total([X | Rest], Sum) when is_float(X), X > 0.0, X < 1.0 -> total(Rest, Sum + X);
total(_, Sum) -> Sum.

%% What is between 0 and 1 stays there.
-spec growth(float()) -> float().
growth(X) when X >= 0.0, X =< 1.0 ->
    case X * 0.5 + 0.25 of
        Y when Y > 0.75 -> error(bug);
        Y when Y < 0.25 -> error(bug);
        Y -> Y
    end;
growth(_) -> 0.0.

-spec logarithm(-5..5) -> float().
logarithm(X) -> math:log(X). %@logarithm

-spec divided(float(), float()) -> float().
divided(X, Y) when abs(X) =< 1.0, Y =< 0.0 -> X / Y; %@divided
divided(_, _) -> 0.0.

-spec ratio(float(), float()) -> ok.
ratio(A, B) when A > 0.0, A < 1000.0, B > 1.0, B < 1000.0, A / B =:= 1.625 -> error(bug); %@ratio
ratio(_, _) -> ok.

%% Halves are rounded away from zero.
-spec rounding(float()) -> ok.
rounding(X) when X > -3.0, X < 0.0 ->
    case {round(X), trunc(X), floor(X), ceil(X)} of
        {-3, -2, -3, -2} -> error(bug); %@rounding
        _ -> ok
    end;
rounding(_) -> ok.

-spec floors(float()) -> ok.
floors(X) when X > -1.0e9, X < 1.0e9 ->
    case floor(X) =< X andalso X =< ceil(X) of
        true -> ok;
        false -> error(bug)
    end;
floors(_) -> ok.

-spec sloped(float()) -> ok.
sloped(X) when X > 2.0, X < 3.0, X * X > 9.0 -> error(bug);
sloped(X) when X > 2.0, X < 3.0, 1.0 / X >= 0.5 -> error(bug);
sloped(_) -> ok.

%% No float is the root of two.
-spec nothing(float()) -> ok.
nothing(X) when X > 1.0, X < 2.0, X * X =:= 2.0 -> error(bug);
nothing(_) -> ok.

-spec caught(float()) -> float() | overflow.
caught(X) ->
    try X * X of
        Y when Y < 0.0 -> error(bug);
        Y -> Y
    catch
        error:badarith -> overflow
    end.

-spec interest(0..10000, 0..40) -> float().
interest(Amount, Years) when Years < 4 ->
    case compound(float(Amount), Years) of
        Sum when Sum >= 1331.0, Sum < 1332.0 -> error(bug); %@interest
        Sum -> Sum
    end;
interest(_, _) -> 0.0.

%% The same sum is reached exactly or not at all.
-spec never(0..10000, 0..40) -> float().
never(Amount, Years) when Years < 4 ->
    case compound(float(Amount), Years) of
        Sum when Sum > 1331.0, Sum < 1332.0 -> error(bug);
        Sum -> Sum
    end;
never(_, _) -> 0.0.

compound(Sum, 0) -> Sum;
compound(Sum, Years) -> compound(Sum * 1.1, Years - 1).

-spec tax(0..100000) -> integer().
tax(Net) ->
    case trunc(Net * 1.19 + 0.5) of
        119 when Net =/= 100 -> error(other);
        2380 -> error(bug); %@tax
        Gross -> Gross
    end.
