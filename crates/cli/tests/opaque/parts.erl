%% Equations between what functions give for parts of one input, for inputs beside others, and orders that few values have.
-module(parts).
-export([elements/1, fields/1, pairs/1, named/2, halves/2, beside/3, below/2, ordered/2, far/1, residues/2]).
-record(pair, {left :: integer(), right :: integer()}).

-spec elements([integer()]) -> ok.
elements([X, Y | _]) ->
    case {erlang:phash2(X), erlang:phash2([Y])} of
        {A, B} when A =:= B + 1 -> error(bug);
        _ -> ok
    end;
elements(_) -> ok.

-spec fields(#pair{}) -> ok.
fields(#pair{left = X, right = Y}) ->
    Hash = erlang:phash2(X, 1 bsl 22),
    case erlang:phash2({Y, Y}, 1 bsl 22) of
        Other when Other =:= Hash + 2 -> error(bug);
        _ -> ok
    end.

-spec pairs([{binary(), integer()}]) -> ok.
pairs([{Text, Number}]) ->
    case erlang:phash2(Text, 1 bsl 20) =:= 3 * erlang:phash2(Number, 1 bsl 20) + 7 of
        true -> error(bug);
        false -> ok
    end;
pairs(_) -> ok.

-spec named(string(), atom()) -> ok.
named(Text, Name) when Text =/= [] ->
    case erlang:phash2(Text, 1 bsl 24) =:= erlang:phash2({Name, salt}, 1 bsl 24) of
        true -> error(bug);
        false -> ok
    end;
named(_, _) -> ok.

-spec halves(float(), integer()) -> ok.
halves(X, Y) ->
    case erlang:phash2(X) =:= erlang:phash2(Y) - 4 of
        true -> error(bug);
        false -> ok
    end.

%% The third one is no argument of the function.
-spec beside(integer(), integer(), integer()) -> ok.
beside(X, Y, N) when N > 1000, N < 1010 ->
    case erlang:phash2(X, 100000) =:= erlang:phash2(Y, 100000) + N of
        true -> error(bug);
        false -> ok
    end;
beside(_, _, _) -> ok.

%% The inputs are held together by an order.
-spec ordered(integer(), integer()) -> ok.
ordered(X, Y) when X > Y ->
    case erlang:phash2(X) - erlang:phash2(Y) of
        -1 -> error(bug);
        _ -> ok
    end;
ordered(_, _) -> ok.

-spec below(integer(), [integer()]) -> ok.
below(X, [Y]) ->
    Sum = erlang:phash2(X, 1 bsl 20) + erlang:phash2(Y, 1 bsl 20),
    if
        Sum < 1500 -> error(bug);
        true -> ok
    end;
below(_, _) -> ok.

%% One value of some thousand.
-spec far(integer()) -> ok.
far(X) ->
    case erlang:phash2(X) > 134180000 of
        true -> error(bug);
        false -> ok
    end.

-spec residues(integer(), integer()) -> ok.
residues(X, Y) ->
    {A, B} = {erlang:phash2(X), erlang:phash2(Y)},
    case A > 134100000 andalso A rem 7001 =:= B rem 7001 of
        true -> error(bug);
        false -> ok
    end.
