%% Functions without specs.
-module(plain).
-export([total/1, nth/2, rows/1, tagged/1, shape/1, deep/1, twice/1, keyed/1, apply_it/2, guarded/1, stepped/1,
         half/1, open/1, proved/1, refused/1, mapped/1, paired/1]).

%% Its callee wants a list of numbers.
total(List) -> lists:sum(List).

%% 0 is of the kind that the callee wants, and breaks it all the same.
nth(N, List) when is_list(List) -> lists:nth(N, List).

%% A planted bug: rows whose sum is 10.
rows(Rows) ->
    case lists:sum([lists:sum(Row) || Row <- Rows]) of
        10 -> error(badmatch_planted) + 1;
        Sum -> 100 div (Sum - 7)
    end.

tagged({add, A, B}) -> A + B;
tagged({neg, A}) -> -A;
tagged(zero) -> 0;
tagged(Other) -> error({unknown, Other}).

shape({circle, R}) when is_integer(R) -> 100 div (R - 7);
shape({square, A}) -> A * A;
shape([{rect, A, B} | Rest]) -> A * B + shape(Rest);
shape([]) -> 0.

%% The demand stands in a function that is called.
deep(X) -> deeper(X, 1).
deeper(X, N) -> inner(X) + N.
inner(X) -> length(X).

-spec doubled(integer()) -> integer().
doubled(N) -> N * 2.
twice(N) -> doubled(N) + 1.

keyed(#{name := Name, size := Size}) -> {atom_to_list(Name), 10 div Size}.

apply_it(F, X) -> F(X) + 1.

guarded(X) when is_binary(X); is_atom(X) -> byte_size(if is_atom(X) -> atom_to_binary(X); true -> X end).

stepped([H | T]) -> 100 div H + stepped(T);
stepped([]) -> 0.

half(N) -> N div 2.

open(X) -> {ok, X}.

proved(X) when is_integer(X) -> X * X;
proved(X) when is_list(X) -> hd([X]);
proved(_) -> other.

%% Safe for what its code seems to take, and for nothing else.
refused(X) when is_integer(X) -> ok;
refused({odd, _} = X) -> exit({refused, X});
refused(X) when is_pid(X) -> ok.

mapped(List) -> lists:map(fun(X) -> X + 1 end, List).

paired({A, B}) -> lists:append(A, B).
