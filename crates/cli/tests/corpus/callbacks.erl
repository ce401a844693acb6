%% Funs as inputs: what a callback gives decides what the program does.
%? funs
%! once/2 crash error:bug@once complete paths=2
%! twice/3 crash error:bug@twice complete
%! congruent/2 safe complete
%! fold/2 crash error:bug@fold complete
%! total/2 safe
%! sorted/1 crash error:bug@sorted
%! compared/3 crash error:bug@compared complete
%! kept/2 crash error:bug@kept
%! outcome/1 crash error:{case_clause,_}@outcome complete
%! outcome_safe/1 safe complete
%! curried/2 crash error:bug@curried complete
%! handlers/2 crash error:badarith@handlers
%! hooks/2 crash error:bug@hooks complete
%! arity/1 crash error:badarg@arity complete
%! arity_safe/1 safe complete
%! wrong_arity/1 crash error:{badarity,_}@wrong_arity complete
%! any_fun/2 crash error:{badarity,_}@any_fun complete
%! maybe_fun/1 crash error:{badfun,_}@maybe_fun complete
%! retry/2 crash error:gave_up@retry
%! itself/1 crash error:bug@itself
%! fixed_point/2 crash error:bug@fixed_point
%! pair/1 crash error:{badmatch,_}@pair complete
%! stream/1 crash error:bug@stream
%! through_apply/2 crash error:bug@through_apply complete
%! known_fun/1 crash error:bug@known_fun
%! predicate/2 crash error:bug@predicate
%! lookup/2 crash error:bug@lookup complete
%! zero/1 crash error:bug@zero complete
%! mapped/2 crash error:bug@mapped
%! added/2 crash error:bug@added
%! registry/2 crash error:badarith@registry complete
%! config/1 crash error:{badarity,_}@config complete
%! keyed/2 crash error:bug@keyed complete
%! not_the_same/3 crash error:bug@not_the_same complete
-module(callbacks).
-export([once/2, twice/3, congruent/2, fold/2, total/2, sorted/1, compared/3, kept/2, outcome/1, outcome_safe/1,
         curried/2, handlers/2, hooks/2, arity/1, arity_safe/1, wrong_arity/1, any_fun/2, maybe_fun/1, retry/2,
         itself/1, fixed_point/2, pair/1, stream/1, through_apply/2, known_fun/1, predicate/2, lookup/2, zero/1,
         mapped/2, added/2, not_the_same/3,
         registry/2, config/1, keyed/2]).

-record(hooks, {before :: fun((integer()) -> integer()), count = 0 :: integer()}).

-spec once(fun((integer()) -> integer()), integer()) -> integer().
once(F, X) ->
    case F(X) of
        42 -> error(bug); %@once
        Y -> Y
    end.

%% The same fun gives different results only for different arguments.
-spec twice(fun((integer()) -> integer()), integer(), integer()) -> ok.
twice(F, X, Y) ->
    case {F(X), F(Y)} of
        {1, 2} -> error(bug); %@twice
        _ -> ok
    end.

-spec congruent(fun((integer()) -> integer()), integer()) -> ok.
congruent(F, X) ->
    case F(X) + F(X * 1) of
        N when N rem 2 =/= 0 -> error(bug);
        _ -> ok
    end.

-spec fold(fun((integer(), integer()) -> integer()), [integer()]) -> integer().
fold(_, L) when length(L) > 5 -> 0;
fold(F, L) ->
    case lists:foldl(F, 0, L) of
        N when N > 100, length(L) > 1 -> error(bug); %@fold
        N -> N
    end.

%% Whatever the fun gives are integers.
-spec total(fun((integer()) -> integer()), [integer()]) -> integer().
total(F, [A, B | _]) -> F(A) + F(B);
total(F, [A]) -> F(A);
total(_, []) -> 0.

%% A comparator need not be an order.
-spec sorted(fun((integer(), integer()) -> boolean())) -> ok.
sorted(Less) ->
    case lists:sort(Less, [1, 2, 3]) of
        [3, 1, 2] -> error(bug); %@sorted
        _ -> ok
    end.

-spec compared(fun((T, T) -> lt | eq | gt), T, T) -> ok when T :: integer().
compared(Compare, A, B) ->
    case {Compare(A, B), Compare(B, A)} of
        {lt, lt} when A =/= B -> error(bug); %@compared
        _ -> ok
    end.

-spec kept(fun((integer()) -> boolean()), [integer()]) -> ok.
kept(Keep, L) ->
    case lists:filter(Keep, L) of
        [A, B] when A > B, length(L) =:= 3 -> error(bug); %@kept
        _ -> ok
    end.

-spec outcome(fun(() -> {ok, integer()} | {error, atom()} | retry)) -> integer().
outcome(Run) ->
    case Run() of %@outcome
        {ok, N} -> N;
        {error, _} -> 0
    end.

-spec outcome_safe(fun(() -> {ok, integer()} | {error, atom()} | retry)) -> integer().
outcome_safe(Run) ->
    case Run() of
        {ok, N} -> N;
        {error, Why} -> length(atom_name(Why));
        retry -> -1
    end.

atom_name(none) -> [];
atom_name(_) -> [a].

-spec curried(fun((integer()) -> fun((integer()) -> integer())), integer()) -> ok.
curried(F, X) ->
    G = F(X),
    case G(X + 1) of
        N when N =:= X * 3, X > 5 -> error(bug); %@curried
        _ -> ok
    end.

