%% A state machine with one function for all events.
-module(light).
-behaviour(gen_statem).
-export([init/1, callback_mode/0, handle_event/4]).

callback_mode() -> handle_event_function.

init([]) -> {ok, off, 0}.

handle_event(cast, flip, off, N) -> {next_state, on, N + 1};
handle_event(cast, flip, on, N) -> {next_state, off, N};
handle_event(info, burn, on, 2) -> hd([]);
handle_event(info, burn, off, N) when N > 0, N < 0 -> hd([]);
handle_event(_, _, _, N) -> {keep_state, N}.
