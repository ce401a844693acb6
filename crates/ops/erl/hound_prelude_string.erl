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

%% The library takes all characters that may stand in a float before it reads one. Those behind it count only where they
%% are no characters, or join the one before them: that is left to it.
to_float(Text) when is_list(Text) ->
    case hound_prelude:is_text(Text) andalso hound_prelude_float:at(fun single/1, Text) of
        {_, _} = Found -> Found;
        none -> {error, no_float};
        _ -> held_to_float(Text)
    end;
to_float(Text) ->
    case hound_prelude_float:at(fun next/1, Text) of
        other -> held_to_float(Text);
        Found ->
            case {is_taken(Text), Found} of
                {true, none} -> {error, no_float};
                {true, _} -> Found;
                {false, _} -> held_to_float(Text)
            end
    end.

held_to_float(Text) -> string:to_float(hound_prelude:held({string, to_float, 1}, Text)).

%% A character of a text that nothing joins, and what follows it.
single([C | Rest]) when C < 768 ->
    case Rest of
        [] -> {C, Rest};
        [Next | _] when Next < 768 -> {C, Rest};
        _ -> other
    end;
single([]) -> none;
single(_) -> other.

%% True if the characters at the front, and all that may stand in a float, are followed by a plain one, or by nothing.
is_taken(Text) ->
    case next(Text) of
        {C, Rest} when C >= $+, C =< $e -> is_taken(Rest);
        {_, _} -> true;
        none -> true;
        other -> false
    end.

list_to_float(Text) when is_list(Text) ->
    case hound_prelude_float:at(fun first/1, Text) of
        none -> {error, no_float};
        Found -> Found
    end;
list_to_float(_) -> {error, not_a_list}.

first([C | Rest]) when is_integer(C) -> {C, Rest};
first(_) -> none.

list_to_integer([$- | Digits]) -> negative(whole(Digits));
list_to_integer([$+ | Digits]) -> whole(Digits);
list_to_integer(Text) when is_list(Text) -> whole(Text);
list_to_integer(_) -> {error, not_a_list}.

negative({Number, Rest}) when is_integer(Number) -> {-Number, Rest};
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
