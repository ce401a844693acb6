%% A switch with a time after which it turns itself off.
-module(basics_machine).
-behaviour(gen_statem).
-export([init/1, callback_mode/0, off/3, on/3]).

callback_mode() -> state_functions.

init(N) -> {ok, off, N}.

off({call, F}, push, N) -> {next_state, on, N + 1, [{reply, F, on}, {state_timeout, 100, late}]};
off({call, F}, get, N) -> {keep_state_and_data, [{reply, F, N}]}.

on(state_timeout, late, N) -> {next_state, off, N * 10};
on({call, F}, push, N) -> {next_state, off, N, [{reply, F, off}]};
on({call, F}, get, N) -> {keep_state_and_data, [{reply, F, N}]}.
