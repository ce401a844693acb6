%% Strategies in as many steps as there are inputs: each is set to the hash of the next.
-module(chains).
-export([two/2, three/3, four/4, five/5, six/6, listed/1, stateful/2, setup/0]).
-export([hash/1, lookup/1]).

-spec hash(integer()) -> integer().
hash(N) -> (N * 7919 + 4241) band 16#ffff.

-spec two(integer(), integer()) -> ok.
two(A, B) ->
    case A =:= hash(B) andalso B =:= 10 of
        true -> error(bug);
        false -> ok
    end.

-spec three(integer(), integer(), integer()) -> ok.
three(A, B, C) ->
    case A =:= hash(B) andalso B =:= hash(C) andalso C =:= 10 of
        true -> error(bug);
        false -> ok
    end.

-spec four(integer(), integer(), integer(), integer()) -> ok.
four(A, B, C, D) ->
    case A =:= hash(B) andalso B =:= hash(C) andalso C =:= hash(D) andalso D =:= 10 of
        true -> error(bug);
        false -> ok
    end.

-spec five(integer(), integer(), integer(), integer(), integer()) -> ok.
five(A, B, C, D, E) ->
    case A =:= hash(B) andalso B =:= hash(C) andalso C =:= hash(D) andalso D =:= hash(E) andalso E =:= 10 of
        true -> error(bug);
        false -> ok
    end.

-spec six(integer(), integer(), integer(), integer(), integer(), integer()) -> ok.
six(A, B, C, D, E, F) ->
    case
        A =:= hash(B) andalso B =:= hash(C) andalso C =:= hash(D) andalso D =:= hash(E) andalso E =:= hash(F) andalso
            F =:= 10
    of
        true -> error(bug);
        false -> ok
    end.

%% The same in a list: every element but the last is the hash of the next.
-spec listed([integer()]) -> ok.
listed([A | [B, _, _ | _] = Rest]) when A =:= 0; B =/= A -> links(A, Rest);
listed(_) -> ok.

links(A, [B | Rest]) ->
    case hash(B) of
        A -> links(B, Rest);
        _ -> ok
    end;
links(10, []) -> error(bug);
links(_, []) -> ok.

%% What the function gives depends on a table that the program fills: it cannot be called on its own.
-spec stateful(integer(), integer()) -> ok.
stateful(X, Y) ->
    setup(),
    case X =:= lookup(Y) of
        true when Y =:= 10 -> error(bug);
        _ -> ok
    end.

setup() -> put(key, 77).

lookup(N) -> (N bxor get(key)) * 31 + 5.
