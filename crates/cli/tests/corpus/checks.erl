%% Check digits, calendars, numerals and codes.
%! luhn/1 crash error:lucky@luhn
%! isbn/1 crash error:forged@isbn
%! leap/1 safe complete
%! days/2 crash error:function_clause@days complete
%! valid_date/3 crash error:doomsday@doomsday complete
%! roman/1 crash error:function_clause@roman
%! to_roman/1 crash error:bug@fourteen
%! rle/1 crash error:bug@rle
%! unrle/1 crash error:bug@unrle
%! bcd/1 crash error:badarith@bcd complete
%! weekday/1 safe complete
%! easter/1 crash error:early@easter
%! caesar/2 crash error:secret@secret
-module(checks).
-export([luhn/1, isbn/1, leap/1, days/2, valid_date/3, roman/1, to_roman/1, rle/1, unrle/1, bcd/1, weekday/1, easter/1, digits/1, caesar/2]).

-spec luhn([0..9]) -> boolean().
luhn(Digits) ->
    Sum = luhn(lists:reverse(Digits), 1, 0),
    case Sum rem 10 of
        0 when length(Digits) =:= 4, hd(Digits) =:= 7 -> error(lucky); %@luhn
        R -> R =:= 0
    end.
luhn([], _, Sum) -> Sum;
luhn([D | T], 1, Sum) -> luhn(T, 2, Sum + D);
luhn([D | T], 2, Sum) when D * 2 > 9 -> luhn(T, 1, Sum + D * 2 - 9);
luhn([D | T], 2, Sum) -> luhn(T, 1, Sum + D * 2).

-spec isbn({0..9, 0..9, 0..9, 0..9, 0..10}) -> boolean().
isbn({A, B, C, D, X}) ->
    case (5 * A + 4 * B + 3 * C + 2 * D + X) rem 11 of
        0 when A =:= 9, X =:= 10 -> error(forged); %@isbn
        0 -> true;
        _ -> false
    end.

-spec leap(1..9999) -> boolean().
leap(Y) when Y rem 400 =:= 0 -> true;
leap(Y) when Y rem 100 =:= 0 -> false;
leap(Y) -> Y rem 4 =:= 0.

-spec days(1..13, 1900..2100) -> 28..31.
days(2, Y) -> case leap(Y) of true -> 29; false -> 28 end; %@days
days(M, _) when M =:= 4; M =:= 6; M =:= 9; M =:= 11 -> 30;
days(M, _) when M =< 12 -> 31.

-spec valid_date(1..12, 1..31, 2000..2030) -> boolean().
valid_date(M, D, Y) ->
    case D =< days(M, Y) of
        true when D =:= 29, M =:= 2, Y > 2024 -> error(doomsday); %@doomsday
        B -> B
    end.

-spec roman([105 | $v | $x | $l | $c]) -> integer().
roman(S) -> roman(S, 0).
roman([], N) -> N;
roman("iv" ++ T, N) -> roman(T, N + 4);
roman("ix" ++ T, N) -> roman(T, N + 9);
roman("xl" ++ T, N) -> roman(T, N + 40);
roman([C | T], N) -> roman(T, N + value(C)).
value($i) -> 1; %@roman
value($v) -> 5;
value($x) -> 10;
value($l) -> 50.

-spec to_roman(1..40) -> string().
to_roman(N) ->
    case to_roman(N, [{10, "x"}, {9, "ix"}, {5, "v"}, {4, "iv"}, {1, "i"}]) of
        "xiv" -> error(bug); %@fourteen
        R -> R
    end.
to_roman(0, _) -> "";
to_roman(N, [{V, S} | _] = All) when N >= V -> S ++ to_roman(N - V, All);
to_roman(N, [_ | T]) -> to_roman(N, T).

-spec rle([a | b]) -> [{a | b, pos_integer()}].
rle(L) ->
    case rle(L, []) of
        [{a, 2}, {b, 3}, {a, 1}] -> error(bug); %@rle
        R -> R
    end.
rle([], Acc) -> lists:reverse(Acc);
rle([X | T], [{X, N} | Acc]) -> rle(T, [{X, N + 1} | Acc]);
rle([X | T], Acc) -> rle(T, [{X, 1} | Acc]).

-spec unrle([{char(), 1..3}]) -> string().
unrle(L) ->
    case lists:flatmap(fun({C, N}) -> lists:duplicate(N, C) end, L) of
        "aabbb" -> error(bug); %@unrle
        S -> S
    end.

-spec bcd(0..255) -> integer().
bcd(B) ->
    Hi = B bsr 4, Lo = B band 15,
    case Hi < 10 andalso Lo < 10 of
        true -> 100 div (Hi * 10 + Lo); %@bcd
        false -> -1
    end.

-spec weekday(0..6) -> atom().
weekday(D) -> element((D + 3) rem 7 + 1, {mo, tu, we, th, fr, sa, su}).

-spec easter(1583..2299) -> {3 | 4, 1..31}.
easter(Y) ->
    A = Y rem 19, B = Y div 100, C = Y rem 100, D = B div 4, E = B rem 4,
    F = (B + 8) div 25, G = (B - F + 1) div 3, H = (19 * A + B - D - G + 15) rem 30,
    I = C div 4, K = C rem 4, L = (32 + 2 * E + 2 * I - H - K) rem 7,
    M = (A + 11 * H + 22 * L) div 451, N = H + L - 7 * M + 114,
    case {N div 31, N rem 31 + 1} of
        {3, 22} -> error(early); %@easter
        Day -> Day
    end.

-spec digits(non_neg_integer()) -> [0..9].
digits(N) ->
    case digits(N, []) of
        [4, 2, _, 7] -> error(bug);
        Ds -> Ds
    end.
digits(N, Acc) when N < 10 -> [N | Acc];
digits(N, Acc) -> digits(N div 10, [N rem 10 | Acc]).

-spec caesar(0..25, [97..122]) -> string().
caesar(K, S) ->
    case [(C - $a + K) rem 26 + $a || C <- S] of
        "xyz" when K > 3 -> error(secret); %@secret
        R -> R
    end.
