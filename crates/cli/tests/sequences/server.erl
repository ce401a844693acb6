%% A server with bugs in states that some calls make.
-module(server).
-behaviour(gen_server).
-export([start_link/0, init/1, handle_call/3, handle_cast/2, handle_info/2]).

-record(state, {n = 0, items = [], limit = 3}).

start_link() -> gen_server:start_link(?MODULE, [], []).

init([]) -> {ok, #state{}};
init({limit, N}) when is_integer(N), N > 0 -> {ok, #state{limit = N}}.

handle_call({push, X}, _From, S = #state{n = N, items = L, limit = M}) when N < M ->
    {reply, ok, S#state{n = N + 1, items = [X | L]}};
handle_call({push, _}, _From, S) ->
    {reply, full, S};
handle_call(pop, _From, S = #state{items = [_ | L]}) ->
    {reply, ok, S#state{items = L}};
handle_call(pop, _From, S) ->
    {reply, empty, S};
handle_call(average, _From, S = #state{items = L, n = N}) ->
    {reply, length(L) div N, S};
handle_call(_, _From, S) ->
    {reply, error, S}.

handle_cast(reset, S) -> {noreply, S#state{items = [], n = 0}};
handle_cast({halve, K}, S = #state{n = 2, items = [X, Y]}) when X + Y =:= 30 -> {noreply, S#state{n = 30 div (K - K)}};
handle_cast(_, S) -> {noreply, S}.

handle_info(check, S = #state{n = 1, items = []}) -> _ = hd(S#state.items), {noreply, S};
handle_info(_, S) -> {noreply, S}.
