%% State machines: a door with a code, a vending machine, a connection.
%! run/1 bug error:{case_clause,_}@door
%! vend/2 bug error:function_clause@vend
%! vend/2 declared exit:{out_of,_}@out
%! connect/1 bug error:badarith@backoff
%! handle/2 doubtful error:function_clause@handle
-module(door).
-export([run/1, vend/2, connect/1, handle/2]).

-type key() :: 0..9 | reset | open | close | lock.

%% @doc The code is 4, 2; a locked door opens after it.
-spec run([key()]) -> open | closed | locked.
run(Keys) -> run(Keys, locked, []).

run([], State, _) -> State;
run([reset | Keys], State, _) -> run(Keys, State, []);
run([Key | Keys], locked, Code) when is_integer(Key) ->
    case [Key | Code] of
        [2, 4] -> run(Keys, closed, []);
        More when length(More) < 2 -> run(Keys, locked, More);
        _ -> run(Keys, locked, [])
    end;
run([_ | Keys], locked, Code) -> run(Keys, locked, Code);
run([Key | Keys], closed, _) ->
    case Key of %@door
        open -> run(Keys, open, []);
        lock -> run(Keys, locked, []);
        close -> run(Keys, closed, [])
    end;
run([close | Keys], open, _) -> run(Keys, closed, []);
run([_ | Keys], open, _) -> run(Keys, open, []).

-type coin() :: 5 | 10 | 20 | 50.
-spec vend([coin() | cola | water], non_neg_integer()) -> {[cola | water], integer()}.
vend(Events, Stock) -> vend(Events, Stock, 0, []).

vend([], _, Credit, Given) -> {lists:reverse(Given), Credit};
vend([Drink | _], 0, Credit, _) when is_atom(Drink), Credit >= 30 -> exit({out_of, Drink}); %@out
vend([cola | Events], Stock, Credit, Given) when Credit >= 30 -> vend(Events, Stock - 1, Credit - 30, [cola | Given]);
vend([water | Events], Stock, Credit, Given) when Credit >= 20 -> vend(Events, Stock - 1, Credit - 20, [water | Given]);
vend([Coin | Events], Stock, Credit, Given) when is_integer(Coin) -> vend(Events, Stock, Credit + coin(Coin), Given);
vend([_ | Events], Stock, Credit, Given) -> vend(Events, Stock, Credit, Given).

coin(5) -> 5; %@vend
coin(10) -> 10;
coin(20) -> 20.

%% @doc Milliseconds to wait: less with every success, more with every failure.
-spec connect([ok | failed]) -> integer().
connect(Results) -> wait(Results, 4).

wait([], Factor) -> 1000 div Factor; %@backoff
wait([failed | Results], Factor) -> wait(Results, Factor div 2);
wait([ok | Results], Factor) -> wait(Results, Factor * 2).

%% A callback: events are whatever is sent.
-spec handle(term(), integer()) -> {noreply, integer()}.
handle({add, N}, State) when is_integer(N) -> {noreply, State + N}; %@handle
handle(reset, _) -> {noreply, 0}.
