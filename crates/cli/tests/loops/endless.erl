%% Functions that have no end on some of the inputs that their specs allow.
-module(endless).
-export([seven/1, skip/1, gcd/2, body/1, ping/2, tokens/1, spaces/1, digits/1, halves/1, dictionary/1, toggled/1, folded/2,
         through_fun/2, chain/2, retry/1, chunks/2, modulo/2, unify/2, ring/3, table/1, caught/1, comprehension/2, rare/2,
         steps/2, deep/2, float_step/1]).
-export([down/1, down_by_two/1, even/1, pile/2, binary_pile/2, factorial/1, beyond/1, apart/2, range/3, counted/2,
         fields/2, power/2, normal/1, until/1, words/1]).

%% ---- the same state recurs ----

-spec seven(integer()) -> integer().
seven(7) -> seven(7);
seven(N) -> N.

%% A byte that is neither digit nor letter is not consumed.
-spec skip(binary()) -> non_neg_integer().
skip(<<>>) -> 0;
skip(<<C, Rest/binary>>) when C >= $0, C =< $9 -> skip(Rest);
skip(<<C, _/binary>> = All) when C > $~ -> skip(All);
skip(<<_, Rest/binary>>) -> 1 + skip(Rest).

-spec gcd(0..60, 0..60) -> non_neg_integer().
gcd(A, A) -> A;
gcd(A, B) when A > B -> gcd(A - B, B);
gcd(A, B) -> gcd(A, B - A).

-spec body(atom()) -> non_neg_integer().
body(stop) -> 0;
body(go) -> 1 + body(go);
body(_) -> 1.

-spec ping(boolean(), 0..3) -> ok.
ping(_, 0) -> ok;
ping(true, N) -> pong(true, N);
ping(false, N) -> ping(false, N - 1).

pong(Again, 2) -> ping(Again, 2);
pong(_, _) -> ok.

%% A list of tokens: one that is unknown is looked at again.
-spec tokens([integer() | plus | {unknown, integer()}]) -> [term()].
tokens([]) -> [];
tokens([N | Rest]) when is_integer(N) -> [N | tokens(Rest)];
tokens([plus | Rest]) -> [plus | tokens(Rest)];
tokens([{unknown, _} | _] = All) -> tokens(All).

%% Leading spaces are dropped, but a tab is not.
-spec spaces(string()) -> string().
spaces([C | _] = Text) when C =:= $\s; C =:= $\t -> spaces(drop_space(Text));
spaces(Text) -> Text.

drop_space([$\s | Rest]) -> Rest;
drop_space(Text) -> Text.

%% Digits from the least one on: 0 never becomes smaller than 0.
-spec digits(0..99) -> [0..9].
digits(N) -> digits(N, []).

digits(N, Digits) when N < 10, Digits =/= [] -> [N | Digits];
digits(0, []) -> digits(0 div 10, []);
digits(N, Digits) -> digits(N div 10, [N rem 10 | Digits]).

%% Binary search that never narrows where two are left.
-spec halves(0..20) -> 0..20.
halves(Wanted) -> halves(Wanted, 0, 20).

halves(_, Low, High) when Low =:= High -> Low;
halves(Wanted, Low, High) ->
    Middle = (Low + High) div 2,
    case Wanted =< Middle of
        true -> halves(Wanted, Low, Middle);
        false -> halves(Wanted, Middle, High)
    end.

-spec dictionary(integer()) -> ok.
dictionary(Start) ->
    put(counter, Start),
    count_down().

count_down() ->
    case get(counter) of
        0 -> ok;
        3 -> put(counter, 4), count_down();
        N when N > 0, N < 9 -> put(counter, N - 1), count_down();
        _ -> ok
    end.

%% A state that comes back after two rounds.
-spec toggled(on | off | broken) -> ok.
toggled(on) -> ok;
toggled(off) -> toggled(on);
toggled(broken) -> toggled(mended);
toggled(mended) -> toggled(broken).

-spec folded([integer()], integer()) -> integer().
folded(List, Limit) ->
    case lists:foldl(fun(X, Sum) -> X + Sum end, 0, List) of
        Limit when Limit > 2 -> folded(lists:reverse(lists:reverse(List)), Limit);
        Sum -> Sum
    end.

-spec through_fun(0..5, 0..5) -> 0..5.
through_fun(X, Y) ->
    Step = fun(Again, N) when N =:= X -> Again(Again, N);
              (_, N) -> N
           end,
    Step(Step, Y).

%% Links that lead back.
-spec chain(0..2, [{0..2, 0..2}]) -> 0..2.
chain(At, Links) ->
    case lists:keyfind(At, 1, Links) of
        {At, Next} -> chain(Next, Links);
        false -> At
    end.

-spec retry(term()) -> ok.
retry(Job) ->
    try work(Job) catch
        error:busy -> retry(Job)
    end.

work({job, N}) when is_integer(N), N > 100 -> error(busy);
work(_) -> ok.

%% Pieces of no size.
-spec chunks(0..3, binary()) -> [binary()].
chunks(Size, Data) when byte_size(Data) =< Size -> [Data];
chunks(Size, Data) ->
    <<Chunk:Size/binary, Rest/binary>> = Data,
    [Chunk | chunks(Size, Rest)].

-spec modulo(0..30, 0..30) -> non_neg_integer().
modulo(A, B) when A < B -> A;
modulo(A, B) -> modulo(A - B, B).

