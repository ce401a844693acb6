%% Texts beyond the first 256 characters, and patterns that are compiled before they are searched for.
%? text
%! accent/1 crash error:accent@accent complete
%! cluster/1 crash error:cluster@cluster
%! korean/1 crash error:korean@korean
%! flag/2 crash error:flag@flag
%! emoji/1 crash error:emoji@emoji error:badarg@bad_utf8
%! initial/2 crash error:initial@initial
%! found/2 crash error:found@found error:badarg@compiled
%! separators/1 crash error:separators@separators error:badarg@separated
%! fields/1 crash error:fields@fields
%! pattern/1 crash error:badarg@pattern complete
-module(clusters).
-export([accent/1, cluster/1, korean/1, flag/2, emoji/1, initial/2, found/2, separators/1, fields/1, pattern/1]).

-spec accent(char()) -> pos_integer().
accent(C) ->
    case string:length([$e, C]) of
        1 -> error(accent); %@accent
        N -> N
    end.

-spec cluster([256..16#D7FF]) -> ok.
cluster(S) ->
    case length(S) =:= 3 andalso string:length(S) =:= 2 of
        true -> error(cluster); %@cluster
        false -> ok
    end.

-spec korean([16#1100..16#11FF]) -> ok.
korean(S) ->
    case string:to_graphemes(S) of
        [[_, V, T], L] when V > 16#1160, T > 16#11A8, is_integer(L) -> error(korean); %@korean
        _ -> ok
    end.

-spec flag(char(), char()) -> ok.
flag(A, B) when A > 16#1F000, B > A ->
    case string:next_grapheme([A, B, $!]) of
        [[A, B] | "!"] -> error(flag); %@flag
        _ -> ok
    end;
flag(_, _) -> ok.

-spec emoji(binary()) -> ok.
emoji(B) when byte_size(B) < 5 ->
    case string:next_grapheme(<<B/binary, 16#200D/utf8, 16#2764/utf8>>) of %@bad_utf8
        [[_, 16#200D, 16#2764] | _] -> error(emoji); %@emoji
        _ -> ok
    end;
emoji(_) -> ok.

-spec initial($a..$z, char()) -> ok.
initial(A, C) ->
    case string:slice([A, C], 0, 1) of
        [$a, 16#308 | _] -> error(initial); %@initial
        _ -> ok
    end.

-spec found(binary(), <<_:32>>) -> ok.
found(P, B) ->
    C = binary:compile_pattern(P), %@compiled
    case binary:match(B, C) of
        {2, 2} -> error(found); %@found
        _ -> ok
    end.

-spec separators([<<_:8>>]) -> ok.
separators(Ps) when length(Ps) < 4 ->
    C = binary:compile_pattern(Ps), %@separated
    case binary:split(<<"a=b;c">>, C, [global]) of
        [<<"a">>, <<"b">>, <<"c">>] -> error(separators); %@separators
        _ -> ok
    end;
separators(_) -> ok.

-spec fields(32..126) -> ok.
fields(C) ->
    case string:lexemes(<<"one,two">>, [C]) of
        [<<"one">>, <<"two">>] -> error(fields); %@fields
        _ -> ok
    end.

-spec pattern(<<_:8>> | <<>> | [] | atom()) -> ok.
pattern(P) ->
    {bm, _} = binary:compile_pattern(P), %@pattern
    ok.
