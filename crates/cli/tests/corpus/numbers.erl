%% Division, remainders, bits, and arithmetic that has to be solved.
%! divide/2 crash error:badarith@divide complete
%! remainder/1 crash error:bug@remainder
%! linear/2 crash error:bug@linear
%! square/1 crash error:bug@square
%! flags/1 crash error:bug@flags
%! shift/2 crash error:bug@shift
%! clamp/1 safe
%! parity/1 safe
%! big/1 crash error:bug@big
%! gcd/2 crash error:badarith@gcd
%! leap/1 crash error:bug@leap
%! negative/1 crash error:bug@negative
%! mixed/2 safe
-module(numbers).
-export([divide/2, remainder/1, linear/2, square/1, flags/1, shift/2, clamp/1, parity/1, big/1, gcd/2, leap/1, negative/1, mixed/2]).

-spec divide(integer(), integer()) -> integer().
divide(X, Y) -> X div (Y - 17). %@divide

-spec remainder(integer()) -> ok.
remainder(X) when X > 100, X rem 7 =:= 3, X div 10 =:= 12 -> error(bug); %@remainder
remainder(_) -> ok.

-spec linear(integer(), integer()) -> ok.
linear(X, Y) when 3 * X + 5 * Y =:= 71, X - Y =:= 5, X > 0 -> error(bug); %@linear
linear(_, _) -> ok.

-spec square(integer()) -> ok.
square(X) when X * X =:= 1369, X < 0 -> error(bug); %@square
square(_) -> ok.

-spec flags(0..255) -> ok.
flags(X) when X band 2#1010 =:= 2#1010, X band 2#0101 =:= 0, X bsr 6 =:= 2 -> error(bug); %@flags
flags(_) -> ok.

-spec shift(1..20, 0..10) -> ok.
shift(X, N) when X bsl N =:= 96, N > 3 -> error(bug); %@shift
shift(_, _) -> ok.

-spec clamp(integer()) -> 0..255.
clamp(X) ->
    Y = max(0, min(X, 255)),
    true = Y >= 0 andalso Y =< 255,
    Y.

-spec parity(integer()) -> even | odd.
parity(X) ->
    case X rem 2 of
        0 -> even;
        1 -> odd;
        -1 -> odd
    end.

-spec big(integer()) -> ok.
big(X) when X > 16#FFFFFFFFFFFFFFFFFFFF, X rem 1000 =:= 7 -> error(bug); %@big
big(_) -> ok.

-spec gcd(integer(), integer()) -> integer().
gcd(A, B) when A rem B =:= 0 -> B;
gcd(A, B) -> bad(A div (B - 3)). %@gcd
bad(N) -> N.

-spec leap(1..3000) -> boolean().
leap(Y) when Y rem 4 =/= 0 -> false;
leap(Y) when Y rem 100 =:= 0, Y rem 400 =:= 0, Y > 2000 -> error(bug); %@leap
leap(Y) -> Y rem 100 =/= 0 orelse Y rem 400 =:= 0.

-spec negative(integer()) -> ok.
negative(X) when X < 0, -X rem 10 =:= 4, abs(X) > 1000 -> error(bug); %@negative
negative(_) -> ok.

-spec mixed(integer(), integer()) -> boolean().
mixed(X, Y) when X > Y ->
    case X =< Y of
        true -> error(impossible);
        false -> true
    end;
mixed(X, Y) when X =< Y -> false.
