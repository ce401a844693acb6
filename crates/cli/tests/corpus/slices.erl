%% Bitstrings of odd lengths, in other terms, behind fields of unknown size, and under handlers.
%? binaries
%! bits/1 crash error:bug@bits complete
%! skipped/2 crash error:bug@skipped
%! pairs/1 crash error:bug@pairs complete
%! inside/1 crash error:bug@inside complete
%! handled/1 crash error:bug@handled complete
%! constant/1 crash error:{badmatch,_}@constant complete
%! anything/1 crash error:bug@anything complete
%! unit/1 crash error:bug@unit complete
%! halves/1 crash error:bug@halves complete
-module(slices).
-export([bits/1, skipped/2, pairs/1, inside/1, handled/1, constant/1, anything/1, unit/1, halves/1]).

-spec bits(bitstring()) -> ok.
bits(B) when is_binary(B) -> ok;
bits(<<1:1, R/bitstring>>) when bit_size(R) =:= 2 -> error(bug); %@bits
bits(_) -> ok.

-spec skipped(binary(), integer()) -> ok.
skipped(B, N) ->
    case B of
        <<_:N/binary, 7, 9, _/binary>> when N > 1 -> error(bug); %@skipped
        _ -> ok
    end.

-spec pairs([{atom(), binary()}]) -> ok.
pairs([{a, <<"x", R/binary>>}, {b, R} | _]) -> error(bug); %@pairs
pairs(_) -> ok.

-spec inside(term()) -> ok.
inside({<<A, B>>, [A | _]}) when B > A -> error(bug); %@inside
inside(_) -> ok.

-spec handled(binary()) -> ok.
handled(B) ->
    try third(B) of
        5 -> error(bug); %@handled
        _ -> ok
    catch
        error:badarg -> ok;
        error:{badmatch, V} when byte_size(V) =:= 4 -> ok;
        error:{badmatch, _} -> ok
    end.

third(B) ->
    <<L, X:L/binary>> = B,
    binary:at(X, 2).

-spec constant(binary()) -> ok.
constant(B) ->
    {ok, B} = {ok, <<"hello">>}, %@constant
    ok.

-spec anything(any()) -> ok.
anything(<<3:2, _/bits>>) -> error(bug); %@anything
anything(_) -> ok.

-spec unit(<<_:8, _:_*16>>) -> ok.
unit(B) when byte_size(B) > 4 -> error(bug); %@unit
unit(B) when byte_size(B) rem 2 =:= 0 -> error(never);
unit(_) -> ok.

-spec halves(binary()) -> ok.
halves(<<N:4, Rest/bits>>) ->
    case Rest of
        <<X:N/bits, Y:N/bits, _/bits>> when X =:= Y, N > 3 -> error(bug); %@halves
        _ -> ok
    end;
halves(_) -> ok.
