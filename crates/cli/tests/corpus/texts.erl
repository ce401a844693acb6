%% Readers of text in binaries: UTF-8, JSON-like values, base64-like letters, numbers of variable length.
%? binaries
%! snowman/1 crash error:bug@snowman
%! utf16/1 crash error:bug@utf16
%! json/1 crash error:bug@json
%! base64/1 crash error:bug@base64
%! varint/1 crash error:bug@varint
%! key/1 crash error:bug@key
%! digits/1 crash error:bug@digits
%! csv/1 crash error:bug@csv
%! encoded/1 crash error:bug@encoded
-module(texts).
-export([snowman/1, utf16/1, json/1, base64/1, varint/1, key/1, digits/1, csv/1, encoded/1]).

-spec snowman(binary()) -> non_neg_integer().
snowman(<<16#2603/utf8, 16#1F600/utf8, _/binary>>) -> error(bug); %@snowman
snowman(<<_/utf8, Rest/binary>>) -> 1 + snowman(Rest);
snowman(_) -> 0.

-spec utf16(binary()) -> integer().
utf16(<<C/utf16-little, Rest/binary>>) when C > 16#FFFF ->
    case Rest of
        <<C/utf16-little>> -> error(bug); %@utf16
        _ -> C
    end;
utf16(_) -> 0.

%% Arrays of digits and true: [1,true,[2]].
-spec json(binary()) -> {ok, term()} | error.
json(Text) ->
    case value(Text) of
        {[_, true | _], <<>>} -> error(bug); %@json
        {Value, <<>>} -> {ok, Value};
        _ -> error
    end.

value(<<"true", Rest/binary>>) -> {true, Rest};
value(<<"[]", Rest/binary>>) -> {[], Rest};
value(<<"[", Rest/binary>>) -> items(Rest, []);
value(<<D, Rest/binary>>) when D >= $0, D =< $9 -> {D - $0, Rest};
value(_) -> error.

items(Text, Acc) ->
    case value(Text) of
        {Value, <<",", Rest/binary>>} -> items(Rest, [Value | Acc]);
        {Value, <<"]", Rest/binary>>} -> {lists:reverse(Acc, [Value]), Rest};
        _ -> error
    end.

-spec base64(binary()) -> binary().
base64(Text) ->
    case << <<(letter(C)):6>> || <<C>> <= Text >> of
        <<"Hi!">> -> error(bug); %@base64
        Bits -> << <<B>> || <<B>> <= Bits >>
    end.

letter(C) when C >= $A, C =< $Z -> C - $A;
letter(C) when C >= $a, C =< $z -> C - $a + 26;
letter(C) when C >= $0, C =< $9 -> C - $0 + 52;
letter($+) -> 62;
letter(_) -> 63.

%% Seven bits a byte, the least first.
-spec varint(binary()) -> integer().
varint(Bytes) ->
    case varint(Bytes, 0, 0) of
        {300, <<>>} -> error(bug); %@varint
        {N, _} -> N;
        error -> -1
    end.

varint(<<1:1, N:7, Rest/binary>>, Shift, Acc) when Shift < 28 -> varint(Rest, Shift + 7, Acc bor (N bsl Shift));
varint(<<0:1, N:7, Rest/binary>>, Shift, Acc) -> {Acc bor (N bsl Shift), Rest};
varint(_, _, _) -> error.

-spec key(binary()) -> ok | not_found.
key(Line) ->
    case binary:split(Line, <<"=">>) of
        [<<"mode">>, <<"x", _/binary>>] -> error(bug); %@key
        [_, _] -> ok;
        [_] -> not_found
    end.

-spec digits(binary()) -> integer().
digits(Text) ->
    case number(binary_to_list(Text), 0) of
        407 -> error(bug); %@digits
        N -> N
    end.

number([D | Rest], N) when D >= $0, D =< $9 -> number(Rest, N * 10 + D - $0);
number(_, N) -> N.

-spec csv(binary()) -> non_neg_integer().
csv(Line) ->
    Fields = binary:split(Line, <<",">>, [global]),
    case [byte_size(F) || F <- Fields] of
        [1, 0, 2] -> error(bug); %@csv
        Sizes -> length(Sizes)
    end.

%% A name written as UTF-8 has a certain form.
-spec encoded([char()]) -> binary().
encoded(Name) ->
    case << <<C/utf8>> || C <- Name, C < 16#D800 >> of
        <<16#C3, 16#A9, 16#E2, _/binary>> -> error(bug); %@encoded
        Text -> Text
    end.
