%% Query strings, without specs: what comes in is what a socket gave.
%! parse/1 bug error:function_clause@hex
%! page/1 bug error:badarg@page
%! encode/1 bug error:badarg@chars
%! first/1 bug error:badarg@first
%! range/2 bug error:badarith@pages
%! sort_by/2 declared error:{unknown_field,_}@unknown
-module(query).
-export([parse/1, page/1, encode/1, first/1, range/2, sort_by/2]).

%% a=1&b=%20 as a list of pairs
parse(<<>>) -> [];
parse(Query) ->
    [pair(binary:split(Part, <<"=">>)) || Part <- binary:split(Query, <<"&">>, [global])].

pair([Name]) -> {unquote(Name), true};
pair([Name, Value]) -> {unquote(Name), unquote(Value)}.

unquote(Bin) -> unquote(Bin, <<>>).

unquote(<<>>, Done) -> Done;
unquote(<<"+", Rest/binary>>, Done) -> unquote(Rest, <<Done/binary, " ">>);
unquote(<<"%", High, Low, Rest/binary>>, Done) -> unquote(Rest, <<Done/binary, (hex(High) * 16 + hex(Low))>>);
unquote(<<C, Rest/binary>>, Done) -> unquote(Rest, <<Done/binary, C>>).

hex(C) when C >= $0, C =< $9 -> C - $0; %@hex
hex(C) when C >= $a, C =< $f -> C - $a + 10;
hex(C) when C >= $A, C =< $F -> C - $A + 10.

%% The page that a query asks for, 1 if it does not.
page(Query) when is_binary(Query) ->
    case binary:split(Query, <<"page=">>) of
        [_] -> 1;
        [_, Page] -> binary_to_integer(Page) %@page
    end.

encode(Text) when is_list(Text) -> [quote(C) || C <- binary_to_list(list_to_binary(Text))]. %@chars

quote($\s) -> $+;
quote(C) when C >= $a, C =< $z; C >= $0, C =< $9 -> C;
quote(C) -> [$%, integer_to_list(C, 16)].

first(Values) when is_list(Values) -> hd(Values). %@first

%% The pages that rows take.
range(Rows, Size) when is_integer(Rows), is_integer(Size) ->
    (Rows + Size - 1) div Size. %@pages

sort_by(name, Rows) -> lists:keysort(1, Rows);
sort_by(date, Rows) -> lists:keysort(2, Rows);
sort_by(Field, _) -> error({unknown_field, Field}). %@unknown
