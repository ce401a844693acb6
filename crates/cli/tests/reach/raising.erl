%% Exceptions: what handlers catch, what always raises, what comes after.
-module(raising).
-export([parse/1, guarded/2, cleanup/1, always/1, first/1]).

-spec parse(string()) -> term().
parse(Text) ->
    try list_to_integer(Text) of
        N when N > 500 ->
            {large, N}; % reachable
        N ->
            {ok, N}
    catch
        error:badarg when Text =:= "none" ->
            none; % reachable
        error:badarith ->
            arithmetic; % unreachable, by induction
        error:badarg ->
            error
    end.

-spec guarded(integer(), integer()) -> term().
guarded(A, B) ->
    try
        checked(A div B)
    catch
        throw:{small, N} when N =:= -7 ->
            minus_seven; % reachable
        throw:{small, N} when N > 10 ->
            large; % unreachable
        throw:_ ->
            thrown;
        error:badarith ->
            zero % reachable
    end.

checked(N) when N < 10 -> throw({small, N});
checked(N) -> N.

-spec cleanup(term()) -> term().
cleanup(X) ->
    try
        exit(X)
    after
        put(done, true) % reachable
    end,
    after_exit. % unreachable

-spec always(integer()) -> no_return().
always(N) ->
    fail(N),
    survived. % unreachable

fail(N) when N > 0 -> error({positive, N});
fail(N) -> throw({other, N}).

%% After an exception that was caught, nothing is known of what raised it but that it did.
-spec first(list()) -> term().
first(List) ->
    First = try hd(List) catch error:badarg -> none end,
    case List of
        [] ->
            {empty, First}; % reachable
        _ ->
            First
    end.
