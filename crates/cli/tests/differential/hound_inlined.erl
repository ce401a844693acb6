%% A module whose compiler copied functions, its own and those of lists, into their callers.
-module(hound_inlined).
-compile([export_all, nowarn_export_all, inline_list_funcs]).
-compile({inline, [{pick, 2}, {half, 1}, {twice, 1}]}).

-spec mapped(term(), [term()]) -> term().
mapped(F, L) -> {lists:map(F, L), lists:filter(fun(X) -> X > half(3) end, L)}.

-spec folded(term(), [term()]) -> term().
folded(F, L) -> [lists:foldl(F, 0, L), lists:foldr(F, [], L)].

-spec checked(term(), [term()]) -> term().
checked(F, L) -> {lists:all(F, L), lists:any(F, L), lists:foreach(F, L)}.

-spec threaded(term(), [term()]) -> term().
threaded(F, L) -> {lists:mapfoldl(F, 1, L), lists:mapfoldr(F, 1, L), lists:flatmap(fun(X) -> [X, L] end, L)}.

-spec nested([term()]) -> term().
nested(L) -> lists:map(fun(X) -> lists:foldl(fun(Y, Sum) -> {pick(X, Y), Sum} end, half(X), lists:map(fun twice/1, L)) end, L).

-spec last(term()) -> term().
last(L) -> pick(L, none).

pick([], D) -> D;
pick([H], _) -> H;
pick([_ | T], D) -> pick(T, D);
pick(N, _) when is_integer(N) -> N.

half(N) when is_integer(N) -> N div 2;
half(N) when is_float(N) -> N / 2.

twice({X}) -> {X, X};
twice(X) when is_atom(X) -> [X, X];
twice(X) -> X + X.
