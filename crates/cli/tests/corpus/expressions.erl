%% Untyped arithmetic expressions, evaluated; a recursive type whose values need not make sense.
%! eval/1 crash error:{case_clause,_}@if error:{case_clause,_}@pred error:{case_clause,_}@succ error:{case_clause,_}@iszero
-module(expressions).
-export([eval/1]).

-type e() :: e_true | e_false | e_0 | {e_if, e(), e(), e()} | {e_succ, e()} | {e_pred, e()} | {e_iszero, e()}.

-spec eval(e()) -> boolean() | non_neg_integer().
eval(e_true) -> true;
eval(e_false) -> false;
eval(e_0) -> 0;
eval({e_if, C, T, F}) ->
    case eval(C) of %@if
        true -> eval(T);
        false -> eval(F)
    end;
eval({e_pred, T}) ->
    case eval(T) of %@pred
        0 -> 0;
        N when is_integer(N) -> N - 1
    end;
eval({e_succ, T}) ->
    case eval(T) of %@succ
        N when is_integer(N) -> N + 1
    end;
eval({e_iszero, T}) ->
    case eval(T) of %@iszero
        0 -> true;
        N when is_integer(N), N > 0 -> false
    end.
