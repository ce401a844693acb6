%% Compares the prelude's grapheme clusters with the library's: every character in every kind of neighbourhood, and
%% texts of all forms by chance.
-module(hound_graphemes).
-export([compare/0]).

%% A character of each class, and some that stand at the ends of classes.
-define(KINDS, [-1, 0, $\n, $\r, $\s, $a, 127, 159, 160, 169, 173, 174, 255, 256, 767, 768, 769, 1564, 1757, 4352, 4447, 4448,
    4519, 4520, 43360, 44032, 44033, 55203, 55216, 55243, 8205, 127462, 127487, 8252, 128000, 16#10FFFF, 16#110000]).

compare() ->
    true = hound_prelude_graphemes:are_known(),
    Characters = [Text || C <- lists:seq(-1, 16#110001), Text <- around(C)],
    rand:seed(exsss, {1, 2, 3}),
    Texts = [text(3) || _ <- lists:seq(1, 100000)],
    case [Text || Text <- Characters ++ Texts, gc(unicode_util, Text) =/= gc(hound_prelude_unicode_util, Text)] of
        [] -> halt(0);
        Wrong ->
            io:format("~w~n", [lists:sublist(Wrong, 10)]),
            halt(1)
    end.

around(C) -> [[C], [C, 769], [$a, C], [4352, C], [127462, C], [1757, C], [8986, 8205, C], [769, C]].

gc(Module, Text) ->
    try Module:gc(Text) catch Class:Reason -> {Class, Reason} end.

text(Depth) ->
    case rand:uniform(10) of
        1 -> <<>>;
        2 -> <<200, 255>>;
        3 -> << <<C/utf8>> || C <- [kind(), kind()], C >= 0, C =< 16#10FFFF >>;
        _ -> list(Depth, rand:uniform(4))
    end.

list(_, 0) -> lists:nth(rand:uniform(8), [<<"x">>, a, <<200>>, <<769/utf8>>, [], [], [], []]);
list(Depth, Count) ->
    Item =
        case rand:uniform(6) of
            1 when Depth > 0 -> text(Depth - 1);
            2 -> lists:nth(rand:uniform(3), [1.5, 300.5, a]);
            _ -> kind()
        end,
    [Item | list(Depth, Count - 1)].

kind() -> lists:nth(rand:uniform(length(?KINDS)), ?KINDS).
