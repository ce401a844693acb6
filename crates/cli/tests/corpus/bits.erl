%% Bit arithmetic, division and big numbers.
%! mask/2 crash error:bug@mask
%! popcount/1 crash error:many@many
%! gray/1 crash error:gray@gray complete
%! flags/1 crash error:conflict@conflict
%! swap/1 crash error:same@same
%! big/1 crash error:huge@huge complete
%! wrap/2 crash error:overflow@overflow
%! power/2 crash error:cube@cube
%! isqrt/1 crash error:{square,_}@square
%! modinv/1 crash error:inverse@modinv complete
%! parity/1 safe complete
%! shift/2 crash error:bug@shift
%! signs/2 crash error:minus@minus error:plus@plus
%! collatz/1 crash error:long@long
%! split64/1 crash error:bug@split64
-module(bits).
-export([mask/2, popcount/1, gray/1, flags/1, swap/1, big/1, wrap/2, power/2, gcd/2, isqrt/1, modinv/1, parity/1, shift/2, signs/2, collatz/1, hash/1, split64/1]).

-spec mask(non_neg_integer(), 0..31) -> integer().
mask(X, Bit) ->
    case X band (1 bsl Bit) of
        0 -> 0;
        16#100 when X band 16#ff =:= 16#5a -> error(bug); %@mask
        N -> N
    end.

-spec popcount(0..255) -> 0..8.
popcount(X) -> case pop(X, 0) of N when N >= 7 -> error(many); N -> N end. %@many
pop(0, N) -> N;
pop(X, N) -> pop(X bsr 1, N + (X band 1)).

-spec gray(0..63) -> integer().
gray(N) -> case N bxor (N bsr 1) of 2#101101 -> error(gray); G -> G end. %@gray

-define(READ, 1). -define(WRITE, 2). -define(EXEC, 4).
-spec flags([read | write | exec]) -> 0..7.
flags(Fs) ->
    F = lists:foldl(fun(read, A) -> A bor ?READ; (write, A) -> A bor ?WRITE; (exec, A) -> A bor ?EXEC end, 0, Fs),
    case F band (?WRITE bor ?EXEC) of
        6 when F band ?READ =:= 0 -> error(conflict); %@conflict
        _ -> F
    end.

-spec swap(0..16#ffff) -> 0..16#ffff.
swap(W) ->
    S = ((W band 16#ff) bsl 8) bor (W bsr 8),
    case S =:= W andalso W > 16#2000 of true -> error(same); false -> S end. %@same

-spec big(integer()) -> integer().
big(N) when N > 18446744073709551616, N < 18446744073709551618 -> error(huge); %@huge
big(N) when N < -(1 bsl 70) -> 0;
big(N) -> N + 1.

-spec wrap(integer(), integer()) -> integer().
wrap(A, B) ->
    case (A + B) band 16#ffffffff of
        0 when A > 0, B > 0 -> error(overflow); %@overflow
        S -> S
    end.

-spec power(integer(), 0..4) -> integer().
power(B, E) -> case pow(B, E) of 4913 -> error(cube); P -> P end. %@cube
pow(_, 0) -> 1;
pow(B, E) -> B * pow(B, E - 1).

-spec gcd(integer(), integer()) -> integer().
gcd(A, B) when A > B, B =/= 0 -> gcd(B, A rem B);
gcd(A, B) when A =:= B -> A;
gcd(A, B) -> B div (A - 3).

-spec isqrt(0..400) -> 0..20.
isqrt(N) -> isqrt(N, 0).
isqrt(N, R) when R * R =:= N, R > 12 -> error({square, R}); %@square
isqrt(N, R) when (R + 1) * (R + 1) > N -> R;
isqrt(N, R) -> isqrt(N, R + 1).

-spec modinv(1..16) -> 1..16.
modinv(A) ->
    [I | _] = [X || X <- lists:seq(1, 16), (A * X) rem 17 =:= 1],
    case I of 11 -> error(inverse); _ -> I end. %@modinv

-spec parity(integer()) -> even | odd.
parity(N) when N band 1 =:= 0 -> even;
parity(N) when N rem 2 =/= 0 -> odd.

-spec shift(integer(), -8..8) -> integer().
shift(X, By) -> case X bsl By of 1536 when X > 1000 -> error(bug); R -> R end. %@shift

-spec signs(integer(), integer()) -> integer().
signs(A, B) when B =/= 0 ->
    case {A div B, A rem B} of
        {-3, -2} -> error(minus); %@minus
        {-3, 2} -> error(plus); %@plus
        {Q, _} -> Q
    end;
signs(_, _) -> 0.

-spec collatz(1..30) -> non_neg_integer().
collatz(N) -> collatz(N, 0).
collatz(_, Steps) when Steps > 100 -> error(long); %@long
collatz(1, Steps) -> Steps;
collatz(N, Steps) when N rem 2 =:= 0 -> collatz(N div 2, Steps + 1);
collatz(N, Steps) -> collatz(3 * N + 1, Steps + 1).

-spec hash([0..255]) -> integer().
hash(L) ->
    H = lists:foldl(fun(B, Acc) -> (Acc * 31 + B) band 16#ffff end, 7, L),
    case H of 16#1234 -> error({collision, length(L)}); _ -> H end.

-spec split64(0..16#ffffffffffffffff) -> {integer(), integer()}.
split64(N) ->
    case {N bsr 32, N band 16#ffffffff} of
        {Hi, Lo} when Hi =:= Lo, Hi > 16#80000000 -> error(bug); %@split64
        P -> P
    end.
