%% A state machine with a function for each state.
-module(door).
-behaviour(gen_statem).
-export([init/1, callback_mode/0, locked/3, open/3]).

callback_mode() -> state_functions.

init(Code) when is_integer(Code) -> {ok, locked, #{code => Code, tries => 0}}.

locked(cast, {button, C}, #{code := C} = D) -> {next_state, open, D#{tries := 0}};
locked(cast, {button, _}, #{tries := 2}) -> hd([]);
locked(cast, {button, _}, #{tries := T} = D) -> {keep_state, D#{tries := T + 1}};
locked(_, _, D) -> {keep_state, D}.

open(cast, lock, D) -> {next_state, locked, D};
open({call, From}, ratio, #{tries := T}) -> {keep_state_and_data, [{reply, From, 1 div T}]};
open(_, _, D) -> {keep_state, D}.
