%% Operations of `erlang` between text and numbers or atoms, in Erlang: what a symbolic run explores in their place.
%%
%% Each function gives what the operation gives. Where the operation fails, the function calls it, with the very
%% arguments it was called with, so that the exception is the operation's own; by then every test on which the failure
%% depends has been made here.
-module(hound_prelude_convert).

-export([integer_to_list/1, integer_to_list/2, list_to_integer/1, list_to_integer/2]).
-export([integer_to_binary/1, integer_to_binary/2, binary_to_integer/1, binary_to_integer/2]).
-export([list_to_atom/1, binary_to_atom/1, binary_to_atom/2, atom_to_binary/1, atom_to_binary/2]).

-compile({no_auto_import, [integer_to_list/1, integer_to_list/2, list_to_integer/1, list_to_integer/2]}).
-compile({no_auto_import, [integer_to_binary/1, integer_to_binary/2, binary_to_integer/1, binary_to_integer/2]}).
-compile({no_auto_import, [list_to_atom/1, binary_to_atom/1, binary_to_atom/2, atom_to_binary/1, atom_to_binary/2]}).

integer_to_list(Number) ->
    case is_integer(Number) of
        true -> text(Number, 10);
        false -> erlang:integer_to_list(Number)
    end.

integer_to_list(Number, Base) ->
    case is_integer(Number) andalso base(Base) of
        true -> text(Number, Base);
        false -> erlang:integer_to_list(Number, Base)
    end.

text(Number, Base) when Number < 0 -> [$- | text(-Number, Base, 1, [])];
text(Number, Base) -> text(Number, Base, 1, []).

%% The number itself is compared with the powers of the base: that asks less than what is left of it would.
text(Number, Base, Power, Text) ->
    case Number < Power * Base of
        true -> [character(Number div Power, Base) | Text];
        false -> text(Number, Base, Power * Base, [character(Number div Power rem Base, Base) | Text])
    end.

character(Digit, Base) when Base =< 10 -> $0 + Digit;
character(Digit, _) when Digit < 10 -> $0 + Digit;
character(Digit, _) -> $A + Digit - 10.

list_to_integer(Text) ->
    case number(Text, 10, list) of
        none -> erlang:list_to_integer(Text);
        Number -> Number
    end.

list_to_integer(Text, Base) ->
    case base(Base) andalso number(Text, Base, list) of
        Number when is_integer(Number) -> Number;
        _ -> erlang:list_to_integer(Text, Base)
    end.

base(Base) -> is_integer(Base) andalso Base >= 2 andalso Base =< 36.

%% A number out of the elements of a list, or out of bytes.
number([$- | Digits], Base, Of) ->
    case digits(Digits, Base, Of) of
        none -> none;
        Number -> -Number
    end;
number([$+ | Digits], Base, Of) -> digits(Digits, Base, Of);
number(Digits, Base, Of) -> digits(Digits, Base, Of).

digits([First | Rest], Base, Of) -> digits(Rest, Base, Of, digit(First, Base, Of));
digits(_, _, _) -> none.

digits(_, _, _, none) -> none;
digits([], _, _, Number) -> Number;
digits([Next | Rest], Base, Of, Number) ->
    case digit(Next, Base, Of) of
        none -> none;
        Digit -> digits(Rest, Base, Of, Number * Base + Digit)
    end;
digits(_, _, _, _) -> none.

digit(C, Base, bytes) -> digit(C, Base);
digit(C, Base, list) ->
    case digit(C, Base) of
        none -> digit(last_byte(C), Base);
        Digit -> Digit
    end.

%% Of an integer that is no byte the VM looks at the last one only, if it is a small integer.
last_byte(C) when is_integer(C), C >= 256, C < 1 bsl 59 -> C band 255;
last_byte(C) when is_integer(C), C < 0, C >= -(1 bsl 59) -> C band 255;
last_byte(_) -> none.

%% Each character is asked about no more than the base needs.
digit(C, Base) when Base =< 10, is_integer(C), C >= $0, C < $0 + Base -> C - $0;
digit(C, Base) when Base > 10, is_integer(C), C >= $0, C =< $9 -> C - $0;
digit(C, Base) when Base > 10, is_integer(C), C >= $A, C < $A + Base - 10 -> C - $A + 10;
digit(C, Base) when Base > 10, is_integer(C), C >= $a, C < $a + Base - 10 -> C - $a + 10;
digit(_, _) -> none.

integer_to_binary(Number) ->
    case is_integer(Number) of
        true -> hound_prelude_erlang:from_bytes(text(Number, 10));
        false -> erlang:integer_to_binary(Number)
    end.

integer_to_binary(Number, Base) ->
    case is_integer(Number) andalso base(Base) of
        true -> hound_prelude_erlang:from_bytes(text(Number, Base));
        false -> erlang:integer_to_binary(Number, Base)
    end.

binary_to_integer(Text) ->
    case is_binary(Text) andalso number(hound_prelude_erlang:bytes(Text), 10, bytes) of
        Number when is_integer(Number) -> Number;
        _ -> erlang:binary_to_integer(Text)
    end.

binary_to_integer(Text, Base) ->
    case is_binary(Text) andalso base(Base) andalso number(hound_prelude_erlang:bytes(Text), Base, bytes) of
        Number when is_integer(Number) -> Number;
        _ -> erlang:binary_to_integer(Text, Base)
    end.

%% What is no text fails for that, unless it is too long before its first fault.
list_to_atom(Text) ->
    case hound_prelude:is_text(Text) of
        true -> short(length(Text));
        false -> hound_prelude:is_long_text(Text, 255)
    end,
    erlang:list_to_atom(Text).

short(Length) -> Length =< 255.

binary_to_atom(Text) ->
    case is_binary(Text) andalso characters(Text, utf8) of
        Name when is_list(Name), length(Name) =< 255 -> erlang:list_to_atom(Name);
        _ -> erlang:binary_to_atom(Text)
    end.

binary_to_atom(Text, Encoding) ->
    case is_binary(Text) andalso encoding(Encoding) andalso characters(Text, Encoding) of
        Name when is_list(Name), length(Name) =< 255 -> erlang:list_to_atom(Name);
        _ -> erlang:binary_to_atom(Text, Encoding)
    end.

encoding(Encoding) -> Encoding =:= utf8 orelse Encoding =:= unicode orelse Encoding =:= latin1.

characters(Bytes, latin1) -> hound_prelude_erlang:bytes(Bytes);
characters(<<C/utf8, Rest/binary>>, Encoding) ->
    case characters(Rest, Encoding) of
        none -> none;
        Others -> [C | Others]
    end;
characters(<<>>, _) -> [];
characters(_, _) -> none.

atom_to_binary(Atom) ->
    case is_atom(Atom) of
        true -> utf8(atom_to_list(Atom), <<>>);
        false -> erlang:atom_to_binary(Atom)
    end.

atom_to_binary(Atom, Encoding) ->
    case is_atom(Atom) andalso encoding(Encoding) andalso encoded(atom_to_list(Atom), Encoding) of
        Text when is_binary(Text) -> Text;
        _ -> erlang:atom_to_binary(Atom, Encoding)
    end.

encoded(Name, latin1) ->
    case hound_prelude_erlang:joined(Name, <<>>, true) of
        none -> none;
        Text -> Text
    end;
encoded(Name, _) -> utf8(Name, <<>>).

utf8([C | Rest], Text) -> utf8(Rest, <<Text/binary, C/utf8>>);
utf8([], Text) -> Text.
