%% A small shop: prices, a basket and a parser for order lines, with one mistake left in.
-module(shop).
-export([total/1, parse/1, order/1, report/1]).

-type item() :: {Name :: atom(), Amount :: integer(), Price :: number()}.

%% What a basket costs; three or more of a kind are a tenth cheaper.
-spec total([item()]) -> number().
total(Basket) ->
    lists:sum([cost(Item) || Item <- Basket]).

cost({_, Amount, Price}) when Amount >= 3 ->
    Amount * Price * 0.9;
cost({_, Amount, Price}) ->
    Amount * Price.

%% Lines such as <<"apple*3@20;pear*1@5">> to a basket.
-spec parse(binary()) -> [item()].
parse(<<>>) ->
    [];
parse(Text) ->
    [line(Line) || Line <- binary:split(Text, <<";">>, [global])].

line(Line) ->
    [Name, Rest] = binary:split(Line, <<"*">>),
    [Amount, Price] = binary:split(Rest, <<"@">>),
    {binary_to_atom(Name), binary_to_integer(Amount), binary_to_integer(Price)}.

%% The average price of one thing in the basket: an empty basket was forgotten.
-spec order(binary()) -> float().
order(Text) ->
    Basket = parse(Text),
    total(Basket) / lists:sum([Amount || {_, Amount, _} <- Basket]).

%% Prints the basket, most expensive line first.
report(Text) ->
    Sorted = lists:reverse(lists:keysort(3, parse(Text))),
    [io:format("~-10s ~3b x ~p~n", [Name, Amount, Price]) || {Name, Amount, Price} <- Sorted],
    ok.
