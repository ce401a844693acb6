%% Numbers as text: decimals, roman numerals, hexadecimal dumps, version strings.
%! decimal/1 bug error:badarg@fraction
%! decimal/1 declared error:{not_a_number,_}@not_a_number
%! roman/1 bug error:function_clause@roman
%! from_roman/1 bug error:function_clause@letter
%! version/1 bug error:{badmatch,_}@version
%! newer/2 bug error:function_clause@newer
%! round_to/2 bug error:badarith@power
%! checksum/1 bug error:badarith@checksum
%! scaled/1 bug error:badarg@exponent
%! real/1 bug error:badarg@real
%! signed/1 bug error:badarith@negative
%! signed/1 doubtful error:badarith@digit
%! signed/1 declared throw:not_a_number@not_signed
-module(decimals_text).
-export([decimal/1, roman/1, from_roman/1, version/1, newer/2, round_to/2, checksum/1, scaled/1, real/1, signed/1]).

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

%% A library has a clause for every letter: they are not what is of interest here.
-spec scaled(binary()) -> {number() | infinity, binary()} | error.
scaled(<<C, Word:7/binary, Rest/binary>>) when C =:= $i; C =:= $I ->
    case string:lowercase(Word) of
        <<"nfinity">> -> {infinity, Rest};
        _ -> error
    end;
scaled(Text) ->
    case digits(Text, []) of
        {[], _} -> error;
        {Digits, <<$e, Sign, Rest/binary>>} when Sign =:= $+; Sign =:= $- ->
            {Exponent, After} = digits(Rest, []),
            {list_to_integer(Digits) * math:pow(10, list_to_integer([Sign | Exponent]) rem 300), After}; %@exponent
        {Digits, Rest} -> {list_to_integer(Digits), Rest}
    end.

digits(<<C, Rest/binary>>, Digits) when C >= $0, C =< $9 -> digits(Rest, [C | Digits]);
digits(Rest, Digits) -> {lists:reverse(Digits), Rest}.

%% There are longer numbers than a float can be.
-spec real(binary()) -> float() | error.
real(Text) ->
    case digits(Text, []) of
        {[_ | _] = Digits, <<>>} -> list_to_float(Digits ++ ".0"); %@real
        _ -> error
    end.

%% What is no number has no sign either.
signed({number, Text}) ->
    case negative(Text) of
        none -> throw(not_a_number); %@not_signed
        N -> N
    end.

negative([$- | Text]) -> -positive(Text, 0); %@negative
negative(Text) -> positive(Text, 0).

positive([C | Text], N) when C >= $0, C =< $9 -> positive(Text, N * 10 + C - $0); %@digit
positive([], N) -> N;
positive(_, _) -> none.
