%% A server with specs: without any option its states are those that calls make.
-module(typed_server).
-behaviour(gen_server).
-export([init/1, handle_call/3, handle_cast/2]).

-record(state, {count = 0 :: integer(), total = 0 :: integer()}).

-spec init([]) -> {ok, #state{}}.
init([]) -> {ok, #state{}}.

-spec handle_call(mean | {add, integer()}, {pid(), term()}, #state{}) -> {reply, term(), #state{}}.
handle_call({add, X}, _From, S = #state{count = N, total = T}) ->
    {reply, ok, S#state{count = N + 1, total = T + X}};
handle_call(mean, _From, S = #state{count = 0}) ->
    {reply, none, S};
handle_call(mean, _From, S = #state{count = N, total = T}) ->
    {reply, T div (N - 2), S}.

-spec handle_cast(reset, #state{}) -> {noreply, #state{}}.
handle_cast(reset, #state{count = N}) when N < 0 -> {noreply, hd([])};
handle_cast(reset, _) -> {noreply, #state{}}.
