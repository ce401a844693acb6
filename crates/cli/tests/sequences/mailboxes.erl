%% A server with a small mailbox for each user, which must have come in first.
-module(mailboxes).
-behaviour(gen_server).
-export([init/1, handle_call/3, handle_cast/2]).

init(_) -> {ok, #{users => #{}, open => 0}}.

handle_call({login, U}, _, #{users := Us, open := N} = S) when is_atom(U) ->
    {reply, ok, S#{users := Us#{U => []}, open := N + 1}};
handle_call({send, U, M}, _, #{users := Us} = S) when is_map_key(U, Us) ->
    #{U := L} = Us,
    true = length(L) < 9,
    {reply, ok, S#{users := Us#{U := [M | L]}}};
handle_call(_, _, S) -> {reply, no, S}.

handle_cast(audit, #{open := N, users := Us}) when N < map_size(Us) -> hd([]);
handle_cast(_, S) -> {noreply, S}.
