%% The same functions as they should be, and others that only take long: each has an end.
-module(ending).
-export([seven/1, skip/1, gcd/2, body/1, ping/2, tokens/1, spaces/1, digits/1, halves/1, dictionary/1, folded/2,
         through_fun/2, chain/3, retry/2, chunks/2, modulo/2, steps/2, comprehension/2, rare/2]).
-export([billion/1, up/2, down/1, even/1, pile/2, factorial/1, doubled/1, apart/2, collatz/1, ackermann/2, slow_list/1,
         nested/1, sum_digits/1, square_root/1, growing/2, wait/1, alternating/1, far/1, clock/1, random/1, references/1,
         messages/1, large_state/1, server/1, zeros/1, stack_trace/1, normal/1, while/1]).
-export([binary_counter/1, short_counter/1, odometer/2, carried/1, map_counter/1, turned/1, emptied/1, two_speeds/2]).

-spec seven(integer()) -> integer().
seven(7) -> seven(8);
seven(N) -> N.

-spec skip(binary()) -> non_neg_integer().
skip(<<>>) -> 0;
skip(<<C, Rest/binary>>) when C >= $0, C =< $9 -> skip(Rest);
skip(<<_, Rest/binary>>) -> 1 + skip(Rest).

-spec gcd(pos_integer(), pos_integer()) -> pos_integer().
gcd(A, A) -> A;
gcd(A, B) when A > B -> gcd(A - B, B);
gcd(A, B) -> gcd(A, B - A).

-spec body(atom()) -> non_neg_integer().
body(stop) -> 0;
body(go) -> 1 + body(stop);
body(_) -> 1.

-spec ping(boolean(), 0..3) -> ok.
ping(_, 0) -> ok;
ping(Again, N) -> pong(Again, N).

pong(Again, N) -> ping(Again, N - 1).

-spec tokens([integer() | plus]) -> [term()].
tokens([]) -> [];
tokens([N | Rest]) when is_integer(N) -> [N | tokens(Rest)];
tokens([plus | Rest]) -> [plus | tokens(Rest)].

-spec spaces(string()) -> string().
spaces([C | Rest]) when C =:= $\s; C =:= $\t -> spaces(Rest);
spaces(Text) -> Text.

-spec digits(0..99999) -> [0..9].
digits(N) -> digits(N, []).

digits(N, Digits) when N < 10 -> [N | Digits];
digits(N, Digits) -> digits(N div 10, [N rem 10 | Digits]).

-spec halves(0..20) -> 0..20.
halves(Wanted) -> halves(Wanted, 0, 20).

halves(_, Low, High) when Low =:= High -> Low;
halves(Wanted, Low, High) ->
    Middle = (Low + High) div 2,
    case Wanted =< Middle of
        true -> halves(Wanted, Low, Middle);
        false -> halves(Wanted, Middle + 1, High)
    end.

%% The state that changes is in the process dictionary.
-spec dictionary(0..20) -> ok.
dictionary(Start) ->
    put(counter, Start * 1000),
    count_down().

count_down() ->
    case get(counter) of
        0 -> ok;
        N -> put(counter, N - 1), count_down()
    end.

-spec folded([integer()], 0..20) -> integer().
folded(List, Count) when Count > 0 -> folded(lists:reverse(List), Count - 1);
folded(List, 0) -> lists:sum(List).

-spec through_fun(0..5, 0..5) -> 0..5.
through_fun(X, Y) ->
    Step = fun(Again, N) when N < X -> Again(Again, N + 1);
              (_, N) -> N
           end,
    Step(Step, Y).

-spec chain(0..2, [{0..2, 0..2}], 0..9) -> 0..2.
chain(At, _, 0) -> At;
chain(At, Links, Left) ->
    case lists:keyfind(At, 1, Links) of
        {At, Next} -> chain(Next, Links, Left - 1);
        false -> At
    end.

-spec retry(term(), 0..8) -> ok.
retry(_, 0) -> ok;
retry(Job, Left) ->
    try work(Job) catch
        error:busy -> retry(Job, Left - 1)
    end.

work({job, N}) when is_integer(N), N > 100 -> error(busy);
work(_) -> ok.

-spec chunks(1..3, binary()) -> [binary()].
chunks(Size, Data) when byte_size(Data) =< Size -> [Data];
chunks(Size, Data) ->
    <<Chunk:Size/binary, Rest/binary>> = Data,
    [Chunk | chunks(Size, Rest)].

-spec modulo(0..30, 1..30) -> non_neg_integer().
modulo(A, B) when A < B -> A;
modulo(A, B) -> modulo(A - B, B).

-spec steps(0..50, integer()) -> ok.
steps(At, _) when At >= 50 -> ok;
steps(At, Step) when Step > 0 -> steps(At + Step, Step);
steps(_, _) -> ok.

