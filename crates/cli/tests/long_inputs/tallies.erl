%% Counts that reach a bound after many steps.
%! odometer/1 crash error:badmatch@odometer
%! rate/1 crash error:badarith@rate
%! rate_ok/1 safe_or_incomplete
%! sequence/1 crash error:badmatch@sequence
%! turnstile/1 crash error:jammed@turnstile
%! retries/2 crash error:function_clause@retries
%! lives/1 crash error:case_clause@lives
%! ledger/1 crash error:overdrawn@ledger
%! backoff/1 crash error:timeout_value@backoff
%! quota/2 crash error:badmatch@quota
%! ticks/1 crash error:badmatch@ticks
%! versions/1 crash error:badmatch@versions
%! levels/1 crash error:badkey@levels
-module(tallies).
-export([odometer/1, rate/1, rate_ok/1, sequence/1, turnstile/1, retries/2, lives/1, ledger/1, backoff/1, quota/2,
         ticks/1, versions/1, levels/1]).

%% Six digits that are moved on one by one.
-spec odometer(non_neg_integer()) -> [0..9].
odometer(Kilometres) -> drive(Kilometres, [0, 0, 0, 0, 0, 0]).

drive(0, Digits) -> Digits;
drive(N, Digits) -> drive(N - 1, tick(Digits)).

tick([9 | Digits]) ->
    [_ | _] = Digits, %@odometer
    [0 | tick(Digits)];
tick([D | Digits]) -> [D + 1 | Digits].

%% At most 100 requests of one client in a window of a second.
-spec rate([{Client :: integer(), Millisecond :: non_neg_integer()}]) -> map().
rate(Requests) -> lists:foldl(fun request/2, #{}, Requests).

request({Client, At}, Seen) ->
    Window = At div 1000,
    Count = maps:get({Client, Window}, Seen, 0) + 1,
    Share = 1000 div (101 - Count), %@rate
    Seen#{{Client, Window} => Count, share => Share}.

-spec rate_ok([{Client :: integer(), Millisecond :: non_neg_integer()}]) -> map().
rate_ok(Requests) -> lists:foldl(fun request_ok/2, #{}, Requests).

request_ok({Client, At}, Seen) ->
    Window = At div 1000,
    case Seen of
        #{{Client, Window} := 100} -> Seen;
        #{{Client, Window} := Count} -> Seen#{{Client, Window} => Count + 1};
        #{} -> Seen#{{Client, Window} => 1}
    end.

%% Numbers of frames have seven bits.
-spec sequence([{data, binary()} | ack | reset]) -> binary().
sequence(Events) -> frames(Events, 0).

frames([], _) -> <<>>;
frames([{data, Data} | Events], N) ->
    <<0:1, N:7>> = <<N:8>>, %@sequence
    Rest = frames(Events, N + 1),
    <<N, Data/binary, Rest/binary>>;
frames([ack | Events], N) -> frames(Events, N);
frames([reset | Events], _) -> frames(Events, 0).

%% A turnstile that jams when a thousand people went through.
-spec turnstile([coin | push]) -> locked | open.
turnstile(Events) -> turnstile(Events, locked, 0).

turnstile([], State, _) -> State;
turnstile([coin | Events], _, N) -> turnstile(Events, open, N);
turnstile([push | Events], open, N) when N >= 1000 -> turnstile(Events, error(jammed), N); %@turnstile
turnstile([push | Events], open, N) -> turnstile(Events, locked, N + 1);
turnstile([push | Events], locked, N) -> turnstile(Events, locked, N).

%% A job that fails so often that no delay is left for it.
-spec retries([ok | failed], 1..10) -> non_neg_integer().
retries(Results, Base) -> retries(Results, Base, 0).

retries([], _, Waited) -> Waited;
retries([ok | _], _, Waited) -> Waited;
retries([failed | Results], Base, Waited) -> retries(Results, Base + 1, Waited + delay(Base)).

delay(N) when N < 60 -> N * 100. %@retries

%% A game: so many lives, and one more for every hundred points.
-spec lives([hit | {points, 1..10}]) -> 0..9.
lives(Events) -> lives(Events, 3, 0).

lives([], Lives, _) -> Lives;
lives(_, 0, _) -> 0;
lives([hit | Events], Lives, Points) -> lives(Events, Lives - 1, Points);
lives([{points, P} | Events], Lives, Points) when Points + P >= 100 ->
    lives(Events, more(Lives), Points + P - 100);
lives([{points, P} | Events], Lives, Points) -> lives(Events, Lives, Points + P).

more(Lives) ->
    case Lives + 1 of %@lives
        N when N < 10 -> N
    end.

%% Fees add up until there is nothing left to pay them with.
-spec ledger([{transfer, pos_integer()} | statement]) -> integer().
ledger(Entries) -> lists:foldl(fun post/2, 500, Entries).

post(_, Balance) when Balance < 0 -> error(overdrawn); %@ledger
post({transfer, _}, Balance) -> Balance - 3;
post(statement, Balance) -> Balance - 1.

%% Doubles a delay with each attempt; the VM has 32 bits for a timeout.
-spec backoff(non_neg_integer()) -> non_neg_integer().
backoff(Attempts) -> backoff(Attempts, 250).

backoff(0, Delay) -> Delay;
backoff(_, Delay) when Delay > 16#ffffffff -> error(timeout_value); %@backoff
backoff(N, Delay) -> backoff(N - 1, Delay * 2).

%% Disk space by user, in blocks.
-spec quota([{atom(), 1..64}], 0..3) -> map().
quota(Files, Level) ->
    lists:foldl(fun({User, Blocks}, Used) ->
        Now = maps:get(User, Used, 0) + Blocks,
        true = Now < 2048 bsl Level, %@quota
        Used#{User => Now}
    end, #{}, Files).

%% A clock that counts milliseconds in 20 bits.
-spec ticks([{sleep, 0..60000} | yield]) -> non_neg_integer().
ticks(Steps) -> lists:foldl(fun tick/2, 0, Steps).

tick({sleep, Time}, Now) ->
    <<Later:20>> = <<(Now + Time):20>>,
    Elapsed = Later - Now,
    Time = Elapsed, %@ticks
    Later;
tick(yield, Now) -> Now.

%% Versions: the minor number has one digit.
-spec versions([patch | minor | major]) -> string().
versions(Changes) ->
    {Major, Minor, Patch} = lists:foldl(fun bump/2, {0, 0, 0}, Changes),
    [A, $., B, $., C] = lists:flatten(io_lib:format("~w.~w.~w", [Major rem 10, Minor, Patch rem 10])), %@versions
    [A, B, C].

bump(patch, {Major, Minor, Patch}) -> {Major, Minor, Patch + 1};
bump(minor, {Major, Minor, _}) -> {Major, Minor + 1, 0};
bump(major, {Major, _, _}) -> {Major + 1, 0, 0}.

%% Experience: a level for every thousand, and names for thirty levels.
-spec levels([kill | quest | die]) -> integer().
levels(Events) ->
    Names = maps:from_list([{N, N * N} || N <- lists:seq(0, 29)]),
    lists:foldl(fun
        (kill, Xp) -> Xp + map_get((Xp + 10) div 1000, Names) div 1000 + 10; %@levels
        (quest, Xp) -> Xp + 250;
        (die, Xp) -> Xp - Xp div 10
    end, 0, Events).
