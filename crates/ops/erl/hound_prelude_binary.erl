%% Operations of `binary` that look into their arguments, in Erlang: what a symbolic run explores in their place.
%%
%% Each function gives what the operation gives. Where the operation fails, the function calls it, with the very
%% arguments it was called with, so that the exception is the operation's own; by then every test on which the failure
%% depends has been made here.
-module(hound_prelude_binary).

-export([at/2, first/1, last/1, part/2, part/3, copy/1, copy/2, decode/1, decode/2, encode/1, encode/2, list_to_bin/1]).
-export([common_prefix/1, common_suffix/1, match/2, match/3, matches/2, matches/3, split/2, split/3]).
-export([compile/1]).
-export([span/3, cut/3]).

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

%% The bits after the last whole byte do not count.
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

list_to_bin(List) ->
    case is_list(List) andalso hound_prelude_erlang:joined(List, <<>>, true) of
        B when is_bitstring(B) -> B;
        _ -> binary:list_to_bin(List)
    end.

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

%% Searching.

compile(Pattern) ->
    case given(Pattern) of
        [_ | _] = Needles ->
            {_, Reference} = hound_prelude:compiled(Needles),
            {tag(Needles), Reference};
        fail -> binary:compile_pattern(Pattern)
    end.

tag([_]) -> bm;
tag(_) -> ac.

match(B, Pattern) ->
    case places_in(B, Pattern, [], 1) of
        {[Place], _} -> Place;
        {[], _} -> nomatch;
        fail -> binary:match(B, Pattern)
    end.

match(B, Pattern, Options) ->
    case places_in(B, Pattern, Options, 1) of
        {[Place], _} -> Place;
        {[], _} -> nomatch;
        fail -> binary:match(B, Pattern, Options)
    end.

matches(B, Pattern) ->
    case places_in(B, Pattern, [], all) of
        {Places, _} -> Places;
        fail -> binary:matches(B, Pattern)
    end.

matches(B, Pattern, Options) ->
    case places_in(B, Pattern, Options, all) of
        {Places, _} -> Places;
        fail -> binary:matches(B, Pattern, Options)
    end.

split(B, Pattern) ->
    case places_in(B, Pattern, [], split) of
        {Places, _} -> between(B, 0, Places);
        fail -> binary:split(B, Pattern)
    end.

split(B, Pattern, Options) ->
    case places_in(B, Pattern, Options, split) of
        {Places, {_, _, _, none}} -> between(B, 0, Places);
        {Places, {_, _, _, trim}} -> trimmed(between(B, 0, Places));
        {Places, {_, _, _, trim_all}} -> [Part || Part <- between(B, 0, Places), Part =/= <<>>];
        fail -> binary:split(B, Pattern, Options)
    end.

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

%% No input is a compiled pattern, but for one that the program has compared with those it made.
needles(Pattern) ->
    case hound_prelude:needles(Pattern) of
        none -> given(Pattern);
        Needles -> Needles
    end.

given(Pattern) when is_binary(Pattern) ->
    case Pattern of
        <<>> -> fail;
        _ -> [Pattern]
    end;
given([_ | _] = Patterns) -> all_needles(Patterns);
given(_) -> fail.

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

