%% A ledger of accounts: transfers, statements, limits, folds over events.
%! transfer/4 declared error:{insufficient,_}@insufficient
%! transfer/4 bug error:{badkey,_}@account
%! balance/1 bug error:function_clause@event
%! replay/1 bug error:{badmatch,_}@frozen
%! largest/1 bug error:function_clause@largest
%! average/1 bug error:badarith@average
%! limit/2 doubtful error:{case_clause,_}@limit
%! report/2 doubtful error:_@report
-module(ledger).
-export([transfer/4, balance/1, replay/1, largest/1, average/1, limit/2, report/2]).

-type account() :: 1..9.

-spec transfer(account(), account(), pos_integer(), #{account() => integer()}) -> #{account() => integer()}.
transfer(From, To, Amount, Accounts) ->
    Available = maps:get(From, Accounts), %@account
    Available >= Amount orelse error({insufficient, Available}), %@insufficient
    Less = Accounts#{From := Available - Amount},
    maps:update_with(To, fun(Old) -> Old + Amount end, Amount, Less).

-type event() :: {deposit, pos_integer()} | {withdraw, pos_integer()} | {fee, pos_integer()} | freeze | {correct, integer()}.
-spec balance([event()]) -> integer().
balance(Events) -> lists:foldl(fun apply_event/2, 0, Events).

apply_event({deposit, N}, Sum) -> Sum + N; %@event
apply_event({withdraw, N}, Sum) -> Sum - N;
apply_event({fee, N}, Sum) -> Sum - N;
apply_event(freeze, Sum) -> Sum.

%% @doc After a freeze only corrections count.
-spec replay([event()]) -> integer().
replay(Events) -> replay(Events, {open, 0}).

replay([], {_, Sum}) -> Sum;
replay([freeze | Events], {_, Sum}) -> replay(Events, {frozen, Sum});
replay([{correct, N} | Events], {State, Sum}) -> replay(Events, {State, Sum + N});
replay([{_, N} | Events], State) ->
    {open, Sum} = State, %@frozen
    replay(Events, {open, Sum + N}).

-spec largest([{account(), integer()}]) -> integer().
largest([{_, N}]) -> N; %@largest
largest([{_, N} | Rest]) -> max(N, largest(Rest)).

-spec average([{account(), integer()}]) -> integer().
average(Entries) ->
    Positive = [N || {_, N} <- Entries, N > 0],
    lists:sum(Positive) div length(Positive). %@average

-spec limit(atom(), integer()) -> boolean().
limit(Kind, Amount) ->
    Most = case Kind of %@limit
        private -> 1000;
        business -> 10000
    end,
    Amount =< Most.

-spec report(fun((integer()) -> term()), [integer()]) -> [string()].
report(Format, Amounts) -> [lists:flatten(Format(Amount)) || Amount <- Amounts]. %@report
