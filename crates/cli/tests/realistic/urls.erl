%% URLs: parts, percent encoding, queries, relative paths.
%! parse/1 bug error:badarg@port
%! parse/1 declared error:{bad_scheme,_}@scheme
%! decode/1 bug error:function_clause@hex
%! query/1 bug error:{case_clause,_}@pair
%! normalize/1 bug error:badarg@parent
%! host/1 doubtful error:{badkey,_}@host
-module(urls).
-export([parse/1, decode/1, query/1, normalize/1, host/1]).

-type url() :: #{scheme := http | https, host := binary(), port := inet:port_number(), path := binary()}.

-spec parse(binary()) -> url().
parse(<<"http://", Rest/binary>>) -> authority(http, 80, Rest);
parse(<<"https://", Rest/binary>>) -> authority(https, 443, Rest);
parse(Other) -> error({bad_scheme, Other}). %@scheme

authority(Scheme, Default, Rest) ->
    {Authority, Path} = case binary:split(Rest, <<"/">>) of
        [All] -> {All, <<"/">>};
        [Before, After] -> {Before, <<"/", After/binary>>}
    end,
    {Host, Port} = case binary:split(Authority, <<":">>) of
        [Name] -> {Name, Default};
        [Name, Digits] -> {Name, binary_to_integer(Digits)} %@port
    end,
    #{scheme => Scheme, host => Host, port => Port, path => Path}.

%% @doc Replaces `%41' by `A' and `+' by a space.
-spec decode(binary()) -> binary().
decode(Bin) -> decode(Bin, <<>>).

decode(<<"%", High, Low, Rest/binary>>, Acc) ->
    Byte = hex(High) * 16 + hex(Low),
    decode(Rest, <<Acc/binary, Byte>>);
decode(<<"+", Rest/binary>>, Acc) -> decode(Rest, <<Acc/binary, " ">>);
decode(<<C, Rest/binary>>, Acc) -> decode(Rest, <<Acc/binary, C>>);
decode(<<>>, Acc) -> Acc.

hex(C) when C >= $0, C =< $9 -> C - $0; %@hex
hex(C) when C >= $a, C =< $f -> C - $a + 10;
hex(C) when C >= $A, C =< $F -> C - $A + 10.

-spec query(binary()) -> [{binary(), binary()}].
query(<<>>) -> [];
query(Bin) -> [pair(Part) || Part <- binary:split(Bin, <<"&">>, [global])].

pair(Part) ->
    case binary:split(Part, <<"=">>, [global]) of %@pair
        [Key, Value] -> {Key, Value};
        [Key] -> {Key, <<>>}
    end.

%% @doc Removes `.' and `..' from the segments of a path.
-spec normalize([binary()]) -> [binary()].
normalize(Segments) -> normalize(Segments, []).

normalize([<<".">> | Rest], Acc) -> normalize(Rest, Acc);
normalize([<<"..">> | Rest], Acc) -> normalize(Rest, tl(Acc)); %@parent
normalize([Segment | Rest], Acc) -> normalize(Rest, [Segment | Acc]);
normalize([], Acc) -> lists:reverse(Acc).

-spec host(map()) -> binary().
host(Url) -> maps:get(host, Url). %@host
