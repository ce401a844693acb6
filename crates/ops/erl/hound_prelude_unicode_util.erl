%% Functions of `unicode_util`, with short ways for the first 256 characters: its tables have thousands of clauses, each
%% of which a symbolic run would ask about.
%%
%% Each function gives what the library's own gives. Other characters are held to their values and looked up there.
-module(hound_prelude_unicode_util).

-export([uppercase/1, lowercase/1, titlecase/1, casefold/1, gc/1, nfc/1, nfd/1, nfkc/1, nfkd/1]).

uppercase(Text) ->
    case unicode_util:cp(Text) of
        [C | Rest] when C >= 0, C < 128 -> [upper(C) | Rest];
        [C | Rest] when C >= 128, C < 256 -> [latin_upper(C) | Rest];
        [C | Rest] ->
            [Upper] = unicode_util:uppercase([held({unicode_util, uppercase, 1}, C)]),
            [Upper | Rest];
        _ -> unicode_util:uppercase(Text)
    end.

lowercase(Text) ->
    case unicode_util:cp(Text) of
        [C | Rest] when C >= 0, C < 128 -> [lower(C) | Rest];
        [C | Rest] when C >= 128, C < 256 -> [latin_lower(C) | Rest];
        [C | Rest] ->
            [Lower] = unicode_util:lowercase([held({unicode_util, lowercase, 1}, C)]),
            [Lower | Rest];
        _ -> unicode_util:lowercase(Text)
    end.

titlecase(Text) ->
    case unicode_util:cp(Text) of
        [C | Rest] when C >= 0, C < 128 -> [upper(C) | Rest];
        [$ß | Rest] -> ["Ss" | Rest];
        [C | Rest] when C >= 128, C < 256 -> [latin_upper(C) | Rest];
        [C | Rest] ->
            [Title] = unicode_util:titlecase([held({unicode_util, titlecase, 1}, C)]),
            [Title | Rest];
        _ -> unicode_util:titlecase(Text)
    end.

casefold(Text) ->
    case unicode_util:cp(Text) of
        [C | Rest] when C >= 0, C < 128 -> [lower(C) | Rest];
        [16#B5 | Rest] -> [16#3BC | Rest];
        [$ß | Rest] -> ["ss" | Rest];
        [C | Rest] when C >= 128, C < 256 -> [latin_lower(C) | Rest];
        [C | Rest] ->
            [Fold] = unicode_util:casefold([held({unicode_util, casefold, 1}, C)]),
            [Fold | Rest];
        _ -> unicode_util:casefold(Text)
    end.

upper(C) when C >= $a, C =< $z -> C - 32;
upper(C) -> C.

lower(C) when C >= $A, C =< $Z -> C + 32;
lower(C) -> C.

latin_upper($÷) -> $÷;
latin_upper($ÿ) -> 16#178;
latin_upper(C) when C >= $à -> C - 32;
latin_upper($ß) -> "SS";
latin_upper(16#B5) -> 16#39C;
latin_upper(C) -> C.

latin_lower($×) -> $×;
latin_lower(C) when C >= $À, C =< $Þ -> C + 32;
latin_lower(C) -> C.

%% Of two characters that stand side by side, both of the first 256, the first stands for itself, unless they are the
%% end of a line.
gc(Text) ->
    case Text of
        [C | Rest] when is_integer(C), C < 256, C =/= $\r -> after_latin(Text, Rest);
        [C] when is_integer(C) -> Text;
        [C | _] when is_integer(C), C >= 256 -> cluster(Text);
        <<C/utf8, Rest/binary>> when C < 256, C =/= $\r -> after_latin([C | Rest], Rest);
        <<C/utf8, Rest/binary>> when C >= 256 -> cluster([C | Rest]);
        _ -> unicode_util:gc(Text)
    end.

after_latin(Text, Rest) ->
    case Rest of
        [] -> Text;
        [C | _] when is_integer(C), C < 256 -> Text;
        <<>> -> Text;
        <<Byte, _/binary>> when Byte < 128 -> Text;
        [C | _] when is_integer(C) -> cluster(Text);
        [C | _] when is_list(C); is_binary(C) -> after_nested(Text, Rest, in_lists(Rest, []));
        _ when is_binary(Rest) -> cluster(Text);
        _ -> unicode_util:gc(Text)
    end.

%% What follows in lists alone is made plain first.
after_nested(Text, _, false) -> cluster(Text);
after_nested([First | _], Rest, true) ->
    case unicode_util:cp(Rest) of
        [C | _] = Plain when C < 256 -> [First | Plain];
        Plain -> cluster([First | Plain])
    end.

in_lists([C | _], _) when is_integer(C) -> true;
in_lists([List | Rest], More) -> in_lists(List, [Rest | More]);
in_lists([], [Next | More]) -> in_lists(Next, More);
in_lists(Rest, _) -> Rest =:= [].

cluster(Text) ->
    case hound_prelude_graphemes:are_known() of
        true -> hound_prelude_graphemes:first(Text);
        false -> unicode_util:gc(held({unicode_util, gc, 1}, Text))
    end.

nfc(Text) ->
    case gc(Text) of
        [C | Rest] when C < 256 -> [C | Rest];
        [] -> [];
        _ -> unicode_util:nfc(held({unicode_util, nfc, 1}, Text))
    end.

nfd(Text) ->
    case gc(Text) of
        [C | Rest] when C < 128 -> [C | Rest];
        [] -> [];
        _ -> unicode_util:nfd(held({unicode_util, nfd, 1}, Text))
    end.

nfkc(Text) ->
    case gc(Text) of
        [C | Rest] when C < 128 -> [C | Rest];
        [] -> [];
        _ -> unicode_util:nfkc(held({unicode_util, nfkc, 1}, Text))
    end.

nfkd(Text) ->
    case gc(Text) of
        [C | Rest] when C < 128 -> [C | Rest];
        [] -> [];
        _ -> unicode_util:nfkd(held({unicode_util, nfkd, 1}, Text))
    end.

held(Function, Value) -> hound_prelude:held(Function, Value).
