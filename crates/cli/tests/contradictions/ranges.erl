%% What the VM's own functions give, held to what the solvers believe of every double: the calls that break a rule.
-module(ranges).
-export([broken/1]).

broken(Count) ->
    rand:seed(exsss, {1, 2, 3}),
    Special = special(),
    One = [Broken || X <- Special ++ [double() || _ <- lists:seq(1, Count)], Broken <- of_one(X)],
    Pairs = [{Y, X} || Y <- Special, X <- Special] ++ [{double(), double()} || _ <- lists:seq(1, Count)],
    One ++ [{atan2, Y, X} || {Y, X} <- Pairs, not is_angle(math:atan2(Y, X), Y, X)].

special() ->
    Pi = math:pi(),
    Near = [around(Value) || Value <- [0.0, 1.0, Pi, Pi / 2, Pi / 4, 1.5 * Pi, 2 * Pi, 1.0e22, 1.0e-8, 0.5, 22.0, 709.0]],
    Far = [1.7976931348623157e308, 5.0e-324, 2.2250738585072014e-308, 1.0e300, 9007199254740993.0],
    Positive = lists:append(Near) ++ Far,
    Positive ++ [-X || X <- Positive].

%% A double and its neighbours.
around(X) ->
    <<Bits:64>> = <<X/float>>,
    [Y || Step <- lists:seq(-3, 3), Bits + Step >= 0, <<Y/float>> <- [<<(Bits + Step):64>>]].

double() ->
    case rand:uniform(3) of
        1 -> (rand:uniform() - 0.5) * 20;
        2 -> (rand:uniform() - 0.5) * math:pow(10, rand:uniform(300));
        3 ->
            case <<(rand:uniform(1 bsl 64) - 1):64>> of
                <<X/float>> -> X;
                _ -> 1.0
            end
    end.

of_one(X) ->
    Sin = math:sin(X),
    Cos = math:cos(X),
    HalfPi = math:pi() / 2,
    Rules = [
        {sin, abs(Sin) =< 1.0},
        {cos, abs(Cos) =< 1.0},
        {circle, abs(Sin * Sin + Cos * Cos - 1.0) < 1.0e-15},
        {powers, abs(math:pow(Sin, 2) + math:pow(Cos, 2) - 1.0) < 1.0e-15},
        {product, abs(Sin * Cos) =< 0.5000000000000001},
        {sum, abs(Sin) + abs(Cos) =< 1.4142135623731},
        {atan, abs(math:atan(X)) =< HalfPi},
        {asin, abs(X) > 1.0 orelse abs(math:asin(X)) =< HalfPi},
        {acos, abs(X) > 1.0 orelse (math:acos(X) >= 0.0 andalso math:acos(X) =< math:pi())},
        {tanh, abs(math:tanh(X)) =< 1.0},
        {cosh, abs(X) > 700 orelse math:cosh(X) >= 1.0}
    ],
    [{Rule, X} || {Rule, false} <- Rules].

is_angle(Angle, Y, X) ->
    Pi = math:pi(),
    HalfPi = Pi / 2,
    abs(Angle) =< Pi
        andalso (Y =< 0 orelse Angle >= 0)
        andalso (Y >= 0 orelse Angle =< 0)
        andalso (X =< 0 orelse abs(Angle) =< HalfPi + 1.0e-15)
        andalso (X >= 0 orelse Y =:= 0.0 orelse abs(Angle) >= HalfPi - 1.0e-15).
