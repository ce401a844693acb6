%% The sine of a double from its bits, in full: special values by their exponent, the reduction to an eighth of a turn in
%% three parts of pi / 2 where one is not enough, and polynomials for sine and cosine. What is too far out is not reduced.
-module(sine_full).
-export([sine/1]).

%% pi / 2 in parts of 33 bits each, with what is left after them.
-define(PART_1, 1.57079632673412561417e+00).
-define(REST_1, 6.07710050650619224932e-11).
-define(PART_2, 6.07710050630396597660e-11).
-define(REST_2, 2.02226624879595063154e-21).
-define(PART_3, 2.02226624871116645580e-21).
-define(REST_3, 8.47842766036889956997e-32).
-define(TWO_OVER_PI, 6.36619772367581382433e-01).

%% Exponents of the number: where the sine is the number itself, a quarter of pi, and how far out it is reduced.
-define(TINY, -27).
-define(SUBNORMAL, -1022).
-define(FAR, 20).

%% The polynomial of the sine.
-define(S1, -1.66666666666666324348e-01).
-define(S2, 8.33333333332248946124e-03).
-define(S3, -1.98412698298579493134e-04).
-define(S4, 2.75573137070700676789e-06).
-define(S5, -2.50507602534068634195e-08).
-define(S6, 1.58969099521155010221e-10).

%% The polynomial of the cosine.
-define(C1, 4.16666666666666019037e-02).
-define(C2, -1.38888888888741095749e-03).
-define(C3, 2.48015872894767294178e-05).
-define(C4, -2.75573143513906633035e-07).
-define(C5, 2.08757232129817482790e-09).
-define(C6, -1.13596475577881948265e-11).

-record(double, {
    sign :: 0..1,
    exponent :: integer(),
    high :: non_neg_integer(),
    low :: non_neg_integer()
}).

-type double() :: #double{}.

-spec sine(float()) -> float() | tiny | far.
sine(X) ->
    Double = parts(X),
    case kind(Double) of
        zero ->
            X;
        subnormal ->
            hound_target(), % reachable
            tiny;
        tiny ->
            X;
        near ->
            near(X, 0.0, direct);
        middle ->
            Size = abs(X),
            {Quarters, Reduced, Error} = reduced(Size, Double),
            signed(Double#double.sign, quadrant(Quarters band 3, Reduced, Error));
        far ->
            far
    end.

%% The parts of a double, its mantissa as a high and a low word.
-spec parts(float()) -> double().
parts(X) ->
    <<Sign:1, Exponent:11, High:20, Low:32>> = <<X/float>>,
    #double{sign = Sign, exponent = Exponent - 1023, high = High, low = Low}.

-spec kind(double()) -> zero | subnormal | tiny | near | middle | far.
kind(#double{exponent = Exponent} = Double) ->
    IsZero = is_zero(Double),
    if
        IsZero -> zero;
        Exponent < ?SUBNORMAL -> subnormal;
        Exponent < ?TINY -> tiny;
        Exponent < -1 -> near;
        Exponent =:= -1 -> by_mantissa(Double);
        Exponent > ?FAR -> far;
        true -> middle
    end.

is_zero(#double{exponent = Exponent, high = High, low = Low}) ->
    Exponent =:= -1023 andalso High =:= 0 andalso Low =:= 0.

%% Below a quarter of pi nothing needs to be reduced.
by_mantissa(#double{high = High}) when High < 16#921FB ->
    near;
by_mantissa(_) ->
    middle.

signed(0, Value) -> Value;
signed(1, Value) -> -Value.

%% The number of quarters of a turn, what is left, and by how much that is off.
-spec reduced(float(), double()) -> {integer(), float(), float()}.
reduced(X, Double) ->
    Quarters = round_half_up(X * ?TWO_OVER_PI),
    Float = float(Quarters),
    Rest = X - Float * ?PART_1,
    Low = Float * ?REST_1,
    First = Rest - Low,
    case lost_bits(Double, First) of
        Lost when Lost =< 16 ->
            {Quarters, First, (Rest - First) - Low};
        _ ->
            second(Quarters, Float, Rest, Double)
    end.

%% Where the first part cancelled too much.
second(Quarters, Float, Rest, Double) ->
    Taken = Float * ?PART_2,
    Left = Rest - Taken,
    Low = Float * ?REST_2 - ((Rest - Left) - Taken),
    Second = Left - Low,
    case lost_bits(Double, Second) of
        Lost when Lost =< 49 ->
            {Quarters, Second, (Left - Second) - Low};
        _ ->
            third(Quarters, Float, Left)
    end.

third(Quarters, Float, Rest) ->
    Taken = Float * ?PART_3,
    Left = Rest - Taken,
    Low = Float * ?REST_3 - ((Rest - Left) - Taken),
    Third = Left - Low,
    {Quarters, Third, (Left - Third) - Low}.

%% By how many bits a difference is shorter than the number.
lost_bits(#double{exponent = Exponent}, Difference) ->
    #double{exponent = Left} = parts(Difference),
    Exponent - Left.

round_half_up(X) ->
    trunc(X + 0.5).

-spec quadrant(0..3, float(), float()) -> float().
quadrant(0, X, Error) ->
    near(X, Error, corrected);
quadrant(1, X, Error) ->
    beside(X, Error);
quadrant(2, X, Error) ->
    -near(X, Error, corrected);
quadrant(3, X, Error) ->
    Value = -beside(X, Error),
    if
        Value < -0.9999 ->
            hound_target(), % reachable
            Value;
        true ->
            Value
    end.

%% The sine near 0, of a number that is off by so much or not at all.
near(X, Error, How) ->
    S = X * X,
    V = S * X,
    R = ?S2 + S * (?S3 + S * (?S4 + S * (?S5 + S * ?S6))),
    case How of
        direct -> X + V * (?S1 + S * R);
        corrected -> X - ((S * (0.5 * Error - V * R) - Error) - V * ?S1)
    end.

%% The cosine near 0, which is the sine beside a quarter of a turn.
beside(X, Error) ->
    S = X * X,
    R = S * (?C1 + S * (?C2 + S * (?C3 + S * (?C4 + S * (?C5 + S * ?C6))))),
    Size = abs(X),
    if
        Size < 0.3 ->
            1.0 - (0.5 * S - (S * R - X * Error));
        true ->
            Quarter = least_of(Size),
            Half = 0.5 * S - Quarter,
            (1.0 - Quarter) - (Half - (S * R - X * Error))
    end.

%% About a quarter of the number, and not too much.
least_of(Size) when Size > 0.78125 -> 0.28125;
least_of(Size) -> Size * 0.25.

hound_target() ->
    ok.
