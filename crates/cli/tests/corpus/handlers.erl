%% Exceptions as control flow: an operation that can fail is a branch, and a handler decides what its failure means.
%? exceptions
%! mapped/1 crash error:{case_clause,_}@mapped complete
%! divided/2 safe complete
%! divided_bug/2 crash error:bug@divided complete
%! head/1 crash error:bug@head complete
%! nth/2 crash error:bug@nth complete
%! caught/1 crash error:bug@caught complete
%! caught_value/1 crash error:{badmatch,_}@caught_value complete
%! cleanup/2 crash error:badarith@cleanup complete
%! cleanup_order/1 crash error:bug@cleanup_order complete
%! rethrow/1 crash error:{wrapped,_}@rethrow complete
%! raised/2 crash exit:stop@raised complete
%! raised_class/1 crash error:bug@raised_class complete
%! early/1 crash error:bug@early
%! early_safe/1 safe complete
%! retried/2 crash error:gave_up@retried complete
%! nested/2 crash error:bug@nested complete
%! in_fun/2 crash error:bug@in_fun complete
%! comprehension/1 crash error:bug@comprehension
%! clause/1 crash error:bug@clause complete
%! clause_safe/1 safe complete
%! badmatch_value/1 crash error:bug@badmatch_value complete
%! no_fun/1 crash error:bug@no_fun complete
%! bad_arity/1 crash error:bug@bad_arity complete
%! arithmetic/1 crash error:bug@arithmetic complete
%! exits/1 crash error:bug@exits complete
%! of_section/1 crash throw:late@of_section complete
%! unprotected/1 crash error:badarith@unprotected complete
%! which/2 crash error:bug@which complete
%! stack/1 crash error:bug@stack complete
%! after_raises/1 crash exit:after_all@after_raises complete
%! try_else/1 crash error:{try_clause,_}@try_else complete
%! results/1 safe complete
%! tagged/1 crash error:bug@tagged complete
-module(handlers).
-export([mapped/1, divided/2, divided_bug/2, head/1, nth/2, caught/1, caught_value/1, cleanup/2, cleanup_order/1,
         rethrow/1, raised/2, raised_class/1, early/1, early_safe/1, retried/2, nested/2, in_fun/2, comprehension/1,
         clause/1, clause_safe/1, badmatch_value/1, no_fun/1, bad_arity/1, arithmetic/1, exits/1, of_section/1,
         unprotected/1, which/2, stack/1, after_raises/1, try_else/1, results/1, tagged/1]).

%% A try that maps errors: one of them has no place in the map.
-spec mapped(integer()) -> integer().
mapped(N) ->
    Why = try step(N) of
              V -> {ok, V}
          catch
              throw:{limit, L} -> {limit, L};
              error:badarith -> zero;
              exit:R -> {down, R}
          end,
    case Why of %@mapped
        {ok, V1} -> V1;
        {limit, _} -> -1;
        zero -> 0
    end.

step(N) when N > 100 -> throw({limit, N});
step(N) when N =:= -7 -> exit(seven);
step(N) -> 1000 div N.

-spec divided(integer(), integer()) -> integer().
divided(A, B) ->
    try A div B catch error:badarith -> 0 end.

-spec divided_bug(integer(), integer()) -> integer().
divided_bug(A, B) ->
    try A div B catch error:badarith when A > 10 -> error(bug); error:badarith -> 0 end. %@divided

-spec head([integer()]) -> integer().
head(L) ->
    try hd(L) of
        7 -> error(bug); %@head
        N -> N
    catch
        error:badarg -> -1
    end.

-spec nth(integer(), {integer(), integer()}) -> integer().
nth(I, T) ->
    case catch element(I, T) of
        {'EXIT', {badarg, _}} -> 0;
        N when N =:= I -> error(bug); %@nth
        N -> N
    end.

%% The old catch makes one value of everything.
-spec caught(integer()) -> ok.
caught(N) ->
    case catch thrower(N) of
        {'EXIT', {{badmatch, M}, _}} when M > 5 -> error(bug); %@caught
        _ -> ok
    end.

thrower(0) -> throw(zero);
thrower(N) when N < 0 -> exit(negative);
thrower(N) -> 3 = N.

-spec caught_value(integer()) -> integer().
caught_value(N) ->
    {ok, V} = (catch wrapped(N)), %@caught_value
    V.

wrapped(N) when N > 0 -> {ok, N};
wrapped(N) -> throw({ok, -N + 1 div N}).

%% What stands in after is done in any case, and does not swallow anything.
-spec cleanup(integer(), integer()) -> integer().
cleanup(A, B) ->
    put(open, true),
    try A div B %@cleanup
    after
        erase(open)
    end.

-spec cleanup_order(integer()) -> ok.
cleanup_order(N) ->
    put(state, start),
    R = (catch try 10 div N after put(state, done) end),
    case {R, get(state)} of
        {5, done} -> error(bug); %@cleanup_order
        {_, done} -> ok
    end.

-spec rethrow(integer()) -> integer().
rethrow(N) ->
    try 10 div (N - 3)
    catch
        error:Reason -> error({wrapped, Reason}) %@rethrow
    end.

-spec raised(error | exit | throw, integer()) -> integer().
raised(Class, N) ->
    try erlang:raise(Class, {n, N}, [])
    catch
        throw:{n, M} -> M;
        error:{n, M} when M < 0 -> 0;
        error:{n, _} -> 1;
        exit:{n, 9} -> exit(stop); %@raised
        exit:_ -> 2
    end.

-spec raised_class(atom()) -> ok.
raised_class(Class) ->
    try erlang:raise(Class, why, []) of
        badarg -> error(bug) %@raised_class
    catch
        _:why -> ok
    end.

