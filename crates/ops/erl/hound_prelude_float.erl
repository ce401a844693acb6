%% Operations of `erlang` between text and floats, in Erlang: what a symbolic run explores in their place.
%%
%% A text is read as an integer and a power of ten, of which the machine makes the float; a float is written digit by
%% digit of the integer that it is with so many digits behind its point.
-module(hound_prelude_float).

-export([list_to_float/1, binary_to_float/1, at/2]).
-export([float_to_list/1, float_to_list/2, float_to_binary/1, float_to_binary/2]).

-compile({no_auto_import, [list_to_float/1, binary_to_float/1]}).
-compile({no_auto_import, [float_to_list/1, float_to_list/2, float_to_binary/1, float_to_binary/2]}).

%% A zero ends the text for the VM, which wants bytes behind it nevertheless: such lists are left to it.
list_to_float(Text) ->
    case at(fun character/1, Text) of
        {Float, []} -> Float;
        {_, [0 | _]} -> held_list_to_float(Text);
        _ -> erlang:list_to_float(Text)
    end.

held_list_to_float(Text) -> erlang:list_to_float(Text).

character([C | Rest]) when is_integer(C) -> {C, Rest};
character(_) -> none.

binary_to_float(Text) ->
    case is_binary(Text) andalso at(fun byte/1, Text) of
        {Float, <<>>} -> Float;
        {Float, <<0, _/binary>>} -> Float;
        _ -> erlang:binary_to_float(Text)
    end.

byte(<<C, Rest/binary>>) -> {C, Rest};
byte(_) -> none.

%% The float at the front of a text, and what follows it; `none` if there is none, and what else a character is not.
at(Next, Text) ->
    case Next(Text) of
        {$-, Rest} -> negative(unsigned(Next, Rest));
        {$+, Rest} -> unsigned(Next, Rest);
        other -> other;
        _ -> unsigned(Next, Text)
    end.

unsigned(Next, Text) ->
    case digits(Next, Text, 0, 0) of
        {Whole, _, Rest} ->
            case Next(Rest) of
                {C, Behind} when C =:= $.; C =:= $, -> fraction(Next, digits(Next, Behind, Whole, 0));
                other -> other;
                _ -> none
            end;
        Other -> Other
    end.

fraction(Next, {Number, Places, Rest}) ->
    case exponent(Next, Rest) of
        other -> other;
        {Power, Behind} -> valued(hound_prelude:decimal(Number, Power - Places), Behind)
    end;
fraction(_, Other) -> Other.

valued(none, _) -> none;
valued(Float, Rest) -> {Float, Rest}.

%% What looks like an exponent but has no digits is none.
exponent(Next, Text) ->
    case Next(Text) of
        {E, Rest} when E =:= $e; E =:= $E -> exponent(Next, Text, Next(Rest), Rest);
        other -> other;
        _ -> {0, Text}
    end.

exponent(_, _, other, _) -> other;
exponent(Next, Text, {$-, Rest}, _) -> exponent_of(-1, Text, digits(Next, Rest, 0, 0));
exponent(Next, Text, {$+, Rest}, _) -> exponent_of(1, Text, digits(Next, Rest, 0, 0));
exponent(Next, Text, _, Rest) -> exponent_of(1, Text, digits(Next, Rest, 0, 0)).

exponent_of(Sign, _, {Power, _, Rest}) -> {Sign * Power, Rest};
exponent_of(_, Text, none) -> {0, Text};
exponent_of(_, _, other) -> other.

%% The number that at least one digit makes after those before, how many they are, and what follows them.
digits(Next, Text, Number, Count) ->
    case Next(Text) of
        {C, Rest} when C >= $0, C =< $9 -> digits(Next, Rest, Number * 10 + (C - $0), Count + 1);
        other -> other;
        _ when Count =:= 0 -> none;
        _ -> {Number, Count, Text}
    end.

negative({Float, Rest}) -> {-Float, Rest};
negative(Other) -> Other.

float_to_list(Float) ->
    case is_float(Float) of
        true -> scientific(Float, 20);
        false -> erlang:float_to_list(Float)
    end.

