%% JSON: a reader of bytes and a writer.
%! decode/1 bug error:{badmatch,_}@number x2
%! decode/1 bug error:function_clause@escape
%! decode/1 declared throw:{invalid,_}@invalid
%! decode/1 declared throw:incomplete@incomplete
%! encode/1 bug error:function_clause@encode
%! encode/1 doubtful error:function_clause@escaped
%! pointer/2 bug error:badarg@pointer
%! pointer/2 declared error:{no_value,_}@no_value
-module(json_text).
-export([decode/1, encode/1, pointer/2]).

-type value() :: null | boolean() | integer() | float() | binary() | [value()] | {[{binary(), value()}]}.

-spec decode(binary()) -> value().
decode(Bin) ->
    case value(skip(Bin)) of
        {Value, Rest} ->
            case skip(Rest) of
                <<>> -> Value;
                Other -> throw({invalid, Other}) %@invalid
            end;
        more -> throw(incomplete) %@incomplete
    end.

skip(<<C, Rest/binary>>) when C =:= $\s; C =:= $\n; C =:= $\t -> skip(Rest);
skip(Bin) -> Bin.

value(<<"null", Rest/binary>>) -> {null, Rest};
value(<<"true", Rest/binary>>) -> {true, Rest};
value(<<"false", Rest/binary>>) -> {false, Rest};
value(<<"\"", Rest/binary>>) -> string(Rest, <<>>);
value(<<"[]", Rest/binary>>) -> {[], Rest};
value(<<"[", Rest/binary>>) -> array(skip(Rest), []);
value(Bin) -> number(Bin, 0).

array(Bin, Acc) ->
    case value(Bin) of
        {Value, Rest} ->
            case skip(Rest) of
                <<",", More/binary>> -> array(skip(More), [Value | Acc]);
                <<"]", More/binary>> -> {lists:reverse([Value | Acc]), More};
                _ -> more
            end;
        more -> more
    end.

number(Bin, Length) ->
    case Bin of
        <<_:Length/binary, C, _/binary>> when C >= $0, C =< $9; C =:= $- -> number(Bin, Length + 1);
        _ ->
            <<Digits:Length/binary, Rest/binary>> = Bin,
            {Number, []} = string:to_integer(binary_to_list(Digits)), %@number
            {Number, Rest}
    end.

string(<<"\"", Rest/binary>>, Acc) -> {Acc, Rest};
string(<<"\\", C, Rest/binary>>, Acc) -> string(Rest, <<Acc/binary, (unescaped(C))>>);
string(<<C, Rest/binary>>, Acc) -> string(Rest, <<Acc/binary, C>>);
string(<<>>, _) -> more.

unescaped($n) -> $\n; %@escape
unescaped($t) -> $\t;
unescaped($") -> $";
unescaped($\\) -> $\\.

%% @doc Keys of objects may be atoms, too.
-spec encode(null | boolean() | integer() | binary() | [integer()] | {[{term(), integer()}]} | float()) -> iodata().
encode(null) -> <<"null">>; %@encode
encode(true) -> <<"true">>;
encode(false) -> <<"false">>;
encode(N) when is_integer(N) -> integer_to_binary(N);
encode(Bin) when is_binary(Bin) -> escaped(Bin);
encode(List) when is_list(List) -> ["[", lists:join(",", [encode(V) || V <- List]), "]"];
encode({Pairs}) -> ["{", lists:join(",", [[escaped(K), ":", encode(V)] || {K, V} <- Pairs]), "}"].

escaped(Atom) when is_atom(Atom) -> escaped(atom_to_binary(Atom, utf8)); %@escaped
escaped(Bin) when is_binary(Bin) -> ["\"", [escape(C) || <<C>> <= Bin], "\""].

escape($") -> "\\\"";
escape($\n) -> "\\n";
escape(C) -> C.

%% @doc Follows keys and indexes from 0.
-spec pointer([binary() | integer()], value()) -> value().
pointer([], Value) -> Value;
pointer([Index | Path], List) when is_integer(Index), is_list(List), Index < length(List) ->
    pointer(Path, element(Index + 1, list_to_tuple(List))); %@pointer
pointer([Key | Path], {Pairs}) ->
    case lists:keyfind(Key, 1, Pairs) of
        {_, Value} -> pointer(Path, Value);
        false -> error({no_value, Key}) %@no_value
    end;
pointer([Key | _], _) -> error({no_value, Key}).
