%% Operations of the VM that look into their arguments, in Erlang: what a symbolic run explores in their place.
%%
%% Each function gives what the operation gives. Where the operation fails, the function calls it, with the very
%% arguments it was called with, so that the exception is the operation's own; by then every test on which the failure
%% depends has been made here.
-module(hound_prelude).

-export([minus/2, subtract/2, max/2, min/2, keyfind/3, keymember/3, keysearch/3, member/2]).
-export([find/2, from_keys/2, from_list/1, take/2]).
-export([integer_to_list/1, integer_to_list/2, list_to_integer/1, list_to_integer/2]).
-export([at/2, first/1, last/1, part/2, part/3, copy/1, copy/2, decode/1, decode/2, encode/1, encode/2, list_to_bin/1]).
-export([common_prefix/1, common_suffix/1, match/2, match/3, matches/2, matches/3, split/2, split/3]).
-export([part_of_binary/2, part_of_binary/3, to_list/1, to_list/3, bits_to_list/1, split_at/2]).
-export([size_of_iolist/1, from_iolist/1, from_bytes/1, from_bits/1]).

-compile({no_auto_import, [max/2, min/2, integer_to_list/1, integer_to_list/2, list_to_integer/1, list_to_integer/2]}).

member(Wanted, List) -> member(Wanted, List, List).

member(Wanted, [Item | Rest], List) ->
    case Item =:= Wanted of
        true -> true;
        false -> member(Wanted, Rest, List)
    end;
member(_, [], _) -> false;
member(Wanted, _, List) -> lists:member(Wanted, List).

keyfind(Key, At, List) ->
    case position(At) of
        true -> find(Key, At, List, List);
        false -> lists:keyfind(Key, At, List)
    end.

find(Key, At, [Item | Rest], List) ->
    case has(Key, At, Item) of
        true -> Item;
        false -> find(Key, At, Rest, List)
    end;
find(_, _, [], _) -> false;
find(Key, At, _, List) -> lists:keyfind(Key, At, List).

keymember(Key, At, List) ->
    case position(At) of
        true -> find_member(Key, At, List, List);
        false -> lists:keymember(Key, At, List)
    end.

find_member(Key, At, [Item | Rest], List) ->
    case has(Key, At, Item) of
        true -> true;
        false -> find_member(Key, At, Rest, List)
    end;
find_member(_, _, [], _) -> false;
find_member(Key, At, _, List) -> lists:keymember(Key, At, List).

keysearch(Key, At, List) ->
    case position(At) of
        true -> search(Key, At, List, List);
        false -> lists:keysearch(Key, At, List)
    end.

search(Key, At, [Item | Rest], List) ->
    case has(Key, At, Item) of
        true -> {value, Item};
        false -> search(Key, At, Rest, List)
    end;
search(_, _, [], _) -> false;
search(Key, At, _, List) -> lists:keysearch(Key, At, List).

%% The VM takes no position that is not one of its small integers.
position(At) -> is_integer(At) andalso At >= 1 andalso At =< 576460752303423487.

has(Key, At, Item) -> is_tuple(Item) andalso tuple_size(Item) >= At andalso element(At, Item) == Key.

max(A, B) ->
    case A < B of
        true -> B;
        false -> A
    end.

min(A, B) ->
    case B < A of
        true -> B;
        false -> A
    end.

minus(List, Unwanted) ->
    case is_proper(List) andalso is_proper(Unwanted) of
        true -> without(List, Unwanted);
        false -> List -- Unwanted
    end.

subtract(List, Unwanted) ->
    case is_proper(List) andalso is_proper(Unwanted) of
        true -> without(List, Unwanted);
        false -> erlang:subtract(List, Unwanted)
    end.

is_proper([_ | Rest]) -> is_proper(Rest);
is_proper(End) -> End =:= [].

without(List, [Item | Rest]) -> without(delete(Item, List), Rest);
without(List, []) -> List.

delete(Wanted, [Item | Rest]) ->
    case Item =:= Wanted of
        true -> Rest;
        false -> [Item | delete(Wanted, Rest)]
    end;
delete(_, []) -> [].

