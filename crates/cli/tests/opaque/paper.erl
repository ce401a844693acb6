%% The programs and examples of the text on higher-order test generation, with its hash function.
-module(paper).
-export([obscure/2, foo/2, foo_bis/2, bar/2, pub/2, delayed/2, equal/2, next/2, learned/2]).
-export([hash/1, small/1]).

%% An opaque function: its values at 42, 33 and 10 are those of the text.
-spec hash(integer()) -> integer().
hash(42) -> 567;
hash(33) -> 123;
hash(10) -> 66;
hash(N) -> (N * 7919 + 4241) band 16#ffff.

%% A function with few values: 0 gives 0, 1 gives 1.
-spec small(integer()) -> integer().
small(0) -> 0;
small(1) -> 1;
small(_) -> 7.

-spec obscure(integer(), integer()) -> ok.
obscure(X, Y) ->
    case X =:= hash(Y) of
        true -> error(bug);
        false -> ok
    end.

%% Examples 1 and 7.
-spec foo(integer(), integer()) -> ok.
foo(X, Y) ->
    case X =:= hash(Y) of
        true ->
            case Y of
                10 -> error(bug);
                _ -> ok
            end;
        false -> ok
    end.

%% Example 2.
-spec foo_bis(integer(), integer()) -> ok.
foo_bis(X, Y) ->
    case X =/= hash(Y) of
        true ->
            case Y of
                10 -> error(bug);
                _ -> ok
            end;
        false -> ok
    end.

%% Example 3.
-spec bar(integer(), integer()) -> ok.
bar(X, Y) ->
    case X =:= hash(Y) andalso Y =:= hash(X) of
        true -> error(bug);
        false -> ok
    end.

%% Example 4.
-spec pub(integer(), integer()) -> ok.
pub(X, Y) ->
    case hash(X) > 0 andalso Y =:= 10 of
        true -> error(bug);
        false -> ok
    end.

%% The result is not tested before the question about Y is asked.
-spec delayed(integer(), integer()) -> ok.
delayed(_, Y) ->
    X = hash(Y),
    case Y of
        10 -> error(bug);
        _ when X < 0 -> ok;
        _ -> ok
    end.

%% Example 5.
-spec equal(integer(), pos_integer()) -> ok.
equal(X, Y) ->
    case hash(X) =:= hash(Y) of
        true -> error(bug);
        false -> ok
    end.

%% Example 6: the pairs are observed before the inputs are looked at.
-spec next(integer(), integer()) -> ok.
next(X, Y) ->
    _ = [small(N) || N <- [0, 1]],
    case small(X) =:= small(Y) + 1 of
        true -> error(bug);
        false -> ok
    end.

%% The same without the pairs.
-spec learned(integer(), integer()) -> ok.
learned(X, Y) ->
    case small(X) =:= small(Y) + 1 of
        true -> error(bug);
        false -> ok
    end.
