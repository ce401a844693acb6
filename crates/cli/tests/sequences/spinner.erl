%% A spinner: a call of it, and one that takes it, have no end.
-module(spinner).
-export([new/0, turn/2, look/1, wait/1, is_low/1]).
-export_type([spinner/0]).

-opaque spinner() :: {spinner, non_neg_integer()}.

-spec new() -> spinner().
new() -> {spinner, 0}.

%% Has no end for 7: no value comes of that.
-spec turn(integer(), spinner()) -> spinner().
turn(7, Spinner) -> turn(7, Spinner);
turn(By, {spinner, At}) when By > 0 -> {spinner, (At + By) rem 5}.

-spec look(spinner()) -> ok.
look({spinner, At}) when At < 5 -> ok.

%% Has no end itself.
-spec wait(spinner()) -> ok.
wait({spinner, 3} = Spinner) -> wait(Spinner);
wait({spinner, _}) -> ok.

%% A property that does not hold.
-spec is_low(spinner()) -> boolean().
is_low({spinner, At}) -> At < 4.
