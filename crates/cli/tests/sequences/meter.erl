%% A module with a state that is no opaque type: what new/1 gives, by sequences with --state.
-module(meter).
-export([new/1, tick/2, rate/1, odd/1]).

-type meter() :: #{count := integer(), sum := integer()}.

-spec new(integer()) -> {ok, meter()} | {error, negative}.
new(N) when N < 0 -> {error, negative};
new(N) -> {ok, #{count => 0, sum => N}}.

-spec tick(integer(), meter()) -> meter().
tick(X, #{count := C, sum := S} = M) -> M#{count := C + 1, sum := S + X}.

-spec rate(meter()) -> integer().
rate(#{count := 2, sum := 50}) -> hd([]);
rate(#{sum := S}) -> S.

%% Crashes on meters that no calls make.
-spec odd(meter()) -> ok.
odd(#{count := C}) when C < 0 -> hd([]);
odd(_) -> ok.
