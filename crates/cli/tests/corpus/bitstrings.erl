%% Bitstrings: flags, codecs, construction, and library functions over binaries.
%? binaries
%! flags/1 crash error:bug@flags
%! flags_safe/1 safe
%! unpack/1 crash error:bug@unpack
%! rle/1 crash error:bug@rle
%! rle_trip/1 safe_or_incomplete
%! build/2 crash error:bug@build
%! width/2 crash error:badarg@width
%! part/3 crash error:badarg@part
%! swap/1 safe
%! tail/1 crash error:bug@tail
%! order/2 crash error:bug@order
%! join/1 crash error:bug@join
%! iolist/1 crash error:bug@iolist
%! nibbles/1 crash error:bug@nibbles
%! equal/2 crash error:bug@equal
%! first/1 crash error:badarg@first
-module(bitstrings).
-export([flags/1, flags_safe/1, unpack/1, rle/1, rle_trip/1, build/2, width/2, part/3, swap/1, tail/1, order/2, join/1,
         iolist/1, nibbles/1, equal/2, first/1]).

-spec flags(<<_:16>>) -> ok | error.
flags(<<_:1, Ack:1, _:3, Fin:1, Kind:3, Rest:7>>) when Ack =:= 1, Fin =:= 0, Kind =:= 5, Rest > 100 -> error(bug); %@flags
flags(_) -> ok.

-spec flags_safe(<<_:8>>) -> 0..255.
flags_safe(<<A:3, B:5>>) ->
    case <<A:3, B:5>> of
        <<N>> when N =:= A * 32 + B -> N;
        _ -> error(bug)
    end.

-spec unpack(bitstring()) -> [0..7].
unpack(<<N:3, Rest/bitstring>>) ->
    case {N, bit_size(Rest)} of
        {5, 4} -> error(bug); %@unpack
        _ -> [N | unpack(Rest)]
    end;
unpack(_) -> [].

%% Pairs of a count and a byte.
-spec rle(binary()) -> binary().
rle(Bytes) ->
    case expand(Bytes, <<>>) of
        <<"aab">> -> error(bug); %@rle
        Text -> Text
    end.

expand(<<0, _, Rest/binary>>, Acc) -> expand(Rest, Acc);
expand(<<N, B, Rest/binary>>, Acc) when N < 4 -> expand(<<(N - 1), B, Rest/binary>>, <<Acc/binary, B>>);
expand(_, Acc) -> Acc.

-spec rle_trip(binary()) -> ok.
rle_trip(Text) ->
    Coded = << <<1, B>> || <<B>> <= Text >>,
    case byte_size(Coded) =:= 2 * byte_size(Text) of
        true -> ok;
        false -> error(bug)
    end.

-spec build(integer(), binary()) -> ok.
build(N, Tail) ->
    case <<N:16/little, Tail/binary>> of
        <<1, 2, "z", _/binary>> -> error(bug); %@build
        _ -> ok
    end.

-spec width(integer(), integer()) -> bitstring().
width(N, Size) when Size < 5 -> <<N:Size>>; %@width
width(_, _) -> <<>>.

-spec part(binary(), integer(), integer()) -> binary().
part(B, At, Len) when At < 10, Len < 10 -> binary:part(B, At, Len); %@part
part(B, _, _) -> B.

-spec swap(<<_:32>>) -> ok.
swap(<<A:32/little>> = B) ->
    <<C:32/big>> = B,
    case <<A:32/big>> =:= <<C:32/little>> of
        true -> ok;
        false -> error(bug)
    end.

%% The last four bytes are a sum of the rest's size.
-spec tail(binary()) -> ok | short.
tail(B) when byte_size(B) > 4 ->
    Size = byte_size(B) - 4,
    <<_:Size/binary, Sum:32>> = B,
    case Sum of
        S when S =:= Size + 1000 -> error(bug); %@tail
        _ -> ok
    end;
tail(_) -> short.

-spec order(binary(), binary()) -> ok.
order(A, B) when A < B, byte_size(A) =:= 3, byte_size(B) =:= 2 -> error(bug); %@order
order(_, _) -> ok.

-spec join([binary()]) -> ok.
join(Parts) ->
    case iolist_to_binary(lists:join(<<", ">>, Parts)) of
        <<"ab, c">> when length(Parts) =:= 2 -> error(bug); %@join
        _ -> ok
    end.

-spec iolist(iolist()) -> ok.
iolist(List) ->
    case iolist_size(List) of
        3 when length(List) =:= 2 -> error(bug); %@iolist
        _ -> ok
    end.

-spec nibbles(binary()) -> [0..15].
nibbles(B) ->
    case [N || <<N:4>> <= B] of
        [7, N, N, 2] when N > 9 -> error(bug); %@nibbles
        Ns -> Ns
    end.

-spec equal(binary(), binary()) -> ok.
equal(A, <<_, Rest/binary>>) when A =:= Rest, byte_size(A) > 2 -> error(bug); %@equal
equal(_, _) -> ok.

-spec first(binary()) -> 0..255.
first(B) -> binary:first(B). %@first
