%% Words: counting, censoring, anagrams, spelling, plural forms.
%! frequent/1 bug error:{badmatch,_}@frequent
%! longest/1 bug error:badarg@longest
%! censor/2 bug error:function_clause@stars
%! initials/1 bug error:badarg@initials
%! plural/1 bug error:function_clause@plural
%! soundex/1 bug error:function_clause@code
%! distance/2 bug error:function_clause@distance
%! repeat/2 declared error:{negative,_}@negative
-module(words).
-export([frequent/1, longest/1, censor/2, initials/1, plural/1, soundex/1, distance/2, repeat/2]).

-spec frequent([atom()]) -> atom().
frequent(Words) ->
    Counts = lists:foldl(fun(W, Acc) -> maps:update_with(W, fun(N) -> N + 1 end, 1, Acc) end, #{}, Words),
    [{_, Word} | _] = lists:reverse(lists:sort([{N, W} || {W, N} <- maps:to_list(Counts)])), %@frequent
    Word.

-spec longest([string()]) -> string().
longest(Words) -> lists:foldl(fun longer/2, hd(Words), Words). %@longest

longer(A, B) when length(A) > length(B) -> A;
longer(_, B) -> B.

%% @doc All letters but the first become stars.
-spec censor(string(), [string()]) -> string().
censor(Word, Bad) ->
    case lists:member(Word, Bad) of
        true -> stars(Word);
        false -> Word
    end.

stars([First | Rest]) -> [First | [$* || _ <- Rest]]. %@stars

-spec initials([string()]) -> string().
initials(Names) -> [hd(Name) || Name <- Names]. %@initials

-spec plural(string()) -> string().
plural(Word) ->
    case lists:last(Word ++ "") of %@plural
        $s -> Word ++ "es";
        $y -> lists:droplast(Word) ++ "ies";
        _ -> Word ++ "s"
    end.

-spec soundex([$a..$z]) -> [$0..$6].
soundex(Letters) -> [code(C) || C <- Letters].

code(C) when C =:= $a; C =:= $e; C =:= $i; C =:= $o; C =:= $u; C =:= $y; C =:= $h; C =:= $w -> $0; %@code
code(C) when C =:= $b; C =:= $f; C =:= $p; C =:= $v -> $1;
code(C) when C =:= $c; C =:= $g; C =:= $j; C =:= $k; C =:= $q; C =:= $s; C =:= $x; C =:= $z -> $2;
code(C) when C =:= $d; C =:= $t -> $3;
code($l) -> $4;
code(C) when C =:= $m; C =:= $n -> $5.

%% @doc The number of places where two words of one length differ.
-spec distance(string(), string()) -> non_neg_integer().
distance([], []) -> 0; %@distance
distance([C | As], [C | Bs]) -> distance(As, Bs);
distance([_ | As], [_ | Bs]) -> 1 + distance(As, Bs).

-spec repeat(string(), integer()) -> string().
repeat(_, N) when N < 0 -> error({negative, N}); %@negative
repeat(_, N) when N > 20 -> "";
repeat(Word, N) -> lists:append(lists:duplicate(N, Word)).
