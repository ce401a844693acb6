%% A state machine in the manner of a server: a list of requests, a state, replies; no process.
-module(server).
-export([run/1]).

-record(state, {mode = closed :: closed | open | locked, tries = 0 :: integer(), code = [1, 9] :: [integer()]}).

-type request() :: open | close | lock | {digit, 0..9} | {set, [0..9]}.

-spec run([request()]) -> atom().
run(Requests) -> loop(Requests, #state{}, []).

loop([], #state{mode = Mode}, _) -> Mode;
loop([Request | Rest], State, Keys) ->
    case handle(Request, State, Keys) of
        {ok, NewState, NewKeys} ->
            loop(Rest, NewState, NewKeys);
        {stop, _} ->
            stopped
    end.

handle(open, #state{mode = closed} = State, Keys) ->
    {ok, State#state{mode = open}, Keys};
handle(close, #state{mode = open} = State, Keys) ->
    {ok, State#state{mode = closed}, Keys};
handle(lock, #state{mode = closed} = State, _) ->
    {ok, State#state{mode = locked}, []};
handle({digit, D}, #state{mode = locked, code = Code, tries = Tries} = State, Keys) ->
    case lists:reverse([D | Keys]) of
        Code ->
            {ok, State#state{mode = closed, tries = 0}, []}; % reachable
        Typed when length(Typed) =:= length(Code), Tries >= 2 ->
            {stop, alarm}; % reachable, but far
        Typed when length(Typed) =:= length(Code) ->
            {ok, State#state{tries = Tries + 1}, []};
        _ ->
            {ok, State, [D | Keys]}
    end;
handle({set, [_, _ | _] = Code}, #state{mode = open} = State, Keys) ->
    {ok, State#state{code = Code}, Keys};
handle(open, #state{mode = open}, _) ->
    {stop, already}; % reachable
handle({digit, D}, _, _) when D > 9 ->
    {stop, no_digit}; % unreachable, by induction
handle(_, #state{tries = Tries}, _) when Tries < 0 ->
    {stop, negative}; % unreachable, by induction
handle(_, State, Keys) ->
    {ok, State, Keys}.
