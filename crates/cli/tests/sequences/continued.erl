%% A server that goes on by itself after init/1.
-module(continued).
-behaviour(gen_server).
-export([init/1, handle_continue/2, handle_call/3, handle_cast/2]).

init(Size) when is_integer(Size) -> {ok, {raw, Size}, {continue, {load, Size}}}.

handle_continue({load, 13}, {raw, _}) -> hd([]);
handle_continue({load, N}, {raw, N}) -> {noreply, {ready, N}}.

handle_call(rate, _From, {ready, N}) -> {reply, 100 div (N - 7), {ready, N}};
handle_call(rate, _From, {raw, _}) -> hd([]).

handle_cast(_, S) -> {noreply, S}.