-spec comprehension([integer()], 0..3) -> [integer()].
comprehension(List, Least) ->
    case [X || X <- List, X >= Least] of
        [] -> [];
        [_] = One -> One;
        [_ | Many] -> comprehension(Many, Least)
    end.

-spec rare(integer(), integer()) -> ok.
rare(A, B) when A > 1000, B > 1000 ->
    case {3 * A - 7, B + 11} of
        {A, _} -> ok;
        {B, A} -> rare(A - 1, B);
        _ -> ok
    end;
rare(_, _) -> ok.

%% ---- long ----

-spec billion(0..3) -> ok.
billion(N) -> count(1000000000 + N).

count(0) -> ok;
count(N) -> count(N - 1).

-spec up(integer(), integer()) -> ok.
up(N, M) when N < M -> up(N + 1, M);
up(_, _) -> ok.

-spec down(non_neg_integer()) -> ok.
down(0) -> ok;
down(N) -> down(N - 1).

-spec even(non_neg_integer()) -> boolean().
even(0) -> true;
even(N) -> odd(N - 1).

odd(0) -> false;
odd(N) -> even(N - 1).

%% What grows is asked about at last.
-spec pile([integer()], 0..3) -> [integer()].
pile(List, 3) when length(List) < 3000 -> pile([3 | List], 3);
pile(List, _) -> List.

-spec factorial(0..2000) -> pos_integer().
factorial(0) -> 1;
factorial(N) -> N * factorial(N - 1).

-spec doubled(1..9) -> pos_integer().
doubled(N) when N > 1 bsl 300 -> N;
doubled(N) -> doubled(2 * N).

-spec apart(integer(), integer()) -> integer().
apart(N, M) when N - M > 20000 -> N;
apart(N, M) when N < M - 20000 -> apart(M, M);
apart(N, M) -> apart(N + 1, M - 1).

-spec collatz(1..2000) -> ok.
collatz(1) -> ok;
collatz(N) when N rem 2 =:= 0 -> collatz(N div 2);
collatz(N) -> collatz(3 * N + 1).

-spec ackermann(0..3, 0..6) -> pos_integer().
ackermann(0, N) -> N + 1;
ackermann(M, 0) -> ackermann(M - 1, 1);
ackermann(M, N) -> ackermann(M - 1, ackermann(M, N - 1)).

-spec slow_list(0..9) -> non_neg_integer().
slow_list(N) -> length(lists:seq(1, 100000 * N)).

-spec nested(0..30) -> non_neg_integer().
nested(N) -> outer(N * 100, 0).

outer(0, Sum) -> Sum;
outer(N, Sum) -> outer(N - 1, Sum + inner(200)).

inner(0) -> 1;
inner(N) -> inner(N - 1).

-spec sum_digits(0..9999) -> 0..9.
sum_digits(N) when N < 10 -> N;
sum_digits(N) -> sum_digits(lists:sum([D - $0 || D <- integer_to_list(N)])).

-spec square_root(1..60) -> pos_integer().
square_root(N) -> square_root(N, N).

square_root(N, Guess) ->
    case (Guess + N div Guess) div 2 of
        Better when Better < Guess -> square_root(N, Better);
        _ -> Guess
    end.

%% An argument grows while another one comes to its end.
-spec growing(0..40, binary()) -> binary().
growing(Count, Text) -> grown(Count * 500, Text).

grown(0, Text) -> Text;
grown(Count, Text) -> grown(Count - 1, <<Text/binary, 0>>).

-spec wait(0..3) -> ok.
wait(N) ->
    receive never -> ok after N -> ok end.

-spec alternating(boolean()) -> ok.
alternating(Flag) -> alternating(Flag, 30000).

alternating(_, 0) -> ok;
alternating(Flag, N) -> alternating(not Flag, N - 1).

%% Far from its end, and every step the same.
-spec far(1..3) -> ok.
far(Step) -> far(Step, 0).

far(_, At) when At > 3000000 -> ok;
far(Step, At) -> far(Step, At + Step).

%% The time goes on, whatever the arguments are.
-spec clock(0..2) -> ok.
clock(N) -> clock(N, erlang:monotonic_time(millisecond)).

clock(N, Start) ->
    case erlang:monotonic_time(millisecond) - Start > N of
        true -> ok;
        false -> timer:sleep(1), clock(N, Start)
    end.

-spec random(2..6) -> ok.
random(Sides) ->
    case rand:uniform(Sides) of
        1 -> ok;
        _ -> random(Sides)
    end.

%% References differ, and their number ends it.
-spec references(1..3) -> ok.
references(N) -> references(N, make_ref(), 6000).

references(_, _, 0) -> ok;
references(N, _, Left) -> references(N, make_ref(), Left - 1).

