%% A server that fails after thirty calls of one kind, neither sooner nor in a longer sequence; and one that cannot.
-module(turnstile).
-behaviour(gen_server).
-export([init/1, handle_call/3, handle_cast/2]).

init(Max) when is_integer(Max), Max > 0 -> {ok, {0, Max}};
init(_) -> {stop, badarg}.

handle_call(inc, _, {N, M}) -> true = N < 30, {reply, N + 1, {N + 1, M}};
handle_call(get, _, {N, _} = S) -> {reply, N, S};
handle_call(_, _, S) -> {reply, what, S}.

handle_cast(reset, {_, M}) -> {noreply, {0, M}};
handle_cast(check, {N, _}) when N < 0; N > 30 -> hd([]);
handle_cast(_, S) -> {noreply, S}.
