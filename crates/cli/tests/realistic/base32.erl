%% Base 32 with the alphabet of Crockford, and a sum at the end.
%! decode/1 bug error:badarg@value
%! decode/1 declared error:{bad_character,_}@bad
%! checked/1 bug error:badarg@last
%! digit/1 bug error:badarg@digit
%! groups/2 bug error:badarg@group
-module(base32).
-export([encode/1, decode/1, checked/1, digit/1, groups/2]).

-define(ALPHABET, <<"0123456789ABCDEFGHJKMNPQRSTVWXYZ">>).

-spec encode(binary()) -> binary().
encode(Bin) ->
    Missing = (5 - bit_size(Bin) rem 5) rem 5,
    << <<(digit(N))>> || <<N:5>> <= <<Bin/binary, 0:Missing>> >>.

%% @doc The digit of a number below 32.
-spec digit(non_neg_integer()) -> byte().
digit(N) -> binary:at(?ALPHABET, N). %@digit

%% @doc The number that digits stand for.
-spec decode(binary()) -> non_neg_integer().
decode(Digits) -> decode(Digits, 0).

decode(<<>>, N) -> N;
decode(<<"-", Rest/binary>>, N) -> decode(Rest, N);
decode(<<C, Rest/binary>>, N) -> decode(Rest, N * 32 + value(C)).

value(C) when C >= $0, C =< $9 -> C - $0;
value(C) when C >= $A, C =< $Z -> element(C - $A + 1, letters()); %@value
value(C) -> error({bad_character, C}). %@bad

%% I, L, O and U are no digits; Z was forgotten.
letters() ->
    {10, 11, 12, 13, 14, 15, 16, 17, 1, 18, 19, 1, 20, 21, 0, 22, 23, 24, 25, 26, 26, 27, 28, 29, 30}.

%% @doc True if the last byte is the sum of the others.
-spec checked(binary()) -> boolean().
checked(Bin) ->
    Last = binary:last(Bin), %@last
    Last =:= sum(binary:part(Bin, 0, byte_size(Bin) - 1), 0).

sum(<<>>, Sum) -> Sum rem 32;
sum(<<C, Rest/binary>>, Sum) -> sum(Rest, Sum + C).

%% @doc Digits in groups of the same size, for people.
-spec groups(pos_integer(), [byte()]) -> [[byte()]].
groups(_, []) -> [];
groups(Size, Digits) ->
    {Group, Rest} = lists:split(Size, Digits), %@group
    [Group | groups(Size, Rest)].
