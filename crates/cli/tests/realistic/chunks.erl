%% The chunked encoding of HTTP bodies, as a decoder that is fed piece by piece.
%! size/1 bug error:badarg@hex
%! feed/2 bug error:function_clause@skip
%! body/1 bug error:{badmatch,_}@end
%! next/1 bug contract:_
%! limit/2 declared exit:too_large@too_large
-module(chunks).
-export([size/1, feed/2, body/1, next/1, limit/2]).

-type state() :: header | {body, non_neg_integer()} | {skip, crlf | lf} | done.

%% @doc The size of a chunk: `1f;name=value'.
-spec size(binary()) -> non_neg_integer().
size(Line) ->
    [Hex | _] = binary:split(Line, <<";">>),
    binary_to_integer(Hex, 16). %@hex

%% @doc What is left of a piece, and the next state.
-spec feed(binary(), state()) -> {state(), binary()}.
feed(<<>>, State) -> {State, <<>>};
feed(Data, {skip, What}) -> skip(Data, What);
feed(Data, {body, 0}) -> {{skip, crlf}, Data};
feed(Data, {body, Left}) when byte_size(Data) >= Left ->
    <<_:Left/binary, Rest/binary>> = Data,
    {{skip, crlf}, Rest};
feed(Data, {body, Left}) -> {{body, Left - byte_size(Data)}, <<>>};
feed(Data, header) -> {{body, 1}, Data};
feed(Data, done) -> {done, Data}.

skip(<<"\r\n", Rest/binary>>, crlf) -> {header, Rest}; %@skip
skip(<<"\r">>, crlf) -> {{skip, lf}, <<>>};
skip(<<"\n", Rest/binary>>, lf) -> {header, Rest}.

%% @doc The body of one chunk whose size is its first byte.
-spec body(<<_:8, _:_*8>>) -> binary().
body(<<Size, Rest/binary>>) when Size =< byte_size(Rest) ->
    <<Body:Size/binary>> = Rest, %@end
    Body;
body(_) -> <<>>.

%% @doc Header, body, and done.
-spec next(header | body | done) -> header | body | done.
next(header) -> body;
next(body) -> crlf;
next(done) -> done.

-spec limit(non_neg_integer(), [non_neg_integer()]) -> non_neg_integer().
limit(Max, Sizes) ->
    Sum = lists:sum(Sizes),
    Sum =< Max orelse exit(too_large), %@too_large
    Sum.
