%% Operations of `string` that look into their arguments, in Erlang: what a symbolic run explores in their place.
%%
%% The library takes the characters of a number by comparing each with every one that may stand in it. Here it is asked
%% for in ranges, as long as plain characters follow each other; all else is left to the library.
-module(hound_prelude_string).

-export([list_to_float/1, list_to_integer/1, to_float/1, to_integer/1]).

to_integer(Text) ->
    case signed(Text) of
        {Sign, Digits} ->
            case next(Digits) of
                {C, Rest} when C >= $0, C =< $9 -> integer(Text, Rest, Sign, C - $0);
                {_, _} -> {error, no_integer};
                none -> {error, no_integer};
                _ -> string:to_integer(Text)
            end;
        _ -> string:to_integer(Text)
    end.

integer(Text, Rest, Sign, Number) ->
    case next(Rest) of
        {C, More} when C >= $0, C =< $9 -> integer(Text, More, Sign, Number * 10 + C - $0);
        {C, _} when C =/= $+, C =/= $- -> {Sign * Number, Rest};
        none -> {Sign * Number, Rest};
        _ -> string:to_integer(Text)
    end.

signed(Text) ->
    case next(Text) of
        {$-, Rest} -> {-1, Rest};
        {$+, Rest} -> {1, Rest};
        other -> other;
        _ -> {1, Text}
    end.

%% A character that stands for itself, and what follows it; `none` at the end.
next([C | Rest]) when is_integer(C), C >= 0, C < 256 ->
    case Rest of
        [] -> {C, Rest};
        [Next | _] when is_integer(Next), Next >= 0, Next < 256 -> {C, Rest};
        _ -> other
    end;
next([]) -> none;
next(<<C/utf8, Rest/binary>>) when C < 256 ->
    case Rest of
        <<>> -> {C, Rest};
        <<Next/utf8, _/binary>> when Next < 256 -> {C, Rest};
        _ -> other
    end;
next(<<>>) -> none;
next(_) -> other.

%% The library takes all characters that may stand in a float before it reads one: what follows them counts, too.
to_float(Text) ->
    case float_at(fun next/1, Text) of
        other -> string:to_float(Text);
        none ->
            case is_taken(Text) of
                true -> {error, no_float};
                false -> string:to_float(Text)
            end;
        {_, Rest} = Found ->
            case next(Rest) of
                none -> Found;
                {C, _} when C >= $0, C =< $9; C =:= $+; C =:= $-; C =:= $.; C =:= $,; C =:= $e; C =:= $E ->
                    string:to_float(Text);
                {_, _} -> Found;
                other -> string:to_float(Text)
            end
    end.

%% Whether the characters at the front that may stand in a float are followed by a plain one, or by nothing.
is_taken(Text) ->
    case next(Text) of
        {C, Rest} when C >= $0, C =< $9; C =:= $+; C =:= $-; C =:= $.; C =:= $,; C =:= $e; C =:= $E -> is_taken(Rest);
        {_, _} -> true;
        none -> true;
        other -> false
    end.

list_to_float(Text) when is_list(Text) ->
    case float_at(fun first/1, Text) of
        none -> {error, no_float};
        Found -> Found
    end;
list_to_float(_) -> {error, not_a_list}.

first([C | Rest]) when is_integer(C) -> {C, Rest};
first(_) -> none.

%% The float at the front of a text, and what follows it.
float_at(Next, Text) ->
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
exponent(Next, Text, {$-, Rest}, _) -> power(-1, Text, digits(Next, Rest, 0, 0));
exponent(Next, Text, {$+, Rest}, _) -> power(1, Text, digits(Next, Rest, 0, 0));
exponent(Next, Text, _, Rest) -> power(1, Text, digits(Next, Rest, 0, 0)).

power(Sign, _, {Power, _, Rest}) -> {Sign * Power, Rest};
power(_, Text, none) -> {0, Text};
power(_, _, other) -> other.

%% The number that at least one digit makes after those before, how many they are, and what follows them.
digits(Next, Text, Number, Count) ->
    case Next(Text) of
        {C, Rest} when C >= $0, C =< $9 -> digits(Next, Rest, Number * 10 + (C - $0), Count + 1);
        other -> other;
        _ when Count =:= 0 -> none;
        _ -> {Number, Count, Text}
    end.

list_to_integer([$- | Digits]) -> negative(whole(Digits));
list_to_integer([$+ | Digits]) -> whole(Digits);
list_to_integer(Text) when is_list(Text) -> whole(Text);
list_to_integer(_) -> {error, not_a_list}.

negative({Number, Rest}) when is_number(Number) -> {-Number, Rest};
negative(Error) -> Error.

whole(Text) -> whole(Text, none).

whole([C | Rest] = Text, Number) ->
    case {digit(C), Number} of
        {none, none} -> {error, no_integer};
        {none, _} -> {Number, Text};
        {Digit, none} -> whole(Rest, Digit);
        {Digit, _} -> whole(Rest, Number * 10 + Digit)
    end;
whole(_, none) -> {error, no_integer};
whole(Rest, Number) -> {Number, Rest}.

%% Of an integer that is no byte the VM looks at the last one only, if it is a small integer.
digit(C) when is_integer(C), C >= $0, C =< $9 -> C - $0;
digit(C) when is_integer(C), C >= 0, C < 256 -> none;
digit(C) when is_integer(C), C >= -(1 bsl 59), C < 1 bsl 59, C band 255 >= $0, C band 255 =< $9 -> C band 255 - $0;
digit(_) -> none.
