%% Equations between what functions give for different inputs, which hold at few points or at one in millions.
-module(joined).
-export([next/2, scaled/2, three/3, binaries/2, texts/2, sums/2, guarded/2, own/2]).

-spec next(integer(), integer()) -> ok.
next(X, Y) ->
    case erlang:phash2(X) =:= erlang:phash2(Y) + 1 of
        true -> error(bug);
        false -> ok
    end.

-spec scaled(integer(), integer()) -> ok.
scaled(X, Y) ->
    case erlang:phash2(X, 100000) =:= 2 * erlang:phash2(Y, 100000) + 3 of
        true -> error(bug);
        false -> ok
    end.

-spec three(integer(), integer(), integer()) -> ok.
three(X, Y, Z) ->
    case erlang:phash2(X) + erlang:phash2(Y) =:= erlang:phash2(Z) + 7 of
        true -> error(bug);
        false -> ok
    end.

-spec binaries(binary(), binary()) -> ok.
binaries(X, Y) when byte_size(X) > 3, byte_size(Y) > 2 ->
    case erlang:phash2(X, 1 bsl 20) - erlang:phash2(Y, 1 bsl 20) of
        17 -> error(bug);
        _ -> ok
    end;
binaries(_, _) -> ok.

-spec texts(string(), string()) -> ok.
texts([_ | _] = X, [_, _ | _] = Y) ->
    case erlang:phash2(X, 50000) =:= erlang:phash2(Y, 50000) + 1 of
        true -> error(bug);
        false -> ok
    end;
texts(_, _) -> ok.

-spec sums(binary(), integer()) -> ok.
sums(X, Y) ->
    case erlang:crc32(X) =:= erlang:phash2({Y, key}) + 5 of
        true -> error(bug);
        false -> ok
    end.

-spec guarded(integer(), integer()) -> ok.
guarded(X, Y) when X > 1000, Y < -5 ->
    {A, B} = {erlang:phash2(X), erlang:phash2({Y, key})},
    if
        A > 5000, A =:= B + 1 -> error(bug);
        true -> ok
    end;
guarded(_, _) -> ok.

%% Not looked into.
mixed(N) -> (N * 2654435761) rem 1000003.

-spec own(integer(), integer()) -> ok.
own(X, Y) ->
    case mixed(X) =:= mixed(Y) + 7 of
        true -> error(bug);
        false -> ok
    end.
