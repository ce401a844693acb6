%% Media types, file endings, multipart boundaries, quoted-printable and base64 text.
%! type/1 bug error:{badmatch,_}@type
%! ending/1 bug error:badarg@ending
%! boundary/1 declared error:no_boundary@no_boundary
%! boundary/1 bug error:{badmatch,_}@quoted
%! quoted/1 bug error:badarg@quoted_printable
%! base64/1 bug error:function_clause@digit
%! parameter/2 doubtful error:_@parameter
-module(mime).
-export([type/1, ending/1, boundary/1, quoted/1, base64/1, parameter/2]).

-spec type(binary()) -> {binary(), binary()}.
type(Value) ->
    [Full | _] = binary:split(Value, <<";">>),
    [Main, Sub] = binary:split(Full, <<"/">>), %@type
    {Main, Sub}.

%% @doc What stands after the last point of a file name.
-spec ending(string()) -> string().
ending(Name) -> lists:last(string:split(Name, ".", all)) -- tl(dots(Name)). %@ending

dots(Name) -> [C || C <- Name, C =:= $.].

-spec boundary([{binary(), binary()}]) -> binary().
boundary(Parameters) ->
    case lists:keyfind(<<"boundary">>, 1, Parameters) of
        {_, <<$", Rest/binary>>} ->
            [Value, <<>>] = binary:split(Rest, <<$">>), %@quoted
            Value;
        {_, Value} -> Value;
        false -> error(no_boundary) %@no_boundary
    end.

-spec quoted(string()) -> string().
quoted([$=, A, B | Rest]) -> [list_to_integer([A, B], 16) | quoted(Rest)]; %@quoted_printable
quoted([C | Rest]) -> [C | quoted(Rest)];
quoted([]) -> [].

%% @doc The six bits of each digit.
-spec base64(binary()) -> [0..63].
base64(Bin) -> [digit(C) || <<C>> <= Bin, C =/= $=].

digit(C) when C >= $A, C =< $Z -> C - $A; %@digit
digit(C) when C >= $a, C =< $z -> C - $a + 26;
digit(C) when C >= $0, C =< $9 -> C - $0 + 52;
digit($+) -> 62;
digit($/) -> 63.

-spec parameter(term(), [{binary(), binary()}]) -> binary() | undefined.
parameter(Name, Parameters) ->
    Wanted = iolist_to_binary(Name), %@parameter
    proplists:get_value(Wanted, Parameters).
