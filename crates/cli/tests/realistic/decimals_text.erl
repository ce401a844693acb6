%% Numbers as text: decimals, roman numerals, hexadecimal dumps, version strings.
%! decimal/1 bug error:badarg@fraction
%! decimal/1 declared error:{not_a_number,_}@not_a_number
%! roman/1 bug error:function_clause@roman
%! from_roman/1 bug error:function_clause@letter
%! version/1 bug error:{badmatch,_}@version
%! newer/2 bug error:function_clause@newer
%! round_to/2 bug error:badarith@power
%! checksum/1 bug error:badarith@checksum
-module(decimals_text).
-export([decimal/1, roman/1, from_roman/1, version/1, newer/2, round_to/2, checksum/1]).

-spec decimal(string()) -> {integer(), non_neg_integer()}.
decimal([]) -> error({not_a_number, []}); %@not_a_number
decimal(Text) ->
    case string:split(Text, ".") of
        [Whole, Fraction] ->
            check(Whole),
            {list_to_integer(Whole ++ Fraction), length(Fraction)}; %@fraction
        [Whole] ->
            check(Whole),
            {list_to_integer(Whole), 0}
    end.

check(Digits) ->
    case lists:all(fun(C) -> C >= $0 andalso C =< $9 end, Digits) andalso Digits =/= [] of
        true -> ok;
        false -> error({not_a_number, Digits})
    end.

-spec roman(integer()) -> string().
roman(0) -> ""; %@roman
roman(N) when N >= 100 -> [$C | roman(N - 100)];
roman(N) when N >= 50 -> [$L | roman(N - 50)];
roman(N) when N >= 10 -> [$X | roman(N - 10)];
roman(N) when N >= 5 -> [$V | roman(N - 5)];
roman(N) when N >= 1 -> [$I | roman(N - 1)].

-spec from_roman([$I | $V | $X | $L | $C | $D]) -> non_neg_integer().
from_roman([]) -> 0;
from_roman([Letter]) -> letter(Letter);
from_roman([A, B | Rest]) ->
    case letter(A) < letter(B) of
        true -> letter(B) - letter(A) + from_roman(Rest);
        false -> letter(A) + from_roman([B | Rest])
    end.

letter($I) -> 1; %@letter
letter($V) -> 5;
letter($X) -> 10;
letter($L) -> 50;
letter($C) -> 100.

-spec version(string()) -> {integer(), integer(), integer()}.
version(Text) ->
    [Major, Minor, Patch] = [part(Part) || Part <- string:lexemes(Text, ".")], %@version
    {Major, Minor, Patch}.

part(Part) ->
    case string:to_integer(Part) of
        {error, _} -> 0;
        {N, _} -> N
    end.

-spec newer([non_neg_integer()], [non_neg_integer()]) -> boolean().
newer([A | _], [B | _]) when A > B -> true; %@newer
newer([A | _], [B | _]) when A < B -> false;
newer([_ | As], [_ | Bs]) -> newer(As, Bs);
newer([], []) -> false.

-spec round_to(integer(), non_neg_integer()) -> integer().
round_to(N, Step) -> (N + Step div 2) div Step * Step. %@power

%% @doc Luhn's sum, in percent of the length.
-spec checksum([0..9]) -> integer().
checksum(Digits) -> luhn(Digits, 0) * 100 div length(Digits). %@checksum

luhn([], Sum) -> Sum;
luhn([D], Sum) -> Sum + D;
luhn([D, E | Rest], Sum) -> luhn(Rest, Sum + D + (E * 2) rem 9).
