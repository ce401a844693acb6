%% Operations of `erlang` on lists and bytes, in Erlang: what a symbolic run explores in their place.
%%
%% Each function gives what the operation gives. Where the operation fails, the function calls it, with the very
%% arguments it was called with, so that the exception is the operation's own; by then every test on which the failure
%% depends has been made here.
-module(hound_prelude_erlang).

-export([minus/2, subtract/2, max/2, min/2]).
-export([part_of_binary/2, part_of_binary/3, to_list/1, to_list/3, bits_to_list/1, split_at/2]).
-export([size_of_iolist/1, from_iolist/1, from_bytes/1, from_bits/1]).
-export([bytes/1, joined/3]).

-compile({no_auto_import, [max/2, min/2]}).

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

part_of_binary(B, Place) ->
    case Place of
        {At, Size} ->
            case is_bitstring(B) andalso hound_prelude_binary:span(At, Size, bit_size(B) div 8) of
                {From, Count} -> hound_prelude_binary:cut(B, From, Count);
                false -> binary_part(B, Place)
            end;
        _ -> binary_part(B, Place)
    end.

part_of_binary(B, At, Size) ->
    case is_bitstring(B) andalso hound_prelude_binary:span(At, Size, bit_size(B) div 8) of
        {From, Count} -> hound_prelude_binary:cut(B, From, Count);
        false -> binary_part(B, At, Size)
    end.

split_at(B, At) ->
    case is_bitstring(B) andalso is_integer(At) andalso At >= 0 andalso At * 8 =< bit_size(B) of
        true ->
            <<Front:At/binary, Back/bitstring>> = B,
            {Front, Back};
        false -> split_binary(B, At)
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
        true -> bytes(hound_prelude_binary:cut(B, First - 1, Last - First + 1));
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