float_to_list(Float, Options) ->
    Known = hound_prelude:held({erlang, float_to_list, 2}, Options),
    case is_float(Float) andalso notation(Known, {scientific, 20}, false) of
        false -> erlang:float_to_list(Float, Known);
        none -> held_float_to_list(Float, Known);
        Notation ->
            case written(Float, Notation) of
                none -> erlang:float_to_list(Float, Known);
                Text -> Text
            end
    end.

held_float_to_list(Float, Options) -> erlang:float_to_list(Float, Options).

float_to_binary(Float) ->
    case is_float(Float) of
        true -> hound_prelude_erlang:from_bytes(scientific(Float, 20));
        false -> erlang:float_to_binary(Float)
    end.

float_to_binary(Float, Options) ->
    Known = hound_prelude:held({erlang, float_to_binary, 2}, Options),
    case is_float(Float) andalso notation(Known, {scientific, 20}, false) of
        false -> erlang:float_to_binary(Float, Known);
        none -> held_float_to_binary(Float, Known);
        Notation ->
            case written(Float, Notation) of
                none -> erlang:float_to_binary(Float, Known);
                Text -> hound_prelude_erlang:from_bytes(Text)
            end
    end.

held_float_to_binary(Float, Options) -> erlang:float_to_binary(Float, Options).

%% The last option that names a notation decides; what is unusual is left to the VM.
notation([compact | Rest], Notation, _) -> notation(Rest, Notation, true);
notation([short | Rest], _, Compact) -> notation(Rest, short, Compact);
notation([{Name, Digits} = Notation | Rest], _, Compact)
  when Name =:= decimals orelse Name =:= scientific, is_integer(Digits), Digits >= 0, Digits =< 200 ->
    notation(Rest, Notation, Compact);
notation([], {decimals, Digits}, Compact) -> {decimals, Digits, Compact};
notation([], Notation, _) -> Notation;
notation(_, _, _) -> none.

written(Float, short) -> shortest(Float);
written(Float, {scientific, Digits}) -> scientific(Float, Digits);
written(Float, {decimals, Digits, Compact}) -> decimal(Float, Digits, Compact).

%% The text of the sign, which a zero has, too, and the float without it.
split(Float) when Float < 0.0 -> {"-", -Float};
split(Float) when Float > 0.0 -> {"", Float};
split(Float) ->
    case <<Float/float>> of
        <<1:1, _:63>> -> {"-", 0.0};
        _ -> {"", 0.0}
    end.

scientific(Float, Digits) ->
    {Sign, Size} = split(Float),
    Exponent =
        case Size == 0.0 of
            true -> 0;
            false ->
                Most = power(10, Digits + 1),
                least(fun(E) -> hound_prelude:scaled(Size, Digits - E) < Most end)
        end,
    Number = hound_prelude:scaled(Size, Digits - Exponent),
    Sign ++ pointed(characters(Number, Digits + 1)) ++ "e" ++ exponent_text(Exponent).

pointed([First]) -> [First];
pointed([First | Rest]) -> [First, $. | Rest].

exponent_text(E) when E < 0 -> [$- | two(-E)];
exponent_text(E) -> [$+ | two(E)].

two(E) when E < 10 -> [$0, $0 + E];
two(E) -> integer_to_list(E).

power(Base, N) -> power(Base, N, 1).

power(_, 0, Power) -> Power;
power(Base, N, Power) -> power(Base, N - 1, Power * Base).

%% So many characters of a number that has no more digits.
characters(Number, Count) -> characters(Number, Count, 1, []).

characters(_, 0, _, Text) -> Text;
characters(Number, 1, Power, Text) -> [$0 + Number div Power | Text];
characters(Number, Count, Power, Text) ->
    characters(Number, Count - 1, Power * 10, [$0 + Number div Power rem 10 | Text]).

%% The least integer that is so. It is one from there on, and is looked for from zero on in both directions.
least(IsSo) ->
    case IsSo(0) of
        true -> below(IsSo, 0, 1);
        false -> above(IsSo, 0, 1)
    end.

below(IsSo, High, Step) ->
    case IsSo(High - Step) of
        true -> below(IsSo, High - Step, Step * 2);
        false -> between(IsSo, High - Step, High)
    end.