%% Follows a variable that is bound to itself.
-spec unify(x | y | z, #{x | y | z => x | y | z}) -> x | y | z.
unify(Name, Bindings) ->
    case Bindings of
        #{Name := Other} -> unify(Other, Bindings);
        _ -> Name
    end.

%% Goes round a ring until it finds what is not there.
-spec ring(0..4, 0..9, 1..4) -> 0..4.
ring(At, Wanted, Size) when At =:= Wanted; Size =< At -> At;
ring(At, Wanted, Size) -> ring((At + 1) rem Size, Wanted, Size).

-spec table(0..3) -> ok.
table(Key) ->
    Table = ets:new(table, []),
    true = ets:insert(Table, [{0, 1}, {1, 2}, {2, 1}]),
    follow(Table, Key).

follow(Table, Key) ->
    case ets:lookup(Table, Key) of
        [{Key, Next}] -> follow(Table, Next);
        [] -> ok
    end.

%% The handler of an exception asks again.
-spec caught(integer()) -> ok.
caught(N) ->
    case catch 10 div (N - 4) of
        {'EXIT', _} -> caught(N);
        _ -> ok
    end.

-spec comprehension([integer()], 0..3) -> [integer()].
comprehension(List, Least) ->
    case [X || X <- List, X >= Least] of
        [] -> [];
        [_] = One -> One;
        Many -> comprehension(Many, Least)
    end.

%% Only one pair of inputs goes round: all others leave the square.
-spec rare(integer(), integer()) -> ok.
rare(A, B) when A > 1000, A < 3000, B > 1000, B < 3000 -> rare(3 * A - 2 * B - 4, A + B - 2007);
rare(_, _) -> ok.

%% A step that an input decides.
-spec steps(0..50, integer()) -> ok.
steps(At, _) when At >= 50 -> ok;
steps(At, Step) when Step >= 0 -> steps(At + Step, Step);
steps(_, _) -> ok.

-spec deep(0..9, {leaf, 0..9} | {node, 0..9}) -> non_neg_integer().
deep(_, {leaf, N}) -> N;
deep(Key, {node, Key} = Tree) -> 1 + deep(Key, Tree);
deep(_, {node, N}) -> N.

%% Adding too little to a large number changes nothing.
-spec float_step(1..3) -> float().
float_step(Power) -> climb(0.0, 1.0 * math:pow(10, 8 * Power)).

climb(Gap, At) when At - Gap > 1.0e17 -> At;
climb(_, At) when At < 1.0e15 -> At;
climb(Gap, At) -> climb(Gap, At + 1.0).

%% ---- something grows ----

-spec down(integer()) -> ok.
down(0) -> ok;
down(N) -> down(N - 1).

-spec down_by_two(non_neg_integer()) -> ok.
down_by_two(0) -> ok;
down_by_two(N) -> down_by_two(N - 2).

-spec even(integer()) -> boolean().
even(0) -> true;
even(N) -> odd(N - 1).

odd(0) -> false;
odd(N) -> even(N - 1).

-spec pile([integer()], integer()) -> [integer()].
pile(List, 3) -> pile([3 | List], 3);
pile(List, _) -> List.

-spec binary_pile(binary(), 0..9) -> binary().
binary_pile(Text, 9) -> binary_pile(<<Text/binary, "9">>, 9);
binary_pile(Text, _) -> Text.

-spec factorial(integer()) -> integer().
factorial(0) -> 1;
factorial(N) -> N * factorial(N - 1).

%% Past 64 it only moves away.
-spec beyond(0..200) -> 64.
beyond(64) -> 64;
beyond(N) -> beyond(N + 2).

-spec apart(integer(), integer()) -> integer().
apart(N, N) -> N;
apart(N, M) -> apart(N + 1, M - 1).

-spec range(integer(), integer(), [integer()]) -> [integer()].
range(From, To, List) when From =:= To + 1 -> List;
range(From, To, List) -> range(From + 1, To, [From | List]).

-spec counted([term()], integer()) -> {integer(), list()}.
counted(List, 0) -> {0, List};
counted(List, N) -> counted([N | List], N - 1).

%% A counter inside a state.
-spec fields({state, integer(), [atom()]}, boolean()) -> integer().
fields({state, 10, _}, _) -> 10;
fields({state, N, Names}, Up) -> fields({state, N + 1, [name | Names]}, Up).

-spec power(integer(), integer()) -> integer().
power(_, 0) -> 1;
power(Base, Exponent) -> Base * power(Base, Exponent - 1).

%% Zeros at the end of a coefficient are dropped: of zero there is always one more.
-spec normal({non_neg_integer(), integer()}) -> {non_neg_integer(), integer()}.
normal({Coefficient, Exponent}) -> normal(Coefficient, Exponent).

normal(Coefficient, Exponent) when Coefficient rem 10 =:= 0 -> normal(Coefficient div 10, Exponent + 1);
normal(Coefficient, Exponent) -> {Coefficient, Exponent}.

%% A loop whose steps a fun decides.
-spec until(0..5) -> integer().
until(N) -> until(fun(X) -> X + N end, 0).

until(_, 5) -> 5;
until(Next, X) -> until(Next, Next(X)).

%% Words up to a full stop: before it there may be one of no letters. A round makes calls that come back.
-spec words(binary()) -> [binary()].
words(Text) -> words(Text, {place, 0}, []).

words(Text, {place, At} = Place, Words) ->
    case Text of
        <<_:At/binary>> -> lists:reverse(Words);
        <<_:At/binary, $\s, _/binary>> -> words(Text, {place, At + 1}, Words);
        _ ->
            {Word, Next} = word(Text, Place, []),
            words(Text, Next, [Word | Words])
    end.

word(Text, {place, At} = Place, Letters) ->
    case Text of
        <<_:At/binary, C, _/binary>> when C =/= $., C =/= $\s -> word(Text, {place, At + 1}, [C | Letters]);
        _ -> {iolist_to_binary(lists:reverse(Letters)), Place}
    end.
