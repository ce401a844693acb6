%% Headers of HTTP messages: names, lists of tokens, quality values, ranges.
%! parse_line/1 bug error:{badmatch,_}@line
%! content_length/1 bug error:badarg@length
%! accept/1 bug error:badarg@quality
%! range/2 bug error:badarith@ratio
%! range/2 declared throw:{bad_range,_}@bad_range
%! fetch/2 declared error:{missing_header,_}@missing
%! to_iodata/1 doubtful error:_@to_value
-module(headers).
-export([parse_line/1, content_length/1, accept/1, range/2, fetch/2, to_iodata/1]).

-type header() :: {binary(), binary()}.

%% @doc Splits `Name: value' at the colon; values may be folded.
-spec parse_line(binary()) -> header().
parse_line(Line) ->
    [Name, Value] = binary:split(Line, <<":">>), %@line
    {lower(Name), trim(Value)}.

lower(Bin) -> << <<(to_lower(C))>> || <<C>> <= Bin >>.

to_lower(C) when C >= $A, C =< $Z -> C + 32;
to_lower(C) -> C.

trim(<<" ", Rest/binary>>) -> trim(Rest);
trim(<<"\t", Rest/binary>>) -> trim(Rest);
trim(Bin) -> Bin.

-spec content_length([header()]) -> non_neg_integer() | undefined.
content_length([]) -> undefined;
content_length([{<<"content-length">>, Value} | _]) -> binary_to_integer(Value); %@length
content_length([_ | Rest]) -> content_length(Rest).

%% @doc The media types that a client takes, the preferred first: `text/html;q=0.8, text/plain'.
-spec accept(binary()) -> [binary()].
accept(Value) ->
    Parts = [weighted(Part) || Part <- binary:split(Value, <<",">>, [global])],
    [Type || {_, Type} <- lists:reverse(lists:keysort(1, Parts))].

weighted(Part) ->
    case binary:split(Part, <<";q=">>) of
        [Type] -> {1.0, trim(Type)};
        [Type, Quality] -> {quality(Quality), trim(Type)}
    end.

quality(<<"0">>) -> 0.0;
quality(<<"1">>) -> 1.0;
quality(Bin) -> binary_to_float(Bin). %@quality

%% @doc How much of a body a range asks for, in percent.
-spec range({integer(), integer()}, non_neg_integer()) -> integer().
range({First, Last}, _) when First < 0; Last < First -> throw({bad_range, {First, Last}}); %@bad_range
range({First, Last}, Size) ->
    Taken = min(Last, Size - 1) - First + 1,
    Taken * 100 div Size. %@ratio

-spec fetch(binary(), [header()]) -> binary().
fetch(Name, Headers) ->
    case lists:keyfind(Name, 1, Headers) of
        {_, Value} -> Value;
        false -> error({missing_header, Name}) %@missing
    end.

%% @doc Values may be whatever has an obvious text.
-spec to_iodata([{binary(), term()}]) -> iodata().
to_iodata(Headers) -> [[Name, ": ", to_value(Value), "\r\n"] || {Name, Value} <- Headers].

to_value(Value) when is_binary(Value) -> Value;
to_value(Value) when is_integer(Value) -> integer_to_binary(Value);
to_value(Value) -> atom_to_binary(Value, utf8). %@to_value