from_list(List) -> from_list(List, #{}, List).

from_list([{Key, Value} | Rest], Map, List) ->
    from_list(Rest, maps:put(Key, Value, maps:remove(Key, Map)), List);
from_list([], Map, _) -> Map;
from_list(_, _, List) -> maps:from_list(List).

from_keys(Keys, Value) -> from_keys(Keys, Value, #{}, Keys).

from_keys([Key | Rest], Value, Map, Keys) ->
    from_keys(Rest, Value, maps:put(Key, Value, maps:remove(Key, Map)), Keys);
from_keys([], _, Map, _) -> Map;
from_keys(_, Value, _, Keys) -> maps:from_keys(Keys, Value).

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

text(Number, Base) when Number < 0 -> [$- | text(-Number, Base, [])];
text(Number, Base) -> text(Number, Base, []).

text(Number, Base, Text) when Number < Base -> [character(Number) | Text];
text(Number, Base, Text) -> text(Number div Base, Base, [character(Number rem Base) | Text]).

character(Digit) when Digit < 10 -> $0 + Digit;
character(Digit) -> $A + Digit - 10.

list_to_integer(Text) ->
    case number(Text, 10) of
        none -> erlang:list_to_integer(Text);
        Number -> Number
    end.

list_to_integer(Text, Base) ->
    case base(Base) andalso number(Text, Base) of
        Number when is_integer(Number) -> Number;
        _ -> erlang:list_to_integer(Text, Base)
    end.

base(Base) -> is_integer(Base) andalso Base >= 2 andalso Base =< 36.

number([$- | Digits], Base) ->
    case digits(Digits, Base) of
        none -> none;
        Number -> -Number
    end;
number([$+ | Digits], Base) -> digits(Digits, Base);
number(Digits, Base) -> digits(Digits, Base).

digits([First | Rest], Base) -> digits(Rest, Base, digit(First, Base));
digits(_, _) -> none.

digits(_, _, none) -> none;
digits([], _, Number) -> Number;
digits([Next | Rest], Base, Number) ->
    case digit(Next, Base) of
        none -> none;
        Digit -> digits(Rest, Base, Number * Base + Digit)
    end;
digits(_, _, _) -> none.

%% Each character is asked about no more than the base needs.
digit(C, Base) when Base =< 10, is_integer(C), C >= $0, C < $0 + Base -> C - $0;
digit(C, Base) when Base > 10, is_integer(C), C >= $0, C =< $9 -> C - $0;
digit(C, Base) when Base > 10, is_integer(C), C >= $A, C < $A + Base - 10 -> C - $A + 10;
digit(C, Base) when Base > 10, is_integer(C), C >= $a, C < $a + Base - 10 -> C - $a + 10;
digit(_, _) -> none.

find(Key, Map) ->
    case Map of
        #{Key := Value} -> {ok, Value};
        #{} -> error;
        _ -> maps:find(Key, Map)
    end.

take(Key, Map) ->
    case Map of
        #{Key := Value} -> {Value, maps:remove(Key, Map)};
        #{} -> error;
        _ -> maps:take(Key, Map)
    end.

%% Binaries.

at(B, At) ->
    case is_binary(B) andalso is_integer(At) andalso At >= 0 andalso At < byte_size(B) of
        true -> byte(B, At);
        false -> binary:at(B, At)
    end.

byte(B, At) ->
    <<_:At/binary, Byte, _/binary>> = B,
    Byte.

first(B) ->
    case is_binary(B) andalso byte_size(B) > 0 of
        true -> byte(B, 0);
        false -> binary:first(B)
    end.

last(B) ->
    case is_binary(B) andalso byte_size(B) > 0 of
        true -> byte(B, byte_size(B) - 1);
        false -> binary:last(B)
    end.

%% Here the bits after the last whole byte do not count; `erlang:binary_part` wants whole bytes.
part(B, Place) ->
    case Place of
        {At, Size} ->
            case is_bitstring(B) andalso span(At, Size, bit_size(B) div 8) of
                {From, Count} -> cut(B, From, Count);
                false -> binary:part(B, Place)
            end;
        _ -> binary:part(B, Place)
    end.

part(B, At, Size) ->
    case is_bitstring(B) andalso span(At, Size, bit_size(B) div 8) of
        {From, Count} -> cut(B, From, Count);
        false -> binary:part(B, At, Size)
    end.

part_of_binary(B, Place) ->
    case Place of
        {At, Size} ->
            case is_binary(B) andalso span(At, Size, byte_size(B)) of
                {From, Count} -> cut(B, From, Count);
                false -> binary_part(B, Place)
            end;
        _ -> binary_part(B, Place)
    end.

part_of_binary(B, At, Size) ->
    case is_binary(B) andalso span(At, Size, byte_size(B)) of
        {From, Count} -> cut(B, From, Count);
        false -> binary_part(B, At, Size)
    end.

%% A negative size reaches back.
span(At, Size, All) when is_integer(At), is_integer(Size), At >= 0 ->
    if
        Size >= 0, At + Size =< All -> {At, Size};
        Size < 0, At =< All, At + Size >= 0 -> {At + Size, -Size};
        true -> false
    end;
span(_, _, _) -> false.

cut(B, From, Count) ->
    <<_:From/binary, Part:Count/binary, _/bitstring>> = B,
    Part.

split_at(B, At) ->
    case is_bitstring(B) andalso is_integer(At) andalso At >= 0 andalso At * 8 =< bit_size(B) of
        true ->
            <<Front:At/binary, Back/bitstring>> = B,
            {Front, Back};
        false -> split_binary(B, At)
    end.

copy(B) ->
    case is_binary(B) of
        true -> B;
        false -> binary:copy(B)
    end.

copy(B, Times) ->
    case is_bitstring(B) andalso is_integer(Times) andalso Times >= 0 andalso Times < 1 bsl 64 of
        true when Times =:= 0; B =:= <<>> -> <<>>;
        true when is_binary(B), Times =< 256 -> copies(B, Times, <<>>);
        true when is_binary(B) -> held_copy(B, Times);
        _ -> binary:copy(B, Times)
    end.

copies(_, 0, Acc) -> Acc;
copies(B, Times, Acc) -> copies(B, Times - 1, <<Acc/bitstring, B/bitstring>>).

held_copy(B, Times) -> binary:copy(B, Times).

decode(B) ->
    case is_binary(B) of
        true -> unsigned(B, big);
        false -> binary:decode_unsigned(B)
    end.

decode(B, Order) ->
    case is_binary(B) andalso (Order =:= big orelse Order =:= little) of
        true -> unsigned(B, Order);
        false -> binary:decode_unsigned(B, Order)
    end.

unsigned(B, Order) ->
    Size = bit_size(B),
    case Order of
        big ->
            <<Number:Size/big>> = B,
            Number;
        little ->
            <<Number:Size/little>> = B,
            Number
    end.

encode(Number) ->
    case is_integer(Number) andalso Number >= 0 of
        true -> <<Number:(width(Number, 1) * 8)>>;
        false -> binary:encode_unsigned(Number)
    end.

encode(Number, Order) ->
    case is_integer(Number) andalso Number >= 0 andalso (Order =:= big orelse Order =:= little) of
        true when Order =:= big -> <<Number:(width(Number, 1) * 8)>>;
        true -> <<Number:(width(Number, 1) * 8)/little>>;
        false -> binary:encode_unsigned(Number, Order)
    end.

width(Number, Bytes) ->
    case Number < 1 bsl (Bytes * 8) of
        true -> Bytes;
        false -> width(Number, Bytes + 1)
    end.

to_list(B) ->
    case is_binary(B) of
        true -> bytes(B);
        false -> binary_to_list(B)
    end.

bytes(<<Byte, Rest/bitstring>>) -> [Byte | bytes(Rest)];
bytes(<<>>) -> [].

to_list(B, First, Last) ->
    case
        is_binary(B) andalso is_integer(First) andalso is_integer(Last) andalso First >= 1 andalso First =< Last andalso
            Last =< byte_size(B)
    of
        true -> bytes(cut(B, First - 1, Last - First + 1));
        false -> binary_to_list(B, First, Last)
    end.

bits_to_list(B) ->
    case is_bitstring(B) of
        true -> bytes_and_bits(B);
        false -> bitstring_to_list(B)
    end.

bytes_and_bits(<<Byte, Rest/bitstring>>) -> [Byte | bytes_and_bits(Rest)];
bytes_and_bits(<<>>) -> [];
bytes_and_bits(Bits) -> [Bits].

from_iolist(Data) ->
    case is_binary(Data) of
        true -> Data;
        false ->
            case joined(Data, <<>>, true) of
                none -> iolist_to_binary(Data);
                B -> B
            end
    end.

from_bytes(List) ->
    case is_list(List) andalso joined(List, <<>>, true) of
        B when is_bitstring(B) -> B;
        _ -> list_to_binary(List)
    end.

list_to_bin(List) ->
    case is_list(List) andalso joined(List, <<>>, true) of
        B when is_bitstring(B) -> B;
        _ -> binary:list_to_bin(List)
    end.

from_bits(List) ->
    case is_list(List) andalso joined(List, <<>>, false) of
        B when is_bitstring(B) -> B;
        _ -> list_to_bitstring(List)
    end.

joined([Item | Rest], Acc, Whole) ->
    case with_item(Item, Acc, Whole) of
        none -> none;
        More -> joined(Rest, More, Whole)
    end;
joined([], Acc, _) -> Acc;
joined(B, Acc, true) when is_binary(B) -> <<Acc/bitstring, B/bitstring>>;
joined(B, Acc, false) when is_bitstring(B) -> <<Acc/bitstring, B/bitstring>>;
joined(_, _, _) -> none.

with_item(Byte, Acc, _) when is_integer(Byte) ->
    case Byte >= 0 andalso Byte =< 255 of
        true -> <<Acc/bitstring, Byte>>;
        false -> none
    end;
with_item(Item, Acc, Whole) -> joined(Item, Acc, Whole).

size_of_iolist(Data) ->
    case sized(Data, 0) of
        none -> iolist_size(Data);
        Size -> Size
    end.

sized([Item | Rest], Size) ->
    case with_size(Item, Size) of
        none -> none;
        More -> sized(Rest, More)
    end;
sized([], Size) -> Size;
sized(B, Size) when is_binary(B) -> Size + byte_size(B);
sized(_, _) -> none.

with_size(Byte, Size) when is_integer(Byte) ->
    case Byte >= 0 andalso Byte =< 255 of
        true -> Size + 1;
        false -> none
    end;
with_size(Item, Size) -> sized(Item, Size).

common_prefix(List) ->
    case binaries(List) of
        [First | Rest] -> least(First, Rest, byte_size(First), prefix);
        _ -> binary:longest_common_prefix(List)
    end.

common_suffix(List) ->
    case binaries(List) of
        [First | Rest] -> least(First, Rest, byte_size(First), suffix);
        _ -> binary:longest_common_suffix(List)
    end.

binaries([B]) when is_binary(B) -> [B];
binaries([B | Rest]) when is_binary(B) ->
    case binaries(Rest) of
        false -> false;
        All -> [B | All]
    end;
binaries(_) -> false.

least(_, [], Least, _) -> Least;
least(First, [B | Rest], Least, Which) ->
    Common =
        case Which of
            prefix -> same_start(First, B, 0);
            suffix -> same_end(First, byte_size(First), B, byte_size(B), 0)
        end,
    case Common < Least of
        true -> least(First, Rest, Common, Which);
        false -> least(First, Rest, Least, Which)
    end.

same_start(<<A, Rest/binary>>, <<B, Other/binary>>, Count) when A =:= B -> same_start(Rest, Other, Count + 1);
same_start(_, _, Count) -> Count.

same_end(A, Size, B, Other, Count) when Size > 0, Other > 0 ->
    case byte(A, Size - 1) =:= byte(B, Other - 1) of
        true -> same_end(A, Size - 1, B, Other - 1, Count + 1);
        false -> Count
    end;
same_end(_, _, _, _, Count) -> Count.

%% Searching. A pattern that was compiled is not looked into.

match(B, Pattern) ->
    case places_in(B, Pattern, [], 1) of
        {[Place], _} -> Place;
        {[], _} -> nomatch;
        held -> held_match(B, Pattern);
        fail -> binary:match(B, Pattern)
    end.

match(B, Pattern, Options) ->
    case places_in(B, Pattern, Options, 1) of
        {[Place], _} -> Place;
        {[], _} -> nomatch;
        held -> held_match(B, Pattern, Options);
        fail -> binary:match(B, Pattern, Options)
    end.

matches(B, Pattern) ->
    case places_in(B, Pattern, [], all) of
        {Places, _} -> Places;
        held -> held_matches(B, Pattern);
        fail -> binary:matches(B, Pattern)
    end.

matches(B, Pattern, Options) ->
    case places_in(B, Pattern, Options, all) of
        {Places, _} -> Places;
        held -> held_matches(B, Pattern, Options);
        fail -> binary:matches(B, Pattern, Options)
    end.

split(B, Pattern) ->
    case places_in(B, Pattern, [], split) of
        {Places, _} -> between(B, 0, Places);
        held -> held_split(B, Pattern);
        fail -> binary:split(B, Pattern)
    end.

split(B, Pattern, Options) ->
    case places_in(B, Pattern, Options, split) of
        {Places, {_, _, _, none}} -> between(B, 0, Places);
        {Places, {_, _, _, trim}} -> trimmed(between(B, 0, Places));
        {Places, {_, _, _, trim_all}} -> [Part || Part <- between(B, 0, Places), Part =/= <<>>];
        held -> held_split(B, Pattern, Options);
        fail -> binary:split(B, Pattern, Options)
    end.

held_match(B, Pattern) -> binary:match(B, Pattern).
held_match(B, Pattern, Options) -> binary:match(B, Pattern, Options).
held_matches(B, Pattern) -> binary:matches(B, Pattern).
held_matches(B, Pattern, Options) -> binary:matches(B, Pattern, Options).
held_split(B, Pattern) -> binary:split(B, Pattern).
held_split(B, Pattern, Options) -> binary:split(B, Pattern, Options).

between(B, From, [{At, Size} | Places]) -> [cut(B, From, At - From) | between(B, At + Size, Places)];
between(B, From, []) ->
    <<_:From/binary, Part/binary>> = B,
    [Part].

trimmed(Parts) ->
    case lists:reverse(Parts) of
        [<<>> | Rest] -> trimmed(lists:reverse(Rest));
        _ -> Parts
    end.

%% The places of a pattern, and what the options say: the scope, whether all are wanted, what is trimmed.
places_in(B, Pattern, Options, Wanted) ->
    case is_binary(B) andalso is_list(Options) andalso options(Options, Wanted =:= split, byte_size(B), {0, byte_size(B), false, none}) of
        {From, Count, Global, _} = Read ->
            case From + Count =:= 0 of
                true -> {[], Read};
                false ->
                    case needles(Pattern) of
                        [_ | _] = Needles ->
                            {places(cut(B, From, Count), From, Needles, Wanted =:= all orelse Global), Read};
                        Other -> Other
                    end
            end;
        false -> fail
    end.

options([Option | Rest], Splits, Size, {From, Count, Global, Trim} = Read) ->
    case Option of
        {scope, {At, Length}} ->
            case span(At, Length, Size) of
                {Start, Bytes} -> options(Rest, Splits, Size, {Start, Bytes, Global, Trim});
                false -> false
            end;
        global when Splits -> options(Rest, Splits, Size, {From, Count, true, Trim});
        trim when Splits, Trim =:= none -> options(Rest, Splits, Size, {From, Count, Global, trim});
        trim when Splits -> options(Rest, Splits, Size, Read);
        trim_all when Splits -> options(Rest, Splits, Size, {From, Count, Global, trim_all});
        _ -> false
    end;
%% Whatever ends a list is not looked at.
options(_, _, _, Read) -> Read.

needles(Pattern) when is_binary(Pattern) ->
    case Pattern of
        <<>> -> fail;
        _ -> [Pattern]
    end;
needles(Pattern) when is_tuple(Pattern) -> held;
needles([_ | _] = Patterns) -> all_needles(Patterns);
needles(_) -> fail.

all_needles([Needle | Rest]) when is_binary(Needle), Needle =/= <<>> ->
    case all_needles(Rest) of
        fail -> fail;
        Others -> [Needle | Others]
    end;
all_needles([]) -> [];
all_needles(_) -> fail.

%% Of those that begin first, the longest.
places(Text, At, Needles, All) ->
    case longest(Needles, Text, 0) of
        0 ->
            case Text of
                <<_, Rest/binary>> -> places(Rest, At + 1, Needles, All);
                <<>> -> []
            end;
        Size when All ->
            <<_:Size/binary, Rest/binary>> = Text,
            [{At, Size} | places(Rest, At + Size, Needles, All)];
        Size -> [{At, Size}]
    end.

longest([Needle | Rest], Text, Best) ->
    case byte_size(Needle) > Best andalso starts(Needle, Text) of
        true -> longest(Rest, Text, byte_size(Needle));
        false -> longest(Rest, Text, Best)
    end;
longest([], _, Best) -> Best.

starts(<<A, Needle/binary>>, <<B, Text/binary>>) when A =:= B -> starts(Needle, Text);
starts(Needle, _) -> Needle =:= <<>>.
