%% Readers of packets: lengths, checksums, nested fields.
%? binaries
%! packet/1 crash error:bug@packet
%! packet_safe/1 safe
%! ipv4/1 crash error:{badmatch,_}@options
%! tlv/1 crash error:{case_clause,_}@unknown_tag
%! chunks/1 crash error:bug@chunks
%! frame/1 crash error:bug@frame
-module(packets).
-export([packet/1, packet_safe/1, ipv4/1, tlv/1, chunks/1, frame/1]).

%% A length, so many bytes, and the sum of them.
-spec packet(binary()) -> ok | {error, atom()}.
packet(<<Len:16, Body:Len/binary, Sum:8, _/binary>>) ->
    case sum(Body, 0) of
        Sum when Len > 3 -> error(bug); %@packet
        Sum -> ok;
        _ -> {error, checksum}
    end;
packet(_) -> {error, short}.

sum(<<B, Rest/binary>>, Acc) -> sum(Rest, (Acc + B) rem 256);
sum(<<>>, Acc) -> Acc.

%% The same for bodies of at most two bytes, and nothing goes wrong.
-spec packet_safe(binary()) -> ok | {error, atom()}.
packet_safe(<<Len:8, Body:Len/binary, Sum:8>>) when Len =< 2 ->
    case sum(Body, 0) of
        S when S < 0; S > 255 -> error(bug);
        Sum -> ok;
        _ -> {error, checksum}
    end;
packet_safe(_) -> {error, short}.

%% Version, header length in words, total length, protocol, addresses, options.
-spec ipv4(binary()) -> {ok, term()} | error.
ipv4(<<4:4, IHL:4, _Tos:8, Total:16, _Id:16, _Flags:3, _Off:13, _TTL:8, Proto:8, _Sum:16, Src:4/binary, Dst:4/binary,
       Rest/binary>> = Packet) when IHL >= 5, Total =< byte_size(Packet) ->
    Size = (IHL - 5) * 4,
    <<Options:Size/binary, Payload/binary>> = Rest, %@options
    {ok, {Proto, Src, Dst, Options, Payload}};
ipv4(_) -> error.

%% Tag, length, value; an unknown tag.
-spec tlv(binary()) -> [term()].
tlv(<<Tag:8, Len:8, Value:Len/binary, Rest/binary>>) ->
    Item =
        case Tag of %@unknown_tag
            1 -> {name, Value};
            2 -> {count, binary:decode_unsigned(Value)};
            3 -> skip
        end,
    [Item | tlv(Rest)];
tlv(_) -> [].

%% Chunks with a name of four letters, as in PNG: the end before a palette.
-spec chunks(binary()) -> ok | truncated.
chunks(Bytes) -> chunks(Bytes, false).

chunks(<<Len:32, Type:4/binary, Data:Len/binary, _Crc:32, Rest/binary>>, Seen) ->
    case {Type, Seen} of
        {<<"PLTE">>, _} when byte_size(Data) rem 3 =:= 0 -> chunks(Rest, true);
        {<<"IEND">>, false} -> error(bug); %@chunks
        {<<"IEND">>, true} -> ok;
        _ -> chunks(Rest, Seen)
    end;
chunks(_, _) -> truncated.

%% A frame whose length is little-endian and whose sign matters.
-spec frame(binary()) -> ok | other.
frame(<<16#7E, Len:16/little, Delta:8/signed, Data:Len/bytes, 16#7E>>) when Delta < -100 ->
    case Data of
        <<_, "ok", _/binary>> -> error(bug); %@frame
        _ -> ok
    end;
frame(_) -> other.
