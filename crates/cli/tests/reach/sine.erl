%% The sine of a double from its bits: reduction to an eighth of a turn, then a polynomial.
-module(sine).
-export([sine/1]).

-define(HALF_PI_HIGH, 1.5707963267341256).
-define(HALF_PI_LOW, 6.077100506506192e-11).
-define(TWO_OVER_PI, 0.6366197723675814).

-spec sine(float()) -> float() | tiny | far.
sine(X) ->
    <<Negative:1, Exponent:11, Mantissa:52>> = <<X/float>>,
    Size = Exponent - 1023,
    if
        Exponent =:= 0, Mantissa =:= 0 -> X;
        Size < -27 -> small(X, Size);
        Size > 28 -> far;
        true -> signed(Negative, reduced(abs(X), Size))
    end.

%% The sine of a number this small is the number.
small(X, Size) ->
    case Size < -1000 of
        true ->
            hound_target(), % reachable
            tiny;
        false ->
            X
    end.

signed(1, Value) -> -Value;
signed(0, Value) -> Value.

reduced(X, Size) when Size < -1 ->
    near(X, 0.0);
reduced(X, _) ->
    Quarters = trunc(X * ?TWO_OVER_PI + 0.5),
    Float = float(Quarters),
    Rest = X - Float * ?HALF_PI_HIGH,
    Low = Float * ?HALF_PI_LOW,
    Reduced = Rest - Low,
    Error = (Rest - Reduced) - Low,
    quadrant(Quarters band 3, Reduced, Error).

quadrant(0, X, Error) -> near(X, Error);
quadrant(1, X, Error) -> beside(X, Error);
quadrant(2, X, Error) -> -near(X, Error);
quadrant(3, X, Error) ->
    Value = -beside(X, Error),
    case Value < -0.9999 of
        true ->
            hound_target(), % reachable
            Value;
        false ->
            Value
    end.

%% The sine near 0.
near(X, Error) ->
    S = X * X,
    P = S * (-1.9841269829857949e-4 + S * (2.7557313707070068e-6 + S * (-2.5050760253406863e-8
        + S * 1.58969099521155e-10))),
    X + (X * S * (-1.6666666666666632e-1 + (8.33333333332249e-3 * S + S * P)) + Error).

%% The cosine near 0, which is the sine beside a quarter of a turn.
beside(X, Error) ->
    S = X * X,
    P = S * (4.1666666666666602e-2 + S * (-1.388888888887411e-3 + S * (2.480158728947673e-5
        + S * (-2.7557314351390663e-7 + S * 2.087572321298175e-9)))),
    1.0 - (0.5 * S - (S * P - X * Error)).

hound_target() ->
    ok.