%% A throw as an early way out of a fold.
-spec early([integer()]) -> integer().
early(L) ->
    Found = try lists:foldl(fun(X, _) when X > 50 -> throw({found, X});
                               (X, A) -> X + A
                            end, 0, L)
            catch
                throw:{found, Y} -> Y
            end,
    case Found of
        77 -> error(bug); %@early
        _ -> Found
    end.

-spec early_safe({integer(), integer(), integer()}) -> integer().
early_safe(T) ->
    try lists:foreach(fun(X) -> X =< 3 orelse throw(X) end, tuple_to_list(T)) of
        ok -> 0
    catch
        throw:X when X > 3 -> X
    end.

-spec retried(1..3, integer()) -> integer().
retried(N, X) ->
    try 100 div (X - N)
    catch
        error:badarith when N > 1 -> retried(N - 1, X - 1);
        error:badarith -> error(gave_up) %@retried
    end.

-spec nested(integer(), integer()) -> integer().
nested(A, B) ->
    try
        try 10 div A
        catch
            error:badarith -> 20 div B
        end
    catch
        error:badarith when A =:= B -> error(bug); %@nested
        error:badarith -> 0
    end.

-spec in_fun(fun((integer()) -> integer()), integer()) -> ok.
in_fun(F, X) ->
    try 10 div F(X) of
        5 -> ok;
        _ -> ok
    catch
        error:badarith when X > 3 -> error(bug); %@in_fun
        error:badarith -> ok
    end.

-spec comprehension([integer()]) -> ok.
comprehension(L) ->
    case [catch 6 div X || X <- L] of
        [{'EXIT', _}, 3] -> error(bug); %@comprehension
        _ -> ok
    end.

-spec clause(integer()) -> ok.
clause(N) ->
    try only_small(N)
    catch
        error:function_clause when N rem 1000 =:= 999 -> error(bug); %@clause
        error:function_clause -> ok
    end.

-spec clause_safe(integer()) -> small | other.
clause_safe(N) ->
    try only_small(N) of
        ok -> small
    catch
        error:function_clause -> other
    end.

only_small(N) when N < 10, N > -10 -> ok.

-spec badmatch_value({ok, integer()} | {error, atom()}) -> ok.
badmatch_value(R) ->
    try
        {ok, N} = R,
        N
    of
        _ -> ok
    catch
        error:{badmatch, {error, Why}} when Why =/= enoent, Why =/= a -> error(bug); %@badmatch_value
        error:{badmatch, _} -> ok
    end.

-spec no_fun(undefined | fun(() -> integer())) -> ok.
no_fun(F) ->
    try F() of
        N when is_integer(N) -> ok
    catch
        error:{badfun, undefined} -> error(bug) %@no_fun
    end.

-spec bad_arity(fun()) -> ok.
bad_arity(F) ->
    try F(1, 2) of
        _ -> ok
    catch
        error:{badarity, {_, [1, 2]}} -> error(bug) %@bad_arity
    end.

-spec arithmetic(integer() | atom()) -> ok.
arithmetic(X) ->
    try X + 1 of
        0 -> ok;
        _ -> ok
    catch
        error:badarith when X =:= infinity -> error(bug); %@arithmetic
        error:badarith -> ok
    end.

-spec exits(integer()) -> ok.
exits(N) ->
    try leave(N)
    catch
        exit:{shutdown, M} when M < 10 -> ok;
        exit:{shutdown, _} -> error(bug); %@exits
        exit:normal -> ok;
        throw:_ -> ok
    end.

leave(N) when N > 0 -> exit({shutdown, N * 2});
leave(0) -> exit(normal);
leave(N) -> throw(N).

%% What stands in the of section is not protected.
-spec of_section(integer()) -> ok.
of_section(N) ->
    try N * 2 of
        10 -> throw(late); %@of_section
        _ -> ok
    catch
        throw:late -> ok
    end.

-spec unprotected(integer()) -> integer().
unprotected(N) ->
    try 1 div N of
        M -> 10 div (M - 1) %@unprotected
    catch
        error:badarith -> 0
    end.

%% Class and reason say which of several operations failed.
-spec which(integer(), [integer()]) -> ok.
which(N, L) ->
    try {1 div N, hd(L)} of
        {_, _} -> ok
    catch
        error:badarith -> ok;
        error:badarg when N > 1 -> error(bug); %@which
        error:badarg -> ok
    end.

-spec stack([integer()]) -> ok.
stack(L) ->
    try first(L) of
        _ -> ok
    catch
        error:function_clause:Stack ->
            case Stack of
                [{?MODULE, first, [[_ | [_ | _]]], _} | _] -> error(bug); %@stack
                _ -> ok
            end
    end.

first([1 | _]) -> 1;
first([2 | _]) -> 2.

-spec after_raises(integer()) -> ok.
after_raises(N) ->
    try
        try 1 div N after N =:= 0 andalso exit(after_all) end %@after_raises
    of
        _ -> ok
    catch
        error:badarith -> ok
    end.

-spec try_else(integer()) -> ok.
try_else(N) ->
    try N rem 3 of %@try_else
        0 -> ok;
        1 -> ok;
        -1 -> ok
    catch
        _:_ -> ok
    end.

%% Errors become tuples, whatever the list holds.
-spec results({integer() | atom(), integer(), integer()}) -> [{ok, integer()} | {error, badarith}].
results(T) -> [try {ok, 10 div X} catch error:E -> {error, E} end || X <- tuple_to_list(T)].

-spec tagged(integer()) -> integer().
tagged(N) ->
    try positive(N)
    catch
        throw:{bad, N} when N =:= -12 -> error(bug); %@tagged
        throw:{bad, M} -> M
    end.

positive(N) when N >= 0 -> N;
positive(N) -> throw({bad, N}).
