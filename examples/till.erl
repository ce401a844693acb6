%% A till with several mistakes, for hound explore to find.
-module(till).
-export([change/2, discount/2, eval/1, receipt/1, round_up/1]).

-type coin() :: 1 | 2 | 5 | 10 | 20 | 50.
-type sum() :: non_neg_integer() | {add | sub | split, sum(), sum()}.

%% Coins for an amount, largest first; a till that runs out of small coins was forgotten.
-spec change(non_neg_integer(), [coin()]) -> [coin()].
change(0, _) -> [];
change(Amount, [Coin | Coins]) when Coin > Amount -> change(Amount, Coins);
change(Amount, [Coin | Coins]) -> [Coin | change(Amount - Coin, Coins)].

%% A tenth off from 100 on, and a code that should not be there.
-spec discount(pos_integer(), atom()) -> integer().
discount(Price, staff) when Price rem 7 =:= 3, Price > 1000 -> error({forgotten_code, Price});
discount(Price, _) when Price >= 100 -> Price - Price div 10;
discount(Price, _) -> Price.

%% Sums as a tree; a split into no parts was forgotten.
-spec eval(sum()) -> integer().
eval(N) when is_integer(N) -> N;
eval({add, A, B}) -> eval(A) + eval(B);
eval({sub, A, B}) -> eval(A) - eval(B);
eval({split, A, B}) -> eval(A) div eval(B).

%% The lines of a receipt by article; an article that comes twice with different prices is not expected.
-spec receipt([{atom(), 1..9}]) -> [{atom(), pos_integer()}].
receipt(Lines) -> lists:foldl(fun add_line/2, [], Lines).

add_line({Article, Price}, Lines) ->
    case lists:keyfind(Article, 1, Lines) of
        false -> [{Article, Price} | Lines];
        {Article, Price} -> lists:keyreplace(Article, 1, Lines, {Article, 2 * Price})
    end.

%% Up to the next five; this one is right.
-spec round_up(0..1000) -> 0..1000.
round_up(N) when N rem 5 =:= 0 -> N;
round_up(N) ->
    R = N + 5 - N rem 5,
    true = R rem 5 =:= 0,
    R.