above(IsSo, Low, Step) ->
    case IsSo(Low + Step) of
        true -> between(IsSo, Low, Low + Step);
        false -> above(IsSo, Low + Step, Step * 2)
    end.

between(_, Low, High) when High - Low =:= 1 -> High;
between(IsSo, Low, High) ->
    Middle = (Low + High) div 2,
    case IsSo(Middle) of
        true -> between(IsSo, Low, Middle);
        false -> between(IsSo, Middle, High)
    end.

%% The longest text that the VM makes has 255 characters. Of a large whole number it takes zeros away though they are
%% not behind a point.
decimal(Float, Digits, Compact) ->
    {Sign, Size} = split(Float),
    IsLarge = Size > 9007199254740992.0,
    {Whole, Fraction} = decimals(IsLarge, Size, Digits),
    case length(Sign) + length(Whole) + length(Fraction) + min(Digits, 1) =< 255 of
        false -> none;
        true when Compact, IsLarge, Digits =:= 0 -> Sign ++ stripped(lists:reverse(Whole));
        true when Digits =:= 0 -> Sign ++ Whole;
        true when Compact, IsLarge -> Sign ++ Whole ++ ".0";
        true when Compact -> Sign ++ Whole ++ [$. | compact(stripped(lists:reverse(Fraction)))];
        true -> Sign ++ Whole ++ [$. | Fraction]
    end.

%% What is large is whole. Few digits of what is not the VM scales in floating point.
decimals(true, Size, Digits) -> {whole(trunc(Size)), lists:duplicate(Digits, $0)};
decimals(false, Size, 0) -> {whole(round(Size)), []};
decimals(false, Size, Digits) when Digits =< 18 ->
    Whole = trunc(Size),
    Unit = power(10, Digits),
    case round((Size - Whole) * float(Unit)) of
        Fraction when Fraction >= Unit -> {whole(Whole + 1), lists:duplicate(Digits, $0)};
        Fraction -> {whole(Whole), characters(Fraction, Digits)}
    end;
decimals(false, Size, Digits) ->
    Number = hound_prelude:scaled(Size, Digits),
    Unit = power(10, Digits),
    {whole(Number div Unit), characters(Number rem Unit, Digits)}.

whole(Number) -> hound_prelude_convert:integer_to_list(Number).

%% Without the zeros at the front, and turned round.
stripped([$0 | Rest]) -> stripped(Rest);
stripped(Text) -> lists:reverse(Text).

compact([]) -> "0";
compact(Text) -> Text.

shortest(Float) ->
    case split(Float) of
        {Sign, Size} when Size == 0.0 -> Sign ++ "0.0";
        {Sign, Size} -> Sign ++ shortest(Size, shortest_digits(Float), hound_prelude:power(Float))
    end.

shortest_digits(Float) when Float < 0.0 -> -hound_prelude:digits(Float);
shortest_digits(Float) -> hound_prelude:digits(Float).

shortest(Size, Number, Power) ->
    Count = least(fun(C) -> Number < power(10, C) end),
    Exponent = least(fun(P) -> Power =< P end) + Count - 1,
    Text = characters(Number, Count),
    Scientific = pointed_zero(Text, 1) ++ [$e | integer_to_list(Exponent)],
    case Size >= 9007199254740992.0 of
        true -> Scientific;
        false -> shorter(plain(Text, Count, Exponent), Scientific)
    end.

shorter(Decimal, Scientific) ->
    case length(Decimal) =< length(Scientific) of
        true -> Decimal;
        false -> Scientific
    end.

plain(Text, _, Exponent) when Exponent < 0 -> "0." ++ lists:duplicate(-Exponent - 1, $0) ++ Text;
plain(Text, Count, Exponent) when Count =< Exponent + 1 ->
    Text ++ lists:duplicate(Exponent + 1 - Count, $0) ++ ".0";
plain(Text, _, Exponent) -> pointed_zero(Text, Exponent + 1).

%% A point behind so many characters, and a zero behind it if nothing else is.
pointed_zero(Text, Place) ->
    case lists:split(Place, Text) of
        {Whole, []} -> Whole ++ ".0";
        {Whole, Rest} -> Whole ++ [$. | Rest]
    end.
