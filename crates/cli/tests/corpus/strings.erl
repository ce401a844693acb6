%% Readers of strings: numbers with units, configuration lines, JSON-like values, versions, paths, templates.
%? text
%! units/1 crash error:bug@units
%! json/1 crash error:bug@json
%! config/1 crash error:bug@config
%! csv/1 crash error:bug@csv
%! roman/1 crash error:bug@roman
%! path/1 crash error:bug@path
%! identifier/1 crash error:bug@identifier
%! version/1 crash error:bug@version
%! hex/1 crash error:bug@hex error:badarg@reading
%! based/2 crash error:bug@based error:badarg@based_reading
%! template/1 crash error:bug@template
%! tokens/1 crash error:bug@tokens
%! trimmed/1 crash error:bug@trimmed
%! number/1 crash error:bug@number
%! same_word/1 crash error:bug@same_word
%! header/1 crash error:bug@header
%! padded/1 crash error:bug@padded
%! greeting/1 crash error:bug@greeting
%! sliced/1 crash error:bug@sliced
%! text_of/1 crash error:bug@text_of complete
%! upper_is_upper/1 safe
%! digits_are_digits/1 safe
-module(strings).
-export([units/1, json/1, config/1, csv/1, roman/1, path/1, identifier/1, version/1, hex/1, based/2, template/1]).
-export([tokens/1, trimmed/1, number/1, same_word/1, header/1, padded/1, greeting/1, sliced/1, text_of/1]).
-export([upper_is_upper/1, digits_are_digits/1]).

%% "12kb" is 12288.
-spec units(string()) -> integer() | error.
units(Text) ->
    case string:to_integer(Text) of
        {error, _} -> error;
        {Number, "kb"} -> Number * 1024;
        {Number, "m"} when Number > 7, Number rem 5 =:= 3 -> error(bug); %@units
        {Number, ""} -> Number;
        _ -> error
    end.

%% Arrays of digits and true: [1,true,[2]].
-spec json(string()) -> {ok, term()} | error.
json(Text) ->
    case value(Text) of
        {[_, true | _], ""} -> error(bug); %@json
        {Value, ""} -> {ok, Value};
        _ -> error
    end.

value("true" ++ Rest) -> {true, Rest};
value("[]" ++ Rest) -> {[], Rest};
value([$[ | Rest]) -> items(Rest, []);
value([D | Rest]) when D >= $0, D =< $9 -> {D - $0, Rest};
value(_) -> error.

items(Text, Acc) ->
    case value(Text) of
        {Value, [$, | Rest]} -> items(Rest, [Value | Acc]);
        {Value, [$] | Rest]} -> {lists:reverse(Acc, [Value]), Rest};
        _ -> error
    end.

%% "key = value", comments after "#".
-spec config(string()) -> {string(), string()} | none.
config(Line) ->
    [Text | _] = string:split(Line, "#"),
    case string:split(Text, "=") of
        [Key, Value] ->
            case {string:trim(Key, trailing, " "), string:trim(Value, leading, " ")} of
                {"p", [$1 | _]} -> error(bug); %@config
                Pair -> Pair
            end;
        _ -> none
    end.

-spec csv(string()) -> [string()].
csv(Line) ->
    case string:split(Line, ",", all) of
        [_, "", "x"] -> error(bug); %@csv
        Cells -> Cells
    end.

-spec roman(string()) -> integer().
roman(Text) ->
    case sum(Text) of
        14 -> error(bug); %@roman
        Sum -> Sum
    end.

sum([A, B | Rest]) ->
    case {digit(A), digit(B)} of
        {X, Y} when X < Y -> Y - X + sum(Rest);
        {X, _} -> X + sum([B | Rest])
    end;
sum([A]) -> digit(A);
sum([]) -> 0.

digit($I) -> 1;
digit($V) -> 5;
digit($X) -> 10;
digit(_) -> 0.

%% "/a/b" in its parts.
-spec path(string()) -> [string()].
path(Path) ->
    case string:lexemes(Path, "/") of
        ["a", ".." | _] -> error(bug); %@path
        Parts -> Parts
    end.

%% Names of variables, in either case.
-spec identifier(string()) -> boolean().
identifier([First | Rest] = Name) when First >= $A, First =< $Z ->
    case string:lowercase(Name) of
        "if" -> error(bug); %@identifier
        _ -> lists:all(fun(C) -> C >= $a andalso C =< $z end, Rest)
    end;
