%% A door that breaks when it is kicked after it was opened twice.
-module(programs_door).
-behaviour(gen_statem).
-export([init/1, callback_mode/0, closed/3, open/3]).

callback_mode() -> state_functions.

init([]) -> {ok, closed, 0}.

closed({call, From}, open, N) -> {next_state, open, N + 1, [{reply, From, ok}, {state_timeout, 1000, shut}]};
closed({call, From}, state, N) -> {keep_state, N, [{reply, From, closed}]};
closed({call, From}, _, N) -> {keep_state, N, [{reply, From, no}]}.

open(state_timeout, shut, N) -> {next_state, closed, N};
open({call, From}, close, N) -> {next_state, closed, N, [{reply, From, ok}]};
open({call, _}, kick, 2) -> error(broken);
open({call, From}, state, N) -> {keep_state, N, [{reply, From, open}]};
open({call, From}, _, N) -> {keep_state, N, [{reply, From, no}]}.
