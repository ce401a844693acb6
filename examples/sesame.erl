%% A door behind a hash that cannot be inverted.
-module(sesame).
-export([open/2]).

%% To be taken as it is: hound explore --opaque hash/1 examples/sesame.erl
hash(N) -> lists:foldl(fun(D, Sum) -> (Sum * 31 + D) band 16#ffff end, N bxor 16#2a, integer_to_list(N * 7919)).

-spec open(integer(), integer()) -> closed | open.
%% The word must be the hash of the number, and the number must not be 10.
open(Word, Number) ->
    case hash(Number) of
        Word ->
            case Number of
                10 -> error(stolen);
                _ -> open
            end;
        _ -> closed
    end.
