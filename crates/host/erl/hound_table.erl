%% Funs given by a table: what the machine sends as data becomes a fun here, one for each number of arguments.
%%
%% Each closes over nothing but the data, so that two of them are equal exactly if their tables are.
-module(hound_table).
-export([call/1, term/1]).

%% The terms of a call in external format; only where there are tables in it are they looked for.
-spec call(binary()) -> term().
call(Etf) ->
    Term = binary_to_term(Etf),
    case binary:match(Etf, <<"$hound_table">>) of
        nomatch -> Term;
        _ -> term(Term)
    end.

%% The term with funs in the place of tables.
-spec term(term()) -> term().
term({'$hound_table', Arity, {Default, Rows}}) ->
    make(Arity, {term(Default), [{term(Args), term(Result)} || {Args, Result} <- Rows]});
term([Head | Tail]) ->
    [term(Head) | term(Tail)];
term(Tuple) when is_tuple(Tuple) ->
    list_to_tuple([term(Item) || Item <- tuple_to_list(Tuple)]);
term(Map) when is_map(Map) ->
    maps:from_list([{term(Key), term(Value)} || {Key, Value} <- maps:to_list(Map)]);
term(Term) ->
    Term.

result(Args, {Default, Rows}) ->
    row(Args, Rows, Default).

row(Args, [{Same, Result} | _], _) when Args =:= Same -> Result;
row(Args, [_ | Rows], Default) -> row(Args, Rows, Default);
row(_, [], Default) -> Default.

%% The compiler counts funs from the last one, and they stand in that order: those of fewer arguments come later.
make(0, T) -> fun() -> result([], T) end;
make(1, T) -> fun(A) -> result([A], T) end;
make(2, T) -> fun(A, B) -> result([A, B], T) end;
make(3, T) -> fun(A, B, C) -> result([A, B, C], T) end;
make(4, T) -> fun(A, B, C, D) -> result([A, B, C, D], T) end;
make(5, T) -> fun(A, B, C, D, E) -> result([A, B, C, D, E], T) end;
make(6, T) -> fun(A, B, C, D, E, F) -> result([A, B, C, D, E, F], T) end;
make(7, T) -> fun(A, B, C, D, E, F, G) -> result([A, B, C, D, E, F, G], T) end;
make(8, T) -> fun(A, B, C, D, E, F, G, H) -> result([A, B, C, D, E, F, G, H], T) end;
make(9, T) -> fun(A, B, C, D, E, F, G, H, I) -> result([A, B, C, D, E, F, G, H, I], T) end;
make(10, T) -> fun(A, B, C, D, E, F, G, H, I, J) -> result([A, B, C, D, E, F, G, H, I, J], T) end;
make(11, T) -> fun(A, B, C, D, E, F, G, H, I, J, K) -> result([A, B, C, D, E, F, G, H, I, J, K], T) end;
make(12, T) -> fun(A, B, C, D, E, F, G, H, I, J, K, L) -> result([A, B, C, D, E, F, G, H, I, J, K, L], T) end;
make(13, T) -> fun(A, B, C, D, E, F, G, H, I, J, K, L, M) -> result([A, B, C, D, E, F, G, H, I, J, K, L, M], T) end;
make(14, T) -> fun(A, B, C, D, E, F, G, H, I, J, K, L, M, N) -> result([A, B, C, D, E, F, G, H, I, J, K, L, M, N], T) end;
make(15, T) -> fun(A, B, C, D, E, F, G, H, I, J, K, L, M, N, O) -> result([A, B, C, D, E, F, G, H, I, J, K, L, M, N, O], T) end;
make(16, T) -> fun(A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P) -> result([A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P], T) end;
make(17, T) -> fun(A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P, Q) -> result([A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P, Q], T) end;
make(18, T) -> fun(A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P, Q, R) -> result([A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P, Q, R], T) end;
make(19, T) -> fun(A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P, Q, R, S) -> result([A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P, Q, R, S], T) end;
make(20, T) -> fun(A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P, Q, R, S, T1) -> result([A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P, Q, R, S, T1], T) end.
