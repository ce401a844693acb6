%% Code laid out so that cover's rules about lines that are shared show.
-module(odd_marks).
-compile([export_all, nowarn_export_all]).

-record(r, {a, b = 1 + 2}).

shared(X) -> case X of a -> f(1);
                 b -> f(2) end, f(3).

spread(X) ->
    case X of
        1 -> f(1);
        2 -> f(2) end, f(3),
    if X > 1 -> f(4);
       true -> f(5) end, f(6).

logic(A, B) -> f(A andalso
      B orelse
      f(A)),
    f((A
       andalso
       B)
      orelse A).

lists(L) ->
    [X ||
        X <- L,
        X > 1,
        f(X) orelse
            X,
        Y <- [X,
              case X of 1 -> 2; _ ->
                            3 end],
        begin Z = Y, Z > 1 end],
    << <<X>> ||
        <<X>> <= f(
                   L),
        X > 2 >>.

funs(A) ->
    F = fun(1) -> 2;
           (X) when X > 2 -> A end, G = fun N(0) -> 0; N(X) -> N(X - 1) end,
    F(1), G(2),
    lists:map(fun(X) ->
                      X end, A), F.

tries(X) ->
    try f(X), f(2) of
        1 -> 2;
        _ -> 3
    catch throw:_ -> 4; error:_:_ ->
            f(5)
    after f(6),
          f(7)
    end, catch f(1).

waits(T) ->
    receive a -> 1; b -> f(2)
    after T -> 3 end, f(4),
    receive a -> f(1) after f(
                              0) -> f(2) end.

records(R) ->
    #r{a = f(1),
       b = case R of #r{a = 1} -> 1; _ -> 2 end},
    R#r{a =
            begin f(1), f(2) end},
    (f(R))#r.a,
    #{f(1) => f(2),
      a => case R of 1 ->
                   2; _ -> 3 end},
    <<(f(1)):(f(8))>>.

many() -> f(1), f(2),
          f(3), f(4). last(X) -> f(X). more(X) -> f(X),
    f(X).

f(X) -> X.

%% As a parser generator writes it: code that claims to come from elsewhere.
-file("odd_marks.yrl", 7).
elsewhere(X) ->
    f(X),
    f(X + 1).

-file("odd_marks.erl", 300).
back(X) ->
    f(X).