identifier(_) -> false.

%% "1.7" against 1.6.
-spec version(string()) -> older | newer | same | error.
version(Text) ->
    case [string:to_integer(Part) || Part <- string:split(Text, ".")] of
        [{1, ""}, {X, ""}] when X > 6 -> error(bug); %@version
        [{Major, ""}, {Minor, ""}] when {Major, Minor} < {1, 6} -> older;
        [{Major, ""}, {Minor, ""}] when {Major, Minor} > {1, 6} -> newer;
        [{1, ""}, {6, ""}] -> same;
        _ -> error
    end.

-spec hex(string()) -> integer().
hex(Text) ->
    case list_to_integer(Text, 16) of %@reading
        16#FE -> error(bug); %@hex
        Number -> Number
    end.

-spec based(string(), 2..36) -> integer().
based(Text, Base) ->
    case list_to_integer(Text, Base) of %@based_reading
        99 when Base > 11, Base < 14 -> error(bug); %@based
        Number -> Number
    end.

%% Puts a name for "$".
-spec template(string()) -> string().
template(Text) ->
    case lists:flatten(string:replace(Text, "$", "me")) of
        "a me" -> error(bug); %@template
        Done -> Done
    end.

-spec tokens(string()) -> [term()].
tokens(Text) ->
    case [token(Word) || Word <- string:lexemes(Text, " ")] of
        [plus, {number, A}] when A > 7 -> error(bug); %@tokens
        Tokens -> Tokens
    end.

token("+") -> plus;
token(Word) ->
    case string:to_integer(Word) of
        {Number, ""} when is_integer(Number) -> {number, Number};
        _ -> {word, Word}
    end.

-spec trimmed(string()) -> string().
trimmed(Text) ->
    case string:trim(Text) of
        "x" when hd(Text) =:= $\t -> error(bug); %@trimmed
        Word -> Word
    end.

%% A whole number in a binary.
-spec number(binary()) -> integer() | error.
number(Text) ->
    try binary_to_integer(Text) of
        -42 -> error(bug); %@number
        Number -> Number
    catch
        error:badarg -> error
    end.

-spec same_word(string()) -> boolean().
same_word(Text) ->
    case string:equal(Text, "Yes", true) of
        true when Text =/= "Yes", Text =/= "yes" -> error(bug); %@same_word
        Same -> Same
    end.

%% "Name: value" in a binary.
-spec header(binary()) -> {binary(), binary()} | none.
header(Line) ->
    case string:split(Line, ":") of
        [Name, Value] ->
            try string:lowercase(Name) of
                <<"te">> when Value =:= <<"x">> -> error(bug); %@header
                Lower -> {Lower, Value}
            catch
                error:{badarg, _} -> none
            end;
        _ -> none
    end.

-spec padded(string()) -> string().
padded(Text) ->
    case lists:flatten(string:pad(Text, 4, leading, $0)) of
        "0042" -> error(bug); %@padded
        Text4 -> Text4
    end.

-spec greeting(string()) -> string() | none.
greeting(Text) ->
    case string:prefix(Text, "hi ") of
        nomatch -> none;
        "you" -> error(bug); %@greeting
        Name -> Name
    end.

-spec sliced(string()) -> string().
sliced(Text) ->
    case string:slice(Text, 1, 2) of
        "bc" -> error(bug); %@sliced
        Part -> Part
    end.

%% Text of a number.
-spec text_of(integer()) -> string().
text_of(Number) when Number >= 0, Number < 5000 ->
    case integer_to_list(Number) of
        [A, B, B, A] when A > B -> error(bug); %@text_of
        Text -> Text
    end;
text_of(_) -> "".

-spec upper_is_upper(byte()) -> ok.
upper_is_upper(C) ->
    case string:uppercase([C]) of
        [U] when U >= $a, U =< $z -> error(unreachable);
        _ -> ok
    end.

-spec digits_are_digits(0..999) -> ok.
digits_are_digits(Number) ->
    case lists:all(fun(C) -> C >= $0 andalso C =< $9 end, integer_to_list(Number)) of
        true -> ok;
        false -> error(unreachable)
    end.