-spec handlers([{atom(), fun((integer()) -> integer())}], integer()) -> integer().
handlers(Table, X) ->
    case lists:keyfind(go, 1, Table) of
        {go, F} -> 10 div F(X); %@handlers
        false -> 0
    end.

-spec hooks(#hooks{}, integer()) -> ok.
hooks(#hooks{before = Before, count = N}, X) ->
    case Before(X) of
        Y when Y > N, N > X -> error(bug); %@hooks
        _ -> ok
    end.

-spec arity(fun()) -> integer().
arity(F) when is_function(F, 0) -> 0;
arity(F) when is_function(F, 1) -> 1;
arity(_) -> error(badarg). %@arity

-spec arity_safe(fun() | integer()) -> integer().
arity_safe(F) when is_function(F, 0) -> 0;
arity_safe(F) when is_function(F) -> 1;
arity_safe(N) when is_integer(N) -> N.

-spec wrong_arity(fun((any()) -> any())) -> any().
wrong_arity(F) -> F(1, 2). %@wrong_arity

-spec any_fun(fun(), integer()) -> any().
any_fun(F, X) -> F(X, X). %@any_fun

-spec maybe_fun(undefined | fun(() -> ok)) -> ok.
maybe_fun(F) -> F(). %@maybe_fun

-spec retry(fun((non_neg_integer()) -> ok | again), 1..3) -> ok.
retry(Try, N) -> retry(Try, N, 0).

retry(_, 0, _) -> error(gave_up); %@retry
retry(Try, Left, At) ->
    case Try(At) of
        ok -> ok;
        again -> retry(Try, Left - 1, At + 1)
    end.

%% A fun that is called with itself.
-spec itself(fun((any()) -> integer())) -> ok.
itself(F) ->
    case {F(F), F(1)} of
        {3, 4} -> error(bug); %@itself
        _ -> ok
    end.

-spec fixed_point(fun((0..20) -> 0..20), 0..20) -> 0..20.
fixed_point(F, X) ->
    case F(X) of
        X -> X;
        Y ->
            case F(Y) of
                X -> error(bug); %@fixed_point
                _ -> Y
            end
    end.

-spec pair(fun((integer()) -> {integer(), integer()})) -> integer().
pair(F) ->
    {A, _} = F(0),
    {A, B} = F(A), %@pair
    B.

-type stream() :: fun(() -> {integer(), stream()} | done).

-spec stream(stream()) -> ok.
stream(S) ->
    case S() of
        {7, Rest} ->
            case Rest() of
                {8, _} -> error(bug); %@stream
                _ -> ok
            end;
        _ -> ok
    end.

-spec through_apply(fun((integer(), integer()) -> boolean()), [integer()]) -> ok.
through_apply(F, [A, B]) ->
    case apply(F, [A, B]) of
        true when A > 10 -> error(bug); %@through_apply
        _ -> ok
    end;
through_apply(_, _) -> ok.

%% The argument is a fun of the program's own.
-spec known_fun(fun((fun((integer()) -> integer())) -> integer())) -> ok.
known_fun(F) ->
    case F(fun(X) -> X + 1 end) of
        5 -> error(bug); %@known_fun
        _ -> ok
    end.

-spec predicate(fun((atom()) -> boolean()), [atom()]) -> ok.
predicate(P, L) ->
    case lists:partition(P, L) of
        {[a | _], [b | _]} -> error(bug); %@predicate
        _ -> ok
    end.

-spec lookup(fun((atom()) -> {value, integer()} | none), atom()) -> integer().
lookup(Find, Key) ->
    case Find(Key) of
        {value, N} ->
            case Find(other) of
                {value, M} when M =:= N + 1 -> error(bug); %@lookup
                _ -> N
            end;
        none -> 0
    end.

-spec zero(fun(() -> integer())) -> ok.
zero(F) ->
    case F() of
        0 -> ok;
        N when N * N =:= 49 -> error(bug); %@zero
        _ -> ok
    end.

-spec mapped(fun((integer()) -> integer()), [integer()]) -> ok.
mapped(F, L) ->
    case [F(X) || X <- L, X > 0] of
        [A, B] when A + B =:= 1000, A > B -> error(bug); %@mapped
        _ -> ok
    end.

%% Funs are distinguished from each other.
-spec added(fun((integer()) -> integer()), [fun((integer()) -> integer())]) -> ok.
added(F, Fs) ->
    case lists:member(F, Fs) of
        true -> ok;
        false ->
            case [G || G <- Fs, G(1) =:= F(1)] of
                [_] when length(Fs) =:= 1 -> error(bug); %@added
                _ -> ok
            end
    end.

-spec not_the_same(fun((integer()) -> integer()), fun((integer()) -> integer()), integer()) -> ok.
not_the_same(F, F, _) -> ok;
not_the_same(F, G, X) ->
    case {F(X), G(X)} of
        {7, 7} -> error(bug); %@not_the_same
        _ -> ok
    end.

%% Funs as values of a map, and a map as an argument of a fun.
-spec registry(#{atom() => fun((integer()) -> integer())}, integer()) -> integer().
registry(Table, X) ->
    case Table of
        #{go := F} -> 10 div F(X); %@registry
        #{} -> 0
    end.

-spec config(#{hook := fun(), size => integer()}) -> any().
config(#{hook := Hook} = Config) ->
    case maps:get(size, Config, 0) of
        7 -> Hook(); %@config
        N -> N
    end.

-spec keyed(fun((#{a := integer()}) -> integer()), integer()) -> ok.
keyed(F, N) ->
    case {F(#{a => N}), F(#{a => N + 1})} of
        {1, 2} -> error(bug); %@keyed
        _ -> ok
    end.
