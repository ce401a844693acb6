%% Binaries: headers, lengths, checksums, and fields that contradict each other.
-module(packets).
-export([decode/1, text/1]).

-spec decode(binary()) -> term().
decode(<<1:8, Flags:4, Kind:4, Length:16, Payload:Length/binary, Sum:8>>) ->
    case checksum(Payload, 0) of
        Sum when Length > 2, Kind =:= 7 ->
            {ok, Flags}; % reachable
        Other when Other > 255 ->
            overflow; % unreachable, by induction
        _ when Kind > 15 ->
            wide; % unreachable
        _ ->
            {error, Kind}
    end;
decode(<<2:8, Value:32/signed-little, Rest/binary>>) when Value < -100000 ->
    case Rest of
        <<"END">> ->
            {negative, Value}; % reachable
        _ ->
            more
    end;
decode(<<2:8, _:32, "X", _/binary>> = Whole) when byte_size(Whole) < 5 ->
    short; % unreachable
decode(_) ->
    unknown.

checksum(<<>>, Sum) -> Sum band 255;
checksum(<<Byte, Rest/binary>>, Sum) -> checksum(Rest, Sum + Byte).

-spec text(binary()) -> atom().
text(<<"GET ", Rest/binary>>) ->
    case word(Rest, <<>>) of
        {<<"/admin">>, <<"HTTP/1.1">>} ->
            admin; % reachable
        {<<>>, _} -> empty;
        {_, _} -> page
    end;
text(<<"POST ", _/binary>>) -> post;
text(_) -> bad.

word(<<$\s, Rest/binary>>, Word) -> {Word, Rest};
word(<<Byte, Rest/binary>>, Word) -> word(Rest, <<Word/binary, Byte>>);
word(<<>>, Word) -> {Word, <<>>}.
