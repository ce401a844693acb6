%% A server that does not crash in any state that calls make, though it would in others.
-module(quiet_server).
-behaviour(gen_server).
-export([init/1, handle_call/3, handle_cast/2]).

init(_) -> {ok, {0, []}}.

handle_call({push, X}, _From, {N, L}) -> {reply, ok, {N + 1, [X | L]}};
handle_call(pop, _From, {N, [X | L]}) when N > 0 -> {reply, X, {N - 1, L}};
handle_call(pop, _From, {0, []}) -> {reply, empty, {0, []}};
handle_call(_, _From, S) -> {reply, error, S}.

handle_cast(check, {N, L}) ->
    case N - length(L) of
        0 -> {noreply, {N, L}};
        _ -> hd([])
    end;
handle_cast(_, S) -> {noreply, S}.