%% The messages in the mailbox change, the arguments do not.
-spec messages(0..3) -> ok.
messages(Count) ->
    [self() ! {message, N} || N <- lists:seq(1, Count * 1500)],
    flush().

flush() ->
    receive {message, _} -> flush() after 0 -> ok end.

%% Arguments that are equal in most of their parts.
-spec large_state(0..5) -> ok.
large_state(N) -> large_state(lists:duplicate(200, N), 12000).

large_state(_, 0) -> ok;
large_state(List, Left) -> large_state([X || X <- List], Left - 1).

%% A server that waits for what is to do, for ever: no loop.
-spec server(integer()) -> no_return().
server(State) ->
    receive
        {add, N} -> server(State + N);
        stop -> exit(normal)
    after 10 -> exit(timeout)
    end.

%% Zeros are equal, and yet not the same.
-spec zeros(1..2) -> ok.
zeros(N) -> zeros(N, 0.0, 5000).

zeros(_, _, 0) -> ok;
zeros(N, Zero, Left) -> zeros(N, -Zero, Left - 1).

%% What waits shows in a stack trace.
-spec stack_trace(0..1) -> ok.
stack_trace(N) -> depth(N, 5000).

depth(N, Left) when Left > 0 ->
    try error(look) catch error:look:Stack -> true = length(Stack) > 0, ok = depth(N, Left - 1) end;
depth(_, _) -> ok.

%% The coefficient is the same in the first rounds, and not in all.
-spec normal({1..9, 0..20}) -> {pos_integer(), integer()}.
normal({Digit, Zeros}) -> normal(Digit * pow10(Zeros * 500), 0).

normal(Coefficient, Exponent) when Coefficient rem 10 =:= 0 -> normal(Coefficient div 10, Exponent + 1);
normal(Coefficient, Exponent) -> {Coefficient, Exponent}.

pow10(0) -> 1;
pow10(N) -> 10 * pow10(N - 1).

-spec while(0..20) -> integer().
while(N) -> while(fun(X) -> X < 3000 * N end, fun(X) -> X + 1 end, 0).

while(Is, Next, X) ->
    case Is(X) of
        true -> while(Is, Next, Next(X));
        false -> X
    end.

%% A counter whose digits are a list: each round changes a part of it that the next one does not look at.
-spec binary_counter([0 | 1]) -> ok.
binary_counter(Digits) when length(Digits) > 28 -> count_up(Digits);
binary_counter(_) -> ok.

-spec short_counter([0 | 1]) -> ok.
short_counter(Digits) -> count_up(Digits).

count_up(Digits) ->
    case increment(Digits) of
        overflow -> ok;
        More -> count_up(More)
    end.

increment([]) -> overflow;
increment([0 | Rest]) -> [1 | Rest];
increment([1 | Rest]) ->
    case increment(Rest) of
        overflow -> overflow;
        More -> [0 | More]
    end.

-spec odometer(0..9, 0..1000000000) -> ok.
odometer(0, 0) -> ok;
odometer(0, High) -> odometer(9, High - 1);
odometer(Low, High) -> odometer(Low - 1, High).

-spec carried(0..1000000000000) -> ok.
carried(N) -> carry({N, 0, 0}).

carry({0, _, _}) -> ok;
carry({N, 2, 4}) -> carry({N - 1, 0, 0});
carry({N, 2, B}) -> carry({N, 0, B + 1});
carry({N, A, B}) -> carry({N, A + 1, B}).

%% Four rounds of a map are one step of what ends it.
-spec map_counter(0..1000000000000) -> ok.
map_counter(N) -> tick(#{left => N, phase => 0}).

tick(#{left := 0}) -> ok;
tick(#{left := N, phase := P} = State) when P < 3 -> tick(State#{phase := P + 1, left := N});
tick(#{left := N} = State) -> tick(State#{left := N - 1, phase := 0}).

-spec turned([0..3]) -> ok.
turned([A, B, C | _]) -> turn([A, B, C], 1000000000);
turned(_) -> ok.

turn(_, 0) -> ok;
turn([A, B, C], N) when A > B -> turn([B, A, C], N - 1);
turn([A, B, C], N) -> turn([B, C, A], N - 1).

-spec emptied([0..1000000000]) -> ok.
emptied([]) -> ok;
emptied([0 | Rest]) -> emptied(Rest);
emptied([N | Rest]) -> emptied(Rest ++ [N - 1]).

-spec two_speeds(0..1000000000, 1..3) -> ok.
two_speeds(N, _) when N =< 0 -> ok;
two_speeds(N, 1) -> two_speeds(N + 1, 2);
two_speeds(N, 2) -> two_speeds(N + 1, 3);
two_speeds(N, 3) -> two_speeds(N - 3, 1).
