%% Exceptions within exceptions: handlers that raise, what comes after them, what guards of handlers leave over.
-module(attempts).
-export([layers/2, raised_again/1, afterwards/1, caught_twice/1, nested/2, lazy/1, classes/1, filtered/1, called/2, updated/1]).

-spec layers(0..3, 0..3) -> any().
layers(A, B) ->
    try
        try
            case A of
                0 -> throw(z);
                1 -> error(o);
                2 -> exit(t);
                _ -> ok
            end
        catch
            throw:z when B > 1 -> zed; % reachable
            error:E when B =:= 0 -> throw({e, E})
        after
            if
                B =:= 3 -> error(final);
                true -> ok % reachable
            end
        end
    of
        zed when B =:= 3 -> impossible; % unreachable
        zed -> zed; % reachable
        ok when A =/= 3 -> impossible; % unreachable
        ok -> fine % reachable
    catch
        error:final when A =:= 3 -> final3; % reachable
        error:final -> final; % reachable
        throw:{e, o} when B =/= 0 -> impossible; % unreachable
        throw:{e, _} -> e; % reachable
        throw:z when B > 1 -> impossible; % unreachable
        throw:z -> z; % reachable
        error:o when B =:= 0 -> impossible; % unreachable
        error:o when B =:= 3 -> impossible; % unreachable
        error:o -> o; % reachable
        exit:t when B =:= 3 -> impossible; % unreachable
        exit:t -> t % reachable
    end.

-spec raised_again(integer()) -> any().
raised_again(N) ->
    try
        try inner(N)
        catch
            C:R:S when R =/= skip -> put(seen, C), erlang:raise(C, {wrapped, R}, S)
        end
    catch
        error:{wrapped, {wrapped, _}} -> impossible; % unreachable
        error:{wrapped, badarith} -> arith; % reachable
        error:{wrapped, _} -> wrapped; % reachable
        throw:skip -> skip; % reachable
        throw:{wrapped, skip} -> impossible; % unreachable
        throw:{wrapped, X} when X =/= N -> impossible; % unreachable
        throw:_ -> thrown; % reachable
        exit:_ -> impossible % unreachable
    end.

inner(0) -> 1 div 0;
inner(1) -> throw(skip);
inner(2) -> element(3, {1, 2});
inner(N) when N > 100 -> throw(N);
inner(_) -> ok.

-spec afterwards(integer()) -> any().
afterwards(N) ->
    R = try
            try N of
                1 -> one; % reachable
                2 -> throw(two)
            after
                put(n, N)
            end
        catch
            error:{try_clause, M} when M =/= N -> impossible; % unreachable
            error:{try_clause, 3} -> three; % reachable
            error:{try_clause, _} -> clause; % reachable
            throw:two -> two % reachable
        end,
    case {R, get(n)} of
        {one, 1} -> one; % reachable
        {two, 2} -> two; % reachable
        {three, 3} -> three; % reachable
        {clause, X} when X =:= 3 -> impossible; % unreachable
        {clause, _} -> clause; % reachable
        _ -> impossible % unreachable
    end.

-spec caught_twice(integer()) -> any().
caught_twice(N) ->
    case catch (catch exit(N)) + 1 of
        {'EXIT', {badarith, _}} -> arith; % reachable
        {'EXIT', X} when X =:= N -> impossible; % unreachable
        Y when is_integer(Y) -> impossible; % unreachable
        _ -> impossible % unreachable
    end.

-spec nested(integer(), integer()) -> any().
nested(A, B) ->
    try A div B of
        Q when Q > A, A > 0 ->
            Q rem (B + 1); % unreachable
        Q when Q < 0 ->
            try 10 div (A + B) of
                R when R > 10 -> impossible; % unreachable
                10 -> ten; % reachable
                _ -> other % reachable
            catch
                error:badarith -> opposite % reachable
            end;
        0 -> zero; % reachable
        _ -> rest % reachable
    catch
        error:badarith when B =/= 0 -> impossible; % unreachable
        error:badarith -> by_zero % reachable
    end.

-spec lazy(boolean()) -> any().
lazy(P) ->
    try P andalso throw(yes) of
        false when P -> impossible; % unreachable
        false -> no; % reachable
        _ -> impossible % unreachable
    catch
        yes when not P -> impossible; % unreachable
        yes -> yes % reachable
    end.

-spec classes(0..4) -> any().
classes(N) ->
    try
        case N of 0 -> throw(a); 1 -> error(a); 2 -> exit(a); 3 -> throw(b); _ -> a end
    of
        a when N < 4 -> impossible; % unreachable
        a -> value % reachable
    catch
        C:a when C =:= throw, N > 0 -> impossible; % unreachable
        C:a when C =:= throw -> t; % reachable
        C:_ when C =:= error, N =:= 2 -> impossible; % unreachable
        C:R when {C, R} =:= {exit, b} -> impossible; % unreachable
        exit:_ -> x; % reachable
        _:b -> b; % reachable
        _:_ when N > 1 -> impossible; % unreachable
        _:_ -> e % reachable
    end.

-spec filtered([0..2]) -> any().
filtered(L) when length(L) < 4 ->
    try [6 div X || X <- L, X =/= 1 orelse throw({one, L})] of
        [3, 3, 3] -> threes; % reachable
        [6 | _] -> impossible; % unreachable
        [] -> empty; % reachable
        _ -> some % reachable
    catch
        throw:{one, M} when M =/= L -> impossible; % unreachable
        throw:{one, [2 | _]} -> two_first; % reachable
        throw:{one, [0 | _]} -> impossible; % unreachable
        throw:_ -> one; % reachable
        error:badarith when hd(L) =:= 1 -> impossible; % unreachable
        error:badarith -> zero % reachable
    end;
filtered(_) -> long.

-spec called(0..3, 0..3) -> any().
called(A, B) ->
    F = case A of
            0 -> fun(X) -> throw({zero, X}) end;
            1 -> fun(X) when X > 1 -> X end;
            2 -> fun erlang:abs/1;
            3 -> not_a_fun
        end,
    try F(B) of
        X when A =:= 1, X =< 1 -> impossible; % unreachable
        X when X =:= 3 -> three; % reachable
        _ when A =:= 0 -> impossible; % unreachable
        _ -> ok
    catch
        throw:{zero, X} when X =/= B -> impossible; % unreachable
        throw:_ -> zero; % reachable
        error:function_clause when A =/= 1 -> impossible;
        error:function_clause when B > 1 -> impossible;
        error:function_clause -> clause;
        error:{badfun, not_a_fun} -> badfun;
        error:_ -> impossible % unreachable
    end.

-spec updated(#{a => 0..2, b => 0..2}) -> any().
updated(M) ->
    try
        #{a := A} = M,
        N = M#{b := A},
        maps:get(b, N) - map_get(a, M)
    of
        0 when not is_map_key(b, M) -> impossible; % unreachable
        0 -> zero; % reachable
        _ -> impossible % unreachable
    catch
        error:{badkey, b} when is_map_key(b, M) -> impossible; % unreachable
        error:{badkey, b} -> no_b; % reachable
        error:{badkey, _} -> impossible; % unreachable
        error:{badmatch, X} when X =/= M -> impossible; % unreachable
        error:{badmatch, #{a := _}} -> impossible; % unreachable
        error:{badmatch, #{b := 1}} -> only_b; % reachable
        error:{badmatch, X} when X =:= #{} -> empty; % reachable
        error:{badmatch, _} -> no_a % reachable
    end.
