%% A handler of events that keeps what it gets.
-module(basics_event).
-behaviour(gen_event).
-export([init/1, handle_event/2, handle_call/2, terminate/2]).

init(P) -> {ok, {P, []}}.

handle_event(E, {P, L}) -> {ok, {P, [E | L]}}.

handle_call(get, {_, L} = S) -> {ok, L, S}.

terminate(W, {P, _}) -> P ! {gone, W}.
