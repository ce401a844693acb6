%% Encoders and decoders of binary frames.
%! decode/1 bug error:{badmatch,_}@body
%! decode/1 bug error:function_clause@type
%! encode/2 bug error:function_clause@code
%! encode/2 declared error:{too_long,_}@too_long
%! varint/1 bug error:function_clause@varint
%! tlv/1 bug error:{badmatch,_}@tlv
%! bits/2 bug error:{badmatch,_}@bits
%! bits/2 bug error:badarg@bits
%! write/1 doubtful error:badarg@write
-module(frames).
-export([decode/1, encode/2, varint/1, tlv/1, bits/2, write/1]).

-type kind() :: data | ping | close | goaway.

-spec decode(binary()) -> {kind(), binary()} | more.
decode(<<Length:16, Kind, Rest/binary>>) ->
    <<Body:Length/binary, _/binary>> = Rest, %@body
    {kind(Kind), Body};
decode(_) -> more.

kind(0) -> data; %@type
kind(1) -> ping;
kind(2) -> close.

-spec encode(kind(), binary()) -> binary().
encode(_, Body) when byte_size(Body) > 20 -> error({too_long, byte_size(Body)}); %@too_long
encode(Kind, Body) -> <<(byte_size(Body)):16, (code(Kind)), Body/binary>>.

code(data) -> 0; %@code
code(ping) -> 1;
code(close) -> 2.

%% @doc Seven bits a byte, the last one with a clear top bit.
-spec varint(binary()) -> {non_neg_integer(), binary()}.
varint(Bin) -> varint(Bin, 0).

varint(<<0:1, Bits:7, Rest/binary>>, Sum) -> {Sum * 128 + Bits, Rest}; %@varint
varint(<<1:1, Bits:7, Rest/binary>>, Sum) -> varint(Rest, Sum * 128 + Bits).

-spec tlv(binary()) -> [{byte(), binary()}].
tlv(<<>>) -> [];
tlv(<<Tag, Rest/binary>>) ->
    <<Size, Value:Size/binary, More/binary>> = Rest, %@tlv
    [{Tag, Value} | tlv(More)].

-spec bits(binary(), integer()) -> 0..1.
bits(Flags, At) -> <<_:At, Bit:1, _/bitstring>> = <<Flags/binary, 0:64>>, binary:at(<<Bit>>, At div 64). %@bits

-spec write(list()) -> binary().
write(Parts) -> iolist_to_binary(Parts). %@write
