%% A server that adds numbers.
-module(basics_server).
-behaviour(gen_server).
-export([init/1, handle_call/3, handle_cast/2, handle_info/2, start_link/0]).

start_link() -> gen_server:start_link({local, basics_worker}, ?MODULE, 0, []).

init(N) -> {ok, N}.

handle_call({add, K}, _, N) -> {reply, N + K, N + K};
handle_call(crash, _, N) -> {reply, 1 div (N - N), N};
handle_call(never, _, N) -> {noreply, N};
handle_call(stop, _, N) -> {stop, normal, N, N}.

handle_cast({add, K}, N) -> {noreply, N + K}.

handle_info(_, N) -> {noreply, N}.
