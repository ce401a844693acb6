%% Operations of `unicode` that look into their arguments, in Erlang: what a symbolic run explores in their place.
%%
%% Each function gives what the operation gives. What the operation says of data that is not all good text is said here
%% only of a plain list of integers; other such data is held to its value.
-module(hound_prelude_unicode).

-export([bin_is_7bit/1, characters_to_binary/2, characters_to_list/2]).

bin_is_7bit(Bytes) -> is_binary(Bytes) andalso is_7bit(Bytes).

is_7bit(<<Byte, Rest/binary>>) -> Byte < 128 andalso is_7bit(Rest);
is_7bit(<<>>) -> true.

characters_to_list(Data, Encoding) ->
    case encoding(Encoding) andalso points(Data, Encoding, []) of
        {ok, Points} -> lists:reverse(Points);
        {fault, Points, Rest} -> {error, lists:reverse(Points), Rest};
        _ -> held_list(Data, Encoding)
    end.

held_list(Data, Encoding) -> unicode:characters_to_list(Data, Encoding).

characters_to_binary(Data, Encoding) ->
    case encoding(Encoding) andalso bytes(Data, Encoding) of
        {ok, Text} -> Text;
        {fault, Points, Rest} -> {error, utf8(lists:reverse(Points), <<>>), Rest};
        _ -> held_binary(Data, Encoding)
    end.

held_binary(Data, Encoding) -> unicode:characters_to_binary(Data, Encoding).

%% Bytes that are text already stay as they are.
bytes(Data, Encoding) when is_binary(Data), Encoding =/= latin1 ->
    case is_utf8(Data) of
        true -> {ok, Data};
        false -> none
    end;
bytes(Data, Encoding) ->
    case points(Data, Encoding, []) of
        {ok, Points} -> {ok, utf8(lists:reverse(Points), <<>>)};
        Other -> Other
    end.

is_utf8(<<_/utf8, Rest/binary>>) -> is_utf8(Rest);
is_utf8(Rest) -> Rest =:= <<>>.

utf8([Point | Rest], Text) -> utf8(Rest, <<Text/binary, Point/utf8>>);
utf8([], Text) -> Text.

encoding(Encoding) -> Encoding =:= unicode orelse Encoding =:= utf8 orelse Encoding =:= latin1.

points([Point | Rest], Encoding, Points) when is_integer(Point) ->
    case point(Point, Encoding) of
        true -> points(Rest, Encoding, [Point | Points]);
        false ->
            case are_integers(Rest) of
                true -> {fault, Points, [Point | Rest]};
                false -> none
            end
    end;
points([Data | Rest], Encoding, Points) ->
    case points(Data, Encoding, Points) of
        {ok, More} -> points(Rest, Encoding, More);
        _ -> none
    end;
points([], _, Points) -> {ok, Points};
points(Bytes, latin1, Points) when is_binary(Bytes) -> {ok, of_bytes(Bytes, Points)};
points(Bytes, _, Points) when is_binary(Bytes) -> of_utf8(Bytes, Points);
points(_, _, _) -> none.

point(Point, latin1) -> Point >= 0 andalso Point < 256;
point(Point, _) -> Point >= 0 andalso (Point < 16#D800 orelse (Point >= 16#E000 andalso Point < 16#110000)).

are_integers([Point | Rest]) -> is_integer(Point) andalso are_integers(Rest);
are_integers(Rest) -> Rest =:= [].

of_bytes(<<Byte, Rest/binary>>, Points) -> of_bytes(Rest, [Byte | Points]);
of_bytes(<<>>, Points) -> Points.

of_utf8(<<Point/utf8, Rest/binary>>, Points) -> of_utf8(Rest, [Point | Points]);
of_utf8(<<>>, Points) -> {ok, Points};
of_utf8(_, _) -> none.
