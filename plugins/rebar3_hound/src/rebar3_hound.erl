%% Makes the task `rebar3 hound` known.
-module(rebar3_hound).
-export([init/1]).

-spec init(rebar_state:t()) -> {ok, rebar_state:t()}.
init(State) ->
    rebar3_hound_prv:init(State).
