%% Mutual recursion.
%! even/1 crash error:bug@even
%! expr/1 crash error:unbalanced@expr
%! ping/1 safe
-module(mutual).
-export([even/1, expr/1, ping/1]).

-spec even([a]) -> boolean().
even([]) -> true;
even([_ | T]) -> odd(T).
odd([]) -> false;
odd([_, _, _, _]) -> error(bug); %@even
odd([_ | T]) -> even(T).

-spec expr([open | close | x]) -> ok.
expr(Ts) ->
    case group(Ts) of
        [] -> ok;
        [close | _] -> error(unbalanced); %@expr
        _ -> ok
    end.
group([x | T]) -> group(T);
group([open | T]) -> after_group(group(T));
group(T) -> T.
after_group([close | T]) -> group(T);
after_group(T) -> T.

-spec ping(0..4) -> done.
ping(0) -> done;
ping(N) -> pong(N - 1).
pong(0) -> done;
pong(N) -> ping(N - 1).
