%% Accounts, orders and stock: business rules over records and key-value lists.
%! apply_all/2 crash error:badarith@fee error:badarith@deposit error:badarith@withdraw error:function_clause@deposit throw:{insufficient,_,_}@insufficient
%! transfer/4 crash error:{badmatch,_}@from error:{badmatch,_}@to
%! restock/2 crash error:{case_clause,_}@restock
%! invoice/1 crash error:badarith@discount error:function_clause@rate
%! safe_withdraw/2 safe
%! interest/2 crash error:badarith@interest complete
%! ledger/1 crash error:{unbalanced,_}@unbalanced
-module(bank).
-export([apply_all/2, transfer/4, restock/2, invoice/1, safe_withdraw/2, interest/2, ledger/1]).

-record(account, {id :: pos_integer(), owner = "none" :: string(), balance = 0 :: integer()}).
-record(line, {item :: atom(), count = 1 :: pos_integer(), price :: non_neg_integer()}).
-record(invoice, {lines = [] :: [#line{}], discount = 0 :: 0..100, country :: de | fr | uk | other}).

-type operation() :: {deposit, pos_integer()} | {withdraw, pos_integer()} | {fee, non_neg_integer()} | close.

-spec apply_all([operation()], integer()) -> integer() | closed.
apply_all([], Balance) -> Balance;
apply_all([Op | Ops], Balance) -> apply_all(Ops, apply_one(Op, Balance)).

apply_one({deposit, N}, B) -> B + N; %@deposit
apply_one({withdraw, N}, B) when N =< B -> B - N; %@withdraw
apply_one({withdraw, N}, B) -> throw({insufficient, N, B}); %@insufficient
apply_one({fee, N}, B) when is_integer(B) -> B - 1000 div N; %@fee
apply_one(close, B) when B =/= 17 -> closed;
apply_one(Op, B) when is_integer(B), Op =/= close -> B.

-spec transfer(pos_integer(), pos_integer(), pos_integer(), [#account{}]) -> [#account{}].
transfer(From, To, Amount, Accounts) ->
    {value, A} = lists:keysearch(From, #account.id, Accounts), %@from
    {value, B} = lists:keysearch(To, #account.id, Accounts), %@to
    Rest = lists:keydelete(To, #account.id, lists:keydelete(From, #account.id, Accounts)),
    [A#account{balance = A#account.balance - Amount}, B#account{balance = B#account.balance + Amount} | Rest].

-spec restock([{atom(), non_neg_integer()}], atom()) -> [{atom(), non_neg_integer()}].
restock(Stock, Item) ->
    case lists:keyfind(Item, 1, Stock) of %@restock
        {Item, 0} -> lists:keyreplace(Item, 1, Stock, {Item, 10});
        {Item, N} when N < 5 -> lists:keyreplace(Item, 1, Stock, {Item, N + 10});
        false -> [{Item, 10} | Stock]
    end.

-spec invoice(#invoice{}) -> number().
invoice(#invoice{lines = Lines, discount = D, country = C}) ->
    Net = lists:sum([N * P || #line{count = N, price = P} <- Lines]),
    Gross = Net * (100 + rate(C)) div 100,
    Gross div (100 - D). %@discount

rate(de) -> 19; %@rate
rate(fr) -> 20;
rate(uk) -> 20.

-spec safe_withdraw(#account{}, pos_integer()) -> {ok, #account{}} | {error, low}.
safe_withdraw(#account{balance = B}, N) when B < N -> {error, low};
safe_withdraw(#account{balance = B} = A, N) ->
    case B - N of
        Left when Left >= 0 -> {ok, A#account{balance = Left}}
    end.

-spec interest(0..20, 1..12) -> integer().
interest(Rate, Month) -> 1000 div (Rate - Month). %@interest

-spec ledger([{debit | credit, pos_integer()}]) -> balanced.
ledger(Entries) ->
    Debit = lists:sum([N || {debit, N} <- Entries]),
    Credit = lists:sum([N || {credit, N} <- Entries]),
    case Debit - Credit of
        0 -> balanced;
        Off when Off > 100 -> error({unbalanced, Off}); %@unbalanced
        _ -> balanced
    end.
