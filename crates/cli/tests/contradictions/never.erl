%% Conditions that nothing meets, and beside each one that something does.
-module(never).
-compile(export_all).
-compile(nowarn_export_all).

-spec squares_never(integer()) -> ok.
squares_never(X) when X * X rem 8 =:= 6 -> error(never);
squares_never(_) -> ok.

-spec squares_once(integer()) -> ok.
squares_once(X) when X * X rem 8 =:= 4, X > 1000 -> error(once);
squares_once(_) -> ok.

-spec sum_of_squares_never(integer(), integer()) -> ok.
sum_of_squares_never(X, Y) ->
    case (X * X + Y * Y) band 3 of
        3 -> error(never);
        _ -> ok
    end.

-spec parity_never(integer(), integer()) -> ok.
parity_never(X, Y) when X band 1 =:= 0 ->
    if X * Y rem 2 =/= 0 -> error(never); true -> ok end;
parity_never(_, _) -> ok.

-spec consecutive_never(integer()) -> ok.
consecutive_never(X) ->
    case X * (X + 1) * (X + 2) rem 3 of
        0 -> ok;
        _ -> error(never)
    end.

-spec angle_never(float(), float()) -> ok.
angle_never(X, Y) ->
    case math:atan2(Y, X) of
        A when A > 3.1416; A < -3.1416 -> error(never);
        _ -> ok
    end.

-spec circle_never(float()) -> ok.
circle_never(X) ->
    S = math:sin(X),
    C = math:cos(X),
    if
        S * S + C * C > 1.000001 -> error(never);
        S + C < -1.5 -> error(never);
        true -> ok
    end.

-spec circle_once(float()) -> ok.
circle_once(X) ->
    S = math:sin(X),
    C = math:cos(X),
    if
        S * S + C * C < 1.0 -> error(once);
        true -> ok
    end.

-spec lines_never(float(), float(), float()) -> ok.
lines_never(X, Y, Z) when X - Y > 2.0, Y - Z > 2.0, Z - X > -1.0 ->
    case math:exp(X) * math:cos(Y) > Z * Z * Z of
        true -> error(never);
        false -> error(never)
    end;
lines_never(_, _, _) -> ok.

-spec bounded_never(float(), float()) -> ok.
bounded_never(X, Y) when X > -1.0e3, X < 1.0e3, Y > -1.0e3, Y < 1.0e3 ->
    case 2.5 * X + 1.5 * Y > 10.0 andalso 5.0 * X + 3.0 * Y < 19.0 of
        true -> math:sin(X * Y) / (X - X);
        false -> ok
    end;
bounded_never(_, _) -> ok.

-spec mixed_never(-1000..1000, float()) -> ok.
mixed_never(N, X) ->
    case math:sin(X + N) > 0.25 andalso 6 * N + 15 =:= 10 * trunc(X) of
        true -> error(never);
        false -> ok
    end.
