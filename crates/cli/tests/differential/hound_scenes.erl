%% Small programs around state that belongs to one run: tables, graphs, random numbers, the process dictionary.
-module(hound_scenes).
-compile(export_all).
-compile(nowarn_export_all).

-type edges() :: [{0..5, 0..5}].

-spec topsort(edges()) -> term().
topsort(Edges) ->
    with_graph(Edges, [], fun digraph_utils:topsort/1).

-spec components(edges()) -> term().
components(Edges) ->
    with_graph(Edges, [], fun(G) -> sorted(digraph_utils:components(G)) end).

-spec strong(edges()) -> term().
strong(Edges) ->
    with_graph(Edges, [], fun(G) -> sorted(digraph_utils:strong_components(G)) end).

-spec cyclic(edges()) -> term().
cyclic(Edges) ->
    with_graph(Edges, [], fun(G) -> {digraph_utils:is_acyclic(G), digraph_utils:is_tree(G), digraph_utils:loop_vertices(G)} end).

-spec acyclic(edges()) -> term().
acyclic(Edges) ->
    with_graph(Edges, [acyclic], fun(G) -> lists:sort(digraph:edges(G)) =/= [] andalso digraph:no_edges(G) end).

-spec path(edges(), 0..5, 0..5) -> term().
path(Edges, From, To) ->
    with_graph(Edges, [], fun(G) ->
        P = digraph:get_short_path(G, From, To),
        C = digraph:get_short_cycle(G, From),
        {P =:= false orelse length(P), C =:= false orelse length(C),
         lists:sort(digraph_utils:reachable([From], G)), lists:sort(digraph_utils:reaching([To], G))}
    end).

-spec degrees(edges(), 0..5) -> term().
degrees(Edges, V) ->
    with_graph(Edges, [], fun(G) ->
        digraph:add_vertex(G, V, label),
        Label = digraph:vertex(G, V),
        In = lists:sort(digraph:in_neighbours(G, V)),
        Out = lists:sort(digraph:out_neighbours(G, V)),
        Info = proplists:get_value(cyclicity, digraph:info(G)),
        digraph:del_vertex(G, V),
        {Label, In, Out, Info, lists:sort(digraph:vertices(G)), digraph:no_vertices(G)}
    end).

-spec condensed(edges()) -> term().
condensed(Edges) ->
    with_graph(Edges, [], fun(G) ->
        C = digraph_utils:condensation(G),
        Result = sorted(digraph:vertices(C)),
        digraph:delete(C),
        Result
    end).

with_graph(Edges, Options, Fun) ->
    G = digraph:new(Options),
    [digraph:add_vertex(G, V) || V <- lists:seq(0, 3)],
    [digraph:add_edge(G, A, B) || {A, B} <- Edges],
    Result = Fun(G),
    digraph:delete(G),
    Result.

sorted(Lists) -> lists:sort([lists:sort(L) || L <- Lists]).

-spec table(set | ordered_set | bag | duplicate_bag, [{atom() | integer(), term()}]) -> term().
table(Type, Rows) ->
    T = ets:new(t, [Type, private]),
    true = ets:insert(T, Rows),
    Keys = [K || {K, _} <- Rows],
    Found = [lists:sort(ets:lookup(T, K)) || K <- Keys],
    All = lists:sort(ets:tab2list(T)),
    Sum = ets:foldl(fun(_, N) -> N + 1 end, 0, T),
    Size = ets:info(T, size),
    Ints = lists:sort(ets:select(T, [{{'$1', '_'}, [{is_integer, '$1'}], ['$1']}])),
    Gone = [ets:delete(T, K) || K <- lists:sublist(Keys, 1)],
    Left = ets:info(T, size),
    {Found, All, Sum, Size, Ints, Gone, Left}.

-spec ordered([{integer() | float(), atom()}]) -> term().
ordered(Rows) ->
    T = ets:new(t, [ordered_set]),
    ets:insert(T, Rows),
    {ets:first(T), ets:last(T), ets:tab2list(T), [ets:next(T, K) || {K, _} <- Rows], ets:match(T, {'$1', a})}.

-spec counter(atom(), [integer()]) -> term().
counter(Key, Steps) ->
    T = ets:new(t, []),
    ets:insert(T, {Key, 0}),
    {[ets:update_counter(T, Key, S) || S <- Steps], ets:member(T, Key), ets:insert_new(T, {Key, 1}), ets:take(T, Key)}.

-spec missing_table(atom()) -> term().
missing_table(Name) -> ets:lookup(Name, key).

-spec random(exsss | exsp | exro928ss | exrop | mwc59 | exs1024s, integer(), 1..1000) -> term().
random(Algorithm, Seed, N) ->
    rand:seed(Algorithm, Seed),
    {[rand:uniform(N) || _ <- lists:seq(1, 5)], rand:uniform(), rand:normal(), rand:bytes(5)}.

-spec jumping({integer(), integer(), integer()}) -> term().
jumping(Seed) ->
    S0 = rand:seed_s(exsss, Seed),
    {X, S1} = rand:uniform_s(1000000, S0),
    S2 = rand:jump(S1),
    {Y, S3} = rand:uniform_real_s(S2),
    {Z, _} = rand:normal_s(S3),
    {X, Y, Z}.

-spec shuffled([integer()]) -> term().
shuffled(L) ->
    S0 = rand:seed_s(exro928ss, 42),
    {Tagged, _} = lists:mapfoldl(fun(X, S) -> {R, T} = rand:uniform_s(S), {{R, X}, T} end, S0, L),
    [X || {_, X} <- lists:keysort(1, Tagged)].

-spec dictionary([{atom(), term()}]) -> term().
dictionary(Pairs) ->
    Old = [put(K, V) || {K, V} <- Pairs],
    Now = [get(K) || {K, _} <- Pairs],
    Keys = lists:sort([K || {K, _} <- get(), lists:keymember(K, 1, Pairs)]),
    Erased = [erase(K) || {K, _} <- Pairs],
    {Old, Now, Keys, Erased, get(nothing_here)}.

-spec printed(io:format(), [term()]) -> term().
printed(Format, Args) ->
    io:format(Format, Args).

-spec prints(term(), string(), binary()) -> term().
prints(X, S, B) ->
    Steps = [fun() -> io:format("~p ~w~n", [X, {S, B}]) end, fun() -> io:put_chars(S) end, fun() -> io:nl() end,
             fun() -> io:write(X) end, fun() -> io:format("~ts|~s|~20p~n", [S, B, X]) end, fun() -> io:put_chars(B) end,
             fun() -> io:fwrite(user_name(X), "~c~n", [X]) end, fun() -> io:format(S, X) end,
             fun() -> io:put_chars(unicode, [S, B]) end, fun() -> io:format("~tp ~30.5f ~.16b ~e~n", [B, X, X, X]) end],
    [try Step() catch C:R -> {C, R} end || Step <- Steps].

user_name(_) -> standard_io.

-spec prints_on_the_way(0..12, term()) -> term().
prints_on_the_way(0, X) -> hd(X);
prints_on_the_way(N, X) ->
    io:format("~b ", [N]),
    try prints_on_the_way(N - 1, X) after io:put_chars("<") end.
