%% Amounts of money in cents: currencies, shares, interest, invoices.
%! add/2 declared error:{currencies,_,_}@currencies
%! share/2 bug error:badarith@share
%! split/2 bug error:function_clause@seq
%! interest/3 bug error:badarith@years
%! format/1 bug error:function_clause@format
%! invoice/1 bug error:{badkey,_}@vat
%! convert/3 declared throw:{no_rate,_}@no_rate
%! convert/3 bug error:badarith@rate
-module(money).
-export([add/2, share/2, split/2, interest/3, format/1, invoice/1, convert/3]).

-type currency() :: eur | usd | gbp | jpy.
-type money() :: {money, currency(), integer()}.

-spec add(money(), money()) -> money().
add({money, Currency, A}, {money, Currency, B}) -> {money, Currency, A + B};
add({money, A, _}, {money, B, _}) -> error({currencies, A, B}). %@currencies

%% @doc One amount in percent of another.
-spec share(money(), money()) -> integer().
share({money, _, Part}, {money, _, Whole}) -> Part * 100 div Whole. %@share

%% @doc Parts that differ by a cent at most.
-spec split(non_neg_integer(), pos_integer()) -> [non_neg_integer()].
split(Cents, Parts) ->
    Each = Cents div Parts,
    Rest = Cents - Each * Parts,
    larger(Rest, Each) ++ larger(Parts - Rest - 2, Each).

larger(N, Each) when N > 0 -> [Each + 1 | larger(N - 1, Each)]; %@seq
larger(0, Each) -> [Each].

-spec interest(integer(), 0..100, integer()) -> integer().
interest(Cents, Percent, Months) ->
    Years = Months div 12,
    Cents * Percent div (100 * Years). %@years

-spec format(money()) -> string().
format({money, Currency, Cents}) ->
    symbol(Currency) ++ integer_to_list(Cents div 100) ++ "." ++ integer_to_list(Cents rem 100).

symbol(eur) -> "EUR "; %@format
symbol(usd) -> "$";
symbol(gbp) -> "GBP ".

-type line() :: #{price := integer(), count := non_neg_integer(), vat => 0..100}.
-spec invoice([line()]) -> integer().
invoice(Lines) -> lists:sum([line(Line) || Line <- Lines]).

line(#{price := Price, count := 0}) -> Price * 0;
line(#{price := Price, count := Count} = Line) ->
    Net = Price * Count,
    Net + Net * maps:get(vat, Line) div 100. %@vat

-spec convert(integer(), currency(), #{currency() => integer()}) -> integer().
convert(Cents, To, Rates) ->
    case maps:find(To, Rates) of
        {ok, Rate} -> Cents * 1000 div Rate; %@rate
        error -> throw({no_rate, To}) %@no_rate
    end.
