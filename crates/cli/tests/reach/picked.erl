%% Funs that are one of several values which a register can hold.
-module(picked).
-export([alone/1, in_tuple/2, in_list/1]).

alone(X) ->
    F = pick(X),
    F(1).

pick(a) ->
    fun(Y) ->
        case Y of
            1 -> one; % reachable
            _ -> other
        end
    end;
pick(X) ->
    X.

in_tuple(X, Z) ->
    {f, F} = pair(X, Z),
    F(1).

pair(a, _) ->
    {f, fun(Y) ->
            case Y of
                1 -> one; % reachable
                _ -> other
            end
        end};
pair(_, Z) ->
    Z.

in_list(N) ->
    [F | _] = part(N),
    F(1).

part(N) when N < 3 ->
    N;
part(N) when N =:= 7 ->
    [fun(Y) ->
         case Y of
             1 -> one; % reachable
             _ -> other
         end
     end];
part(N) ->
    {N}.
